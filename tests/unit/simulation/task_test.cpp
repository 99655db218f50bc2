#include "simulation/task.hpp"

#include <gtest/gtest.h>

#include <coroutine>
#include <stdexcept>

namespace armdyn {
namespace {

/// Suspends who awaits it until the test resumes it.
struct Stop {
  std::coroutine_handle<>* waiting;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> who) const noexcept { *waiting = who; }
  void await_resume() const noexcept {}
};

Task<int> one() {
  co_return 1;
}

Task<int> one_after(Stop stop) {
  co_await stop;
  co_return 1;
}

Task<int> sum_of_ones(int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k) sum += co_await one();
  co_return sum;
}

Task<int> sum_of_stopped_ones(int count, Stop stop) {
  int sum = 0;
  for (int k = 0; k < count; ++k) sum += co_await one_after(stop);
  co_return sum;
}

// Each await once took stack of its own where the compiler made no tail call.
TEST(Task, AwaitsAnyNumberOfTasksInTurn) {
  Task<int> task = sum_of_ones(1'000'000);
  task.start();
  EXPECT_EQ(task.result(), 1'000'000);
}

TEST(Task, GoesOnWhereItStoppedAnyNumberOfTimes) {
  constexpr int count = 1'000'000;
  std::coroutine_handle<> waiting;
  Task<int> task = sum_of_stopped_ones(count, Stop{&waiting});
  task.start();
  for (int k = 0; k < count; ++k) waiting.resume();
  EXPECT_EQ(task.result(), count);
}

Task<int> failing() {
  throw std::runtime_error("no answer");
  co_return 0;
}

Task<int> twice_what_fails() {
  const int value = co_await failing();
  co_return 2 * value;
}

TEST(Task, PassesOnWhatIsThrown) {
  Task<int> task = twice_what_fails();
  task.start();
  EXPECT_THROW(task.result(), std::runtime_error);
}

}  // namespace
}  // namespace armdyn
