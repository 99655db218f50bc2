// The fastest motion on a path within limits of torque: against closed forms, and by torques of
// their own at many times.

#include "motion/time_optimal.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "math/finite.hpp"
#include "motion/joint_path.hpp"
#include "support/limited_arm.hpp"
#include "support/more_samples.hpp"

namespace armdyn::testing {
namespace {

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

TEST(TimeOptimal, OfVelocityLimitsAloneIsBoundAsClosely) {
  Robot robot = level_bar();
  robot.joints[0].limits.torque = 1e9;
  robot.joints[0].limits.velocity = 0.5;
  const JointPath path = path_of({{0.0}, {1.0}});
  PathDemands demands(robot, path_limits(robot));
  const double T = time_optimal(path, demands).motion.end();
  EXPECT_NEAR(T, 1.0 / 0.5, 2e-3);
  EXPECT_NEAR(least_duration(path, demands, T), 1.0 / 0.5, 1e-6);
}

TEST(TimeOptimal, OfAPathOnWhichACoupledMotorStandsTakesNoSideOfItsFriction) {
  RandomArm random(77);
  Robot robot = random.robot(2);
  for (Joint& joint : robot.joints) joint.friction = {};
  robot.joints[0].motor = {.rotor_inertia = 3e-4, .coulomb = {0.02, 0.02}};
  robot.joints[1].motor = {.rotor_inertia = 2e-4, .coulomb = {0.2, 0.2}};
  robot.couplings = {{{0, 1}, {45.3, 0.7, 32.1, 31.7}, {0.0, 0.0}}};
  const JointPath path = path_of({{0.0, 0.0}, {1.0, -32.1 / 31.7}});
  EXPECT_TRUE(path.turning_points(std::vector<double>{32.1, 31.7}).empty());
  limit_torques(robot, path, 1.5, 3.0);
  PathDemands demands(robot, path_limits(robot));
  const double T = time_optimal(path, demands).motion.end();
  const double least = least_duration(path, demands, T);
  EXPECT_LE(least, T);
  // The motor's friction holds up to its level, for or against the drive.
  robot.joints[1].motor.coulomb = {};
  EXPECT_LE(T, duration(robot, path));
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

/// Pendulum with viscous and Coulomb friction, whose weight exceeds the limit where it is level.
Robot weak_pendulum(double limit) {
  Robot robot = pendulum();
  robot.joints[0].friction.viscous = 0.2;
  robot.joints[0].friction.coulomb = {0.3, 0.3};
  robot.joints[0].limits.torque = limit;
  return robot;
}

/// Least time of a weak pendulum from rest to rest: the limit of torque one way, then the other, by
/// Runge and Kutta, halving the time of the switch.
double bang_bang(double limit, double from, double to) {
  const double way = to > from ? 1.0 : -1.0;
  struct State {
    double t, q, v;  // q and v along the way
  };
  const auto rates = [way](double tau, double q, double v) {
    return tau - way * 9.81 * std::cos(q) - 0.2 * v - 0.3;
  };
  const auto advance = [&](State& at, double tau, double h) {
    const double v1 = at.v, a1 = rates(tau, at.q, v1);
    const double v2 = at.v + h / 2 * a1, a2 = rates(tau, at.q + h / 2 * v1, v2);
    const double v3 = at.v + h / 2 * a2, a3 = rates(tau, at.q + h / 2 * v2, v3);
    const double v4 = at.v + h * a3, a4 = rates(tau, at.q + h * v3, v4);
    at = {at.t + h, at.q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4),
          at.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
  };
  constexpr double step = 5e-4;
  const auto end = [&](double switched) {
    State at{0.0, way * from, 0.0};
    while (at.t + step < switched) advance(at, limit, step);
    advance(at, limit, switched - at.t);
    while (at.q < way * to + 0.1 && at.v + step * rates(-limit, at.q, at.v) > 0.0) {
      advance(at, -limit, step);
    }
    advance(at, -limit, -at.v / rates(-limit, at.q, at.v));
    return at;
  };
  double low = 0.0, high = 10.0;
  for (int n = 0; n < 60; ++n) {
    const double middle = std::midpoint(low, high);
    (end(middle).q < way * to ? low : high) = middle;
  }
  return end(low).t;
}

/// Largest share of a limit of joints that a motion asks for at 20001 times.
double largest_joint_share(const Robot& robot, const Trajectory& motion) {
  InverseDynamics dynamics(normalize(robot));
  double share = 0.0;
  for (int n = 1; n <= 20000; ++n) {
    share =
        std::max(share, limit_share(robot, dynamics, row_at(motion, motion.end() * n / 20000.0)));
  }
  return share;
}

TEST(TimeOptimal, CarriesAPendulumThroughWhereItCannotHold) {
  struct Case {
    double limit, from, to;
  };
  for (const auto& [limit, from, to] :
       {Case{9.4, -1.2, 1.2}, Case{8.8, -1.2, 1.2}, Case{9.0, -1.5, 0.8}, Case{9.4, 1.2, -1.3}}) {
    const Robot robot = weak_pendulum(limit);
    PathDemands demands(robot, path_limits(robot));
    const JointPath path = path_of({{from}, {to}});
    const Trajectory motion = time_optimal(path, demands).motion;
    const double expected = bang_bang(limit, from, to);
    EXPECT_NEAR(motion.end(), expected, 2e-5 * expected) << limit;
    EXPECT_LE(largest_joint_share(robot, motion), 1.0 + 1e-9) << limit;
    EXPECT_LE(largest_share(demands, motion).share, 1.0 + 1e-9) << limit;
    const double least = least_duration(path, demands, expected);
    EXPECT_LE(least, expected) << limit;
    EXPECT_GT(least, 0.995 * expected) << limit;
  }
}

std::string refusal(const Robot& robot, const JointPath& path) {
  try {
    (void)duration(robot, path);
  } catch (const NumericsError& error) {
    return error.what();
  }
  return "none";
}

TEST(TimeOptimal, ProvesThatNoMotionGetsPast) {
  // Without viscous friction, the energy of the limit is used up at s, where the arm cannot hold.
  const double limit = 8.4;
  const auto energy = [&](double s) {
    return (limit - 0.3) * s - 9.81 * (std::sin(s - 1.2) + std::sin(1.2));
  };
  double s = 0.01;
  while (energy(s) > 0.0) s += 1e-3;
  ASSERT_GT(9.81 * std::cos(s - 1.2), limit - 0.3);
  const Robot robot = weak_pendulum(limit);
  const JointPath path = path_of({{-1.2}, {1.2}});
  PathDemands demands(robot, path_limits(robot));
  const std::optional<double> place = impassable_place(path, demands);
  ASSERT_TRUE(place);
  EXPECT_LT(*place, s);
  EXPECT_GT(9.81 * std::cos(*place - 1.2), limit - 0.3);
  EXPECT_NE(
      refusal(robot, path).find("no motion on this path keeps the limits: none gets past 57."),
      std::string::npos)
      << refusal(robot, path);

  const Robot stronger = weak_pendulum(8.8);
  PathDemands enough(stronger, path_limits(stronger));
  EXPECT_FALSE(impassable_place(path, enough));
  const std::string at_end = refusal(stronger, path_of({{-1.2}, {0.1}}));
  EXPECT_NE(at_end.find("none can rest at 100 % of it; at rest there swing needs 9.461 of 8.8 N·m"),
            std::string::npos)
      << at_end;
}

TEST(TimeOptimal, SaysWhereTheMotionCannotSetOut) {
  Robot robot = pendulum();
  robot.joints[0].friction = {.coulomb = {2.0, 2.0}, .breakaway = TwoSided{5.0, 5.0}};
  robot.joints[0].limits.torque = 9.81 + 5.0 - 1e-6;
  EXPECT_THROW((void)duration(robot, path_of({{0.0}, {0.5}})), NumericsError);
  robot.joints[0].limits.torque = 9.81 + 5.0 + 1e-3;
  EXPECT_GT(duration(robot, path_of({{0.0}, {0.5}})), 0.0);
}

TEST(TimeOptimal, SetsOutWithEachJoint) {
  // The second joint stands still on the first half of the way, and sets out without acceleration
  // while the first goes on.
  Robot robot = pendulum();
  robot.gravity = {};
  robot.joints[0].type = JointType::prismatic;
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  robot.joints[1].dh.alpha = std::numbers::pi / 2;
  robot.joints[1].friction = {.coulomb = {1.0, 1.0}, .breakaway = TwoSided{3.0, 3.0}};
  robot.joints[0].limits.torque = 10.0;
  const JointPath path = path_of({{0.0, 0.0}, {1.0, 0.0}, {2.0, 1.0}});
  ASSERT_FALSE(path.is_stop(1));
  robot.joints[1].limits.torque = 2.9;
  EXPECT_THROW((void)duration(robot, path), NumericsError);
  robot.joints[1].limits.torque = 3.1;
  EXPECT_GT(duration(robot, path), 0.0);
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

// Positions are the integrals of velocities over the ends of cells, too: by the trapezium rule with
// its correction, of samples so close that what accelerations jump by is nothing.
TEST(TimeOptimal, PositionsDoNotJump) {
  RandomArm random(9);
  const Robot robot = driven_arm(random, 3);
  const JointPath path = path_of({random.numbers(3, 1.2), random.numbers(3, 1.2)});
  Robot limited = robot;
  limit_torques(limited, path, 1.5, 8.0);
  PathDemands demands(limited, path_limits(limited));
  const Trajectory motion = time_optimal(path, demands, 300).motion;
  constexpr int count = 100'000;
  const double dt = motion.end() / count;
  double largest = 0.0;
  MotionRow before = row_at(motion, 0.0);
  for (int n = 1; n <= count; ++n) {
    const MotionRow row = row_at(motion, dt * n);
    for (std::size_t i = 0; i < 3; ++i) {
      const double gone = 0.5 * dt * (before.qd[i] + row.qd[i]);
      const double bent = dt * dt / 12.0 * (row.qdd[i] - before.qdd[i]);
      largest = std::max(largest, std::abs(row.q[i] - before.q[i] - gone + bent));
    }
    before = row;
  }
  EXPECT_LT(largest, 2e-8);
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
    limit_torques(robot, path, 1.5, 8.0);
    robot.joints[0].limits.velocity = 3.0;
    for (Coupling& coupling : robot.couplings) coupling.velocity_limits = {200.0, 180.0};
    InverseDynamics dynamics(normalize(robot));
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

/// The fastest motion on a path at the nodes of a fine grid, in u = s̈ and x = ṡ²: a u + b x + c √x
/// within the limits, and the next x within what is left. Without friction by linear programs,
/// else by search. Joints have dry and viscous friction alone.
class ProfilesOnAGrid {
 public:
  ProfilesOnAGrid(const Robot& robot, const JointPath& path, int parts)
      : robot_(robot), path_(path), dynamics_(normalize(without_friction(robot))) {
    for (std::size_t k = 0; k < path.pieces(); ++k) {
      const double from = path.knots()[k], h = (path.knots()[k + 1] - from) / parts;
      for (int n = 0; n < parts; ++n) add_node(k, from + n * h, from + (n + 0.5) * h);
      if (k + 1 == path.pieces()) add_node(k, from + parts * h, from + (parts - 0.5) * h);
    }
    most_.resize(nodes_.size());
    for (std::size_t n = nodes_.size() - 1; n-- > 0;) {
      if (!nodes_[n].stops) most_[n] = has_friction_ ? found_x(n) : largest_x(n);
    }
  }

  /// Time of the profile that takes, at each node, this share of the way from the least s̈ to the
  /// largest one; infinite where that leads to a node at which no s̈ keeps the limits.
  [[nodiscard]] double time(const auto& share) const {
    double sum = 0.0, x = 0.0;
    for (std::size_t n = 0; n + 1 < nodes_.size(); ++n) {
      const double h = nodes_[n + 1].s - nodes_[n].s;
      auto [least, largest] = accelerations(n, x);
      if (has_friction_ && least > largest + 1e-6 * std::abs(largest)) return infinite;
      least = std::min(least, largest);
      const double next = std::max(0.0, x + 2 * h * std::lerp(least, largest, share(n)));
      sum += 2 * h / (std::sqrt(x) + std::sqrt(next));
      x = next;
    }
    return sum;
  }

  /// Time of the fastest profile among those that stay in the sets of ṡ from which the end is
  /// reached, up to `fastest`; `islands` counts nodes at which these have gaps.
  [[nodiscard]] double time_by_sets(double fastest, int& islands) const {
    using Set = std::vector<std::pair<double, double>>;
    std::vector<Set> sets(nodes_.size());
    sets.back() = {{0.0, 0.0}};
    const auto next_x = [&](std::size_t n, double z) {
      double least = -infinite, largest = infinite;
      for (const Row& row : nodes_[n].rows) {
        const double rest = row.most - row.b * z * z - row.c * z;
        if (row.a > 0.0) largest = std::min(largest, rest / row.a);
        if (row.a < 0.0) least = std::max(least, rest / row.a);
        if (row.a == 0.0 && rest < 0.0) largest = -infinite;
      }
      const double twice = 2.0 * (nodes_[n + 1].s - nodes_[n].s);
      return std::pair{z * z + twice * least, z * z + twice * largest};
    };
    for (std::size_t n = nodes_.size() - 1; n-- > 0;) {
      const auto leads_on = [&](double z) {
        const std::pair<double, double> x = next_x(n, z);
        return x.first <= x.second && std::ranges::any_of(sets[n + 1], [&](const auto& set) {
                 return x.first <= square(set.second) && x.second >= square(set.first);
               });
      };
      constexpr int places = 300;
      bool led = false;
      for (int k = 0; k <= places; ++k) {
        const double step = fastest / places, z = step * k;
        const bool leads = k < places && leads_on(z);
        if (leads != led) {
          double in = leads ? z : z - step, out = leads ? std::max(0.0, z - step) : z;
          for (int halving = 0; halving < 45 && k > 0; ++halving) {
            const double middle = std::midpoint(in, out);
            (leads_on(middle) ? in : out) = middle;
          }
          if (leads) sets[n].emplace_back(in, in);
          sets[n].back().second = in;
        }
        led = leads;
      }
      islands += sets[n].size() > 1 ? 1 : 0;
    }
    double time = 0.0, z = 0.0;
    for (std::size_t n = 0; n + 1 < nodes_.size(); ++n) {
      const auto [least, largest] = next_x(n, z);
      double next = -1.0;
      for (const auto& [low, high] : sets[n + 1]) {
        const double reached = std::min(high, std::sqrt(std::max(0.0, largest)));
        if (reached >= low && square(reached) >= least - 1e-12) next = reached;
      }
      if (next < 0.0) return infinite;
      time += 2.0 * (nodes_[n + 1].s - nodes_[n].s) / (z + next);
      z = next;
    }
    return time;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  struct Row {
    double a, b, c, most;  // a u + b x + c √x ≤ most
  };
  struct Node {
    double s = 0.0;
    bool stops = false;
    std::vector<Row> rows{};
  };

  static Robot without_friction(Robot robot) {
    for (Joint& joint : robot.joints) joint.friction = {};
    return robot;
  }

  /// Dry friction has the signs that it has at `within`.
  void add_node(std::size_t piece, double s, double within) {
    const std::size_t dof = robot_.dof();
    Node node{s};
    for (std::size_t knot = 0; knot < path_.knots().size(); ++knot) {
      node.stops = node.stops || (s == path_.knots()[knot] && path_.is_stop(knot));
    }
    std::vector<double> q(dof), first(dof), second(dof), zero(dof), tau(dof), a(dof), d(dof);
    for (std::size_t i = 0; i < dof; ++i) {
      const PathSample at = path_.at(piece, i, s);
      q[i] = at.q;
      first[i] = at.d1;
      second[i] = at.d2;
    }
    dynamics_.torque({q, zero, zero}, {}, d);
    dynamics_.torque({q, zero, first}, {}, a);
    dynamics_.torque({q, first, second}, {}, tau);
    const auto add = [&](double of_u, double of_x, double of_root, double level, double limit) {
      node.rows.push_back({of_u, of_x, of_root, limit - level});
      node.rows.push_back({-of_u, -of_x, -of_root, limit + level});
    };
    for (std::size_t i = 0; i < dof; ++i) {
      const double viscous = robot_.joints[i].friction.viscous;
      const TwoSided& coulomb = robot_.joints[i].friction.coulomb;
      has_friction_ = has_friction_ || viscous > 0.0;
      const double dry = path_.at(piece, i, within).d1 > 0.0 ? coulomb.positive : -coulomb.negative;
      const Limits& limits = robot_.joints[i].limits;
      if (limits.torque) {
        add(a[i] - d[i], tau[i] - d[i], viscous * first[i], d[i] + dry, *limits.torque);
      }
      if (limits.acceleration) add(first[i], second[i], 0.0, 0.0, *limits.acceleration);
      if (limits.velocity) {
        node.rows.push_back({0.0, first[i] * first[i], 0.0, square(*limits.velocity)});
      }
    }
    nodes_.push_back(std::move(node));
  }

  /// The least and the largest u at a node; the first is above the second where there is none.
  [[nodiscard]] std::pair<double, double> accelerations(std::size_t n, double x) const {
    const double h = nodes_[n + 1].s - nodes_[n].s;
    double least = -x / (2 * h), largest = (most_[n + 1] - x) / (2 * h);
    for (const Row& row : nodes_[n].rows) {
      const double rest = row.most - row.b * x - row.c * std::sqrt(x);
      if (row.a > 0.0) largest = std::min(largest, rest / row.a);
      if (row.a < 0.0) least = std::max(least, rest / row.a);
      if (row.a == 0.0 && rest < -1e-9 * row.most) return {infinite, -infinite};
    }
    return {least, largest};
  }

  /// By places from above, and halving.
  [[nodiscard]] double found_x(std::size_t n) const {
    constexpr int places = 400;
    const auto keeps = [&](double x) {
      const auto [least, largest] = accelerations(n, x);
      return least <= largest;
    };
    double most = infinite;
    for (const Row& row : nodes_[n].rows) {
      if (row.a == 0.0 && row.b > 0.0) most = std::min(most, row.most / row.b);
    }
    for (int k = places; k > 0; --k) {
      double from = most * square((k - 1.0) / places), to = most * square(k * 1.0 / places);
      if (!keeps(from)) continue;
      for (int halving = 0; halving < 50; ++halving) {
        const double middle = std::midpoint(from, to);
        (keeps(middle) ? from : to) = middle;
      }
      return from;
    }
    return 0.0;
  }

  /// At a corner of two rows, one of which is that of the next node.
  [[nodiscard]] double largest_x(std::size_t n) const {
    const double h = nodes_[n + 1].s - nodes_[n].s;
    std::vector<Row> rows = nodes_[n].rows;
    rows.push_back({2 * h, 1.0, 0.0, most_[n + 1]});
    rows.push_back({-2 * h, -1.0, 0.0, 0.0});
    double best = 0.0;
    const auto look = [&](double u, double x) {
      if (!(x > best) || !std::isfinite(u)) return;
      for (const Row& row : rows) {
        if (row.a * u + row.b * x > row.most + 1e-9 * (std::abs(row.most) + 1e-3)) return;
      }
      best = x;
    };
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t k = j + 1; k < rows.size(); ++k) {
        const double determinant = rows[j].a * rows[k].b - rows[k].a * rows[j].b;
        look((rows[j].most * rows[k].b - rows[k].most * rows[j].b) / determinant,
             (rows[j].a * rows[k].most - rows[k].a * rows[j].most) / determinant);
      }
    }
    return best;
  }

  const Robot& robot_;
  const JointPath& path_;
  bool has_friction_ = false;
  InverseDynamics dynamics_;
  std::vector<Node> nodes_;
  std::vector<double> most_;  // x from which the end can be reached
};

/// Of arms by chance: the time is that of the grid, and none of 200 profiles on each path is faster
/// than its bound.
void expect_bounds(std::uint64_t seed, double friction, double accuracy) {
  RandomArm random(seed);
  std::mt19937_64 chance(5);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int set = 0; set < samples(4); ++set) {
    const std::size_t dof = 1 + static_cast<std::size_t>(set) % 4;
    Robot robot = random.robot(dof);
    std::vector<std::vector<double>> points;
    for (int n = 0; n < 3; ++n) points.push_back(random.numbers(dof, 1.2));
    const JointPath path = path_of(points);
    limit_torques(robot, path, 2.0, 0.0);
    for (Joint& joint : robot.joints) {
      joint.limits.velocity = 4.0;
      joint.friction.viscous = friction * share(chance) * *joint.limits.torque;
      joint.friction.coulomb = {friction * *joint.limits.torque, friction * *joint.limits.torque};
    }
    PathDemands demands(robot, path_limits(robot));
    const double T = time_optimal(path, demands).motion.end();
    const double least = least_duration(path, demands, T);
    const ProfilesOnAGrid reference(robot, path, 1500);
    const double fastest = reference.time([](std::size_t) { return 1.0; });
    EXPECT_NEAR(T, fastest, accuracy * fastest) << set;
    int feasible = 0;
    for (int profile = 0; profile < 200; ++profile) {
      const double lowest = share(chance);
      double here = 1.0;
      const double time = reference.time([&](std::size_t n) {
        if (n % 50 == 0) here = std::lerp(lowest, 1.0, share(chance));
        return here;
      });
      feasible += std::isfinite(time) ? 1 : 0;
      ASSERT_LE(least, time * (1 + 1e-4)) << set;
    }
    EXPECT_GT(feasible, 150) << set;
  }
}

TEST(TimeOptimal, AgreesWithLinearProgramsAndBoundsFeasibleProfiles) {
  expect_bounds(21, 0.0, 1e-3);
}

TEST(TimeOptimal, BoundsFeasibleProfilesWithFriction) {
  expect_bounds(22, 0.1, 2e-3);
}

/// Two joints and a payload, the second joint with much viscous friction.
Robot arm_with_islands() {
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {0.0, 0.0, -9.81};
  Joint shoulder;
  shoulder.name = "shoulder";
  shoulder.dh = {.a = 0.352, .alpha = -0.794, .d = -0.331, .theta = -3.14};
  shoulder.body = {3.62, {-0.121, -0.245, -0.25}, {.xx = 0.219, .yy = 0.238, .zz = 0.125}};
  shoulder.friction.viscous = 1.924;
  shoulder.friction.coulomb = {1.616, 1.616};
  shoulder.limits.torque = 33.02;
  Joint elbow;
  elbow.name = "elbow";
  elbow.dh = {.a = -0.296, .alpha = -1.58, .theta = 2.73};
  elbow.body = {
      3.65, {-0.156, -0.188, -0.107}, {.xx = 0.17, .yy = 0.223, .zz = 0.245, .xy = -0.037}};
  elbow.friction.viscous = 12.16;
  elbow.friction.coulomb = {0.1756, 0.1756};
  elbow.limits.torque = 4.406;
  robot.joints = {shoulder, elbow};
  robot.tool = {{0.246, -0.0526, -0.253}, {1.571, -2.35, -3.112}};
  robot.payload = {
      3.27,
      {0.0869, 0.0562, 0.0554},
      {.xx = 0.0359, .yy = 0.0336, .zz = 0.0358, .xy = -0.001, .yz = 0.0025, .xz = -0.007}};
  return robot;
}

TEST(TimeOptimal, PassesBelowAnIsland) {
  const Robot robot = arm_with_islands();
  const JointPath path = path_of({{-1.23, -0.595}, {0.914, -0.205}});
  PathDemands demands(robot, path_limits(robot));
  const TimeOptimalMotion fastest = time_optimal(path, demands);
  double most = 0.0;
  for (const auto& point : fastest.phase_plane) most = std::max(most, point.speed);
  int islands = 0;
  const double expected = ProfilesOnAGrid(robot, path, 6000).time_by_sets(2.0 * most, islands);
  EXPECT_GT(islands, 100);
  EXPECT_NEAR(fastest.motion.end(), expected, 2e-3 * expected);
  EXPECT_LE(largest_joint_share(robot, fastest.motion), 1.0 + 1e-9);
  EXPECT_LE(largest_share(demands, fastest.motion).share, 1.0 + 1e-9);
}

}  // namespace
}  // namespace armdyn::testing
