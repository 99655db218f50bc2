#pragma once

#include <armdyn/block_dynamics.hpp>

#include <stdexcept>
#include <vector>

namespace armdyn {

/// One sample of a block at a time, gathered from its columns, for what has no program.
class BlockRow {
 public:
  explicit BlockRow(std::size_t dof) : q_(dof), qd_(dof), qdd_(dof) {}

  void read(const MotionBlock& motion, std::size_t row) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      q_[i] = motion.q[i][row];
      qd_[i] = motion.qd[i][row];
      qdd_[i] = motion.qdd[i][row];
    }
    if (motion.hand.empty()) return;
    const auto hand = [&](std::size_t k) { return motion.hand[k][row]; };
    hand_ = {{hand(0), hand(1), hand(2)}, {hand(3), hand(4), hand(5)}};
  }

  [[nodiscard]] MotionState state() const { return {q_, qd_, qdd_}; }
  [[nodiscard]] const Wrench& hand() const { return hand_; }

 private:
  std::vector<double> q_, qd_, qdd_;
  Wrench hand_;
};

/// Throws std::invalid_argument unless the first `groups` of q, qd, qdd have one column per joint
/// and a hand wrench six.
inline void require_columns(const MotionBlock& motion, std::size_t dof, std::size_t groups) {
  const std::span<const Column> motions[] = {motion.q, motion.qd, motion.qdd};
  bool fits = motion.hand.empty() || motion.hand.size() == 6;
  for (const auto& columns : std::span(motions).first(groups)) fits = fits && columns.size() == dof;
  if (!fits) {
    throw std::invalid_argument("a block needs one column per joint, and six of a hand wrench");
  }
}

}  // namespace armdyn
