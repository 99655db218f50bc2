// armdyn inspect: the terms of the equations of motion at one state.

#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <cmath>

#include "cli/inspect/options.hpp"
#include "cli/options/adjustable_rows.hpp"
#include "cli/options/run.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/examination.hpp"
#include "dynamics/link_frames.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

Cartesian cartesian_terms(const Arm& arm, const Inspection& at, const InspectOptions& options) {
  std::vector<TaskRow> rows = options.rows;
  if (rows.empty() && arm.dof() == 6) rows = all_task_rows();
  if (!rows.empty()) return cartesian(arm, at.q, at.qd, rows, jacobian_axes(options));
  Cartesian without;
  without.dexterity = dexterity(at.J);
  without.refusal = fmt::format(
      "Cartesian terms need six joints or chosen task rows (--task-rows vx,vy,...); this arm has "
      "{}",
      counted(arm.dof(), "joint"));
  return without;
}

Linearization linearization(const Arm& arm, const Inspection& at, const InspectOptions& options) {
  Linearization found;
  found.torque = torque_derivatives(arm, {at.q, at.qd, at.qdd});
  found.sample_time = options.sample_time.value_or(0.0);
  try {
    found.continuous = linearize(found.torque);
    if (options.sample_time) found.sampled = sampled(*found.continuous, found.sample_time);
  } catch (const NumericsError& error) {
    found.refusal = error.what();
  }
  return found;
}

/// Expresses the vectors of a link in the axes in which its own are R.
void turn(const Mat3& R, LinkMotion& link) {
  for (Vec3* const v :
       {&link.omega, &link.omega_dot, &link.v, &link.v_dot, &link.v_c, &link.v_c_dot, &link.F,
        &link.N, &link.angular_momentum, &link.joint.force, &link.joint.moment}) {
    *v = R * *v;
  }
}

bool names(const InspectOptions& options, const char* part) {
  return std::ranges::count(options.what, part) > 0;
}

/// u_ref, with which the least potential energy of each link within the limits of the joints is 0,
/// found by a search.
std::vector<double> reference_potentials(const Robot& robot, const Arm& arm) {
  const JointSpace positions(robot);
  return each(in_order(number_of_joints(robot)), [&](std::size_t k) {
    return -positions
                .smallest([&](std::span<const double> q) {
                  return link_potential_energy<double>(arm, k, q);
                })
                .value;
  });
}

bool is_finite(const LinkMotion& link) {
  const std::array vectors = vectors_of(link);
  return std::ranges::all_of(
             std::span(vectors).first(motion_vectors),
             [](const NamedVector& v) { return all_finite(coordinates(v.value)); }) &&
         all_finite(std::array{link.kinetic, link.potential}) &&
         all_finite(matrix(eigen(link.A)).entries());
}

/// Tests whether all terms are finite that do not throw where they are not.
bool is_finite(const Inspection& found) {
  const auto& terms = found.cartesian.terms;
  return all_finite(found.J.entries()) && all_finite(found.Jdot.entries()) &&
         all_finite(coordinates(found.pose.tcp.p)) &&
         std::ranges::all_of(found.links, [](const LinkMotion& link) { return is_finite(link); }) &&
         (!terms ||
          (all_finite(terms->Mx.entries()) && all_finite(terms->Vx) && all_finite(terms->Gx) &&
           all_finite(terms->craig.B.entries()) && all_finite(terms->craig.C.entries())));
}

void require_finite(const Arm& arm, const Inspection& found) {
  if (is_finite(found)) return;
  const auto at_fault =
      std::ranges::find_if_not(found.links, [](const LinkMotion& link) { return is_finite(link); });
  const auto i = static_cast<std::size_t>(at_fault - found.links.begin());
  refuse_not_finite(i < found.links.size() ? "the motion of the link of " + joint_name(arm, i)
                                           : "the motion of the TCP");
}

void warn_outside_limits(const Robot& robot, Inspection& found) {
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const std::optional<Range>& range = joint.limits.position;
    if (!range) continue;
    const double outside = std::max(range->lower - found.q[i], found.q[i] - range->upper);
    if (!(outside > 0.0)) continue;
    found.warnings.push_back(
        leaves_range(joint, outside, *range, with_unit(found.q[i], position_unit(joint))));
  }
  for (const RowLimit& limit : row_limits(robot, RowLimit::Kind::position)) {
    const Joint& joint = joint_at(robot, limit.joint);
    const Range& range = *joint.limits.position;
    const double x = limit.of_row(found.q), middle = 0.5 * (range.lower + range.upper);
    if (!RowReach{limit, {{std::abs(x), 0.0}}}.exceeds_limit()) continue;
    found.warnings.push_back(leaves_range(joint, std::abs(x) - limit.most, range,
                                          with_unit(x + middle, position_unit(joint))));
  }
}

}  // namespace

Inspection inspect(const Robot& robot, const InspectOptions& options) {
  const Arm arm = normalize(robot);
  Inspection found;
  found.q = parse_position("--q", options.q, robot);
  found.qd = parse_joint_list("--qd", options.qd, robot);
  found.qdd = parse_joint_list("--qdd", options.qdd, robot);
  if (options.equilibrium) {
    found.equilibrium = find_equilibrium(
        arm, found.q, options.stable ? EquilibriumKind::stable : EquilibriumKind::any);
    found.q = found.equilibrium->q;
  }
  const MotionState state{found.q, found.qd, found.qdd};
  found.has_base = arm.base != Transform{};
  found.pose = pose(arm, found.q);
  const TaskAxes axes = jacobian_axes(options);
  found.J = jacobian(arm, found.q, axes);
  found.Jdot = jacobian_rate(arm, found.q, found.qd, axes);
  found.equations = equations(arm, found.q, found.qd);
  found.cartesian = cartesian_terms(arm, found, options);
  found.links = link_motions(arm, state);
  found.has_reactions = has_reactions(arm);
  for (std::size_t i = 0; options.axes != TaskAxes::link && i < found.links.size(); ++i) {
    const Mat3& R = found.pose.frames[i].R;
    turn(options.axes == TaskAxes::base ? R : transposed(found.pose.tcp.R) * R, found.links[i]);
  }
  found.tau = torque(arm, state);
  require_finite(arm, found);
  if (names(options, "articulated")) found.articulated = articulated_inertias(arm, found.q);
  if (names(options, "link_jacobians")) {
    found.link_jacobians = link_jacobians<double>(arm, found.q, options.point, axes);
  }
  if (names(options, "strobed_M")) found.strobed_M = strobed_mass_matrix(arm, found.q);
  if (names(options, "strobed_Ci")) found.strobed_Ci = strobed_christoffel(arm, found.q);
  if (names(options, "u_ref")) found.u_ref = reference_potentials(robot, arm);
  if (options.linearize) found.linear = linearization(arm, found, options);

  warn_outside_limits(robot, found);
  if (!found.cartesian.warning.empty()) found.warnings.push_back(found.cartesian.warning);
  if (found.linear && !found.linear->refusal.empty()) {
    found.warnings.push_back(found.linear->refusal);
  }
  return found;
}

Answer inspect_state(const InspectOptions& options, Run& run) {
  const RobotFile& file = run.robot({{"--q", options.q}});
  if (!options.motion.empty()) return inspect_motion(options, run);
  refuse_many_joints("inspect", file.robot, 100);
  refuse_if(names(options, "articulated") && !file.robot.couplings.empty(),
            "--what articulated: the motors of {} turn with several joints (couplings), for which "
            "articulated-body inertias are not defined; leave out the couplings",
            file.robot.name);
  const Inspection found = inspect(file.robot, options);
  Answer answer{inspection_answer(found, file, options)};
  for (const double q : found.q) answer.document.views.q.push_back({"", {0.0}, {q}});
  if (run.wants_arm()) {
    AdjustableRows adjustable(file.robot);
    adjustable.add(0.0, {found.q, found.qd, found.qdd});
    answer.document.views.adjustable = adjustable.finish(false);
  }
  return answer;
}

}  // namespace armdyn
