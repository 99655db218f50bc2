#include <fmt/format.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/bound.hpp"
#include "math/finite.hpp"
#include "math/require.hpp"
#include "model/limits_of_input.hpp"
#include "simulation/lanes.hpp"
#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/task.hpp"

namespace armdyn {

namespace {

/// Tests whether a step changes a time near `start`.
bool is_noticeable(double step, double start) {
  return step >= time_rounding * std::abs(start);
}

std::string advice(const std::optional<CoarseStep>& coarse, const SimulationOptions& options) {
  const bool is_of_motion = !coarse || coarse->is_of_speed();
  if (is_of_motion && !options.if_it_diverges.empty()) return options.if_it_diverges;
  if (!has_fixed_step(options.integrator)) {
    return "look for a torque that nothing opposes, or for limits that are ignored";
  }
  if (coarse) {
    return fmt::format("take steps below {:.2g} s, or an adaptive integrator",
                       outward(coarse->advised, Bound::lower, 2));
  }
  return "look for a torque that nothing opposes, or take shorter steps";
}

SimulationOptions finer(SimulationOptions options) {
  options.tolerance = std::max(0.01 * options.tolerance, 1e-15);  // which doubles can hold
  options.stop_at_limits = false;  // the simulation itself decides on its end
  return options;
}

/// One simulation from its beginning to its end, which stops wherever it has to know something of
/// the arm's dynamics: the plant answers one by one, a batch those of many simulations at once.
///
///   for (simulation.start(); simulation.is_waiting(); simulation.resume()) {
///     … answer simulation.pending() …
///   }
class Simulation : boost::noncopyable {
 public:
  /// All are referred to, but the options and the initial state.
  Simulation(Plant& plant, Lanes<OneLane>& alone, TorqueInput& input,
             const SimulationOptions& options, std::span<const double> q0,
             std::span<const double> qd0, const RowSink& sink)
      : options_(options),
        sink_(sink),
        plant_(plant),
        alone_(alone),
        input_(input),
        motion_(plant, alone, requester_, input, options, q0, qd0),
        check_(plant, options.integrator),
        ends_(options),
        slowest_(qd0.begin(), qd0.end()),
        peaks_(plant.dof()),
        run_(run()) {
    if (options.estimate_error) {
      finer_ =
          std::make_unique<Motion>(plant, alone, requester_, input, finer(options), q0, qd0, 0.5);
      error_ = {std::vector<double>(plant.dof()), std::vector<double>(plant.dof())};
    }
  }

  void start() { run_.start(); }
  [[nodiscard]] bool is_waiting() const { return requester_.is_waiting(); }
  [[nodiscard]] const StepRequest& pending() const { return requester_.pending(); }
  /// Goes on after an answer.
  void resume() { requester_.resume(); }
  /// Answers the request by itself.
  void answer_and_resume() { answer(alone_, requester_); }

  /// The result, where it no longer waits. Throws what it has ended with: SimulationFailure, or
  /// what the input or the sink threw.
  [[nodiscard]] SimulationResult result() { return run_.result(); }

 private:
  [[noreturn]] void fail(SimulationEnd end, const std::string& why) {
    result_.end = end;
    if (result_.rows > 0) finish();
    throw SimulationFailure(why, result_);
  }

  [[nodiscard]] std::string at_time(const NumericsError& error) const {
    return fmt::format("at t = {:.6g} s: {}", motion_.t(), error.what());
  }

  [[nodiscard]] std::string what_diverges(const Divergence& error) const {
    const std::string joint = plant_.name(error.joint);
    if (result_.rows == 0) {
      return fmt::format(
          "at t = {:.6g} s the acceleration of {} is not a finite number: an input is too large",
          motion_.t(), joint);
    }
    std::string how = "beyond all numbers";
    if (error.qd && std::isfinite(*error.qd)) {
      how = fmt::format("to {:.3g} {}", std::abs(*error.qd),
                        unit_text(RobotUnit::speed, plant_.kind(error.joint)));
    }
    return fmt::format("the simulation diverges: after t = {:.6g} s the {} of {} grows {}; {}",
                       motion_.t(), error.qd ? "speed" : "acceleration", joint, how,
                       advice(result_.coarse_step, options_));
  }

  Task<SimulationResult> run() {
    if (!is_noticeable(options_.step, options_.start)) {
      fail(
          SimulationEnd::failed,
          fmt::format(
              "a step of {:.3g} s is below the rounding of t = {:.6g} s; take steps above {:.1g} s",
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
      fail(SimulationEnd::failed, fmt::format("the energy up to t = {:.6g} s is not a finite "
                                              "number; the torques or the velocities are too large",
                                              result_.t));
    }
    co_return result_;
  }

  Task<> loop() {
    plant_.require_regular(motion_.q());
    double stretch_end = co_await begin_stretch();
    result_.energy.at_start = plant_.energy(motion_.q(), motion_.qd());
    if (!std::isfinite(result_.energy.at_start)) refuse_not_finite("the energy");
    note_peaks();
    if (!motion_.limit()) {
      check_step(length_of_step(motion_.t(), ends_.next(motion_.t(), stretch_end)));
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
      stepped_ = length_of_step(before, motion_.t());
      check_passage();
      note_peaks();
      if (finer_ && !motion_.limit() && motion_.t() == target) {
        co_await advance_finer(target, bound);
      }
      if (motion_.t() == stretch_end) stretch_end = co_await begin_stretch();
      over = is_over(stretch_end);
      if (has_turned() || over || is_check_due(targets_)) check_step(stepped_);
      show_step();
      if (over || targets_ % options_.every == 0) deliver();
    }
  }

  /// Advances the finer motion, with a fixed step by two, and compares.
  Task<> advance_finer(double target, double bound) {
    if (has_fixed_step(options_.integrator)) {
      const double middle = 0.5 * (finer_->t() + target);
      co_await finer_->advance(middle, bound);
    }
    co_await finer_->advance(target, bound);
    const double factor = options_.integrator == Integrator::rk4     ? 16.0 / 15.0
                          : options_.integrator == Integrator::euler ? 2.0
                                                                     : 100.0 / 99.0;  // (8.14)
    const auto raise = [factor](double& error, double one, double other) {
      error = std::max(error, factor * std::abs(one - other));
    };
    for (std::size_t i = 0; i < plant_.dof(); ++i) {
      raise(error_.q[i], finer_->q()[i], motion_.q()[i]);
      raise(error_.qd[i], finer_->qd()[i], motion_.qd()[i]);
    }
  }

  bool is_over(double stretch_end) {
    if (motion_.limit()) {
      result_.end = SimulationEnd::limit;
      return true;
    }
    if (motion_.t() >= ends_.end()) return true;
    // An input cut off by a signal seems to have ended.
    if (!options_.stop || !options_.stop()) return !options_.duration && stretch_end == forever;
    result_.end = SimulationEnd::stopped;
    return true;
  }

  Task<double> begin_stretch() {
    const double end = input_.begin_stretch(motion_.t(), motion_.q(), motion_.qd());
    if (!(end > motion_.t()) && motion_.t() < ends_.end()) {
      throw NumericsError(
          fmt::format("a stretch of torques ends at {} s, not after it begins", end));
    }
    const double known = options_.duration ? ends_.end() : end;
    if (known != forever) {
      limits_of_input::require_countable(known - motion_.t(), options_.step, options_.max_steps,
                                         "steps", "lengthen --step");
    }
    co_await motion_.enter_stretch();
    if (finer_) co_await finer_->enter_stretch();
    co_return end;
  }

  [[nodiscard]] SimulationRow row() const {
    return {motion_.t(), motion_.q(), motion_.qd(), motion_.qdd(), motion_.tau(), motion_.wrench()};
  }

  void show_step() {
    if (options_.each_step) options_.each_step(row());
  }

  void deliver() {
    ++result_.rows;
    sink_(row());
  }

  /// Length of a step: the user's number, unless it was shortened.
  [[nodiscard]] double length_of_step(double begin, double end) const {
    const double length = end - begin;
    const double rounded = time_rounding * std::max(std::abs(end), options_.step);
    return std::abs(length - options_.step) <= rounded ? options_.step : length;
  }

  /// Tests whether a joint turned back, set out or stopped in the last step. Puts the smallest speeds
  /// of that step into `slowest_`, which holds those before it.
  bool has_turned() {
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

  void note_peaks() {
    const std::span<const double> qd = motion_.qd();
    for (std::size_t i = 0; i < qd.size(); ++i) {
      const double speed = std::abs(qd[i]);
      if (speed > peaks_[i].value) peaks_[i] = {speed, motion_.t()};
    }
  }

  void check_step(double step) {
    if (!has_fixed_step(options_.integrator)) return;
    note(check_(motion_.q(), slowest_, step));
  }

  /// Checks a step that began with the speeds in `slowest_`.
  void check_passage() {
    if (has_fixed_step(options_.integrator) && stepped_ > 0.0) {
      note(check_.passage(slowest_, motion_.qd(), stepped_));
    }
  }

  void note(std::optional<CoarseStep> coarse) {
    if (!coarse || !coarse->is_worse_than(result_.coarse_step)) return;
    coarse->t = motion_.t();
    result_.coarse_step = coarse;
  }

  void finish() {
    result_.t = motion_.t();
    motion_.audit(result_.energy);
    result_.joints = motion_.history();
    for (std::size_t i = 0; i < peaks_.size(); ++i) result_.joints[i].peak_speed = peaks_[i];
    result_.limit = motion_.limit();
    if (finer_) result_.error = error_;
  }

  SimulationOptions options_;
  const RowSink& sink_;
  Plant& plant_;
  Lanes<OneLane>& alone_;
  TorqueInput& input_;
  StepRequester requester_;
  Motion motion_;
  StepCheck check_;
  StepEnds ends_;
  /// The same arm at half the step; for an adaptive integrator, at a hundredth of the tolerance and
  /// with half of what else bounds its steps (eq. 8.14).
  std::unique_ptr<Motion> finer_;
  ErrorEstimate error_;
  std::size_t targets_ = 0;  ///< reached
  double stepped_ = 0.0;
  std::vector<double> slowest_;  ///< q̇ for which a step is checked
  std::vector<TimedValue> peaks_;
  SimulationResult result_;
  Task<SimulationResult> run_;
};

// Many runs of one arm.

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<TorqueInput> input_of(const BatchRun& run) {
  if (run.input) return run.input();
  return std::make_unique<ConstantTorque>(run.tau, run.wrench);
}

}  // namespace

/// Settings common to all runs.
struct Setup {
  Setup(const Arm& given, const SimulationOptions& wanted)
      : arm(given),
        options(wanted),
        method(options.method.value_or(fastest_method(arm.dof()))),
        dynamics(arm, method),
        can_stick(has_dry_friction(arm)) {
    require_limits(arm, options.limits);
    require(!options.estimate_error, "a batch does not estimate errors");
    require_sound(options);
    options.each_step = nullptr;
  }

  /// Tests whether blocks answer requests: adaptive integrators make none, and strobing has no
  /// program.
  [[nodiscard]] bool has_blocks() const {
    return has_fixed_step(options.integrator) && method != ForwardMethod::strobe;
  }
  /// Number of runs that fill the blocks; where joints may stick twice as many, for a block with
  /// sticking joints and one without.
  [[nodiscard]] std::size_t lanes() const {
    if (!has_blocks()) return 1;
    return (can_stick ? 2 : 1) * rows_at_a_time();
  }

  Arm arm;
  SimulationOptions options;
  ForwardMethod method;
  BlockForwardDynamics dynamics;
  bool can_stick;  ///< some joint
};

namespace {

/// A run under way.
struct Run {
  Run(Plant& plant, Lanes<OneLane>& alone, const SimulationOptions& options, const BatchRun& run,
      RowSink sink, BatchResult& its_result)
      : input(input_of(run)),
        rows(std::move(sink)),
        result(its_result),
        simulation(plant, alone, *input, options, run.q0, run.qd0, rows) {}

  std::unique_ptr<TorqueInput> input;
  RowSink rows;
  BatchResult& result;
  Simulation simulation;
};

/// Runs of one call: gathers what they ask, answers it by blocks, and lets them go on.
class Batch {
 public:
  Batch(Setup& setup, std::span<const BatchRun> runs, const BatchSink& sink)
      : setup_(setup),
        runs_(runs),
        sink_(sink),
        plant_(setup.arm, setup.options.limits, setup.method),
        alone_(plant_, OneLane(plant_)),
        lanes_(plant_, ManyLanes(setup.dynamics)),
        results_(runs.size()) {}

  std::vector<BatchResult> run() {
    const std::size_t lanes = setup_.lanes();
    for (std::size_t next = 0;;) {
      while (next < runs_.size() && under_way_ < lanes) start(next++);
      if (under_way_ == 0) return std::move(results_);
      answer_most();
    }
  }

 private:
  using Waiting = std::unique_ptr<Run>;

  void start(std::size_t index) {
    const BatchRun& given = runs_[index];
    BatchResult& result = results_[index];
    result.t = given.start;
    result.q = given.q0;
    result.qd = given.qd0;
    result.qdd.assign(setup_.arm.dof(), unknown);
    result.tau = given.input ? result.qdd : given.tau;
    result.wrench = given.wrench;
    if (stopped_) {
      result.end = SimulationEnd::stopped;
      return;
    }
    SimulationOptions options = setup_.options;
    options.start = given.start;
    if (options.stop) {
      options.stop = [this] { return stopped_ = stopped_ || setup_.options.stop(); };
    }
    options.each_step = [&result](const SimulationRow& row) {
      result.t = row.t;
      result.wrench = row.wrench;
      std::ranges::copy(row.q, result.q.begin());
      std::ranges::copy(row.qd, result.qd.begin());
      std::ranges::copy(row.qdd, result.qdd.begin());
      std::ranges::copy(row.tau, result.tau.begin());
    };
    const auto sink = [this, index](const SimulationRow& row) {
      if (sink_) sink_(index, row);
    };
    auto started = std::make_unique<Run>(plant_, alone_, options, given, sink, result);
    started->simulation.start();
    ++under_way_;
    queue(std::move(started));
  }

  /// Reads the end of a run; without a step, the state stays as it is.
  static void read_end(Run& run) {
    BatchResult& result = run.result;
    const double t = result.t;
    SimulationResult& found = result;
    try {
      found = run.simulation.result();
    } catch (const SimulationFailure& failure) {
      found = failure.result();
      result.failure = failure.what();
    }
    result.t = t;
  }

  /// Puts a run to those that ask for the same. What no block answers, it gets at once.
  void queue(Waiting waiting) {
    Simulation& simulation = waiting->simulation;
    while (simulation.is_waiting() && !has_block(simulation.pending())) {
      simulation.answer_and_resume();
    }
    if (!simulation.is_waiting()) {
      --under_way_;
      read_end(*waiting);
      return;
    }
    waiting_[static_cast<std::size_t>(simulation.pending().of)].push_back(std::move(waiting));
  }

  [[nodiscard]] bool has_block(const StepRequest& request) const {
    return setup_.has_blocks() && is_free(request.step->now->wrench);
  }

  /// Answers what most runs ask, as many as a block takes.
  void answer_most() {
    std::vector<Waiting>& waiting = *std::ranges::max_element(waiting_, {}, std::ranges::size);
    const auto end =
        waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), lanes_.capacity()));
    answered_.assign(std::move_iterator(waiting.begin()), std::move_iterator(end));
    waiting.erase(waiting.begin(), end);
    steps_.clear();
    for (const Waiting& one : answered_) steps_.push_back(one->simulation.pending().step);
    bool is_answered = true;
    try {
      answer(lanes_, answered_.front()->simulation.pending().of, steps_);
    } catch (const NumericsError&) {  // one of the requests has no answer
      is_answered = false;
    }
    for (Waiting& one : answered_) {
      Simulation& simulation = one->simulation;
      const bool is_done = is_answered && !simulation.pending().step->is_touched;
      is_done ? simulation.resume() : simulation.answer_and_resume();
      queue(std::move(one));
    }
  }

  Setup& setup_;
  std::span<const BatchRun> runs_;
  const BatchSink& sink_;
  Plant plant_;
  Lanes<OneLane> alone_;
  Lanes<ManyLanes> lanes_;
  std::array<std::vector<Waiting>, StepRequest::kinds> waiting_;
  std::vector<Waiting> answered_;
  std::vector<MotionStep*> steps_;
  std::size_t under_way_ = 0;
  bool stopped_ = false;
  std::vector<BatchResult> results_;
};

}  // namespace

SimulationResult simulate(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
                          TorqueInput& input, const SimulationOptions& options,
                          const RowSink& sink) {
  require(q0.size() == arm.dof() && qd0.size() == arm.dof(), "q0 and qd0 need one entry per joint");
  require_sound(options);
  Plant plant(arm, options.limits, options.method.value_or(fastest_method(arm.dof())));
  Lanes<OneLane> alone(plant, OneLane(plant));
  Simulation simulation(plant, alone, input, options, q0, qd0, sink);
  simulation.start();
  while (simulation.is_waiting()) simulation.answer_and_resume();
  return simulation.result();
}

struct BatchSimulation::Workspace : Setup {
  using Setup::Setup;
};

BatchSimulation::BatchSimulation(const Arm& arm, const SimulationOptions& options)
    : workspace_(std::in_place, arm, options) {}

std::size_t BatchSimulation::lanes() const {
  return workspace_->lanes();
}

std::vector<BatchResult> BatchSimulation::operator()(std::span<const BatchRun> runs,
                                                     const BatchSink& sink) {
  const std::size_t n = workspace_->arm.dof();
  for (const BatchRun& run : runs) {
    require(run.q0.size() == n && run.qd0.size() == n, "q0 and qd0 need one entry per joint");
    require(run.input || run.tau.size() == n, "torques need one entry per joint");
  }
  return Batch(*workspace_, runs, sink).run();
}

}  // namespace armdyn
