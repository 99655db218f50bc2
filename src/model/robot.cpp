#include <armdyn/robot.hpp>

#include <algorithm>

namespace armdyn {

std::vector<Limits> joint_limits(const Robot& robot) {
  std::vector<Limits> limits;
  for (const Joint& joint : robot.joints) limits.push_back(joint.limits);
  return limits;
}

const NamedPose* find_pose(const Robot& robot, const std::string& name) {
  const auto found = std::find_if(robot.poses.begin(), robot.poses.end(),
                                  [&name](const NamedPose& pose) { return pose.name == name; });
  return found == robot.poses.end() ? nullptr : &*found;
}

const Coupling* find_coupling(const Robot& robot, std::size_t joint) {
  for (const Coupling& coupling : robot.couplings) {
    if (coupling.place(joint) < coupling.joints.size()) return &coupling;
  }
  return nullptr;
}

}  // namespace armdyn
