// Derivatives over blocks have the bits of single calls, whatever the arm has: friction, rotors, coupled
// motors, followers, a contact wrench, and more joints than a program serves.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "math/columns.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

struct BlockOfStates {
  BlockOfStates(RandomArm& random, std::size_t dof, std::size_t count, bool with_wrench)
      : rows(count) {
    for (Columns* group : {&q, &qd, &qdd}) {
      for (std::size_t i = 0; i < dof; ++i) group->push_back(random.numbers(rows, 3.0));
    }
    for (std::size_t i = 0; i < dof; ++i) qd[i][0] = 0.0;
    for (int k = 0; with_wrench && k < 6; ++k) wrench.push_back(random.numbers(rows, 20.0));
  }

  std::size_t rows;
  Columns q, qd, qdd, wrench;
};

/// Bits of a column of doubles, without zeros' signs.
std::vector<std::uint64_t> bits_in(const std::vector<double>& values) {
  return each(values, [](double value) { return std::bit_cast<std::uint64_t>(value + 0.0); });
}

void expect_bits_of_single_calls(const Arm& arm, const BlockOfStates& states) {
  const std::size_t n = arm.dof(), entries = n * n;
  Columns of_torque, of_acceleration;
  resize(of_torque, 3 * entries, states.rows);
  resize(of_acceleration, 3 * entries, states.rows);
  const auto q = places(states.q), qd = places(states.qd), qdd = places(states.qdd),
             wrench = places(states.wrench);
  const MotionBlock block{states.rows, q, qd, qdd, wrench};
  const auto part = [entries](const std::vector<ResultColumn>& columns, std::size_t k) {
    return std::span(columns).subspan(k * entries, entries);
  };
  BlockDynamicsDerivatives derivatives(arm);
  const std::vector<ResultColumn> torque = places(of_torque),
                                  acceleration = places(of_acceleration);
  derivatives.torque(block, part(torque, 0), part(torque, 1), part(torque, 2));
  derivatives.acceleration(block, part(acceleration, 0), part(acceleration, 1),
                           part(acceleration, 2));

  DynamicsDerivatives single(arm);
  std::vector<double> expected(3 * entries);
  const auto rows_of = [&](std::size_t k) {
    return std::span(expected).subspan(k * entries, entries);
  };
  for (std::size_t row = 0; row < states.rows; ++row) {
    const std::vector<double> x = row_of(states.q, row), v = row_of(states.qd, row),
                              a = row_of(states.qdd, row);
    Wrench wrench;
    if (!states.wrench.empty()) {
      const std::vector<double> w = row_of(states.wrench, row);
      wrench = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    }
    single.torque({x, v, a}, wrench, {rows_of(0), rows_of(1), rows_of(2)});
    ASSERT_EQ(bits_in(row_of(of_torque, row)), bits_in(expected)) << n << " joints, row " << row;
    single.acceleration({x, v, a}, wrench, {rows_of(0), rows_of(1), rows_of(2)});
    ASSERT_EQ(bits_in(row_of(of_acceleration, row)), bits_in(expected))
        << n << " joints, row " << row;
  }
}

TEST(BlockDerivatives, HaveTheBitsOfSingleCalls) {
  RandomArm random(63);
  for (const std::size_t dof : {1U, 2U, 3U, 6U, 7U}) {
    for (const bool with_wrench : {false, true}) {
      expect_bits_of_single_calls(random.arm(dof), {random, dof, 37, with_wrench});
    }
  }
}

TEST(BlockDerivatives, HaveThoseOfShippedArmsWithTheirDrives) {
  RandomArm random(64);
  for (const char* name : {"puma560", "stanford", "franka-panda", "staubli-tx40", "craig-rp",
                           "mechanisms/five-bar-spong"}) {
    const Arm arm = normalize(shipped_robot(name));
    expect_bits_of_single_calls(arm, {random, arm.dof(), 19, false});
  }
}

TEST(BlockDerivatives, AreComputedOneByOneWhereAProgramWouldBeTooLong) {
  RandomArm random(65);
  expect_bits_of_single_calls(random.arm(30), {random, 30, 3, true});
}

TEST(BlockDerivatives, RefuseASingularMassMatrixAndWrongSizes) {
  Robot robot;
  robot.joints.resize(1);
  const Arm arm = normalize(robot);
  BlockDynamicsDerivatives derivatives(arm);
  const std::vector<double> zero(3);
  std::vector<double> a(3), b(3), c(3);
  const Column columns[] = {zero.data()};
  const ResultColumn results[] = {a.data(), b.data(), c.data()};
  const auto one = [&](std::size_t k) { return std::span(results).subspan(k, 1); };
  const MotionBlock block{3, columns, columns, columns, {}};
  derivatives.torque(block, one(0), one(1), one(2));
  EXPECT_EQ(c, std::vector<double>(3));
  EXPECT_THROW(derivatives.acceleration(block, one(0), one(1), one(2)), SingularMassMatrix);
  EXPECT_THROW(derivatives.torque(block, results, one(1), one(2)), std::invalid_argument);
  EXPECT_THROW(derivatives.torque({3, columns, {}, columns, {}}, one(0), one(1), one(2)),
               std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
