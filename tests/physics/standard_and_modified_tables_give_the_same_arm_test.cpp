// One and the same arm, written in both conventions by hand, has the same torques; and at the same
// frames, the same joint wrenches.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <numbers>

#include "math/rigid.hpp"

namespace armdyn::testing {
namespace {

/// Three joints, the second prismatic, alphas neither zero nor right angles, in the standard form.
Robot standard_arm() {
  Robot robot;
  robot.name = "oblique";
  robot.convention = Convention::standard;
  robot.gravity = {1.0, -2.0, -9.0};
  robot.base = {{0.1, 0.2, 0.3}, {0.2, -0.4, 0.6}};
  const DhRow rows[] = {{0.3, 0.7, 0.2, 0.1}, {-0.2, -1.1, 0.4, 0.5}, {0.25, 0.9, -0.1, -0.3}};
  for (int i = 0; i < 3; ++i) {
    Joint joint;
    joint.type = i == 1 ? JointType::prismatic : JointType::revolute;
    joint.dh = rows[i];
    joint.body = {3.0 - 0.7 * i, {0.1 * i, -0.05, 0.08}, {0.05, 0.06, 0.07, 0.01, -0.004, 0.006}};
    robot.joints.push_back(joint);
  }
  robot.tool = {{0.02, 0.03, 0.15}, {0.1, 0.2, 0.3}};
  return robot;
}

Mat3 about_x(double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {{1, 0, 0}, {0, c, -s}, {0, s, c}};
}

/// The same arm with (a, α) one row on, and each body seen from the joint's end of its link.
Robot modified_arm() {
  Robot robot = standard_arm();
  robot.convention = Convention::modified;
  DhRow before;
  for (Joint& joint : robot.joints) {
    const DhRow own = joint.dh;
    const Transform X{about_x(own.alpha), {own.a, 0, 0}};
    joint.body.com = X * joint.body.com;
    joint.body.inertia = rotated(X.R, joint.body.inertia);
    joint.dh.a = before.a;
    joint.dh.alpha = before.alpha;
    before = own;
  }
  return robot;
}

const std::vector<double> q{0.4, 0.3, -0.8}, qd{0.7, -0.5, 1.1}, qdd{-1.2, 0.9, 0.4};

/// The tool of the modified arm stands behind the last (a, α), which its table has no place for.
Arm modified_with_tool() {
  Arm arm = normalize(modified_arm());
  arm.tool = normalize(standard_arm()).tool;
  return arm;
}

TEST(Conventions, GiveTheSameTorques) {
  const Wrench wrench{{3, -4, 5}, {0.3, 0.2, -0.1}};
  const auto standard = torque(normalize(standard_arm()), {q, qd, qdd}, wrench);
  const auto modified = torque(modified_with_tool(), {q, qd, qdd}, wrench);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(standard[i], modified[i], 1e-13 * 100) << "joint " << i + 1;
  }
}

TEST(Conventions, GiveTheSameWrenchesInTheirOwnFrames) {
  const Wrench wrench{{3, -4, 5}, {0.3, 0.2, -0.1}};
  std::vector<Wrench> standard(3), modified(3);
  InverseDynamics(normalize(standard_arm())).reactions({q, qd, qdd}, wrench, standard);
  InverseDynamics(modified_with_tool()).reactions({q, qd, qdd}, wrench, modified);
  const Robot robot = standard_arm();
  for (std::size_t i = 0; i < 3; ++i) {
    const DhRow& dh = robot.joints[i].dh;
    // Modified {i} seen from standard {i}: turned back by α; its origin is d ahead of {i−1} along
    // z.
    const Mat3 to_modified = about_x(dh.alpha);
    const double d = dh.d + (robot.joints[i].type == JointType::prismatic ? q[i] : 0.0);
    const Vec3 force = to_modified * standard[i].force;
    const Vec3 moment = to_modified * standard[i].moment - cross(Vec3{0, 0, d}, force);
    EXPECT_NEAR(force.x, modified[i].force.x, 1e-12) << "joint " << i + 1;
    EXPECT_NEAR(force.y, modified[i].force.y, 1e-12) << "joint " << i + 1;
    EXPECT_NEAR(force.z, modified[i].force.z, 1e-12) << "joint " << i + 1;
    EXPECT_NEAR(moment.x, modified[i].moment.x, 1e-12) << "joint " << i + 1;
    EXPECT_NEAR(moment.y, modified[i].moment.y, 1e-12) << "joint " << i + 1;
    EXPECT_NEAR(moment.z, modified[i].moment.z, 1e-12) << "joint " << i + 1;
  }
}

TEST(Reactions, OfAStillArmCarryItsWeight) {
  Robot robot = standard_arm();
  robot.payload = {1.5, {0.01, 0.02, 0.03}, {}};
  double mass = robot.payload.mass;
  for (const Joint& joint : robot.joints) mass += joint.body.mass;
  const std::vector<double> zero(3, 0.0);
  std::vector<Wrench> wrenches(3);
  InverseDynamics(normalize(robot)).reactions({q, zero, zero}, {}, wrenches);
  const Vec3 f = wrenches[0].force;
  EXPECT_NEAR(std::sqrt(dot(f, f)), mass * std::sqrt(dot(robot.gravity, robot.gravity)), 1e-12);
}

TEST(Reactions, AlongTheAxisAreTheTorqueOfTheLinks) {
  for (const bool standard : {true, false}) {
    const Arm arm = standard ? normalize(standard_arm()) : modified_with_tool();
    std::vector<Wrench> wrenches(3);
    InverseDynamics(arm).reactions({q, qd, qdd}, {}, wrenches);
    const auto tau = torque(arm, {q, qd, qdd});
    for (std::size_t i = 0; i < 3; ++i) {
      // The axis in {i}: z for a modified table, (0, sin α, cos α) for a standard one.
      const double alpha = standard ? standard_arm().joints[i].dh.alpha : 0.0;
      const Vec3 axis{0, std::sin(alpha), std::cos(alpha)};
      const bool revolute = arm.links[i].joint == JointType::revolute;
      EXPECT_NEAR(dot(axis, revolute ? wrenches[i].moment : wrenches[i].force), tau[i], 1e-12);
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
