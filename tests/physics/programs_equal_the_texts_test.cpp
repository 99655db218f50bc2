// A program for one arm does what the text in doubles does, operation by operation: the same bits,
// but for the sign of a zero, for every formulation, on every shipped arm and on random arms, with
// every instruction set and in blocks of any size.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/arm_program.hpp"
#include "program/program.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

class ProgramStates {
 public:
  ProgramStates(RandomArm& random, std::size_t dof, std::size_t rows, bool has_wrench)
      : dof_(dof), rows_(rows) {
    for (std::size_t i = 0; i < 3 * dof; ++i) columns_.push_back(random.numbers(rows, 3.0));
    for (std::size_t i = 0; has_wrench && i < 6; ++i)
      columns_.push_back(random.numbers(rows, 20.0));
    for (const std::vector<double>& column : columns_) pointers_.push_back(column.data());
  }

  [[nodiscard]] MotionBlock block() const {
    const std::span<const Column> all(pointers_);
    return {rows_, all.subspan(0, dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_),
            all.subspan(3 * dof_)};
  }

  /// The same with torques in place of q̈.
  [[nodiscard]] ForwardBlock forward_block() const {
    const auto [rows, q, qd, torque, wrench] = block();
    return {rows, q, qd, torque, wrench};
  }

  struct State {
    std::vector<double> q, qd, qdd;
    Wrench wrench;
  };
  [[nodiscard]] State state(std::size_t row) const {
    State x;
    for (std::size_t i = 0; i < dof_; ++i) {
      x.q.push_back(columns_[i][row]);
      x.qd.push_back(columns_[dof_ + i][row]);
      x.qdd.push_back(columns_[2 * dof_ + i][row]);
    }
    if (columns_.size() == 3 * dof_) return x;
    const auto wrench = [&](std::size_t k) { return columns_[3 * dof_ + k][row]; };
    x.wrench = {{wrench(0), wrench(1), wrench(2)}, {wrench(3), wrench(4), wrench(5)}};
    return x;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  std::size_t dof_, rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<Column> pointers_;
};

class ResultColumns {
 public:
  ResultColumns(std::size_t columns, std::size_t rows)
      : columns_(columns, std::vector<double>(rows, -7.0)) {
    for (std::vector<double>& column : columns_) pointers_.push_back(column.data());
  }
  [[nodiscard]] std::span<const ResultColumn> columns() const { return pointers_; }
  [[nodiscard]] std::vector<double> row(std::size_t row) const {
    std::vector<double> values;
    for (const std::vector<double>& column : columns_) values.push_back(column[row]);
    return values;
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<ResultColumn> pointers_;
};

void expect_inverse_dynamics_agree(const Arm& arm, const ProgramStates& states,
                                   const std::string& what) {
  const std::size_t n = arm.dof(), rows = states.rows();
  for (const Method method : all_methods) {
    SCOPED_TRACE(what + ", " + std::string(name(method)));
    BlockInverseDynamics blocks(arm, method);
    const ResultColumns tau(n, rows), parts(6 * n, rows), wrenches(6 * n, rows);
    blocks.torque(states.block(), tau.columns());
    blocks.terms(states.block(), parts.columns());
    blocks.reactions(states.block(), wrenches.columns());

    InverseDynamics single(arm, method);
    std::vector<double> expected(n), terms(6 * n);
    std::vector<Wrench> reactions(n);
    const auto term = [&](std::size_t k) { return std::span(terms).subspan(k * n, n); };
    for (std::size_t row = 0; row < rows; ++row) {
      const auto [q, qd, qdd, wrench] = states.state(row);
      single.torque({q, qd, qdd}, wrench, expected);
      ASSERT_EQ(tau.row(row), expected);
      single.terms({q, qd, qdd}, wrench, {term(0), term(1), term(2), term(3), term(4), term(5)});
      ASSERT_EQ(parts.row(row), terms);
      single.reactions({q, qd, qdd}, wrench, reactions);
      std::vector<double> flat;
      for (const auto& [f, m] : reactions) {
        flat.insert(flat.end(), {f.x, f.y, f.z, m.x, m.y, m.z});
      }
      ASSERT_EQ(wrenches.row(row), flat);
    }
  }
}

/// Whether the arm has accelerations in all of these states.
bool expect_forward_dynamics_agree(const Arm& arm, const ProgramStates& states,
                                   const std::string& what) {
  const std::size_t n = arm.dof(), rows = states.rows();
  for (const ForwardMethod method :
       {ForwardMethod::composite, ForwardMethod::articulated, ForwardMethod::strobe}) {
    SCOPED_TRACE(what + ", forward method " + std::to_string(static_cast<int>(method)));
    ForwardDynamics single(arm, method);
    BlockForwardDynamics blocks(arm, method);
    const ResultColumns qdd(n, rows), lower(n * (n + 1) / 2, rows), h(n, rows);
    blocks.mass_matrix(states.forward_block(), lower.columns());
    blocks.bias(states.forward_block(), h.columns());

    std::vector<double> expected(n), M(n * n), M_lower(n * (n + 1) / 2), accelerations(n);
    std::string message;
    try {
      blocks.acceleration(states.forward_block(), qdd.columns());
    } catch (const NumericsError& error) {
      message = error.what();
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const auto [q, qd, tau, wrench] = states.state(row);
      single.bias(q, qd, wrench, expected);
      EXPECT_EQ(h.row(row), expected);
      if (method != ForwardMethod::strobe) {
        single.mass_matrix(q, M);
        auto entry = M_lower.begin();
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j <= i; ++j) *entry++ = M[i * n + j];
        }
        EXPECT_EQ(lower.row(row), M_lower);
      }
      try {
        single.acceleration(q, qd, tau, wrench, accelerations);
      } catch (const NumericsError& error) {
        EXPECT_EQ(message, error.what());
        return false;
      }
      if (message.empty()) {
        EXPECT_EQ(qdd.row(row), accelerations);
      }
    }
    EXPECT_EQ(message, "");
  }
  return true;
}

TEST(Programs, EqualTheTextsOnEveryShippedArm) {
  RandomArm random(1);
  std::size_t arms = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    const Arm arm = normalize(shipped_robot(name));
    for (const bool has_wrench : {false, true}) {
      const ProgramStates states(random, arm.dof(), 40, has_wrench);
      expect_inverse_dynamics_agree(arm, states, name);
      expect_forward_dynamics_agree(arm, states, name);
    }
    ++arms;
  }
  EXPECT_GE(arms, 25U);
}

TEST(Programs, EqualTheTextsOnRandomArms) {
  RandomArm random(2);
  int moved = 0;
  for (std::size_t dof = 1; dof <= 12; ++dof) {
    for (int round = 0; round < 4; ++round) {
      Robot robot = random.robot(dof);
      for (Joint& joint : robot.joints) {
        if (random.numbers(1, 1.0)[0] > 0.7) joint.body = {};  // massless
        joint.motor.gear_ratio = -50.0;
        joint.motor.rotor_inertia = round < 2 ? 1e-4 : 0.0;
        joint.friction.viscous = 0.3;
        joint.friction.coulomb = {2.0, 1.5};
        const std::vector<double> own = random.numbers(3, 1.0);  // no two joints ripple alike
        joint.friction.ripple = {std::abs(own[0]), 5.0 * own[1], own[2]};
      }
      const Arm arm = normalize(robot);
      const ProgramStates states(random, dof, 10, round % 2 == 0);
      const std::string what = std::to_string(dof) + " joints, round " + std::to_string(round);
      expect_inverse_dynamics_agree(arm, states, what);
      moved += expect_forward_dynamics_agree(arm, states, what) ? 1 : 0;
    }
  }
  EXPECT_GE(moved, 24);
}

TEST(Programs, GiveTheSameBitsOnEveryInstructionSetAndInBlocksOfAnySize) {
  RandomArm random(3);
  const Arm arm = normalize(shipped_robot("puma560"));
  const std::size_t rows = 200;
  const ProgramStates states(random, arm.dof(), rows, true);
  const ResultColumns expected(arm.dof(), rows);
  BlockInverseDynamics(arm).torque(states.block(), expected.columns());
  for (const InstructionSet set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    ASSERT_EQ(setenv("ARMDYN_SIMD", std::string(name(set)).c_str(), 1), 0);
    BlockInverseDynamics dynamics(arm);
    for (const std::size_t size : {1U, 7U, 64U, 200U}) {
      const ResultColumns found(arm.dof(), rows);
      for (std::size_t first = 0; first < rows; first += size) {
        const MotionBlock all = states.block();
        std::vector<Column> in;
        std::vector<ResultColumn> out;
        for (const auto& group : {all.q, all.qd, all.qdd, all.wrench}) {
          for (const Column column : group) in.push_back(column + first);
        }
        for (const ResultColumn column : found.columns()) out.push_back(column + first);
        const auto part = [&](std::size_t k, std::size_t count) {
          return std::span<const Column>(in).subspan(k * arm.dof(), count);
        };
        dynamics.torque(
            {std::min(size, rows - first), part(0, 6), part(1, 6), part(2, 6), part(3, 6)}, out);
      }
      for (std::size_t row = 0; row < rows; ++row) ASSERT_EQ(found.row(row), expected.row(row));
    }
  }
  ASSERT_EQ(unsetenv("ARMDYN_SIMD"), 0);
}

TEST(Programs, ThatWouldBeTooLongLeaveTheTextsToDoTheWork) {
  RandomArm random(5);
  const Arm arm = random.arm(48);
  EXPECT_THROW(static_cast<void>(torque_program(arm, Method::lagrange, WrenchInput::present)),
               std::length_error);
  expect_inverse_dynamics_agree(arm, ProgramStates(random, 48, 3, true), "48 joints");
}

TEST(Programs, RefuseAWrongNumberOfColumns) {
  RandomArm random(4);
  const Arm arm = normalize(shipped_robot("puma560"));
  const ProgramStates states(random, 5, 3, false);
  const ResultColumns tau(6, 3);
  EXPECT_THROW(BlockInverseDynamics(arm).torque(states.block(), tau.columns()),
               std::invalid_argument);
  EXPECT_THROW(BlockForwardDynamics(arm).acceleration(states.forward_block(), tau.columns()),
               std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
