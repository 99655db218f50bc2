#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/expression.hpp"

// What several processors can do at once of what waits for nothing else.

namespace armdyn {

/// Something that one processor does in one go, once all that it needs is there.
struct Task {
  std::size_t duration = 1;          ///< steps
  std::vector<std::size_t> needs{};  ///< tasks before this one
};

/// The sum of all durations: what one processor takes, steps.
[[nodiscard]] std::size_t work(std::span<const Task> tasks);

/// The longest chain of tasks that need one another: what takes as long on any number of
/// processors, steps.
[[nodiscard]] std::size_t critical_path(std::span<const Task> tasks);

/// When each task begins, and when all have ended, steps.
struct Timetable {
  std::vector<std::size_t> begins;
  std::size_t end = 0;

  /// How many processors are at work in each step.
  [[nodiscard]] std::vector<std::size_t> at_work(std::span<const Task> tasks) const;
};

/// A list schedule: a processor that is free takes, of the tasks that can begin, the one with the
/// longest chain from it to the end (docs/derivation.md eq. 23.2). At most 2 − 1/processors times
/// as long as the shortest there is (Graham, SIAM J. Appl. Math. 17(2), 1969).
[[nodiscard]] Timetable list_schedule(std::span<const Task> tasks, std::size_t processors);

/// The additions, multiplications and divisions that these need, one step each; sines are there.
[[nodiscard]] std::vector<Task> operations(const Graph& graph, std::span<const Expression> values);

}  // namespace armdyn
