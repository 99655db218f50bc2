// Jumps of accelerations, as a motion's law knows them, against differences between rows so near to
// one another that nothing else changes as much.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "motion/joint_path.hpp"
#include "motion/path_timing.hpp"
#include "motion/time_optimal.hpp"
#include "motion/trajectory_law.hpp"
#include "support/limited_arm.hpp"
#include "support/motion_row.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

AccelerationJumps jumps_of(const Trajectory& motion) {
  return acceleration_jumps(motion, extremes(motion));
}

constexpr std::size_t rows = 400000;

/// Accelerations of each joint in so many rows, and of rest before and behind.
std::vector<std::vector<double>> accelerations(const Trajectory& motion) {
  const double step = (motion.end() - motion.begin()) / rows;
  std::vector<std::vector<double>> qdd(motion.dof(), {0.0});
  const auto add = [&](const std::vector<double>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) qdd[i].push_back(row[i]);
  };
  for (std::size_t n = 0; n < rows; ++n) {
    add(row_at(motion, motion.begin() + step * static_cast<double>(n)).qdd);
  }
  add(row_at(motion, std::nextafter(motion.end(), motion.begin())).qdd);
  add(std::vector<double>(motion.dof()));
  return qdd;
}

/// Holds the jumps against changes from row to row: on a path each may be two, at both ends of a
/// cell, and is not above what changes within some cells.
void expect_as_by_differences(const Trajectory& motion, const std::string& which) {
  constexpr std::size_t some_cells = 1000;
  const bool has_cells = !TrajectoryLaw::of(motion).jumps.empty();
  const std::vector<JointExtremes> reached = extremes(motion);
  const AccelerationJumps jumps = acceleration_jumps(motion, reached);
  std::vector<double> share(rows + 2);
  double largest = 0.0, within_cells = 0.0;
  const std::vector<std::vector<double>> all = accelerations(motion);
  for (std::size_t i = 0; i < motion.dof(); ++i) {
    const std::vector<double>& qdd = all[i];
    for (std::size_t n = 0; n + 1 < qdd.size(); ++n) {
      const double jump = std::abs(qdd[n + 1] - qdd[n]);
      if (jump > 1e-9) share[n] = std::max(share[n], jump / reached[i].acceleration.value);
      if (share[n] > 0.009) largest = std::max(largest, jump);
      if (n + some_cells >= qdd.size()) continue;
      within_cells = std::max(within_cells, std::abs(qdd[n + some_cells] - qdd[n]));
    }
  }
  const auto above = [&](double least) {
    return static_cast<std::size_t>(
        std::ranges::count_if(share, [least](double jump) { return jump > least; }));
  };
  EXPECT_LE(jumps.count, above(0.009)) << which;
  EXPECT_GE((has_cells ? 2 : 1) * jumps.count, above(0.011)) << which;
  EXPECT_GE(jumps.largest.value, largest * (1 - 1e-3)) << which;
  EXPECT_LE(jumps.largest.value, (has_cells ? within_cells : largest) * (1 + 1e-3)) << which;
}

const std::vector<double> start{0.3, -1.0}, goal{1.3, 2.0};

TEST(AccelerationJumps, OfProfilesAreThoseOfTheirFormulas) {
  const double T = 3.0;
  const auto jumps = [&](Profile profile, Timing timing) {
    return jumps_of(point_to_point(start, goal, profile, timing));
  };
  EXPECT_EQ(jumps(Profile::quintic, {T, {}}).count, 0U);
  EXPECT_EQ(jumps(Profile::septic, {T, {}}).count, 0U);
  const AccelerationJumps cubic = jumps(Profile::cubic, {T, {}});
  EXPECT_EQ(cubic.count, 2U);
  EXPECT_NEAR(cubic.largest.value, 6.0 * 3.0 / (T * T), 1e-13);
  EXPECT_EQ(cubic.largest.t, 0.0);
  EXPECT_EQ(cubic.joint, 1U);
  const AccelerationJumps thirds = jumps(Profile::trapezoid, {T, {}});
  EXPECT_EQ(thirds.count, 4U);
  EXPECT_NEAR(thirds.largest.value, 4.5 * 3.0 / (T * T), 1e-13);
  const AccelerationJumps triangle = jumps(Profile::lspb, {{}, {{9.0, 2.0}, {9.0, 2.0}}});
  EXPECT_EQ(triangle.count, 3U);
  EXPECT_NEAR(triangle.largest.value, 4.0, 1e-13);
  EXPECT_NEAR(triangle.largest.t, std::sqrt(3.0 / 2.0), 1e-13);
}

Waypoints waypoints() {
  return {{}, {{0.0, 0.5}, {1.0, 0.8}, {1.2, -0.4}, {0.1, 0.3}}, {0.0, 0.0, 0.7, 0.0}};
}

const std::vector<RateLimit> limits{{1.0, 4.0}, {1.5, 3.0}};

TEST(AccelerationJumps, AreThoseBetweenCloseRows) {
  for (const Profile profile : {Profile::trapezoid, Profile::cubic, Profile::quintic,
                                Profile::septic, Profile::lspb, Profile::monotone}) {
    const std::string which = "profile " + std::to_string(static_cast<int>(profile));
    const Trajectory motion = through(waypoints(), profile, {{}, limits});
    expect_as_by_differences(motion, which);
    expect_as_by_differences(slowed(motion, 1.7), which + ", slowed");
    expect_as_by_differences(slowed(motion, 0.3), which + ", faster");
    expect_as_by_differences(held(motion, 1.0), which + ", held");
    const Trajectory later =
        joined({motion, slowed(motion, 1.3)}, -motion.end(), motion.end() * 1.3);
    expect_as_by_differences(later, which + ", twice, from before t = 0 on");
    expect_as_by_differences(point_to_point(start, goal, profile, {{}, {{1.0, 4.0}, {1.5, 3.0}}}),
                             which + ", two ends");
  }
}

TEST(AccelerationJumps, OfOneJointAreThoseOfBangBang) {
  // The switch is within a cell.
  for (const auto& [v, count, largest] : {std::tuple{9.0, 3U, 4.0}, {0.5, 4U, 2.0}}) {
    const Trajectory motion =
        point_to_point(std::vector{0.2}, std::vector{1.2}, Profile::monotone, {{}, {{v, 2.0}}});
    EXPECT_EQ(jumps_of(motion).count, count);
    EXPECT_NEAR(jumps_of(motion).largest.value, largest, 1e-9);
  }
  // A dwell is no cell: to rest and from rest are two.
  const Trajectory twice =
      through({{}, {{0.0}, {1.0}, {2.0}}, {0.0, 0.5, 0.0}}, Profile::monotone, {{}, {{9.0, 2.0}}});
  EXPECT_EQ(jumps_of(twice).count, 6U);
  EXPECT_NEAR(jumps_of(twice).largest.value, 4.0, 1e-9);
}

TEST(AccelerationJumps, OfTheFastestMotionAreThoseBetweenCloseRows) {
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 15.0;
  PathDemands demands(robot, path_limits(robot));
  const Trajectory motion = time_optimal(path_of({{0.0}, {1.0}, {0.2}}), demands).motion;
  EXPECT_EQ(jumps_of(motion).count, 4U);  // at the turn the torque stays
  expect_as_by_differences(motion, "fastest");
}

TEST(AccelerationJumps, OfALineAreThoseOfItsProfile) {
  const Arm arm = normalize(shipped_robot("puma560"));
  const std::vector<double> near{0.2, 0.5, -1.0, 0.3, 0.6, 0.0}, far{0.6, 0.3, -0.8, 0.1, 0.7, 0.2};
  for (const auto& [profile, count] :
       {std::pair{Profile::trapezoid, 4U}, {Profile::cubic, 2U}, {Profile::quintic, 0U}}) {
    const Trajectory motion =
        straight_line(arm, near, far, profile, {2.0, {}}, TcpOrientation::interpolated);
    EXPECT_EQ(jumps_of(motion).count, count);
  }
}

TEST(AccelerationJumps, AreNoneWithinLimitsOfJerkAndWithTimes) {
  std::vector<RateLimit> smooth = limits;
  for (RateLimit& limit : smooth) limit.jerk = 30.0;
  const Trajectory motion = through(waypoints(), Profile::monotone, {{}, smooth});
  EXPECT_EQ(jumps_of(motion).count, 0U);
  expect_as_by_differences(motion, "jerk");
  Waypoints timed = waypoints();
  timed.t = {-1.0, 0.0, 1.0, 3.0};
  EXPECT_EQ(jumps_of(through(timed, Profile::monotone, {})).count, 0U);
  for (double& t : timed.t) t += 1.7e9;
  EXPECT_EQ(jumps_of(through(timed, Profile::monotone, {})).count, 0U);
  EXPECT_EQ(jumps_of(through(timed, Profile::quintic, {})).count, 0U);
  // Three stretches and a dwell, each with a jump at both ends and two between.
  EXPECT_EQ(jumps_of(through(timed, Profile::trapezoid, {})).count, 11U);
}

TEST(AccelerationJumps, AtEndsAreThoseOfRest) {
  // From a row at rest with an acceleration to one that moves, beyond which nobody knows.
  const Trajectory motion = recorded({{0.0, 1.0}, {0.0, 1.0}, {0.0, 2.0}, {2.0, 2.0}});
  const AccelerationJumps jumps = jumps_of(motion);
  EXPECT_EQ(jumps.count, 1U);
  EXPECT_NEAR(jumps.largest.value, 2.0, 1e-12);
  EXPECT_EQ(jumps.largest.t, 0.0);
  const Trajectory still = point_to_point(start, start, Profile::cubic, {1.0, {}});
  EXPECT_EQ(jumps_of(still).count, 0U);
}

TEST(AccelerationJumps, OfExcitationsAreNone) {
  EXPECT_EQ(
      jumps_of(excite({.center = {0.0}, .position = {{-2.0, 2.0}}, .limits = {{3.0, 40.0}}})).count,
      0U);
}

}  // namespace
}  // namespace armdyn::testing
