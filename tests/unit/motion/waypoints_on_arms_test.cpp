// Motions through points by chance on ten shipped arms, at very many times: within the range of the
// points and the limits, at rest at stops, q, qd and qdd of one motion.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "motion/path_timing.hpp"
#include "support/more_samples.hpp"
#include "support/motion_row.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

constexpr const char* arms[] = {
    "barrett-wam7", "franka-panda",  "kuka-iiwa14",      "mitsubishi-pa10",
    "puma560",      "motoman-sia10", "mitsubishi-rv2sq", "staubli-tx40",
    "ur5e",         "ur10e"};

/// Points within the arm's ranges, some of which repeat, rest, or are passed at a distance.
Waypoints points_by_chance(const Robot& robot, std::mt19937_64& random) {
  std::uniform_real_distribution<double> chance(0.0, 1.0);
  Waypoints points;
  const std::size_t count = 2 + random() % 7;
  points.stops = chance(random) < 0.1;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> q;
    for (const Joint& joint : robot.joints) {
      const Range range = joint.limits.position.value_or(Range{-3.0, 3.0});
      const bool stands = k > 0 && chance(random) < 0.1;
      q.push_back(stands ? points.q.back()[q.size()]
                         : std::lerp(range.lower, range.upper, chance(random)));
    }
    points.q.push_back(k > 0 && chance(random) < 0.1 ? points.q.back() : q);
    const double dwell = chance(random) < 0.2 ? chance(random) : 0.0;
    points.dwell.push_back(dwell);
    points.blend.push_back(dwell == 0.0 && chance(random) < 0.3 ? 0.3 * chance(random) : 0.0);
  }
  points.q.back()[0] += 0.01;  // not all the same
  return points;
}

void expect_sound(const Waypoints& points, const std::vector<RateLimit>& limits,
                  const WaypointMotion& planned) {
  constexpr int times = 1000;
  const Trajectory& motion = planned.motion;
  const double dt = (motion.end() - motion.begin()) / times;
  std::vector<double> least = points.q[0], most = least;
  for (const std::vector<double>& q : points.q) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      least[i] = std::min(least[i], q[i]);
      most[i] = std::max(most[i], q[i]);
    }
  }
  MotionRow before;
  for (int n = 0; n <= times; ++n) {
    const MotionRow here = row_at(motion, motion.begin() + n * dt);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      ASSERT_GE(here.q[i], least[i] - 1e-12);
      ASSERT_LE(here.q[i], most[i] + 1e-12);
      ASSERT_LE(std::abs(here.qd[i]), limits[i].velocity * (1 + 1e-9));
      ASSERT_LE(std::abs(here.qdd[i]), limits[i].acceleration * (1 + 1e-9));
      if (n == 0) continue;
      const double step = dt * (here.qd[i] + before.qd[i]) / 2;
      ASSERT_NEAR(here.q[i] - before.q[i], step, limits[i].acceleration * dt * dt / 2 + 1e-12);
    }
    before = here;
  }
  std::vector<std::size_t> stops = planned.stops;
  stops.insert(stops.begin(), 0);
  stops.push_back(points.q.size() - 1);
  double from = motion.begin();
  for (const std::size_t stop : stops) {  // one after the other, each at a knot
    const auto rests = [&](double t) {
      const MotionRow row = row_at(motion, t);
      bool is_there = t >= from;
      for (std::size_t i = 0; i < limits.size(); ++i) {
        is_there = is_there && std::abs(row.qd[i]) <= 1e-12 * limits[i].velocity &&
                   std::abs(row.q[i] - points.q[stop][i]) <= 1e-12;
      }
      return is_there;
    };
    const auto at = std::ranges::find_if(motion.knots(), rests);
    ASSERT_NE(at, motion.knots().end()) << "waypoint " << stop + 1;
    from = *at;
    if (points.dwell[stop] > 0.0) {
      EXPECT_TRUE(rests(std::min(from + 0.999 * points.dwell[stop], motion.end())));
    }
  }
}

TEST(WaypointsOnArms, AreReachedWithinRangesAndLimits) {
  std::mt19937_64 random(35);
  for (const char* const arm : arms) {
    const Robot robot =
        read_robot_file(shipped_robots_folder() + "/" + std::string(arm) + ".yaml").robot;
    std::uniform_real_distribution<double> size(0.3, 3.0);
    for (int set = 0; set < samples(4); ++set) {
      const Waypoints points = points_by_chance(robot, random);
      std::vector<RateLimit> limits;
      for (const Joint& joint : robot.joints) {
        limits.push_back({std::min(joint.limits.velocity.value_or(9.0), 2.0 * size(random)),
                          3.0 * size(random)});
      }
      expect_sound(points, limits, plan_through(points, Profile::monotone, {{}, limits}));
      ASSERT_FALSE(HasFailure()) << arm << ", set " << set;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
