#pragma once

#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <initializer_list>

#include "math/require.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"

// States of an arm as calls take them, whole or a row of a block at a time, and the test of their
// sizes.

namespace armdyn {

/// q, q̇ and q̈ of any scalar, one entry per joint each.
template <class S>
struct MotionOf {
  std::span<const S> q, qd, qdd;
};

/// The wrench as algorithms take it: null where there is none, and nothing to carry inward.
inline const Wrench* present(const Wrench& wrench) {
  return wrench.force == Vec3{} && wrench.moment == Vec3{} ? nullptr : &wrench;
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

/// Throws std::invalid_argument unless each group has one column per joint and a wrench six.
inline void require_columns(std::size_t dof, std::initializer_list<std::span<const Column>> groups,
                            std::span<const Column> wrench) {
  bool fits = wrench.empty() || wrench.size() == 6;
  for (const std::span<const Column>& columns : groups) fits = fits && columns.size() == dof;
  require(fits, "a block needs one column per joint, and six of a contact wrench");
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

/// Computes these samples of a block one by one, for what has no program: `single(x, wrench, values)`
/// gives one value for each result. x.q, x.qd and x.qdd are of the three groups of columns; 0 where a
/// group has none.
template <class Single>
void compute_rows(const std::array<std::span<const Column>, 3>& groups,
                  std::span<const Column> wrench, std::span<const std::size_t> rows,
                  std::span<const ResultColumn> results, const Single& single) {
  std::array<std::vector<double>, 3> x;
  x.fill(std::vector<double>(groups[0].size()));
  std::array<double, 6> at_row{};
  std::vector<double> values(results.size());
  for (const std::size_t row : rows) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (std::size_t i = 0; i < groups[k].size(); ++i) x[k][i] = groups[k][i][row];
    }
    for (std::size_t k = 0; k < wrench.size(); ++k) at_row[k] = wrench[k][row];
    call_for(row, [&](std::size_t) {
      single(MotionState{x[0], x[1], x[2]}, wrench_of(at_row), std::span(values));
    });
    for (std::size_t i = 0; i < values.size(); ++i) results[i][row] = values[i];
  }
}

}  // namespace armdyn
