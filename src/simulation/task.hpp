#pragma once

#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <coroutine>
#include <exception>

#include "simulation/step.hpp"

namespace armdyn {

// A function that returns a Task is a coroutine, which may be suspended and resumed. It runs when
// it is started or another one awaits it, which gets its exceptions:
//
//   Task<double> half(double x) { co_return x / 2; }
//   Task<> f() { const double h = co_await half(3.0); … }
//
// A StepRequester suspends it.

/// Value of a Task, kept for the coroutine that awaits it.
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
    /// Resumes, at the end of a task that was suspended, the coroutine that awaits it.
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
  ~Task() {
    if (task_) task_.destroy();
  }

  /// Runs until it is suspended or ends.
  void start() { task_.resume(); }
  /// Result of a task that has ended; throws its exception.
  T result() {
    if (task_.promise().failure) std::rethrow_exception(task_.promise().failure);
    return task_.promise().get();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// Runs the task, which returns here like any function if it is not suspended: with transfers to it
  /// and back, a coroutine that awaits many in turn would need more stack with each where a compiler
  /// makes no tail calls.
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

/// Request of a simulation, answered before it goes on.
struct StepRequest {
  enum class Of {
    free_step,   ///< a step in which no joint sticks
    stuck_step,  ///< a step in which a joint sticks
    rates,       ///< evaluation of the state at the start of a step, where no joint sticks
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

/// Requester of steps, one at a time:
///
///   co_await requester.request({…});
///
/// suspends the coroutine until the request is answered and resume() called.
class StepRequester : boost::noncopyable {
 public:
  /// Answer to be awaited. A type of its own, since gcc 12 awaits a copy of an object returned by
  /// reference.
  struct Answer {
    StepRequester& requester;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> who) const noexcept { requester.waiting_ = who; }
    void await_resume() const {
      if (requester.failure_) std::rethrow_exception(std::exchange(requester.failure_, nullptr));
      const std::optional<Divergence>& divergence = requester.pending_.step->divergence;
      if (divergence) throw DivergenceError(*divergence);
    }
  };
  Answer request(const StepRequest& what) {
    pending_ = what;
    return {*this};
  }

  [[nodiscard]] bool is_waiting() const { return static_cast<bool>(waiting_); }
  [[nodiscard]] const StepRequest& pending() const { return pending_; }
  /// Resumes the simulation up to its next request or its end: with the answer, or by throwing the
  /// reason of its absence.
  void resume(std::exception_ptr failure = nullptr) {
    failure_ = std::move(failure);
    std::exchange(waiting_, {}).resume();
  }

 private:
  StepRequest pending_;
  std::coroutine_handle<> waiting_;
  std::exception_ptr failure_;
};

}  // namespace armdyn
