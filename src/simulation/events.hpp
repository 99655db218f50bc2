#pragma once

#include <boost/noncopyable.hpp>

#include <algorithm>

#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stepper.hpp"
#include "simulation/stick_slip.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// Event of a joint, `after` that much time from the present, which changes the equations.
struct Event {
  enum class Kind { stops, breaks_away, reaches_limit };
  Kind kind;
  std::size_t joint;
  double after;
};

/// Events within the step that was tried (docs/derivation.md, section 8.2): which ones there may be,
/// and which really is the first.
class Events : boost::noncopyable {
 public:
  Events(const Plant& plant, const Contacts& contacts, Stepper& stepper, bool stop_at_limits)
      : plant_(plant), contacts_(contacts), stepper_(stepper), stop_at_limits_(stop_at_limits) {
    for (std::size_t k = 0; k < plant_.limited(); ++k) {
      may_come_ = may_come_ || plant_.limit(k) || (k < plant_.dof() && plant_.can_stick(k));
    }
  }

  /// Looks for events within the step, h long: those that have happened at its end, and those that
  /// may have come and gone in between. False: there are none.
  bool look(double h) {
    events_.clear();
    const std::vector<JointMode>& modes = contacts_.modes();
    for (std::size_t i = 0; may_come_ && i < modes.size(); ++i) {
      if (direction(modes[i]) != 0) look_for_stop(i, h);
      if (stop_at_limits_ && plant_.limit(i)) look_for_limit(i, h);
    }
    for (std::size_t k = modes.size(); stop_at_limits_ && k < plant_.limited(); ++k) {
      if (plant_.limit(k)) look_for_limit(k, h);
    }
    for (std::size_t i = 0; may_come_ && i < modes.size(); ++i) {
      if (modes[i] == JointMode::sticking) look_for_break(i, h);
    }
    return !events_.empty();
  }

  /// Finds the earliest of the events that really happen, by steps taken anew.
  Task<std::optional<Event>> first(double h) {
    std::optional<Event> first;
    for (const Event& event : events_) {
      const double by = first ? std::min(event.after, first->after) : event.after;
      const double at_end = co_await gauge_after(event, by);
      if (at_end >= 0.0) continue;
      Bracket bracket(gauge(event, stepper_.present), by, at_end, stepper_.resolution(h));
      while (bracket.is_open()) {
        const double middle = bracket.middle();
        bracket.narrow(middle, co_await gauge_after(event, middle));
      }
      first = {event.kind, event.joint, bracket.end()};
    }
    // Back to the step that was tried.
    if (!first) co_await stepper_.retake(h, MotionStep::Until::rates);
    co_return first;
  }

 private:
  /// Gauge of an event, positive before it and negative after.
  [[nodiscard]] double gauge(const Event& event, const Moment& moment) const {
    const std::size_t i = event.joint;
    if (event.kind == Event::Kind::stops) {
      return direction(contacts_.modes()[i]) * plant_.contact_rate(i, moment.qd());
    }
    if (event.kind == Event::Kind::breaks_away) return moment.at.margin[i];
    const auto [lower, upper] = *plant_.limit(i);
    const double q = plant_.position(i, moment.q());
    return std::min(upper - q, q - lower);
  }

  /// Gauge of an event after a step of its own.
  Task<double> gauge_after(const Event& event, double h) {
    co_await stepper_.retake(h, event.kind == Event::Kind::breaks_away ? MotionStep::Until::rates
                                                                       : MotionStep::Until::end);
    co_return gauge(event, stepper_.tried);
  }

  void look_for_stop(std::size_t i, double h) {
    const double d = direction(contacts_.modes()[i]);
    const auto rate = [&](std::span<const double> of) { return d * plant_.contact_rate(i, of); };
    const Moment &now = stepper_.present, &next = stepper_.tried;
    const Hermite speed{rate(now.qd()), h * rate(now.qdd()), rate(next.qd()), h * rate(next.qdd())};
    if (const auto s = below_zero(speed)) events_.push_back({Event::Kind::stops, i, *s * h});
  }

  void look_for_limit(std::size_t i, double h) {
    const auto [lower, upper] = *plant_.limit(i);
    const Moment &now = stepper_.present, &next = stepper_.tried;
    const double q = plant_.position(i, now.q()), q_next = plant_.position(i, next.q());
    const double way = h * plant_.rate(i, now.qd()), way_next = h * plant_.rate(i, next.qd());
    const auto look = [&](double sign, double bound) {  // until sign (bound − q) < 0
      const Hermite room{sign * (bound - q), -sign * way, sign * (bound - q_next),
                         -sign * way_next};
      const auto s = below_zero(room);
      if (s) events_.push_back({Event::Kind::reaches_limit, i, *s * h});
    };
    look(1.0, upper);
    look(-1.0, lower);
  }

  /// Looks at the parabola through the margins at start, middle and end.
  void look_for_break(std::size_t i, double h) {
    if (const auto s = below_zero(stepper_.present.at.margin[i], stepper_.middle_margin[i],
                                  stepper_.tried.at.margin[i])) {
      events_.push_back({Event::Kind::breaks_away, i, *s * h});
    }
  }

  const Plant& plant_;
  const Contacts& contacts_;
  Stepper& stepper_;
  bool stop_at_limits_;
  bool may_come_ = false;  ///< some joint has dry friction, or a limit
  std::vector<Event> events_;
};

}  // namespace armdyn
