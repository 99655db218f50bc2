#include "program/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
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

}  // namespace
}  // namespace armdyn::testing
