// The fastest motion on a path within limits of torque: against closed forms, and by torques of
// their own at many times.

#include "motion/time_optimal.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "motion/joint_path.hpp"
#include "support/limited_arm.hpp"

namespace armdyn::testing {
namespace {

JointPath path_of(const std::vector<std::vector<double>>& points) {
  std::vector<PathPoint> through;
  for (const std::vector<double>& q : points) through.push_back({q});
  return path_through(through).path;
}

double duration(const Robot& robot, const JointPath& path, std::size_t cells = 2400) {
  PathDemands demands(robot, path_limits(robot));
  return time_optimal(path, demands, cells).motion.end();
}

Robot level_bar() {
  Robot robot = pendulum();
  robot.gravity = {};
  return robot;
}

TEST(TimeOptimal, OfConstantTorqueIsBangBang) {
  Robot robot = level_bar();
  robot.joints[0].limits.torque = 2.0;
  // 2 √(way/acceleration)
  EXPECT_NEAR(duration(robot, path_of({{0.0}, {1.0}})), 2.0 / std::sqrt(2.0), 1e-6);
  robot.joints[0].friction.coulomb = {0.5, 0.5};  // 1.5 to speed up, 2.5 to slow down
  const double expected = std::sqrt(2.0 * (1.0 / 1.5 + 1.0 / 2.5));
  EXPECT_NEAR(duration(robot, path_of({{0.0}, {1.0}})), expected, 1e-6);
  robot.joints[0].limits.velocity = 0.5;
  const double ramps = 0.5 / 1.5 + 0.5 / 2.5;
  EXPECT_NEAR(duration(robot, path_of({{0.0}, {1.0}})), ramps + (1.0 - 0.25 * ramps) / 0.5, 1e-5);
}

TEST(TimeOptimal, OfViscousFrictionHasItsClosedForm) {
  Robot robot = level_bar();
  robot.joints[0].limits.torque = 2.0;
  robot.joints[0].friction.viscous = 1.5;
  // From rest v = (u/b)(1 − e^(−bt)); backwards from rest v = (u/b)(e^(bt') − 1).
  const double b = 1.5, u = 2.0;
  const auto way = [&](double t1) {
    const double v = u / b * (1.0 - std::exp(-b * t1)), t2 = std::log(1.0 + b * v / u) / b;
    const double out = u / b * (t1 - (1.0 - std::exp(-b * t1)) / b);
    const double in = u / b * ((std::exp(b * t2) - 1.0) / b - t2);
    return std::pair{out + in, t1 + t2};
  };
  double low = 0.0, high = 10.0;
  for (int n = 0; n < 200; ++n) (way((low + high) / 2).first < 1.0 ? low : high) = (low + high) / 2;
  const double expected = way(low).second;
  const JointPath path = path_of({{0.0}, {1.0}});
  const double coarse = duration(robot, path, 300) - expected;
  const double fine = duration(robot, path, 600) - expected;
  const double finest = duration(robot, path) - expected;
  PathDemands demands(robot, path_limits(robot));
  const double least = least_duration(path, demands, expected);
  EXPECT_LE(least, expected);
  EXPECT_GT(least, 0.999 * expected);
  EXPECT_NEAR(coarse / fine, 4.0, 0.6);  // of second order
  EXPECT_LT(std::abs(finest), 1e-6 * expected);
}

TEST(TimeOptimal, ABoundIsBelowEveryFeasibleTime) {
  // Against gravity: from hanging to level, u = L − 9.81 cos q, the energy of each half in closed
  // form: ½ ṡ² = L s − 9.81 (sin(q0 + s) − sin q0) speeding up, and back from the end.
  Robot robot = pendulum();
  const double L = 30.0, q0 = -std::numbers::pi / 2, way = std::numbers::pi / 2;
  robot.joints[0].limits.torque = L;
  const auto up = [&](double s) { return L * s - 9.81 * (std::sin(q0 + s) - std::sin(q0)); };
  const auto down = [&](double s) { return L * (way - s) + 9.81 * (0.0 - std::sin(q0 + s)); };
  double low = 0.0, high = way;
  for (int n = 0; n < 200; ++n) {
    const double middle = (low + high) / 2;
    (up(middle) < down(middle) ? low : high) = middle;
  }
  // ∫ ds/ṡ with s = w² and way − s = w², which takes the roots at the ends away.
  const auto time = [](double to, const auto& energy) {
    double sum = 0.0;
    const int parts = 20000;
    const double root = std::sqrt(to);
    for (int n = 0; n < parts; ++n) {
      const double w = root * (n + 0.5) / parts;
      sum += 2.0 * w / std::sqrt(2.0 * energy(w * w)) * root / parts;
    }
    return sum;
  };
  const double expected = time(low, up) + time(way - low, [&](double s) { return down(way - s); });
  const JointPath path = path_of({{q0}, {0.0}});
  EXPECT_NEAR(duration(robot, path), expected, 1e-6 * expected);
  PathDemands demands(robot, path_limits(robot));
  const double least = least_duration(path, demands, expected);
  EXPECT_LE(least, expected);
  EXPECT_GT(least, 0.999 * expected);
}

TEST(TimeOptimal, SaysWhereNoSpeedKeepsTheLimits) {
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 5.0;
  EXPECT_THROW((void)duration(robot, path_of({{-1.5}, {1.5}})), NumericsError);
}

TEST(TimeOptimal, TakesThePathOfAMotion) {
  const Trajectory motion =
      through({{}, {{0.0, 0.0}, {1.0, 0.5}, {0.4, 1.2}}}, Profile::quintic, {2.0, {}});
  const JointPath path = recorded_path(motion);
  EXPECT_TRUE(path.is_stop(0));
  double farthest = 0.0;
  for (double share = 0.0; share <= 1.0; share += 0.003) {
    const double s = share * path.knots().back();
    double nearest = 1.0;
    for (double t = 0.0; t <= 2.0; t += 0.0005) {
      const MotionRow row = row_at(motion, t);
      double off = 0.0;
      for (std::size_t i = 0; i < 2; ++i) {
        off = std::hypot(off, row.q[i] - path.at(path.piece_at(s), i, s).q);
      }
      nearest = std::min(nearest, off);
    }
    farthest = std::max(farthest, nearest);
  }
  EXPECT_LT(farthest, 2e-3);  // of which half is what the times are apart
}

TEST(TimeOptimal, MotionsOfRandomArmsKeepTheirLimits) {
  RandomArm random(7);
  for (int arm = 0; arm < 8; ++arm) {
    const std::size_t dof = 1 + static_cast<std::size_t>(arm) % 6;
    Robot robot = driven_arm(random, dof);
    if (arm % 4 == 1) {  // which the bound takes for unknown
      robot.joints[0].friction.breakaway = TwoSided{4.0, 4.0};
      robot.joints[0].friction.stribeck_velocity = 0.3;
    }
    std::vector<std::vector<double>> points;
    for (int n = 0; n < 2 + arm % 3; ++n) points.push_back(random.numbers(dof, 1.2));
    const JointPath path = path_of(points);
    InverseDynamics dynamics(normalise(robot));
    std::vector<double> tau(dof), zero(dof);
    std::vector<double> most(dof, 5.0);
    for (double share = 0.0; share <= 1.0; share += 0.01) {
      std::vector<double> q;
      const double s = share * path.knots().back();
      for (std::size_t i = 0; i < dof; ++i) q.push_back(path.at(path.piece_at(s), i, s).q);
      dynamics.torque({q, zero, zero}, {}, tau);
      for (std::size_t i = 0; i < dof; ++i) most[i] = std::max(most[i], std::abs(tau[i]));
    }
    for (std::size_t i = 0; i < dof; ++i) robot.joints[i].limits.torque = 1.5 * most[i] + 8.0;
    robot.joints[0].limits.velocity = 3.0;
    for (Coupling& coupling : robot.couplings) coupling.velocity_limits = {200.0, 180.0};
    PathDemands demands(robot, path_limits(robot));
    const TimeOptimalMotion fastest = time_optimal(path, demands);
    const Trajectory& motion = fastest.motion;
    double share = 0.0, mean = 0.0;
    for (int n = 0; n <= 20000; ++n) {
      const double t = motion.end() * n / 20000.0;
      const MotionRow row = row_at(motion, t);
      const double here = limit_share(robot, dynamics, row);
      share = std::max(share, here);
      mean += here / 20001.0;
    }
    EXPECT_LE(share, 1.0 + 1e-9) << arm;
    const double T = motion.end();
    const double least = least_duration(path, demands, T);
    EXPECT_LE(least, T);
    EXPECT_GT(least, (arm % 4 == 1 ? 0.9 : 0.975) * T) << arm;
    EXPECT_GT(mean, 0.9) << arm;
  }
}

}  // namespace
}  // namespace armdyn::testing
