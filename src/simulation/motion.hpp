#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "math/finite.hpp"
#include "math/rigid.hpp"
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
  /// Makes the pair of an adaptive integrator, for states of that size, of which the first `judged`
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

/// Motion of an arm through time: its state, the modes of its joints, and its energies
/// (docs/derivation.md, section 8). It requests steps, and q̈ where torques jump; `alone` evaluates
/// rarer states, and those of adaptive integrators.
class Motion : boost::noncopyable {
 public:
  /// Starts at a state. An adaptive integrator's steps are at most `share` of their bounds.
  Motion(Plant& plant, Lanes<OneLane>& alone, StepRequester& requester, TorqueInput& input,
         const SimulationOptions& options, std::span<const double> q0, std::span<const double> qd0,
         double share = 1.0)
      : plant_(plant),
        alone_(alone),
        requester_(requester),
        input_(input),
        stick_slip_(plant),
        n_(plant.dof()),
        stop_at_limits_(options.stop_at_limits),
        stop_(options.stop),
        share_(share),
        system_([this](const OdeState& y, OdeState& dydt, double t) { derivative(y, dydt, t); }),
        h_(first_try),
        t_(options.start),
        y_(2 * n_ + 3),
        modes_(n_, JointMode::smooth),
        stuck_(n_),
        y_next_(y_),
        y_between_(y_),
        middle_margin_(n_),
        M_(n_ * n_),
        bias_(n_),
        history_(n_) {
    if (!has_fixed_step(options.integrator)) {
      pair_.emplace(options.integrator, 2 * n_ + 3, 2 * n_, options.tolerance);
    }
    now_ = {y_, std::vector<double>(n_), {}, std::vector<double>(n_)};
    next_ = scratch_ = between_ = now_;
    step_.input = &input;
    step_.integrator = options.integrator;
    step_.varies = dynamic_cast<const ConstantTorque*>(&input) == nullptr;
    step_.fastest = 1e3 * std::max(1e3, largest_magnitude(qd0));  // rad/s, m/s
    step_.modes = modes_;
    step_.now = &now_;
    step_.y_end = &y_next_;
    step_.middle_margin = &middle_margin_;
    std::ranges::copy(q0, y_.begin());
    std::ranges::copy(qd0, velocities(y_).begin());
    for (std::size_t i = 0; i < n_; ++i) {
      may_meet_events_ = may_meet_events_ || plant_.can_stick(i) || plant_.limit(i);
      if (plant_.can_stick(i)) {
        const double speed = plant_.contact_rate(i, qd0);
        modes_[i] = speed > 0.0   ? JointMode::forward
                    : speed < 0.0 ? JointMode::backward
                                  : JointMode::sticking;
      }
      const std::optional<Range>& range = plant_.limit(i);
      if (stop_at_limits_ && range && (q0[i] < range->lower || q0[i] > range->upper)) {
        limit_ = {i, t_, q0[i], q0[i] < range->lower ? range->lower : range->upper};
      }
    }
  }

  /// Enters a stretch that the input has begun at t(), also the first one: torques may have jumped,
  /// and joints at rest stick or break away anew.
  Task<> enter_stretch() {
    entered_at_ = t_;
    input_.evaluate(t_, q(), qd(), scratch_.tau, scratch_.hand);
    const bool is_same_hand = stacked(scratch_.hand) == stacked(now_.hand);
    if (entered_ && scratch_.tau == now_.tau && is_same_hand) co_return;
    co_await settle();
    if (!entered_) look_for_limit_at_start();
    entered_ = true;
  }

  /// Moves on to `target`, within the stretch: by one step if the integrator's step is fixed. An
  /// adaptive integrator takes steps of its own, which may go beyond the target up to `bound`; the
  /// state at the target is then that of a separate shorter step. Ends earlier where a joint reaches
  /// a limit.
  Task<> advance(double target, double bound) {
    events_since_target_ = 0;
    if (pair_) {
      co_await advance_adaptively(target, bound);
      co_return;
    }
    while (t_ < target && !limit_) {
      const double h = target - t_;
      co_await take_step(h, target, wanted());
      look_for_events(h);
      std::optional<FirstEvent> first;
      if (!events_.empty()) first = co_await first_event(h);
      if (first) {
        co_await pass(*first, h);
      } else {
        accept(target);
      }
    }
  }

  [[nodiscard]] double t() const { return is_between_ ? t_between_ : t_; }
  [[nodiscard]] std::span<const double> q() const { return positions(state()); }
  [[nodiscard]] std::span<const double> qd() const { return velocities(state()); }
  [[nodiscard]] std::span<const double> qdd() const { return velocities(rates().dydt); }
  [[nodiscard]] std::span<const double> tau() const { return rates().tau; }
  [[nodiscard]] const Wrench& hand() const { return rates().hand; }

  /// Number of steps of an adaptive integrator, including those that end at an event.
  [[nodiscard]] std::size_t adaptive_steps() const { return adaptive_steps_; }

  /// Sets the energies at time t and since the start: all but `at_start`.
  void audit(EnergyAudit& energy) const {
    energy.at_end = plant_.energy(q(), qd());
    energy.work = state()[2 * n_];
    energy.hand_work = state()[2 * n_ + 1];
    energy.losses = state()[2 * n_ + 2];
  }

  [[nodiscard]] const std::vector<JointHistory>& history() const { return history_; }
  [[nodiscard]] const std::optional<LimitReached>& limit() const { return limit_; }

 private:
  static constexpr double time_resolution = 1e-12;    // of events, over the length of a fixed step
  static constexpr double finer_resolution = 1e-13;   // likewise of adaptive steps
  static constexpr double first_try = 1e-3;           // of an adaptive integrator, s
  static constexpr double shortest_step = 1e-13;      // of an adaptive integrator, s or over |t|
  static constexpr std::size_t most_events = 10'000;  // between one target and the next

  /// Event of a joint, `by` that much time after the present, which changes the equations.
  struct Event {
    enum class Kind { stops, breaks_away, reaches_limit };
    Kind kind;
    std::size_t joint;
    double by;
  };
  struct FirstEvent {
    Event event;
    double after;
  };
  /// A good step that was tried: to y_next_ and next_, or to its first event.
  struct Ahead {
    double h;
    double end;  ///< time
    std::optional<FirstEvent> first;
  };

  [[nodiscard]] const OdeState& state() const { return is_between_ ? y_between_ : y_; }
  [[nodiscard]] const Evaluation& rates() const { return is_between_ ? between_ : now_; }

  [[nodiscard]] std::span<const double> positions(const OdeState& y) const {
    return std::span(y).first(n_);
  }
  [[nodiscard]] std::span<const double> velocities(const OdeState& y) const {
    return std::span(y).subspan(n_, n_);
  }
  [[nodiscard]] std::span<double> velocities(OdeState& y) const {
    return std::span(y).subspan(n_, n_);
  }

  /// Extent of the evaluation of a step that is tried.
  [[nodiscard]] MotionStep::Until wanted() const {
    return any_sticks_ ? MotionStep::Until::middle : MotionStep::Until::rates;
  }

  /// Requests a step from the present state to y_next_, next_ and middle_margin_, to be awaited, as
  /// far as wanted.
  StepRequester::Answer take_step(double h, double t_end, MotionStep::Until until) {
    set_step(h, t_end, until);
    return requester_.request(
        {any_sticks_ ? StepRequest::Of::stuck_step : StepRequest::Of::free_step, &step_});
  }

  /// Sets the step from the present state.
  void set_step(double h, double t_end, MotionStep::Until until) {
    step_.until = until;
    step_.t = t_;
    step_.h = h;
    step_.t_end = t_end;
    step_.y = &y_;
    step_.end = &next_;
  }

  /// Evaluates a state without a request.
  void evaluate(const OdeState& y, double t, Evaluation& at) {
    set_step(0.0, t, MotionStep::Until::rates);
    step_.t = t;
    step_.y = &y;
    step_.end = &at;
    alone_.evaluate(step_);
    if (step_.divergence) throw DivergenceError(*step_.divergence);
  }

  /// Derivative for adaptive integrators.
  void derivative(const OdeState& y, OdeState& dydt, double t) {
    std::swap(scratch_.dydt, dydt);
    evaluate(y, t, scratch_);
    std::swap(scratch_.dydt, dydt);
  }

  /// Takes the steps that end before the target, or there, and evaluates the target within the one
  /// beyond.
  Task<> advance_adaptively(double target, double bound) {
    is_between_ = false;
    while (t_ < target && !limit_) {
      if (!ahead_) ahead_ = co_await look_ahead(bound);
      if (target < ahead_->end) {
        show_between(target);
        co_return;
      }
      const Ahead step = *ahead_;
      ahead_.reset();
      ++adaptive_steps_;
      if (step.first) {
        co_await pass(*step.first, step.h);
      } else {
        accept(step.end);
      }
      if (stop_ && stop_()) co_return;  // the target may be far away
    }
  }

  /// Tries the next step of an adaptive integrator, at most to `bound`.
  Task<Ahead> look_ahead(double bound) {
    for (;;) {
      const double longest = bound - t_;
      const double h = adaptive_step(longest);
      const double t_next = h < longest ? t_ + h : bound;
      finish(h, t_next, wanted());
      look_for_events(h);
      std::optional<FirstEvent> first;
      if (!events_.empty()) first = co_await first_event(h);
      if (first) {
        if (!is_too_long(*first)) co_return Ahead{h, t_ + first->after, first};
      } else if (h <= 2.0 * longest_step(y_next_, next_)) {
        co_return Ahead{h, t_next, {}};
      } else {
        h_ = 0.2 * h;
      }
    }
  }

  /// Evaluates the state at a time within the step ahead by a shorter one, and keeps the former.
  void show_between(double t) {
    std::swap(y_next_, y_between_);
    std::swap(next_, between_);
    pair_->step(system_, t_, y_, now_.dydt, t - t_, y_next_);
    finish(t - t_, t, MotionStep::Until::rates);
    std::swap(y_next_, y_between_);
    std::swap(next_, between_);
    t_between_ = t;
    is_between_ = true;
  }

  /// Longest step from a state. The error estimate of an embedded pair can miss processes that end
  /// within a step, so none is longer than a joint's time scale where it begins, and than twice that
  /// where it ends.
  [[nodiscard]] double longest_step(const OdeState& y, const Evaluation& at) const {
    double scale = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n_; ++i) {
      scale = std::min(scale, plant_.time_scale(i, y[n_ + i], at.dydt[n_ + i]));
    }
    return share_ * pair_->longest_step() * scale;
  }

  /// Steps by at most `longest`, as far as the tolerance allows; returns the length.
  double adaptive_step(double longest) {
    if (share_ < 1.0) longest = std::min(longest, share_ * (t_ + longest - entered_at_));
    longest = std::min(longest, longest_step(y_, now_));
    double h = std::min(h_, longest);
    for (;;) {
      double error = std::numeric_limits<double>::infinity();
      try {
        error = pair_->step(system_, t_, y_, now_.dydt, h, y_next_);
      } catch (const DivergenceError&) {  // in a stage; a shorter step may do
        if (h < shortest_step * std::max(1.0, std::abs(t_))) throw;
      }
      const double wanted = pair_->next_step(h, error);
      if (error <= 1.0) {
        h_ = h < longest ? wanted : std::max(h_, wanted);
        return h;
      }
      if (wanted < shortest_step * std::max(1.0, std::abs(t_))) {
        throw NumericsError(fmt::format(
            "the tolerance cannot be met with steps above {:.1g} s; allow a larger one", wanted));
      }
      h = wanted;
    }
  }

  /// Evaluates the end of a step, y_next_, to next_ and middle_margin_, as far as wanted.
  void finish(double h, double t_end, MotionStep::Until until) {
    set_step(h, t_end, until);
    alone_.finish(step_);
    if (step_.divergence) throw DivergenceError(*step_.divergence);
  }

  void accept(double t) {
    t_ = t;
    std::swap(y_, y_next_);
    std::swap(now_, next_);
  }

  /// Gauge of an event, positive before it and negative after.
  [[nodiscard]] double gauge(const Event& event, const OdeState& y, const Evaluation& at) const {
    const std::size_t i = event.joint;
    if (event.kind == Event::Kind::stops) {
      return direction(modes_[i]) * plant_.contact_rate(i, velocities(y));
    }
    if (event.kind == Event::Kind::breaks_away) return at.margin[i];
    const auto [lower, upper] = *plant_.limit(i);
    return std::min(upper - y[i], y[i] - lower);
  }

  /// Takes a step anew, with the integrator's accuracy.
  Task<> retake(double h, MotionStep::Until until) {
    if (!pair_) {
      co_await take_step(h, t_ + h, until);
      co_return;
    }
    pair_->step(system_, t_, y_, now_.dydt, h, y_next_);
    finish(h, t_ + h, until);
  }

  /// Gauge of an event after a step of its own.
  Task<double> gauge_after(const Event& event, double h) {
    co_await retake(h, event.kind == Event::Kind::breaks_away ? MotionStep::Until::rates
                                                              : MotionStep::Until::end);
    co_return gauge(event, y_next_, next_);
  }

  /// Looks for events within the step that was tried, h long: those that have happened at its end,
  /// and those that may have come and gone in between.
  void look_for_events(double h) {
    events_.clear();
    if (!may_meet_events_) return;
    for (std::size_t i = 0; i < n_; ++i) {
      if (direction(modes_[i]) != 0) look_for_stop(i, h);
      if (stop_at_limits_ && plant_.limit(i)) look_for_limit(i, h);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (modes_[i] == JointMode::sticking) look_for_break(i, h);
    }
  }

  void look_for_stop(std::size_t i, double h) {
    const double d = direction(modes_[i]);
    const auto rate = [&](const OdeState& y) { return d * plant_.contact_rate(i, velocities(y)); };
    const Hermite speed{rate(y_), h * rate(now_.dydt), rate(y_next_), h * rate(next_.dydt)};
    if (const auto s = below_zero(speed)) events_.push_back({Event::Kind::stops, i, *s * h});
  }

  void look_for_limit(std::size_t i, double h) {
    const auto [lower, upper] = *plant_.limit(i);
    const auto look = [&](double sign, double bound) {  // until sign (bound − q) < 0
      const Hermite room{sign * (bound - y_[i]), -sign * h * y_[n_ + i],
                         sign * (bound - y_next_[i]), -sign * h * y_next_[n_ + i]};
      const auto s = below_zero(room);
      if (s) events_.push_back({Event::Kind::reaches_limit, i, *s * h});
    };
    look(1.0, upper);
    look(-1.0, lower);
  }

  /// Looks at the parabola through the margins at start, middle and end.
  void look_for_break(std::size_t i, double h) {
    if (const auto s = below_zero(now_.margin[i], middle_margin_[i], next_.margin[i])) {
      events_.push_back({Event::Kind::breaks_away, i, *s * h});
    }
  }

  /// Resolution of the time of an event within a step.
  [[nodiscard]] double resolution(double h) const {
    return (pair_ ? finer_resolution : time_resolution) * h;
  }

  /// Finds the earliest of the events that really happen, by steps taken anew.
  Task<std::optional<FirstEvent>> first_event(double h) {
    std::optional<FirstEvent> first;
    for (const Event& event : events_) {
      const double by = first ? std::min(event.by, first->after) : event.by;
      const double at_end = co_await gauge_after(event, by);
      if (at_end >= 0.0) continue;
      Bracket bracket(gauge(event, y_, now_), by, at_end, resolution(h));
      while (bracket.is_open()) {
        const double middle = bracket.middle();
        bracket.narrow(middle, co_await gauge_after(event, middle));
      }
      first = {event, bracket.end()};
    }
    if (!first) co_await retake(h, MotionStep::Until::rates);  // back to the step that was tried
    co_return first;
  }

  /// Tells whether the step that ends with the event is too long for processes before it, as a
  /// Stribeck curve, and a shorter one must be tried.
  [[nodiscard]] bool is_too_long(const FirstEvent& first) {
    if (first.after <= shortest_step * std::max(1.0, std::abs(t_))) return false;
    const double error = pair_->step(system_, t_, y_, now_.dydt, first.after, y_next_);
    if (error > 1.0) {
      h_ = pair_->next_step(first.after, error);
      return true;
    }
    if (first.event.kind != Event::Kind::stops) return false;
    evaluate(y_next_, t_ + first.after, next_);
    const std::size_t i = first.event.joint;
    const double longest =
        share_ * pair_->longest_step() * plant_.time_scale(i, y_[n_ + i], next_.dydt[n_ + i]);
    if (first.after <= longest) return false;
    h_ = longest;
    return true;
  }

  /// Moves on to the event, where joints stop exactly, and settles the modes.
  Task<> pass(const FirstEvent& first, double h) {
    if (++events_since_target_ > most_events) {
      throw NumericsError(fmt::format("{} sticks and slips without end; take shorter steps",
                                      plant_.name(first.event.joint)));
    }
    co_await retake(first.after, MotionStep::Until::rates);
    accept(t_ + first.after);
    const std::size_t which = first.event.joint;
    if (first.event.kind == Event::Kind::reaches_limit) {
      const auto [lower, upper] = *plant_.limit(which);
      y_[which] = y_[which] > 0.5 * (lower + upper) ? upper : lower;
      limit_ = {which, t_, y_[which], y_[which]};
      co_return;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const int d = direction(modes_[i]);
      if (d == 0) continue;
      const double speed = d * plant_.contact_rate(i, velocities(y_));
      const double change = d * plant_.contact_rate(i, velocities(now_.dydt));
      const bool stops = (first.event.kind == Event::Kind::stops && i == which) ||
                         (change < 0.0 && speed <= -change * 2.0 * resolution(h));
      if (!stops) continue;
      plant_.stop_contact(i, velocities(y_));
      modes_[i] = JointMode::sticking;
    }
    co_await settle();
  }

  /// Settles the modes of the joints at rest anew, and evaluates.
  Task<> settle() {
    input_.evaluate(t_, q(), qd(), now_.tau, now_.hand);
    for (std::size_t i = 0; i < n_; ++i) {  // removes the rounding of coupled motors
      if (modes_[i] == JointMode::sticking) plant_.stop_contact(i, velocities(y_));
    }
    if (stick_slip_.is_any_at_rest(qd(), modes_)) {
      plant_.dynamics().bias(q(), qd(), now_.hand, bias_);
      plant_.dynamics().mass_matrix(q(), M_);
      stick_slip_.settle({q(), qd(), now_.tau, now_.hand, M_, bias_}, modes_);
    }
    any_sticks_ = std::find(modes_.begin(), modes_.end(), JointMode::sticking) != modes_.end();
    if (any_sticks_ || !entered_) {
      evaluate(y_, t_, now_);
    } else {
      set_step(0.0, t_, MotionStep::Until::rates);
      step_.end = &now_;
      co_await requester_.request({StepRequest::Of::rates, &step_});
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const bool rests = stick_slip_.is_held(i, modes_);
      if (rests && !history_[i].at_rest) history_[i].at_rest_since = t_;
      history_[i].at_rest = rests;
      const bool sticks = modes_[i] == JointMode::sticking;
      if (entered_ && sticks && !stuck_[i]) ++history_[i].stops;
      stuck_[i] = sticks;
    }
  }

  /// Notes the limit of a joint that sets out from it, out of its range.
  void look_for_limit_at_start() {
    for (std::size_t i = 0; stop_at_limits_ && !limit_ && i < n_; ++i) {
      if (!plant_.limit(i)) continue;
      const auto [lower, upper] = *plant_.limit(i);
      const double moves = y_[n_ + i] != 0.0 ? y_[n_ + i] : now_.dydt[n_ + i];
      if ((y_[i] == upper && moves > 0.0) || (y_[i] == lower && moves < 0.0)) {
        limit_ = {i, t_, y_[i], y_[i]};
      }
    }
  }

  Plant& plant_;
  Lanes<OneLane>& alone_;
  StepRequester& requester_;
  TorqueInput& input_;
  StickSlip stick_slip_;
  std::size_t n_;
  bool stop_at_limits_;
  std::function<bool()> stop_;    ///< asked after each adaptive step; may be empty
  bool may_meet_events_ = false;  ///< some joint has dry friction, or a limit
  double share_;
  std::optional<EmbeddedPair> pair_;  ///< absent: steps are fixed
  OdeSystem system_;
  MotionStep step_;
  double h_;  ///< next step for an adaptive integrator to try

  bool entered_ = false;
  double entered_at_ = 0.0;  ///< when the present stretch began
  double t_;
  OdeState y_;  ///< q, q̇, work, work at the hand, losses (8.1)
  Evaluation now_;
  std::vector<JointMode> modes_;
  std::vector<bool> stuck_;  ///< before the equations changed last
  bool any_sticks_ = false;

  OdeState y_next_;  ///< of the step that was tried
  Evaluation next_, scratch_;
  std::optional<Ahead> ahead_;  ///< of an adaptive integrator
  std::size_t adaptive_steps_ = 0;
  bool is_between_ = false;  ///< the state shown is within the step ahead
  double t_between_ = 0.0;
  OdeState y_between_;
  Evaluation between_;
  std::vector<double> middle_margin_;
  std::vector<double> M_, bias_;
  std::vector<Event> events_;
  std::size_t events_since_target_ = 0;

  std::vector<JointHistory> history_;
  std::optional<LimitReached> limit_;
};

}  // namespace armdyn
