#pragma once

#include <armdyn/robot.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "dynamics/states.hpp"
#include "math/each.hpp"
#include "model/spring_law.hpp"

// Mechanisms by their serial chains (docs/derivation.md, section 38): an algorithm works on a chain as
// on an arm, at its joints' positions A q + b, and its results are taken to q by Aᵀ.

namespace armdyn {

/// Tests whether an arm is one chain of joints with a position of their own. Arms without a list of
/// chains, which hold other numbers, always are.
template <class A>
[[nodiscard]] bool is_one_chain(const A& arm) {
  if constexpr (requires { arm.chains; }) {
    return arm.chains.empty();
  } else {
    return true;
  }
}

/// A x of rates x of the arm's joints.
template <class S, class T>
std::vector<S> joint_rates(const std::vector<JointRowOf<T>>& rows, std::span<const S> x) {
  return each(rows, [x](const JointRowOf<T>& row) { return row_rate<S>(row, x); });
}
template <class S, class T>
std::vector<S> joint_positions(const std::vector<JointRowOf<T>>& rows, std::span<const S> q) {
  return each(rows, [q](const JointRowOf<T>& row) {
    return S(row_rate<S>(row, q) + S(row.offset));
  });  // (38.1)
}

/// The motion of a chain's joints.
template <class S>
struct ChainMotion {
  template <class T>
  ChainMotion(const std::vector<JointRowOf<T>>& rows, const MotionOf<S>& motion)
      : q(joint_positions<S>(rows, motion.q)),
        qd(joint_rates<S>(rows, motion.qd)),
        qdd(joint_rates<S>(rows, motion.qdd)) {}

  [[nodiscard]] MotionOf<S> motion() const { return {q, qd, qdd}; }

  std::vector<S> q, qd, qdd;
};

/// Bodies of links, of a mechanism those of its joints and followers.
template <class A>
std::size_t number_of_bodies(const A& arm) {
  std::size_t count = arm.dof();
  if constexpr (requires { arm.chains; }) {
    for (const auto& chain : arm.chains) {
      for (const std::size_t k : chain.joints) count = std::max(count, k + 1);
    }
  }
  return count;
}

/// Aᵀ τ_chain, added to τ by `add(joint, torque)` (38.3).
template <class S, class T>
void project(const std::vector<JointRowOf<T>>& rows, std::span<const S> of_chain, const auto& add) {
  for (std::size_t i = 0; i < rows.size(); ++i) act_by_row<S>(rows[i], of_chain[i], add);
}

template <class S, class A>
void springs_torque(const A& arm, std::span<const S> q, std::span<S> tau);  // link_frames.hpp

/// Torques of a mechanism's links, from those of each chain, `torque(k, motion, wrench, tau)` at its
/// joints (38.3), and of its springs. The TCP is at the end of the first.
template <class S, class A>
void chains_torque(const A& arm, const MotionOf<S>& motion, const ForceAndMoment<S>* wrench,
                   std::span<S> tau, const auto& torque) {
  std::ranges::fill(tau, S(0.0));
  for (std::size_t k = 0; k < arm.chains.size(); ++k) {
    const auto& rows = arm.chains[k].rows;
    const ChainMotion<S> x(rows, motion);
    std::vector<S> of_chain(rows.size());
    torque(k, x.motion(), k == 0 ? wrench : nullptr, std::span<S>(of_chain));
    project<S>(rows, of_chain, [tau](std::size_t j, const S& part) { tau[j] = tau[j] + part; });
  }
  springs_torque<S>(arm, motion.q, tau);
}

/// Adds to the lower triangle of M, n×n by rows, Aᵀ M_chain A of the lower triangle of a chain's (38.4).
template <class S, class T>
void project_lower(const std::vector<JointRowOf<T>>& rows, std::span<const S> of_chain,
                   std::size_t n, std::span<S> M) {
  const std::size_t count = rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      const S& entry = of_chain[std::max(i, k) * count + std::min(i, k)];
      for (std::size_t a = 0; a < rows[i].joints.size(); ++a) {
        for (std::size_t b = 0; b < rows[k].joints.size(); ++b) {
          const std::size_t row = rows[i].joints[a], column = rows[k].joints[b];
          if (column > row) continue;
          S& sum = M[row * n + column];
          sum = sum + rows[i].factors[a] * (rows[k].factors[b] * entry);
        }
      }
    }
  }
}

/// The arm without gravity and springs: without what the position alone asks for.
template <class A>
[[nodiscard]] A gravity_removed(A arm) {
  arm.v_dot_0 = {};
  if constexpr (requires { arm.chains; }) {
    for (auto& chain : arm.chains) chain.arm.v_dot_0 = {};
    arm.springs.clear();
  }
  return arm;
}

/// The arm without springs whose laws are no sums and products.
[[nodiscard]] inline Arm with_polynomial_springs(Arm arm) {
  std::erase_if(arm.springs, [](const auto& spring) { return !is_polynomial(spring); });
  return arm;
}

}  // namespace armdyn
