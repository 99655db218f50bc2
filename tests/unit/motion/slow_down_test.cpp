// The fastest uniform slowing: against closed forms, and against the torques of slowed motions on
// fine grids of time and speed.

#include "motion/path_limits.hpp"

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/trajectory.hpp>

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "motion/path_timing.hpp"
#include "motion/trajectory_law.hpp"
#include "support/limited_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

SlowDown found(const Robot& robot, const Trajectory& motion, const WrenchOverTime& wrench = {}) {
  PathDemands demands(robot, path_limits(robot));
  return slow_down(demands, motion, wrench);
}

/// The same state at all times.
Trajectory moment(double q, double qd, double qdd) {
  const auto at = [=](double /*t*/, const InstantRoom& room) { room.set(0, {q, qd, qdd}); };
  return TrajectoryLaw::motion({{0.0, 1.0}, 1, at});
}

TEST(SlowDown, OfAPendulumIsTheRootOfAQuadratic) {
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 20.0;
  robot.joints[0].friction.viscous = 2.0;
  robot.joints[0].friction.coulomb = {1.0, 3.0};
  // 9.81 cos q + 1 + 2·3 σ + 8 σ² = 20
  const double level = 9.81 * std::cos(0.4) + 1.0;
  const double expected = (-6.0 + std::sqrt(36.0 + 32.0 * (20.0 - level))) / 16.0;
  EXPECT_NEAR(found(robot, moment(0.4, 3.0, 8.0)).factor, expected, 1e-11);
  // Backwards friction helps to hold: 9.81 cos q − 3 − 2·3 σ − 30 σ² = −20
  const double back = 9.81 * std::cos(0.4) - 3.0;
  EXPECT_NEAR(found(robot, moment(0.4, -3.0, -30.0)).factor,
              (-6.0 + std::sqrt(36.0 + 120.0 * (20.0 + back))) / 60.0, 1e-11);
  robot.joints[0].limits.velocity = 0.6;
  const SlowDown slower = found(robot, moment(0.4, 3.0, 8.0));
  EXPECT_NEAR(slower.factor, 0.2, 1e-11);
  EXPECT_EQ(path_limits(robot)[slower.binding->limit].kind, RowLimit::Kind::velocity);
  robot.joints[0].limits.acceleration = 0.08;
  EXPECT_NEAR(found(robot, moment(0.4, 3.0, 8.0)).factor, 0.1, 1e-11);
}

TEST(SlowDown, SeesAPeakBetweenTheFirstTwoProbesOfAPiece) {
  constexpr std::size_t pieces = 2048;  // four probes each
  Robot robot = pendulum();
  robot.joints[0].limits.acceleration = 1.0;
  std::vector<double> knots;
  for (std::size_t k = 0; k <= pieces; ++k) knots.push_back(static_cast<double>(k));
  const auto hump = [](double off) { return std::exp(-9.0 * off * off); };
  const auto at = [&](double t, const InstantRoom& room) {
    room.set(0, {0.0, 0.1, 1.0 + 0.00095 * hump(t - 500.0) + 0.001 * hump(t - 1000.1249)});
  };
  const Trajectory motion = TrajectoryLaw::motion({knots, 1, at});
  EXPECT_NEAR(found(robot, motion).factor, std::sqrt(1.0 / 1.001), 1e-11);
}

TEST(SlowDown, IsNoneWhereTheMotionKeepsItsLimits) {
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 20.0;
  const SlowDown all = found(robot, moment(0.0, 3.0, 8.0));
  EXPECT_EQ(all.factor, 1.0);
  EXPECT_FALSE(all.binding);
  ASSERT_EQ(all.feasible.size(), 1U);
  EXPECT_EQ(all.feasible[0].lower, 0.0);
}

TEST(SlowDown, TellsOfGapsInWhatIsFeasible) {
  // 9.81 − 4 − 30 σ + 40 σ² within ±4: from where viscous friction holds enough, but not where
  // it pushes.
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 4.0;
  robot.joints[0].friction = {.viscous = 15.0, .coulomb = {0.0, 1.0}};
  const SlowDown slower = found(robot, moment(0.0, -2.0, 20.0));
  // 8.81 − 30 σ + 20 σ²: 4 at the smaller root of 20σ² − 30σ + 4.81
  const double first = (30.0 - std::sqrt(900.0 - 80.0 * 4.81)) / 40.0;
  EXPECT_EQ(slower.factor, 1.0);
  ASSERT_EQ(slower.feasible.size(), 1U);
  EXPECT_NEAR(slower.feasible[0].lower, first, 1e-11);

  robot.joints[0].friction.viscous = 20.0;  // 8.81 − 40 σ + 36 σ² is below −2 in the middle
  robot.joints[0].limits.torque = 2.0;
  const SlowDown islands = found(robot, moment(0.0, -2.0, 36.0));
  const auto root = [](double level, double sign) {
    return (40.0 + sign * std::sqrt(1600.0 - 144.0 * (8.81 - level))) / 72.0;
  };
  ASSERT_EQ(islands.feasible.size(), 2U);
  EXPECT_NEAR(islands.feasible[0].lower, root(2.0, -1.0), 1e-11);
  EXPECT_NEAR(islands.feasible[0].upper, root(-2.0, -1.0), 1e-11);
  EXPECT_NEAR(islands.feasible[1].lower, root(-2.0, 1.0), 1e-11);
  EXPECT_NEAR(islands.factor, root(2.0, 1.0), 1e-11);
}

TEST(SlowDown, SaysWhichLimitNoSpeedKeeps) {
  Robot robot = pendulum();
  robot.joints[0].limits.torque = 10.0;
  robot.joints[0].friction.coulomb = {1.0, 1.0};
  const SlowDown none = found(robot, moment(0.0, 1.0, 0.0));
  EXPECT_EQ(none.factor, 0.0);
  ASSERT_TRUE(none.obstacle);
  EXPECT_TRUE(none.obstacle->allowed.empty());
  EXPECT_NEAR(none.obstacle->demand.load, 9.81, 1e-12);
  EXPECT_EQ(none.obstacle->demand.friction, 1.0);
  EXPECT_EQ(found(robot, moment(0.0, -1.0, 0.0)).factor, 1.0);  // friction holds then
}

TEST(SlowDown, LetsStaticFrictionHoldAndHinderAtRest) {
  Robot robot = pendulum();
  robot.joints[0].friction.coulomb = {1.0, 1.0};
  robot.joints[0].friction.breakaway = TwoSided{3.0, 3.0};
  const Trajectory still = recorded({{0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}});
  robot.joints[0].limits.torque = 7.0;  // 9.81 − 3
  EXPECT_EQ(found(robot, still).factor, 1.0);
  robot.joints[0].limits.torque = 6.8;
  EXPECT_TRUE(found(robot, still).obstacle);

  // From rest with q̈ = 4: 9.81 + 3 + 4 σ² to set out, 9.81 + 1 + 4 σ² after that.
  const Trajectory starts = recorded({{0.0, 1e-3}, {0.0, 2e-6}, {0.0, 4e-3}, {4.0, 4.0}});
  robot.joints[0].limits.torque = 13.81;
  EXPECT_NEAR(found(robot, starts).factor, 0.5, 1e-9);
  // Coming to rest, dry friction brakes to the last: 9.81 + 1 − 4 σ².
  const Trajectory ends = recorded({{0.0, 1e-3}, {-2e-6, 0.0}, {4e-3, 0.0}, {-4.0, -4.0}});
  robot.joints[0].limits.torque = 10.81;
  EXPECT_EQ(found(robot, ends).factor, 1.0);
}

/// Holds 9.81 N·m at q = 0, static friction 5 or 4 N·m, Coulomb 2 or 1 N·m.
Robot sticking_pendulum(double limit) {
  Robot robot = pendulum();
  robot.joints[0].friction = {.coulomb = {2.0, 1.0}, .breakaway = TwoSided{5.0, 4.0}};
  robot.joints[0].limits.torque = limit;
  return robot;
}

/// From rest to rest, with hardly an acceleration.
Trajectory slowly(const std::vector<double>& from, const std::vector<double>& to,
                  Profile profile = Profile::quintic) {
  return point_to_point(from, to, profile, {1e3, {}});
}

TEST(SlowDown, LetsNoSpeedHelpWhereTheMotionCannotSetOut) {
  constexpr double up = 9.81 + 5.0, down = 9.81 - 1.0;
  for (const Profile profile : {Profile::cubic, Profile::quintic, Profile::septic}) {
    const Trajectory rises = slowly({0.0}, {0.5}, profile);
    const SlowDown none = found(sticking_pendulum(up - 1e-3), rises);
    ASSERT_TRUE(none.obstacle);
    EXPECT_EQ(none.obstacle->place.t, 0.0);
    EXPECT_NEAR(none.obstacle->demand.load, 9.81, 1e-12);
    EXPECT_EQ(none.obstacle->demand.friction, 5.0);
    EXPECT_EQ(found(sticking_pendulum(up + 1e-3), rises).factor, 1.0);
    // Downwards friction holds as well, and what slides holds less.
    const Trajectory sinks = slowly({0.0}, {-0.5}, profile);
    EXPECT_TRUE(found(sticking_pendulum(down - 1e-3), sinks).obstacle);
    EXPECT_EQ(found(sticking_pendulum(down + 1e-3), sinks).factor, 1.0);
  }
}

TEST(SlowDown, SetsOutAfterAWaitAndAfterARestOnTheWay) {
  const Robot robot = sticking_pendulum(14.0);  // less than 9.81 + 5
  const Trajectory waits = joined({slowly({0.0}, {0.0}), slowly({0.0}, {0.5})}, 0.0, 2e3);
  ASSERT_TRUE(found(robot, waits).obstacle);
  EXPECT_NEAR(found(robot, waits).obstacle->place.t, 1e3, 1e-9);
  // From below, where gravity is 14 − 5 − 0.3: it sets out there, but not from level.
  const double low = -std::acos(8.7 / 9.81);
  EXPECT_EQ(found(robot, slowly({low}, {0.0})).factor, 1.0);
  for (const double end : {0.3, low}) {  // on and back
    const SlowDown rests =
        found(robot, joined({slowly({low}, {0.0}), slowly({0.0}, {end})}, 0.0, 2e3));
    EXPECT_EQ(rests.obstacle.has_value(), end > 0.0);
    if (rests.obstacle) {
      EXPECT_NEAR(rests.obstacle->place.t, 1e3, 1e-9);
    }
  }
}

TEST(SlowDown, SetsOutFromTheRowsOfAFile) {
  RecordedRows rows;
  const Trajectory rises =
      point_to_point(std::vector{0.0}, std::vector{0.5}, Profile::quintic, {1.0, {}});
  for (int k = -5; k <= 20; ++k) {  // a wait first
    const MotionRow row = row_at(rises, 0.05 * k);
    rows.t.push_back(0.05 * k);
    rows.q.push_back(row.q[0]);
    rows.qd.push_back(k <= 0 ? 0.0 : row.qd[0]);
    rows.qdd.push_back(k <= 0 ? 0.0 : row.qdd[0]);
  }
  EXPECT_TRUE(found(sticking_pendulum(14.0), recorded(rows)).obstacle);
  // At the end it rests: rounding there is no motion the other way.
  const std::vector<double> from{0.0}, to{-0.1};
  const Trajectory sinks = point_to_point(from, to, Profile::quintic, {20.0, {}});
  for (const double rate : {10.0, 100.0, 1000.0}) {
    RecordedRows sampled{sample_times(sinks, rate), {}, {}, {}};
    for (const double t : sampled.t) {
      const MotionRow row = row_at(sinks, t);
      sampled.q.push_back(row.q[0]);
      sampled.qd.push_back(row.qd[0]);
      sampled.qdd.push_back(row.qdd[0]);
    }
    EXPECT_EQ(found(sticking_pendulum(9.81), recorded(sampled)).factor, 1.0) << rate;
  }
  // Nothing sets out in the wait alone.
  const RecordedRows wait{{0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  EXPECT_EQ(found(sticking_pendulum(14.0), recorded(wait)).factor, 1.0);
}

/// Two such joints without gravity, 1 m apart.
Robot bar_at_the_end_of_an_arm() {
  Robot robot = pendulum();
  robot.gravity = {};
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  robot.joints[1].dh.a = 1.0;
  return robot;
}

TEST(SlowDown, SetsOutBesideAJointThatMovesAlready) {
  // The second joint sets out halfway, where the first turns with 4 rad/s at right angles to it: what
  // it holds then, 16 σ², helps or hinders.
  Robot robot = bar_at_the_end_of_an_arm();
  Joint& tip = robot.joints[1];
  tip.friction = {.coulomb = {1.0, 1.0}, .breakaway = TwoSided{3.0, 3.0}};
  tip.limits.torque = 10.0;
  const double right = std::numbers::pi / 2;
  const auto at = [right](double t, const InstantRoom& room) {
    const double since = std::max(0.0, t - 1.0), way = 1e-3 * since * since * since;
    room.set(0, {4.0 * t, 4.0, 0.0});
    room.set(1, {right + way, 3e-3 * since * since, 6e-3 * since});
  };
  const Trajectory motion = TrajectoryLaw::motion({{0.0, 1.0, 1.01}, 2, at});
  EXPECT_NEAR(found(robot, motion).factor, std::sqrt((10.0 - 3.0) / 16.0), 1e-6);
}

TEST(SlowDown, OfCoupledMotorsSetsOutByTheirOwnFriction) {
  // Motors of 0.5 N·m, of which the second stands still when both joints go forwards alike.
  Robot robot = pendulum();
  robot.gravity = {};
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  for (Joint& joint : robot.joints) joint.motor.coulomb = {0.6, 0.4};
  robot.couplings.push_back({{0, 1}, {1.0, 1.0, 1.0, -1.0}, {0.0, 0.0}, {}, {0.5, 0.5}});
  const auto moves = [&](double first, double second) {
    return found(robot, slowly({0.0, 0.0}, {first, second}));
  };
  EXPECT_TRUE(moves(1.0, 1.0).obstacle);
  EXPECT_EQ(moves(-1.0, -1.0).factor, 1.0);
  EXPECT_TRUE(moves(1.0, -1.0).obstacle);
  EXPECT_EQ(moves(-1.0, 1.0).factor, 1.0);
}

TEST(SlowDown, LetsStaticFrictionOfEveryLawHoldWhatTurnsBesideIt) {
  // A bar of 1 kg at the end of an arm of 1 m that turns with 4 rad/s, at right angles to it: the
  // joint between them, at rest, has to hold ±16 σ², of which static friction holds 3 or 1.
  Robot robot = bar_at_the_end_of_an_arm();
  Joint& tip = robot.joints[1];
  tip.limits.torque = 2.0;
  for (const double stribeck_velocity : {0.0, 0.1}) {
    for (const double sigmoid : {0.0, 0.5}) {
      tip.friction = {.coulomb = {0.5, 0.2},
                      .breakaway = TwoSided{3.0, 1.0},
                      .stribeck_velocity = stribeck_velocity,
                      .sigmoid = {.amplitude = sigmoid, .slope = 3.0, .offset = 0.1}};
      for (const double side : {1.0, -1.0}) {
        const auto at = [side](double /*t*/, const InstantRoom& room) {
          room.set(0, {0.0, 4.0, 0.0});
          room.set(1, {side * 1.5707963267948966, 0.0, 0.0});
        };
        const SlowDown slower = found(robot, TrajectoryLaw::motion({{0.0, 1.0}, 2, at}));
        EXPECT_NEAR(slower.factor, std::sqrt((2.0 + (side > 0.0 ? 1.0 : 3.0)) / 16.0), 1e-9)
            << stribeck_velocity << ", " << sigmoid << ", " << side;
      }
    }
  }
}

TEST(SlowDown, OfOtherFrictionLawsIsFoundNumerically) {
  Robot robot = pendulum();
  robot.joints[0].friction = {.viscous = 0.5,
                              .coulomb = {1.0, 1.0},
                              .breakaway = TwoSided{4.0, 4.0},
                              .stribeck_velocity = 0.8,
                              .sigmoid = {.amplitude = 0.5, .slope = 3.0}};
  robot.joints[0].limits.torque = 13.5;
  const Trajectory motion = moment(0.0, 2.0, 5.0);
  const SlowDown slower = found(robot, motion);
  InverseDynamics dynamics(normalize(robot));
  const auto torque = [&](double s) {
    std::vector<double> tau(1);
    dynamics.torque({std::vector{0.0}, std::vector{2.0 * s}, std::vector{5.0 * s * s}}, {}, tau);
    return tau[0];
  };
  double expected = 1.0;
  while (torque(expected) > 13.5) expected -= 1e-6;
  EXPECT_NEAR(slower.factor, expected, 3e-6);
  ASSERT_FALSE(slower.feasible.empty());
  for (const Range& range : slower.feasible) {
    if (range.lower > 0.0) {
      EXPECT_NEAR(torque(range.lower), 13.5, 1e-6);
    }
  }
  EXPECT_GT(slower.feasible.front().lower, 0.0);  // static friction at low speed
}

TEST(SlowDown, OfRandomArmsIsWhatAFineGridOfSpeedsFinds) {
  RandomArm random(35);
  int bound = 0, unlimited = 0;
  for (int arm = 0; arm < 40; ++arm) {
    const std::size_t dof = 1 + static_cast<std::size_t>(arm) % 6;
    Robot robot = driven_arm(random, dof);
    const std::vector<double> from = random.numbers(dof, 1.5), to = random.numbers(dof, 1.5);
    Trajectory motion = point_to_point(from, to, Profile::quintic, {1.0, {}});
    if (arm % 3 == 0) {
      Waypoints via{{}, {from, random.numbers(dof, 1.0), to}};
      motion = through(via, Profile::septic, {1.0, {}});
    }
    const Wrench wrench = arm % 2 == 0 ? random.wrench() : Wrench{};
    InverseDynamics dynamics(normalize(robot));
    const auto row = [&](double t, double factor) {
      MotionRow there = row_at(motion, t);
      for (double& rate : there.qd) rate *= factor;
      for (double& rate : there.qdd) rate *= factor * factor;
      return there;
    };
    // Limits that some slower speed keeps.
    std::vector<double> tau(dof);
    for (Joint& joint : robot.joints) joint.limits.torque = 0.1;
    for (double t = 0.0005; t < 1.0; t += 0.001) {
      const MotionRow slow = row(t, 0.6);
      dynamics.torque({slow.q, slow.qd, slow.qdd}, wrench, tau);
      for (std::size_t i = 0; i < dof; ++i) {
        double& limit = *robot.joints[i].limits.torque;
        limit = std::max(limit, 1.05 * std::abs(tau[i]));
      }
    }
    robot.joints[0].limits.velocity = 2.5;
    for (Coupling& coupling : robot.couplings) {
      coupling.velocity_limits = {90.0, 80.0};
      coupling.torque_limits = {3.0, 3.0};
    }
    const auto share = [&](double factor) {
      double most = 0.0;
      for (double t = 0.0005; t < 1.0; t += 0.001) {
        most = std::max(most, limit_share(robot, dynamics, row(t, factor), wrench));
      }
      return most;
    };
    const SlowDown slower = found(robot, motion, [&](double) { return wrench; });
    if (slower.factor == 0.0) {
      for (double factor = 0.02; factor <= 1.0; factor += 0.02) EXPECT_GT(share(factor), 1.0);
      continue;
    }
    EXPECT_LE(share(slower.factor), 1.0) << arm;
    (slower.factor < 1.0 ? bound : unlimited) += 1;
    for (double factor = 0.0125; factor <= 1.0; factor += 0.025) {
      bool is_feasible = false;
      for (const Range& range : slower.feasible) {
        is_feasible = is_feasible || (range.lower <= factor && factor <= range.upper);
      }
      EXPECT_EQ(is_feasible, share(factor) <= 1.0) << arm << " at " << factor;
    }
    if (slower.factor < 1.0) {
      EXPECT_GT(share(slower.factor * 1.0001), 1.0 - 1e-4) << arm;
      EXPECT_GT(share(std::min(1.0, slower.factor * 1.001)), 1.0) << arm;
    }
  }
  EXPECT_GT(bound, 20);
}

TEST(SlowDown, HoldsBetweenTheRowsToo) {
  // Two rows at rest of one second: the quintic between them peaks at 10/√3 of q̈, at no row.
  Robot robot = pendulum();
  robot.joints[0].limits.acceleration = 1.0;
  const Trajectory motion = recorded({{0.0, 1.0}, {0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}});
  EXPECT_NEAR(found(robot, motion).factor, 1.0 / std::sqrt(10.0 / std::sqrt(3.0)), 1e-10);
}

TEST(SlowDown, HoldsWhereAccelerationsLastForAMoment) {
  RandomArm random(22);
  int bound = 0;
  for (std::size_t arm = 0; arm < 30; ++arm) {
    const std::size_t dof = 2 + arm % 5;
    Robot robot = driven_arm(random, dof);
    std::vector<std::vector<double>> points;
    for (std::size_t k = 0; k < 3 + arm % 4; ++k) points.push_back(random.numbers(dof, 2.0));
    const JointPath path = path_of(points);
    limit_torques(robot, path, 1.0, 6.0);
    std::vector<RateLimit> limits;
    for (std::size_t i = 0; i < dof; ++i) {
      const double speed = 0.4 + random.numbers(1, 0.3)[0];
      limits.push_back({speed, 2.0 * std::pow(7.0, (arm + i) % 3)});
    }
    const Trajectory motion = fastest_along(path, limits, {}).motion;
    const SlowDown slower = found(robot, motion);
    if (slower.factor == 0.0) continue;
    if (slower.factor < 1.0) ++bound;
    const Trajectory slow = slowed(motion, 1.0 / slower.factor);
    InverseDynamics dynamics(normalize(robot));
    constexpr int samples = 8000;
    double most = 0.0;
    for (int n = 1; n < samples; ++n) {
      const MotionRow row = row_at(slow, slow.end() * n / samples);
      most = std::max(most, limit_share(robot, dynamics, row));
    }
    EXPECT_LE(most, 1.0 + 1e-9) << arm;
  }
  EXPECT_GT(bound, 10);
}

/// Joint positions of an arm with two links of 0.5 m whose TCP is at (x, y).
std::vector<double> two_links_at(double x, double y) {
  const double half = std::acos(std::hypot(x, y));
  return {std::atan2(y, x) - half, 2.0 * half};
}

TEST(SlowDown, HoldsWhereAHandPassesCloseByItsShoulder) {
  Robot robot = shipped_robot("craig-rr");
  robot.gravity = {0.0, 0.0, -9.81};
  robot.joints[0].limits.torque = 60.0;
  robot.joints[1].limits.torque = 25.0;
  const Arm arm = normalize(robot);
  InverseDynamics dynamics(arm);
  for (const double beside : {3e-3, 1e-3, 3e-4}) {
    const Trajectory line =
        straight_line(arm, two_links_at(-0.4, beside), two_links_at(0.25, beside), Profile::quintic,
                      {1.0, {}}, TcpOrientation::free);
    const Trajectory slow = slowed(line, 1.0 / found(robot, line).factor);
    const double velocity = peak_rates(slow)[0].velocity;
    double torque = 0.0, speed = 0.0;
    for (int n = -10000; n <= 10000; ++n) {  // about 0.4/0.65 of the way
      const MotionRow row = row_at(slow, slow.end() * (0.5621764716 + 1e-3 * beside * n));
      torque = std::max(torque, limit_share(robot, dynamics, row));
      speed = std::max(speed, std::abs(row.qd[0]));
    }
    EXPECT_NEAR(torque, 1.0, 1e-5) << beside;
    EXPECT_LE(torque, 1.0 + 1e-9) << beside;
    EXPECT_NEAR(speed / velocity, 1.0, 1e-5) << beside;
    EXPECT_LE(speed, velocity * (1.0 + 1e-9)) << beside;
  }
}

}  // namespace
}  // namespace armdyn::testing
