#include <gtest/gtest.h>
#include <armdyn/kinematics.hpp>

#include <cmath>
#include <utility>

#include "motion/spline.hpp"
#include "support/motion_row.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double to_the_digit = 1e-15;
constexpr double of_a_crest = 1e-7;  // the time of a maximum is known to the root of a rounding

TEST(Extremes, OfAQuinticAreThoseOfItsFormula) {
  const double T = 1.7;
  const auto joint =
      extremes(point_to_point(std::vector{0.25}, std::vector{-1.75}, Profile::quintic, {T, {}}))[0];
  EXPECT_EQ(joint.highest.value, 0.25);
  EXPECT_EQ(joint.highest.t, 0.0);
  EXPECT_EQ(joint.lowest.value, -1.75);
  EXPECT_EQ(joint.lowest.t, T);
  EXPECT_NEAR(joint.velocity.value, 2 * 15.0 / 8 / T, 4 * to_the_digit);
  EXPECT_NEAR(joint.velocity.t, T / 2, to_the_digit);
  EXPECT_NEAR(joint.acceleration.value, 2 * 10 / std::sqrt(3.0) / (T * T), 1e-14);
  EXPECT_NEAR(joint.acceleration.t, T * (0.5 - std::sqrt(3.0) / 6), of_a_crest);
}

TEST(Extremes, OfASplineLieBetweenItsWaypoints) {
  // The cubic spline is 2.25 x² − 1.25 x³, then 1 + 0.75 (x − 2 x² + x³), x from the waypoint on.
  const auto joint =
      extremes(spline_through(std::vector{0.0, 1.0, 2.0}, {{0.0}, {1.0}, {1.0}}, 2))[0];
  EXPECT_EQ(joint.lowest.value, 0.0);
  EXPECT_NEAR(joint.highest.value, 10.0 / 9, to_the_digit);
  EXPECT_NEAR(joint.highest.t, 4.0 / 3, to_the_digit);
  EXPECT_NEAR(joint.velocity.value, 1.35, to_the_digit);
  EXPECT_NEAR(joint.velocity.t, 0.6, to_the_digit);
  EXPECT_NEAR(joint.acceleration.value, 4.5, to_the_digit);
  EXPECT_EQ(joint.acceleration.t, 0.0);
}

TEST(Extremes, ComeFirstWhereAPieceOfTheTrapezoidEnds) {
  const auto joint = extremes(
      point_to_point(std::vector{0.0}, std::vector{1.0}, Profile::trapezoid, {2.0, {}}))[0];
  EXPECT_NEAR(joint.velocity.value, 0.75, to_the_digit);
  EXPECT_EQ(joint.velocity.t, 2.0 / 3);
  EXPECT_NEAR(joint.acceleration.value, 9.0 / 8, to_the_digit);
  EXPECT_EQ(joint.acceleration.t, 0.0);
}

TEST(Extremes, OfLongWaysComeFirstToo) {
  // On the second way the velocity between T/3 and 2T/3 rises by a rounding.
  for (const auto& [way, T] :
       {std::pair{1234567.0, 2.0}, std::pair{-850478.3961228258, 10.160984198292848}}) {
    const auto joint = extremes(
        point_to_point(std::vector{0.0}, std::vector{way}, Profile::trapezoid, {T, {}}))[0];
    const double speed = std::abs(1.5 * way / T);
    EXPECT_NEAR(joint.velocity.value, speed, 4 * to_the_digit * speed);
    EXPECT_NEAR(joint.velocity.t, T / 3, to_the_digit * T);
    EXPECT_EQ(joint.acceleration.t, 0.0);
  }
}

TEST(Extremes, OfAJointThatRestsAreItsPlace) {
  const auto joint =
      extremes(point_to_point(std::vector{-0.5}, std::vector{-0.5}, Profile::cubic, {1.0, {}}))[0];
  EXPECT_EQ(joint.lowest.value, -0.5);
  EXPECT_EQ(joint.highest.value, -0.5);
  EXPECT_EQ(joint.velocity.value, 0.0);
  EXPECT_EQ(joint.acceleration.value, 0.0);
}

TEST(LargestOn, IsFoundBetweenAllRows) {
  const Trajectory motion =
      point_to_point(std::vector{0.0, 0.0}, std::vector{1.0, -2.0}, Profile::septic, {3.0, {}});
  const TimedValue closest = largest_on(
      motion, [](std::span<const double> q) { return 5.0 - std::abs(q[0] - 0.3) + 0.0 * q[1]; });
  EXPECT_NEAR(closest.value, 5.0, 1e-11);  // 1e-12 of the interval at a speed below 1
  EXPECT_NEAR(row_at(motion, closest.t).q[0], 0.3, 1e-11);
}

TEST(LargestOn, IsFoundWhereTheHighestSampleIsNot) {
  // q = t. One crest at a sample of 64, another, which is higher, between two.
  const Trajectory motion = recorded({{0.0, 1.0}, {0.0, 1.0}, {1.0, 1.0}, {0.0, 0.0}});
  const double at_sample = 48.0 / 64, between = 16.5 / 64, width = 0.05;
  const auto hill = [&](double q, double top) {
    return 2.0 * std::exp(-(q - top) * (q - top) / (width * width));
  };
  const TimedValue most = largest_on(motion, [&](std::span<const double> q) {
    return 0.99 * hill(q[0], at_sample) + hill(q[0], between) - 1.0;
  });
  EXPECT_NEAR(most.value, 1.0, 1e-9);
  EXPECT_NEAR(most.t, between, 1e-6);
}

TEST(LineCondition, IsThatOfTheRowsThatAreFollowed) {
  const Arm arm = normalize(shipped_robot("puma560"));
  const std::vector<double> q{0.3, 0.8, -2.0, 0.4, 0.9, -0.3};
  const Matrix J = jacobian(arm, q);
  const std::vector place{TaskRow::vx, TaskRow::vy, TaskRow::vz};
  EXPECT_NEAR(line_condition(arm, TcpOrientation::free)(q),
              dexterity(select_rows(J, place)).condition, 1e-12);
  for (const TcpOrientation whole : {TcpOrientation::interpolated, TcpOrientation::constant}) {
    EXPECT_NEAR(line_condition(arm, whole)(q), dexterity(J).condition, 1e-12);
  }
}

TEST(LineCondition, PassesOverWhatAnArmCannotDoInAnyPosture) {
  Robot robot = shipped_robot("craig-rr");
  robot.joints.push_back(robot.joints.back());  // three joints in a plane
  robot.tool.xyz = {0.2, 0.0, 0.0};
  const Arm arm = normalize(robot);
  const std::vector<double> q{0.3, 0.8, -0.6};
  const Matrix J = jacobian(arm, q);
  const std::vector plane{TaskRow::vx, TaskRow::vy};
  EXPECT_NEAR(line_condition(arm, TcpOrientation::free)(q),
              dexterity(select_rows(J, plane)).condition, 1e-12);
}

TEST(Extremes, OfAMotionThatIsHeldAtItsEndAreItsOwn) {
  Excitation many{.center = {0.0}, .position = {{-2.0, 2.0}}, .limits = {{3.0, 40.0}}};
  many.harmonics = 200;
  const JointExtremes own = extremes(excite(many))[0];
  const JointExtremes joint = extremes(held(excite(many), 1.0))[0];
  EXPECT_EQ(joint.highest.value, own.highest.value);
  EXPECT_EQ(joint.lowest.value, own.lowest.value);
  EXPECT_EQ(joint.velocity.value, own.velocity.value);
  EXPECT_EQ(joint.acceleration.value, own.acceleration.value);
}

}  // namespace
}  // namespace armdyn::testing
