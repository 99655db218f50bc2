#include "simulation/simulation.hpp"

#include <armdyn/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/finite.hpp"
#include "model/limits_of_input.hpp"

namespace armdyn {

namespace {

/// Often at the beginning, then regularly.
bool is_check_due(std::size_t steps) {
  return std::has_single_bit(steps) || steps % 250 == 0;
}

std::string advice(const std::optional<CoarseStep>& coarse, const SimulationOptions& options) {
  const bool is_of_motion = !coarse || coarse->is_of_speed();
  if (is_of_motion && !options.if_it_diverges.empty()) return options.if_it_diverges;
  if (!has_fixed_step(options.integrator)) {
    return "look for a torque that nothing opposes, or for limits that are ignored";
  }
  if (coarse) {
    return fmt::format("take steps below {:.2g} s, or an adaptive integrator", coarse->advised);
  }
  return "look for a torque that nothing opposes, or take shorter steps";
}

SimulationOptions finer(SimulationOptions options) {
  options.tolerance *= 0.1;
  options.stop_at_limits = false;  // the simulation itself decides where it ends
  return options;
}

}  // namespace

FinerMotion::FinerMotion(Plant& plant, Lanes<OneLane>& alone, Asker& asker, TorqueInput& input,
                         const SimulationOptions& options, std::span<const double> q0,
                         std::span<const double> qd0)
    : integrator_(options.integrator),
      motion_(plant, alone, asker, input, finer(options), q0, qd0, 0.5),
      estimate_{std::vector<double>(plant.dof()), std::vector<double>(plant.dof())} {}

Task<> FinerMotion::advance(double target, double bound) {
  if (has_fixed_step(integrator_)) {
    const double middle = 0.5 * (motion_.t() + target);
    co_await motion_.advance(middle, bound);
  }
  co_await motion_.advance(target, bound);
}

void FinerMotion::compare(const Motion& other) {
  const double factor = integrator_ == Integrator::rk4     ? 16.0 / 15.0
                        : integrator_ == Integrator::euler ? 2.0
                                                           : 10.0 / 9.0;  // (8.14)
  for (std::size_t i = 0; i < estimate_.q.size(); ++i) {
    estimate_.q[i] = std::max(estimate_.q[i], factor * std::abs(motion_.q()[i] - other.q()[i]));
    estimate_.qd[i] = std::max(estimate_.qd[i], factor * std::abs(motion_.qd()[i] - other.qd()[i]));
  }
}

Simulation::Simulation(Plant& plant, Lanes<OneLane>& alone, TorqueInput& input,
                       const SimulationOptions& options, std::span<const double> q0,
                       std::span<const double> qd0, const RowSink& sink)
    : options_(options),
      sink_(sink),
      plant_(plant),
      alone_(alone),
      input_(input),
      motion_(plant, alone, asker_, input, options, q0, qd0),
      check_(plant, options.integrator),
      ends_(options),
      slowest_(qd0.begin(), qd0.end()),
      peaks_(plant.dof()),
      run_(run()) {
  if (options.estimate_error) {
    finer_ = std::make_unique<FinerMotion>(plant, alone, asker_, input, options, q0, qd0);
  }
}

void Simulation::answer_and_resume() {
  std::exception_ptr failure;
  try {
    if (question().of == Question::Of::rates) {
      alone_.evaluate(*question().step);
    } else {
      alone_.take(*question().step);
    }
  } catch (const NumericsError&) {
    failure = std::current_exception();
  }
  asker_.resume(std::move(failure));
}

void Simulation::fail(SimulationEnd end, const std::string& why) {
  result_.end = end;
  if (result_.rows > 0) finish();
  throw SimulationFailure(why, result_);
}

std::string Simulation::at_time(const NumericsError& error) const {
  return fmt::format("at t = {:.6g} s: {}", motion_.t(), error.what());
}

std::string Simulation::what_diverges(const Divergence& error) const {
  const std::string joint = plant_.name(error.joint);
  if (result_.rows == 0) {
    return fmt::format(
        "at t = {:.6g} s the acceleration of {} is not a finite number: an input is too large",
        motion_.t(), joint);
  }
  std::string how = "beyond all numbers";
  if (error.qd && std::isfinite(*error.qd)) {
    how = fmt::format("to {:.3g} {}", std::abs(*error.qd),
                      plant_.is_revolute(error.joint) ? "rad/s" : "m/s");
  }
  return fmt::format("the simulation diverges: after t = {:.6g} s the {} of {} grows {}; {}",
                     motion_.t(), error.qd ? "speed" : "acceleration", joint, how,
                     advice(result_.coarse_step, options_));
}

Task<SimulationResult> Simulation::run() {
  if (!is_noticeable(options_.step, options_.start)) {
    fail(SimulationEnd::failed,
         fmt::format("a step of {:.3g} s is lost beside t = {:.6g} s; take steps above {:.1g} s",
                     options_.step, options_.start, time_rounding * std::abs(options_.start)));
  }
  try {
    co_await loop();
  } catch (const DivergenceError& error) {
    if (result_.steps > 0) check_step(stepped_);
    fail(SimulationEnd::diverged, what_diverges(error.divergence));
  } catch (const SingularMassMatrix& error) {
    fail(SimulationEnd::singular, at_time(error));
  } catch (const NumericsError& error) {
    fail(SimulationEnd::failed, at_time(error));
  }
  finish();
  if (!std::isfinite(result_.energy.imbalance())) {
    fail(SimulationEnd::failed,
         fmt::format("the energy up to t = {:.6g} s is not a finite number; the torques or the "
                     "velocities are too large",
                     result_.t));
  }
  co_return result_;
}

Task<> Simulation::loop() {
  plant_.require_regular(motion_.q());
  double stretch_end = co_await begin_stretch();
  result_.energy.at_start = plant_.energy(motion_.q(), motion_.qd());
  if (!std::isfinite(result_.energy.at_start)) {
    refuse_not_finite("the energy");
  }
  note_peaks();
  if (!motion_.limit()) {
    check_step(std::min(options_.step, options_.duration.value_or(forever)));
  }
  show_step();
  deliver();
  bool over = is_over(stretch_end);
  while (!over) {
    const double before = motion_.t();
    std::copy(motion_.qd().begin(), motion_.qd().end(), slowest_.begin());
    const double target = ends_.next(before, stretch_end);
    const double bound = std::max(target, std::min(stretch_end, ends_.end()));
    co_await motion_.advance(target, bound);
    ++targets_;
    result_.steps = has_fixed_step(options_.integrator) ? targets_ : motion_.adaptive_steps();
    stepped_ = length_of_step(before);
    check_passage();
    note_peaks();
    if (finer_ && !motion_.limit() && motion_.t() == target) {
      co_await finer_->advance(target, bound);
      finer_->compare(motion_);
    }
    if (motion_.t() == stretch_end) stretch_end = co_await begin_stretch();
    over = is_over(stretch_end);
    if (has_turned() || over || is_check_due(targets_)) check_step(stepped_);
    show_step();
    if (over || targets_ % options_.every == 0) deliver();
  }
}

bool Simulation::is_over(double stretch_end) {
  if (motion_.limit()) {
    result_.end = SimulationEnd::limit;
    return true;
  }
  if (motion_.t() >= ends_.end()) return true;
  // An input that a signal has cut off looks as if it had ended.
  if (!options_.stop || !options_.stop()) return !options_.duration && stretch_end == forever;
  result_.end = SimulationEnd::stopped;
  return true;
}

Task<double> Simulation::begin_stretch() {
  const double end = input_.begin_stretch(motion_.t(), motion_.q(), motion_.qd());
  const double known = options_.duration ? ends_.end() : end;
  if (known != forever) {
    limits_of_input::require_countable(known - motion_.t(), options_.step, options_.max_steps,
                                       "steps", "lengthen --step");
  }
  co_await motion_.enter_stretch();
  if (finer_) co_await finer_->enter_stretch();
  co_return end;
}

SimulationRow Simulation::row() const {
  return {motion_.t(), motion_.q(), motion_.qd(), motion_.qdd(), motion_.tau(), motion_.hand()};
}

void Simulation::show_step() {
  if (options_.each_step) options_.each_step(row());
}

void Simulation::deliver() {
  ++result_.rows;
  sink_(row());
}

/// The user's number, unless the step was shortened.
double Simulation::length_of_step(double before) const {
  const double length = motion_.t() - before;
  const double rounded = time_rounding * std::max(std::abs(motion_.t()), options_.step);
  return std::abs(length - options_.step) <= rounded ? options_.step : length;
}

/// Whether a joint turned back, set out or stopped in the last step. Puts the smallest speeds of
/// that step into `slowest_`, which holds those before it.
bool Simulation::has_turned() {
  bool any = false;
  const std::span<const double> qd = motion_.qd();
  for (std::size_t i = 0; i < qd.size(); ++i) {
    const double before = slowest_[i], now = qd[i];
    const bool turned = before != now && !(before * now > 0.0);
    slowest_[i] = turned ? 0.0 : now;
    any = any || turned;
  }
  return any;
}

void Simulation::note_peaks() {
  const std::span<const double> qd = motion_.qd();
  for (std::size_t i = 0; i < qd.size(); ++i) {
    const double speed = std::abs(qd[i]);
    if (speed > peaks_[i].value) peaks_[i] = {speed, motion_.t()};
  }
}

void Simulation::check_step(double step) {
  if (!has_fixed_step(options_.integrator)) return;
  note(check_(motion_.q(), slowest_, step));
}

/// By a step that began with the speeds in `slowest_`.
void Simulation::check_passage() {
  if (has_fixed_step(options_.integrator) && stepped_ > 0.0) {
    note(check_.passage(slowest_, motion_.qd(), stepped_));
  }
}

void Simulation::note(std::optional<CoarseStep> coarse) {
  if (!coarse || !coarse->is_worse_than(result_.coarse_step)) return;
  coarse->t = motion_.t();
  result_.coarse_step = coarse;
}

void Simulation::finish() {
  result_.t = motion_.t();
  motion_.audit(result_.energy);
  result_.joints = motion_.history();
  for (std::size_t i = 0; i < peaks_.size(); ++i) result_.joints[i].peak_speed = peaks_[i];
  result_.limit = motion_.limit();
  if (finer_) result_.error = finer_->estimate();
}

SimulationResult simulate(const Arm& arm, std::span<const Limits> limits,
                          std::span<const double> q0, std::span<const double> qd0,
                          TorqueInput& input, const SimulationOptions& options,
                          const RowSink& sink) {
  if (q0.size() != arm.dof() || qd0.size() != arm.dof()) {
    throw std::invalid_argument("q0 and qd0 need one entry per joint");
  }
  require_sound(options);
  Plant plant(arm, limits, options.forward.value_or(fastest_method(arm.dof())));
  Lanes<OneLane> alone(plant, OneLane(plant));
  Simulation simulation(plant, alone, input, options, q0, qd0, sink);
  simulation.start();
  while (simulation.is_waiting()) simulation.answer_and_resume();
  return simulation.result();
}

}  // namespace armdyn
