#include "program/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace armdyn::testing {
namespace {

/// Whether no task begins before what it needs has ended, and no step has more than `processors`.
void expect_possible(const std::vector<Task>& tasks, const Timetable& table,
                     std::size_t processors) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_LE(table.begins[i] + tasks[i].duration, table.end);
    for (const std::size_t before : tasks[i].needs) {
      EXPECT_GE(table.begins[i], table.begins[before] + tasks[before].duration);
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_LT(table.processors[i], processors);
    for (std::size_t step = 0; step < tasks[i].duration; ++step) {
      EXPECT_TRUE(taken.emplace(table.processors[i], table.begins[i] + step).second);
    }
  }
  std::size_t sum = 0;
  for (const std::size_t at_work : table.at_work(tasks)) {
    EXPECT_LE(at_work, processors);
    sum += at_work;
  }
  EXPECT_EQ(sum, work(tasks));
}

TEST(Schedule, OfASumOfProducts) {
  // a·b + c·d + e·f: two levels of sums behind the products.
  Graph graph;
  std::vector<Expression> x;
  for (std::size_t i = 0; i < 6; ++i) x.push_back(graph.input(i));
  const Expression sum = x[0] * x[1] + x[2] * x[3] + x[4] * x[5];
  const std::vector<Task> tasks = operations(graph, std::span(&sum, 1));
  EXPECT_EQ(work(tasks), 5U);
  EXPECT_EQ(critical_path(tasks), 3U);
  EXPECT_EQ(list_schedule(tasks, 1).end, 5U);
  EXPECT_EQ(list_schedule(tasks, 2).end, 3U);
  EXPECT_EQ(list_schedule(tasks, 2).at_work(tasks), (std::vector<std::size_t>{2, 2, 1}));
  EXPECT_EQ(list_schedule(tasks, 100).end, 3U);
}

TEST(Schedule, TakesTheLongestChainFirst) {
  // Three short tasks, and a chain of three behind them in order.
  const std::vector<Task> tasks{{1, {}}, {1, {}}, {1, {}}, {1, {}}, {1, {3}}, {1, {4}}};
  EXPECT_EQ(list_schedule(tasks, 2).end, 3U);
}

TEST(Schedule, IsPossibleAndWithinGrahamsBoundForTasksByChance) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Task> tasks(1 + random() % 60);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].duration = random() % 5;
      for (std::size_t k = random() % 3; k-- > 0 && i > 0;) tasks[i].needs.push_back(random() % i);
    }
    const std::size_t longest = critical_path(tasks);
    for (const std::size_t processors : {1U, 2U, 3U, 7U}) {
      const Timetable table = list_schedule(tasks, processors);
      expect_possible(tasks, table, processors);
      const std::size_t least = std::max(longest, (work(tasks) + processors - 1) / processors);
      EXPECT_GE(table.end, least);
      EXPECT_LE(table.end * processors, work(tasks) + (processors - 1) * longest);
    }
    EXPECT_EQ(list_schedule(tasks, 1).end, work(tasks));
    EXPECT_EQ(list_schedule(tasks, std::numeric_limits<std::size_t>::max()).end, longest);
  }
}

/// Operations by chance on numbers that are 1; each needs up to two before it.
std::vector<Task> operations_by_chance(std::mt19937& random, std::size_t count) {
  std::vector<Task> tasks(count);
  for (std::size_t i = 0; i < count; ++i) {
    tasks[i].does = random() % 3 == 0 ? '*' : '+';
    tasks[i].is_result = random() % 10 == 0;
    for (std::size_t k = random() % 3; k-- > 0 && i > 0;) tasks[i].needs.push_back(random() % i);
  }
  return tasks;
}

/// What they come to, with (a + 3)(b + 3) for a product: those that are asked for and those that
/// nothing needs.
std::multiset<std::uint64_t> results(const std::vector<Task>& tasks) {
  std::vector<std::uint64_t> values;
  std::vector<bool> is_used(tasks.size());
  for (const Task& task : tasks) {
    std::uint64_t operands[] = {1, 1};
    for (std::size_t k = 0; k < task.needs.size(); ++k) {
      operands[k] = values[task.needs[k]];
      is_used[task.needs[k]] = true;
    }
    values.push_back(task.does == '+' ? operands[0] + operands[1]
                                      : (operands[0] + 3) * (operands[1] + 3));
  }
  std::multiset<std::uint64_t> results;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!is_used[i] || tasks[i].is_result) results.insert(values[i]);
  }
  return results;
}

TEST(Schedule, BalancesSums) {
  // ((((a + b) + c) + d) + e·f) + g: three levels instead of five.
  const std::vector<Task> tasks{{1, {}, '+'}, {1, {0}, '+'},    {1, {1}, '+'},
                                {1, {}, '*'}, {1, {2, 3}, '+'}, {1, {4}, '+'}};
  const std::vector<Task> balanced = with_balanced_sums(tasks);
  EXPECT_EQ(critical_path(tasks), 5U);
  EXPECT_EQ(critical_path(balanced), 3U);
  EXPECT_EQ(work(balanced), work(tasks));
}

TEST(Schedule, BalancedSumsAreTheSameSumsOnNoMoreLevels) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Task> tasks = operations_by_chance(random, 1 + random() % 25);
    const std::vector<Task> balanced = with_balanced_sums(tasks);
    EXPECT_LE(critical_path(balanced), critical_path(tasks));
    EXPECT_EQ(results(balanced), results(tasks)) << round;
  }
}

TEST(Schedule, FindsTheFewestProcessors) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const std::vector<Task> tasks = operations_by_chance(random, 5 + random() % 60);
    const std::size_t longest = critical_path(tasks), few = fewest_processors(tasks);
    EXPECT_EQ(list_schedule(tasks, few).end, longest);
    EXPECT_GE(few, (work(tasks) + longest - 1) / longest);
    if (few * longest >= work(tasks) + longest) {
      EXPECT_GT(list_schedule(tasks, few - 1).end, longest);
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
