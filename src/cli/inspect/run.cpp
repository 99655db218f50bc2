// armdyn inspect: the terms of the equations of motion at one state.

#include <fmt/format.h>
#include <armdyn/dynamics.hpp>

#include <algorithm>
#include <cmath>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/options.hpp"
#include "cli/options/joint_list.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "io/text/brief_text.hpp"
#include "math/eigen.hpp"
#include "report/joint_words.hpp"
#include "report/report.hpp"

namespace armdyn {

namespace {

Cartesian cartesian_terms(const Arm& arm, const Inspection& at, std::vector<TaskRow> rows) {
  if (rows.empty() && arm.dof() == 6) rows = all_task_rows();
  if (!rows.empty()) return cartesian(arm, at.q, at.qd, rows);
  Cartesian without;
  without.dexterity = dexterity(at.J);
  without.refusal = fmt::format(
      "Cartesian terms need six joints or chosen task rows (--rows vx,vy,...); this arm has {}",
      counted(arm.dof(), "joint"));
  return without;
}

Linearization linearization(const Arm& arm, const Inspection& at, const InspectOptions& options) {
  Linearization found;
  found.torque = torque_derivatives(arm, {at.q, at.qd, at.qdd});
  try {
    found.continuous = linearize(found.torque);
    if (options.sample_time) {
      found.sample_time = *options.sample_time;
      found.sampled = sampled(*found.continuous, found.sample_time);
    }
  } catch (const NumericsError& error) {
    found.refusal = error.what();
  }
  return found;
}

/// Velocities of 1e200 rad/s and the like.
void refuse_overflow(const Inspection& found) {
  const auto finite = [](std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  const Equations& e = found.equations;
  if (finite(found.Jdot.entries()) && finite(e.M.entries()) && finite(e.V) && finite(e.G) &&
      finite(found.tau) && std::isfinite(e.kinetic)) {
    return;
  }
  throw NumericsError("the terms are too large for a double at this state; check q, qd and qdd");
}

void warn_outside_limits(const Robot& robot, Inspection& found) {
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const std::optional<Range>& range = joint.limits.position;
    if (!range || (found.q[i] >= range->lower && found.q[i] <= range->upper)) continue;
    found.warnings.push_back(
        fmt::format("joint {} ({}) at {:.4g} is outside of its limits {:.4g} .. {:.4g} {}", i + 1,
                    joint.name, found.q[i], range->lower, range->upper, position_unit(joint)));
  }
}

}  // namespace

std::vector<double> hand_twist(const Matrix& J, std::span<const double> qd) {
  return plain_vector(eigen(J) * eigen(qd));
}

Inspection inspect(const Robot& robot, const InspectOptions& options) {
  const Arm arm = normalise(robot);
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
  found.pose = pose(arm, found.q);
  found.has_base = arm.base != Transform{};
  found.J = jacobian(arm, found.q);
  found.Jdot = jacobian_rate(arm, found.q, found.qd);
  found.equations = equations(arm, found.q, found.qd);
  found.cartesian = cartesian_terms(arm, found, options.rows);
  found.links = link_motions(arm, state);
  found.tau = torque(arm, state);
  refuse_overflow(found);
  if (options.linearize) found.linear = linearization(arm, found, options);

  warn_outside_limits(robot, found);
  if (!found.cartesian.warning.empty()) found.warnings.push_back(found.cartesian.warning);
  if (found.linear && !found.linear->refusal.empty()) {
    found.warnings.push_back(found.linear->refusal);
  }
  return found;
}

Ending run(const InspectOptions& options) {
  const RobotFile file = robot_beside_outputs(options.robot, options.output);
  if (!options.motion.empty()) return inspect_motion(file, options);
  const Inspection found = inspect(file.robot, options);

  OutputFile output(options.output.output);
  const InspectionAnswer answer = inspection_answer(found, file, options);
  output.write(options.output.json ? answer.json : answer.text);
  output.commit();
  if (!options.output.json) print_warnings(found.warnings);
  return Ending::done;
}

}  // namespace armdyn
