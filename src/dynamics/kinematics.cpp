#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "dynamics/lagrange.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

constexpr std::array<std::string_view, 6> row_names{"vx", "vy", "vz", "wx", "wy", "wz"};

}  // namespace

namespace {

/// The pose of a mechanism, with the frames of followers behind the others.
ArmPose mechanism_pose(const Arm& arm, std::span<const double> q) {
  ArmPose result;
  result.frames.resize(number_of_bodies(arm));
  result.joints = table_joint_frames<double>(arm, q);
  for (const auto& [chain, rows, joints] : arm.chains) {
    const ArmPose found = pose(chain, joint_positions<double>(rows, q));
    for (std::size_t i = 0; i < joints.size(); ++i) {
      result.frames[joints[i]] = found.frames[i];
    }
  }
  result.tcp = tool_frame_at<double>(arm, q);
  result.tcp_in_world = arm.base * result.tcp;
  return result;
}

}  // namespace

ArmPose pose(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  if (!arm.is_serial()) return mechanism_pose(arm, q);
  const std::vector<Transform> frames = link_frames<double>(arm, q);
  ArmPose result;
  result.frames = table_frames<double>(arm, frames);
  result.joints = table_joint_frames<double>(arm, q);
  result.tcp = tool_frame<double>(arm, frames);
  result.tcp_in_world = arm.base * result.tcp;
  return result;
}

struct ToolKinematics::Workspace {
  explicit Workspace(const Arm& given)
      : arm(given), packed(PackedArm::of(given)), frames(given.dof()) {}

  Arm arm;
  std::optional<PackedArm> packed;
  std::vector<Transform> frames;
};

ToolKinematics::ToolKinematics(const Arm& arm) : workspace_(std::in_place, arm) {}

Transform ToolKinematics::pose(std::span<const double> q) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q);
  if (w.packed) return w.packed->tool(as_packed(q));
  return tool_frame_at<double>(w.arm, q);
}

void ToolKinematics::jacobian(std::span<const double> q, std::span<double> J) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q);
  const std::size_t n = q.size();
  require(J.size() == 6 * n, "a Jacobian needs six rows and one column per joint");
  if (w.packed) return w.packed->jacobian(as_packed(q), J);
  if (!w.arm.is_serial()) {
    std::ranges::copy(tool_jacobian<double>(w.arm, q).entries(), J.begin());
    return;
  }
  const Vec3 tip =
      chain_frames<double>(w.arm, q, [&](std::size_t i, const Transform& T) { w.frames[i] = T; }).p;
  for (std::size_t j = 0; j < n; ++j) {
    const auto [v, omega] = jacobian_column(w.arm.links[j].joint, w.frames[j], tip);
    const std::array column = stacked(v, omega);
    for (std::size_t k = 0; k < column.size(); ++k) J[k * n + j] = column[k];
  }
}

Matrix jacobian(const Arm& arm, std::span<const double> q, TaskAxes axes) {
  require_one_per_joint(arm, q);
  return tool_jacobian<double>(arm, q, axes);
}

Matrix jacobian_rate(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                     TaskAxes axes) {
  require_one_per_joint(arm, q, qd);
  return tool_jacobian_rate<double>(arm, q, qd, axes);
}

std::string_view name(TaskRow row) {
  return row_names[static_cast<std::size_t>(row)];
}

const std::vector<TaskRow>& all_task_rows() {
  static const std::vector<TaskRow> all{TaskRow::vx, TaskRow::vy, TaskRow::vz,
                                        TaskRow::wx, TaskRow::wy, TaskRow::wz};
  return all;
}

Matrix select_rows(const Matrix& six_rows, std::span<const TaskRow> rows) {
  require(six_rows.rows() == 6, "task rows are taken from six rows");
  return rows_of(six_rows, rows);
}

Dexterity dexterity(const Matrix& J) {
  require(!J.entries().empty(), "a Jacobian needs rows and columns");
  const Eigen::VectorXd values = singular_values(eigen(J));
  const double largest = values(0);
  const double smallest = values(values.size() - 1);
  const double rounding = static_cast<double>(std::max(J.rows(), J.columns())) *
                          std::numeric_limits<double>::epsilon() * largest;
  return {values.prod(),
          smallest <= rounding ? std::numeric_limits<double>::infinity() : largest / smallest};
}

namespace {

Matrix matrix_of_rows(const Matrix4<double>& A) {
  std::vector<double> entries;
  for (const auto& [x, y, z, w] : {A.x, A.y, A.z, A.w}) entries.insert(entries.end(), {x, y, z, w});
  return {4, 4, std::move(entries)};
}

/// The motions of a mechanism's links, from those of its chains.
std::vector<LinkMotion> mechanism_link_motions(const Arm& arm, const MotionState& state,
                                               const Wrench& wrench) {
  std::vector<std::vector<LinkMotion>> of_chains;
  for (const auto& [chain, rows, joints] : arm.chains) {
    const ChainMotion<double> x(rows, {state.q, state.qd, state.qdd});
    of_chains.push_back(link_motions(chain, {x.q, x.qd, x.qdd}));
  }
  std::vector<LinkMotion> motions = each(in_order(number_of_bodies(arm)), [&](std::size_t k) {
    const auto [c, link] = chain_link(arm, k);
    LinkMotion motion = of_chains[c][link];
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    motion.joint = {{unknown, unknown, unknown}, {unknown, unknown, unknown}};
    return motion;
  });
  if (!has_reactions(arm)) return motions;
  std::vector<Wrench> reactions(arm.dof());
  InverseDynamics(arm).reactions(state, wrench, reactions);
  for (std::size_t i = 0; i < reactions.size(); ++i) motions[i].joint = reactions[i];
  return motions;
}

}  // namespace

std::vector<LinkMotion> link_motions(const Arm& arm, const MotionState& state,
                                     const Wrench& wrench) {
  require_one_per_joint(arm, state);
  if (!arm.is_serial()) return mechanism_link_motions(arm, state, wrench);
  const std::size_t n = arm.dof();

  const std::vector<Transform> frames = link_frames<double>(arm, state.q);
  const std::vector<Twist<double>> velocities = link_velocities<double>(arm, frames, state.qd);

  const auto links = worked_recursion<double>(arm, state.q, state.qd, state.qdd, &wrench).links;
  std::vector<LinkMotion> motions(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Transform& user = arm.user_frame[i];
    const Mat3 to_user = transposed(user.R);
    const Vec3 v = transposed_times(frames[i].R, velocities[i].v);
    const auto velocity = [&](const Vec3& point) {  // (9.23)
      return to_user * (v + cross(links[i].omega, point));
    };
    const LinkVectors<double> x = shown_vectors(arm, i, state.q[i], links[i]);

    LinkMotion& shown = motions[i];
    shown.omega = x.omega;
    shown.omega_dot = x.omega_dot;
    shown.v = velocity(user.p);
    shown.v_dot = x.v_dot;
    shown.F = x.F;
    shown.N = x.N;
    shown.joint = {x.force, x.moment};
    if (!all_finite(stacked(shown.joint))) {
      refuse_not_finite("the reaction of " + joint_name(arm, i));
    }

    const MassProperties& own = arm.links[i].body;
    const MassProperties body{own.mass, to_user * (own.com - user.p),
                              rotated(to_user, own.inertia)};
    shown.v_c = velocity(own.com);
    shown.v_c_dot = x.v_dot_com;
    shown.angular_momentum = body.inertia * shown.omega;
    shown.kinetic = 0.5 * body.mass * dot(shown.v_c, shown.v_c) +
                    0.5 * dot(shown.omega, shown.angular_momentum);  // (9.31)
    const Transform in_base = frames[i] * user;
    const Vec3 r_c = in_base * body.com;
    shown.angular_momentum_0 =
        cross(r_c, body.mass * (in_base.R * shown.v_c)) + in_base.R * shown.angular_momentum;
    shown.moment_0 = cross(r_c, in_base.R * shown.F) + in_base.R * shown.N;
    shown.potential = potential_energy<double>(arm, i, frames);
    shown.A = acceleration_matrix(shown.omega, shown.omega_dot);
    shown.K = mass_spread(body.inertia);
    shown.Ja = matrix_of_rows(pseudo_inertia(body));
  }
  return motions;
}

}  // namespace armdyn
