#include "program/schedule.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

namespace armdyn {

namespace {

/// From the beginning of each task to the end along its longest chain.
std::vector<std::size_t> ways_to_end(std::span<const Task> tasks) {
  std::vector<std::size_t> ways(tasks.size());
  for (std::size_t i = tasks.size(); i-- > 0;) {
    ways[i] += tasks[i].duration;
    for (const std::size_t before : tasks[i].needs) ways[before] = std::max(ways[before], ways[i]);
  }
  return ways;
}

}  // namespace

std::size_t work(std::span<const Task> tasks) {
  std::size_t sum = 0;
  for (const Task& task : tasks) sum += task.duration;
  return sum;
}

std::size_t critical_path(std::span<const Task> tasks) {
  const std::vector<std::size_t> ways = ways_to_end(tasks);
  return ways.empty() ? 0 : *std::ranges::max_element(ways);
}

std::vector<std::size_t> Timetable::at_work(std::span<const Task> tasks) const {
  std::vector<std::size_t> count(end);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (std::size_t step = 0; step < tasks[i].duration; ++step) ++count[begins[i] + step];
  }
  return count;
}

Timetable list_schedule(std::span<const Task> tasks, std::size_t processors) {
  const std::vector<std::size_t> ways = ways_to_end(tasks);
  std::vector<std::size_t> missing(tasks.size());
  std::vector<std::vector<std::size_t>> waiting(tasks.size());
  // The longest way first; of equals the first task.
  using Candidate = std::pair<std::size_t, std::size_t>;
  const auto later = [](const Candidate& a, const Candidate& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> ready(later);
  using Ending = std::pair<std::size_t, std::size_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> running;

  for (std::size_t i = 0; i < tasks.size(); ++i) {
    missing[i] = tasks[i].needs.size();
    for (const std::size_t before : tasks[i].needs) waiting[before].push_back(i);
    if (missing[i] == 0) ready.emplace(ways[i], i);
  }
  Timetable table{std::vector<std::size_t>(tasks.size()), 0};
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && running.size() < processors) {
      const std::size_t i = ready.top().second;
      ready.pop();
      table.begins[i] = table.end;
      running.emplace(table.end + tasks[i].duration, i);
    }
    table.end = running.top().first;
    while (!running.empty() && running.top().first == table.end) {
      for (const std::size_t next : waiting[running.top().second]) {
        if (--missing[next] == 0) ready.emplace(ways[next], next);
      }
      running.pop();
    }
  }
  return table;
}

std::vector<Task> operations(const Graph& graph, std::span<const Expression> values) {
  const std::deque<Formula>& formulas = graph.formulas();
  const std::vector<std::size_t> uses = uses_of(graph, values);
  std::vector<std::optional<std::size_t>> task_of(formulas.size());
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (uses[i] == 0 || !is_binary(formulas[i])) continue;
    Task task;
    for (const std::size_t operand : {formulas[i].left, formulas[i].right}) {
      if (task_of[operand]) task.needs.push_back(*task_of[operand]);
    }
    task_of[i] = tasks.size();
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace armdyn
