// The parameters of an arm from a log of its positions and torques: identify LOG

#include <armdyn/identification.hpp>
#include <armdyn/robot_file.hpp>

#include <cstdio>

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: identify LOG\n");
    return 2;
  }
  const auto robot = armdyn::read_robot_file(ROBOTS "/two-link-rods.yaml").robot;
  armdyn::LogOptions options;
  options.derive = options.smooth = true;  // velocities, accelerations and torques of fits
  const armdyn::LogRows log = armdyn::read_log(words[1], robot, options);
  const auto found = armdyn::identify(robot, {&log, 1});
  for (const auto& base : found.base_parameters) {
    std::printf("%.6g ± %.2g %s: %s\n", base.value, base.error, base.unit.c_str(),
                base.combination.c_str());
  }
  for (const armdyn::Joint& joint : found.robot.joints) {
    std::printf("%s: viscous friction %.6g\n", joint.name.c_str(), joint.friction.viscous);
  }
}
