#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <cmath>

#include "support/motion_row.hpp"
#include "support/refused_argument.hpp"

namespace armdyn::testing {
namespace {

constexpr Profile all_profiles[] = {Profile::trapezoid, Profile::cubic, Profile::quintic,
                                    Profile::septic, Profile::lspb};

const std::vector<double> from{1.5707963267948966, 0.1, -0.7};
const std::vector<double> to{0.7853981633974483, 0.5235987755982988, -0.7};

TEST(PointToPoint, BeginsAndEndsExactlyAtRest) {
  for (const Profile profile : all_profiles) {
    for (const double T : {1.0, 1.7, 0.003, 1e4}) {
      const Trajectory motion = point_to_point(from, to, profile, {T, {}});
      EXPECT_EQ(motion.begin(), 0.0);
      EXPECT_EQ(motion.end(), T);
      EXPECT_EQ(row_at(motion, 0.0).q, from);
      EXPECT_EQ(row_at(motion, T).q, to);
      for (const double t : {0.0, T}) {
        const MotionRow row = row_at(motion, t);
        for (const double qd : row.qd) EXPECT_EQ(qd, 0.0);
        if (profile != Profile::quintic && profile != Profile::septic) continue;
        for (const double qdd : row.qdd) EXPECT_EQ(qdd, 0.0);
      }
    }
  }
}

TEST(PointToPoint, LeavesAJointThatDoesNotMoveExactlyWhereItIs) {
  for (const Profile profile : all_profiles) {
    const Trajectory motion = point_to_point(from, to, profile, {1.7, {}});
    for (const double t : sample_times(motion, 100.0)) {
      EXPECT_EQ(row_at(motion, t).q[2], -0.7);
      EXPECT_EQ(row_at(motion, t).qd[2], 0.0);
    }
  }
}

TEST(PointToPoint, MovesAllJointsInStep) {
  for (const Profile profile : all_profiles) {
    const Trajectory motion = point_to_point(from, to, profile, {1.7, {}});
    for (const double t : sample_times(motion, 100.0)) {
      const MotionRow row = row_at(motion, t);
      EXPECT_NEAR((row.q[0] - from[0]) / (to[0] - from[0]),
                  (row.q[1] - from[1]) / (to[1] - from[1]), 1e-15);
    }
  }
}

TEST(Trapezoid, IsThatOfPaper004) {
  const double T = 1.8;
  const Trajectory motion = point_to_point(from, to, Profile::trapezoid, {T, {}});
  EXPECT_EQ(motion.knots(), (std::vector<double>{0.0, T / 3, T - T / 3, T}));
  const double way = to[1] - from[1];
  const double a = 9 * way / (2 * T * T);
  const auto expect = [&](double t, double q, double qd, double qdd) {
    const MotionRow row = row_at(motion, t);
    EXPECT_NEAR(row.q[1] - from[1], q, 1e-15) << t;
    EXPECT_NEAR(row.qd[1], qd, 2e-15) << t;
    EXPECT_NEAR(row.qdd[1], qdd, 2e-15) << t;
  };
  expect(0.0, 0.0, 0.0, a);
  expect(0.4, a * 0.4 * 0.4 / 2, a * 0.4, a);
  expect(T / 3, a * T * T / 18, a * T / 3, 0.0);  // the acceleration of the piece that begins
  expect(1.0, a * T * (6 * 1.0 - T) / 18, a * T / 3, 0.0);
  expect(T - T / 3, way - a * T * T / 18, a * T / 3, -a);
  expect(1.5, way - a * 0.3 * 0.3 / 2, a * 0.3, -a);
  expect(T, way, 0.0, -a);
}

TEST(Limits, HoldAndOneOfThemIsReached) {
  const std::vector<RateLimit> limits{{0.9, 3.1}, {0.4, 1.0}, {0.1, 0.1}};
  const std::vector<RateLimit> slow_starters{{9.0, 0.31}, {9.0, 0.1}, {0.1, 0.1}};
  const std::vector<RateLimit> no_acceleration{{0.9}, {0.4}, {0.1}};
  for (const Profile profile : all_profiles) {
    for (const auto& allowed : {limits, slow_starters, no_acceleration}) {
      if (profile == Profile::lspb && std::isinf(allowed[0].acceleration)) continue;
      const Trajectory motion = point_to_point(from, to, profile, {{}, allowed});
      const std::vector<RateLimit> peaks = peak_rates(motion);
      double share = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        share = std::max({share, peaks[i].velocity / allowed[i].velocity,
                          peaks[i].acceleration / allowed[i].acceleration});
      }
      EXPECT_NEAR(share, 1.0, 1e-12);
    }
  }
}

TEST(Lspb, ReachesBothLimitsWhereTheWayIsLongEnough) {
  const Trajectory motion =
      point_to_point(std::vector{0.0}, std::vector{5.0}, Profile::lspb, {{}, {{2.0, 4.0}}});
  EXPECT_DOUBLE_EQ(motion.end(), 5.0 / 2.0 + 2.0 / 4.0);
  EXPECT_DOUBLE_EQ(motion.knots()[1], 0.5);
  EXPECT_DOUBLE_EQ(motion.knots()[2], 2.5);
  EXPECT_DOUBLE_EQ(row_at(motion, 1.0).qd[0], 2.0);
  EXPECT_DOUBLE_EQ(row_at(motion, 0.2).qdd[0], 4.0);
}

TEST(Lspb, IsATriangleWhereTheWayIsShort) {
  const Trajectory motion =
      point_to_point(std::vector{0.0}, std::vector{0.5}, Profile::lspb, {{}, {{2.0, 4.0}}});
  EXPECT_DOUBLE_EQ(motion.end(), 2 * std::sqrt(0.5 / 4.0));
  EXPECT_EQ(motion.knots().size(), 3U);
  EXPECT_LT(peak_rates(motion)[0].velocity, 2.0);
}

TEST(Lspb, TakesTheDurationItIsGivenAtTheAccelerationItIsAllowed) {
  const Trajectory motion =
      point_to_point(std::vector{0.0}, std::vector{5.0}, Profile::lspb, {4.0, {{2.0, 4.0}}});
  EXPECT_EQ(motion.end(), 4.0);
  EXPECT_NEAR(peak_rates(motion)[0].acceleration, 4.0, 1e-12);
  EXPECT_LT(peak_rates(motion)[0].velocity, 2.0);
  EXPECT_EQ(row_at(motion, 4.0).q[0], 5.0);
}

TEST(Lspb, HasThirdsWithoutLimits) {
  const Trajectory lspb = point_to_point(from, to, Profile::lspb, {1.8, {}});
  EXPECT_EQ(lspb.knots(), point_to_point(from, to, Profile::trapezoid, {1.8, {}}).knots());
}

std::string refusal(const std::vector<double>& begin, const std::vector<double>& end,
                    Profile profile, const Timing& timing) {
  return refused_as<InputError>([&] { (void)point_to_point(begin, end, profile, timing); });
}

TEST(Timing, ThatCannotBeIsRefusedWithWhatCanBe) {
  EXPECT_EQ(refusal({0.0}, {5.0}, Profile::lspb, {2.9, {{2.0, 4.0}}}),
            "within these limits the motion takes at least 3 s, but 2.9 s are asked for");
  EXPECT_EQ(refusal({0.0}, {5.0}, Profile::cubic, {2.9, {{2.0, 4.0}}}),
            "within these limits the motion takes at least 3.75 s, but 2.9 s are asked for");
  EXPECT_EQ(refusal({1.0}, {1.0}, Profile::cubic, {{}, {{2.0, 4.0}}}),
            "no joint moves, so limits set no duration; give one");
  EXPECT_EQ(refusal({0.0, 1.0}, {5.0, 1.0}, Profile::cubic, {{}, {{}, {2.0, 4.0}}}),
            "no joint that moves has a limit to set the duration; give one");
  EXPECT_EQ(refusal({0.0}, {5.0}, Profile::lspb, {{}, {{2.0}}}),
            "no joint that moves has an acceleration limit, which lspb needs");
  EXPECT_EQ(refusal({1.0}, {1.0}, Profile::cubic, {2.0, {{2.0, 4.0}}}), "");
}

TEST(Timing, WithinLimitsOfJerkNeedsAProfileThatHasABoundOfIt) {
  const std::vector<RateLimit> limits{{2.0, 4.0}, {2.0, 4.0, 30.0}};
  for (const Profile profile : {Profile::trapezoid, Profile::cubic, Profile::lspb}) {
    EXPECT_EQ(refusal({0.0, 1.0}, {5.0, 2.0}, profile, {{}, limits}),
              "the jerk of this profile has no bound; within limits of jerk, take quintic or "
              "septic");
  }
  EXPECT_EQ(refusal({0.0, 1.0}, {5.0, 2.0}, Profile::quintic, {{}, limits}), "");
  EXPECT_EQ(refusal({0.0, 1.0}, {5.0, 1.0}, Profile::cubic, {4.0, limits}), "");
}

TEST(SampleTimes, AreTheGridAndTheKnots) {
  const Trajectory motion = point_to_point(from, to, Profile::trapezoid, {1.0, {}});
  EXPECT_EQ(sample_times(motion, 4.0),
            (std::vector<double>{0.0, 0.25, 1.0 / 3, 0.5, 1.0 - 1.0 / 3, 0.75, 1.0}));
  EXPECT_EQ(sample_times(motion, 0.1), (std::vector<double>{0.0, 1.0 / 3, 1.0 - 1.0 / 3, 1.0}));
}

TEST(SampleTimes, DoNotMeetAKnotTwice) {
  const Trajectory motion = point_to_point(from, to, Profile::trapezoid, {0.3, {}});
  const std::vector<double> times = sample_times(motion, 1000.0);
  EXPECT_EQ(times.size(), 301U);
  EXPECT_EQ(times.back(), 0.3);
  for (std::size_t k = 1; k < times.size(); ++k) EXPECT_GT(times[k] - times[k - 1], 0.00099);
}

}  // namespace
}  // namespace armdyn::testing
