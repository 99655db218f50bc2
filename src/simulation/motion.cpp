#include "simulation/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace armdyn {

namespace {

constexpr double time_resolution = 1e-12;    // of events, over the length of a fixed step
constexpr double finer_resolution = 1e-13;   // the same where steps are as long as they like
constexpr double first_try = 1e-3;           // of an adaptive integrator, s
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

Motion::Motion(Plant& plant, Lanes<OneLane>& alone, Asker& asker, TorqueInput& input,
               const SimulationOptions& options, std::span<const double> q0,
               std::span<const double> qd0, double share)
    : plant_(plant),
      alone_(alone),
      asker_(asker),
      input_(input),
      stick_slip_(plant),
      n_(plant.dof()),
      stop_at_limits_(options.stop_at_limits),
      stop_(options.stop),
      share_(share),
      pair_(make_embedded_pair(options.integrator, 2 * n_ + 3, 2 * n_, options.tolerance)),
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
  now_ = {y_, std::vector<double>(n_), {}, std::vector<double>(n_)};
  next_ = scratch_ = between_ = now_;
  step_.input = &input;
  step_.integrator = options.integrator;
  step_.varies = dynamic_cast<const ConstantTorque*>(&input) == nullptr;
  step_.fastest = fastest_joint(qd0);
  step_.modes = modes_;
  step_.now = &now_;
  step_.y_end = &y_next_;
  step_.middle_margin = &middle_margin_;
  std::copy(q0.begin(), q0.end(), y_.begin());
  std::copy(qd0.begin(), qd0.end(), y_.begin() + static_cast<std::ptrdiff_t>(n_));
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

/// From the present state.
void Motion::set_step(double h, double t_end, MotionStep::Until until) {
  step_.until = until;
  step_.t = t_;
  step_.h = h;
  step_.t_end = t_end;
  step_.y = &y_;
  step_.end = &next_;
}

/// To be awaited: a step from the present state to y_next_, next_ and middle_margin_, as far
/// as wanted.
Asker::Answer Motion::take_step(double h, double t_end, MotionStep::Until until) {
  set_step(h, t_end, until);
  return asker_.ask({any_sticks_ ? Question::Of::stuck_step : Question::Of::free_step, &step_});
}

/// What follows from a state, without asking.
void Motion::evaluate(const OdeState& y, double t, Evaluation& at) {
  set_step(0.0, t, MotionStep::Until::rates);
  step_.t = t;
  step_.y = &y;
  step_.end = &at;
  alone_.evaluate(step_);
  if (step_.divergence) throw DivergenceError(*step_.divergence);
}

/// As adaptive integrators ask for it.
void Motion::derivative(const OdeState& y, OdeState& dydt, double t) {
  std::swap(scratch_.dydt, dydt);
  evaluate(y, t, scratch_);
  std::swap(scratch_.dydt, dydt);
}

Task<> Motion::enter_stretch() {
  input_.evaluate(t_, q(), qd(), scratch_.tau, scratch_.hand);
  if (entered_ && scratch_.tau == now_.tau && same(scratch_.hand, now_.hand)) co_return;
  co_await settle();
  if (!entered_) look_for_limit_at_start();
  entered_ = true;
}

void Motion::audit(EnergyAudit& energy) const {
  energy.at_end = plant_.energy(q(), qd());
  energy.work = state()[2 * n_];
  energy.hand_work = state()[2 * n_ + 1];
  energy.losses = state()[2 * n_ + 2];
}

/// A joint that sets out from one of its limits, out of its range, has reached it.
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
Task<> Motion::settle() {
  input_.evaluate(t_, q(), qd(), now_.tau, now_.hand);
  for (std::size_t i = 0; i < n_; ++i) {  // what rounding has moved of coupled motors
    if (modes_[i] == JointMode::sticking) plant_.stop_contact(i, velocities_of(y_));
  }
  if (stick_slip_.is_any_at_rest(qd(), modes_)) {
    plant_.bias(q(), qd(), now_.hand, bias_);
    plant_.mass_matrix(q(), M_);
    stick_slip_.settle({q(), qd(), now_.tau, now_.hand, M_, bias_}, modes_);
  }
  any_sticks_ = std::find(modes_.begin(), modes_.end(), JointMode::sticking) != modes_.end();
  if (any_sticks_ || !entered_) {
    evaluate(y_, t_, now_);
  } else {
    set_step(0.0, t_, MotionStep::Until::rates);
    step_.end = &now_;
    co_await asker_.ask({Question::Of::rates, &step_});
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

/// Steps by at most `longest`, as far as the tolerance allows; returns how far. The error estimate
/// of an embedded pair can miss what happens and is over within a step, so none is longer than a
/// joint's time scale.
double Motion::adaptive_step(double longest) {
  for (std::size_t i = 0; i < n_; ++i) {
    const double scale = plant_.time_scale(i, y_[n_ + i], now_.dydt[n_ + i]);
    longest = std::min(longest, share_ * pair_->longest_step() * scale);
  }
  double h = std::min(h_, longest);
  for (;;) {
    double error = std::numeric_limits<double>::infinity();
    try {
      error = pair_->step(system_, t_, y_, now_.dydt, h, y_next_);
    } catch (const DivergenceError&) {  // in a stage, on the way to nowhere: a shorter step may do
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

/// How far a step that is tried is looked at.
MotionStep::Until Motion::wanted() const {
  return any_sticks_ ? MotionStep::Until::middle : MotionStep::Until::rates;
}

/// Evaluates the end of a step, y_next_, to next_ and middle_margin_, as far as wanted.
void Motion::finish(double h, double t_end, MotionStep::Until until) {
  set_step(h, t_end, until);
  alone_.finish(step_);
  if (step_.divergence) throw DivergenceError(*step_.divergence);
}

Task<> Motion::advance(double target, double bound) {
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

/// Takes the steps that end before the target, or there, and looks into the one that goes beyond.
Task<> Motion::advance_adaptively(double target, double bound) {
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

/// The next step of an adaptive integrator, at most to `bound`.
Task<Motion::Ahead> Motion::look_ahead(double bound) {
  for (;;) {
    const double longest = bound - t_;
    const double h = adaptive_step(longest);
    const double t_next = h < longest ? t_ + h : bound;
    finish(h, t_next, wanted());
    look_for_events(h);
    std::optional<FirstEvent> first;
    if (!events_.empty()) first = co_await first_event(h);
    if (!first) co_return Ahead{h, t_next, {}};
    if (!is_too_long(*first)) co_return Ahead{h, t_ + first->after, first};
  }
}

/// The state at a time within the step ahead, by a shorter one, which leaves that as it is.
void Motion::show_between(double t) {
  std::swap(y_next_, y_between_);
  std::swap(next_, between_);
  pair_->step(system_, t_, y_, now_.dydt, t - t_, y_next_);
  finish(t - t_, t, MotionStep::Until::rates);
  std::swap(y_next_, y_between_);
  std::swap(next_, between_);
  t_between_ = t;
  is_between_ = true;
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
      return direction(modes_[i]) * plant_.contact_rate(i, velocities(y));
    case Event::Kind::breaks_away:
      return at.margin[i];
    case Event::Kind::reaches_limit:
      break;
  }
  const auto [lower, upper] = *plant_.limit(i);
  return std::min(upper - y[i], y[i] - lower);
}

/// Takes a step anew, as accurate as the integrator.
Task<> Motion::retake(double h, MotionStep::Until until) {
  if (!pair_) {
    co_await take_step(h, t_ + h, until);
    co_return;
  }
  pair_->step(system_, t_, y_, now_.dydt, h, y_next_);
  finish(h, t_ + h, until);
}

/// The gauge by a step of its own.
Task<double> Motion::gauge_after(const Event& event, double h) {
  co_await retake(h, event.kind == Event::Kind::breaks_away ? MotionStep::Until::rates
                                                            : MotionStep::Until::end);
  co_return gauge(event, y_next_, next_);
}

/// Events within the step that was tried, h long: those that have happened at its end, and those
/// that may have come and gone in between.
void Motion::look_for_events(double h) {
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

void Motion::look_for_stop(std::size_t i, double h) {
  const double d = direction(modes_[i]);
  const auto rate = [&](const OdeState& y) { return d * plant_.contact_rate(i, velocities(y)); };
  const Hermite speed{rate(y_), h * rate(now_.dydt), rate(y_next_), h * rate(next_.dydt)};
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

/// By the parabola through the margins at start, middle and end.
void Motion::look_for_break(std::size_t i, double h) {
  if (const auto s = below_zero(now_.margin[i], middle_margin_[i], next_.margin[i])) {
    events_.push_back({Event::Kind::breaks_away, i, *s * h});
  }
}

/// How exactly the time of an event within a step is found.
double Motion::resolution(double h) const {
  return (pair_ ? finer_resolution : time_resolution) * h;
}

/// The earliest of the events that really happen, and when; steps are taken anew for it.
Task<std::optional<Motion::FirstEvent>> Motion::first_event(double h) {
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
  if (!first) {  // a false alarm: back to the step that was tried
    co_await retake(h, MotionStep::Until::rates);
  }
  co_return first;
}

/// Whether the step that ends with the event went blindly through what happens before it, a
/// Stribeck curve above all; then a shorter one is to be tried.
bool Motion::is_too_long(const FirstEvent& first) {
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

/// Takes the state on to the event, where joints stop exactly, and decides how it goes on.
Task<> Motion::pass(const FirstEvent& first, double h) {
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
    plant_.stop_contact(i, velocities_of(y_));
    modes_[i] = JointMode::sticking;
  }
  co_await settle();
}

}  // namespace armdyn
