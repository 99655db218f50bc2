#include "sizing/sizing.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "math/each.hpp"
#include "support/motion_row.hpp"
#include "support/random_arm.hpp"
#include "support/smooth_cycle.hpp"

// Cycles whose needs have closed forms, and balances that must close.

namespace armdyn::testing {
namespace {

constexpr double g = 9.81;

/// One joint along or about z of the world.
Robot one_joint(JointType type) {
  Robot robot;
  robot.name = "one";
  robot.convention = Convention::modified;
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  robot.joints.push_back(joint);
  return robot;
}

/// A velocity trapezoid to `top` and back to rest, there and back, so that the cycle is closed. Rows
/// at the corners stand twice, before and after the acceleration jumps.
Cycle trapezoids(double top, double ramp, double cruise, int rows_per_phase) {
  Cycle cycle;
  cycle.q.resize(1);
  cycle.qd.resize(1);
  cycle.qdd.resize(1);
  double t = 0.0, q = 0.0, qd = 0.0;
  for (const double way : {1.0, -1.0}) {
    for (const auto& [length, qdd] :
         {std::pair(ramp, way * top / ramp), {cruise, 0.0}, {ramp, -way * top / ramp}}) {
      for (int k = 0; k <= rows_per_phase; ++k) {
        const double s = length * k / rows_per_phase;
        cycle.t.push_back(t + s);
        cycle.q[0].push_back(q + qd * s + qdd * s * s / 2);
        cycle.qd[0].push_back(k == rows_per_phase && qdd * way < 0.0 ? 0.0 : qd + qdd * s);
        cycle.qdd[0].push_back(qdd);
      }
      q = cycle.q[0].back();
      qd = cycle.qd[0].back();
      t += length;
    }
  }
  cycle.set_steps();
  return cycle;
}

double simpson(const std::function<double(double)>& f, double from, double to) {
  constexpr int n = 20000;
  const double h = (to - from) / n;
  double sum = f(from) + f(to);
  for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4.0 : 2.0) * f(from + k * h);
  return sum * h / 3.0;
}

// A slide of 6 kg that 2 kg of counterweight relieve: 4 kg of weight, 8 kg that move, which is
// gravity of half the size on all of it.
TEST(Sizing, OfAVerticalSlideWithACounterweightIsItsClosedForm) {
  Robot robot = one_joint(JointType::prismatic);
  robot.gravity = {0.0, 0.0, -g / 2};
  Joint& joint = robot.joints[0];
  joint.body.mass = 8.0;
  joint.motor.rotor_inertia = 2e-5;
  joint.motor.gear_ratio = 400.0;
  joint.motor.efficiency = {0.8, 0.7};
  joint.motor.ratings.torque_constant = 0.1;
  joint.motor.ratings.resistance = 0.4;
  joint.gear = {.rated_torque = 60.0, .rated_speed = 300.0, .life = 5000.0};
  const double top = 0.6, ramp = 0.2, cruise = 0.5, a = top / ramp, weight = 4.0 * g;
  Cycle cycle = trapezoids(top, ramp, cruise, 50);
  cycle.dwell(0.4, robot);
  const Sizing found = size(robot, cycle);
  const double duration = 2 * (2 * ramp + cruise) + 0.4;
  EXPECT_NEAR(found.duration, duration, 1e-12);

  // Up, then down: forces at the gear's output, and how long.
  struct Phase {
    double force, length, mean_speed, direction, qdd;
  };
  const std::vector<Phase> phases{
      {weight + 8 * a, ramp, top / 2, 1, a},  {weight, cruise, top, 1, 0},
      {weight - 8 * a, ramp, top / 2, 1, -a}, {weight - 8 * a, ramp, top / 2, -1, -a},
      {weight, cruise, top, -1, 0},           {weight + 8 * a, ramp, top / 2, -1, a}};
  const double G = 400.0, J = 2e-5;
  double squares = weight * weight * 0.4, motor_squares = std::pow(weight / G, 2) * 0.4;
  double worn = 0.0, turned = 0.0, gear_loss = 0.0;
  for (const Phase& phase : phases) {
    const double power_sign = phase.force * phase.direction;
    const double before_gear = power_sign > 0 ? phase.force / 0.8 : 0.7 * phase.force;
    squares += std::pow(phase.force + G * G * J * phase.qdd, 2) * phase.length;
    motor_squares += std::pow(before_gear / G + G * J * phase.qdd, 2) * phase.length;
    turned += G * phase.mean_speed * phase.length;
    worn += G * phase.mean_speed * phase.length * std::pow(std::abs(phase.force), 3);
    gear_loss += (before_gear - phase.force) * phase.direction * phase.mean_speed * phase.length;
  }
  const DriveNeed& need = found.drives[0];
  EXPECT_NEAR(need.gear_torque.value, weight + 8 * a, 1e-9);
  EXPECT_NEAR(need.motor_torque.value, (weight + 8 * a) / 0.8 / G + G * J * a, 1e-12);
  EXPECT_NEAR(need.motor_speed.value, G * top, 1e-9);
  EXPECT_NEAR(need.mean_speed, turned / duration, 1e-9 * need.mean_speed);
  const double mean_torque = std::cbrt(worn / turned);
  EXPECT_NEAR(need.mean_torque, mean_torque, 1e-9 * mean_torque);
  const double life = 5000.0 * 300.0 / (turned / duration) * std::pow(60.0 / mean_torque, 3);
  EXPECT_NEAR(*need.life, life, 1e-9 * life);
  EXPECT_NEAR(need.inertia_ratio->upper, 8.0 / (G * G * J), 1e-12);
  EXPECT_NEAR(found.supply.gear, gear_loss, 1e-9);
  // At the turning points the trapezoid rule has the torque of the rows, which is of both sides.
  EXPECT_NEAR(need.rms, std::sqrt(squares / duration), 1e-9 * need.rms);
  EXPECT_NEAR(need.motor_rms, std::sqrt(motor_squares / duration), 2e-3 * need.motor_rms);
  EXPECT_NEAR(found.supply.unaccounted(), 0.0, 1e-9);
  EXPECT_NEAR(found.supply.mechanical, 0.0, 1e-9);
  EXPECT_NEAR(found.supply.copper, 3 * 0.4 * std::pow(need.motor_rms / 0.1, 2) * duration, 1e-9);
}

TEST(Sizing, OfAPendulumOnATrapezoidIsItsClosedForm) {
  Robot robot = one_joint(JointType::revolute);
  robot.base.rpy = {std::numbers::pi / 2, 0.0, 0.0};  // in a vertical plane
  Joint& joint = robot.joints[0];
  joint.body = {2.0, {0.4, 0.0, 0.0}, {0.0, 0.0, 0.03, 0.0, 0.0, 0.0}};
  joint.motor.rotor_inertia = 1e-4;
  joint.motor.gear_ratio = 50.0;
  const double top = 2.0, ramp = 0.25, cruise = 0.3, a = top / ramp;
  const double inertia = 0.03 + 2.0 * 0.16 + 2500 * 1e-4, weight = 2.0 * g * 0.4;
  const auto torque_at = [&](double q, double qdd) { return inertia * qdd + weight * std::cos(q); };
  const Sizing found = size(robot, trapezoids(top, ramp, cruise, 40000));
  const double end = top * (ramp + cruise);
  const auto square = [](double x) { return x * x; };
  double squares = 0.0;
  squares += simpson([&](double s) { return square(torque_at(a * s * s / 2, a)); }, 0, ramp);
  squares +=
      simpson([&](double s) { return square(torque_at(top * ramp / 2 + top * s, 0)); }, 0, cruise);
  squares += simpson([&](double s) { return square(torque_at(end - a * s * s / 2, -a)); }, 0, ramp);
  // Back the same way: the same positions with the same accelerations.
  const double duration = 2 * (2 * ramp + cruise), rms = std::sqrt(2 * squares / duration);
  EXPECT_NEAR(found.drives[0].rms, rms, 1e-9 * rms);
  const double peak = torque_at(0.0, a);
  EXPECT_NEAR(found.drives[0].torque.value, peak, 1e-12 * peak);
  EXPECT_EQ(found.drives[0].torque.t, 0.0);
  EXPECT_NEAR(found.drives[0].motor_torque.value, peak / 50.0, 1e-12 * peak);
  EXPECT_NEAR(found.drives[0].motor_speed.value, 100.0, 1e-9);
}

Robot lossy_arm() {
  Robot robot = RandomArm(5).robot(3);
  robot.supply.capacitor = 0.5;
  for (Joint& joint : robot.joints) {
    joint.friction.viscous = 0.3;
    joint.friction.coulomb = {0.4, 0.5};
    joint.motor = {.rotor_inertia = 3e-5,
                   .gear_ratio = 80.0,
                   .viscous = 1e-5,
                   .coulomb = {0.002, 0.002},
                   .efficiency = {0.85, 0.75}};
    joint.motor.ratings.torque_constant = 0.08;
    joint.motor.ratings.resistance = 0.3;
  }
  return robot;
}

// What is supplied, lost, and left in the arm are computed by themselves; over part of the cycle the
// arm's energy changes.
TEST(Sizing, BalancesEnergyWithTheOrderOfTheQuadrature) {
  const Robot robot = lossy_arm();
  const auto cut = [](Cycle cycle, int from, int to) {
    for (auto* const columns : {&cycle.q, &cycle.qd, &cycle.qdd, &cycle.wrench}) {
      for (auto& column : *columns) column.erase(column.begin() + from, column.begin() + to);
    }
    cycle.t.erase(cycle.t.begin() + from, cycle.t.begin() + to);
    return cycle;
  };
  const auto unaccounted = [&](int steps, bool has_wrench, bool has_gap) {
    Cycle cycle = smooth_cycle(3, steps);
    for (int k = 0; has_wrench && k < 6; ++k) {
      cycle.wrench.push_back(
          each(cycle.t, [k](double t) { return (k + 2.0) * std::sin(k + 3.0 * t); }));
    }
    cycle = cut(cycle, steps * 3 / 8, static_cast<int>(cycle.t.size()));
    if (has_gap) cycle = cut(cycle, steps / 8 + 1, steps / 4);
    cycle.set_steps();
    if (has_gap) cycle.steps[static_cast<std::size_t>(steps / 8 + 1)] = 0.0;
    const SupplyNeed found = size(robot, cycle).supply;
    EXPECT_GT(std::abs(found.mechanical), has_gap ? 0.1 : 1.0);
    EXPECT_EQ(found.contact_work != 0.0, has_wrench);
    return found.unaccounted();
  };
  for (const auto& [has_wrench, has_gap] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    const double coarse = unaccounted(800, has_wrench, has_gap),
                 fine = unaccounted(1600, has_wrench, has_gap),
                 finer = unaccounted(3200, has_wrench, has_gap);
    EXPECT_GT(std::abs(coarse), 1e-6);
    EXPECT_NEAR(coarse / fine, 4.0, 0.2) << has_wrench << has_gap;
    EXPECT_NEAR(fine / finer, 4.0, 0.2) << has_wrench << has_gap;
  }
}

TEST(Sizing, TakesReturnedEnergyIntoTheCapacitorFirst) {
  Robot robot = lossy_arm();
  const Cycle cycle = smooth_cycle(3, 2000);
  const auto with = [&](double capacity) {
    robot.supply.capacitor = capacity;
    return size(robot, cycle).supply;
  };
  const SupplyNeed none = with(1e-300), some = with(0.5), large = with(1e6);
  EXPECT_GT(none.returned, 0.5);
  EXPECT_NEAR(none.brake, none.returned, 1e-9);
  EXPECT_EQ(some.returned, none.returned);
  EXPECT_LT(some.brake, none.brake);
  EXPECT_EQ(large.brake, 0.0);
  for (const SupplyNeed& found : {none, some, large}) {
    EXPECT_NEAR(found.supplied - found.brake, none.supplied - none.brake, 1e-9);
  }
}

// Lifts 10 kg with 1 m/s and lowers them with 1 m/s within one step of 1 s: the power is g·10 W, falls
// evenly, and is -g·10 W; half a second each way.
TEST(Sizing, CountsBothDirectionsOfAStepInWhichThePowerTurns) {
  Robot robot = one_joint(JointType::prismatic);
  robot.joints[0].body.mass = 10.0;
  Cycle cycle{{{0.0, 0.0}}, {{1.0, -1.0}}, {{0.0, 0.0}}, {}, {0.0, 1.0}, {}};
  cycle.set_steps();
  for (const double capacity : {0.0, 1e6}) {
    robot.supply.capacitor = capacity;
    const SupplyNeed found = size(robot, cycle).supply;
    EXPECT_NEAR(found.returned, 10.0 * g / 4, 1e-12);
    EXPECT_NEAR(found.supplied, capacity == 0.0 ? 10.0 * g / 4 : 0.0, 1e-12);
    EXPECT_NEAR(found.brake, capacity == 0.0 ? 10.0 * g / 4 : 0.0, 1e-12);
  }
}

// Lowers 10 kg at 1 m/s for 3 s in each cycle, which fills any capacitor in the end.
TEST(Sizing, FillsACapacitorHoweverManyCyclesThatTakes) {
  Robot robot = one_joint(JointType::prismatic);
  robot.joints[0].body.mass = 10.0;
  Cycle cycle{{{0.0, -3.0}}, {{-1.0, -1.0}}, {{0.0, 0.0}}, {}, {0.0, 3.0}, {}};
  cycle.set_steps();
  for (const double capacity : {1.0, 1e9}) {
    robot.supply.capacitor = capacity;
    EXPECT_NEAR(size(robot, cycle).supply.brake, 30.0 * g, 1e-9);
  }
}

TEST(Sizing, PassesTorquesThroughTheGearByTheDirectionOfPower) {
  const Efficiency both{0.8, 0.5};
  EXPECT_EQ(through_gear(both, 4.0, 1.0, -9.0), 5.0);
  EXPECT_EQ(through_gear(both, -4.0, -1.0, 0.0), -5.0);
  EXPECT_EQ(through_gear(both, 4.0, -1.0, 9.0), 2.0);
  EXPECT_EQ(through_gear(both, 4.0, 0.0, 1.0), 5.0);
  EXPECT_EQ(through_gear(both, 4.0, 0.0, -1.0), 2.0);
  EXPECT_EQ(through_gear(both, 4.0, 0.0, 0.0), 4.0);
}

TEST(Sizing, RefusesTheGearOfACoupledMotor) {
  Robot robot = lossy_arm();
  for (Joint& joint : robot.joints) joint.friction.coulomb = {};
  for (std::size_t i = 1; i < 3; ++i) robot.joints[i].motor.gear_ratio = 1.0;
  robot.couplings = {{{1, 2}, {40.0, 0.0, 20.0, 30.0}, {0.0, 0.0}, {}, {}}};
  const Cycle cycle = smooth_cycle(3, 2000);
  EXPECT_THROW((void)size(robot, cycle), InputError);
  for (std::size_t i = 1; i < 3; ++i) robot.joints[i].motor.efficiency = {};
  const Sizing found = size(robot, cycle);
  EXPECT_FALSE(found.drives[1].is_single);
  EXPECT_NEAR(found.drives[1].motor_speed.value, 40.0 * found.drives[1].speed.value, 1e-9);
  EXPECT_NEAR(found.supply.unaccounted(), 0.0, 1e-3 * found.supply.supplied);
}

TEST(Sizing, DwellsOnlyWhereTheMotionEndsAtRest) {
  Cycle moving = smooth_cycle(1, 10);
  EXPECT_THROW(moving.dwell(1.0, one_joint(JointType::revolute)), InputError);
}

// --- Verdicts

TEST(Sizing, VerdictsFlipExactlyAtTheirRatings) {
  Robot robot = lossy_arm();
  const Sizing found = size(robot, smooth_cycle(3, 200));
  const DriveNeed& need = found.drives[0];
  Motor& motor = robot.joints[0].motor;
  Gear& gear = robot.joints[0].gear;
  const auto flips = [&](std::optional<double>& rating, double needed, double safety) {
    const auto passes = [&](double rated) {
      rating = rated;
      const std::vector<Verdict> all = verdicts(robot, found, safety);
      bool all_pass = !all.empty();
      for (const Verdict& verdict : all) all_pass = all_pass && verdict.passes();
      return all_pass;
    };
    EXPECT_TRUE(passes(needed));
    EXPECT_FALSE(passes(std::nextafter(needed, 0.0) * (1.0 - 1e-15)));
    rating.reset();
  };
  flips(motor.ratings.continuous_torque, need.motor_rms, 1.0);
  flips(motor.ratings.continuous_torque, 2.0 * need.motor_rms, 2.0);
  flips(motor.ratings.max_speed, need.motor_speed.value, 1.0);
  flips(motor.ratings.peak_torque, need.motor_torque.value, 1.0);
  flips(gear.repeated_peak_torque, need.gear_torque.value, 1.0);
  flips(gear.momentary_peak_torque, need.gear_torque.value, 1.0);
  flips(gear.average_torque, need.mean_torque, 1.0);
  flips(gear.max_input_speed, need.motor_speed.value, 1.0);
  flips(robot.supply.peak_power, found.supply.power.value, 1.0);
  flips(robot.supply.continuous_power, found.supply.mean_power, 1.0);
  flips(robot.supply.brake_resistor, found.supply.mean_brake_power, 1.0);
}

TEST(Sizing, TriesDrivesAsIfTheyWereTheArms) {
  const Robot robot = lossy_arm();
  Cycle cycle = smooth_cycle(3, 100);
  for (auto& qd : cycle.qd) qd.front() = 0.0;  // they set out
  const DriveTrial trial = drive_trial(robot, cycle);
  Robot other = robot;
  other.joints[1].motor.rotor_inertia = 0.5;
  (void)trial(1, other.joints[1].motor, {});  // far heavier; leaves nothing behind
  other.joints[1].motor = {
      .rotor_inertia = 1e-4, .gear_ratio = -50.0, .coulomb = {}, .efficiency = {0.7, 0.5}};
  other.joints[1].motor.ratings.torque_speed = {{0.0, 9.0}, {900.0, 3.0}};
  other.joints[1].gear = {.rated_torque = 60.0, .rated_speed = 300.0, .life = 5000.0};
  const DriveNeed tried = trial(1, other.joints[1].motor, other.joints[1].gear);
  const DriveNeed own = size(other, cycle).drives[1];
  EXPECT_NEAR(tried.motor_torque.value, own.motor_torque.value, 1e-12 * own.motor_torque.value);
  EXPECT_NEAR(tried.motor_rms, own.motor_rms, 1e-12 * own.motor_rms);
  EXPECT_NEAR(tried.curve_share.value().value, own.curve_share.value().value, 1e-12);
  EXPECT_NEAR(tried.life.value(), own.life.value(), 1e-9 * own.life.value());
  const double breakaway = own.breakaway.value().value;
  EXPECT_GT(breakaway, 0.0);
  EXPECT_NEAR(tried.breakaway.value().value, breakaway, 1e-12 * breakaway);
}

TEST(Sizing, BreaksAwayInOneDirectionAtATime) {
  // The joint holds more backwards, its motor more forwards; both have the directions of the joint.
  Robot robot = one_joint(JointType::revolute);
  Joint& joint = robot.joints[0];
  joint.body = {1.0, {}, {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}};
  joint.friction.coulomb = {2.0, 6.0};
  joint.friction.breakaway = TwoSided{4.0, 8.0};
  joint.friction.ripple = {0.5, 3.0, 0.2};
  joint.motor.gear_ratio = -50.0;
  joint.motor.efficiency = {0.8, 0.7};
  const Cycle cycle = trapezoids(1.0, 0.5, 0.2, 10);
  const auto ripple = [](double q) { return 1.0 + 0.5 * std::cos(3.0 * q + 0.2); };
  for (const auto& [forwards, backwards] : {std::pair(0.2, 0.01), {0.01, 0.15}}) {
    joint.motor.coulomb = {forwards, backwards};
    // 0.5 kg·m² at 2 rad/s² take 1 N·m, less than the step from static to Coulomb friction.
    const double up = ripple(0.0) * 4.0 / 40.0 + forwards;
    const double down = ripple(0.7) * 8.0 / 40.0 + backwards;
    const auto breakaway = size(robot, cycle).drives[0].breakaway.value();
    EXPECT_NEAR(breakaway.value, std::max(up, down), 1e-12);
    EXPECT_NEAR(breakaway.t, up > down ? 0.0 : 1.2, 1e-12);
  }
}

// A follower at −0.5 times the joint's speed: half of its friction, in the other direction.
TEST(Sizing, BreaksAwayAgainstTheFrictionOfFollowersToo) {
  Robot robot = one_joint(JointType::revolute);
  robot.joints[0].body = {1.0, {}, {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}};
  robot.joints[0].motor.gear_ratio = 50.0;
  Robot plain = robot;
  Joint follower = robot.joints[0];
  follower.name = "follower";
  follower.body = {};
  follower.motor = {};
  follower.parent = "base";
  follower.follows = Follows{{{"joint", -0.5}}, 0.0};
  follower.friction.coulomb = {4.0, 6.0};
  robot.followers = {follower};
  plain.joints[0].friction.coulomb = {3.0, 2.0};
  const Cycle cycle = trapezoids(1.0, 0.5, 0.2, 10);
  EXPECT_NEAR(size(robot, cycle).drives[0].breakaway.value().value,
              size(plain, cycle).drives[0].breakaway.value().value, 1e-14);
}

/// Rows of a joint that waits for a second at q = 0, goes to 0.1 within another, and waits.
Cycle step_after_a_wait(double way) {
  Cycle cycle;
  const Trajectory motion =
      point_to_point(std::vector{0.0}, std::vector{way}, Profile::quintic, {1.0, {}});
  cycle.q.resize(1);
  cycle.qd.resize(1);
  cycle.qdd.resize(1);
  for (int k = 0; k <= 300; ++k) {
    const double t = 0.01 * k;
    const MotionRow row = row_at(motion, t - 1.0);
    const bool moves = k > 100 && k < 200;
    cycle.t.push_back(t);
    cycle.q[0].push_back(row.q[0]);
    cycle.qd[0].push_back(moves ? row.qd[0] : 0.0);
    cycle.qdd[0].push_back(moves ? row.qdd[0] : 0.0);
  }
  cycle.set_steps();
  return cycle;
}

// An arm of 5 kg at 0.6 m: 29.43 N·m of gravity at q = 0, 5 N·m forwards and 3 back of static friction.
Robot arm_that_sticks() {
  Robot robot = one_joint(JointType::revolute);
  robot.base.rpy = {std::numbers::pi / 2, 0.0, 0.0};
  Joint& joint = robot.joints[0];
  joint.body = {5.0, {0.6, 0.0, 0.0}, {}};
  joint.friction = {.coulomb = {1.0, 1.0}, .breakaway = TwoSided{5.0, 3.0}};
  joint.motor.gear_ratio = 100.0;
  return robot;
}

TEST(Sizing, SetsOutAgainstGravityAndStaticFriction) {
  Robot robot = arm_that_sticks();
  const double load = 5.0 * g * 0.6;
  const auto breakaway = [&](double way) {
    return size(robot, step_after_a_wait(way)).drives[0].breakaway.value();
  };
  EXPECT_NEAR(breakaway(0.1).value, (load + 5.0) / 100.0, 1e-12);
  EXPECT_NEAR(breakaway(0.1).t, 1.0, 1e-12);
  EXPECT_NEAR(breakaway(-0.1).value, (load - 3.0) / 100.0, 1e-12);
  EXPECT_FALSE(size(robot, step_after_a_wait(0.0)).drives[0].breakaway);
  // Through the gear and against the motor's own friction; down, the joint drives the gear.
  robot.joints[0].motor.efficiency = {0.8, 0.5};
  robot.joints[0].motor.coulomb = {0.04, 0.03};
  EXPECT_NEAR(breakaway(0.1).value, (load + 5.0) / 80.0 + 0.04, 1e-12);
  EXPECT_NEAR(breakaway(-0.1).value, 0.5 * (load - 3.0) / 100.0 - 0.03, 1e-12);
  EXPECT_NEAR(size(robot, step_after_a_wait(0.1)).drives[0].gear_torque.value, load + 5.0, 1e-9);
}

TEST(Sizing, FailsDrivesThatCannotSetOut) {
  Robot robot = arm_that_sticks();
  Motor& motor = robot.joints[0].motor;
  const Cycle cycle = step_after_a_wait(0.1);
  const auto passes = [&] {
    return std::ranges::all_of(verdicts(robot, size(robot, cycle), 1.0), &Verdict::passes);
  };
  for (const auto& [rated, is_enough] : {std::pair(0.344, false), {0.3444, true}}) {
    motor.ratings = {.peak_torque = rated};
    EXPECT_EQ(passes(), is_enough);
    motor.ratings = {.torque_speed = {{0.0, rated}, {100.0, rated}}};
    EXPECT_EQ(passes(), is_enough);
    motor.ratings = {};
    robot.joints[0].gear.momentary_peak_torque = 100.0 * rated;
    EXPECT_EQ(passes(), is_enough);
    robot.joints[0].gear = {};
  }
  motor.ratings = {.peak_torque = 0.32};
  const auto all = verdicts(robot, size(robot, cycle), 1.0);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].passes());  // all rows
  EXPECT_EQ(all[1].rating, "motor.peak_torque at breakaway");
  EXPECT_FALSE(all[1].passes());
  EXPECT_EQ(all[1].t, 1.0);
}

TEST(Sizing, SetsOutWithPayloadOnASlideAndAgainstAWrench) {
  // 2 kg and 3 kg of payload on a vertical slide, and 10 N of the TCP on what it pushes upwards.
  Robot robot = one_joint(JointType::prismatic);
  robot.joints[0].body.mass = 2.0;
  robot.joints[0].friction = {.coulomb = {4.0, 4.0}, .breakaway = TwoSided{20.0, 15.0}};
  robot.joints[0].motor.gear_ratio = 250.0;
  robot.payload.mass = 3.0;
  Cycle cycle = step_after_a_wait(0.1);
  cycle.wrench.assign(6, std::vector<double>(cycle.t.size()));
  cycle.wrench[2].assign(cycle.t.size(), 10.0);
  EXPECT_NEAR(size(robot, cycle).drives[0].breakaway->value, (5.0 * g + 10.0 + 20.0) / 250.0,
              1e-12);
}

TEST(Sizing, JudgesCoupledMotorsWhereTheySetOut) {
  // Motors turn by the sum and the difference of two level joints; where both go forwards alike, the
  // first sets out alone.
  Robot robot = one_joint(JointType::revolute);
  robot.joints[0].body = {1.0, {}, {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}};
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  for (Joint& joint : robot.joints) joint.motor.coulomb = {0.3, 0.4};
  robot.couplings.push_back({{0, 1}, {50.0, 50.0, 50.0, -50.0}, {0.0, 0.0}});
  robot.joints[0].motor.ratings.peak_torque = 0.35;
  robot.joints[1].motor.ratings.peak_torque = 0.35;
  const auto sized = [&](double second) {
    Cycle cycle = step_after_a_wait(1e-3), other = step_after_a_wait(1e-3 * second);
    cycle.q.push_back(other.q[0]);
    cycle.qd.push_back(other.qd[0]);
    cycle.qdd.push_back(other.qdd[0]);
    return size(robot, cycle);
  };
  const Sizing alike = sized(1.0);
  EXPECT_NEAR(alike.drives[0].breakaway->value, 0.3, 1e-12);
  EXPECT_FALSE(alike.drives[1].breakaway);
  const Sizing first = sized(-0.5);  // q̇₁ + q̇₂ > 0, q̇₁ − q̇₂ > 0
  EXPECT_NEAR(first.drives[0].breakaway->value, 0.3, 1e-12);
  EXPECT_NEAR(first.drives[1].breakaway->value, 0.3, 1e-12);
  const Sizing second = sized(2.0);  // the difference turns back, at 0.4 N·m
  EXPECT_NEAR(second.drives[1].breakaway->value, 0.4, 1e-12);
  const auto fails = [](const Verdict& verdict) { return !verdict.passes(); };
  const std::vector<Verdict> all = verdicts(robot, second, 1.0);
  EXPECT_TRUE(std::ranges::any_of(all, [&](const Verdict& verdict) {
    return verdict.rating == "motor.peak_torque at breakaway" && fails(verdict);
  }));
}

TEST(Sizing, HoldsEachSampleAgainstTheCurveAtItsSpeed) {
  Robot robot = one_joint(JointType::revolute);
  robot.joints[0].body = {1.0, {}, {0.0, 0.0, 0.5, 0.0, 0.0, 0.0}};
  const Cycle cycle = trapezoids(4.0, 0.5, 0.2, 10);  // 4 N·m, up to 4 rad/s
  const auto share = [&](std::vector<SpeedTorque> curve) {
    robot.joints[0].motor.ratings.torque_speed = std::move(curve);
    return *size(robot, cycle).drives[0].curve_share;
  };
  EXPECT_NEAR(share({{0.0, 16.0}, {8.0, 0.0}}).value, 0.5, 1e-12);
  EXPECT_NEAR(share({{0.0, 16.0}, {8.0, 0.0}}).t, 0.5, 1e-12);
  EXPECT_EQ(share({{0.0, 16.0}, {3.0, 16.0}}).value, std::numeric_limits<double>::infinity());
}

// --- Temperatures

const MotorThermal two_bodies{1.2, 2.5, 30.0, 500.0, 20.0, 100.0, 0.0, 25.0};

/// Degrees of the winding above the ambient, a time after constant losses began: the modes of two
/// bodies by Cramer's rule.
double warmth_after(double losses, double t, double C2 = 500.0) {
  const double R1 = 1.2, R2 = 2.5, C1 = 30.0;
  const double a = 1 / (R1 * C1), b = 1 / (R1 * C2), c = 1 / (R2 * C2);
  const double sum = a + b + c, root = std::sqrt(sum * sum - 4 * a * c);
  const double fast = (sum + root) / 2, slow = (sum - root) / 2;
  const double end = losses * (R1 + R2);
  // w = end + x e^(−fast t) + y e^(−slow t), w(0) = 0, ẇ(0) = losses/C1
  const double y = (losses / C1 - fast * end) / (fast - slow);
  const double x = -end - y;
  return end + x * std::exp(-fast * t) + y * std::exp(-slow * t);
}

TEST(Temperatures, AfterAStepAreThoseOfTwoBodies) {
  const std::vector<double> t{0.0, 1.0}, steps{0.0, 1.0};
  for (const double losses : {40.0, 60.0}) {
    const std::vector<double> heat{losses, losses};
    const ThermalNeed need = thermal_need(two_bodies, heat, t, steps);
    ASSERT_TRUE(need.steady);
    const double end = losses * 3.7;
    EXPECT_NEAR(need.steady->hottest.value, 20.0 + end, 1e-9 * end);
    EXPECT_NEAR(need.steady->coolest, 20.0 + end, 1e-9 * end);
    EXPECT_NEAR(need.steady->mean, 20.0 + end, 1e-9 * end);
    EXPECT_NEAR(need.steady->housing, 20.0 + losses * 2.5, 1e-9 * end);
    ASSERT_TRUE(need.time_to_limit);
    EXPECT_NEAR(warmth_after(losses, *need.time_to_limit), 80.0, 1e-9 * end);
  }
  EXPECT_FALSE(thermal_need(two_bodies, std::vector<double>{20.0, 20.0}, t, steps).time_to_limit);
  const double end = 60.0 * 3.7;
  EXPECT_NEAR(warmth_after(60.0, 1e6), end, 1e-9 * end);
  EXPECT_NEAR(warmth_after(60.0, 0.0), 0.0, 1e-9);
}

// The limit is the temperature after a time, which is then found again, of cycles of 1 ms to 10 h.
TEST(Temperatures, ReachALimitWhenTwoBodiesDo) {
  for (const double cycle : {1e-3, 1.0, 36000.0}) {
    for (const double reached : {50.0, 1000.0, 8 * 3600.0}) {
      MotorThermal thermal = two_bodies;
      thermal.housing_capacity = 20000.0;
      const auto [t, steps] = std::pair(std::vector{0.0, cycle}, std::vector{0.0, cycle});
      const double limit = warmth_after(60.0, reached, 20000.0);
      thermal.max_winding = 20.0 + limit;
      const ThermalNeed need = thermal_need(thermal, std::vector{60.0, 60.0}, t, steps);
      ASSERT_TRUE(need.time_to_limit);
      EXPECT_NEAR(warmth_after(60.0, *need.time_to_limit, 20000.0), limit, 1e-9 * limit);
    }
  }
}

// A cycle that heats for 1 s and cools for 3 s, stepped until 16 hours have passed.
TEST(Temperatures, OfARepeatedCycleAreThoseOfAllItsCycles) {
  MotorThermal thermal = two_bodies;
  thermal.temperature_coefficient = 0.0039;
  const double losses = 90.0;
  const std::vector<double> t{0.0, 1.0, 1.0, 4.0}, steps{0.0, 1.0, 0.0, 3.0};
  const std::vector<double> heat{losses, losses, 0.0, 0.0};
  const ThermalNeed need = thermal_need(thermal, heat, t, steps);
  ASSERT_TRUE(need.steady);
  double w = 0.0, h = 0.0, hottest = 0.0, coolest = 1e9, reached = 0.0;
  constexpr int per_second = 50;
  const auto rates = [&](double W, double H, double P) {
    return std::pair((P * (1 + 0.0039 * (20.0 + W - 25.0)) - (W - H) / 1.2) / 30.0,
                     ((W - H) / 1.2 - H / 2.5) / 500.0);
  };
  for (int cycle = 0; cycle < 15000; ++cycle) {
    hottest = coolest = w;
    for (int k = 0; k < 4 * per_second; ++k) {  // RK4
      const double dt = 1.0 / per_second, P = k < per_second ? losses : 0.0;
      const auto [w1, h1] = rates(w, h, P);
      const auto [w2, h2] = rates(w + dt / 2 * w1, h + dt / 2 * h1, P);
      const auto [w3, h3] = rates(w + dt / 2 * w2, h + dt / 2 * h2, P);
      const auto [w4, h4] = rates(w + dt * w3, h + dt * h3, P);
      w += dt / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
      h += dt / 6 * (h1 + 2 * h2 + 2 * h3 + h4);
      hottest = std::max(hottest, w);
      coolest = std::min(coolest, w);
      if (reached == 0.0 && w >= 80.0) reached = 4.0 * cycle + (k + 1) * dt;
    }
  }
  EXPECT_NEAR(need.steady->hottest.value, 20.0 + hottest, 1e-7);
  EXPECT_EQ(need.steady->hottest.t, 1.0);
  EXPECT_NEAR(need.steady->coolest, 20.0 + coolest, 1e-7);
  ASSERT_GT(reached, 0.0);
  EXPECT_NEAR(*need.time_to_limit, reached, 0.05);
}

// At rest without losses for so long that the motor is at its ambient, 10 below 0, most of the time.
TEST(Temperatures, FallToTheAmbientInALongDwell) {
  Robot robot = one_joint(JointType::revolute);
  Motor& motor = robot.joints[0].motor;
  motor.rotor_inertia = 1.0;
  motor.ratings.torque_constant = motor.ratings.resistance = 1.0;
  motor.ratings.thermal = two_bodies;
  motor.ratings.thermal.ambient = -10.0;
  Cycle cycle = trapezoids(2.0, 1.0, 1.0, 50);
  cycle.dwell(20000.0, robot);
  const auto steady = size(robot, cycle).drives[0].thermal->steady;
  ASSERT_TRUE(steady);
  // In each cycle 4 s of 12 W go through both resistances to the ambient.
  EXPECT_NEAR(steady->mean, -10.0 + 48.0 * 3.7 / 20006.0, 1e-4);
  EXPECT_LT(steady->housing, -9.9);
}

// Resistance that grows so fast that its temperatures are no doubles any more within one step.
TEST(Temperatures, ReachALimitAtOnceWhereNothingHoldsThem) {
  MotorThermal thermal = two_bodies;
  thermal.temperature_coefficient = 0.0039;
  const std::vector<double> t{0.0, 0.01, 1.0}, steps{0.0, 0.01, 0.99};
  const ThermalNeed need = thermal_need(thermal, std::vector{1e12, 1e12, 1e12}, t, steps);
  ASSERT_TRUE(need.time_to_limit);
  EXPECT_NEAR(*need.time_to_limit, 80.0 * 30.0 / 1e12, 0.3e-9);  // the resistance grows by 29 %
}

TEST(Temperatures, RunAwayWhereTheResistanceGrowsFasterThanTheMotorCools) {
  MotorThermal thermal = two_bodies;
  thermal.temperature_coefficient = 0.01;
  const std::vector<double> t{0.0, 1.0}, steps{0.0, 1.0};
  // 1/(R α) with R = 3.7: a constant loss beyond it has no steady state.
  const double most = 1.0 / (3.7 * 0.01);
  const auto need = [&](double losses) {
    return thermal_need(thermal, std::vector<double>{losses, losses}, t, steps);
  };
  EXPECT_TRUE(need(most * (1 - 1e-6)).steady);
  EXPECT_FALSE(need(most * (1 + 1e-6)).steady);
  EXPECT_TRUE(need(most * (1 + 1e-6)).time_to_limit);

  Robot robot = one_joint(JointType::revolute);
  robot.joints[0].motor.ratings.thermal = thermal;
  Sizing sizing;
  sizing.drives.resize(1);
  sizing.drives[0].thermal = need(most * 2);
  for (const std::optional<double> limit : {thermal.max_winding, std::optional<double>()}) {
    robot.joints[0].motor.ratings.thermal.max_winding = limit;
    const std::vector<Verdict> found = verdicts(robot, sizing, 1.0);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].passes());
  }
}

}  // namespace
}  // namespace armdyn::testing
