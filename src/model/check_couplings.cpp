#include <fmt/format.h>

#include <set>

#include "math/linear_algebra.hpp"
#include "model/rules.hpp"

namespace armdyn {

namespace {

/// Whether each motor is that of a joint, and of no other coupling.
bool motors_are_sound(const Robot& robot, std::size_t index, std::set<std::size_t>& coupled,
                      Report& report) {
  const Coupling& coupling = robot.couplings[index];
  const std::string path = coupling_path(index) + ".motors";
  if (coupling.joints.empty()) {
    report.error(path, "found none; expected the numbers of joints");
    return false;
  }
  bool sound = true;
  for (const std::size_t joint : coupling.joints) {
    if (joint >= robot.dof()) {
      report.error(path, fmt::format("found {}; expected numbers of joints, 1 to {}", joint + 1,
                                     robot.dof()));
    } else if (!coupled.insert(joint).second) {
      report.error(path, fmt::format("found {} twice; a joint's motor is coupled once", joint + 1));
    } else {
      continue;
    }
    sound = false;
  }
  return sound;
}

void check_matrix(const std::string& path, const Coupling& coupling, Report& report) {
  const std::size_t size = coupling.joints.size();
  if (coupling.matrix.size() != size * size || coupling.offsets.size() != size) {
    report.error(path, fmt::format("expected {} rows and columns, and as many offsets", size));
    return;
  }
  if (!is_invertible(eigen(coupling.matrix, size))) {
    report.error(path,
                 "found a singular matrix; its rows are the motors' positions by the joints', and "
                 "must tell the joints' positions");
  }
}

void check_limits(const std::string& path, const std::vector<double>& limits, std::size_t motors,
                  const char* unit, Report& report) {
  if (!limits.empty() && limits.size() != motors) {
    report.error(path, fmt::format("found {} of {} motors; expected one per motor, or none",
                                   limits.size(), motors));
  }
  for (std::size_t m = 0; m < limits.size(); ++m) {
    is_positive(fmt::format("{}[{}]", path, m), limits[m], unit, report);
  }
}

void check_coupled_joint(std::size_t index, const Joint& joint, Report& report) {
  const std::string path = joint_path(index);
  if (joint.motor.gear_ratio != 1.0) {
    report.error(path + ".motor.gear_ratio",
                 fmt::format("found {} beside a coupling of this motor, whose matrix has the "
                             "ratios; expected one of them",
                             joint.motor.gear_ratio));
  }
  const Friction& friction = joint.friction;
  if (!friction.coulomb.is_none() || friction.breakaway) {
    report.error(path + ".friction",
                 "found dry friction of a joint whose motor is coupled: it sticks where its motors "
                 "do; expected coulomb of the motor, or a sigmoid of the joint");
  }
}

}  // namespace

void check_couplings(const Robot& robot, Report& report) {
  std::set<std::size_t> coupled;
  for (std::size_t c = 0; c < robot.couplings.size(); ++c) {
    if (!motors_are_sound(robot, c, coupled, report)) continue;
    const Coupling& coupling = robot.couplings[c];
    const std::string path = coupling_path(c);
    check_matrix(path + ".matrix", coupling, report);
    const std::size_t motors = coupling.joints.size();
    check_limits(path + ".limits.velocity", coupling.velocity_limits, motors, "rad/s", report);
    check_limits(path + ".limits.torque", coupling.torque_limits, motors, "N·m", report);
  }
  for (const std::size_t joint : coupled) check_coupled_joint(joint, robot.joints[joint], report);
}

}  // namespace armdyn
