#include <gtest/gtest.h>
#include <armdyn/trajectory.hpp>

#include <cmath>
#include <stdexcept>

#include "motion/trajectory_law.hpp"
#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

Trajectory trapezoid() {
  return point_to_point(std::vector<double>{0.3, -1.0}, std::vector<double>{1.3, 2.0},
                        Profile::trapezoid, {3.0, {}});
}

TEST(Slowed, GoesTheSameWayInMoreTime) {
  const Trajectory fast = trapezoid(), slow = slowed(fast, 1.7);
  EXPECT_EQ(slow.end(), 1.7 * 3.0);
  ASSERT_EQ(slow.knots().size(), fast.knots().size());
  for (const double t : {0.2, 1.1, 1.9, 2.6}) {
    const MotionRow there = row_at(fast, t), here = row_at(slow, 1.7 * t);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(here.q[i], there.q[i], 1e-14);
      EXPECT_NEAR(here.qd[i], there.qd[i] / 1.7, 1e-14);
      EXPECT_NEAR(here.qdd[i], there.qdd[i] / 1.7 / 1.7, 1e-14);
    }
  }
  // Where the acceleration jumps, that of the piece that begins.
  for (std::size_t k = 0; k < fast.knots().size(); ++k) {
    EXPECT_EQ(row_at(slow, slow.knots()[k]).qdd[1],
              row_at(fast, fast.knots()[k]).qdd[1] / (1.7 * 1.7));
  }
  EXPECT_THROW((void)slowed(fast, 0.0), std::invalid_argument);
  EXPECT_THROW((void)slowed(fast, INFINITY), std::invalid_argument);
}

TEST(Combined, IsTheSumOfWhatTheJointsDo) {
  const Trajectory joints = trapezoid(), motor = combined(joints, {-4.0, 2.5});
  ASSERT_EQ(motor.dof(), 1U);
  EXPECT_EQ(motor.knots(), joints.knots());
  for (const double t : {0.0, 0.4, 1.5, 2.9}) {
    const MotionRow all = row_at(joints, t), one = row_at(motor, t);
    EXPECT_EQ(one.q[0], -4.0 * all.q[0] + 2.5 * all.q[1]);
    EXPECT_EQ(one.qd[0], -4.0 * all.qd[0] + 2.5 * all.qd[1]);
    EXPECT_EQ(one.qdd[0], -4.0 * all.qdd[0] + 2.5 * all.qdd[1]);
  }
}

}  // namespace
}  // namespace armdyn::testing
