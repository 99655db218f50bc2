#pragma once

#include <armdyn/error.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "simulation/step.hpp"

namespace armdyn {

/// What a simulation has to be told before it can go on.
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
class Asker {
 public:
  Asker() = default;
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  /// To be awaited. A thing of its own, since gcc 12 awaits a copy of what is returned by
  /// reference.
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
