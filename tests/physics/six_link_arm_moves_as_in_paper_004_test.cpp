// Paper 004 §4: the TCP of the six-link arm goes from A to B, 0.2 m straight up, and keeps its
// orientation.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "support/motion_row.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double deg = std::numbers::pi / 180;

class SixLinkArm : public ::testing::Test {
 protected:
  const Robot robot = shipped_robot("six-link-jaeri");
  const Arm arm = normalize(robot);
  const std::vector<double> A = shipped_pose(robot, "A");
  const std::vector<double> B = shipped_pose(robot, "B");

  [[nodiscard]] Trajectory along_the_line(Profile profile) const {
    return straight_line(arm, A, B, profile, {2.0, {}}, TcpOrientation::constant);
  }

  /// Distance of the TCP from the vertical through A, m.
  [[nodiscard]] double off_line(const std::vector<double>& q) const {
    const Vec3 p = pose(arm, q).tcp.p;
    return std::hypot(p.x + 0.1, p.y - 0.35);
  }

  /// Angle between the TCP's orientation and that at A, rad.
  [[nodiscard]] double turned(const std::vector<double>& q) const {
    const Vec3 phi = rotation_vector(pose(arm, q).tcp.R * transposed(pose(arm, A).tcp.R));
    return std::sqrt(dot(phi, phi));
  }
};

TEST_F(SixLinkArm, HasItsHandWhereThePaperSays) {
  const auto expect_hand = [&](const std::vector<double>& q, const Vec3& p, double tolerance) {
    const Transform tcp = pose(arm, q).tcp;
    EXPECT_NEAR(tcp.p.x, p.x, tolerance);
    EXPECT_NEAR(tcp.p.y, p.y, tolerance);
    EXPECT_NEAR(tcp.p.z, p.z, tolerance);
    // n = (0, 0, 1), o = (1, 0, 0)
    EXPECT_NEAR(tcp.R.row_z.x, 1.0, tolerance);
    EXPECT_NEAR(tcp.R.row_x.y, 1.0, tolerance);
  };
  expect_hand(A, {-0.1, 0.35, 1.63}, 1e-12);
  expect_hand(B, {-0.1, 0.35, 1.83}, 1e-12);
  const auto printed = [](std::vector<double> angles) {
    for (double& angle : angles) angle *= deg;
    return angles;
  };
  expect_hand(printed({2.7533, 0.1502, 85.7259, -33.7722, -85.0428, 33.6731}), {-0.1, 0.35, 1.63},
              1e-5);
  expect_hand(printed({10.4705, 8.7346, 44.3932, -17.1186, -51.8741, 13.6195}), {-0.1, 0.35, 1.83},
              1e-5);
}

TEST_F(SixLinkArm, StaysOnTheLineAndKeepsItsOrientation) {
  for (const Profile profile :
       {Profile::trapezoid, Profile::cubic, Profile::quintic, Profile::septic, Profile::lspb}) {
    const Trajectory motion = along_the_line(profile);
    double height = 1.63 - 1e-12;
    for (const double t : sample_times(motion, 200.0)) {
      const std::vector<double> q = row_at(motion, t).q;
      EXPECT_LT(off_line(q), 1e-12) << t;
      EXPECT_LT(turned(q), 1e-12) << t;
      EXPECT_GE(pose(arm, q).tcp.p.z, height) << t;
      height = pose(arm, q).tcp.p.z - 1e-12;
    }
  }
}

TEST_F(SixLinkArm, BeginsAtAAndEndsAtB) {
  const Trajectory motion = along_the_line(Profile::quintic);
  EXPECT_EQ(row_at(motion, 0.0).q, A);
  const MotionRow end = row_at(motion, 2.0);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(end.q[i], B[i], 1e-14);
    EXPECT_EQ(end.qd[i], 0.0);
    EXPECT_EQ(end.qdd[i], 0.0);
  }
}

TEST_F(SixLinkArm, MovesItsHandByTheTrapezoidOfThePaper) {
  const Trajectory motion = along_the_line(Profile::trapezoid);
  const double a = 9 * 0.2 / (2 * 2.0 * 2.0);  // 9Δ/(2T²)
  const auto tcp_speed = [&](double t) {
    const MotionRow row = row_at(motion, t);
    const Matrix J = jacobian(arm, row.q);
    double v = 0.0;
    for (std::size_t i = 0; i < 6; ++i) v += J(2, i) * row.qd[i];
    return v;
  };
  EXPECT_NEAR(tcp_speed(0.3), a * 0.3, 1e-13);
  EXPECT_NEAR(tcp_speed(1.0), a * 2.0 / 3, 1e-13);
  EXPECT_NEAR(tcp_speed(1.9), a * 0.1, 1e-13);
}

TEST_F(SixLinkArm, LeavesTheLineIfItsJointsMoveInStep) {
  const Trajectory motion = point_to_point(A, B, Profile::trapezoid, {2.0, {}});
  double distance = 0.0, angle = 0.0;
  for (const double t : sample_times(motion, 1000.0)) {
    const std::vector<double> q = row_at(motion, t).q;
    distance = std::max(distance, off_line(q));
    angle = std::max(angle, turned(q));
  }
  EXPECT_NEAR(distance, 10.9e-3, 0.05e-3);
  EXPECT_NEAR(angle / deg, 2.62, 0.005);
}

TEST_F(SixLinkArm, IsFarFromSingularAlongTheLine) {
  const Trajectory motion = along_the_line(Profile::cubic);
  double worst = 0.0;
  for (const double t : sample_times(motion, 100.0)) {
    worst = std::max(worst, dexterity(jacobian(arm, row_at(motion, t).q)).condition);
  }
  EXPECT_LE(worst, 17.6);
  EXPECT_GT(worst, 17.5);
}

TEST_F(SixLinkArm, HoldsItsSecondJointAtAByTheTorqueOfTheCorrectedPaper) {
  const std::vector<double> rest(6, 0.0);
  EXPECT_NEAR(torque(arm, {A, rest, rest})[1], -58.9, 0.05);
}

}  // namespace
}  // namespace armdyn::testing
