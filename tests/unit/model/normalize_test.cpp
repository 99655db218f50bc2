#include <gtest/gtest.h>
#include <armdyn/robot.hpp>

#include <numbers>
#include <stdexcept>

namespace armdyn {
namespace {

using std::numbers::pi;

Robot two_joints(Convention convention) {
  Robot robot;
  robot.convention = convention;
  robot.joints.resize(2);
  robot.joints[0].dh = {.a = 0.4, .alpha = pi / 2, .d = 0.1, .theta = -pi / 2};
  robot.joints[0].body = {2.0, {-0.2, 0.03, 0.05}, {1, 2, 3, 0.4, 0.5, 0.6}};
  robot.joints[1].dh = {.a = 0.3, .alpha = 0, .d = 0, .theta = pi};
  return robot;
}

TEST(Normalize, ShiftsLengthAndTwistOfAStandardTableByOneRow) {
  const Arm arm = normalize(two_joints(Convention::standard));
  EXPECT_EQ(arm.links[0].a, 0.0);
  EXPECT_EQ(arm.links[0].sin_alpha, 0.0);
  EXPECT_EQ(arm.links[1].a, 0.4);
  EXPECT_EQ(arm.links[1].sin_alpha, 1.0);
  EXPECT_EQ(arm.links[1].cos_alpha, 0.0);
  EXPECT_EQ(arm.tool.p, (Vec3{0.3, 0, 0}));
}

TEST(Normalize, MovesTheBodyOfAStandardLinkToTheJointsEnd) {
  const MassProperties body = normalize(two_joints(Convention::standard)).links[0].body;
  EXPECT_EQ(body.com, (Vec3{0.4 - 0.2, -0.05, 0.03}));  // Rx(90°): y → z, z → −y
  EXPECT_EQ(body.inertia, (SymMat3{1, 3, 2, -0.6, -0.5, 0.4}));
}

TEST(Normalize, KeepsAModifiedTable) {
  const Arm arm = normalize(two_joints(Convention::modified));
  EXPECT_EQ(arm.links[0].a, 0.4);
  EXPECT_EQ(arm.links[0].sin_alpha, 1.0);
  EXPECT_EQ(arm.links[0].body.com, (Vec3{-0.2, 0.03, 0.05}));
  EXPECT_EQ(arm.tool, Transform{});
}

TEST(Normalize, IsExactAtRightAngles) {
  const Arm arm = normalize(two_joints(Convention::modified));
  EXPECT_EQ(arm.links[0].sin_theta, -1.0);
  EXPECT_EQ(arm.links[0].cos_theta, 0.0);
  EXPECT_EQ(arm.links[1].sin_theta, 0.0);
  EXPECT_EQ(arm.links[1].cos_theta, -1.0);
}

TEST(Normalize, TurnsGravityIntoTheBaseFrame) {
  Robot robot = two_joints(Convention::modified);
  robot.base.rpy = {pi / 2, 0, 0};  // y of {0} points up
  EXPECT_EQ(normalize(robot).v_dot_0, (Vec3{0, 9.81, 0}));
}

TEST(Normalize, JoinsThePayloadByTheParallelAxisTheorem) {
  Robot robot = two_joints(Convention::modified);
  robot.joints[1].body = {1.0, {0, 0, 0}, {}};
  robot.payload = {3.0, {0.4, 0, 0}, {}};
  const MassProperties body = normalize(robot).links[1].body;
  EXPECT_EQ(body.mass, 4.0);
  EXPECT_DOUBLE_EQ(body.com.x, 0.3);
  EXPECT_DOUBLE_EQ(body.inertia.zz, 1.0 * 0.3 * 0.3 + 3.0 * 0.1 * 0.1);
  EXPECT_EQ(body.inertia.xx, 0.0);
}

TEST(Normalize, RefusesARobotWithoutJoints) {
  EXPECT_THROW(static_cast<void>(normalize(Robot{})), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn
