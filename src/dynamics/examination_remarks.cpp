#include "dynamics/examination_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dynamics/friction.hpp"
#include "model/motor_limits.hpp"
#include "model/position_text.hpp"
#include "model/rules.hpp"

namespace armdyn {

namespace {

// A rotor beyond this many times the arm's largest inertia is suspicious. Published wrists have
// rotors far above their own links, but not above the whole arm (1.3 times in an invented one);
// an inertia that is reflected twice is too large by the square of the gear ratio.
constexpr double heavy_rotor = 100.0;

// A torque limit this many times what any joint of the arm needs, or one that accelerates its joint
// by less than that where it is lightest, is suspicious. What an arm needs is to carry gravity and
// to accelerate by 10 rad/s² (m/s²). Published arms: 3 times at most, and 42 rad/s² at least.
constexpr double ample = 100.0;
constexpr double brisk = 10.0, hardly = 0.1;

void warn(Examination& result, std::string path, std::string message) {
  result.warnings.push_back({Severity::warning, std::move(path), std::move(message)});
}

/// "joint wrist", "joints wrist and flange", "joints shoulder, elbow and wrist".
std::string joint_names(const Robot& robot, const std::vector<std::size_t>& joints) {
  std::string names = joints.size() == 1 ? "joint " : "joints ";
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (k > 0) names += k + 1 == joints.size() ? " and " : ", ";
    names += robot.joints[joints[k]].name;
  }
  return names;
}

template <class Predicate>
std::vector<std::size_t> joints_that(const Robot& robot, Predicate predicate) {
  std::vector<std::size_t> joints;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (predicate(robot.joints[i])) joints.push_back(i);
  }
  return joints;
}

void remark_on_mass_matrix(const Robot& robot, Examination& result) {
  using Kind = MassMatrixVerdict::Kind;
  const auto& [kind, smallest, joints] = result.mass_matrix;
  if (kind == Kind::regular) return;
  const std::string path = joints.size() == 1 ? joint_path(joints.front()) : "joints";
  const std::string who = joint_names(robot, joints);
  const std::string at = position_text(robot, smallest.q);
  if (kind == Kind::singular_everywhere) {
    warn(result, path,
         fmt::format("the mass matrix is singular at every position: {} can move without moving "
                     "any inertia, so motions cannot be simulated; give a link its moments of "
                     "inertia, or a motor its rotor_inertia",
                     who));
  } else if (kind == Kind::singular_somewhere) {
    warn(result, path,
         fmt::format("the mass matrix is singular at q = {}: there {} can move without moving any "
                     "inertia, and a simulation cannot pass; give a link its moments of inertia, "
                     "or a motor its rotor_inertia",
                     at, who));
  } else {
    warn(result, path,
         fmt::format("the mass matrix is not positive definite at q = {}: a motion of {} would "
                     "have negative kinetic energy, and cannot be simulated; correct the inertias "
                     "that no body has",
                     at, who));
  }
}

void remark_on_gravity(const Robot& robot, std::size_t i, Examination& result) {
  const Joint& joint = robot.joints[i];
  const auto& [torque, q] = result.loads[i].largest_gravity;
  if (!joint.limits.torque || torque <= *joint.limits.torque) return;
  warn(result, joint_path(i) + ".limits.torque",
       fmt::format("gravity alone asks for {:.4g} {} at q = {}, more than the limit of {:.4g}; are "
                   "masses, lengths and the limit in SI units?",
                   torque, joint.type == JointType::revolute ? "N·m" : "N", position_text(robot, q),
                   *joint.limits.torque));
}

void remark_on_motors(const Robot& robot, Examination& result) {
  const std::vector<MotorLimit> limits = motor_limits(robot, MotorLimit::Kind::torque);
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const auto& [torque, q] = result.motor_gravity[k];
    if (torque <= limits[k].most) continue;
    warn(result, "couplings",
         fmt::format("gravity alone asks the motor of {} for {:.4g} N·m at q = {}, more than its "
                     "limit of {:.4g}; are the limits those of motors, in N·m?",
                     robot.joints[limits[k].motor].name, torque, position_text(robot, q),
                     limits[k].most));
  }
}

void remark_on_torque_limit(const Robot& robot, std::size_t i, Examination& result) {
  const Joint& joint = robot.joints[i];
  if (!joint.limits.torque) return;
  const double limit = *joint.limits.torque;
  const bool turns = joint.type == JointType::revolute;
  const char* unit = turns ? "N·m" : "N";
  double need = 0.0;
  for (std::size_t k = 0; k < robot.dof(); ++k) {
    if (robot.joints[k].type != joint.type) continue;
    const JointLoad& load = result.loads[k];
    need = std::max(need, load.largest_gravity.value +
                              brisk * (load.largest_inertia.value + load.rotor_inertia));
  }
  const JointLoad& load = result.loads[i];
  const double lightest = load.smallest_inertia.value + load.rotor_inertia;
  const std::string path = joint_path(i) + ".limits.torque";
  if (need > 0.0 && limit > ample * need) {
    warn(result, path,
         fmt::format("found {:.4g} {}, {:.2g} times what carries any joint against gravity and "
                     "accelerates it by 10 {}/s²; is the limit in N·mm, or are masses too small?",
                     limit, unit, limit / need, turns ? "rad" : "m"));
  } else if (lightest > 0.0 && limit < hardly * lightest) {
    warn(result, path,
         fmt::format("found {:.4g} {}, which accelerates the joint by {:.2g} {}/s² at most; is the "
                     "limit in kN·m, or are masses or lengths too large?",
                     limit, unit, limit / lightest, turns ? "rad" : "m"));
  }
}

void remark_on_rotor(const Robot& robot, std::size_t i, Examination& result) {
  const JointType type = robot.joints[i].type;
  double largest = 0.0;
  for (std::size_t k = 0; k < robot.dof(); ++k) {
    if (robot.joints[k].type != type) continue;
    largest = std::max(largest, result.loads[k].largest_inertia.value);
  }
  const double rotor = result.loads[i].rotor_inertia;
  if (largest <= 0.0 || rotor <= heavy_rotor * largest) return;
  warn(result, joint_path(i) + ".motor",
       fmt::format("reflected to the joint (times gear_ratio²) the rotor has {:.4g} {}, {:.2g} "
                   "times the most that the arm has about any joint; is rotor_inertia already at "
                   "the joint? Then gear_ratio is 1",
                   rotor, type == JointType::revolute ? "kg·m²" : "kg", rotor / largest));
}

void note_joints(const Robot& robot, const std::vector<std::size_t>& joints,
                 const std::string& words, Examination& result) {
  if (!joints.empty()) result.notes.push_back(joint_names(robot, joints) + ": " + words);
}

bool has_losses_or_rotor(const Joint& joint) {
  return has_friction({joint.friction, joint.motor}) || joint.motor.rotor_inertia > 0.0;
}

void add_notes(const Robot& robot, Examination& result) {
  note_joints(robot, joints_that(robot, [](const Joint& j) { return j.motor.gear_ratio < 0.0; }),
              "negative gear ratio; the rotor turns against the joint, and torques depend on its "
              "magnitude only",
              result);
  note_joints(
      robot,
      joints_that(robot,
                  [](const Joint& j) { return j.body.mass > 0.0 && j.body.inertia == SymMat3{}; }),
      "no inertia; the link counts as a point mass", result);
  note_joints(robot,
              joints_that(robot,
                          [](const Joint& j) {
                            return j.type == JointType::prismatic && !j.limits.position;
                          }),
              "no limits of position; examined from -1 to 1 m", result);
  if (joints_that(robot, has_losses_or_rotor).empty()) {
    result.notes.emplace_back(
        "no rotor inertia and no friction: torques of fast motions, and of slow ones under load, "
        "come out too small for a geared arm");
  }
}

}  // namespace

void add_remarks(const Robot& robot, Examination& result) {
  remark_on_mass_matrix(robot, result);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    remark_on_gravity(robot, i, result);
    remark_on_torque_limit(robot, i, result);
    remark_on_rotor(robot, i, result);
  }
  remark_on_motors(robot, result);
  add_notes(robot, result);
}

}  // namespace armdyn
