#include <armdyn/arm.hpp>

#include <stdexcept>
#include <utility>

#include "model/proximal_form.hpp"

namespace armdyn {

Arm normalise(const Robot& robot) {
  if (robot.joints.empty()) throw std::invalid_argument("a robot needs at least one joint");
  const ArmConstants<double> constants = proximal_form<double>(robot);

  Arm arm;
  arm.tool = constants.tool;
  arm.v_dot_0 = constants.v_dot_0;
  arm.convention = robot.convention;
  arm.base = constants.base;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const LinkConstants<double>& link = constants.links[i];
    arm.links.push_back({.joint = link.joint,
                         .a = link.a,
                         .cos_alpha = link.cos_alpha,
                         .sin_alpha = link.sin_alpha,
                         .d = link.d,
                         .cos_theta = link.cos_theta,
                         .sin_theta = link.sin_theta,
                         .body = {link.body.mass, link.body.com, link.body.inertia}});
    arm.user_frame.push_back(link.user_frame);
    arm.drives.push_back({joint.friction, joint.motor});
    arm.joint_names.push_back(joint.name);
  }
  for (const Coupling& coupling : robot.couplings) {
    CoupledMotors coupled{coupling, {}};
    for (const std::size_t i : coupling.joints) {
      coupled.motors.push_back(std::exchange(arm.drives[i].motor, {}));
    }
    arm.coupled_motors.push_back(std::move(coupled));
  }
  return arm;
}

std::string joint_name(const Arm& arm, std::size_t i) {
  if (i < arm.joint_names.size() && !arm.joint_names[i].empty()) return arm.joint_names[i];
  return "joint " + std::to_string(i + 1);
}

}  // namespace armdyn
