#include <armdyn/robot.hpp>

#include <algorithm>

namespace armdyn {

const NamedPose* find_pose(const Robot& robot, const std::string& name) {
  const auto found = std::find_if(robot.poses.begin(), robot.poses.end(),
                                  [&name](const NamedPose& pose) { return pose.name == name; });
  return found == robot.poses.end() ? nullptr : &*found;
}

}  // namespace armdyn
