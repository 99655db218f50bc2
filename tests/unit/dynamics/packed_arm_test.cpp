// Vectors in one register change no bit of a single call, signs of zeros included: beside the same
// algorithms in doubles, on random arms, at random states, at rest, and at angles that are reduced in
// another way.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "dynamics/packed_arm.hpp"
#include "program/program.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

struct SingleState {
  std::vector<double> q, qd, qdd;
  Wrench wrench;
};

/// Bits of all that single calls compute.
std::vector<std::uint64_t> all_results(const Robot& robot, const std::vector<SingleState>& states,
                                       InstructionSet set) {
  EXPECT_EQ(setenv("ARMDYN_SIMD", std::string(name(set)).c_str(), 1), 0);
  const Arm arm = normalize(robot);
  const std::size_t n = arm.dof();
  std::vector<std::uint64_t> bits;
  const auto keep = [&](const std::vector<double>& values) {
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  };
  InverseDynamics inverse(arm);
  std::vector<double> x(n), M(n * n), parts(6 * n);
  const auto part = [&](std::size_t k) { return std::span(parts).subspan(k * n, n); };
  for (const auto& [q, qd, qdd, wrench] : states) {
    inverse.torque({q, qd, qdd}, wrench, x);
    keep(x);
    inverse.terms({q, qd, qdd}, wrench, {part(0), part(1), part(2), part(3), part(4), part(5)});
    keep(parts);
  }
  DynamicsDerivatives derivatives(arm);
  std::vector<double> dq(n * n), dqd(n * n), dqdd(n * n);
  for (const auto& [q, qd, qdd, wrench] : states) {
    derivatives.torque({q, qd, qdd}, wrench, {dq, dqd, dqdd});
    for (const auto& values : {dq, dqd, dqdd}) keep(values);
    try {
      derivatives.acceleration({q, qd, qdd}, wrench, {dq, dqd, dqdd});
      for (const auto& values : {dq, dqd, dqdd}) keep(values);
    } catch (const NumericsError& error) {
      bits.push_back(std::hash<std::string>()(error.what()));
    }
  }
  ToolKinematics tool(arm);
  const Regressor regressor(robot, Regressor::Payload::always);
  std::vector<double> J(6 * n), Y(n * regressor.parameters().size());
  for (const auto& [q, qd, qdd, wrench] : states) {
    const auto [R, p] = tool.pose(q);
    for (const Vec3& v : {R.row_x, R.row_y, R.row_z, p}) keep({v.x, v.y, v.z});
    tool.jacobian(q, J);
    keep(J);
    regressor.matrix({q, qd, qdd}, Y);
    for (double& y : Y) y += 0.0;  // no negative zero
    keep(Y);
  }
  for (const ForwardMethod method :
       {ForwardMethod::composite, ForwardMethod::articulated, ForwardMethod::strobe}) {
    ForwardDynamics forward(arm, method);
    for (const auto& [q, qd, qdd, wrench] : states) {
      forward.bias(q, qd, wrench, x);
      keep(x);
      forward.mass_matrix(q, M);
      keep(M);
      try {
        forward.acceleration(q, qd, qdd, wrench, x);
        keep(x);
      } catch (const NumericsError& error) {
        bits.push_back(std::hash<std::string>()(error.what()));
      }
    }
  }
  EXPECT_EQ(unsetenv("ARMDYN_SIMD"), 0);
  return bits;
}

TEST(PackedArm, GivesTheBitsOfDoubles) {
  if (!is_supported(InstructionSet::avx2)) GTEST_SKIP() << "no AVX2";
  RandomArm random(32);
  for (const std::size_t dof : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 17U}) {
    for (int round = 0; round < 8; ++round) {
      const Robot robot = random.robot(dof);
      std::vector<SingleState> states(6);
      for (SingleState& x : states) {
        x = {random.numbers(dof, 3.0), random.numbers(dof, 3.0), random.numbers(dof, 3.0), {}};
      }
      states[0].wrench = states[1].wrench = random.wrench();
      states[1].q.back() = 0x1p18;
      states[2].q.front() = -1e9;
      states[3].qd.assign(dof, 0.0);
      states[4].q.assign(dof, -0.0);
      states[4].qd.assign(dof, -0.0);
      states[5] = {
          std::vector<double>(dof), std::vector<double>(dof), std::vector<double>(dof), {}};
      EXPECT_EQ(all_results(robot, states, InstructionSet::avx2),
                all_results(robot, states, InstructionSet::baseline))
          << dof << " joints, round " << round;
    }
  }
}

TEST(PackedArm, IsMadeWhereTheInstructionSetIsAllowed) {
  const Arm arm = RandomArm(1).arm(6);
  EXPECT_EQ(PackedArm::of(arm).has_value(), is_supported(InstructionSet::avx2));
  const std::string baseline(name(InstructionSet::baseline));
  ASSERT_EQ(setenv("ARMDYN_SIMD", baseline.c_str(), 1), 0);
  EXPECT_FALSE(PackedArm::of(arm).has_value());
  ASSERT_EQ(unsetenv("ARMDYN_SIMD"), 0);
}

}  // namespace
}  // namespace armdyn::testing
