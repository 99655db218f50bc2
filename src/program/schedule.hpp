#pragma once

#include <string_view>

#include "program/expression.hpp"

// Schedules of several processors: what they can do at once of what waits for nothing else.

namespace armdyn {

/// Something that one processor does in one go, once all that it needs is there.
struct Task {
  std::size_t duration = 1;          ///< steps
  std::vector<std::size_t> needs{};  ///< tasks before this one
  char does = '\0';                  ///< of an operation: +, * or /
  std::string_view term{};           ///< the term that it belongs to, if that is known
  bool is_result = false;            ///< asked for, whether or not others need it
};

/// The sum of all durations: what one processor takes, steps.
[[nodiscard]] std::size_t work(std::span<const Task> tasks);

/// The longest chain of tasks that need one another: what takes as long on any number of
/// processors, steps.
[[nodiscard]] std::size_t critical_path(std::span<const Task> tasks);

/// Times when each task begins, which processor does it, counted from 0, and when all have ended,
/// steps.
struct Timetable {
  std::vector<std::size_t> begins, processors;
  std::size_t end = 0;

  /// The number of processors at work in each step.
  [[nodiscard]] std::vector<std::size_t> at_work(std::span<const Task> tasks) const;
};

/// A list schedule: a processor that is free takes, of the tasks that can begin, the one with the
/// longest chain from it to the end (docs/derivation.md eq. 23.2). At most 2 − 1/processors times
/// as long as the shortest there is (Graham, SIAM J. Appl. Math. 17(2), 1969).
[[nodiscard]] Timetable list_schedule(std::span<const Task> tasks, std::size_t processors);

/// The fewest processors found, by halving the interval, whose list schedule takes no more steps
/// than the longest chain. Between work over longest chain and those at work where all are there.
[[nodiscard]] std::size_t fewest_processors(std::span<const Task> tasks);

/// The operations with each sum made of its terms, sums in it undone: of those that are
/// there the two that were there first (eq. 23.6). What other sums need, too, is added up there
/// anew. Numbers and their sines are there from the beginning.
[[nodiscard]] std::vector<Task> with_balanced_sums(std::span<const Task> tasks);

/// The additions, multiplications and divisions that these need, one step each; sines are there.
[[nodiscard]] std::vector<Task> operations(const Graph& graph, std::span<const Expression> values);

}  // namespace armdyn
