#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "support/motion_row.hpp"
#include "support/refused_argument.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

Vec3 turn(const Transform& from, const Transform& to) {
  return rotation_vector(to.R * transposed(from.R));
}

/// Largest distance of the TCP from the straight line between its ends, m.
double off_line(const Arm& arm, const Trajectory& motion) {
  const Vec3 a = pose(arm, row_at(motion, motion.begin()).q).tcp.p;
  const Vec3 way = pose(arm, row_at(motion, motion.end()).q).tcp.p - a;
  double farthest = 0.0;
  for (const double t : sample_times(motion, 50.0)) {
    const Vec3 p = pose(arm, row_at(motion, t).q).tcp.p - a;
    farthest = std::max(farthest, length(p - (dot(p, way) / dot(way, way)) * way));
  }
  return farthest;
}

double largest_difference(const std::vector<double>& u, const std::vector<double>& v) {
  double largest = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) largest = std::max(largest, std::abs(u[i] - v[i]));
  return largest;
}

/// Rates by central differences of the rows, to see that they belong together.
void expect_rates_of_rows(const Trajectory& motion, double t) {
  const double h = 1e-5;
  const MotionRow before = row_at(motion, t - h), here = row_at(motion, t),
                  after = row_at(motion, t + h);
  for (std::size_t i = 0; i < motion.dof(); ++i) {
    EXPECT_NEAR(here.qd[i], (after.q[i] - before.q[i]) / (2 * h), 1e-7) << t;
    EXPECT_NEAR(here.qdd[i], (after.qd[i] - before.qd[i]) / (2 * h), 1e-7) << t;
  }
}

std::string refusal(const Arm& arm, const std::vector<double>& from, const std::vector<double>& to,
                    TcpOrientation orientation = TcpOrientation::interpolated) {
  return refused_as<NumericsError>([&] {
    (void)straight_line(arm, from, to, Profile::quintic, {1.0, {}}, orientation);
  });
}

class Puma : public ::testing::Test {
 protected:
  const Arm arm = normalize(shipped_robot("puma560"));
  const std::vector<double> from{0.3, 0.8, -2.0, 0.4, 0.9, -0.3};
  const std::vector<double> to{0.7, 1.1, -2.3, -0.5, 0.6, 0.8};
};

TEST_F(Puma, TurnsItsHandEvenlyAboutOneAxis) {
  const Trajectory motion =
      straight_line(arm, from, to, Profile::cubic, {2.0, {}}, TcpOrientation::interpolated);
  EXPECT_EQ(row_at(motion, 0.0).q, from);
  EXPECT_LT(largest_difference(row_at(motion, 2.0).q, to), 1e-13);
  EXPECT_LT(off_line(arm, motion), 1e-12);
  const Transform start = pose(arm, from).tcp;
  const Vec3 whole = turn(start, pose(arm, to).tcp);
  for (const double u : {0.1, 0.5, 0.9}) {
    const Vec3 part = turn(start, pose(arm, row_at(motion, 2.0 * u).q).tcp);
    EXPECT_LT(length(part - (u * u * (3 - 2 * u)) * whole), 1e-12);
  }
}

TEST_F(Puma, KeepsItsHandAsItIsIfAsked) {
  const Trajectory motion =
      straight_line(arm, from, to, Profile::quintic, {2.0, {}}, TcpOrientation::constant);
  const Transform start = pose(arm, from).tcp;
  EXPECT_LT(length(pose(arm, row_at(motion, 2.0).q).tcp.p - pose(arm, to).tcp.p), 1e-12);
  for (const double t : sample_times(motion, 20.0)) {
    EXPECT_LT(length(turn(start, pose(arm, row_at(motion, t).q).tcp)), 1e-12);
  }
}

TEST_F(Puma, MovesItsJointsInStepWhereTheHandLeavesThemFree) {
  const Trajectory motion =
      straight_line(arm, from, to, Profile::quintic, {2.0, {}}, TcpOrientation::free);
  EXPECT_LT(off_line(arm, motion), 1e-12);
  EXPECT_LT(largest_difference(row_at(motion, 2.0).q, to), 1e-12);
  for (const double t : {0.3, 0.9, 1.7}) expect_rates_of_rows(motion, t);
}

TEST_F(Puma, KeepsTheLimitsOfItsJoints) {
  const std::vector<RateLimit> limits(6, {0.5, 1.5});
  for (const Profile profile : {Profile::trapezoid, Profile::quintic}) {
    const Trajectory motion =
        straight_line(arm, from, to, profile, {{}, limits}, TcpOrientation::interpolated);
    double share = 0.0;
    for (const RateLimit& peak : peak_rates(motion)) {
      share = std::max({share, peak.velocity / 0.5, peak.acceleration / 1.5});
    }
    EXPECT_NEAR(share, 1.0, 1e-9);
    EXPECT_THROW((void)straight_line(arm, from, to, profile, {0.9 * motion.end(), limits},
                                     TcpOrientation::interpolated),
                 InputError);
  }
}

TEST_F(Puma, RefusesALineThroughItsOwnAxis) {
  // Forearm and wrist in line (q5 = 0) half way; then the TCP's turn needs an infinite speed.
  std::vector<double> flipped = from;
  flipped[4] = -from[4];
  EXPECT_EQ(
      refusal(arm, from, flipped),
      "the straight line leads through a singular posture at 50 % of the path, where the TCP is "
      "at (0.7233, 0.0667, 0.4473) m");
}

TEST_F(Puma, RefusesToBeginInASingularPosture) {
  EXPECT_EQ(refusal(arm, {0.3, 0.8, -2.0, 0.4, 0.0, -0.3}, to).substr(0, 69),
            "the straight line leads through a singular posture at 0 % of the path");
}

TEST_F(Puma, RefusesALineThroughItsColumn) {
  // The TCP cannot come closer to the first axis than the shoulder's offset, 0.15005 m.
  const std::vector<double> left{2.6, 0.3, -1.6, 0.0, 1.0, 0.0},
      right{-0.54, 0.3, -1.6, 0.0, 1.0, 0.0};
  EXPECT_EQ(
      refusal(arm, left, right),
      "the straight line leads through a singular posture at 41.15 % of the path, where the TCP "
      "is at (-0.1125, 0.0993, 0.2236) m");
}

TEST_F(Puma, RefusesAGoalInAnotherPosture) {
  // The wrist's other solution: the same TCP.
  const double pi = 3.141592653589793;
  const std::vector<double> other{to[0], to[1], to[2], to[3] + pi, -to[4], to[5] - pi};
  EXPECT_LT(length(pose(arm, other).tcp.p - pose(arm, to).tcp.p), 1e-15);
  EXPECT_EQ(refusal(arm, from, other),
            "the straight line arrives at the TCP's goal in another posture: q = 0.7, 1.1, -2.3, "
            "-0.5, 0.6, 0.8");
}

TEST(SevenJoints, ReachTheirGoalAlongTheLine) {
  const Arm arm = normalize(shipped_robot("kuka-iiwa14"));
  const std::vector<double> from{0.2, 0.7, -0.1, -1.3, 0.2, 0.9, 0.0};
  const std::vector<double> to{0.5, 0.9, 0.2, -1.0, 0.5, 1.1, 0.4};
  const Trajectory motion =
      straight_line(arm, from, to, Profile::septic, {2.0, {}}, TcpOrientation::interpolated);
  EXPECT_LT(off_line(arm, motion), 1e-12);
  EXPECT_LT(largest_difference(row_at(motion, 2.0).q, to), 1e-12);
  for (const double t : {0.3, 0.9, 1.7}) expect_rates_of_rows(motion, t);
}

TEST(SevenJoints, TakeTheFreeMotionWhereItIsRegularOnTheLine) {
  // That of `from` becomes singular beside J, that of `to` does not.
  const Arm arm = normalize(shipped_robot("kuka-iiwa14"));
  const std::vector<double> from{0.9, 0.1, -0.1, -0.2, 0.7, 0.7, -0.5};
  const std::vector<double> to{0.7, -0.1, -0.2, -0.2, 0.5, 0.5, -0.5};
  const Trajectory motion =
      straight_line(arm, from, to, Profile::septic, {1.0, {}}, TcpOrientation::interpolated);
  EXPECT_LT(off_line(arm, motion), 1e-12);
  EXPECT_LT(largest_difference(row_at(motion, 0.0).q, from), 1e-12);
  EXPECT_LT(largest_difference(row_at(motion, 1.0).q, to), 1e-12);
  for (const double t : {0.3, 0.9}) expect_rates_of_rows(motion, t);
}

/// Craig's arm with a TCP at the end of its second link.
Arm two_links() {
  Robot robot = shipped_robot("craig-rr");
  robot.tool.xyz = {0.5, 0.0, 0.0};
  return normalize(robot);
}

TEST(TwoJointsInAPlane, KeepTheHandOnALineWithFreeOrientation) {
  const Arm arm = two_links();
  const Trajectory motion = straight_line(arm, std::vector{0.2, 1.2}, std::vector{0.9, 0.7},
                                          Profile::quintic, {1.0, {}}, TcpOrientation::free);
  EXPECT_LT(off_line(arm, motion), 1e-12);
  EXPECT_LT(largest_difference(row_at(motion, 1.0).q, {0.9, 0.7}), 1e-13);
  for (const double t : {0.3, 0.9}) expect_rates_of_rows(motion, t);
}

TEST(TwoJointsInAPlane, CannotTurnTheHandAsWell) {
  EXPECT_EQ(
      refusal(two_links(), {0.2, 1.2}, {0.9, 0.7}),
      "the arm has too few joints to keep its TCP on the straight line with this orientation at "
      "0 % of the path, where the TCP is at (0.5750, 0.5921, 0.0000) m");
}

TEST(TwoJointsInAPlane, CannotPassBesideTheShoulder) {
  // Links of 0.5 and 0.3 m leave a hole of 0.2 m about the shoulder.
  Robot robot = shipped_robot("craig-rr");
  robot.tool.xyz = {0.3, 0.0, 0.0};
  EXPECT_EQ(
      refusal(normalize(robot), {0.4, 2.9}, {3.4, 2.9}, TcpOrientation::free),
      "the straight line leads out of reach at 4.716 % of the path, where the TCP is at (0.1479, "
      "0.1346, 0.0000) m");
}

}  // namespace
}  // namespace armdyn::testing
