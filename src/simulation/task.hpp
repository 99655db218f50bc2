#pragma once

#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "simulation/step.hpp"

namespace armdyn {

// A function that returns a Task can stop in the middle and be taken up again: a coroutine. It runs
// when another one awaits it,
//
//   Task<double> half(double x) { co_return x / 2; }
//   Task<> f() { const double h = co_await half(3.0); … }
//
// or when somebody starts it; whatever it throws, the one that awaits it gets. What makes it stop
// is an Asker with a question (question.hpp).

/// The value or exception of a Task, kept for who awaits it.
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
    /// Goes on, at the end of a task that was stopped, with the one that awaits it.
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
  /// The result of a task that has ended; or throws what it threw.
  T result() {
    if (task_.promise().failure) std::rethrow_exception(task_.promise().failure);
    return task_.promise().get();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// A task that ends without a stop returns here like any function: handed over to it and back,
  /// one that awaits many in turn would need more stack with each, where a compiler makes no tail
  /// calls.
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

/// A question that a simulation must have answered before it can go on.
struct Question {
  enum class Of {
    free_step,   ///< a step in which no joint sticks
    stuck_step,  ///< one in which some joint does
    rates,       ///< what follows from the state at the start of a step, where no joint sticks
  };
  static constexpr std::size_t kinds = 3;

  Of of = Of::free_step;
  MotionStep* step = nullptr;
};

/// A joint left all bounds.
class DivergenceError : public NumericsError {
 public:
  explicit DivergenceError(const Divergence& which)
      : NumericsError("the motion diverges"), divergence(which) {}

  Divergence divergence;
};

/// The end of a simulation at which it asks, one question at a time, and waits for the answer:
///
///   co_await asker.ask({…});
///
/// suspends the coroutine until somebody answers and calls resume().
class Asker : boost::noncopyable {
 public:
  /// The answer to be awaited: a thing of its own, since gcc 12 awaits a copy of what is returned
  /// by reference.
  struct Answer {
    Asker& asker;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> who) const noexcept { asker.waiting_ = who; }
    void await_resume() const {
      if (asker.failure_) std::rethrow_exception(std::exchange(asker.failure_, nullptr));
      const std::optional<Divergence>& divergence = asker.question_.step->divergence;
      if (divergence) throw DivergenceError(*divergence);
    }
  };
  Answer ask(const Question& what) {
    question_ = what;
    return {*this};
  }

  [[nodiscard]] bool is_waiting() const { return static_cast<bool>(waiting_); }
  [[nodiscard]] const Question& question() const { return question_; }
  /// The simulation goes on, to its next question or its end: with the answer, or by throwing why
  /// there is none.
  void resume(std::exception_ptr failure = nullptr) {
    failure_ = std::move(failure);
    std::exchange(waiting_, {}).resume();
  }

 private:
  Question question_;
  std::coroutine_handle<> waiting_;
  std::exception_ptr failure_;
};

}  // namespace armdyn
