#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <initializer_list>
#include <span>
#include <vector>

#include "math/require.hpp"

// States of an arm as calls take them, whole or a row of a block at a time, and the test of their
// sizes.

namespace armdyn {

/// q, q̇ and q̈ of any scalar, one entry per joint each.
template <class S>
struct MotionOf {
  std::span<const S> q, qd, qdd;
};

/// The wrench as algorithms take it: null where there is none, and nothing to carry inward.
inline const Wrench* present(const Wrench& hand) {
  return hand.force == Vec3{} && hand.moment == Vec3{} ? nullptr : &hand;
}

/// Throws std::invalid_argument unless there are joints and each of these spans has one entry per
/// joint.
template <class A, class... Values>
void require_one_per_joint(const A& arm, const Values&... values) {
  require(arm.dof() > 0, "an arm needs at least one joint");
  require(((values.size() == arm.dof()) && ...),
          "positions, velocities, accelerations, torques and results need one entry per joint");
}

/// Throws std::invalid_argument unless q, q̇ and q̈ each have one entry per joint.
template <class A>
void require_one_per_joint(const A& arm, const MotionState& state) {
  require_one_per_joint(arm, state.q, state.qd, state.qdd);
}

/// One sample of a block at a time, gathered from its columns, for what has no program.
class BlockRow {
 public:
  explicit BlockRow(std::size_t dof) : q_(dof), qd_(dof), third_(dof) {}

  void read(const MotionBlock& block, std::size_t row) {
    take(block.q, row, q_);
    take(block.qd, row, qd_);
    take(block.qdd, row, third_);
    take_hand(block.hand, row);
  }
  /// Velocities and torques may be absent.
  void read(const ForwardBlock& block, std::size_t row) {
    take(block.q, row, q_);
    take(block.qd, row, qd_);
    take(block.torque, row, third_);
    take_hand(block.hand, row);
  }

  [[nodiscard]] MotionState state() const { return {q_, qd_, third_}; }
  [[nodiscard]] const std::vector<double>& q() const { return q_; }
  [[nodiscard]] const std::vector<double>& qd() const { return qd_; }
  [[nodiscard]] const std::vector<double>& torque() const { return third_; }
  [[nodiscard]] const Wrench& hand() const { return hand_; }

 private:
  static void take(std::span<const Column> columns, std::size_t row, std::vector<double>& values) {
    for (std::size_t i = 0; i < columns.size(); ++i) values[i] = columns[i][row];
  }
  void take_hand(std::span<const Column> columns, std::size_t row) {
    if (columns.empty()) return;
    const auto hand = [&](std::size_t k) { return columns[k][row]; };
    hand_ = {{hand(0), hand(1), hand(2)}, {hand(3), hand(4), hand(5)}};
  }

  std::vector<double> q_, qd_, third_;  ///< the third: q̈, or torques
  Wrench hand_;
};

/// Throws std::invalid_argument unless each group has one column per joint and a hand wrench six.
inline void require_columns(std::size_t dof, std::initializer_list<std::span<const Column>> groups,
                            std::span<const Column> hand) {
  bool fits = hand.empty() || hand.size() == 6;
  for (const std::span<const Column>& columns : groups) fits = fits && columns.size() == dof;
  require(fits, "a block needs one column per joint, and six of a hand wrench");
}

/// Calls for one sample of a block; what is not finite is that sample's.
template <class Single>
void call_for(std::size_t row, const Single& single) {
  try {
    single(row);
  } catch (const NotFinite& error) {
    throw NotFinite(error.what(), row);
  }
}

/// Computes these samples of a block one by one: `single(sample, values)` gives one value for each
/// result.
template <class Block, class Single>
void compute_rows(const Block& block, std::span<const std::size_t> rows,
                  std::span<const ResultColumn> results, const Single& single) {
  BlockRow sample(block.q.size());
  std::vector<double> values(results.size());
  for (const std::size_t row : rows) {
    sample.read(block, row);
    call_for(row, [&](std::size_t) { single(sample, std::span(values)); });
    for (std::size_t i = 0; i < values.size(); ++i) results[i][row] = values[i];
  }
}

}  // namespace armdyn
