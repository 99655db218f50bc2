#include "simulation/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulation/hermite.hpp"
#include "simulation/locate.hpp"

namespace armdyn {

namespace {

constexpr double time_resolution = 1e-12;    // of events, over the length of the step
constexpr double shortest_step = 1e-13;      // of an adaptive integrator, s or over |t|
constexpr std::size_t most_events = 10'000;  // between one target and the next

/// What no joint of an arm reaches that starts with these velocities.
double fastest_joint(std::span<const double> qd0) {
  double fastest = 1e3;  // rad/s, m/s
  for (const double qd : qd0) fastest = std::max(fastest, std::abs(qd));
  return 1e3 * fastest;
}

bool same(const Wrench& a, const Wrench& b) {
  return a.force == b.force && a.moment == b.moment;
}

}  // namespace

Motion::Motion(Plant& plant, TorqueInput& input, const SimulationOptions& options,
               std::span<const double> q0, std::span<const double> qd0, double share)
    : plant_(plant),
      input_(input),
      stick_slip_(plant),
      n_(plant.dof()),
      stop_at_limits_(options.stop_at_limits),
      share_(share),
      fastest_(fastest_joint(qd0)),
      stepper_(make_stepper(options.integrator, 2 * n_ + 3, 2 * n_, options.tolerance)),
      system_([this](const OdeState& y, OdeState& dydt, double t) { derivative(y, dydt, t); }),
      h_(options.step),
      t_(options.start),
      y_(2 * n_ + 3),
      modes_(n_, JointMode::smooth),
      y_next_(y_),
      y_middle_(y_),
      hand_torque_(n_),
      history_(n_) {
  now_ = {y_, std::vector<double>(n_), {}, std::vector<double>(n_)};
  next_ = scratch_ = now_;
  std::copy(q0.begin(), q0.end(), y_.begin());
  std::copy(qd0.begin(), qd0.end(), y_.begin() + static_cast<std::ptrdiff_t>(n_));
  for (std::size_t i = 0; i < n_; ++i) {
    if (plant_.can_stick(i)) {
      modes_[i] = qd0[i] > 0.0   ? JointMode::forward
                  : qd0[i] < 0.0 ? JointMode::backward
                                 : JointMode::sticking;
    }
    const std::optional<Range>& range = plant_.limit(i);
    if (stop_at_limits_ && range && (q0[i] < range->lower || q0[i] > range->upper)) {
      limit_ = {i, t_, q0[i], q0[i] < range->lower ? range->lower : range->upper};
    }
  }
}

void Motion::evaluate(const OdeState& y, double t, Evaluation& at) {
  const std::span<const double> q = positions(y), qd = velocities(y);
  for (std::size_t i = 0; i < n_; ++i) {
    if (diverges(q[i], qd[i], fastest_)) throw Divergence(i, qd[i]);
  }
  input_.evaluate(t, q, qd, at.tau, at.hand);
  stick_slip_.accelerations({q, qd, at.tau, at.hand}, modes_, std::span(at.dydt).subspan(n_, n_),
                            at.margin);
  for (std::size_t i = 0; i < n_; ++i) {
    if (!std::isfinite(at.dydt[n_ + i])) throw Divergence(i, std::nullopt);
  }

  double power = 0.0, hand_power = 0.0, loss_power = 0.0;
  for (std::size_t i = 0; i < n_; ++i) {
    at.dydt[i] = qd[i];
    power += at.tau[i] * qd[i];
    loss_power += plant_.loss(i, q[i], qd[i], direction(modes_[i])) * qd[i];
  }
  if (!is_free(at.hand)) {
    plant_.hand_torque(q, at.hand, hand_torque_);
    for (std::size_t i = 0; i < n_; ++i) hand_power += hand_torque_[i] * qd[i];
  }
  at.dydt[2 * n_] = power;
  at.dydt[2 * n_ + 1] = hand_power;
  at.dydt[2 * n_ + 2] = loss_power;
}

void Motion::derivative(const OdeState& y, OdeState& dydt, double t) {
  std::swap(scratch_.dydt, dydt);
  evaluate(y, t, scratch_);
  std::swap(scratch_.dydt, dydt);
}

void Motion::enter_stretch() {
  input_.evaluate(t_, q(), qd(), scratch_.tau, scratch_.hand);
  if (entered_ && scratch_.tau == now_.tau && same(scratch_.hand, now_.hand)) return;
  settle();
  if (!entered_) look_for_limit_at_start();
  entered_ = true;
}

/// A joint that sets out from one of its limits, out of its range, has reached it.
void Motion::audit(EnergyAudit& energy) const {
  energy.at_end = plant_.energy(q(), qd());
  energy.work = y_[2 * n_];
  energy.hand_work = y_[2 * n_ + 1];
  energy.losses = y_[2 * n_ + 2];
}

void Motion::look_for_limit_at_start() {
  for (std::size_t i = 0; stop_at_limits_ && !limit_ && i < n_; ++i) {
    if (!plant_.limit(i)) continue;
    const auto [lower, upper] = *plant_.limit(i);
    const double moves = y_[n_ + i] != 0.0 ? y_[n_ + i] : now_.dydt[n_ + i];
    if ((y_[i] == upper && moves > 0.0) || (y_[i] == lower && moves < 0.0)) {
      limit_ = {i, t_, y_[i], y_[i]};
    }
  }
}

/// Decides anew how the joints at rest stand, and evaluates.
void Motion::settle() {
  input_.evaluate(t_, q(), qd(), now_.tau, now_.hand);
  stick_slip_.settle({q(), qd(), now_.tau, now_.hand}, modes_);
  evaluate(y_, t_, now_);
  for (std::size_t i = 0; i < n_; ++i) {
    const bool rests = modes_[i] == JointMode::sticking;
    if (rests && !history_[i].at_rest) {
      history_[i].at_rest_since = t_;
      if (entered_) ++history_[i].stops;
    }
    history_[i].at_rest = rests;
  }
}

void Motion::resume(double t, const OdeState& y, Torques torques) {
  t_ = t;
  y_ = y;
  if (torques == Torques::jump) {
    settle();
  } else {
    evaluate(y_, t_, now_);
  }
}

double Motion::step(double h) {
  return stepper_->step(system_, t_, y_, now_.dydt, h, y_next_);
}

/// Steps by at most `longest`, as far as the tolerance allows; returns how far. The error estimate
/// of an embedded pair can miss what happens and is over within a step, so none is longer than a
/// joint's time scale.
double Motion::adaptive_step(double longest) {
  for (std::size_t i = 0; i < n_; ++i) {
    const double scale = plant_.time_scale(i, y_[n_ + i], now_.dydt[n_ + i]);
    longest = std::min(longest, share_ * stepper_->longest_step() * scale);
  }
  double h = std::min(h_, longest);
  for (;;) {
    double error = std::numeric_limits<double>::infinity();
    try {
      error = step(h);
    } catch (const Divergence&) {  // in a stage, on the way to nowhere: a shorter step may do
      if (h < shortest_step * std::max(1.0, std::abs(t_))) throw;
    }
    const double wanted = stepper_->next_step(h, error);
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

void Motion::advance(double target) {
  events_since_target_ = 0;
  while (t_ < target && !limit_) {
    const double left = target - t_;
    double h = left;
    if (stepper_->is_adaptive()) {
      h = adaptive_step(left);
    } else {
      step(h);
    }
    const double t_next = h == left ? target : t_ + h;
    evaluate(y_next_, t_next, next_);
    look_for_events(h);
    const std::optional<FirstEvent> first = first_event(h);
    if (!first) {
      accept(t_next);
    } else if (!is_too_long(*first)) {
      pass(*first, h);
    }
  }
}

void Motion::accept(double t) {
  t_ = t;
  std::swap(y_, y_next_);
  std::swap(now_, next_);
}

/// What an event waits for, positive before it and negative after.
double Motion::gauge(const Event& event, const OdeState& y, const Evaluation& at) const {
  const std::size_t i = event.joint;
  switch (event.kind) {
    case Event::Kind::stops:
      return direction(modes_[i]) * y[n_ + i];
    case Event::Kind::breaks_away:
      return at.margin[i];
    case Event::Kind::reaches_limit:
      break;
  }
  const auto [lower, upper] = *plant_.limit(i);
  return std::min(upper - y[i], y[i] - lower);
}

/// The gauge by a step of its own, as accurate as the integrator.
double Motion::gauge_after(const Event& event, double h) {
  step(h);
  if (event.kind == Event::Kind::breaks_away) evaluate(y_next_, t_ + h, next_);
  return gauge(event, y_next_, next_);
}

/// Events within the step that was tried, h long: those that have happened at its end, and those
/// that may have come and gone in between.
void Motion::look_for_events(double h) {
  events_.clear();
  bool any_sticks = false;
  for (std::size_t i = 0; i < n_; ++i) {
    any_sticks = any_sticks || modes_[i] == JointMode::sticking;
    if (direction(modes_[i]) != 0) look_for_stop(i, h);
    if (stop_at_limits_ && plant_.limit(i)) look_for_limit(i, h);
  }
  if (!any_sticks) return;
  for (std::size_t i = 0; i < n_; ++i) {
    y_middle_[i] = Hermite{y_[i], h * y_[n_ + i], y_next_[i], h * y_next_[n_ + i]}.at(0.5);
    y_middle_[n_ + i] =
        Hermite{y_[n_ + i], h * now_.dydt[n_ + i], y_next_[n_ + i], h * next_.dydt[n_ + i]}.at(0.5);
  }
  evaluate(y_middle_, t_ + 0.5 * h, scratch_);
  for (std::size_t i = 0; i < n_; ++i) {
    if (modes_[i] == JointMode::sticking) look_for_break(i, h);
  }
}

void Motion::look_for_stop(std::size_t i, double h) {
  const double d = direction(modes_[i]);
  const Hermite speed{d * y_[n_ + i], d * h * now_.dydt[n_ + i], d * y_next_[n_ + i],
                      d * h * next_.dydt[n_ + i]};
  if (const auto s = below_zero(speed)) events_.push_back({Event::Kind::stops, i, *s * h});
}

void Motion::look_for_limit(std::size_t i, double h) {
  const auto [lower, upper] = *plant_.limit(i);
  const auto look = [&](double sign, double bound) {  // until sign (bound − q) < 0
    const Hermite room{sign * (bound - y_[i]), -sign * h * y_[n_ + i], sign * (bound - y_next_[i]),
                       -sign * h * y_next_[n_ + i]};
    if (const auto s = below_zero(room)) events_.push_back({Event::Kind::reaches_limit, i, *s * h});
  };
  look(1.0, upper);
  look(-1.0, lower);
}

/// By the parabola through the margins at start, middle (in scratch_) and end.
void Motion::look_for_break(std::size_t i, double h) {
  if (const auto s = below_zero(now_.margin[i], scratch_.margin[i], next_.margin[i])) {
    events_.push_back({Event::Kind::breaks_away, i, *s * h});
  }
}

/// The earliest of the events that really happen, and when; steps are taken anew for it.
std::optional<Motion::FirstEvent> Motion::first_event(double h) {
  std::optional<FirstEvent> first;
  for (const Event& event : events_) {
    const double by = first ? std::min(event.by, first->after) : event.by;
    const double at_end = gauge_after(event, by);
    if (at_end >= 0.0) continue;
    const double after = locate([&](double dt) { return gauge_after(event, dt); },
                                gauge(event, y_, now_), by, at_end, time_resolution * h);
    first = {event, after};
  }
  if (!events_.empty() && !first) {  // a false alarm: back to the step that was tried
    step(h);
    evaluate(y_next_, t_ + h, next_);
  }
  return first;
}

/// Whether the step that ends with the event went blindly through what happens before it, a
/// Stribeck curve above all; then a shorter one is to be tried.
bool Motion::is_too_long(const FirstEvent& first) {
  if (!stepper_->is_adaptive() || first.after <= shortest_step * std::max(1.0, std::abs(t_))) {
    return false;
  }
  const double error = step(first.after);
  if (error > 1.0) {
    h_ = stepper_->next_step(first.after, error);
    return true;
  }
  if (first.event.kind != Event::Kind::stops) return false;
  evaluate(y_next_, t_ + first.after, next_);
  const std::size_t i = first.event.joint;
  const double longest =
      share_ * stepper_->longest_step() * plant_.time_scale(i, y_[n_ + i], next_.dydt[n_ + i]);
  if (first.after <= longest) return false;
  h_ = longest;
  return true;
}

/// Takes the state on to the event, where joints stop exactly, and decides how it goes on.
void Motion::pass(const FirstEvent& first, double h) {
  if (++events_since_target_ > most_events) {
    throw NumericsError(fmt::format("{} sticks and slips without end; take shorter steps",
                                    plant_.name(first.event.joint)));
  }
  step(first.after);
  evaluate(y_next_, t_ + first.after, next_);
  accept(t_ + first.after);
  const std::size_t which = first.event.joint;
  if (first.event.kind == Event::Kind::reaches_limit) {
    const auto [lower, upper] = *plant_.limit(which);
    y_[which] = y_[which] > 0.5 * (lower + upper) ? upper : lower;
    limit_ = {which, t_, y_[which], y_[which]};
    return;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    const int d = direction(modes_[i]);
    if (d == 0) continue;
    const double speed = d * y_[n_ + i], change = d * now_.dydt[n_ + i];
    const bool stops = (first.event.kind == Event::Kind::stops && i == which) ||
                       (change < 0.0 && speed <= -change * 2.0 * time_resolution * h);
    if (!stops) continue;
    y_[n_ + i] = 0.0;
    modes_[i] = JointMode::sticking;
  }
  settle();
}

}  // namespace armdyn
