#include <armdyn/certified.hpp>

#include <charconv>
#include <cmath>
#include <limits>

#include "dynamics/compare.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/digits50.hpp"
#include "math/each.hpp"
#include "math/enclosed.hpp"
#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "math/rigid.hpp"
#include "model/file_accuracy.hpp"
#include "model/joint_kind.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

namespace {

template <class S>
std::vector<S> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

// Enclosures.

/// The decimal fraction of at most 15 digits that was read as this double, the shortest that is.
Digits50 decimal_of(double x) {
  std::array<char, 32> text{};
  char* const end = std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific).ptr;
  return Digits50(Digits50::Number(std::string(text.begin(), end)));
}

constexpr double few_roundings = 0x1p-50;

/// Takes a robot's numbers as Encloseds; the error of each counts once, wherever it acts.
class EnclosedNumbers {
 public:
  EnclosedNumbers(const Robot& robot, InputAccuracy input) : robot_(robot), input_(input) {}

  RobotOf<Enclosed> numbers() {
    RobotOf<Enclosed> read = converted<Enclosed>(
        robot_, [this](const std::string& path, const RobotField& field, double x) {
          if (is_of_tensor(field) || field.has(role::limit)) return Enclosed();
          return number(path, x, few_roundings * std::abs(x));
        });
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      read_inertia("joints[" + std::to_string(i) + "].", robot_.joints[i].body,
                   read.joints[i].body);
    }
    for (std::size_t i = 0; i < robot_.followers.size(); ++i) {
      read_inertia("joints[" + std::to_string(robot_.dof() + i) + "].", robot_.followers[i].body,
                   read.followers[i].body);
    }
    read_inertia("payload.", robot_.payload, read.payload);
    return read;
  }

 private:
  static bool is_of_tensor(const RobotField& field) {
    return field.unit == RobotUnit::inertia && !field.has(role::rotor);
  }

  /// Reads a tensor, which may have been written about another point.
  void read_inertia(const std::string& at, const MassProperties& body,
                    MassPropertiesOf<Enclosed>& read) {
    const double shift = body.mass * dot(body.com, body.com);
    for_each_number(
        [&](const std::string& path, const RobotField& field, double x, Enclosed& entry) {
          if (!is_of_tensor(field)) return;
          entry = number(at + path, x, few_roundings * (std::abs(x) + 2.0 * shift));
        },
        body, read);
  }

  /// A number that was computed from others on the way from the file is off by at most `computed`.
  Enclosed number(const std::string& path, double x, double computed) {
    if (input_ == InputAccuracy::none || x == 0.0 || !robot_.file_accuracy) return Enclosed(x);
    const auto& numbers = robot_.file_accuracy->numbers;
    auto written = numbers.find(path);
    // One level may stand for both directions.
    if (written == numbers.end()) written = numbers.find(path.substr(0, path.rfind('[')));
    if (written == numbers.end() || written->second.value != x) return Enclosed(x);
    const auto& [value, half_unit, is_computed] = written->second;
    double radius = is_computed ? computed : 0.0;
    if (input_ == InputAccuracy::decimal) radius += half_unit * (1.0 + 0x1p-50);
    const Digits50 middle = is_computed ? Digits50(x) : decimal_of(x);
    return radius == 0.0 ? Enclosed(middle) : Enclosed::measured(middle, radius, measured_++);
  }

  const Robot& robot_;
  InputAccuracy input_;
  std::size_t measured_ = 0;
};

}  // namespace

/// A link whose joint acts along its z, and whose frame stands anyhow in the one before.
struct PlacedLink {
  JointType joint;
  Frame<Enclosed> at_zero;
  MassPropertiesOf<Enclosed> body;
};

static Frame<Enclosed> joint_frame(const PlacedLink& link, const Enclosed& q) {
  const auto& [R, p] = link.at_zero;
  if (!is_turning(link.joint)) return {R, p + scaled(column_z(R), q)};
  const SinCosOf<Enclosed> turn = sin_cos(q);
  const auto turned = [&turn](const Vec<Enclosed>& row) {
    return Vec<Enclosed>{row.x * turn.cos + row.y * turn.sin, row.y * turn.cos - row.x * turn.sin,
                         row.z};
  };
  return {{turned(R.row_x), turned(R.row_y), turned(R.row_z)}, p};
}

/// The arm of a table, and its links wherever they stand.
struct PlacedArm : ArmOf<Enclosed> {
  std::vector<PlacedLink> links;
};

namespace {

/// Puts z on a unit vector, which was divided by its length unless it is along an axis.
Mat<Enclosed> z_to(const Vec3& u) {
  const bool is_axis = (u.x != 0.0) + (u.y != 0.0) + (u.z != 0.0) == 1;
  const double side = u.z < 0.0 ? -1.0 : 1.0;
  const auto number = [&](double x) {
    return is_axis || x == 0.0 ? Enclosed(side * x) : Enclosed(Digits50(side * x), few_roundings);
  };
  const Enclosed one(1.0), x = number(u.x), y = number(u.y), z = number(u.z);
  const Enclosed k = one / (one + z);
  return {{one - x * x * k, -side * (x * y * k), side * x},
          {-(x * y * k), side * (one - y * y * k), side * y},
          {-x, -side * y, side * z}};
}

/// Takes the links from where the file places them in place of those of its table.
void place_links(const AsPlaced& file, const RobotOf<Enclosed>& numbers, InputAccuracy input,
                 PlacedArm& arm) {
  const auto number = [input](double x) {
    return input == InputAccuracy::none ? Enclosed(x) : Enclosed(decimal_of(x));
  };
  const auto vector = [&](const Vec3& v) {
    return Vec<Enclosed>{number(v.x), number(v.y), number(v.z)};
  };
  const auto frame = [&](const Placement& at) {
    const Placement no_right_angles{{}, {1.0, 1.0, 1.0}};  // the file's numbers are its angles
    return placed(no_right_angles, PlacementOf<Enclosed>{vector(at.xyz), vector(at.rpy)});
  };
  std::vector<Frame<Enclosed>> frames;  // in that of the arm's last joint before
  frames.reserve(file.links.size());
  for (const AsPlaced::Link& link : file.links) {
    Frame<Enclosed> T = frame(link.origin);
    if (!frames.empty()) T = frames[link.parent] * T;
    if (link.joints > file.links[link.parent].joints) {
      const Mat<Enclosed> R = z_to(link.axis);
      PlacedLink& own = arm.links[link.joints - 1];
      own = {own.joint, T * Frame<Enclosed>{R, {}}, {}};
      T = {transposed(R), {}};
    }
    if (link.joints > 0) {
      const auto& [mass, com, I] = link.body;
      const SymMat<Enclosed> tensor{number(I.xx), number(I.yy), number(I.zz),
                                    number(I.xy), number(I.yz), number(I.xz)};
      MassPropertiesOf<Enclosed>& body = arm.links[link.joints - 1].body;
      body = joined(body, T * frame(link.inertial), {number(mass), {}, tensor});
    }
    frames.push_back(std::move(T));
  }
  arm.v_dot_0 = -numbers.gravity;
  arm.tool = frames[file.tool];
  MassPropertiesOf<Enclosed>& last = arm.links.back().body;
  last = joined(last, arm.tool, numbers.payload);
}

/// The arm as its file has it: by its table, or as a URDF places it.
PlacedArm placed_arm(const Robot& robot, InputAccuracy input) {
  const RobotOf<Enclosed> numbers = EnclosedNumbers(robot, input).numbers();
  PlacedArm arm{proximal_form(robot, numbers), {}};
  arm.links = each(arm.ArmOf::links, [](const LinkOf<Enclosed>& link) {
    return PlacedLink{link.joint, joint_frame(link, Enclosed()), link.body};
  });
  if (robot.file_accuracy && robot.file_accuracy->as_placed) {
    arm.chains.clear();  // a joint's own frames are its place here
    place_links(*robot.file_accuracy->as_placed, numbers, input, arm);
  }
  return arm;
}

}  // namespace

struct CertifiedTorque::Workspace {
  Workspace(const Robot& robot, InputAccuracy input, Of what)
      : arm(placed_arm(robot, input)),
        of(what),
        links(arm.dof()),
        tau(arm.dof(), Enclosed(std::numeric_limits<double>::quiet_NaN())) {}

  PlacedArm arm;
  Of of;
  std::vector<LinkState<Enclosed>> links;
  std::vector<Enclosed> tau;

  [[nodiscard]] std::size_t dof() const { return arm.dof(); }
};

CertifiedTorque::CertifiedTorque(const Robot& robot, InputAccuracy input, Of of)
    : workspace_(std::in_place, robot, input, of) {}

void CertifiedTorque::set(const MotionState& state, const Wrench& wrench) {
  Workspace& w = *workspace_;
  require_one_per_joint(w, state);
  const std::vector<Enclosed> q = exact<Enclosed>(state.q), qd = exact<Enclosed>(state.qd),
                              qdd = exact<Enclosed>(state.qdd);
  const ForceAndMoment<Enclosed> outer = constant<Enclosed>(wrench);
  if (w.arm.is_serial()) {
    newton_euler<Enclosed>(w.arm, q, qd, qdd, &outer, w.links, w.tau);
  } else {
    const ArmOf<Enclosed>& mechanism = w.arm;
    w.tau = links_torque<Enclosed>(mechanism, q, qd, qdd, &outer);
  }
  if (w.of != Of::arm) return;
  for (std::size_t i = 0; i < w.dof(); ++i) {
    w.tau[i] =
        w.tau[i] + drive_torque(w.arm.drives[i], q[i], qd[i], qdd[i], direction_of(state.qd[i]));
  }
  row_drive_torques<Enclosed>(w.arm.row_drives, qd, qdd, by_sign, adding_to(w.tau));
}

void CertifiedTorque::errors(std::span<const double> tau, std::span<double> errors) const {
  require_one_per_joint(*workspace_, tau, errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = workspace_->tau[i].distance(tau[i]);
  }
}

// References of 50 digits.

namespace {

using S = Digits50;

TwoDoubles two_doubles(const S& value) {
  const double head = value.number().convert_to<double>();
  return {head, (value - S(head)).number().convert_to<double>()};
}

}  // namespace

void reference_torque(const Arm& arm, const MotionState& state, const Wrench& wrench,
                      std::span<TwoDoubles> tau) {
  const std::vector<S> q = exact<S>(state.q), qd = exact<S>(state.qd), qdd = exact<S>(state.qdd);
  const ForceAndMoment<S> outer = constant<S>(wrench);
  const std::vector<S> torque = links_torque<S>(arm, q, qd, qdd, &outer);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = two_doubles(torque[i]);
}

namespace {

std::vector<double> chain_loads(const Arm& arm, const MotionState& motion, const Wrench& wrench) {
  const auto links = worked_recursion<double>(arm, motion.q, motion.qd, motion.qdd).links;
  std::vector<double> loads(arm.dof());
  double force = length(wrench.force);
  double moment = length(wrench.moment);
  double arm_of_force = length(arm.tool.p);
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const LinkState<double>& x = links[i];
    const auto& [mass, com, inertia] = arm.links[i].body;
    const double turning = length(x.omega_dot) + length(x.omega) * length(x.omega);
    moment += arm_of_force * force + length(com) * length(x.F) +
              largest_magnitude(entries(inertia)) * turning;
    force += length(x.F);
    arm_of_force = length(x.frame.p);
    loads[i] = by_kind(arm.links[i].joint, moment, force);
  }
  return loads;
}

}  // namespace

std::vector<double> gross_loads(const Arm& arm, const MotionState& motion, const Wrench& wrench) {
  if (arm.is_serial()) return chain_loads(arm, motion, wrench);
  std::vector<double> loads(arm.dof());
  for (std::size_t k = 0; k < arm.chains.size(); ++k) {
    const auto& rows = arm.chains[k].rows;
    const auto q = joint_positions<double>(rows, motion.q),
               qd = joint_rates<double>(rows, motion.qd),
               qdd = joint_rates<double>(rows, motion.qdd);
    const std::vector<double> of_chain =
        chain_loads(arm.chains[k].arm, {q, qd, qdd}, k == 0 ? wrench : Wrench{});
    project<double>(rows, of_chain,
                    [&loads](std::size_t j, double part) { loads[j] += std::abs(part); });
  }
  return loads;
}

namespace {

/// The inverse of a symmetric, positive definite matrix.
MatrixOf<S> inverse(const MatrixOf<S>& A) {
  const std::size_t n = A.rows();
  std::vector<S> factors(A.entries().begin(), A.entries().end());
  factor_ltdl<S>(n, factors);
  MatrixOf<S> result(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<S> column(n);
    column[j] = S(1.0);
    solve_ltdl<S>(n, factors, column);
    for (std::size_t i = 0; i < n; ++i) result(i, j) = column[i];
  }
  return result;
}

std::vector<double> nearest(const MatrixOf<S>& A) {
  return each(A.entries(), [](const S& entry) { return entry.number().convert_to<double>(); });
}

/// M with rotors by strobing; `torque(qdd)` is that of the links at rest without gravity.
MatrixOf<S> mass_matrix(const Arm& arm, const auto& torque) {  // (9.20), (9.5)
  const std::size_t n = arm.dof();
  const RotorInertias rotors = rotor_inertias(arm);
  MatrixOf<S> M(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<S> unit(n);
    unit[j] = S(1.0);
    const std::vector<S> inertias = torque(unit);
    for (std::size_t i = 0; i < n; ++i) M(i, j) = inertias[i];
    M(j, j) = rotors.diagonal[j] + M(j, j);
  }
  for (const auto& [i, j, value] : rotors.beside) {
    M(i, j) = value + M(i, j);
    M(j, i) = value + M(j, i);
  }
  return M;
}

}  // namespace

CartesianTerms reference_cartesian(const Arm& arm, std::span<const double> positions,
                                   std::span<const double> velocities,
                                   std::span<const TaskRow> rows, TaskAxes axes) {
  const std::vector<S> q = exact<S>(positions), qd = exact<S>(velocities), zero(arm.dof());
  const Arm links = gravity_removed(arm);
  const auto torque = [&](const Arm& of, const std::vector<S>& rates,
                          const std::vector<S>& accelerations) {
    return links_torque<S>(of, q, rates, accelerations);
  };
  const MatrixOf<S> J = rows_of(tool_jacobian<S>(arm, q, axes), rows), Jt = transposed(J);
  const MatrixOf<S> M =
      mass_matrix(arm, [&](const std::vector<S>& qdd) { return torque(links, zero, qdd); });
  MatrixOf<S> Mx, to_task;
  if (J.rows() == J.columns()) {
    to_task = J * inverse(Jt * J);  // J⁻ᵀ
    Mx = to_task * M * transposed(to_task);
  } else {
    const MatrixOf<S> accelerations = inverse(M) * Jt;  // M⁻¹ Jᵀ
    Mx = inverse(J * accelerations);
    to_task = Mx * transposed(accelerations);
  }
  MatrixOf<S> V = to_task * column(torque(links, qd, zero));
  const MatrixOf<S> drift =
      Mx * (rows_of(tool_jacobian_rate<S>(arm, q, qd, axes), rows) * column(qd));
  for (std::size_t i = 0; i < rows.size(); ++i) V(i, 0) = V(i, 0) - drift(i, 0);
  return {{Mx.rows(), Mx.columns(), nearest(Mx)},
          nearest(V),
          nearest(to_task * column(torque(arm, zero, zero))),
          {}};
}

}  // namespace armdyn
