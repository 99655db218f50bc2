#include "dynamics/arm_program.hpp"

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "math/columns.hpp"
#include "support/random_arm.hpp"

namespace armdyn {
namespace {

using testing::RandomArm;

/// With friction and rotors, and two of whose motors are coupled.
Robot arm_with_drives(RandomArm& random, std::size_t dof) {
  Robot robot = random.robot(dof);
  const auto level = [&](double most) { return std::abs(random.numbers(1, most)[0]); };
  for (Joint& joint : robot.joints) {
    joint.friction.viscous = level(3.0);
    joint.friction.coulomb = {level(2.0), level(2.0)};
    joint.motor.gear_ratio = -20.0;
    joint.motor.rotor_inertia = level(0.003);
    joint.motor.coulomb = {level(0.05), level(0.05)};
  }
  robot.joints[0].friction.breakaway = {3.0, 2.5};
  robot.joints[0].friction.stribeck_velocity = 0.4;
  robot.joints[0].friction.ripple = {0.2, 3.0, 0.5};
  robot.joints[0].friction.sigmoid = {2.0, 10.0, 0.1};
  if (dof > 2) robot.couplings.push_back({{dof - 2, dof - 1}, {40.0, 3.0, -5.0, 30.0}, {0.0, 0.0}});
  return robot;
}

/// Robots whose numbers differ from the first one's: all bodies and friction, a length, also by
/// being 0, an angle, also by being a right one, a gear, and one number more in each.
std::vector<Robot> unlike_robots(const Robot& first, RandomArm& random) {
  std::vector<Robot> robots{first};
  for (int k = 0; k < 12; ++k) {
    Robot robot = first;
    for (Joint& joint : robot.joints) {
      const double factor = 1.0 + random.numbers(1, 0.1)[0];
      joint.body.mass *= factor;
      joint.body.com.x += 0.01 * factor;
      joint.body.inertia.xy *= factor;
      if (k % 2 == 0) joint.friction.viscous *= factor;
      if (k % 2 == 0) joint.friction.coulomb.positive *= factor;
      if (k % 2 == 0 && joint.friction.breakaway) joint.friction.breakaway->negative *= factor;
      joint.friction.sigmoid.amplitude *= factor;
    }
    Joint& joint = robot.joints.back();
    if (k % 4 == 1) joint.dh.a = k > 6 ? 0.0 : 0.1 * k;
    if (k % 4 == 2) joint.dh.alpha = k > 6 ? std::numbers::pi / 2 : 0.1 * k;
    if (k % 6 == 3) joint.motor.gear_ratio *= 2.0;
    if (k == 11) joint.friction.stribeck_velocity = 0.7;
    if (k == 0) robot.tool.xyz = {0.1, 0.2, -0.3};
    if (k == 1) robot.tool.rpy = {0.4, -0.5, 0.6};
    if (k == 2) robot.gravity.x = 3.0;
    if (k == 3) robot.base.rpy = {0.7, 0.2, 0.0};
    if (k == 4) robot.payload.mass += 1.5;
    if (k == 5) joint.dh.d += 0.3;
    if (k == 6) joint.motor.coulomb.negative += 0.02;
    if (k == 7) joint.motor.rotor_inertia += 0.001;
    if (k == 8) joint.motor.viscous += 0.004;
    if (k == 9) robot.joints[0].friction.ripple.phase += 0.3;
    if (k == 10 && !robot.couplings.empty()) robot.couplings[0].matrix[2] = 7.0;
    robots.push_back(robot);
  }
  return robots;
}

TEST(ArmsOnMotion, HaveTheTorquesOfEachMechanismAlone) {
  RandomArm random(5);
  Robot robot = random.robot(5);
  robot.joints[2].parent = robot.joints[0].name;
  robot.joints[3].parent = robot.joints[1].name;
  robot.followers.assign(robot.joints.begin() + 3, robot.joints.end());
  robot.joints.resize(3);
  robot.followers[0].follows = {{{robot.joints[0].name, -1.5}, {robot.joints[1].name, 1.0}}, 0.3};
  robot.followers[1].follows = {{{robot.joints[2].name, 0.7}}, 0.0};
  robot.followers[1].parent = robot.followers[0].name;
  robot.tool_link = robot.joints[2].name;
  robot.springs.push_back({.name = "s", .row = {{robot.joints[1].name, 1.0}}, .rest = 0.2});
  robot.springs.back().stiffness = 15.0;
  std::vector<Arm> arms;
  for (int k = 0; k < 6; ++k) {
    Robot other = robot;
    other.followers[0].body.mass *= 1.0 + 0.1 * k;
    other.joints[1].body.com.x += 0.02 * k;
    other.followers[1].follows->row[0].factor += 0.1 * k;
    other.springs[0].stiffness += k;
    arms.push_back(normalize(other));
  }
  constexpr std::size_t rows = 100, dof = 3;
  Columns motion;
  for (std::size_t k = 0; k < 3 * dof; ++k) motion.push_back(random.numbers(rows, 2.0));
  const std::vector<Column> all = places(std::as_const(motion));
  const auto group = [&](std::size_t k) { return std::span(all).subspan(k * dof, dof); };
  const MotionBlock block{rows, group(0), group(1), group(2), {}};
  ArmsOnMotion together(arms.front(), WrenchInput::absent);
  together.set_arms(arms);
  std::size_t seen = 0;
  together.torque(block, [&](std::size_t arm, std::size_t first, std::size_t count,
                             std::span<const Column> tau) {
    for (std::size_t row = first; row < first + count; ++row) {
      std::vector<double> state[3];
      for (std::size_t k = 0; k < 3 * dof; ++k) state[k / dof].push_back(motion[k][row]);
      const std::vector<double> alone = torque(arms[arm], {state[0], state[1], state[2]});
      for (std::size_t i = 0; i < dof; ++i) {
        EXPECT_NEAR(tau[i][row - first], alone[i], 1e-12 * (1.0 + std::abs(alone[i])))
            << "arm " << arm << ", row " << row;
        ++seen;
      }
    }
  });
  EXPECT_EQ(seen, arms.size() * rows * dof);
}

TEST(ArmsOnMotion, HaveTheTorquesOfEachArmAlone) {
  RandomArm random(11);
  constexpr std::size_t rows = 300;  // more than a block, and some of another
  for (int round = 0; round < 6; ++round) {
    for (const std::size_t dof : {1U, 2U, 4U, 6U}) {
      Robot robot = arm_with_drives(random, dof);
      if (round % 2 == 0) robot.couplings.clear();
      const bool has_wrench = round % 3 == 0;

      Columns motion;
      for (std::size_t k = 0; k < 3 * dof + (has_wrench ? 6 : 0); ++k) {
        motion.push_back(random.numbers(rows, 3.0));
      }
      for (std::size_t i = 0; i < dof; ++i) motion[dof + i][17] = 0.0;  // at rest
      const std::vector<Column> all = places(std::as_const(motion));
      const auto group = [&](std::size_t k) { return std::span(all).subspan(k * dof, dof); };
      const MotionBlock block{rows, group(0), group(1), group(2), std::span(all).subspan(3 * dof)};

      const std::vector<Robot> robots = unlike_robots(robot, random);
      std::vector<Arm> arms;
      for (const Robot& unlike : robots) arms.push_back(normalize(unlike));
      ArmsOnMotion together(arms.front(), has_wrench ? WrenchInput::present : WrenchInput::absent);
      std::vector<Columns> found(arms.size(), Columns(dof));
      for (int again = 0; again < 2; ++again) {
        found.assign(arms.size(), Columns(dof));
        together.set_arms(arms);
        together.torque(block, [&](std::size_t arm, std::size_t first, std::size_t count,
                                   std::span<const Column> tau) {
          ASSERT_EQ(first, found[arm][0].size());
          ASSERT_TRUE(count % 8 == 0 || first + count == rows);
          for (std::size_t i = 0; i < dof; ++i) {
            found[arm][i].insert(found[arm][i].end(), tau[i], tau[i] + count);
          }
        });
      }
      for (std::size_t k = 0; k < arms.size(); ++k) {
        InverseDynamics alone(arms[k]);
        std::vector<double> q(dof), qd(dof), qdd(dof), tau(dof);
        for (std::size_t row = 0; row < rows; ++row) {
          for (std::size_t i = 0; i < dof; ++i) {
            q[i] = block.q[i][row];
            qd[i] = block.qd[i][row];
            qdd[i] = block.qdd[i][row];
          }
          const auto wrench = [&](std::size_t c) {
            return has_wrench ? block.wrench[c][row] : 0.0;
          };
          alone.torque({q, qd, qdd},
                       {{wrench(0), wrench(1), wrench(2)}, {wrench(3), wrench(4), wrench(5)}}, tau);
          for (std::size_t i = 0; i < dof; ++i) {
            ASSERT_EQ(found[k][i][row], tau[i]) << dof << " joints, arm " << k << ", row " << row;
          }
        }
      }
    }
  }
}

TEST(ArmsOnMotion, LeaveArmsOfTooManyJointsOut) {
  RandomArm random(5);
  const Arm arm = random.arm(400);
  const Columns motion(1200, std::vector<double>(1));
  const std::vector<Column> all = places(motion);
  const auto group = [&](std::size_t k) { return std::span(all).subspan(k * 400, 400); };
  ArmsOnMotion together(arm, WrenchInput::absent);
  together.set_arms({arm});
  together.torque({1, group(0), group(1), group(2), {}},
                  [](auto&&...) { ADD_FAILURE() << "a program of 400 joints is too long"; });
}

}  // namespace
}  // namespace armdyn
