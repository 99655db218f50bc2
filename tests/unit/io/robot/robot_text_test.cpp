// Robots written as files read back as the same robots.

#include "io/robot/robot_text.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <filesystem>

#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

std::string message_of(const SerialChain& chain) {
  try {
    static_cast<void>(mjcf_text(chain, {0.0}, "test"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(RobotYaml, OfEveryShippedRobotReadsBackAsIt) {
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    const Robot robot = parse_robot_file(read_robot_bytes(entry.path()), entry.path()).robot;
    const std::string text = robot_yaml(robot, "test");
    // Every number is there, so that what is written of what was read is the same text.
    EXPECT_EQ(robot_yaml(parse_robot_file(text, "again.yaml").robot, "test"), text) << entry.path();
  }
}

TEST(RobotYaml, SaysWhatIsSaidOfAJointAndNoMore) {
  Robot robot;
  robot.name = "a \"b\"";
  robot.convention = Convention::modified;
  Joint joint;
  joint.name = "one";
  joint.dh = {0.5, -1.5707963267948966, 2e-4, 1.5708};
  joint.body = {2.0, {0.1, 0.0, -0.0}, {}};
  joint.friction.coulomb = {1.0, 2.0};
  joint.limits.position = Range{-3.141592653589793, 1.0};
  joint.limits.acceleration = 2.5;
  joint.limits.jerk = 30.0;
  robot.joints = {joint};
  EXPECT_EQ(robot_yaml(robot, "C"),
            "# C\n# Units: m, kg, s, rad, N, N·m, kg·m².\n\narmdyn: 1\nname: \"a \\\"b\\\"\"\n"
            "convention: modified\ngravity: [0, 0, -9.81]\n\njoints:\n  - name: one\n"
            "    type: revolute\n    dh: {a: 0.5, alpha: -pi/2, d: 2.0e-04, theta: 1.5708}\n"
            "    mass: 2\n    com: [0.1, 0, 0]\n    friction: {coulomb: [1, 2]}\n"
            "    limits: {position: [-pi, 1], acceleration: 2.5, jerk: 30}\n");
}

TEST(Mjcf, RefusesBodiesThatMujocoRefuses) {
  SerialChain chain;
  chain.joints.emplace_back();
  chain.joints[0].link = "arm";
  chain.joints[0].joint.body = {1.0, {}, {0.1, 0.1, 0.3, 0.0, 0.0, 0.0}};
  EXPECT_EQ(message_of(chain),
            "link arm: MuJoCo refuses a mass of 1 kg with principal moments 0.1, 0.1, 0.3 kg·m²: "
            "they are not physically consistent; none may be above the sum of the others");
  chain.joints[0].joint.body.inertia = {0.0, 0.1, 0.1, 0.0, 0.0, 0.0};
  EXPECT_EQ(
      message_of(chain),
      "link arm: MuJoCo refuses a mass of 1 kg with principal moments 0, 0.1, 0.1 kg·m²: a body "
      "that moves needs some mass and some inertia about each axis");
  chain.joints[0].joint.body.inertia = {0.1, 0.1, 0.2, 0.0, 0.0, 0.0};
  EXPECT_EQ(message_of(chain), "none");
}

}  // namespace
}  // namespace armdyn::testing
