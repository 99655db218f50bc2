#pragma once

#include <armdyn/compare.hpp>

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

// Comparisons of long motions: what would take minutes is computed ever more thinly.

namespace armdyn {

/// A method whose rows up to `dense_rows` are all computed, later ones as `is_computed` says.
struct ThinnedMethod : ComparedMethod {
  std::size_t dense_rows = std::numeric_limits<std::size_t>::max();
};

/// The method of that arm, dense for about a minute of arithmetic.
[[nodiscard]] ThinnedMethod thinned_method(const Arm& arm, Method method);

/// The 50-digit reference is computed on this many rows before it is thinned out.
inline constexpr std::size_t dense_reference_rows = 5000;

/// Whether a row (from 0) is computed by something that is thinned out after `dense_rows`: then
/// every second row up to twice as many, every fourth up to four times, and so on.
[[nodiscard]] bool is_computed(std::size_t row, std::size_t dense_rows);

/// A StateComparer that is told the row, which counts from 0 and decides what is computed.
class ThinnedComparer {
 public:
  ThinnedComparer(const Arm& arm, const std::vector<ThinnedMethod>& methods);

  /// Throws std::invalid_argument where a size is wrong.
  void compare(std::size_t row, const MotionState& state, const Wrench& hand, ComparedState& out);

 private:
  StateComparer comparer_;
  std::vector<std::size_t> dense_rows_;
};

/// A state with memory of its own.
struct TimedState {
  std::vector<double> q, qd, qdd;
  Wrench hand;
};
/// Seconds that a method takes for one of these states, the best of several runs over all of them.
[[nodiscard]] double seconds_per_state(const ComparedMethod& method,
                                       std::span<const TimedState> states);

}  // namespace armdyn
