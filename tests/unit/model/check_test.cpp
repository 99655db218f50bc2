#include "model/check.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <armdyn/robot.hpp>

namespace armdyn {
namespace {

using std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string said(const Robot& robot, AngleUnit written_in = AngleUnit::rad) {
  std::string lines;
  for (const Finding& finding : check(robot, {written_in})) {
    lines += (lines.empty() ? "" : "\n");
    lines += finding.severity == Severity::error ? "error: " : "warning: ";
    lines += finding.path + ": " + finding.message;
  }
  return lines;
}

/// A sound two-joint arm with links of 1 m.
Robot sound_robot() {
  Robot robot;
  robot.name = "arm";
  Joint joint;
  joint.dh.a = 1.0;
  joint.body = {2.0, {-0.5, 0.0, 0.0}, {0.01, 0.2, 0.2, 0.0, 0.0, 0.0}};
  joint.name = "shoulder";
  robot.joints.push_back(joint);
  joint.name = "elbow";
  robot.joints.push_back(joint);
  return robot;
}

/// What is said after one change in joint 1.
template <class Change>
std::string said_of_joint(Change change, AngleUnit written_in = AngleUnit::rad) {
  Robot robot = sound_robot();
  change(robot.joints[1]);
  return said(robot, written_in);
}

TEST(Check, ASoundRobotHasNoFindings) {
  EXPECT_EQ(said(sound_robot()), "");
  EXPECT_TRUE(check(sound_robot()).empty());
}

TEST(Check, ARobotHasANameInOneLine) {
  Robot robot = sound_robot();
  robot.name = "";
  EXPECT_EQ(said(robot), "error: name: found \"\"; expected a name in one line");
  robot.name = "a\nb";
  EXPECT_EQ(said(robot), "error: name: found \"a\\nb\"; expected a name in one line");
}

TEST(Check, ARobotHasJoints) {
  Robot robot = sound_robot();
  robot.joints.clear();
  robot.poses.push_back({"zero", {}});
  EXPECT_EQ(said(robot), "error: joints: found none; expected at least one joint");
}

TEST(Check, JointNamesStartWithALetter) {
  for (const std::string name : {"1", "", "-a", "_a", "a b", "q[deg]", "é", "a,b"}) {
    EXPECT_EQ(said_of_joint([&](Joint& joint) { joint.name = name; }),
              "error: joints[1].name: found \"" + name +
                  "\"; expected a letter, then letters, digits, \"_\" or \"-\"");
  }
  for (const std::string name : {"a", "J2", "wrist_roll-2"}) {
    EXPECT_EQ(said_of_joint([&](Joint& joint) { joint.name = name; }), "");
  }
}

TEST(Check, JointNamesAreUnique) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.name = "shoulder"; }),
            "error: joints[1].name: found \"shoulder\", the name of joints[0] too; expected a name "
            "of its own");
}

TEST(Check, MassesAreNotNegative) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.body.mass = -0.1; }),
            "error: joints[1].mass: found -0.1; expected 0 or more, in kg");
  Robot robot = sound_robot();
  robot.payload.mass = -1.0;
  EXPECT_EQ(said(robot), "error: payload.mass: found -1; expected 0 or more, in kg");
}

TEST(Check, CoulombFrictionIsAMagnitude) {
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.friction.coulomb = {0.126, -0.071};
            }),
            "error: joints[1].friction.coulomb: found [0.126, -0.071]; expected magnitudes, 0 or "
            "more, for both directions; published tables carry the sign of the torque: write "
            "[0.126, 0.071]");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.motor.coulomb = {-0.4, -0.4};
            }),
            "error: joints[1].motor.coulomb: found -0.4; expected magnitudes, 0 or more, for both "
            "directions; published tables carry the sign of the torque: write 0.4");
}

TEST(Check, BreakawayIsNotBelowCoulomb) {
  const auto with = [](TwoSided breakaway) {
    return said_of_joint([&](Joint& joint) {
      joint.friction.coulomb = {2.0, 1.8};
      joint.friction.breakaway = breakaway;
    });
  };
  EXPECT_EQ(with({2.0, 1.8}), "");
  EXPECT_EQ(with({1.9, 1.9}),
            "error: joints[1].friction.static: found 1.9; expected at least the Coulomb friction, "
            "which is [2, 1.8]");
}

TEST(Check, BreakawayIsNotComparedWithAWrongCoulomb) {
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.friction.coulomb = {-1.0, 2.0};
              joint.friction.breakaway = {0.5, 0.5};
            }),
            "error: joints[1].friction.coulomb: found [-1, 2]; expected magnitudes, 0 or more, for "
            "both directions; published tables carry the sign of the torque: write [1, 2]");
}

TEST(Check, OtherFrictionIsNotNegative) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.friction.viscous = -1.0; }),
      "error: joints[1].friction.viscous: found -1; expected 0 or more, in N·m·s/rad or N·s/m");
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.friction.stribeck_velocity = -0.1; }),
      "error: joints[1].friction.stribeck_velocity: found -0.1; expected 0 or more, in rad/s or "
      "m/s");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.motor.viscous = -0.1; }),
            "error: joints[1].motor.viscous: found -0.1; expected 0 or more, in N·m·s/rad");
}

TEST(Check, NoSpeedIsComparedWithAWrongLimit) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.limits.velocity = -2.0; }),
            "error: joints[1].limits.velocity: found -2; expected more than 0, in rad/s");
}

TEST(Check, RippleIsAShare) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.friction.ripple.amplitude = 1.0; }), "");
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.friction.ripple.amplitude = 1.5; }),
      "error: joints[1].friction.ripple.amplitude: found 1.5; expected 0 to 1, a share of the "
      "dry friction");
}

TEST(Check, MotorsArePossible) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.motor.gear_ratio = -60.0; }), "");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.motor.rotor_inertia = -1e-4; }),
            "error: joints[1].motor.rotor_inertia: found -0.0001; expected 0 or more, in kg·m²");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.motor.gear_ratio = 0.0; }),
            "error: joints[1].motor.gear_ratio: found 0; expected rotor speed over joint speed, 1 "
            "without a gear");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.motor.efficiency = {0.0, 0.0};
            }),
            "error: joints[1].motor.efficiency: found 0; expected more than 0 and at most 1");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.motor.efficiency = {0.8, 0.8};
            }),
            "warning: joints[1].motor.efficiency: found 0.8; it is for sizing alone; the torques "
            "have the losses of friction, viscous and coulomb");
  EXPECT_EQ(
      said_of_joint([](Joint& joint) {
        joint.motor.efficiency = {0.8, 1.2};
      }).substr(0, 87),
      "error: joints[1].motor.efficiency.back_driving: found 1.2; expected more than 0 and at ");
}

TEST(Check, RatingsThatContradictOneAnotherAreToldWithBothPlaces) {
  const auto said = [](double continuous) {
    return said_of_joint([continuous](Joint& joint) {
      joint.motor.ratings.peak_torque = 2.0;
      joint.motor.ratings.continuous_torque = continuous;
    });
  };
  EXPECT_EQ(said(2.0), "");
  EXPECT_EQ(said(2.5),
            "error: joints[1].motor.continuous_torque: found 2.5; expected at most "
            "joints[1].motor.peak_torque, which is 2\n"
            "error: joints[1].motor.peak_torque: found 2; expected at least "
            "joints[1].motor.continuous_torque, which is 2.5");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.motor.ratings.torque_speed = {{0.0, 2.0}, {100.0, 2.0}, {100.0, 1.0}};
            }),
            "error: joints[1].motor.torque_speed[2]: found the speed 100 behind "
            "joints[1].motor.torque_speed[1] with 100; expected speeds that increase");
  for (const SpeedTorque& point : {SpeedTorque{-3.0, 0.5}, {3.0, -0.5}}) {
    const std::string shown = point.speed < 0.0 ? "-3, 0.5" : "3, -0.5";
    EXPECT_EQ(said_of_joint([&](Joint& joint) { joint.motor.ratings.torque_speed = {point}; }),
              "error: joints[1].motor.torque_speed[0]: found [" + shown +
                  "]; expected 0 or more, in rad/s and N·m");
  }
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.motor.ratings.torque_speed = {{0.0, 0.0}, {2.0, 0.0}};
            }),
            "");
}

TEST(Check, LimitsAreInOrder) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) {
        joint.limits.position = {1.0, -1.0};
      }),
      "error: joints[1].limits.position: found 1 to -1 rad; expected a lower limit and then a "
      "higher one");
  EXPECT_EQ(
      said_of_joint(
          [](Joint& joint) {
            joint.limits.position = {pi, -pi / 4};
          },
          AngleUnit::deg),
      "error: joints[1].limits.position: found 180 to -45 deg; expected a lower limit and then "
      "a higher one");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.limits.velocity = 0.0; }),
            "error: joints[1].limits.velocity: found 0; expected more than 0, in rad/s");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.type = JointType::prismatic;
              joint.limits.torque = -1.0;
            }),
            "error: joints[1].limits.torque: found -1; expected more than 0, in N");
}

TEST(Check, CouplingsHaveTheSizesOfTheirMotors) {
  Robot robot = sound_robot();
  robot.joints.push_back(robot.joints[1]);
  robot.joints[2].name = "wrist";
  const auto said_of_second = [&](auto change) {
    robot.couplings = {{{0}, {40.0}, {0.0}}, {{1, 2}, {40.0, 0.0, 30.0, 30.0}, {0.0, 0.0}}};
    change(robot.couplings[1]);
    return said(robot);
  };
  const std::string second = "error: couplings[1].";
  const std::string size = second + "matrix: expected 2 rows and columns, and as many offsets";
  EXPECT_EQ(said_of_second([](Coupling& c) {
              c.torque_limits = c.velocity_limits = {2.0, 3.0};
            }),
            "");
  EXPECT_EQ(said_of_second([](Coupling& c) { c.matrix.pop_back(); }), size);
  EXPECT_EQ(said_of_second([](Coupling& c) { c.offsets = {0.0}; }), size);
  EXPECT_EQ(said_of_second([](Coupling& c) { c.velocity_limits = {2.0}; }),
            second + "limits.velocity: found 1 of 2 motors; expected one per motor, or none");
  EXPECT_EQ(said_of_second([](Coupling& c) {
              c.torque_limits = {2.0, 3.0, 0.0};
            }),
            second + "limits.torque: found 3 of 2 motors; expected one per motor, or none\n" +
                second + "limits.torque[2]: found 0; expected more than 0, in N·m");
  EXPECT_EQ(said_of_second([](Coupling& c) { c.joints.clear(); }),
            second + "motors: found none; expected the numbers of joints");
  EXPECT_EQ(said_of_second([](Coupling& c) { c.joints[1] = 3; }),
            second + "motors: found 4; expected numbers of joints, 1 to 3");
  EXPECT_EQ(said_of_second([](Coupling& c) { c.joints[1] = 0; }),
            second + "motors: found 1 twice; a joint's motor is coupled once");
}

TEST(Check, PosesHaveOneNumberPerJoint) {
  Robot robot = sound_robot();
  robot.poses = {{"ready", {0.0}}, {"2nd", {0.0, 0.0}}};
  EXPECT_EQ(
      said(robot),
      "error: poses.ready: found 1 number; expected 2, one per joint\n"
      "error: poses.\"2nd\": found \"2nd\"; expected a letter, then letters, digits, \"_\" or "
      "\"-\"");
}

TEST(Check, NumbersAreFinite) {
  Robot robot = sound_robot();
  robot.gravity.z = -infinity;
  robot.joints[1].dh.alpha = nan;
  robot.joints[1].body.inertia.xy = nan;
  robot.joints[1].body.mass = -1.0;  // not looked at while there are such numbers
  EXPECT_EQ(said(robot),
            "error: gravity[2]: found -inf; expected a finite number\n"
            "error: joints[1].dh.alpha: found nan; expected a finite number\n"
            "error: joints[1].inertia.xy: found nan; expected a finite number");
}

TEST(Check, EveryNumberIsLookedAt) {
  const auto is_found = [](auto change) {
    Robot robot = sound_robot();
    change(robot);
    return has_error(check(robot));
  };
  for (double DhRow::*const number : {&DhRow::a, &DhRow::alpha, &DhRow::d, &DhRow::theta}) {
    EXPECT_TRUE(is_found([number](Robot& r) { r.joints[0].dh.*number = nan; }));
  }
  EXPECT_TRUE(is_found([](Robot& r) { r.base.xyz.y = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.tool.rpy.x = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.payload.com.z = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].friction.coulomb.negative = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].friction.breakaway = {nan, 1.0}; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].friction.ripple.phase = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].motor.efficiency.driving = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].limits.position = {0.0, infinity}; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].limits.velocity = infinity; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.joints[0].limits.torque = nan; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.poses = {{"ready", {0.0, nan}}}; }));
  EXPECT_TRUE(is_found([](Robot& r) { r.poses = {{"ready", {nan, 0.0}}}; }));
}

TEST(Check, InertiasThatNoBodyHasAreSuspicious) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.body.inertia = {0.1, 0.1, 0.1, 0.2, 0.0, 0.0}; }),
      "warning: joints[1].inertia: not positive semidefinite: principal moments -0.1, 0.1, 0.3 "
      "kg·m² about the center of mass; none may be below 0");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.body.inertia = {0.066, 0.086, 0.0125};
            }),
            "warning: joints[1].inertia: principal moments 0.0125, 0.066, 0.086 kg·m² violate the "
            "triangle inequality: 0.0125 + 0.066 is less than 0.086");
  Robot robot = sound_robot();
  robot.payload = {1.0, {}, {0.0, 0.0, 0.1}};
  EXPECT_EQ(said(robot), "") << "planar";
  robot.joints[0].dh.alpha = pi / 2;
  EXPECT_EQ(said(robot),
            "warning: payload.inertia: principal moments 0, 0, 0.1 kg·m² violate the triangle "
            "inequality: 0 + 0 is less than 0.1");
}

TEST(Check, RodsPlatesAndPointsAreBodies) {
  for (const SymMat3& inertia :
       {SymMat3{0.0, 0.2, 0.2, 0, 0, 0}, SymMat3{0.00032, 0.0001, 0.00042, 0, 0, 0},
        SymMat3{0.1, 0.1, 0.2, 0.1, 0, 0}, SymMat3{}}) {
    EXPECT_EQ(said_of_joint([&](Joint& joint) { joint.body.inertia = inertia; }), "");
  }
}

TEST(Check, InertiaWithoutMassIsSuspicious) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.body.mass = 0.0; }),
            "warning: joints[1].mass: found 0 with an inertia that is not 0");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.body = {}; }), "");
}

TEST(Check, ACenterOfMassFarOutsideTheLinkIsSuspicious) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.body.com = {-4.0, 0.0, 0.0}; }), "");
  EXPECT_EQ(
      said_of_joint([](Joint& joint) {
        joint.body.com = {0.0, 6.4, 0.0};
      }),
      "warning: joints[1].com: 6.4 m from the origin of the link's frame, 6.4 times the link's "
      "size of 1 m (the largest of its row, the way to the tool, its radius of gyration and 5 % of "
      "all rows); is the unit right?");
}

TEST(Check, ALinkIsAsLargeAsTheNextRowOrTheToolSays) {
  Robot robot = sound_robot();
  robot.convention = Convention::modified;
  robot.joints[0].dh.a = 0.0;
  robot.joints[0].body.com = {3.5, 0.0, 0.0};
  EXPECT_EQ(said(robot), "");
  robot.joints[1].body.com = {5.0, 0.0, 0.0};
  robot.tool.xyz = {1.5, 0.0, 0.0};
  EXPECT_EQ(said(robot), "");
}

TEST(Check, APendulumWithoutLengthsInItsTableIsNotSuspicious) {
  Robot robot = sound_robot();
  robot.joints.pop_back();
  robot.joints[0].dh = {};
  robot.joints[0].body = {1.0, {10.0, 0.0, 0.0}, {}};
  EXPECT_EQ(said(robot), "");
}

TEST(Check, ACenterOfMassBeyondTheFarEndOfALinkIsSuspicious) {
  const auto com = [](double x) {
    return said_of_joint([&](Joint& joint) { joint.body.com.x = x; });
  };
  EXPECT_EQ(com(0.5),
            "warning: joints[1].com: found [0.5, 0, 0], on the other side of frame {2} than the "
            "link: in a standard table that frame is at the link's far end, and its joint is at "
            "[-1, 0, 0]; is a sign wrong, or com expressed in another frame?");
  EXPECT_EQ(com(0.25), "");
  EXPECT_EQ(com(-1.5), "");  // a counterweight behind the joint
}

TEST(Check, ACenterOfMassBehindTheJointOfAModifiedLinkIsSuspicious) {
  Robot robot = sound_robot();
  robot.convention = Convention::modified;
  robot.joints[0].body.com = {0.0, 0.3, 0.0};
  robot.joints[1].dh = {.a = 0.0, .alpha = pi / 2, .d = 0.5, .theta = 0.0};
  EXPECT_EQ(said(robot),
            "warning: joints[0].com: found [0, 0.3, 0], on the other side of frame {1} than the "
            "link: in a modified table that frame is at the link's joint, and its far end is at "
            "[0, -0.5, 0]; is a sign wrong, or com expressed in another frame?");
  robot.joints[0].body.com.y = -0.3;
  EXPECT_EQ(said(robot), "");
}

TEST(Check, WhereALinkEndsIsUnknownBehindAPrismaticJoint) {
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.type = JointType::prismatic;
              joint.body.com.x = 0.5;
            }),
            "");
}

TEST(Check, AnInertiaWiderThanTheArmIsSuspicious) {
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.body.inertia = {100.0, 2000.0, 2000.0};
            }),
            "warning: joints[1].inertia: radius of gyration 31.6 m, more than all lengths of the "
            "table together (2 m); are the units kg and kg·m²?");
}

/// Axes 2 and 3 of a lifted arm, 1e-4 rad from parallel, as a calibration finds them: their common
/// normal is 574 m away.
Robot calibrated_robot() {
  Robot robot = sound_robot();
  robot.convention = Convention::modified;
  robot.joints.push_back(robot.joints[1]);
  robot.joints.push_back(robot.joints[1]);
  robot.joints[2].name = "wrist";
  robot.joints[3].name = "flange";
  robot.joints[0].dh = {.a = 0.0, .alpha = 0.0, .d = 0.16, .theta = 0.0};
  robot.joints[1].dh = {.a = 0.0, .alpha = pi / 2 + 0.00031234, .d = 574.0, .theta = 0.0};
  robot.joints[2].dh = {.a = 0.4, .alpha = 1e-4, .d = -573.9, .theta = 0.0};
  robot.joints[3].dh = {.a = 0.0, .alpha = 1.5711234567, .d = 0.1, .theta = 0.0};
  for (Joint& joint : robot.joints) joint.body.com = {0.0, 0.0, 0.05};
  robot.joints[1].body.com = {0.2, 0.0, -574.0};
  return robot;
}

TEST(Check, FramesFarAwayOnNearlyParallelAxesAreNotMillimeters) {
  EXPECT_EQ(said(calibrated_robot()), "");
  // Axes that cross so far away without coming back are.
  Robot robot = calibrated_robot();
  robot.joints[2].dh.d = 0.1;
  EXPECT_NE(said(robot).find("joints[1].dh.d: found 574 m, which looks like millimeters"),
            std::string::npos);
}

TEST(Check, ACenterOfMassFarFromACalibratedArmIsSuspicious) {
  Robot robot = calibrated_robot();
  robot.joints[1].body.com.z = 0.1;  // of the nominal table
  EXPECT_EQ(said(robot),
            "warning: joints[1].com: found [0.2, 0, 0.1], 574.1 m away from the link, in an arm of "
            "0.764 m: by nearly parallel axes the table's frames stand far away; is com expressed "
            "in frame {2} there?");
}

TEST(Check, ALinkThatWeighsNothingBesideOthersIsSuspicious) {
  Robot robot = calibrated_robot();
  robot.joints[1].body.mass = 0.007;
  EXPECT_EQ(said(robot),
            "warning: joints[1].mass: found 0.007 kg, of a link beside shoulder with 2 kg; is the "
            "unit kg?");
  for (const double moment : {1e-5, 1e-2}) {  // of a flange, and of what weighs more
    robot = sound_robot();
    robot.joints[1].body = {0.007, {0.0, 0.0, 0.05}, {moment, moment, moment}};
    EXPECT_EQ(said(robot) == "", moment < 1e-3) << said(robot);
  }
}

TEST(Check, AnArmThatIsLongAsAWholeIsSuspicious) {
  Robot robot = sound_robot();
  for (Joint& joint : robot.joints) {
    joint.dh.a = 42.0;
    joint.body.com.x = -21.0;
  }
  EXPECT_EQ(said(robot),
            "warning: joints: the table's lengths are 84 m together, longer than any arm; are they "
            "in cm or mm, where m is expected?");
  robot = sound_robot();
  robot.base.xyz = {0.0, 0.0, 1000.0};
  EXPECT_EQ(said(robot),
            "warning: base.xyz: found 1000 m, which looks like millimeters; for millimeters write "
            "length_unit: mm");
}

TEST(Check, OneCauseIsNamedAndItsConsequencesCounted) {
  Robot robot = sound_robot();
  for (Joint& joint : robot.joints) {
    joint.dh.a = 425.0;
    joint.dh.alpha = 90.0;
    joint.limits.velocity = 180.0;
    joint.body.mass = 1e8;
  }
  EXPECT_EQ(
      said(robot),
      "warning: joints[0].dh.a: found 425 m, which looks like millimeters; for millimeters "
      "write length_unit: mm; 3 more warnings follow from this\n"
      "warning: joints[0].dh.alpha: found 90 rad, which looks like degrees; for degrees write "
      "angle_unit: deg, or a text such as pi/2; 3 more warnings follow from this");
}

TEST(Check, ATensorByItsRowsUnderOtherKeysIsSuspected) {
  const SymMat3 I{0.3, 0.4, 0.2, 0.01, -0.02, 0.03};
  for (const SymMat3& written :
       {SymMat3{I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}, SymMat3{I.xx, I.xy, I.xz, I.yy, I.zz, I.yz}}) {
    Robot robot = sound_robot();
    for (Joint& joint : robot.joints) joint.body.inertia = written;
    const std::string found = said(robot);
    EXPECT_EQ(found.find("warning: joints[0].inertia: not positive semidefinite"), 0U) << found;
    EXPECT_NE(found.find("; as the rows xx, xy, xz, yy, yz, zz of a tensor they are consistent; "
                         "are the keys exchanged?; 1 more warning follows from this"),
              std::string::npos)
        << found;
  }
}

TEST(Check, LengthsInMillimetersAreSuspicious) {
  const auto with_lengths = [](double a, double d, double tool) {
    Robot robot = sound_robot();
    robot.joints[1].dh.a = a;
    robot.joints[1].dh.d = d;
    robot.tool.xyz.z = tool;
    return said(robot);
  };
  EXPECT_EQ(with_lengths(20.0, -20.0, 20.0), "");
  EXPECT_EQ(
      with_lengths(275.0, -387.0, 120.0),
      "warning: joints[1].dh.a: found 275 m, which looks like millimeters; for millimeters write "
      "length_unit: mm; 2 more warnings follow from this");
  // Written in millimeters already, and the farther end of a rail.
  Robot robot = sound_robot();
  robot.joints[0].type = JointType::prismatic;
  for (const Range& range : {Range{-60.0, 50.5}, Range{-50.5, -50.0}, Range{0.0, 60.0}}) {
    robot.joints[0].limits.position = range;
    const std::string farther = range.lower == 0.0 ? "60" : range.upper > 0.0 ? "-60" : "-50.5";
    ASSERT_EQ(check(robot, {AngleUnit::rad, LengthUnit::mm}).size(), 1U);
    EXPECT_EQ(check(robot, {AngleUnit::rad, LengthUnit::mm})[0].message,
              "found " + farther + " m, which looks like millimeters; is the number right?");
  }
}

TEST(Check, AnInertiaAboutTheOriginThatDoesNotSaySoIsSuspected) {
  const auto rod = [](double com, double moment, Convention convention) {
    Robot robot = sound_robot();
    robot.convention = convention;
    robot.joints[0].body = {3.0, {com, 0.0, 0.0}, {0.001, moment, moment}};
    return said(robot);
  };
  const std::string suspicion =
      "warning: joints[0].inertia: radius of gyration 0.577 m about a center of mass that is 0.5 m "
      "from the origin of frame {1}, of a link of 1 m: mass must lie far beyond its ends; if the "
      "tensor is about the origin, write inertia_about: origin";
  for (const Convention convention : {Convention::standard, Convention::modified}) {
    const double middle = convention == Convention::standard ? -0.5 : 0.5;
    EXPECT_EQ(rod(middle, 3.0 / 3, convention), suspicion);  // m L²/3 of a uniform rod
    EXPECT_EQ(rod(middle, 3.0 / 12, convention), "");        // m L²/12
    EXPECT_EQ(rod(0.4 * middle, 3.0 / 3, convention), "");   // heavy joints at both ends
  }
}

TEST(Check, ARotorSlowerThanItsJointIsSuspicious) {
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.motor.gear_ratio = -0.01; }),
            "warning: joints[1].motor.gear_ratio: found -0.01, a rotor slower than its joint; is "
            "it joint speed over rotor speed, and the ratio -100?");
}

TEST(Check, ProductsOfInertiaWithTheOtherSignAreSuspected) {
  const auto with_products = [](double product) {
    return said_of_joint(
        [&](Joint& joint) { joint.body.inertia = {0.03, 0.03, 0.03, product, product, product}; });
  };
  EXPECT_EQ(with_products(-0.01), "");
  EXPECT_EQ(with_products(0.01),
            "warning: joints[1].inertia: principal moments 0.02, 0.02, 0.05 kg·m² violate the "
            "triangle inequality: 0.02 + 0.02 is less than 0.05; with the other sign of xy, yz "
            "and xz it is consistent: are they products of inertia, +∫xy dm?");
}

/// What is said of a 2 kg link whose inertia was written about the origin of its frame.
std::string said_of_inertia_about_origin(const SymMat3& written) {
  Robot robot = sound_robot();
  robot.joints[1].body.com = {-0.5, 0.2, 0.0};
  robot.joints[1].body.inertia = about_com(written, 2.0, robot.joints[1].body.com);
  std::string lines;
  for (const Finding& finding :
       check(robot, {AngleUnit::rad, LengthUnit::m, {std::nullopt, Placement{}}})) {
    lines += finding.message;
  }
  return lines;
}

TEST(Check, SlipsAboutThePointOfTheInertiaAreSuspected) {
  const SymMat3 about_com{0.01, 0.1, 0.1, 0, 0, 0};
  const SymMat3 about_its_origin =
      about_origin({2.0, {-0.5, 0.2, 0.0}, about_com});  // xy = +0.2 beside 0.09, 0.6, 0.68
  EXPECT_EQ(said_of_inertia_about_origin(about_its_origin), "");

  SymMat3 products = about_its_origin;
  products.xy = -products.xy;
  EXPECT_NE(said_of_inertia_about_origin(products).find("are they products of inertia"),
            std::string::npos);
  EXPECT_NE(said_of_inertia_about_origin(about_com).find(
                "is inertia_about: origin right, or xyz of inertia_frame?"),
            std::string::npos);
}

TEST(Check, AnglesThatLookLikeDegreesAreSuspicious) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.dh.alpha = -90.0; }),
      "warning: joints[1].dh.alpha: found -90 rad, which looks like degrees; for degrees write "
      "angle_unit: deg, or a text such as pi/2");
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.limits.position = {-13.0, 225.0};
            }),
            "warning: joints[1].limits.position: found -13 rad, which looks like degrees; for "
            "degrees write angle_unit: deg, or a text such as pi/2");
  Robot robot = sound_robot();
  robot.joints[0].type = JointType::prismatic;
  robot.poses = {{"ready", {90.0, 45.0}}};
  EXPECT_EQ(said(robot),
            "warning: poses.ready[1]: found 45 rad, which looks like degrees; for degrees write "
            "angle_unit: deg, or a text such as pi/2");
}

TEST(Check, AWholeTurnAndTwoTurnLimitsAreNotSuspicious) {
  EXPECT_EQ(said_of_joint([](Joint& joint) {
              joint.dh.theta = -2.0 * pi;
              joint.limits.position = {-4.0 * pi, 4.0 * pi};
            }),
            "");
  EXPECT_EQ(said_of_joint([](Joint& joint) { joint.dh.theta = 2.5 * pi; }, AngleUnit::deg), "");
}

TEST(Check, RoundedRightAnglesAreSuspicious) {
  const auto alpha = [](double angle) {
    return said_of_joint([&](Joint& joint) { joint.dh.alpha = angle; });
  };
  const auto warning = [](const std::string& found, const std::string& meant) {
    return "warning: joints[1].dh.alpha: found " + found +
           " rad, which is not taken as a right angle; if one is meant, write " + meant;
  };
  EXPECT_EQ(alpha(1.5708), warning("1.5708", "pi/2"));
  EXPECT_EQ(alpha(-1.57), warning("-1.57", "-pi/2"));
  EXPECT_EQ(alpha(3.1416), warning("3.1416", "pi"));
  EXPECT_EQ(alpha(4.712), warning("4.712", "3*pi/2"));
  EXPECT_EQ(alpha(-6.283), warning("-6.283", "-2*pi"));
  for (const double angle :
       {0.0, 1e-4, 1.5707963267948966, -pi, 1.5 * pi, 1.58, 0.7854, 1.5711234567, 1.5703}) {
    EXPECT_EQ(alpha(angle), "") << angle;
  }
}

TEST(Check, AnglesInDegreesAreShownInDegrees) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.dh.theta = 89.99 / 180.0 * pi; }, AngleUnit::deg),
      "warning: joints[1].dh.theta: found 89.99 deg, which is not taken as a right angle; if "
      "one is meant, write 90");
}

TEST(Check, DegreesThatLookLikeRadiansAreSuspicious) {
  EXPECT_EQ(
      said_of_joint([](Joint& joint) { joint.dh.alpha = 1.5708 / 180.0 * pi; }, AngleUnit::deg),
      "warning: joints[1].dh.alpha: found 1.5708 deg, which looks like radians; if so, write "
      "pi/2");
}

TEST(Check, ErrorsComeBeforeWarnings) {
  Robot robot = sound_robot();
  robot.joints[0].dh.alpha = 90.0;
  robot.joints[1].body.mass = -1.0;
  EXPECT_EQ(
      said(robot),
      "error: joints[1].mass: found -1; expected 0 or more, in kg\n"
      "warning: joints[0].dh.alpha: found 90 rad, which looks like degrees; for degrees write "
      "angle_unit: deg, or a text such as pi/2");
}

TEST(Check, OnlyErrorsCountAsErrors) {
  Robot robot = sound_robot();
  robot.joints[0].dh.alpha = 90.0;
  EXPECT_FALSE(has_error(check(robot)));
  robot.joints[1].body.mass = -1.0;
  EXPECT_TRUE(has_error(check(robot)));
}

}  // namespace
}  // namespace armdyn
