#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/path_timing.hpp"
#include "motion/spline.hpp"
#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

constexpr Profile splines[] = {Profile::cubic, Profile::quintic, Profile::septic};

Waypoints some_waypoints() {
  return {{}, {{0.1, 0.2}, {0.9, -0.4}, {1.0, -0.5}, {1.0, 0.6}, {-2.0, 0.1}}};
}

TEST(ViaPoints, ArePassedExactlyAtTheirTimes) {
  Waypoints waypoints = some_waypoints();
  waypoints.t = {-1.0, -0.9, 0.6, 3.0, 3.25};
  for (const Profile profile : splines) {
    const Trajectory motion = through(waypoints, profile, {});
    EXPECT_EQ(motion.knots(), waypoints.t);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(row_at(motion, waypoints.t[k]).q, waypoints.q[k]);
    }
    EXPECT_EQ(row_at(motion, -1.0).qd, (std::vector{0.0, 0.0}));
    EXPECT_EQ(row_at(motion, 3.25).qd, (std::vector{0.0, 0.0}));
    if (profile == Profile::cubic) continue;
    EXPECT_EQ(row_at(motion, -1.0).qdd, (std::vector{0.0, 0.0}));
    EXPECT_EQ(row_at(motion, 3.25).qdd, (std::vector{0.0, 0.0}));
  }
}

TEST(ViaPoints, WithTimesAreReachedByEqualThirdsHoweverFast) {
  Waypoints waypoints = some_waypoints();
  waypoints.t = {-1.0, -0.9, 0.6, 3.0, 3.25};
  for (const Profile profile : {Profile::trapezoid, Profile::lspb}) {
    const Trajectory motion = through(waypoints, profile, {});
    for (std::size_t k = 0; k + 1 < 5; ++k) {
      EXPECT_EQ(row_at(motion, waypoints.t[k]).q, waypoints.q[k]);
      const double way = waypoints.q[k + 1][0] - waypoints.q[k][0];
      const double time = waypoints.t[k + 1] - waypoints.t[k];
      EXPECT_NEAR(row_at(motion, waypoints.t[k] + time / 6).qdd[0], 4.5 * way / (time * time),
                  1e-12 * std::abs(way) / (time * time));  // paper 004: a = 9Δ/(2T²)
    }
  }
}

TEST(ViaPoints, OfAPolynomialOfTheirDegreeGiveItBack) {
  // t²(3 − 2t), a cubic at rest at 0 and 1; and the rest-to-rest quintic and septic.
  const auto polynomial = [](Profile profile, double t) {
    const double cubed = t * t * t;
    if (profile == Profile::cubic) return t * t * (3 - 2 * t);
    if (profile == Profile::quintic) return cubed * (10 - 15 * t + 6 * t * t);
    return cubed * t * (35 - 84 * t + 70 * t * t - 20 * cubed);
  };
  for (const Profile profile : splines) {
    Waypoints waypoints;
    for (const double t : {0.0, 0.1, 0.35, 0.4, 0.9, 1.0}) {
      waypoints.t.push_back(t);
      waypoints.q.push_back({polynomial(profile, t)});
    }
    const Trajectory motion = through(waypoints, profile, {});
    for (double t = 0.0; t <= 1.0; t += 0.01) {
      // The data are rounded by 1.1e-16; third derivatives feel that over the stretch of 0.05 s.
      EXPECT_NEAR(row_at(motion, t).q[0], polynomial(profile, t), 1.1e-16 / (0.05 * 0.05 * 0.05));
    }
  }
}

TEST(ViaPoints, TwoOfThemAreTheMotionFromPointToPoint) {
  const std::vector<double> from{0.3, 1.0}, to{-0.4, 2.0};
  for (const Profile profile : splines) {
    const Trajectory two = through({{}, {from, to}}, profile, {1.3, {}});
    const Trajectory direct = point_to_point(from, to, profile, {1.3, {}});
    for (const double t : sample_times(direct, 50.0)) {
      EXPECT_EQ(row_at(two, t).q, row_at(direct, t).q);
      EXPECT_EQ(row_at(two, t).qdd, row_at(direct, t).qdd);
    }
  }
}

TEST(ViaPoints, WithoutTimesTakeTheDurationOrWhatTheLimitsAllow) {
  const std::vector<RateLimit> limits{{1.2, 3.0}, {0.8, 5.0}};
  for (const Profile profile : splines) {
    EXPECT_EQ(through(some_waypoints(), profile, {9.0, {}}).end(), 9.0);
    const Trajectory fastest = through(some_waypoints(), profile, {{}, limits});
    const std::vector<RateLimit> peaks = peak_rates(fastest);
    double share = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
      share = std::max({share, peaks[i].velocity / limits[i].velocity,
                        peaks[i].acceleration / limits[i].acceleration});
    }
    EXPECT_NEAR(share, 1.0, 1e-9);
    EXPECT_THROW((void)through(some_waypoints(), profile, {0.9 * fastest.end(), limits}),
                 InputError);
    EXPECT_EQ(through(some_waypoints(), profile, {1.1 * fastest.end(), limits}).end(),
              1.1 * fastest.end());
  }
}

TEST(ViaPoints, ThatRepeatAreStops) {
  Waypoints pause{{}, {{0.1}, {0.4}, {0.4}, {0.0}}};
  for (const Profile profile :
       {Profile::cubic, Profile::septic, Profile::lspb, Profile::monotone}) {
    pause.t.clear();
    const Trajectory motion = through(pause, profile, {3.0, {}});
    EXPECT_EQ(motion.end(), 3.0);
    bool rests = false;
    for (const double t : motion.knots()) {
      const MotionRow row = row_at(motion, t);
      rests = rests || (std::abs(row.q[0] - 0.4) < 1e-14 && std::abs(row.qd[0]) < 1e-12);
    }
    EXPECT_TRUE(rests);
    pause.t = {0.0, 1.0, 2.0, 3.0};
    for (const double t : {1.0, 1.5, 2.0}) {
      EXPECT_NEAR(row_at(through(pause, profile, {}), t).q[0], 0.4, 1e-15);
      EXPECT_EQ(row_at(through(pause, profile, {}), t).qd[0], 0.0);
    }
  }
}

TEST(ViaPoints, TellWhichOfThemBetweenTheEndsAreStops) {
  Waypoints waypoints{{}, {{0.0}, {0.3}, {0.5}, {0.9}, {1.0}}};
  for (const bool is_timed : {false, true}) {
    for (const Profile profile : {Profile::cubic, Profile::quintic, Profile::monotone}) {
      waypoints.t = is_timed ? std::vector{0.0, 1.0, 2.0, 4.0, 5.0} : std::vector<double>{};
      const auto stops = [&] {
        return plan_through(waypoints, profile, {is_timed ? std::nullopt : std::optional(8.0), {}})
            .stops;
      };
      waypoints.dwell = {0.2, 0.0, 0.5, 0.0, 0.3};
      EXPECT_EQ(stops(), std::vector<std::size_t>{2});
      waypoints.dwell = {0.0, 0.1, 0.5, 0.2, 0.0};
      EXPECT_EQ(stops(), (std::vector<std::size_t>{1, 2, 3}));
      waypoints.dwell = {0.2, 0.0, 0.0, 0.0, 0.3};
      EXPECT_EQ(stops(), std::vector<std::size_t>{});
    }
  }
}

TEST(ViaPoints, WithTimesNeedALimitPerJointToo) {
  Waypoints waypoints = some_waypoints();
  waypoints.t = {0.0, 1.0, 2.0, 3.0, 4.0};
  for (const std::size_t count : {1U, 3U}) {
    const std::vector<RateLimit> limits(count, {100.0, 100.0});
    EXPECT_THROW((void)through(waypoints, Profile::cubic, {{}, limits}), std::invalid_argument);
  }
}

TEST(ViaPoints, MayBeThousands) {
  Waypoints many;
  for (int k = 0; k < 5000; ++k) {
    many.t.push_back(0.01 * k);
    many.q.push_back({(k * 7919 % 100) / 100.0});
  }
  const Trajectory motion = through(many, Profile::septic, {});
  EXPECT_EQ(row_at(motion, many.t[2500]).q, many.q[2500]);
  EXPECT_EQ(row_at(motion, many.t.back()).q, many.q.back());
}

TEST(ViaPoints, ThatAreAllTheSameRestOrAreRefused) {
  for (const Profile profile : {Profile::trapezoid, Profile::cubic, Profile::quintic,
                                Profile::septic, Profile::lspb, Profile::monotone}) {
    for (const std::size_t points : {2U, 3U}) {
      Waypoints same{{}, std::vector<std::vector<double>>(points, {0.5, -2.0})};
      const std::vector<RateLimit> limits(2, {1.0, 2.0});
      for (const Timing& timing : {Timing{3.0, {}}, Timing{{}, limits}}) {
        EXPECT_THROW((void)through(same, profile, timing), InputError) << int(profile);
      }
      same.t = {1.0, 2.5, 4.0};
      same.t.resize(points);
      const Trajectory rest = through(same, profile, {});
      EXPECT_EQ(rest.begin(), 1.0);
      EXPECT_EQ(rest.end(), same.t.back());
      EXPECT_EQ(row_at(rest, 2.0).q, same.q[0]);
      EXPECT_EQ(row_at(rest, 2.0).qd, (std::vector{0.0, 0.0}));
    }
  }
}

TEST(ViaPoints, BeginAtTheTimeOfTheFirst) {
  for (const Profile profile : {Profile::trapezoid, Profile::cubic, Profile::quintic,
                                Profile::septic, Profile::lspb, Profile::monotone}) {
    for (const std::size_t points : {2U, 3U}) {
      Waypoints waypoints{{1.0, 2.5, 4.0}, {{0.5, -2.0}, {0.7, -2.0}, {0.1, -1.0}}};
      waypoints.t.resize(points);
      waypoints.q.resize(points);
      const Trajectory motion = through(waypoints, profile, {});
      EXPECT_EQ(motion.begin(), 1.0);
      EXPECT_EQ(motion.end(), waypoints.t.back());
      EXPECT_EQ(row_at(motion, 1.0).q, waypoints.q.front());
      EXPECT_EQ(row_at(motion, motion.end()).q, waypoints.q.back());
    }
  }
}

TEST(ViaPoints, AreNotTimedByJerk) {
  const std::size_t n = some_waypoints().q.front().size();
  const std::vector<RateLimit> without(n, {1.0, 2.0}), with(n, {1.0, 2.0, 0.1});
  EXPECT_EQ(through(some_waypoints(), Profile::cubic, {{}, with}).end(),
            through(some_waypoints(), Profile::cubic, {{}, without}).end());
}

}  // namespace
}  // namespace armdyn::testing
