#include "dynamics/moment_arm.hpp"

#include <utility>

#include "dynamics/joint_frame.hpp"

namespace armdyn {

MomentArm<double> moment_arm(const Arm& arm) {
  auto result = without_bodies<double>(arm);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    result.links[i].body = composite<double>(arm.links[i].body);
  }
  return result;
}

MomentArm<double> regrouped(MomentArm<double> arm) {
  for (std::size_t i = arm.dof(); i-- > 0;) {
    MomentLink<double>& link = arm.links[i];
    CompositeBody<double> taken{0.0, {}, {}};
    if (link.joint == JointType::revolute) {  // (22.2)
      const double yy = link.body.inertia.yy;
      taken = {link.body.mass, {0.0, 0.0, link.body.moment.z}, {yy, yy, 0.0, 0.0, 0.0, 0.0}};
      link.body.mass = 0.0;
      link.body.moment.z = 0.0;
      link.body.inertia.xx -= yy;
      link.body.inertia.yy = 0.0;
    } else {  // (22.3)
      std::swap(taken.inertia, link.body.inertia);
    }
    if (i == 0) break;
    CompositeBody<double>& before = arm.links[i - 1].body;
    before = before + carried(joint_frame(link, 0.0), taken);
  }
  return arm;
}

}  // namespace armdyn
