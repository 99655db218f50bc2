#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "model/rules.hpp"

namespace armdyn {

namespace {

/// Names every number of a part by its path.
class FiniteCheck {
 public:
  explicit FiniteCheck(Report& report) : report_(report) {}

  void number(const std::string& path, double value) {
    if (std::isfinite(value)) return;
    report_.error(path, fmt::format("found {}; expected a finite number", value));
  }
  void vector(const std::string& path, const Vec3& v) {
    number(path + "[0]", v.x);
    number(path + "[1]", v.y);
    number(path + "[2]", v.z);
  }
  void placement(const std::string& path, const Placement& placement) {
    vector(path + ".xyz", placement.xyz);
    vector(path + ".rpy", placement.rpy);
  }
  void body(const std::string& path, const MassProperties& body) {
    number(path + ".mass", body.mass);
    vector(path + ".com", body.com);
    const SymMat3& I = body.inertia;
    for (const auto& [key, value] :
         {std::pair{"xx", I.xx}, std::pair{"yy", I.yy}, std::pair{"zz", I.zz},
          std::pair{"xy", I.xy}, std::pair{"yz", I.yz}, std::pair{"xz", I.xz}}) {
      number(path + ".inertia." + key, value);
    }
  }
  void two_sided(const std::string& path, const TwoSided& level) {
    number(path, level.positive);
    if (std::isfinite(level.positive)) number(path, level.negative);
  }
  void dh(const std::string& path, const DhRow& row) {
    number(path + ".a", row.a);
    number(path + ".alpha", row.alpha);
    number(path + ".d", row.d);
    number(path + ".theta", row.theta);
  }
  void friction(const std::string& path, const Friction& friction) {
    // All by name: one more entry does not compile until it is looked at here.
    const auto& [viscous, coulomb, breakaway, stribeck_velocity, ripple, sigmoid] = friction;
    number(path + ".viscous", viscous);
    two_sided(path + ".coulomb", coulomb);
    if (breakaway) two_sided(path + ".static", *breakaway);
    number(path + ".stribeck_velocity", stribeck_velocity);
    number(path + ".ripple.amplitude", ripple.amplitude);
    number(path + ".ripple.harmonic", ripple.harmonic);
    number(path + ".ripple.phase", ripple.phase);
    number(path + ".sigmoid.amplitude", sigmoid.amplitude);
    number(path + ".sigmoid.slope", sigmoid.slope);
    number(path + ".sigmoid.offset", sigmoid.offset);
  }
  void motor(const std::string& path, const Motor& motor) {
    number(path + ".rotor_inertia", motor.rotor_inertia);
    number(path + ".gear_ratio", motor.gear_ratio);
    number(path + ".viscous", motor.viscous);
    two_sided(path + ".coulomb", motor.coulomb);
    number(path + ".efficiency", motor.efficiency);
  }
  void limits(const std::string& path, const Limits& limits) {
    if (limits.position) {
      number(path + ".position[0]", limits.position->lower);
      number(path + ".position[1]", limits.position->upper);
    }
    if (limits.velocity) number(path + ".velocity", *limits.velocity);
    if (limits.torque) number(path + ".torque", *limits.torque);
    if (limits.acceleration) number(path + ".acceleration", *limits.acceleration);
    if (limits.jerk) number(path + ".jerk", *limits.jerk);
  }
  void all(const std::string& path, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      number(fmt::format("{}[{}]", path, k), values[k]);
    }
  }
  void coupling(const std::string& path, const Coupling& coupling) {
    all(path + ".matrix", coupling.matrix);
    all(path + ".offsets", coupling.offsets);
    all(path + ".limits.velocity", coupling.velocity_limits);
    all(path + ".limits.torque", coupling.torque_limits);
  }
  void joint(const std::string& path, const Joint& joint) {
    dh(path + ".dh", joint.dh);
    body(path, joint.body);
    friction(path + ".friction", joint.friction);
    motor(path + ".motor", joint.motor);
    limits(path + ".limits", joint.limits);
  }

 private:
  Report& report_;
};

}  // namespace

void check_numbers_are_finite(const Robot& robot, Report& report) {
  FiniteCheck check(report);
  check.vector("gravity", robot.gravity);
  check.placement("base", robot.base);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    check.joint(joint_path(i), robot.joints[i]);
  }
  for (std::size_t c = 0; c < robot.couplings.size(); ++c) {
    check.coupling(coupling_path(c), robot.couplings[c]);
  }
  check.placement("tool", robot.tool);
  check.body("payload", robot.payload);
  for (const NamedPose& pose : robot.poses) {
    check.all(pose_path(pose), pose.q);
  }
}

}  // namespace armdyn
