#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>

#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

Excitation wanted() {
  Excitation wanted;
  wanted.center = {0.0, 0.5, -1.0};
  wanted.position = {{-2.0, 2.0}, {0.4, 3.0}, {-no_limit, no_limit}};
  wanted.limits = {{1.0, 5.0}, {1.0, no_limit}, {no_limit, 2.0}};
  wanted.period = 8.0;
  return wanted;
}

TEST(Excitation, BeginsAndEndsAtTheCenterAtRestWithoutAcceleration) {
  const Trajectory motion = excite(wanted());
  for (const double t : {0.0, 8.0}) {
    const MotionRow row = row_at(motion, t);
    EXPECT_EQ(row.q, wanted().center);
    EXPECT_EQ(row.qd, (std::vector{0.0, 0.0, 0.0}));
    EXPECT_EQ(row.qdd, (std::vector{0.0, 0.0, 0.0}));
  }
}

TEST(Excitation, StaysWithinTheLimitsAndReachesOnePerJoint) {
  for (const int harmonics : {3, 5, 12, 40}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Excitation excitation = wanted();
      excitation.harmonics = harmonics;
      excitation.seed = seed;
      const Trajectory motion = excite(excitation);
      std::vector<double> share(3, 0.0);
      for (const double t : sample_times(motion, 1000.0)) {
        const MotionRow row = row_at(motion, t);
        for (std::size_t i = 0; i < 3; ++i) {
          const auto [lower, upper] = excitation.position[i];
          const double center = excitation.center[i];
          share[i] = std::max({share[i], std::abs(row.qd[i]) / excitation.limits[i].velocity,
                               std::abs(row.qdd[i]) / excitation.limits[i].acceleration,
                               (row.q[i] - center) / (upper - center),
                               (row.q[i] - center) / (lower - center)});
        }
      }
      for (const double s : share) {
        EXPECT_LE(s, 1.0 + 1e-12);
        EXPECT_GE(s, 0.99);
      }
    }
  }
}

TEST(Excitation, DependsOnTheSeedAlone) {
  Excitation other = wanted();
  other.seed = 2;
  EXPECT_EQ(row_at(excite(wanted()), 3.0).q, row_at(excite(wanted()), 3.0).q);
  EXPECT_NE(row_at(excite(wanted()), 3.0).q, row_at(excite(other), 3.0).q);
}

TEST(Excitation, RefusesAJointThatNothingLimitsAndACenterOutOfRange) {
  Excitation unlimited = wanted();
  unlimited.limits[2] = {};
  EXPECT_THROW((void)excite(unlimited), InputError);
  Excitation outside = wanted();
  outside.center[1] = 0.3;
  try {
    (void)excite(outside);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the center of joint 2, 0.3, is not within its limits 0.4 to 3");
  }
}

}  // namespace
}  // namespace armdyn::testing
