#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "io/robot/robot_text.hpp"
#include "model/file_accuracy.hpp"
#include "model/robot_fields.hpp"

namespace armdyn {
namespace {

using std::numbers::pi;

/// A robot file in the test's own directory, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = ::testing::TempDir() +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
};

RobotFileReport examine(const std::string& content) {
  return examine_robot_file(TemporaryFile(content).path());
}

std::string findings(const std::string& content) {
  std::string lines;
  for (const Finding& finding : examine(content).findings) {
    lines += (lines.empty() ? "" : "\n") + to_text(finding, "f");
  }
  return lines;
}

Robot robot_of(const std::string& content) {
  const RobotFileReport report = examine(content);
  EXPECT_TRUE(report.robot) << findings(content);
  return report.robot.value_or(Robot{});
}

std::string what_is_thrown(const std::string& path) {
  try {
    static_cast<void>(read_robot_file(path));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

const std::string head = "armdyn: 1\nname: arm\nconvention: standard\n";
const std::string one_joint = "  - {type: revolute, dh: {a: 0.4}, mass: 1}\n";
const std::string slide = "  - {type: prismatic, dh: {a: 0.4}, mass: 1}\n";
const std::string minimal = head + "joints:\n" + one_joint;

/// The minimal file with more in its joint.
std::string with_joint(const std::string& more) {
  return head + "joints:\n  - {type: revolute, dh: {a: 0.4}, mass: 1, " + more + "}\n";
}

Joint joint_of(const std::string& more) {
  return robot_of(with_joint(more)).joints.at(0);
}

TEST(RobotFile, EveryKeyIsRead) {
  const Robot robot = robot_of(R"(
armdyn: 1
name: arm
description: an arm
source: nobody
convention: modified
gravity: [1, 2, 3]
base: {xyz: [0.1, 0.2, 0.3], rpy: [1, 2, 3]}
joints:
  - name: shoulder
    type: revolute
    dh: {a: 0.4, alpha: 0.5, d: 0.6, theta: 0.7}
    mass: 17.4
    com: [0.01, 0.02, 0.03]
    inertia: {xx: 1, yy: 2, zz: 2.5, xy: 0.1, yz: 0.2, xz: 0.3}
    inertia_about: com
    friction:
      viscous: 0.1
      coulomb: [2.0, 1.8]
      static: 2.4
      stribeck_velocity: 0.05
      ripple: {amplitude: 0.2, harmonic: 3, phase: pi/2}
    motor: {rotor_inertia: 2.0e-4, gear_ratio: -107.815, viscous: 8.17e-4, coulomb: 0.1, efficiency: 0.9}
    limits: {position: [-1, 2], velocity: 3, torque: 186}
tool: {xyz: [0, 0, 0.1], rpy: [0, pi, 0]}
payload: {mass: 2.5, com: [0, 0, 0.05], inertia: {xx: 1, yy: 1, zz: 1}, inertia_about: com}
poses: {ready: [0.5]}
)");
  EXPECT_EQ(robot.name, "arm");
  EXPECT_EQ(robot.description, "an arm");
  EXPECT_EQ(robot.source, "nobody");
  EXPECT_EQ(robot.convention, Convention::modified);
  EXPECT_EQ(robot.gravity, (Vec3{1, 2, 3}));
  EXPECT_EQ(robot.base.xyz, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(robot.base.rpy, (Vec3{1, 2, 3}));
  EXPECT_EQ(robot.tool.xyz, (Vec3{0, 0, 0.1}));
  EXPECT_EQ(robot.tool.rpy, (Vec3{0, pi, 0}));
  EXPECT_EQ(robot.payload.mass, 2.5);
  EXPECT_EQ(robot.payload.com, (Vec3{0, 0, 0.05}));
  EXPECT_EQ(robot.payload.inertia, (SymMat3{1, 1, 1, 0, 0, 0}));
  ASSERT_EQ(robot.poses.size(), 1U);
  ASSERT_NE(find_pose(robot, "ready"), nullptr);
  EXPECT_EQ(find_pose(robot, "ready")->q, std::vector<double>{0.5});
  EXPECT_EQ(find_pose(robot, "Ready"), nullptr);

  ASSERT_EQ(robot.dof(), 1U);
  const Joint& shoulder = robot.joints[0];
  EXPECT_EQ(shoulder.name, "shoulder");
  EXPECT_EQ(shoulder.type, JointType::revolute);
  EXPECT_EQ(shoulder.dh.a, 0.4);
  EXPECT_EQ(shoulder.dh.alpha, 0.5);
  EXPECT_EQ(shoulder.dh.d, 0.6);
  EXPECT_EQ(shoulder.dh.theta, 0.7);
  EXPECT_EQ(shoulder.body.mass, 17.4);
  EXPECT_EQ(shoulder.body.com, (Vec3{0.01, 0.02, 0.03}));
  EXPECT_EQ(shoulder.body.inertia, (SymMat3{1, 2, 2.5, 0.1, 0.2, 0.3}));

  const Friction& friction = shoulder.friction;
  EXPECT_EQ(friction.viscous, 0.1);
  EXPECT_EQ(friction.coulomb.positive, 2.0);
  EXPECT_EQ(friction.coulomb.negative, 1.8);
  ASSERT_TRUE(friction.breakaway);
  EXPECT_EQ(friction.breakaway->positive, 2.4);
  EXPECT_EQ(friction.breakaway->negative, 2.4);
  EXPECT_EQ(friction.stribeck_velocity, 0.05);
  EXPECT_EQ(friction.ripple.amplitude, 0.2);
  EXPECT_EQ(friction.ripple.harmonic, 3.0);
  EXPECT_EQ(friction.ripple.phase, pi / 2);

  const Motor& motor = shoulder.motor;
  EXPECT_EQ(motor.rotor_inertia, 2e-4);
  EXPECT_EQ(motor.gear_ratio, -107.815);
  EXPECT_EQ(motor.viscous, 8.17e-4);
  EXPECT_EQ(motor.coulomb.positive, 0.1);
  EXPECT_EQ(motor.coulomb.negative, 0.1);
  EXPECT_EQ(motor.efficiency, (Efficiency{0.9, 0.9}));

  ASSERT_TRUE(shoulder.limits.position);
  EXPECT_EQ(shoulder.limits.position->lower, -1.0);
  EXPECT_EQ(shoulder.limits.position->upper, 2.0);
  EXPECT_EQ(shoulder.limits.velocity, 3.0);
  EXPECT_EQ(shoulder.limits.torque, 186.0);
}

TEST(RobotFile, EverythingElseIsZeroByDefault) {
  const Robot robot = robot_of(head + "joints:\n" + one_joint + slide);
  EXPECT_EQ(robot.gravity, (Vec3{0, 0, -9.81}));
  EXPECT_EQ(robot.tool.xyz, Vec3{});
  EXPECT_EQ(robot.payload.mass, 0.0);
  EXPECT_TRUE(robot.poses.empty());
  EXPECT_EQ(robot.joints[0].name, "j1");
  EXPECT_EQ(robot.joints[1].name, "j2");
  EXPECT_EQ(robot.joints[1].type, JointType::prismatic);
  EXPECT_EQ(robot.joints[0].dh.alpha, 0.0);
  EXPECT_EQ(robot.joints[0].body.inertia, SymMat3{});
  EXPECT_FALSE(robot.joints[0].friction.breakaway);
  EXPECT_EQ(robot.joints[0].motor.gear_ratio, 1.0);
  EXPECT_EQ(robot.joints[0].motor.efficiency, (Efficiency{1.0, 1.0}));
  EXPECT_FALSE(robot.joints[0].limits.position);
  EXPECT_FALSE(robot.joints[0].limits.velocity);
  EXPECT_FALSE(robot.joints[0].limits.torque);
}

TEST(RobotFile, DegreesConvertAnglesAndNothingElse) {
  const Robot robot = robot_of(R"(
armdyn: 1
name: arm
convention: standard
angle_unit: deg
base: {rpy: [90, 0, 0]}
joints:
  - type: revolute
    dh: {a: 1, alpha: -90, d: 2, theta: 180}
    mass: 1
    friction: {viscous: 90, stribeck_velocity: 90, ripple: {phase: 0.25}}
    limits: {position: [-45, 270], velocity: 60, torque: 180}
  - type: prismatic
    dh: {alpha: 45, d: 3, theta: 90}
    mass: 1
    limits: {position: [-2, 2], velocity: 5}
tool: {rpy: [0, 0, 180]}
poses: {ready: [90, 0.3]}
)");
  const Joint& first = robot.joints[0];
  EXPECT_EQ(robot.base.rpy.x, pi / 2);
  EXPECT_EQ(robot.tool.rpy.z, pi);
  EXPECT_EQ(first.dh.alpha, -pi / 2);
  EXPECT_EQ(first.dh.theta, pi);
  EXPECT_EQ(first.dh.a, 1.0);
  EXPECT_EQ(first.dh.d, 2.0);
  EXPECT_EQ(first.friction.viscous, 90.0);
  EXPECT_EQ(first.friction.stribeck_velocity, 90.0);
  EXPECT_EQ(first.friction.ripple.phase, 0.25);
  EXPECT_EQ(first.limits.position->lower, -pi / 4);
  EXPECT_EQ(first.limits.position->upper, 1.5 * pi);
  EXPECT_DOUBLE_EQ(*first.limits.velocity, pi / 3);
  EXPECT_EQ(first.limits.torque, 180.0);
  const Joint& second = robot.joints[1];
  EXPECT_EQ(second.dh.alpha, pi / 4);
  EXPECT_EQ(second.dh.theta, pi / 2);
  EXPECT_EQ(second.dh.d, 3.0);
  EXPECT_EQ(second.limits.position->upper, 2.0);
  EXPECT_EQ(second.limits.velocity, 5.0);
  EXPECT_EQ(robot.poses[0].q, (std::vector<double>{pi / 2, 0.3}));
}

TEST(RobotFile, AngleTextsAreRadiansInAnyUnit) {
  for (const char* unit : {"rad", "deg"}) {
    const auto alpha = [unit](const std::string& text) {
      return robot_of(head + "angle_unit: " + unit +
                      "\njoints:\n  - {type: revolute, dh: {alpha: " + text + "}, mass: 1}\n")
          .joints.at(0)
          .dh.alpha;
    };
    EXPECT_EQ(alpha("pi"), pi);
    EXPECT_EQ(alpha("-pi/2"), -pi / 2);
    EXPECT_EQ(alpha("+pi/3"), pi / 3);
    EXPECT_EQ(alpha("3*pi/4"), 3 * pi / 4);
    EXPECT_EQ(alpha("-0.5*pi"), -pi / 2);
    EXPECT_EQ(alpha("\"pi/2\""), pi / 2);
  }
}

TEST(RobotFile, OtherTextsAreNoAngles) {
  for (const char* text : {"pi/", "2pi", "pi*2", "pi/0", "--pi", "2*-pi", "pi/-2", "PI", "pi / 2",
                           "pipi", "1e999*pi"}) {
    EXPECT_EQ(findings(head + "joints:\n- {type: revolute, mass: 1, dh: {alpha: " + text + "}}\n"),
              std::string("f:5:41: error: joints[0].dh.alpha: found \"") + text +
                  "\"; expected an angle such as 0.5, -pi/2 or 3*pi/4");
  }
}

TEST(RobotFile, InertiaAboutTheOriginIsMovedToTheCenterOfMass) {
  const Joint moved = joint_of(
      "com: [1, 2, 3], inertia_about: origin, inertia: {xx: 14, yy: 12, zz: 8, xy: -2, "
      "yz: -6, xz: -3}");
  EXPECT_EQ(moved.body.inertia, (SymMat3{1, 2, 3, 0, 0, 0}));
}

TEST(RobotFile, MillimetersConvertLengthsAndNothingElse) {
  const auto file = [](const char* unit, const char* a, const char* d, const char* com,
                       const char* box, const char* range, const char* speed, const char* xyz) {
    return head + "length_unit: " + unit + "\nangle_unit: deg\njoints:\n" +
           "  - {type: prismatic, dh: {a: " + a + ", d: " + d +
           ", alpha: 90}, mass: 2, com: " + com +
           ", inertia: {xx: 1, yy: 1, zz: 1}, friction: {viscous: 3, stribeck_velocity: 4}, " +
           "motor: {gear_ratio: 250}, limits: {position: " + range + ", velocity: " + speed +
           ", torque: 9}}\n" + "  - {type: revolute, dh: {a: " + a + "}, shape: {box: " + box +
           ", density: 2700, com: " + com + "}, limits: {position: [-90, 45], velocity: 60}}\n" +
           "base: {xyz: " + xyz + "}\ntool: {xyz: " + xyz + ", rpy: [0, 90, 0]}\n" +
           "payload: {mass: 1, com: " + com + "}\nposes: {ready: [" + d + ", 30]}\n";
  };
  const Robot in_mm = robot_of(file("mm", "425", "89.2", "[-0.36, 6, 0]", "[80, 100, 20.5]",
                                    "[-100, 1250.5]", "700", "[1, -2, 30]"));
  const Robot in_m =
      robot_of(file("m", "0.425", "0.0892", "[-0.00036, 0.006, 0]", "[0.08, 0.1, 0.0205]",
                    "[-0.1, 1.2505]", "0.7", "[0.001, -0.002, 0.03]"));
  std::vector<double> millimeters, meters;
  for_each_number(
      [&](const std::string&, const RobotField&, const double& x) { millimeters.push_back(x); },
      in_mm);
  for_each_number(
      [&](const std::string&, const RobotField&, const double& x) { meters.push_back(x); }, in_m);
  ASSERT_EQ(millimeters.size(), meters.size());
  for (std::size_t k = 0; k < meters.size(); ++k) EXPECT_DOUBLE_EQ(millimeters[k], meters[k]) << k;
  EXPECT_EQ(in_mm.joints[0].friction.stribeck_velocity, 4.0);
  EXPECT_EQ(in_mm.joints[0].dh.a, 0.425);
  EXPECT_EQ(in_mm.file_accuracy->numbers.at("joints[0].dh.d").half_unit, 0.05 / 1000.0);
}

// Four points of mass: their tensor by the sum over them, about the center of mass in axes of the
// link, and about the origin of another frame in its axes, as CAD may give it.
TEST(RobotFile, AnInertiaInAFrameOfItsOwnIsTurnedAndMoved) {
  const std::array points{Vec3{0.1, 0.02, -0.03}, Vec3{-0.2, 0.15, 0.01}, Vec3{0.05, -0.1, 0.3},
                          Vec3{0.3, 0.2, 0.1}};
  const std::array masses{1.0, 2.0, 0.5, 1.5};
  const auto sum_about = [&](const Vec3& origin, const Mat3& axes) {
    SymMat3 I{};
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto [x, y, z] = transposed(axes) * (points[k] - origin);
      const double m = masses[k];
      I = I + SymMat3{m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y),
                      -m * x * y,          -m * y * z,          -m * x * z};
    }
    return I;
  };
  Vec3 com{};
  for (std::size_t k = 0; k < points.size(); ++k) com = com + (masses[k] / 5.0) * points[k];
  const SymMat3 expected = sum_about(com, Mat3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  // Rz(90°) Ry(0) Rx(90°): x of the frame is y of the link, its y is z, its z is x.
  const SymMat3 given = sum_about({0.04, -0.05, 0.06}, Mat3{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  const auto joint_with = [&](const std::string& frame, const SymMat3& I) {
    return robot_of(
               head +
               fmt::format("joints:\n  - {{type: revolute, dh: {{a: 0.4}}, mass: 5, com: [{}, {}, "
                           "{}], inertia: {{xx: {}, yy: {}, zz: {}, xy: {}, yz: {}, xz: {}}}{}}}\n",
                           com.x, com.y, com.z, I.xx, I.yy, I.zz, I.xy, I.yz, I.xz, frame))
        .joints.at(0);
  };
  const std::string in_a_frame =
      ", inertia_frame: {xyz: [0.04, -0.05, 0.06], rpy: [pi/2, 0, pi/2]}";
  const auto same = [&](const SymMat3& I) {
    for (double SymMat3::*entry :
         {&SymMat3::xx, &SymMat3::yy, &SymMat3::zz, &SymMat3::xy, &SymMat3::yz, &SymMat3::xz}) {
      EXPECT_NEAR(I.*entry, expected.*entry, 1e-14);
    }
  };
  same(joint_with(in_a_frame, given).body.inertia);
  EXPECT_EQ(joint_with(", inertia_frame: {}", expected).body.inertia,
            joint_with(", inertia_about: origin", expected).body.inertia);
}

TEST(RobotFile, MissingKeyIsReportedAtItsParent) {
  EXPECT_EQ(findings(head + "joints:\n  - type: revolute\n    dh: {}\n"),
            "f:5:5: error: joints[0].mass: missing; expected a number in kg");
  EXPECT_EQ(findings("name: arm\nconvention: standard\njoints:\n" + one_joint),
            "f:1:1: error: armdyn: missing; expected 1, the version of this file format");
}

TEST(RobotFile, MisspeltKeyNamesTheNearest) {
  EXPECT_EQ(
      findings(head + "joints:\n  - {type: revolute, dh: {alfa: 0.4}, mass: 1}\n"),
      "f:5:27: error: joints[0].dh.alfa: unknown key; did you mean \"alpha\"? (known: a, alpha, "
      "d, theta)");
}

TEST(RobotFile, KeyWithItsValueHasNoBlankBehindTheColon) {
  EXPECT_EQ(findings(head + "joints:\n  - {type: revolute, dh: {a:0.4}, mass: 1}\n"),
            "f:5:27: error: joints[0].dh.\"a:0.4\": unknown key; write a blank after the colon "
            "(known: a, alpha, d, theta)");
}

TEST(RobotFile, TensorAsAMatrixIsShownAsAMap) {
  const std::string matrix = "[[1, 0.1, 0.3], [0.1, 2, 0.2], [0.3, 0.2, 2.5]]";
  EXPECT_EQ(
      findings(head + "joints:\n  - {type: revolute, dh: {}, mass: 1, inertia: " + matrix + "}\n"),
      "f:5:48: error: joints[0].inertia: found a list; expected a map {xx, yy, zz, xy, yz, xz} of "
      "numbers in kg·m²; write {xx: 1, yy: 2, zz: 2.5, xy: 0.1, yz: 0.2, xz: 0.3}");
}

TEST(RobotFile, MisspeltKeyIsNotMissingToo) {
  EXPECT_EQ(findings(head + "joints:\n  - {type: revolute, dh: {}, Mass: 1}\n"),
            "f:5:30: error: joints[0].Mass: unknown key; did you mean \"mass\"? (known: axis, "
            "axis_point, bodies, body_frame, com, dh, follows, friction, gear, inertia, "
            "inertia_about, inertia_frame, limits, mass, motor, name, origin, parent, pitch, "
            "screw, shape, type)");
}

TEST(RobotFile, KeyNamedAsAFieldOfAnotherMapIsUnknown) {
  const std::string unknown =
      "f:4:1: error: \"tool.link\": unknown key (known: angle_unit, armdyn, base, body_frame, "
      "convention, couplings, description, gravity, identified, joints, length_unit, name, "
      "parameters, payload, poses, source, springs, supply, tool)";
  EXPECT_EQ(findings(head + "tool.link:\njoints:\n" + one_joint), unknown);
  EXPECT_EQ(findings(head + "tool.link: j1\njoints:\n" + one_joint), unknown);
}

TEST(RobotFile, AnotherVersionIsTheOnlyFinding) {
  EXPECT_EQ(
      findings("armdyn: 2\nlinks: []\n"),
      "f:1:9: error: armdyn: found version 2; this program reads version 1 of the file format");
}

TEST(RobotFile, AllErrorsAreReportedTogether) {
  EXPECT_EQ(findings("armdyn: 1\nname: arm\nconvention: craig\ngravity: 9.81\njoints:\n"
                     "  - {type: revolute, dh: {a: x}, mass: -1}\n"),
            "f:3:13: error: convention: found \"craig\"; expected standard, modified, screws\n"
            "f:4:10: error: gravity: found \"9.81\"; expected three numbers [x, y, z] in m/s²\n"
            "f:6:30: error: joints[0].dh.a: found \"x\"; expected a length such as 0.4\n"
            "f:6:40: error: joints[0].mass: found -1; expected 0 or more, in kg");
}

TEST(RobotFile, DefaultsInPlaceOfWrongValuesRaiseNoSuspicion) {
  EXPECT_EQ(
      findings(head + "joints:\n"
                      "  - {type: revolute, dh: {}, mass: x, inertia: {xx: 1, yy: 1, zz: 1}}\n"),
      "f:5:36: error: joints[0].mass: found \"x\"; expected a number in kg");
}

TEST(RobotFile, AFindingOfTheRulesIsLocatedAtItsValue) {
  EXPECT_EQ(
      findings(minimal + "tool:\n  xyz: [0, 0, 0]\n  rpy: [0, 1.5708, 0]\n"),
      "f:8:12: warning: tool.rpy[1]: found 1.5708 rad, which is not taken as a right angle; if "
      "one is meant, write pi/2");
}

TEST(RobotFile, AFindingOfAnAbsentValueIsLocatedAtTheNearestParent) {
  // Only the default name of the second joint is in the way.
  EXPECT_EQ(
      findings(head + "joints:\n  - {name: j2, type: revolute, dh: {a: 1}, mass: 1}\n" + one_joint),
      "f:6:5: error: joints[1].name: found \"j2\", the name of joints[0] too; expected a name "
      "of its own");
}

TEST(RobotFile, WarningsComeBehindErrors) {
  EXPECT_EQ(
      findings(with_joint("inertia: {xx: 0.01, yy: 0.01, zz: 0.03}, friction: {viscous: -1}")),
      "f:5:106: error: joints[0].friction.viscous: found -1; expected 0 or more, in N·m·s/rad or "
      "N·s/m\n"
      "f:5:54: warning: joints[0].inertia: principal moments 0.01, 0.01, 0.03 kg·m² violate the "
      "triangle inequality: 0.01 + 0.01 is less than 0.03");
}

TEST(RobotFile, ControlCharactersAreEscapedInMessages) {
  EXPECT_EQ(
      findings(head + "\"\\e[31m\": 1\njoints:\n" + one_joint),
      "f:4:1: error: \"\\x1b[31m\": unknown key (known: angle_unit, armdyn, base, body_frame, "
      "convention, couplings, description, gravity, identified, joints, length_unit, name, "
      "parameters, "
      "payload, poses, "
      "source, springs, supply, "
      "tool)");
}

TEST(RobotFile, LongTextsAreShortenedInMessages) {
  EXPECT_EQ(findings("armdyn: 1\nname: a\nconvention: " + std::string(100, 'x') + "\njoints:\n" +
                     one_joint),
            "f:3:13: error: convention: found \"" + std::string(60, 'x') +
                "...\"; expected standard, modified, screws");
}

TEST(RobotFile, AReadFileCarriesWarningsPathAndDigest) {
  const TemporaryFile file(with_joint("inertia: {xx: 0.01, yy: 0.01, zz: 0.03}"));
  const RobotFile read = read_robot_file(file.path());
  EXPECT_EQ(read.robot.name, "arm");
  EXPECT_EQ(read.path, file.path());
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_EQ(read.warnings[0].path, "joints[0].inertia");
  EXPECT_EQ(read.warnings[0].line, 5);
  EXPECT_EQ(read.warnings[0].column, 54);
}

TEST(RobotFile, TheDigestIsThatOfTheBytes) {
  EXPECT_EQ(examine("").digest, "fnv1a64:cbf29ce484222325");
  EXPECT_EQ(examine("a").digest, "fnv1a64:af63dc4c8601ec8c");
  EXPECT_EQ(examine("foobar").digest, "fnv1a64:85944171f73967e8");
}

TEST(RobotFile, AllErrorsAreThrownInOneMessage) {
  const TemporaryFile file(head + "joints:\n  - {type: revolute, mass: -1}\n");
  EXPECT_EQ(
      what_is_thrown(file.path()),
      file.path() +
          ":5:5: error: joints[0].dh: missing; expected a map such as {a: 0.4, alpha: pi/2, d: "
          "0, theta: 0}\n" +
          file.path() + ":5:28: error: joints[0].mass: found -1; expected 0 or more, in kg");
  EXPECT_THROW(static_cast<void>(read_robot_file(file.path())), InputError);
}

TEST(RobotFile, AThrownMessageHasAnEnd) {
  std::string keys;
  for (int i = 0; i < 1000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  const TemporaryFile file(minimal + keys);
  const std::string message = what_is_thrown(file.path());
  const std::string end = "\n" + file.path() + ": and 950 more errors";
  EXPECT_EQ(message.substr(message.size() - end.size()), end);
}

TEST(RobotFile, WhatCannotBeReadIsAFileError) {
  const std::string missing = ::testing::TempDir() + "no_such_robot.yaml";
  EXPECT_THROW(static_cast<void>(examine_robot_file(missing)), FileError);
  EXPECT_THROW(static_cast<void>(examine_robot_file(::testing::TempDir())), FileError);
}

TEST(RobotFile, APipeIsReadLikeAFile) {
  const std::string path = ::testing::TempDir() + "robot_file_test.fifo";
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&path] { std::ofstream(path) << minimal; });
  EXPECT_EQ(read_robot_file(path).robot.name, "arm");
  writer.join();
  std::filesystem::remove(path);
}

TEST(RobotFile, AFindingOfTheWholeFileHasNoLine) {
  EXPECT_EQ(to_text({Severity::warning, "", "message"}, "f"), "f: warning: message");
  EXPECT_EQ(to_text({Severity::error, "joints", "message", 3, 4}, "f"),
            "f:3:4: error: joints: message");
}

MassProperties body_of(const std::string& shape) {
  const Robot robot = robot_of(
      "armdyn: 1\nname: a\nconvention: modified\nangle_unit: deg\njoints:\n"
      "  - {type: revolute, dh: {}, shape: " +
      shape + "}\n");
  return robot.joints.empty() ? MassProperties{} : robot.joints.front().body;
}

void expect_body(const MassProperties& found, double mass, const Vec3& com, const SymMat3& I) {
  const double size = 1e-15 * (I.xx + I.yy + I.zz);
  EXPECT_NEAR(found.mass, mass, 4e-16 * mass);
  EXPECT_EQ(found.com, com);
  EXPECT_NEAR(found.inertia.xx, I.xx, size);
  EXPECT_NEAR(found.inertia.yy, I.yy, size);
  EXPECT_NEAR(found.inertia.zz, I.zz, size);
  EXPECT_NEAR(found.inertia.xy, I.xy, size);
  EXPECT_NEAR(found.inertia.yz, I.yz, size);
  EXPECT_NEAR(found.inertia.xz, I.xz, size);
}

TEST(RobotFile, TakesUniformBodiesByTheirShape) {
  const double m = 2700 * 0.4 * 0.1 * 0.2;
  expect_body(body_of("{box: [0.4, 0.1, 0.2], density: 2700, com: [0.2, 0, 0.01]}"), m,
              {0.2, 0, 0.01},
              {m / 12 * (0.01 + 0.04), m / 12 * (0.16 + 0.04), m / 12 * (0.16 + 0.01), 0, 0, 0});
  expect_body(body_of("{box: [0.4, 0.1, 0.2], mass: 3, rpy: [0, 0, 90]}"), 3, {},
              {0.25 * (0.16 + 0.04), 0.25 * (0.01 + 0.04), 0.25 * (0.16 + 0.01), 0, 0, 0});
  const double c = 7800 * pi * 0.01 * 0.5;  // an axis along x
  expect_body(body_of("{cylinder: [0.1, 0.5], density: 7800, rpy: [0, 90, 0]}"), c, {},
              {c * 0.01 / 2, c * (0.03 + 0.25) / 12, c * (0.03 + 0.25) / 12, 0, 0, 0});
  // A rod in the plane of x and z, at 45 degrees: I = m l²/12 (E − u uᵗ).
  const double rod = 1.5 * 0.8, across = rod * 0.64 / 12;
  expect_body(body_of("{rod: 0.8, density: 1.5, rpy: [0, 45, 0]}"), rod, {},
              {across / 2, across, across / 2, 0, 0, -across / 2});
  expect_body(body_of("{sphere: 0.3, mass: 2}"), 2, {}, {0.072, 0.072, 0.072, 0, 0, 0});
}

TEST(RobotFile, KeepsTheCovarianceOfIdentifiedParameters) {
  const std::string before =
      "armdyn: 1\nname: r\nconvention: standard\n"
      "joints: [{type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: 1}]\n"
      "identified:\n  parameters: [mx1, offset1]\n";
  const auto covariance_of = [](const Robot& robot) -> std::optional<IdentifiedParameters> {
    return robot.file_accuracy ? robot.file_accuracy->identified : std::nullopt;
  };
  const Robot read =
      robot_of(before + "  offsets: [0, 0.25]\n  covariance:\n    - [0.5]\n    - [-0.125, 2]\n");
  for (const Robot& robot : {read, robot_of(robot_yaml(read, "again"))}) {
    const auto found = covariance_of(robot);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->names, (std::vector<std::string>{"mx1", "offset1"}));
    EXPECT_EQ(found->offsets, (std::vector<double>{0.0, 0.25}));
    EXPECT_EQ(found->covariance, (std::vector<double>{0.5, -0.125, 2.0}));
  }
  EXPECT_EQ(covariance_of(robot_of(before + "  covariance: [[1], [0, 1]]\n"))->offsets,
            (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(findings(before + "  covariance: [[1], [0, -1]]\n"),
            "f:7:21: error: identified.covariance[1]: found a variance below 0; expected the last "
            "number of a row to be 0 or more");
  EXPECT_NE(findings(before + "  covariance: [[1]]\n").find("identified.covariance"),
            std::string::npos);
  EXPECT_NE(findings(before + "  covariance: [[1], [1]]\n").find("identified.covariance[1]"),
            std::string::npos);
}

TEST(RobotFile, SaysFiftyErrorsAndHowManyMoreThereAre) {
  std::vector<Finding> findings{{Severity::warning, "", "slight", 1, 2}};
  std::string lines;
  for (int line = 1; line <= 50; ++line) {
    findings.push_back({Severity::error, "", "bad", line, 2});
    lines += fmt::format("{}f:{}:2: error: bad", line == 1 ? "" : "\n", line);
  }
  EXPECT_EQ(error_lines(findings, "f"), lines);
  findings.insert(findings.end(), 3, findings.back());
  EXPECT_EQ(error_lines(findings, "f"), lines + "\nf: and 3 more errors");
}

}  // namespace
}  // namespace armdyn
