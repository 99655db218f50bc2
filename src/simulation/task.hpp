#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace armdyn {

// A function that returns a Task can stop in the middle and be taken up again: a coroutine. It runs
// when another one awaits it,
//
//   Task<double> half(double x) { co_return x / 2; }
//   Task<> f() { const double h = co_await half(3.0); … }
//
// or when somebody starts it; whatever it throws, the one that awaits it gets. What makes it stop
// is an Asker with a question (question.hpp).

/// Where a Task's value or exception waits for who awaits it.
template <class T>
struct TaskResult {
  template <class Value>
  void return_value(Value&& value) {
    value_.emplace(std::forward<Value>(value));
  }
  T get() { return std::move(*value_); }

 private:
  std::optional<T> value_;
};

template <>
struct TaskResult<void> {
  void return_void() {}
  void get() {}
};

template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskResult<T> {
    /// At its end a task that was stopped goes on with the one that awaits it.
    struct Return {
      [[nodiscard]] bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> ended) const noexcept {
        return ended.promise().awaits;
      }
      void await_resume() const noexcept {}
    };

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Return final_suspend() noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }

    std::coroutine_handle<> awaits = std::noop_coroutine();
    std::exception_ptr failure;
  };

  Task(Task&& other) noexcept : task_(std::exchange(other.task_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(task_, other.task_);
    return *this;
  }
  ~Task() {
    if (task_) task_.destroy();
  }

  /// Runs until it stops or ends.
  void start() { task_.resume(); }
  /// Of a task that has ended; or throws what it threw.
  T result() {
    if (task_.promise().failure) std::rethrow_exception(task_.promise().failure);
    return task_.promise().get();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// A task that ends without a stop returns here like any function: handed over to it and back, one
  /// that awaits many in turn would need more stack with each, where a compiler makes no tail calls.
  bool await_suspend(std::coroutine_handle<> awaiting) {
    task_.resume();
    if (task_.done()) return false;
    task_.promise().awaits = awaiting;
    return true;
  }
  T await_resume() { return result(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> task) : task_(task) {}

  std::coroutine_handle<promise_type> task_;
};

}  // namespace armdyn
