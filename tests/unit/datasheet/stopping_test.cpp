#include "datasheet/stopping.hpp"

#include <armdyn/robot_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/newton_euler.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

Robot one_link(const Vec3& gravity) {
  Robot robot;
  robot.name = "one link";
  robot.convention = Convention::modified;
  robot.gravity = gravity;
  Joint joint;
  joint.name = "joint";
  joint.body = {3.0, {0.4, 0.0, 0.0}, {0.0, 0.0, 0.05, 0.0, 0.0, 0.0}};
  joint.motor.rotor_inertia = 1e-4;
  joint.motor.gear_ratio = 50.0;
  joint.limits = {.position = {}, .velocity = 2.0, .torque = 40.0};
  robot.joints.push_back(joint);
  return robot;
}

constexpr double inertia = 0.05 + 3.0 * 0.4 * 0.4 + 1e-4 * 50.0 * 50.0;

TEST(Braked, WithoutGravitySpendsItsEnergy) {
  const LimitedArm arm(one_link({}));
  const auto [time, angle] = braked(arm, std::vector{0.3}, 0, -2.0, 20.0, 0.1);
  EXPECT_NEAR(angle, 2.0 * 0.1 + inertia * 4.0 / (2.0 * 20.0), 1e-12);
  EXPECT_NEAR(time, 0.1 + inertia * 2.0 / 20.0, 1e-9);
}

// Down from the horizontal: I ω²/2 = b φ − m g l sin φ.
TEST(Braked, AgainstGravitySpendsWhatItGainsToo) {
  const LimitedArm arm(one_link({0.0, -9.81, 0.0}));
  const auto [time, angle] = braked(arm, std::vector{0.0}, 0, -2.0, 20.0, 0.0);
  const double moment = 3.0 * 9.81 * 0.4;
  EXPECT_NEAR(20.0 * angle - moment * std::sin(angle), 0.5 * inertia * 4.0, 1e-11);
  // The same by small steps.
  double q = 0.0, w = 2.0, t = 0.0;
  const double step = 1e-6;
  while (w > 0.0) {
    const double middle = q + 0.5 * step * w;
    const double a = (moment * std::cos(middle) - 20.0) / inertia;
    q += step * (w + 0.5 * step * a);
    w += step * a;
    t += step;
  }
  EXPECT_NEAR(angle, q, 1e-6);
  EXPECT_NEAR(time, t, 1e-5);
  EXPECT_TRUE(std::isinf(braked(arm, std::vector{0.0}, 0, -2.0, 11.0, 0.0).angle));
}

// A torsion spring takes its energy too: I ω²/2 = b φ + k (2 x φ + φ²)/2.
TEST(Braked, WindsASpring) {
  Robot robot = one_link({});
  Spring spring;
  spring.name = "wound";
  spring.row = {{"joint", 1.0}};
  spring.rest = 0.1;
  spring.stiffness = 12.0;
  robot.springs = {spring};
  const LimitedArm arm(robot);
  const double x = 0.3 + 2.0 * 0.1 - 0.1, b = 20.0, k = 12.0, energy = 0.5 * inertia * 4.0;
  const double way = (-(b + k * x) + std::sqrt((b + k * x) * (b + k * x) + 2.0 * k * energy)) / k;
  const auto [time, angle] = braked(arm, std::vector{0.3}, 0, 2.0, b, 0.1);
  EXPECT_NEAR(angle, 0.2 + way, 1e-12);
  // Harmonic: φ̈ = −(b + k x + k φ)/I
  const double w = std::sqrt(k / inertia), rest = (b + k * x) / k;
  EXPECT_NEAR(time, 0.1 + std::atan2(2.0 / w, rest) / w, 1e-9);
  EXPECT_TRUE(std::isinf(braked(arm, std::vector{2.5}, 0, 2.0, b, 0.1).angle));  // it would return
}

// Energy that lasts for more than two turns; and a brake weaker than gravity behind the way, not on it.
TEST(Braked, OfAMechanismGoesAsFarAsItsEnergy) {
  const auto as_mechanism = [](Robot robot) {
    Joint idle;
    idle.name = "idle";
    idle.parent = "base";
    idle.follows = Follows{{{"joint", 1.0}}, 0.0};
    robot.followers = {idle};
    return LimitedArm(robot);
  };
  const double energy = 0.5 * inertia * 36.0, far = 5.0 * std::numbers::pi;
  const LimitedArm light = as_mechanism(one_link({}));
  EXPECT_NEAR(braked(light, std::vector{0.0}, 0, 6.0, energy / far, 0.0).angle, far, 1e-9);
  const LimitedArm heavy = as_mechanism(one_link({0.0, -9.81, 0.0}));
  const double moment = 3.0 * 9.81 * 0.4, from = -1.5, brake = 0.75 * moment;
  const double angle = braked(heavy, std::vector{from}, 0, 2.0, brake, 0.0).angle;
  EXPECT_NEAR(brake * angle + moment * (std::sin(from + angle) - std::sin(from)),
              0.5 * inertia * 4.0, 1e-9);
}

// The elbow follows the shoulder, so that the inertia changes on the way: by small steps.
TEST(Braked, OfAFollowedJointHasAChangingInertia) {
  Robot robot = one_link({0.0, -9.81, 0.0});
  Joint elbow = robot.joints[0];
  elbow.name = "elbow";
  elbow.dh.a = 0.8;
  elbow.motor = {};
  elbow.limits = {};
  elbow.parent = "joint";
  elbow.follows = Follows{{{"joint", 1.0}}, 0.2};
  robot.followers = {elbow};
  const LimitedArm arm(robot);
  const double I = 0.05 + 3.0 * 0.16, rotor = 0.25, b = 60.0, speed = 2.0, from = 0.5;
  const auto mass = [&](double q) {
    return I + 3.0 * 0.64 + 4.0 * I + 2.0 * 2.0 * 3.0 * 0.8 * 0.4 * std::cos(q + 0.2) + rotor;
  };
  const auto slope = [&](double q) { return -4.0 * 3.0 * 0.8 * 0.4 * std::sin(q + 0.2); };
  const auto gravity = [&](double q) {
    return 9.81 * (3.0 * 0.4 * std::cos(q) + 3.0 * 0.8 * std::cos(q) +
                   2.0 * 3.0 * 0.4 * std::cos(2.0 * q + 0.2));
  };
  double q = from, w = speed, t = 0.0;
  const double step = 1e-6;
  while (w > 0.0) {
    const auto rate = [&](double at, double v) {
      return (-b - gravity(at) - 0.5 * slope(at) * v * v) / mass(at);
    };
    const double a = rate(q, w), middle = rate(q + 0.5 * step * w, w + 0.5 * step * a);
    q += step * (w + 0.5 * step * a);
    w += step * middle;
    t += step;
  }
  const auto [time, angle] = braked(arm, std::vector{from}, 0, speed, b, 0.0);
  EXPECT_NEAR(angle, q - from, 1e-5);
  EXPECT_NEAR(time, t, 1e-5);
  EXPECT_EQ(longest_stops(robot, std::vector{b}, std::vector{b}, 0.0).size(), 18U);
}

// A brake that hardly holds the link: a short way down may take longer than a long one.
TEST(LongestStops, HaveTheLongestTimesByThemselves) {
  Robot robot = one_link({0.0, -9.81, 0.0});
  robot.joints[0].limits.position = Range{-3.0, 3.0};
  robot.tool.xyz = {0.7, 0.0, 0.0};
  const double b = 12.0, delay = 0.1;
  const LimitedArm arm(robot);
  for (const Stop& stop : longest_stops(robot, std::vector{b}, std::vector{b}, delay)) {
    if (stop.category != 0 || stop.extension < 1.0) continue;
    StoppingWay longest{};
    for (const std::vector<double>& q : random_positions(arm.ranges, 600)) {
      for (const double speed : {2.0 * stop.speed, -2.0 * stop.speed}) {
        const auto [time, angle] = braked(arm, q, 0, speed, b, delay);
        longest.time = std::max(longest.time, time);
        longest.angle = std::max(longest.angle, angle);
      }
    }
    EXPECT_EQ(stop.way.time, longest.time);
    EXPECT_EQ(stop.way.angle, longest.angle);
  }
}

TEST(PathDeceleration, IsWhatTheTorqueLeavesOfGravity) {
  const LimitedArm free(one_link({}));
  EXPECT_NEAR(path_deceleration(free, std::vector{0.0}, 0, 2.0), 40.0 / inertia, 1e-9);
  const LimitedArm arm(one_link({0.0, -9.81, 0.0}));
  // Downward it is least where the link is level: at the start.
  EXPECT_NEAR(path_deceleration(arm, std::vector{0.0}, 0, -2.0),
              (40.0 - 3.0 * 9.81 * 0.4) / inertia, 1e-9);
}

/// A motion of all joints at these speeds for 1 s, from 0.
Trajectory steady(const std::vector<double>& speeds) {
  RecordedRows rows;
  for (int k = 0; k <= 10; ++k) {
    rows.t.push_back(0.1 * k);
    for (const double speed : speeds) {
      rows.q.push_back(0.1 * k * speed);
      rows.qd.push_back(speed);
      rows.qdd.push_back(0.0);
    }
  }
  return recorded(std::move(rows));
}

const MotionStop& stop_of(const std::vector<MotionStop>& stops, int category,
                          double MotionStop::*longest) {
  return *std::ranges::find_if(stops, [&](const MotionStop& stop) {
    return stop.category == category && stop.longest == longest;
  });
}

TEST(LongestStopsAlong, OfASteadyMotionSpendsItsEnergy) {
  Robot robot = one_link({});
  robot.tool.xyz = {0.7, 0.0, 0.0};
  const double b = 20.0, delay = 0.1, w = 2.0;
  const auto stops = longest_stops_along(robot, steady({w}), std::vector{b}, delay, [] {});
  ASSERT_EQ(stops.size(), 4U);
  const MotionStop& by_brake = stop_of(stops, 0, &MotionStop::path);
  EXPECT_NEAR(by_brake.time, delay + inertia * w / b, 1e-6);
  EXPECT_NEAR(by_brake.angles[0], w * delay + inertia * w * w / (2.0 * b), 1e-6);
  EXPECT_NEAR(by_brake.path, 0.7 * by_brake.angles[0], 1e-6);
  const MotionStop& by_drive = stop_of(stops, 1, &MotionStop::time);
  EXPECT_NEAR(by_drive.time, inertia * w / 40.0, 1e-9);
  EXPECT_NEAR(by_drive.angles[0], 0.5 * inertia * w * w / 40.0, 1e-9);
}

// Swinging through the vertical: of each instant the stop is known by its energy; the worst is named.
TEST(LongestStopsAlong, NameTheWorstInstant) {
  Robot robot = one_link({0.0, -9.81, 0.0});
  robot.tool.xyz = {0.7, 0.0, 0.0};
  const LimitedArm arm(robot);
  const Trajectory motion =
      point_to_point(std::vector{0.4}, std::vector{-2.9}, Profile::quintic, {1.7, {}});
  const auto stops = longest_stops_along(robot, motion, std::vector{15.0}, 0.0, [] {});
  StoppingWay worst;
  double at = 0.0;
  std::vector<double> q(1), qd(1), qdd(1);
  for (int k = 1; k < 200; ++k) {
    motion.at(1.7 * k / 200, q, qd, qdd);
    const StoppingWay way = braked(arm, q, 0, qd[0], 15.0, 0.0);
    if (way.angle > worst.angle) {
      worst = way;
      at = 1.7 * k / 200;
    }
  }
  const MotionStop& found = stop_of(stops, 0, &MotionStop::path);
  EXPECT_NEAR(found.at, at, 1e-12);
  EXPECT_NEAR(found.angles[0], -worst.angle, 1e-6);
  EXPECT_NEAR(found.time, worst.time, 1e-4);
  // A weaker brake than m g l: where it does not hold, the link swings on to where it does.
  const auto weak = longest_stops_along(robot, motion, std::vector{9.0}, 0.0, [] {});
  const MotionStop& swung = stop_of(weak, 0, &MotionStop::time);
  motion.at(swung.at, q, qd, qdd);
  const double end = q[0] + swung.angles[0];
  EXPECT_GT(swung.time, worst.time);
  EXPECT_LT(std::abs(3.0 * 9.81 * 0.4 * std::cos(end)), 9.0);
}

// A mechanism whose joints all move: what one deceleration asks of each joint, by Newton-Euler.
TEST(LongestStopsAlong, KeepLimitsOnThePath) {
  const Robot robot =
      read_robot_file(shipped_robots_folder() + "/mechanisms/palletizer.yaml").robot;
  const LimitedArm arm(robot);
  const Trajectory motion = steady({0.8, 0.5, 0.4, -1.0});
  const auto stops = longest_stops_along(robot, motion, arm.torques, 0.0, [] {});
  const MotionStop& stop = stop_of(stops, 1, &MotionStop::time);
  const double d = 1.0 / stop.time;
  std::vector<double> q(4), qd(4), qdd(4);
  double most = 0.0;
  for (int k = 0; k <= 8; ++k) {
    const double share = k / 8.0, rate = std::sqrt(1.0 - share);
    motion.at(stop.at + 0.5 * share / d, q, qd, qdd);
    for (std::size_t i = 0; i < 4; ++i) {
      qdd[i] = -d * qd[i];
      qd[i] *= rate;
    }
    const auto tau = links_torque<double>(arm.arm, q, qd, qdd);
    for (std::size_t i = 0; i < 4; ++i) {
      most = std::max(most, std::abs(tau[i] + arm.rotors[i] * qdd[i]) / arm.torques[i]);
    }
  }
  EXPECT_NEAR(most, 1.0, 1e-4);
  EXPECT_LE(most, 1.0 + 1e-9);
}

// Two links in a plane, the contact across the outer one: by the inverse of a 2×2 mass matrix.
TEST(EffectiveMass, OfTwoLinks) {
  Robot robot = one_link({});
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "elbow";
  robot.joints[1].dh.a = 0.8;
  robot.tool.xyz = {0.6, 0.0, 0.0};
  const LimitedArm arm(robot);
  const double q2 = 0.7, c = std::cos(q2), rotor = 0.25;
  const double I = 0.05 + 3.0 * 0.16, coupling = 3.0 * 0.8 * 0.4 * c;
  const double m11 = 2.0 * I + 3.0 * 0.64 + 2.0 * coupling + rotor, m12 = I + coupling,
               m22 = I + rotor;
  const double j1 = 0.8 * c + 0.6, j2 = 0.6;  // velocity across the outer link
  const double mobility =
      (m22 * j1 * j1 - 2.0 * m12 * j1 * j2 + m11 * j2 * j2) / (m11 * m22 - m12 * m12);
  const double at = 0.2 + q2;
  const double found =
      effective_mass(arm, std::vector{0.2, q2}, {-3.0 * std::sin(at), 3.0 * std::cos(at), 0.0});
  EXPECT_NEAR(found, 1.0 / mobility, 1e-12);
}

// The largest lies where the TCP moves at just 0.25 m/s, which no random position hits.
TEST(LargestEffectiveMass, IsNotExceededAtRandomPositions) {
  Robot robot = one_link({});
  robot.joints[0].limits.position = Range{-2.0, 2.0};
  Joint rail = robot.joints[0];
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.dh = {.a = 0.05, .alpha = std::numbers::pi / 2.0};
  rail.limits.position = Range{0.0, 0.4};
  robot.joints.push_back(rail);
  const LimitedArm arm(robot);
  const double largest = largest_effective_mass(arm).value;
  for (const std::vector<double>& q : random_positions(arm.ranges, 20000)) {
    const Matrix J = tool_jacobian<double>(arm.arm, q);
    for (std::size_t j = 0; j < 2; ++j) {
      const Vec3 way{J(0, j), J(1, j), J(2, j)};
      if (2.0 * length(way) < 0.25) continue;
      EXPECT_LE(effective_mass(arm, q, way), largest * (1.0 + 1e-9));
    }
  }
}

// UR10e without a load: 0.13 m/s for the face.
TEST(PermittedSpeed, OfAnArmOfHalfItsMovingMass) {
  const Robot robot = read_robot_file(shipped_robots_folder() + "/ur10e.yaml").robot;
  double mass = 0.0;
  for (const Joint& joint : robot.joints) mass += joint.body.mass;
  EXPECT_NEAR(permitted_speed(body_regions()[1], 0.5 * mass), 0.13, 0.002);
}

}  // namespace
}  // namespace armdyn
