// Robot files with branches, followers, helical joints, origins and springs: what is read, written and
// refused.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <filesystem>
#include <numbers>

#include "io/robot/robot_text.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A file of these joints and of what stands at the top.
std::string file_of(const std::string& joints, const std::string& top = "") {
  return "armdyn: 1\nname: m\nconvention: modified\nangle_unit: deg\njoints:\n" + joints + top;
}
std::string joint(const std::string& name, const std::string& more = "",
                  const std::string& type = "revolute") {
  return "  - {name: " + name + ", type: " + type + ", dh: {a: 0.5}, mass: 1" +
         (more.empty() ? "" : ", " + more) + "}\n";
}

Robot read(const std::string& text) {
  return parse_robot_file(text, "m.yaml").robot;
}

/// The message of the first error of a file.
std::string refusal(const std::string& text) {
  const std::vector<Finding> findings = examine_robot_bytes(text, "m.yaml").findings;
  if (findings.empty()) return "read";
  const Finding& first = findings.front();
  return (first.severity == Severity::error ? "" : "warning: ") + first.path + ": " + first.message;
}

TEST(MechanismFile, KeepsTheOrderOfJointsWithAPositionOfTheirOwn) {
  const Robot robot =
      read(file_of(joint("a") + joint("x", "follows: {row: {b: 2}, offset: 90}") +
                   "  - {type: revolute, dh: {a: 0.5}, mass: 1}\n" + joint("b", "parent: a")));
  ASSERT_EQ(robot.dof(), 3U);
  EXPECT_EQ(robot.joints[1].name, "j3");
  EXPECT_EQ(robot.joints[1].parent, "x");  // the joint before it in the file
  EXPECT_EQ(robot.joints[2].name, "b");
  EXPECT_EQ(robot.tool_link, "b");
  ASSERT_EQ(robot.followers.size(), 1U);
  const Follows expected{{{"b", 2.0}}, 0.5 * pi};
  EXPECT_EQ(robot.followers[0].follows, expected);
  EXPECT_EQ(robot.followers[0].parent, "a");
}

TEST(MechanismFile, IsReadBackAsItWasWritten) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(shipped_robots_folder() + "/mechanisms")) {
    const RobotFile file = read_robot_file(entry.path());
    EXPECT_TRUE(file.warnings.empty()) << entry.path() << file.warnings.front().message;
    const std::string text = robot_yaml(file.robot, "again");
    const Robot again = read(text);
    EXPECT_EQ(robot_yaml(again, "again"), text);
    RandomArm random(++files);
    const std::size_t n = file.robot.dof();
    const std::vector<double> q = random.numbers(n, 2.0), qd = random.numbers(n, 2.0),
                              qdd = random.numbers(n, 2.0);
    EXPECT_EQ(torque(normalize(again), {q, qd, qdd}), torque(normalize(file.robot), {q, qd, qdd}));
  }
  EXPECT_EQ(files, 5U);
}

TEST(MechanismFile, AFollowersLimitsAndFrictionAreThoseOfItsJoint) {
  const Robot robot = read(
      file_of(joint("a", "limits: {position: [-90, 90], velocity: 90}, friction: {viscous: 1}") +
              joint("x",
                    "follows: {row: {a: -2}, offset: 10}, friction: {viscous: 3, coulomb: [4, 5]}, "
                    "limits: {position: [-50, 130], velocity: 90}")));
  const Limits& limits = robot.joints[0].limits;
  ASSERT_TRUE(limits.position);
  EXPECT_NEAR(limits.position->lower, -60.0 / 180.0 * pi, 1e-15);
  EXPECT_NEAR(limits.position->upper, 30.0 / 180.0 * pi, 1e-15);
  EXPECT_NEAR(*limits.velocity, 0.25 * pi, 1e-15);
  const Friction friction = normalize(robot).drives[0].friction;
  EXPECT_EQ(friction.viscous, 13.0);
  EXPECT_EQ(friction.coulomb.positive, 10.0);
  EXPECT_EQ(friction.coulomb.negative, 8.0);
}

TEST(MechanismFile, SaysWhatCannotBe) {
  const std::string a = joint("a");
  const auto follower = [&a](const std::string& more) {
    return refusal(file_of(a + joint("b") + joint("x", more)));
  };
  EXPECT_EQ(refusal(file_of(a + joint("b", "parent: c"))),
            "joints[1].parent: found \"c\"; expected the name of a joint");
  EXPECT_EQ(refusal(file_of(joint("a", "parent: b") + joint("b", "parent: a"))),
            "joints[0].parent: found \"b\", which \"a\" carries itself; expected parents that lead "
            "to the base");
  EXPECT_EQ(follower("follows: {row: {c: 1}}"),
            "joints[2].follows.row.c: found \"c\"; expected the name of a joint");
  EXPECT_EQ(follower("follows: {row: {a: 0}}"),
            "joints[2].follows.row.a: found 0; expected another factor");
  EXPECT_EQ(follower("follows: {row: {x: 1}}"),
            "joints[2].follows: found joints that follow each other; expected rows that lead to "
            "joints with a position of their own");
  EXPECT_EQ(follower("follows: {row: {}}"),
            "joints[2].follows: found no joint; expected joints and factors");
  EXPECT_EQ(
      follower("follows: {row: {a: 1}}, motor: {rotor_inertia: 1.0e-4}"),
      "joints[2].motor: found at a joint that follows others; expected the motor at the joint "
      "that moves it");
  EXPECT_EQ(follower("follows: {row: {a: 1}}, friction: {static: 2, coulomb: 1}"),
            "joints[2].friction: found more than viscous and Coulomb friction at a joint that "
            "follows another; expected it there");
  EXPECT_EQ(
      follower("follows: {row: {a: 1, b: 1}}, friction: {viscous: 2}"),
      "joints[2].friction: found friction at a joint that follows several; expected it there");
  EXPECT_EQ(follower("follows: {row: {a: 1, b: 1}}, limits: {velocity: 2}"),
            "warning: joints[2].limits: of a joint that follows several: these limits are not "
            "observed");
  EXPECT_EQ(refusal(file_of(joint("a", "", "helical"))),
            "joints[0].type: found a helical joint without a pitch; expected the length that it "
            "moves along "
            "its axis in one turn, other than 0");
  EXPECT_EQ(refusal(file_of(joint("a", "pitch: 0.1"))),
            "joints[0].pitch: found at a joint that is not helical; expected type: helical");
  EXPECT_EQ(refusal(file_of(a, "springs: [{stiffness: 3}]\n")),
            "springs[0]: expected a row, or from and to, the two ends of a spring");
  EXPECT_EQ(refusal(file_of(a, "springs: [{row: {z: 1}, stiffness: 3}]\n")),
            "springs[0].row.z: found \"z\"; expected the name of a joint");
  EXPECT_EQ(refusal(file_of(a, "tool: {link: z}\n")),
            "tool.link: found \"z\"; expected the name of a joint");
}

TEST(MechanismFile, BlamesTheLineOfAFollowerBetweenOtherJoints) {
  const auto findings =
      examine_robot_bytes(
          file_of(joint("a") +
                  "  - {name: x, type: revolute, dh: {a: 0.5}, mass: -1, follows: {row: "
                  "{a: 1}}}\n" +
                  joint("b")),
          "m.yaml")
          .findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().line, 7);
}

}  // namespace
}  // namespace armdyn::testing
