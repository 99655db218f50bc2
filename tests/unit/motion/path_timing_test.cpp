#include "motion/path_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

constexpr double none = INFINITY;

Trajectory fastest(const std::vector<PathPoint>& points, const std::vector<RateLimit>& limits) {
  return fastest_along(path_through(points).path, limits, {}).motion;
}

std::vector<PathPoint> points_by_chance(std::mt19937_64& random, std::size_t count,
                                        std::size_t dof) {
  std::uniform_real_distribution<double> q(-2.0, 2.0), chance(0.0, 1.0);
  std::vector<PathPoint> points(count);
  for (PathPoint& point : points) {
    for (std::size_t i = 0; i < dof; ++i) point.q.push_back(q(random));
    point.stops = chance(random) < 0.1;
    if (chance(random) < 0.2) point.blend = 0.2 * chance(random);
  }
  return points;
}

std::vector<RateLimit> limits_by_chance(std::mt19937_64& random, std::size_t dof) {
  std::uniform_real_distribution<double> size(0.3, 3.0);
  std::vector<RateLimit> limits;
  for (std::size_t i = 0; i < dof; ++i) limits.push_back({size(random), 3 * size(random), none});
  return limits;
}

/// Limits of velocity, acceleration and, by differences, jerk, at very many times; whether q, qd
/// and qdd belong together; rest at the ends.
void expect_within(const Trajectory& motion, const std::vector<RateLimit>& limits) {
  constexpr int samples = 20000;
  const double dt = (motion.end() - motion.begin()) / samples;
  MotionRow before;
  for (int n = 0; n <= samples; ++n) {
    const MotionRow here = row_at(motion, motion.begin() + n * dt);
    for (std::size_t i = 0; i < motion.dof(); ++i) {
      ASSERT_LE(std::abs(here.qd[i]), limits[i].velocity * (1 + 1e-9));
      ASSERT_LE(std::abs(here.qdd[i]), limits[i].acceleration * (1 + 1e-9));
      if (n % samples == 0) {
        ASSERT_NEAR(here.qd[i], 0.0, 1e-12);
      }
      if (n == 0) continue;
      const double most = std::min(limits[i].acceleration, 1e6);
      ASSERT_NEAR(here.q[i] - before.q[i], dt * (here.qd[i] + before.qd[i]) / 2, most * dt * dt);
      if (std::isinf(limits[i].jerk)) continue;
      ASSERT_LE(std::abs(here.qdd[i] - before.qdd[i]), limits[i].jerk * dt * (1 + 1e-6) + 1e-9);
    }
    before = here;
  }
}

TEST(PathTiming, OfOneJointIsBangBangOrATrapezoid) {
  for (const double v : {none, 0.5}) {
    const Trajectory motion = fastest({{{0.2}}, {{1.2}}}, {{v, 2.0, none}});
    const double exact = std::isinf(v) ? 2 * std::sqrt(1 / 2.0) : 1 / v + v / 2.0;
    EXPECT_NEAR(motion.end(), exact, 1e-6 * exact) << v;
    EXPECT_GE(motion.end(), exact * (1 - 1e-12));
    EXPECT_EQ(row_at(motion, motion.end()).q[0], 1.2);
  }
  // There and back, and on the way through a point that asks for nothing.
  const Trajectory back = fastest({{{0.0}}, {{0.3}}, {{1.0}}, {{0.0}}}, {{none, 2.0, none}});
  EXPECT_NEAR(back.end(), 4 * std::sqrt(1 / 2.0), 1e-5);
}

TEST(PathTiming, KeepsItsLimitsEverywhere) {
  std::mt19937_64 random(11);
  for (std::size_t set = 0; set < 30; ++set) {
    const std::size_t dof = 1 + set % 7;
    const std::vector<PathPoint> points = points_by_chance(random, 2 + set % 8, dof);
    const std::vector<RateLimit> limits = limits_by_chance(random, dof);
    expect_within(fastest(points, limits), limits);
  }
}

TEST(PathTiming, TellsExtremesOfShortStretchesToo) {
  // Far apart limits make s̈ jump often, and some joints' accelerations last for a moment.
  std::mt19937_64 random(5);
  for (std::size_t set = 0; set < 15; ++set) {
    const std::size_t dof = 2 + set % 5;
    const std::vector<PathPoint> points = points_by_chance(random, 3 + set % 6, dof);
    std::vector<RateLimit> limits = limits_by_chance(random, dof);
    for (std::size_t i = 0; i < dof; ++i) limits[i].acceleration *= std::pow(7.0, i % 3);
    const Trajectory fast = fastest(points, limits);
    for (const Trajectory& motion : {fast, slowed(fast, 1.7), held(fast, 1.0)}) {
      const std::vector<JointExtremes> most = extremes(motion);
      constexpr int samples = 20000;
      for (int n = 0; n <= samples; ++n) {
        const double t = motion.begin() + (motion.end() - motion.begin()) * n / samples;
        const MotionRow row = row_at(motion, t);
        for (std::size_t i = 0; i < dof; ++i) {
          ASSERT_LE(std::abs(row.qd[i]), most[i].velocity.value * (1 + 1e-5)) << set;
          ASSERT_LE(std::abs(row.qdd[i]), most[i].acceleration.value * (1 + 1e-5)) << set;
        }
      }
    }
  }
}

TEST(PathTiming, IsNoSlowerThanOthersOnItsPath) {
  // A two-variable linear programme on a grid, by brute force: the largest x node by node.
  std::mt19937_64 random(2);
  for (int set = 0; set < 5; ++set) {
    const JointPath path = path_through(points_by_chance(random, 5, 3)).path;
    const std::vector<RateLimit> limits = limits_by_chance(random, 3);
    const double T = fastest_along(path, limits, {}).motion.end();
    std::vector<double> s;
    constexpr int parts = 4000;
    for (std::size_t k = 0; k < path.pieces(); ++k) {
      for (int n = 0; n < parts; ++n) {
        s.push_back(path.knots()[k] + (path.knots()[k + 1] - path.knots()[k]) * n / parts);
      }
    }
    // s̈ within what the node allows: from the left and to the right, and no more.
    std::vector<double> x(s.size() + 1, none);
    const auto span = [&](std::size_t n, double at) {
      double low = -none, high = none;
      const std::size_t k = n / parts;
      for (std::size_t i = 0; i < 3; ++i) {
        const PathSample p = path.at(k, i, s[n]);
        const double a = limits[i].acceleration;
        const double one = (-a - p.d2 * at) / p.d1, two = (a - p.d2 * at) / p.d1;
        low = std::max(low, std::min(one, two));
        high = std::min(high, std::max(one, two));
      }
      return std::pair{low, high};
    };
    for (std::size_t n = 0; n < s.size(); ++n) {
      if (n % parts == 0 && path.is_stop(n / parts)) {
        x[n] = 0.0;
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const double d1 = path.at(n / parts, i, s[n]).d1, v = limits[i].velocity;
        x[n] = std::min(x[n], v * v / (d1 * d1));
      }
      double below = 0.0;  // the largest x with a possible s̈
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = std::midpoint(below, x[n]);
        const auto [low, high] = span(n, middle);
        (low <= high ? below : x[n]) = middle;
      }
      x[n] = below;
    }
    x.back() = 0.0;
    s.push_back(path.knots().back());
    for (std::size_t n = s.size() - 1; n-- > 0;) {
      const double h = s[n + 1] - s[n];
      double low = 0.0, high = x[n];
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = std::midpoint(low, high);
        const bool reaches = middle + 2 * h * span(n, middle).first <= x[n + 1];
        (reaches ? low : high) = middle;
      }
      x[n] = low;
    }
    double reference = 0.0;
    for (std::size_t n = 0; n + 1 < s.size(); ++n) {
      const double h = s[n + 1] - s[n];
      x[n + 1] = std::min(x[n + 1], x[n] + 2 * h * span(n, x[n]).second);
      reference += 2 * h / (std::sqrt(x[n]) + std::sqrt(std::max(0.0, x[n + 1])));
    }
    EXPECT_NEAR(T, reference, 1e-3 * reference) << set;
  }
}

TEST(PathTiming, DoesNotFeelLimitsThatDoNotBind) {
  std::mt19937_64 random(4);
  for (int set = 0; set < 8; ++set) {
    const std::vector<PathPoint> points = points_by_chance(random, 6, 4);
    std::vector<RateLimit> limits = limits_by_chance(random, 4);
    for (RateLimit& limit : limits) limit.velocity = none;
    const Trajectory free = fastest(points, limits);
    const std::vector<RateLimit> peaks = peak_rates(free);
    std::vector<RateLimit> wide = limits;
    for (std::size_t i = 0; i < 4; ++i) wide[i].velocity = peaks[i].velocity * 1.00001;
    EXPECT_NEAR(fastest(points, wide).end(), free.end(), 1e-6 * free.end());
    for (std::size_t i = 0; i < 4; ++i) wide[i].velocity = peaks[i].velocity * 0.7;
    const double bound = fastest(points, wide).end();
    EXPECT_GT(bound, free.end());
    wide[2] = {none, wide[2].acceleration * 100, none};
    EXPECT_LE(fastest(points, wide).end(), bound * (1 + 1e-12));
  }
}

TEST(PathTiming, KeepsJerkWithin) {
  std::mt19937_64 random(9);
  for (std::size_t set = 0; set < 8; ++set) {
    const std::size_t dof = 1 + set % 4;
    const JointPath path = path_through(points_by_chance(random, 2 + set % 5, dof)).path;
    std::vector<RateLimit> limits = limits_by_chance(random, dof);
    for (RateLimit& limit : limits) limit.jerk = 8 * limit.acceleration;
    const FastestMotion found = fastest_along(path, limits, {});
    EXPECT_GT(found.by_jerk, 1.0);
    EXPECT_LT(found.by_jerk, 3.0) << set;
    EXPECT_EQ(found.within_jerk, found.motion.end());
    expect_within(found.motion, limits);
  }
  // One joint over a long way: the seven stretches of the known optimum, 40/v + v/a + a/j s.
  const JointPath line = path_through(std::vector<PathPoint>{{{0.0}}, {{40.0}}}).path;
  const double T = fastest_along(line, {{1.0, 1.0, 1.0}}, {}).motion.end();
  EXPECT_GE(T, 42.0 * (1 - 1e-12));
  EXPECT_LT(T, 42.0 * 1.01);
}

TEST(PathTiming, DwellsAtStops) {
  const auto [path, knots] =
      path_through(std::vector<PathPoint>{{{0, 0}}, {{1, 2}, true}, {{2, 1}}});
  const std::vector<RateLimit> limits{{1, 3, none}, {1, 3, none}};
  const Trajectory straight = fastest_along(path, limits, {}).motion;
  const Trajectory motion = fastest_along(path, limits, std::vector<double>{0.5, 0.25, 1.0}).motion;
  EXPECT_NEAR(motion.end(), straight.end() + 1.75, 1e-12);
  ASSERT_EQ(motion.knots().size(), 6U);
  for (const double t : {0.0, 0.3, motion.knots()[2] + 0.2, motion.end() - 0.9}) {
    const MotionRow row = row_at(motion, t);
    EXPECT_EQ(row.qd, (std::vector<double>{0, 0}));
    EXPECT_EQ(row.qdd, (std::vector<double>{0, 0}));
  }
  EXPECT_EQ(row_at(motion, motion.knots()[2] + 0.1).q, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace armdyn::testing
