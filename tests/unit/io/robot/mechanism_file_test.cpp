// Robot files with branches, followers, helical joints, origins and springs: what is read, written and
// refused.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot_file.hpp>

#include <filesystem>
#include <numbers>

#include "io/robot/robot_text.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

using std::numbers::pi;

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

TEST(MechanismFile, HasTheToolAtItsLastJointInEitherForm) {
  const std::string joints = joint("a") + joint("b", "follows: {row: {a: -1}}");
  for (const char* const tool :
       {"{xyz: [0.2, 0, 0]}", "[[1, 0, 0, 0.2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"}) {
    const Robot robot = read(file_of(joints, fmt::format("tool: {}\n", tool)));
    EXPECT_EQ(robot.tool_link, "b") << tool;
    EXPECT_EQ(robot.tool.xyz.x, 0.2);
  }
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
  EXPECT_EQ(files, 6U);
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
  // Each follows the two before it: a sum of twice as many terms every other joint.
  const auto doubling = [&](std::size_t count) {
    std::string joints = a + joint("f0", "follows: {row: {a: 1}}");
    for (std::size_t k = 1; k < count; ++k) {
      const std::string before = k == 1 ? "a" : fmt::format("f{}", k - 2);
      joints += joint(fmt::format("f{}", k),
                      fmt::format("follows: {{row: {{f{}: 0.5, {}: 0.5}}}}", k - 1, before));
    }
    return refusal(file_of(joints));
  };
  EXPECT_EQ(doubling(10), "read");
  EXPECT_EQ(doubling(60),
            "joints[20].follows: found more than 32 followers one after the other, or a sum of "
            "more than 10000 terms; expected fewer");
  EXPECT_EQ(
      follower("follows: {row: {a: 1}}, motor: {rotor_inertia: 1.0e-4}"),
      "joints[2].motor: found at a joint that follows others; expected the motor at the joint "
      "that moves it");
  EXPECT_EQ(follower("follows: {row: {a: 1}}, friction: {static: 2, coulomb: 1}"),
            "joints[2].friction: found more than viscous and Coulomb friction at a joint that "
            "follows one coordinate; leave it out, or put it at the joint that moves this one");
  EXPECT_EQ(refusal(file_of(joint("a",
                                  "friction: {coulomb: 1, ripple: {amplitude: 0.5, harmonic: "
                                  "2, phase: 0}}") +
                            joint("x", "follows: {row: {a: 1}}, friction: {coulomb: 3}"))),
            "joints[1].friction.coulomb: found at a joint that follows one with a ripple, which "
            "would be this friction's, too; leave one of them out");
  EXPECT_EQ(follower("follows: {row: {a: 1, b: 1}}, friction: {viscous: 2}"), "read");
  EXPECT_EQ(follower("follows: {row: {a: 1, b: 1}}, friction: {viscous: 2, coulomb: 1}"),
            "joints[2].friction: found more than viscous friction at a joint that follows several "
            "coordinates; leave it out, or put it at the joint that moves this one");
  EXPECT_EQ(follower("follows: {row: {a: 1, b: 1}}, limits: {velocity: 2, position: [0, 1]}"),
            "read");
  EXPECT_EQ(follower("follows: {row: {a: 1, b: 1}}, limits: {jerk: 2}"),
            "warning: joints[2].limits.jerk: of a joint that follows several: this limit is not "
            "observed");
  EXPECT_EQ(follower("follows: {row: {a: 1}}, limits: {torque: 2}"),
            "warning: joints[2].limits.torque: of a joint that follows others, which has no motor: "
            "this limit is not observed");
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

/// The same torques of two files at some states, within a few roundings.
void expect_same_torques(const std::string& one, const std::string& other) {
  const Arm first = normalize(read(one)), second = normalize(read(other));
  ASSERT_EQ(first.dof(), second.dof());
  RandomArm random(11);
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> q = random.numbers(first.dof(), 2.0),
                              qd = random.numbers(first.dof(), 2.0),
                              qdd = random.numbers(first.dof(), 2.0);
    const std::vector<double> a = torque(first, {q, qd, qdd}), b = torque(second, {q, qd, qdd});
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << one << other;
  }
}
/// A file that is read back from what is written of it with the same torques, to the bit.
void expect_same_bits_again(const std::string& text) {
  const Robot robot = read(text), again = read(robot_yaml(robot, "again"));
  EXPECT_EQ(robot_yaml(again, "again"), robot_yaml(robot, "again"));
  RandomArm random(12);
  const std::vector<double> q = random.numbers(robot.dof(), 2.0),
                            qd = random.numbers(robot.dof(), 2.0),
                            qdd = random.numbers(robot.dof(), 2.0);
  EXPECT_EQ(torque(normalize(again), {q, qd, qdd}), torque(normalize(robot), {q, qd, qdd})) << text;
}

constexpr const char* body =
    "mass: 2, com: [0.1, 0.2, 0.3], inertia: {xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.01, xz: 0.02}";

std::string screws_of(const std::string& joints) {
  return "armdyn: 1\nname: m\nconvention: screws\njoints:\n" + joints;
}

TEST(MechanismFile, TakesAxesInPlaceOfRows) {
  // Along z of an origin that is turned there.
  const std::string by_rows =
      file_of("  - {type: revolute, origin: {xyz: [0.1, 0.2, 0.3]}, dh: {}, " + std::string(body) +
              "}\n" + "  - {type: prismatic, dh: {a: 0.5, alpha: -90}, mass: 1}\n");
  const std::string by_axes = screws_of(
      "  - {type: revolute, origin: {xyz: [0.1, 0.2, 0.3]}, axis: [0, 0, 1], " + std::string(body) +
      "}\n" + "  - {type: prismatic, origin: {xyz: [0.5, 0, 0]}, axis: [0, 7, 0], mass: 1}\n");
  expect_same_torques(by_rows, by_axes);
  for (const char* const convention : {"standard", "modified"}) {  // beside rows
    const std::string mixed =
        std::string("armdyn: 1\nname: m\nconvention: ") + convention +
        "\njoints:\n  - {type: revolute, dh: {alpha: pi/2, a: 0.4}, mass: 1, com: [0.1, 0, 0]}\n"
        "  - {type: helical, pitch: 0.3, axis: [1, -2, 3], axis_point: [0.1, 0.2, 0], " +
        body + "}\n  - {type: revolute, dh: {a: 0.3, theta: 0.2}, mass: 1, com: [0, 0.1, 0]}\n";
    expect_same_bits_again(mixed);
  }
  expect_same_bits_again(by_axes);
  // The link's frame, not the axis', has the tool.
  const Transform tcp =
      pose(normalize(read(screws_of("  - {type: revolute, axis: [0, 1, 0], axis_point: [1, 0, 0], "
                                    "mass: 1}\n") +
                          "tool: {xyz: [3, 0, 0]}\n")),
           std::vector<double>{0.5 * pi})
          .tcp;
  EXPECT_NEAR(tcp.p.x, 1.0, 1e-15);
  EXPECT_NEAR(tcp.p.z, -2.0, 1e-15);
}

TEST(MechanismFile, TakesScrewsInBaseAxes) {
  // The same joints by axes in their links' frames.
  expect_same_torques(
      screws_of(
          "  - {type: revolute, origin: {xyz: [0, 0, 0.3], rpy: [pi/2, 0, 0]}, screw: [0, 0, 1, "
          "0.2, -0.1, 0], " +
          std::string(body) + "}\n" +
          "  - {type: prismatic, origin: {xyz: [0.5, 0, 0]}, screw: [0, 0, 0, 0, 0.6, 0.8], "
          "mass: 1}\n" +
          "  - {type: helical, origin: {xyz: [0.5, 0, 0]}, screw: [1, 0, 0, 0.01, 0, 0], " + body +
          "}\n"),
      screws_of(
          "  - {type: revolute, origin: {xyz: [0, 0, 0.3], rpy: [pi/2, 0, 0]}, axis: [0, 1, 0], "
          "axis_point: [0.1, -0.3, -0.2], " +
          std::string(body) + "}\n" +
          "  - {type: prismatic, origin: {xyz: [0.5, 0, 0]}, axis: [0, 0.8, -0.6], mass: 1}\n" +
          "  - {type: helical, pitch: 0.06283185307179587, origin: {xyz: [0.5, 0, 0]}, axis: "
          "[1, 0, 0], axis_point: [-1, -0.3, 0], " +
          body + "}\n"));
  expect_same_bits_again(screws_of(
      "  - {type: revolute, origin: [[0, -1, 0, 0.1], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, "
      "1]], screw: [0.6, 0, 0.8, 0.8, 0, -0.6], mass: 1, com: [0.3, 0, 0]}\n"));
}

TEST(MechanismFile, JoinsSeveralBodies) {
  expect_same_torques(
      file_of(
          "  - {type: revolute, dh: {}, bodies: [{mass: 2, com: [1, 0, 0]}, {mass: 2, com: [-1, "
          "0, 0], inertia: {zz: 0.5}}, {shape: {rod: 2, mass: 3}}]}\n"),
      file_of("  - {type: revolute, dh: {}, mass: 7, inertia: {xx: 1, yy: 5, zz: 4.5}}\n"));
  expect_same_bits_again(file_of("  - {type: revolute, dh: {}, bodies: [{" + std::string(body) +
                                 "}, {shape: {sphere: 0.1, density: 1000, com: [0, 0.3, 0]}}]}\n"));
}

TEST(MechanismFile, TakesBodiesInBaseAxes) {
  // Two links at the zero pose, the second's frame turned and the third a follower with an offset.
  const std::string of_second = "{type: revolute, dh: {a: 0.5, alpha: 90, d: 0.2}, ";
  const std::string of_third =
      "{type: revolute, follows: {row: {j1: 2}, offset: 90}, dh: {a: 0.4}, ";
  const std::string head = "  - {type: revolute, dh: {}, mass: 1}\n  - ";
  expect_same_torques(
      file_of(head + of_second +
              "mass: 2, com: [0.1, 0.2, 0.3], inertia: {xx: 1, yy: 2, zz: 2.5, xy: "
              "0.1}}\n  - " +
              of_third + "mass: 1, com: [0.1, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.3}}\n"),
      file_of(head + of_second +
              "body_frame: base, mass: 2, com: [0.6, -0.5, 0.2], inertia: {xx: 1, "
              "zz: 2, yy: 2.5, xz: 0.1}}\n  - " +
              of_third +
              "body_frame: base, mass: 1, com: [0.9, -0.2, 0.1], inertia: {xx: 0.2, zz: 0.1, yy: "
              "0.3}}\n"));
  // As the default of a file, and about the origin of {0}.
  expect_same_torques(
      file_of("  - {type: revolute, dh: {a: 1}, mass: 2, com: [0.1, 0, 0], inertia: {zz: 0.5}}\n"),
      file_of("  - {type: revolute, dh: {a: 1}, mass: 2, com: [1.1, 0, 0], inertia_about: origin, "
              "inertia: {yy: 2.42, zz: 2.92}}\n",
              "body_frame: base\n"));
}

TEST(MechanismFile, ReadsTheLawsOfSprings) {
  const Robot robot = read(file_of(
      joint("a") + joint("b"),
      "springs:\n"
      "  - {row: {a: 1}, rest: 90, preload: 3, piecewise: [[-90, 10], [0, 20]]}\n"
      "  - {row: {b: 2}, table: [[0, -1], [180, 4]]}\n"
      "  - {from: {link: base, at: [0, 0, 1]}, to: {link: a, at: [0.2, 0, 0]}, stiffness: 5, "
      "free_length: 0.3}\n"
      "  - {from: {link: base, at: [0, 0, 1]}, to: {link: a, at: [0.2, 0, 0]}, preload: -40}\n"));
  EXPECT_EQ(robot.springs[0].rest, 0.5 * pi);
  EXPECT_EQ(robot.springs[0].piecewise, (std::vector<SpringPoint>{{-0.5 * pi, 10.0}, {0.0, 20.0}}));
  EXPECT_EQ(robot.springs[1].table, (std::vector<SpringPoint>{{0.0, -1.0}, {pi, 4.0}}));
  EXPECT_EQ(robot.springs[2].free_length, 0.3);
  EXPECT_EQ(robot.springs[3].preload, -40.0);
  const Robot slide = read(file_of(joint("a") + joint("x", "follows: {row: {a: 0.2}}", "prismatic"),
                                   "springs:\n  - {row: {x: 1}, stiffness: 1000, rest: 0.25}\n"
                                   "length_unit: mm\n"));
  EXPECT_EQ(slide.springs[0].rest, 0.25e-3);  // no degrees, but mm
  const Robot again = read(robot_yaml(robot, "again"));
  EXPECT_EQ(robot_yaml(again, "again"), robot_yaml(robot, "again"));
  EXPECT_EQ(again.springs[1].table, robot.springs[1].table);
}

TEST(MechanismFile, SaysWhatAxesScrewsAndBodiesCannotBe) {
  const auto of_joint = [](const std::string& keys) {
    return refusal(file_of("  - {type: revolute, mass: 1, " + keys + "}\n"));
  };
  EXPECT_EQ(of_joint("axis: [0, 0, 0]"),
            "joints[0].axis: found no direction; expected one such as [0, 0, 1]");
  EXPECT_EQ(of_joint("axis: [0, 0, 1], dh: {}"),
            "joints[0].dh: found beside axis; expected one of them");
  EXPECT_EQ(of_joint("dh: {}, axis_point: [0, 0, 1]"),
            "joints[0].axis_point: found without an axis; expected axis as well");
  EXPECT_EQ(of_joint("screw: [0, 0, 2, 0, 0, 0]"),
            "joints[0].screw: found ω of length 2; expected length 1");
  EXPECT_EQ(of_joint("screw: [0, 0, 0, 0, 0, 1]"),
            "joints[0].screw: found no rotation; expected type: prismatic, or ω of length 1");
  EXPECT_EQ(of_joint("screw: [0, 0, 1, 0, 0, 0.5]"),
            "joints[0].screw: found a pitch of 3.14159 m per turn, from v along ω; expected type: "
            "helical, or v square to ω");
  EXPECT_EQ(of_joint("screw: [0, 0, 1, 0, 0, 0], axis: [0, 0, 1]"),
            "joints[0].axis: found beside screw, which sets it; expected one of them");
  EXPECT_EQ(
      of_joint("dh: {}, origin: [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"),
      "joints[0].origin: found no rotation in the first three rows and columns; expected unit "
      "vectors, square to each other and right-handed");
  EXPECT_EQ(of_joint("dh: {}, origin: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]"),
            "joints[0].origin[3]: found another last row than 0, 0, 0, 1; expected a homogeneous "
            "matrix");
  EXPECT_EQ(of_joint("dh: {}, bodies: [{mass: 1}]"),
            "joints[0].mass: found beside bodies, which set it; expected one of them");
  EXPECT_EQ(refusal(screws_of("  - {type: revolute, mass: 1, dh: {}}\n")),
            "joints[0].dh: found in a file with convention: screws, which has no table; expected "
            "axis or screw, or another convention");
}

TEST(MechanismFile, SaysWhatSpringsCannotBe) {
  const auto of_spring = [](const std::string& keys) {
    return refusal(file_of(joint("a"), "springs: [{row: {a: 1}, " + keys + "}]\n"));
  };
  EXPECT_EQ(of_spring("rest: 3"),
            "springs[0]: found no stiffness; expected stiffness, piecewise or a table");
  EXPECT_EQ(of_spring("stiffness: 1, piecewise: [[0, 1]]"),
            "springs[0].piecewise: found beside stiffness; expected one of them");
  EXPECT_EQ(of_spring("rest: 1, table: [[0, 1], [1, 1]]"),
            "springs[0].table: found beside stiffness, preload or a position of rest; expected the "
            "table alone");
  EXPECT_EQ(of_spring("table: [[0, 1]]"),
            "springs[0].table: found one point; expected two or more");
  EXPECT_EQ(of_spring("table: [[1, 1], [0, 1]]").substr(0, 24), "springs[0].table[1][0]: ");
  EXPECT_EQ(of_spring("stiffness: 1, free_length: 0.2"),
            "springs[0].free_length: found at a spring on a row; expected rest");
  EXPECT_EQ(of_spring("piecewise: [[0, -1]]"),
            "springs[0].piecewise[0][1]: found a stiffness below 0; expected 0 or more");
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
