#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rigid.hpp"
#include "simulation/events.hpp"
#include "simulation/lanes.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stepper.hpp"
#include "simulation/stick_slip.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// Lengths of the steps of an adaptive integrator: what the tolerance, the joints' time scales
/// and events allow.
class AdaptiveStep : boost::noncopyable {
 public:
  /// Steps are at most `share` of their bounds.
  AdaptiveStep(const Plant& plant, Stepper& stepper, Events& events, double share)
      : plant_(plant), stepper_(stepper), events_(events), share_(share) {}

  /// A good step that was tried, up to its end or its first event.
  struct Ahead {
    double h;
    double end;  ///< time
    std::optional<Event> first;
  };

  /// Tries the next step, at most to `bound`, in a stretch that was entered at that time.
  Task<Ahead> look_ahead(double bound, double entered_at) {
    const double t = stepper_.present.t;
    for (;;) {
      const double longest = bound - t;
      const double h = step(longest, entered_at);
      const double t_next = h < longest ? t + h : bound;
      stepper_.finish(h, t_next, stepper_.wanted());
      if (misses_kink(h)) {
        h_ = 0.2 * h;
        continue;
      }
      std::optional<Event> first;
      if (events_.look(h)) first = co_await events_.first(h);
      if (first) {
        if (!is_too_long(*first)) co_return Ahead{h, t + first->after, first};
      } else if (h <= 2.0 * longest_step(stepper_.tried)) {
        co_return Ahead{h, t_next, {}};
      } else {
        h_ = 0.2 * h;
      }
    }
  }

 private:
  /// Length below which none is tried, s or over |t|.
  [[nodiscard]] double shortest() const {
    return 1e-13 * std::max(1.0, std::abs(stepper_.present.t));
  }

  /// Longest step by a joint's time scale. The error estimate of an embedded pair can miss processes
  /// that end within a step, so none is longer than the time scale where it begins, and than twice
  /// that where it ends.
  [[nodiscard]] double longest_step(std::size_t joint, const Moment& moment) const {
    return share_ * stepper_.pair()->longest_step() *
           plant_.time_scale(joint, moment.qd()[joint], moment.qdd()[joint]);
  }
  [[nodiscard]] double longest_step(const Moment& moment) const {
    double longest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < plant_.dof(); ++i) {
      longest = std::min(longest, longest_step(i, moment));
    }
    return longest;
  }

  /// Steps by at most `longest`, within the tolerance; returns the length.
  double step(double longest, double entered_at) {
    if (share_ < 1.0) {
      longest = std::min(longest, share_ * (stepper_.present.t + longest - entered_at));
    }
    longest = std::min(longest, longest_step(stepper_.present));
    double h = std::min(h_, longest);
    for (;;) {
      double error = std::numeric_limits<double>::infinity();
      try {
        error = stepper_.try_pair(h);
      } catch (const DivergenceError&) {  // in a stage; a shorter step may do
        if (h < shortest()) throw;
      }
      const double wanted = stepper_.pair()->next_step(h, error);
      if (error <= 1.0) {
        h_ = h < longest ? wanted : std::max(h_, wanted);
        return h;
      }
      if (wanted < shortest()) {
        throw NumericsError(fmt::format(
            "the tolerance cannot be met with steps above {:.1g} s; allow a larger one", wanted));
      }
      h = wanted;
    }
  }

  /// Tests whether a spring came to another piece of its law within the step, which the error estimate
  /// can miss, and accelerations changed by more than the tolerance allows.
  [[nodiscard]] bool misses_kink(double h) const {
    const Moment &now = stepper_.present, &next = stepper_.tried;
    if (h <= shortest() || plant_.spring_pieces_at(now.q()) == plant_.spring_pieces_at(next.q())) {
      return false;
    }
    return std::ranges::any_of(in_order(plant_.dof()), [&](std::size_t i) {
      return !stepper_.pair()->allows(h * (next.qdd()[i] - now.qdd()[i]), next.qd()[i]);
    });
  }

  /// Tests whether the step that ends with the event is too long for processes before it, as a
  /// Stribeck curve, and a shorter one must be tried.
  [[nodiscard]] bool is_too_long(const Event& first) {
    if (first.after <= shortest()) return false;
    const double error = stepper_.try_pair(first.after);
    if (error > 1.0) {
      h_ = stepper_.pair()->next_step(first.after, error);
      return true;
    }
    if (first.kind != Event::Kind::stops) return false;
    Moment& end = stepper_.tried;
    stepper_.evaluate(end.y, stepper_.present.t + first.after, end.at);
    const double longest =
        share_ * stepper_.pair()->longest_step() *
        plant_.time_scale(first.joint, stepper_.present.qd()[first.joint], end.qdd()[first.joint]);
    if (first.after <= longest) return false;
    h_ = longest;
    return true;
  }

  const Plant& plant_;
  Stepper& stepper_;
  Events& events_;
  double share_;
  double h_ = 1e-3;  ///< to try next, s
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
        input_(input),
        stop_at_limits_(options.stop_at_limits),
        stop_(options.stop),
        contacts_(plant, qd0),
        stepper_(alone, requester, input, contacts_, options, q0, qd0),
        events_(plant, contacts_, stepper_, options.stop_at_limits),
        adaptive_(plant, stepper_, events_, share),
        between_(stepper_.present) {
    for (std::size_t k = 0; stop_at_limits_ && k < plant.limited(); ++k) {
      if (!plant_.limit(k)) continue;
      const auto [lower, upper] = *plant_.limit(k);
      const double q = plant_.position(k, q0), rounding = k < plant.dof() ? 0.0 : 1e-12;
      if (std::max(lower - q, q - upper) > rounding * (upper - lower)) {
        limit_ = {k, options.start, q, q < lower ? lower : upper};
      }
    }
  }

  /// Enters a stretch that the input has begun at t(), also the first one: torques may have jumped,
  /// and joints at rest stick or break away anew.
  Task<> enter_stretch() {
    entered_at_ = now_.t;
    std::vector<double> tau(plant_.dof());
    Wrench wrench = now_.at.wrench;
    input_.evaluate(now_.t, q(), qd(), tau, wrench);
    if (entered_ && tau == now_.at.tau && stacked(wrench) == stacked(now_.at.wrench)) co_return;
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
    if (stepper_.pair()) {
      co_await advance_adaptively(target, bound);
      co_return;
    }
    while (now_.t < target && !limit_) {
      const double h = target - now_.t;
      co_await stepper_.request(h, target, stepper_.wanted());
      std::optional<Event> first;
      if (events_.look(h)) first = co_await events_.first(h);
      if (first) {
        co_await pass(*first, h);
      } else {
        stepper_.accept(target);
      }
    }
  }

  [[nodiscard]] double t() const { return shown().t; }
  [[nodiscard]] std::span<const double> q() const { return shown().q(); }
  [[nodiscard]] std::span<const double> qd() const { return shown().qd(); }
  [[nodiscard]] std::span<const double> qdd() const { return shown().qdd(); }
  [[nodiscard]] std::span<const double> tau() const { return shown().at.tau; }
  [[nodiscard]] const Wrench& wrench() const { return shown().at.wrench; }

  /// Evaluates the present under the input's torques, each joint in the mode that it has.
  void evaluate() { stepper_.evaluate(stepper_.present.y, now_.t, stepper_.present.at); }

  /// Gives `number` each number of the state between two steps, where steps are fixed; it may set
  /// them.
  void visit_state(auto&& number) {
    Moment& now = stepper_.present;
    number(now.t);
    for (std::vector<double>* values : {&now.y, &now.at.dydt, &now.at.tau, &now.at.margin}) {
      for (double& value : *values) number(value);
    }
    for (Vec3* v : {&now.at.wrench.force, &now.at.wrench.moment}) {
      for (double* value : {&v->x, &v->y, &v->z}) number(*value);
    }
    contacts_.visit_state(number);
    number(entered_);
    number(entered_at_);
    bool has_limit = limit_.has_value();
    number(has_limit);
    LimitReached limit = limit_.value_or(LimitReached{});
    number(limit.joint);
    for (double* value : {&limit.t, &limit.q, &limit.limit}) number(*value);
    limit_ = has_limit ? std::optional(limit) : std::nullopt;
  }

  /// Number of steps of an adaptive integrator, including those that end at an event.
  [[nodiscard]] std::size_t adaptive_steps() const { return adaptive_steps_; }

  /// Sets the energies at time t and since the start: all but `at_start`.
  void audit(EnergyAudit& energy) const {
    const auto powers = std::span(shown().y).subspan(2 * plant_.dof());
    energy.at_end = plant_.energy(q(), qd());
    energy.work = powers[0];
    energy.contact_work = powers[1];
    energy.losses = powers[2];
  }

  [[nodiscard]] const std::vector<JointHistory>& history() const { return contacts_.history(); }
  [[nodiscard]] const std::optional<LimitReached>& limit() const { return limit_; }

 private:
  static constexpr std::size_t most_events = 10'000;  // between one target and the next

  [[nodiscard]] const Moment& shown() const { return is_between_ ? between_ : now_; }

  /// Takes the steps that end before the target, or there, and evaluates the target within the one
  /// beyond.
  Task<> advance_adaptively(double target, double bound) {
    is_between_ = false;
    while (now_.t < target && !limit_) {
      if (!ahead_) ahead_ = co_await adaptive_.look_ahead(bound, entered_at_);
      if (target < ahead_->end) {
        show_between(target);
        co_return;
      }
      const AdaptiveStep::Ahead step = *ahead_;
      ahead_.reset();
      ++adaptive_steps_;
      if (step.first) {
        co_await pass(*step.first, step.h);
      } else {
        stepper_.accept(step.end);
      }
      if (stop_ && stop_()) co_return;  // the target may be far away
    }
  }

  /// Evaluates the state at a time within the step ahead by a shorter one, and keeps the former.
  void show_between(double t) {
    std::swap(stepper_.tried, between_);
    stepper_.try_pair(t - now_.t);
    stepper_.finish(t - now_.t, t, MotionStep::Until::rates);
    std::swap(stepper_.tried, between_);
    is_between_ = true;
  }

  /// Moves on to the event, where joints stop exactly, and settles the modes.
  Task<> pass(const Event& first, double h) {
    if (++events_since_target_ > most_events) {
      throw NumericsError(fmt::format("{} sticks and slips without end; take shorter steps",
                                      plant_.name(first.joint)));
    }
    co_await stepper_.retake(first.after, MotionStep::Until::rates);
    stepper_.accept(now_.t + first.after);
    if (first.kind == Event::Kind::reaches_limit) {
      const auto [lower, upper] = *plant_.limit(first.joint);
      const double reached = plant_.position(first.joint, now_.q());
      const double bound = reached > 0.5 * (lower + upper) ? upper : lower;
      if (first.joint < plant_.dof()) stepper_.present.y[first.joint] = bound;
      limit_ = {first.joint, now_.t, bound, bound};
      co_return;
    }
    for (std::size_t i = 0; i < plant_.dof(); ++i) {
      const int d = direction(contacts_.modes()[i]);
      if (d == 0) continue;
      const double speed = d * plant_.contact_rate(i, now_.qd());
      const double change = d * plant_.contact_rate(i, now_.qdd());
      const bool stops = (first.kind == Event::Kind::stops && i == first.joint) ||
                         (change < 0.0 && speed <= -change * 2.0 * stepper_.resolution(h));
      if (stops) contacts_.stop(i, stepper_.present);
    }
    co_await settle();
  }

  /// Settles the modes of the joints at rest anew, and evaluates.
  Task<> settle() {
    Moment& now = stepper_.present;
    input_.evaluate(now.t, q(), qd(), now.at.tau, now.at.wrench);
    contacts_.settle(now);
    if (contacts_.any_sticks() || !entered_) {
      stepper_.evaluate(now.y, now.t, now.at);
    } else {
      co_await stepper_.request_rates();
    }
    contacts_.note(now.t, entered_);
  }

  /// Notes the limit of a joint that sets out from it, out of its range.
  void look_for_limit_at_start() {
    for (std::size_t k = 0; stop_at_limits_ && !limit_ && k < plant_.limited(); ++k) {
      if (!plant_.limit(k)) continue;
      const auto [lower, upper] = *plant_.limit(k);
      const double q = plant_.position(k, now_.q()), qd = plant_.rate(k, now_.qd());
      const double moves = qd != 0.0 ? qd : plant_.rate(k, now_.qdd());
      if ((q >= upper && moves > 0.0) || (q <= lower && moves < 0.0)) limit_ = {k, now_.t, q, q};
    }
  }

  Plant& plant_;
  TorqueInput& input_;
  bool stop_at_limits_;
  std::function<bool()> stop_;  ///< asked after each adaptive step; may be empty
  Contacts contacts_;
  Stepper stepper_;
  Events events_;
  AdaptiveStep adaptive_;
  const Moment& now_ = stepper_.present;

  bool entered_ = false;
  double entered_at_ = 0.0;  ///< when the present stretch began
  std::optional<AdaptiveStep::Ahead> ahead_;
  std::size_t adaptive_steps_ = 0;
  bool is_between_ = false;  ///< the moment shown is within the step ahead
  Moment between_;
  std::size_t events_since_target_ = 0;
  std::optional<LimitReached> limit_;
};

}  // namespace armdyn
