#pragma once

#include <armdyn/robot_file.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace armdyn::testing {

inline Robot shipped_robot(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot;
}

inline std::vector<double> shipped_pose(const Robot& robot, const std::string& name) {
  const NamedPose* pose = find_pose(robot, name);
  if (pose == nullptr) throw std::runtime_error(robot.name + " has no pose " + name);
  return pose->q;
}

}  // namespace armdyn::testing
