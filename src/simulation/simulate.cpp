#include <armdyn/simulation.hpp>

#include <armdyn/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "simulation/coarse_step.hpp"
#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/step_ends.hpp"

namespace armdyn {

namespace {

/// Often at the beginning, then regularly.
bool is_check_due(std::size_t steps) {
  return std::has_single_bit(steps) || steps % 250 == 0;
}

/// The same arm at half the step, or a tenth of the tolerance, beside the simulation.
class Companion {
 public:
  Companion(Plant& plant, TorqueInput& input, const SimulationOptions& options,
            std::span<const double> q0, std::span<const double> qd0)
      : halves_(options.integrator == Integrator::rk4),
        motion_(plant, input, finer(options), q0, qd0),
        estimate_{std::vector<double>(plant.dof()), std::vector<double>(plant.dof())} {}

  void enter_stretch() { motion_.enter_stretch(); }

  void advance(double target) {
    if (halves_) motion_.advance(0.5 * (motion_.t() + target));
    motion_.advance(target);
  }

  void compare(const Motion& other) {
    for (std::size_t i = 0; i < estimate_.q.size(); ++i) {
      estimate_.q[i] = std::max(estimate_.q[i], std::abs(motion_.q()[i] - other.q()[i]));
      estimate_.qd[i] = std::max(estimate_.qd[i], std::abs(motion_.qd()[i] - other.qd()[i]));
    }
  }

  [[nodiscard]] const ErrorEstimate& estimate() const { return estimate_; }

 private:
  static SimulationOptions finer(SimulationOptions options) {
    options.tolerance *= 0.1;
    options.stop_at_limits = false;  // the simulation itself decides where it ends
    return options;
  }

  bool halves_;
  Motion motion_;
  ErrorEstimate estimate_;
};

std::string advice(const std::optional<CoarseStep>& coarse, const SimulationOptions& options) {
  if (options.integrator != Integrator::rk4) {
    return "look for a torque that nothing opposes, or for limits that are ignored";
  }
  if (coarse) {
    return fmt::format("take steps below {:.2g} s, or an adaptive integrator", coarse->advised);
  }
  return "look for a torque that nothing opposes, or take shorter steps";
}

class Simulation {
 public:
  Simulation(const Arm& arm, std::span<const Limits> limits, std::span<const double> q0,
             std::span<const double> qd0, TorqueInput& input, const SimulationOptions& options,
             const RowSink& sink)
      : options_(options),
        sink_(sink),
        input_(input),
        plant_(arm, limits, options.forward.value_or(fastest_method(arm.dof()))),
        motion_(plant_, input, options, q0, qd0),
        check_(plant_),
        ends_(options),
        slowest_(qd0.begin(), qd0.end()),
        peaks_(arm.dof()) {
    if (options.estimate_error) companion_.emplace(plant_, input, options, q0, qd0);
  }

  SimulationResult run() {
    try {
      loop();
    } catch (const Divergence& error) {
      check_step(stepped_);
      throw NumericsError(
          fmt::format("the simulation diverges: after t = {:.6g} s the speed of joint {} grows to "
                      "{:.3g} {}; {}",
                      motion_.t(), error.joint + 1, std::abs(error.qd),
                      plant_.is_revolute(error.joint) ? "rad/s" : "m/s",
                      advice(result_.coarse_step, options_)));
    } catch (const NumericsError& error) {
      throw NumericsError(fmt::format("at t = {:.6g} s: {}", motion_.t(), error.what()));
    }
    return finish();
  }

 private:
  void loop() {
    plant_.require_regular(motion_.q());
    double stretch_end = begin_stretch();
    result_.energy.at_start = plant_.energy(motion_.q(), motion_.qd());
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
      motion_.advance(target);
      ++result_.steps;
      stepped_ = motion_.t() - before;
      note_peaks();
      if (companion_ && !motion_.limit()) {
        companion_->advance(target);
        companion_->compare(motion_);
      }
      if (motion_.t() == stretch_end) stretch_end = begin_stretch();
      over = is_over(stretch_end);
      if (has_turned() || over || is_check_due(result_.steps)) check_step(stepped_);
      show_step();
      if (over || result_.steps % options_.every == 0) deliver();
    }
  }

  bool is_over(double stretch_end) {
    if (motion_.limit()) {
      result_.end = SimulationEnd::limit;
      return true;
    }
    if (motion_.t() >= ends_.end() || (!options_.duration && stretch_end == forever)) return true;
    if (!options_.stop || !options_.stop()) return false;
    result_.end = SimulationEnd::stopped;
    return true;
  }

  double begin_stretch() {
    const double end = input_.begin_stretch(motion_.t(), motion_.q(), motion_.qd());
    motion_.enter_stretch();
    if (companion_) companion_->enter_stretch();
    return end;
  }

  [[nodiscard]] SimulationRow row() const {
    return {motion_.t(), motion_.q(), motion_.qd(), motion_.qdd(), motion_.tau(), motion_.hand()};
  }

  void show_step() {
    if (options_.each_step) options_.each_step(row());
  }

  void deliver() {
    ++result_.rows;
    sink_(row());
  }

  /// Whether a joint turned back, set out or stopped in the last step. Puts the smallest speeds of
  /// that step into `slowest_`, which holds those before it.
  bool has_turned() {
    bool any = false;
    for (std::size_t i = 0; i < slowest_.size(); ++i) {
      const double before = slowest_[i], now = motion_.qd()[i];
      const bool turned = before != now && !(before * now > 0.0);
      slowest_[i] = turned ? 0.0 : now;
      any = any || turned;
    }
    return any;
  }

  void note_peaks() {
    for (std::size_t i = 0; i < peaks_.size(); ++i) {
      const double speed = std::abs(motion_.qd()[i]);
      if (speed > peaks_[i].value) peaks_[i] = {speed, motion_.t()};
    }
  }

  void check_step(double step) {
    if (options_.integrator != Integrator::rk4) return;
    std::optional<CoarseStep> coarse = check_(motion_.q(), slowest_, step);
    if (!coarse || (result_.coarse_step && coarse->rate <= result_.coarse_step->rate)) return;
    coarse->t = motion_.t();
    result_.coarse_step = coarse;
  }

  SimulationResult finish() {
    result_.t = motion_.t();
    result_.energy.at_end = plant_.energy(motion_.q(), motion_.qd());
    result_.energy.work = motion_.work();
    result_.energy.hand_work = motion_.hand_work();
    result_.energy.losses = motion_.losses();
    result_.joints = motion_.history();
    for (std::size_t i = 0; i < peaks_.size(); ++i) result_.joints[i].peak_speed = peaks_[i];
    result_.limit = motion_.limit();
    if (companion_) result_.error = companion_->estimate();
    return result_;
  }

  SimulationOptions options_;
  const RowSink& sink_;
  TorqueInput& input_;
  Plant plant_;
  Motion motion_;
  StepCheck check_;
  StepEnds ends_;
  std::optional<Companion> companion_;
  double stepped_ = 0.0;
  std::vector<double> slowest_;  ///< q̇ for which a step is held against the arm
  std::vector<TimedValue> peaks_;
  SimulationResult result_;
};

void require_noticeable_step(const SimulationOptions& options) {
  if (is_noticeable(options.step, options.start)) return;
  throw NumericsError(
      fmt::format("a step of {:.3g} s is lost beside t = {:.6g} s; take steps above {:.1g} s",
                  options.step, options.start, time_rounding * std::abs(options.start)));
}

}  // namespace

SimulationResult simulate(const Arm& arm, std::span<const Limits> limits,
                          std::span<const double> q0, std::span<const double> qd0,
                          TorqueInput& input, const SimulationOptions& options,
                          const RowSink& sink) {
  if (q0.size() != arm.dof() || qd0.size() != arm.dof()) {
    throw std::invalid_argument("q0 and qd0 need one entry per joint");
  }
  require_sound(options);
  require_noticeable_step(options);
  return Simulation(arm, limits, q0, qd0, input, options, sink).run();
}

}  // namespace armdyn
