#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/examination.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

using std::numbers::pi;
using Kind = MassMatrixVerdict::Kind;
using Joints = std::vector<std::size_t>;

Robot shipped(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot;
}

std::string warnings(const Robot& robot) {
  std::string lines;
  for (const Finding& finding : examine(robot).warnings) {
    lines += finding.path + ": " + finding.message + "\n";
  }
  return lines;
}

/// A vertical axis, 0.3 m beside it a level one, and a point mass 0.5 m from that.
Robot point_on_a_crane() {
  Robot robot;
  robot.name = "crane";
  robot.convention = Convention::modified;
  robot.joints.resize(2);
  robot.joints[0].name = "slew";
  robot.joints[1].name = "luff";
  robot.joints[1].dh = {.a = 0.3, .alpha = pi / 2, .d = 0.0, .theta = 0.0};
  robot.joints[1].body = {2.0, {0.5, 0.0, 0.0}, {}};
  return robot;
}

TEST(Reach, IsThatOfTheOutstretchedArm) {
  const Examination found = examine(shipped("two-link-rods"));
  EXPECT_DOUBLE_EQ(found.reach.value, 2.0);
  EXPECT_EQ(found.reach.q[1], 0.0);
  EXPECT_DOUBLE_EQ(found.axis_reach.value, 2.0);
}

TEST(Reach, KeepsToThePositionLimits) {
  Robot robot = shipped("two-link-rods");
  robot.joints[1].limits.position = {pi / 2, 3.0};
  EXPECT_NEAR(examine(robot).reach.value, std::sqrt(2.0), 1e-12);
}

TEST(Reach, IsMeasuredToTheTool) {
  Robot robot = point_on_a_crane();
  robot.tool.xyz = {0.5, 0.0, 0.0};
  robot.joints[0].dh.d = 1.0;
  const Examination found = examine(robot);
  EXPECT_NEAR(found.axis_reach.value, 0.8, 1e-9);
  // Where the luff points away from the origin: 0.5 m beyond √(1 + 0.09) m.
  EXPECT_NEAR(found.reach.value, 0.5 + std::sqrt(1.09), 1e-9);
}

TEST(Reach, FromAnAxisNeedsOne) {
  Robot robot = point_on_a_crane();
  robot.joints[0].type = JointType::prismatic;
  EXPECT_TRUE(examine(robot).axis_reach.q.empty());
}

TEST(Loads, AreTheExtremesOverTheRange) {
  // Two rods of 1 m, 2 and 1 kg: M11 = 2/3 + 1/3 + 1 + cos q2.
  const std::vector<JointLoad> loads = examine(shipped("two-link-rods")).loads;
  EXPECT_NEAR(loads[0].largest_inertia.value, 3.0, 1e-6);
  EXPECT_NEAR(loads[0].smallest_inertia.value, 1.0, 1e-6);
  EXPECT_NEAR(std::abs(loads[0].smallest_inertia.q[1]), pi, 1e-6);
  EXPECT_EQ(loads[0].largest_gravity.value, 0.0);
}

TEST(Loads, OfGravityIncludeBothDirections) {
  Robot robot = shipped("two-link-spong");
  robot.joints[0].limits.position = {pi / 2, pi};  // to the left only, where the torque is negative
  EXPECT_NEAR(examine(robot).loads[0].largest_gravity.value, 19.62, 1e-9);
}

TEST(Loads, OfRotorsAreReflected) {
  Robot robot = shipped("two-link-rods");
  robot.joints[1].motor = {.rotor_inertia = 1e-4, .gear_ratio = -50.0, .coulomb = {0.1, 0.1}};
  EXPECT_DOUBLE_EQ(examine(robot).loads[1].rotor_inertia, 0.25);
}

TEST(MassMatrix, OfTwoRodsIsRegular) {
  const MassMatrixVerdict verdict = examine(shipped("two-link-rods")).mass_matrix;
  EXPECT_EQ(verdict.kind, Kind::regular);
  // Outstretched, scaled by √3 and √(1/3): 1 and 5/6 on and off the diagonal.
  EXPECT_NEAR(verdict.smallest_ratio.value, (1.0 - 5.0 / 6) / (1.0 + 5.0 / 6), 1e-6);
  EXPECT_EQ(verdict.joints, (Joints{0, 1}));
}

TEST(MassMatrix, OfThinRodsIsSingularWhereTheyLieOnAnAxis) {
  const MassMatrixVerdict verdict = examine(shipped("six-link-jaeri")).mass_matrix;
  EXPECT_EQ(verdict.kind, Kind::singular_somewhere);
  EXPECT_EQ(verdict.smallest_ratio.q, std::vector<double>(6, 0.0));
  EXPECT_EQ(verdict.joints, (Joints{0, 3}));
}

TEST(MassMatrix, IsSearchedBetweenTheRightAnglesToo) {
  const MassMatrixVerdict verdict = examine(point_on_a_crane()).mass_matrix;
  EXPECT_EQ(verdict.kind, Kind::singular_somewhere);
  EXPECT_NEAR(std::cos(verdict.smallest_ratio.q[1]), -0.6, 1e-5);  // the mass is above the axis
  EXPECT_EQ(verdict.joints, Joints{0});
}

TEST(MassMatrix, IsSearchedWithinTheLimitsOnly) {
  Robot robot = point_on_a_crane();
  robot.joints[1].limits.position = {-1.0, 1.5};
  EXPECT_EQ(examine(robot).mass_matrix.kind, Kind::regular);
}

TEST(MassMatrix, IsMadeRegularByARotor) {
  Robot robot = point_on_a_crane();
  robot.joints[0].motor.rotor_inertia = 0.01;
  EXPECT_EQ(examine(robot).mass_matrix.kind, Kind::regular);
}

TEST(MassMatrix, OfALastLinkWithoutInertiaIsSingularEverywhere) {
  Robot robot = point_on_a_crane();
  robot.joints.push_back(robot.joints[1]);
  robot.joints[2].name = "roll";
  robot.joints[2].body = {0.1, {}, {}};
  const MassMatrixVerdict verdict = examine(robot).mass_matrix;
  EXPECT_EQ(verdict.kind, Kind::singular_everywhere);
  EXPECT_EQ(verdict.joints, Joints{2});
  EXPECT_EQ(warnings(robot),
            "joints[2]: the mass matrix is singular at every position: joint roll can move without "
            "moving any inertia, so motions cannot be simulated; give a link its moments of "
            "inertia, or a motor its rotor_inertia\n");
}

TEST(MassMatrix, OfTwoJointsOnOneAxisIsSingularEverywhere) {
  Robot robot = shipped("two-link-rods");
  robot.joints[0].dh.a = 0.0;
  robot.joints[0].body = {};
  const MassMatrixVerdict verdict = examine(robot).mass_matrix;
  EXPECT_EQ(verdict.kind, Kind::singular_everywhere);
  EXPECT_EQ(verdict.joints, (Joints{0, 1}));
}

TEST(MassMatrix, OfImpossibleBodiesMayBeIndefinite) {
  Robot robot = shipped("two-link-rods");
  robot.joints[1].body.inertia.zz = -0.2;  // M22 = 0.05, but M11 M22 < M12² when outstretched
  EXPECT_EQ(examine(robot).mass_matrix.kind, Kind::indefinite);
  EXPECT_NE(warnings(robot).find("would have negative kinetic energy"), std::string::npos);
}

TEST(Examination, SaysWhereTheMassMatrixIsSingular) {
  EXPECT_EQ(warnings(shipped("six-link-jaeri")),
            "joints: the mass matrix is singular at q = 0,0,0,0,0,0 deg: there joints J1 and J4 "
            "can move without moving any inertia, and a simulation cannot pass; give a link its "
            "moments of inertia, or a motor its rotor_inertia\n");
}

TEST(Examination, SuspectsATorqueLimitBelowTheWeight) {
  Robot robot = shipped("two-link-spong");
  robot.joints[0].limits.torque = 15.0;
  robot.joints[1].limits.torque = 5.0;
  EXPECT_EQ(warnings(robot),
            "joints[0].limits.torque: gravity alone asks for 19.62 N·m at q = 0,0 deg, more than "
            "the limit of 15; are masses, lengths and the limit in SI units?\n");
}

TEST(Examination, SuspectsARotorThatWasReflectedAlready) {
  Robot robot = shipped("two-link-rods");
  robot.joints[1].motor = {.rotor_inertia = 0.5, .gear_ratio = 100.0, .coulomb = {}};
  EXPECT_EQ(warnings(robot),
            "joints[1].motor: reflected to the joint (times gear_ratio²) the rotor has 5000 kg·m², "
            "1667 times the arm's largest inertia about a joint; if rotor_inertia is already that "
            "at the joint, gear_ratio is 1\n");
}

TEST(Examination, NotesWhatIsInOrderButGoodToKnow) {
  Robot robot = point_on_a_crane();
  robot.joints[0].type = JointType::prismatic;
  EXPECT_EQ(examine(robot).notes,
            (std::vector<std::string>{
                "joint luff: no inertia; the link counts as a point mass",
                "joint slew: no limits of position; examined from -1 to 1 m",
                "no rotor inertia and no friction: torques of fast motions, and of slow ones under "
                "load, come out too small for a geared arm"}));
  robot.joints[1].motor.gear_ratio = -50;
  robot.joints[1].friction.viscous = 0.1;
  EXPECT_EQ(examine(robot).notes.front(),
            "joint luff: negative gear ratio; the rotor turns against the joint, and torques "
            "depend on its magnitude only");
}

TEST(JointSpace, HasPositionsWithinTheLimitsOfEachJointAlone) {
  // Zero and the pose are within the limits of joint 1, and not of the others.
  Robot robot;
  robot.joints.resize(3);
  robot.joints[0].limits.position = {-1.0, 1.0};
  robot.joints[1].limits.position = {0.2, 0.7};
  robot.joints[2].limits.position = {-3.0, -0.5};
  robot.poses = {{"low", {0.5, 0.1, -1.0}}, {"high", {0.5, 0.5, -0.4}}, {"in", {0.5, 0.7, -0.5}}};
  const JointSpace space(robot);
  for (const std::vector<double>& q : space.samples()) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_GE(q[i], robot.joints[i].limits.position->lower) << i;
      EXPECT_LE(q[i], robot.joints[i].limits.position->upper) << i;
    }
  }
  EXPECT_EQ(std::ranges::count(space.samples(), robot.poses[2].q), 1);
}

TEST(JointSpace, OfALongChainHasFewerPositionsAsEachTakesLonger) {
  const auto work = [](std::size_t dof) {
    Robot robot;
    robot.joints.resize(dof);
    return static_cast<double>(JointSpace(robot).samples().size() * dof * dof);
  };
  for (const std::size_t dof : {9U, 16U, 30U}) EXPECT_NEAR(work(dof) / work(8), 1.0, 0.03) << dof;
}

TEST(Examination, GivesTheSameResultEachTime) {
  const Robot robot = shipped("franka-panda");
  const Examination first = examine(robot), second = examine(robot);
  EXPECT_EQ(first.mass_matrix.smallest_ratio.q, second.mass_matrix.smallest_ratio.q);
  EXPECT_EQ(first.reach.q, second.reach.q);
}

TEST(Examination, OfALongChainTakesNoTime) {
  Robot robot = shipped("two-link-rods");
  while (robot.dof() < 40) robot.joints.push_back(robot.joints[1]);
  EXPECT_NEAR(examine(robot).reach.value, 40.0, 1e-9);
}

/// Luff: 2 kg, 0.5 m: 9.81 N·m of gravity and 0.5 kg·m², needs 14.8 N·m; slew: 0.1 to 1.38 kg·m².
TEST(TorqueLimits, OfAnotherUnitAreSuspicious) {
  Robot robot = point_on_a_crane();
  robot.joints[0].body = {5.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  for (const double limit : {0.06, 12.0, 1400.0}) {
    robot.joints[0].limits.torque = limit;
    EXPECT_EQ(warnings(robot), "") << limit;
  }
  robot.joints[0].limits.torque = 12000.0;
  EXPECT_EQ(warnings(robot),
            "joints[0].limits.torque: found 1.2e+04 N·m, 810.3 times what carries any joint "
            "against gravity and accelerates it by 10 rad/s²; is the limit in N·mm, or are masses "
            "too small?\n");
  robot.joints[0].limits.torque = 0.006;
  EXPECT_EQ(warnings(robot),
            "joints[0].limits.torque: found 0.006 N·m, which accelerates the joint by 0.06 rad/s² "
            "at most; is the limit in kN·m, or are masses or lengths too large?\n");
}

/// Luff needs 14.8 N·m, slew 13.8 N·m: in kg·cm limits of 20 N·m and more are 10 times that.
TEST(TorqueLimits, OfServosInKilogramCentimetersAreSuspicious) {
  Robot robot = point_on_a_crane();
  robot.joints[0].body = {5.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  robot.joints[0].limits.torque = 300.0;
  robot.joints[1].limits.torque = 130.0;
  EXPECT_EQ(warnings(robot), "") << "one of them is not ample";
  robot.joints[1].limits.torque = 204.0;
  EXPECT_EQ(warnings(robot),
            "joints[1].limits.torque: found 204 N·m, 13.77 times what carries this joint against "
            "gravity and accelerates it by 10 rad/s², and the other limits are larger still beside "
            "what they need; are they in kg·cm (0.0981 N·m), N·cm or N·mm, or are masses too "
            "small?\n");
}

TEST(TorqueLimits, AreNotJudgedByLengthsOfAnotherUnit) {
  Robot robot = point_on_a_crane();
  robot.joints[1].dh.a = 300.0;
  robot.joints[1].limits.torque = 1.0;
  const Examination found = examine(robot);
  EXPECT_EQ(std::ranges::count_if(found.warnings,
                                  [](const Finding& one) { return one.path.ends_with("torque"); }),
            0);
  EXPECT_EQ(found.notes.front().find("limits of torque are not judged"), 0U);
}

}  // namespace
}  // namespace armdyn
