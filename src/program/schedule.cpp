#include "program/schedule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

namespace armdyn {

namespace {

template <class T>
using FirstOf = std::priority_queue<T, std::vector<T>, std::greater<>>;

/// Steps from the beginning of each task to the end along its longest chain.
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
  FirstOf<std::pair<std::size_t, std::size_t>> running;  // by their ends
  FirstOf<std::size_t> idle;                             // processors that have worked

  for (std::size_t i = 0; i < tasks.size(); ++i) {
    missing[i] = tasks[i].needs.size();
    for (const std::size_t before : tasks[i].needs) waiting[before].push_back(i);
    if (missing[i] == 0) ready.emplace(ways[i], i);
  }
  const std::vector<std::size_t> none(tasks.size());
  Timetable table{none, none, 0};
  std::size_t at_work = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && running.size() < processors) {
      const std::size_t i = ready.top().second;
      ready.pop();
      table.begins[i] = table.end;
      table.processors[i] = idle.empty() ? at_work++ : idle.top();
      if (!idle.empty()) idle.pop();
      running.emplace(table.end + tasks[i].duration, i);
    }
    table.end = running.top().first;
    while (!running.empty() && running.top().first == table.end) {
      for (const std::size_t next : waiting[running.top().second]) {
        if (--missing[next] == 0) ready.emplace(ways[next], next);
      }
      idle.push(table.processors[running.top().second]);
      running.pop();
    }
  }
  return table;
}

std::size_t fewest_processors(std::span<const Task> tasks) {
  const std::size_t steps = critical_path(tasks);
  if (steps == 0) return 0;
  std::size_t below = (work(tasks) + steps - 1) / steps;
  std::size_t enough = std::ranges::max(
      list_schedule(tasks, std::numeric_limits<std::size_t>::max()).at_work(tasks));
  while (below < enough) {
    const std::size_t half = (below + enough) / 2;
    if (list_schedule(tasks, half).end > steps) {
      below = half + 1;
    } else {
      enough = half;
    }
  }
  return enough;
}

std::vector<Task> with_balanced_sums(std::span<const Task> tasks) {
  const auto joins = [&](std::size_t i, std::size_t before) {
    return tasks[i].does == '+' && tasks[before].does == '+' && !tasks[before].is_result;
  };
  std::vector<bool> is_needed(tasks.size(), false), is_used(tasks.size(), false);
  for (std::size_t i = tasks.size(); i-- > 0;) {
    if (!is_used[i] || tasks[i].is_result) is_needed[i] = true;
    for (const std::size_t before : tasks[i].needs) {
      is_used[before] = true;
      if (!joins(i, before)) is_needed[before] = true;
    }
  }
  using Term = std::pair<std::size_t, std::optional<std::size_t>>;  // when it is there, made by
  std::vector<Term> made(tasks.size());
  std::vector<Task> result;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!is_needed[i]) continue;
    FirstOf<Term> terms;
    std::vector<std::size_t> open{i};
    while (!open.empty()) {
      const std::vector<std::size_t>& needs = tasks[open.back()].needs;
      open.pop_back();
      for (std::size_t k = needs.size(); k < 2; ++k) terms.emplace(0, std::nullopt);
      for (const std::size_t before : needs) {
        if (joins(i, before)) {
          open.push_back(before);
        } else {
          terms.push(made[before]);
        }
      }
    }
    while (terms.size() > 1) {
      Task task{tasks[i].duration, {}, tasks[i].does, tasks[i].term};
      std::size_t begin = 0;
      for (int operand = 0; operand < 2; ++operand) {
        begin = terms.top().first;
        if (terms.top().second) task.needs.push_back(*terms.top().second);
        terms.pop();
      }
      task.is_result = terms.empty() && tasks[i].is_result;
      terms.emplace(begin + task.duration, result.size());
      result.push_back(std::move(task));
    }
    made[i] = terms.top();
  }
  return result;
}

std::vector<Task> operations(const Graph& graph, std::span<const Expression> values) {
  const std::deque<Formula>& formulas = graph.formulas();
  const std::vector<std::size_t> uses = uses_of(graph, values);
  std::vector<std::optional<std::size_t>> task_of(formulas.size());
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (uses[i] == 0 || !is_binary(formulas[i])) continue;
    const bool multiplies = formulas[i].operation == Operation::multiply;
    Task task{.does = multiplies ? '*' : formulas[i].operation == Operation::divide ? '/' : '+'};
    for (const std::size_t operand : {formulas[i].left, formulas[i].right}) {
      if (task_of[operand]) task.needs.push_back(*task_of[operand]);
    }
    task_of[i] = tasks.size();
    tasks.push_back(std::move(task));
  }
  for (const Expression& value : values) {
    if (!value.is_known() && task_of[value.index()]) {
      tasks[*task_of[value.index()]].is_result = true;
    }
  }
  return tasks;
}

}  // namespace armdyn
