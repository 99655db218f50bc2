#pragma once

#include <armdyn/simulation.hpp>
#include <boost/noncopyable.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/finite.hpp"
#include "simulation/lanes.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stick_slip.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// System dydt = f(y, t).
using OdeSystem = std::function<void(const OdeState& y, OdeState& dydt, double t)>;

/// Steps of an ordinary differential equation with estimates of their errors (docs/derivation.md,
/// section 8.1), by an embedded pair of Odeint's. The step control takes roots by square roots alone,
/// which makes steps the same on every machine.
class EmbeddedPair {
 public:
  /// Makes the pair of an adaptive integrator, for states of that size; the first `judged`
  /// entries count for the error.
  EmbeddedPair(Integrator integrator, std::size_t size, std::size_t judged, double tolerance)
      : is_fehlberg_(integrator == Integrator::rkf78),
        y_error_(size),
        dydt_next_(size),
        judged_(judged),
        tolerance_(tolerance),
        longest_(is_fehlberg_ ? std::min(1.0, eighth_root(1e8 * tolerance)) : 1.0) {}

  /// Steps from (t, y), where the derivative is dydt, by h to y_next. Returns the error over the
  /// tolerance: above 1, the step must be repeated with a shorter one.
  double step(const OdeSystem& f, double t, const OdeState& y, const OdeState& dydt, double h,
              OdeState& y_next) {
    if (is_fehlberg_) {
      fehlberg_.do_step(std::cref(f), y, dydt, t, y_next, h, y_error_);
    } else {
      dormand_prince_.do_step(std::cref(f), y, dydt, t, y_next, dydt_next_, h, y_error_);
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < judged_; ++i) {
      const double scale = 1.0 + std::max(std::abs(y[i]), std::abs(y_next[i]));
      const double error = std::abs(y_error_[i]) / (tolerance_ * scale);  // (8.3)
      if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, error);
    }
    return worst;
  }
  /// Tests whether an error of q or q̇ that has this value is within the tolerance (8.3).
  [[nodiscard]] bool allows(double error, double value) const {
    return std::abs(error) <= tolerance_ * (1.0 + std::abs(value));
  }
  /// Length to try next, after a step of length h with that error over the tolerance.
  [[nodiscard]] double next_step(double h, double error) const {
    if (!std::isfinite(error)) return h / 10;
    if (error == 0.0) return 5 * h;
    const double eighth = eighth_root(error);  // about the power 1/order
    return h * std::clamp(0.9 / (is_fehlberg_ ? eighth : eighth * std::sqrt(eighth)), 0.2, 5.0);
  }
  /// Longest step over a joint's time scale at which the error estimate is reliable. Fehlberg's
  /// compares accelerations at the two ends of the step alone, and finds no error where they change
  /// with time, not with the state. The error of a step of one radian of an oscillation is about
  /// 1e-8, and by it the tolerance limits the step.
  [[nodiscard]] double longest_step() const { return longest_; }

 private:
  static double eighth_root(double x) { return std::sqrt(std::sqrt(std::sqrt(x))); }

  bool is_fehlberg_;
  boost::numeric::odeint::runge_kutta_dopri5<OdeState> dormand_prince_;
  boost::numeric::odeint::runge_kutta_fehlberg78<OdeState> fehlberg_;
  OdeState y_error_, dydt_next_;
  std::size_t judged_;
  double tolerance_, longest_;
};

/// Present moment of a motion, and the step that is tried from it: by a request where the integrator's
/// step is fixed, by an embedded pair where it is adaptive. `alone` evaluates rarer states, and those
/// of adaptive integrators.
class Stepper : boost::noncopyable {
 public:
  using Until = MotionStep::Until;

  Stepper(Lanes<OneLane>& alone, StepRequester& requester, TorqueInput& input,
          const Contacts& contacts, const SimulationOptions& options, std::span<const double> q0,
          std::span<const double> qd0)
      : alone_(alone),
        requester_(requester),
        contacts_(contacts),
        system_([this](const OdeState& y, OdeState& dydt, double t) { derivative(y, dydt, t); }) {
    const std::size_t n = q0.size(), size = 2 * n + 3;
    present = {options.start,
               OdeState(size),
               {OdeState(size), std::vector<double>(n), {}, std::vector<double>(n)}};
    std::ranges::copy(q0, present.y.begin());
    std::ranges::copy(qd0, present.qd().begin());
    tried = present;
    scratch_ = present.at;
    middle_margin.resize(n);
    if (!has_fixed_step(options.integrator)) {
      pair_.emplace(options.integrator, size, 2 * n, options.tolerance);
    }
    step_.input = &input;
    step_.integrator = options.integrator;
    step_.varies = dynamic_cast<const ConstantTorque*>(&input) == nullptr;
    step_.fastest = 1e3 * std::max(1e3, largest_magnitude(qd0));  // rad/s, m/s
    step_.modes = contacts_.modes();
    step_.now = &present.at;
    step_.y_end = &tried.y;
    step_.middle_margin = &middle_margin;
  }

  /// Pair of an adaptive integrator; null where steps are fixed.
  [[nodiscard]] const EmbeddedPair* pair() const { return pair_ ? &*pair_ : nullptr; }

  /// Extent of the evaluation of a step that is tried.
  [[nodiscard]] Until wanted() const {
    return contacts_.any_sticks() ? Until::middle : Until::rates;
  }

  /// Requests a step to `tried`, to be awaited, if wanted.
  StepRequester::Answer request(double h, double t_end, Until until) {
    set(h, t_end, until);
    return requester_.request(
        {contacts_.any_sticks() ? StepRequest::Of::stuck_step : StepRequest::Of::free_step,
         &step_});
  }
  /// Requests the evaluation of the present, where no joint sticks, to be awaited.
  StepRequester::Answer request_rates() {
    set(0.0, present.t, Until::rates);
    step_.end = &present.at;
    return requester_.request({StepRequest::Of::rates, &step_});
  }

  /// Tries a step of the pair, whose end is not evaluated; returns its error over the tolerance.
  double try_pair(double h) {
    return pair_->step(system_, present.t, present.y, present.at.dydt, h, tried.y);
  }
  /// Evaluates the end of a step of the pair, if wanted.
  void finish(double h, double t_end, Until until) {
    set(h, t_end, until);
    alone_.finish(step_);
    if (step_.divergence) throw DivergenceError(*step_.divergence);
  }

  /// Takes a step anew, with the integrator's accuracy.
  Task<> retake(double h, Until until) {
    if (!pair_) {
      co_await request(h, present.t + h, until);
      co_return;
    }
    try_pair(h);
    finish(h, present.t + h, until);
  }

  /// Evaluates a state without a request.
  void evaluate(const OdeState& y, double t, Evaluation& at) {
    set(0.0, t, Until::rates);
    step_.t = t;
    step_.y = &y;
    step_.end = &at;
    alone_.evaluate(step_);
    if (step_.divergence) throw DivergenceError(*step_.divergence);
  }

  /// Makes the end of the step that was tried the present, at the time t.
  void accept(double t) {
    std::swap(present, tried);
    present.t = t;
  }

  /// Resolution of the time of an event within a step.
  [[nodiscard]] double resolution(double h) const { return (pair_ ? 1e-13 : 1e-12) * h; }

  Moment present, tried;
  std::vector<double> middle_margin;  ///< of the step that was tried

 private:
  /// Sets the step from the present.
  void set(double h, double t_end, Until until) {
    step_.until = until;
    step_.t = present.t;
    step_.h = h;
    step_.t_end = tried.t = t_end;
    step_.y = &present.y;
    step_.end = &tried.at;
  }

  /// Derivative for adaptive integrators.
  void derivative(const OdeState& y, OdeState& dydt, double t) {
    std::swap(scratch_.dydt, dydt);
    evaluate(y, t, scratch_);
    std::swap(scratch_.dydt, dydt);
  }

  Lanes<OneLane>& alone_;
  StepRequester& requester_;
  const Contacts& contacts_;
  std::optional<EmbeddedPair> pair_;
  OdeSystem system_;
  MotionStep step_;
  Evaluation scratch_;
};

}  // namespace armdyn
