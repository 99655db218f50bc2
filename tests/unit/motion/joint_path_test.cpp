#include "motion/joint_path.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace armdyn::testing {
namespace {

std::vector<PathPoint> by_chance(std::mt19937_64& random, std::size_t count, std::size_t dof) {
  std::uniform_real_distribution<double> q(-3.0, 3.0), chance(0.0, 1.0);
  std::vector<PathPoint> points;
  for (std::size_t k = 0; k < count; ++k) {
    PathPoint point;
    for (std::size_t i = 0; i < dof; ++i) {
      const bool stands = k > 0 && i > 0 && chance(random) < 0.15;
      point.q.push_back(stands ? points.back().q[i] : q(random) * std::pow(chance(random), 3));
    }
    point.stops = chance(random) < 0.1;
    points.push_back(point);
  }
  return points;
}

/// Each joint within the range of the ends of each piece, going one way; q, q', q'' joined.
void expect_no_swing(const JointPath& path) {
  for (std::size_t k = 0; k < path.pieces(); ++k) {
    const double from = path.knots()[k], to = path.knots()[k + 1];
    for (std::size_t i = 0; i < path.dof(); ++i) {
      const double begin = path.at(k, i, from).q, end = path.at(k, i, to).q;
      const double way = end < begin ? -1.0 : 1.0, rounding = 1e-12 / (to - from);
      for (int n = 0; n <= 400; ++n) {
        const PathSample here = path.at(k, i, from + (to - from) * n / 400);
        ASSERT_GE(here.q, std::min(begin, end) - 1e-14);
        ASSERT_LE(here.q, std::max(begin, end) + 1e-14);
        ASSERT_GE(way * here.d1, -rounding);
      }
      if (k == 0 || path.is_stop(k)) continue;
      const PathSample before = path.at(k - 1, i, from), after = path.at(k, i, from);
      ASSERT_EQ(before.q, after.q);
      ASSERT_EQ(before.d1, after.d1);
      ASSERT_EQ(before.d2, after.d2);
    }
  }
}

TEST(JointPath, LeavesTheRangeOfNoPieceWhateverThePoints) {
  std::mt19937_64 random(7);
  for (std::size_t set = 0; set < 1000; ++set) {
    const std::vector<PathPoint> points = by_chance(random, 2 + set % 12, 1 + set % 7);
    expect_no_swing(path_through(points).path);
    std::vector<double> t{-1.0};
    std::uniform_real_distribution<double> step(0.01, 3.0);
    while (t.size() < points.size()) t.push_back(t.back() + step(random));
    const JointPath timed = timed_path_through(points, t).path;
    EXPECT_EQ(timed.knots(), t);
    expect_no_swing(timed);
    for (std::size_t k = 0; k < timed.pieces(); ++k) {
      for (std::size_t i = 0; timed.is_stop(k) && i < timed.dof(); ++i) {
        EXPECT_EQ(timed.at(k, i, t[k]).d1, 0.0);
        EXPECT_EQ(timed.at(k, i, t[k]).d2, 0.0);
      }
    }
  }
}

TEST(JointPath, MeetsItsPoints) {
  std::mt19937_64 random(3);
  const std::vector<PathPoint> points = by_chance(random, 9, 4);
  const auto [path, knots] = path_through(points);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double s = path.knots()[knots[k]];
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(path.at(path.piece_at(s), i, s).q, points[k].q[i]);
  }
}

TEST(JointPath, HasDerivatives) {
  std::mt19937_64 random(5);
  const JointPath path = path_through(by_chance(random, 6, 3)).path;
  for (std::size_t k = 0; k < path.pieces(); ++k) {
    const double from = path.knots()[k], h = path.knots()[k + 1] - from, e = 1e-5 * h;
    for (const double share : {0.2, 0.4, 0.7}) {
      for (std::size_t i = 0; i < 3; ++i) {
        const PathSample here = path.at(k, i, from + share * h);
        const PathSample before = path.at(k, i, from + share * h - e);
        const PathSample after = path.at(k, i, from + share * h + e);
        EXPECT_NEAR(here.d1, (after.q - before.q) / (2 * e), 1e-7);
        EXPECT_NEAR(here.d2, (after.d1 - before.d1) / (2 * e), 1e-6 / h);
        EXPECT_NEAR(here.d3, (after.d2 - before.d2) / (2 * e), 1e-5 / h / h);
      }
    }
  }
}

TEST(JointPath, StopsWhereEachJointTurnsOrStandsStill) {
  const auto [path, knots] = path_through(std::vector<PathPoint>{{{0, 0}},
                                                                 {{1, 1}},
                                                                 {{2, 0}},
                                                                 {{1, 0}},
                                                                 {{1, 2}},
                                                                 {{1, 3}},
                                                                 {{2, 4}, true},
                                                                 {{2, 4}},
                                                                 {{3, 5}}});
  std::vector<bool> stops;
  for (std::size_t k = 0; k < path.knots().size(); ++k) stops.push_back(path.is_stop(k));
  // Joint 1 goes on at the first, joint 2 turns; both at once; ... ; 2,4 repeats.
  EXPECT_EQ(stops, (std::vector<bool>{true, false, true, true, false, false, true, true}));
  EXPECT_EQ(knots, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 6, 7}));
  EXPECT_EQ(path.turning_points(std::vector<double>{1, 0}).size(), 3U);
  EXPECT_THROW((void)path_through(std::vector<PathPoint>{{{1, 2}}, {{1, 2}}}), InputError);
}

TEST(JointPath, IsStraightBetweenStops) {
  const JointPath path =
      path_through(std::vector<PathPoint>{{{0, 1}}, {{3, 5}, true}, {{3, 4}}}).path;
  EXPECT_EQ(path.knots(), (std::vector<double>{0, 5, 6}));
  EXPECT_NEAR(path.at(0, 0, 1.25).q, 0.75, 1e-15);
  EXPECT_NEAR(path.at(0, 1, 1.25).d1, 0.8, 1e-15);
  EXPECT_NEAR(path.at(0, 1, 1.25).d2, 0.0, 1e-15);
  EXPECT_EQ(path.at(1, 1, 5.0).d1, -1.0);
}

TEST(JointPath, PassesACornerNoFartherThanItsBlend) {
  const JointPath path =
      path_through(std::vector<PathPoint>{{{0, 0}}, {{1, 0}, false, 0.03}, {{1, 2}}}).path;
  ASSERT_EQ(path.pieces(), 3U);
  double nearest = INFINITY;
  for (int n = 0; n <= 1000; ++n) {
    const double s = path.knots()[1] + (path.knots()[2] - path.knots()[1]) * n / 1000;
    const double x = path.at(1, 0, s).q, y = path.at(1, 1, s).q;
    nearest = std::min(nearest, std::max(1 - x, y));
    EXPECT_LE(x, 1.0);
    EXPECT_GE(y, 0.0);
  }
  EXPECT_NEAR(nearest, 0.03, 1e-12);
  for (std::size_t k = 1; k <= 2; ++k) {
    EXPECT_FALSE(path.is_stop(k));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(path.at(k - 1, i, path.knots()[k]).d1, path.at(k, i, path.knots()[k]).d1, 1e-15);
      EXPECT_EQ(path.at(k, i, path.knots()[k]).d2, 0.0);
    }
  }
  // A blend at a point where the path turns back is a stop.
  EXPECT_TRUE(path_through(std::vector<PathPoint>{{{0, 0}}, {{1, 1}, false, 0.1}, {{0, 0}}})
                  .path.is_stop(1));
}

TEST(JointPath, KnowsWhereAMotorTurns) {
  const JointPath path =
      path_through(std::vector<PathPoint>{{{0, 0}}, {{1, 0}, false, 0.03}, {{1, 2}}}).path;
  // The sum only rises; the difference turns within the corner, by symmetry in its middle.
  EXPECT_TRUE(path.turning_points(std::vector<double>{1, 1}).empty());
  const std::vector<double> turn = path.turning_points(std::vector<double>{1, -1});
  ASSERT_EQ(turn.size(), 1U);
  EXPECT_NEAR(turn[0], std::midpoint(path.knots()[1], path.knots()[2]), 1e-10);
}

}  // namespace
}  // namespace armdyn::testing
