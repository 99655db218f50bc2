#include <armdyn/simulation.hpp>

#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "simulation/plant.hpp"
#include "simulation/simulation.hpp"
#include "simulation/task.hpp"

namespace armdyn {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<TorqueInput> input_of(const BatchRun& run) {
  if (run.input) return run.input();
  return std::make_unique<ConstantTorque>(run.tau, run.hand);
}

/// What all runs have in common.
struct Setup {
  Setup(const Arm& given, std::span<const Limits> of_joints, const SimulationOptions& wanted)
      : arm(given),
        limits(of_joints.begin(), of_joints.end()),
        options(wanted),
        method(options.forward.value_or(fastest_method(arm.dof()))),
        dynamics(arm, method),
        can_stick(has_dry_friction(arm)) {
    require(limits.empty() || limits.size() == arm.dof(),
            "limits need one entry per joint, or none");
    require(!options.estimate_error, "a batch does not estimate errors");
    require_sound(options);
    options.each_step = nullptr;
  }

  /// Adaptive integrators do not wait for answers, and strobing has no program.
  [[nodiscard]] bool has_blocks() const {
    return has_fixed_step(options.integrator) && method != ForwardMethod::strobe;
  }
  /// Runs that make the blocks full, on which the machine goes; where joints may stick twice as
  /// many, so that a block of those with sticking joints and one of those without come together.
  [[nodiscard]] std::size_t lanes() const {
    if (!has_blocks()) return 1;
    return (can_stick ? 2 : 1) * rows_at_a_time();
  }

  Arm arm;
  std::vector<Limits> limits;
  SimulationOptions options;
  ForwardMethod method;
  BlockForwardDynamics dynamics;
  bool can_stick;  ///< some joint
};

/// One run on its way.
class Run {
 public:
  Run(Plant& plant, Lanes<OneLane>& alone, const SimulationOptions& options, const BatchRun& run,
      RowSink rows, BatchResult& result)
      : input_(input_of(run)),
        rows_(std::move(rows)),
        result_(result),
        simulation_(plant, alone, *input_, noting_steps(options), run.q0, run.qd0, rows_) {}

  [[nodiscard]] Simulation& simulation() { return simulation_; }

  /// How it has ended; the state stays as it is where there was no step.
  void read_end() {
    const double t = result_.t;
    SimulationResult& found = result_;
    try {
      found = simulation_.result();
    } catch (const SimulationFailure& failure) {
      found = failure.result();
      result_.failure = failure.what();
    }
    result_.t = t;
  }

 private:
  SimulationOptions noting_steps(SimulationOptions options) {
    options.each_step = [this](const SimulationRow& row) {
      result_.t = row.t;
      result_.hand = row.hand;
      std::ranges::copy(row.q, result_.q.begin());
      std::ranges::copy(row.qd, result_.qd.begin());
      std::ranges::copy(row.qdd, result_.qdd.begin());
      std::ranges::copy(row.tau, result_.tau.begin());
    };
    return options;
  }

  std::unique_ptr<TorqueInput> input_;
  RowSink rows_;
  BatchResult& result_;
  Simulation simulation_;
};

/// Runs of one call: gathers what they ask, answers it by blocks, and lets them go on.
class Batch {
 public:
  Batch(Setup& setup, std::span<const BatchRun> runs, const BatchSink& sink)
      : setup_(setup),
        runs_(runs),
        sink_(sink),
        plant_(setup.arm, setup.limits, setup.method),
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
    result.hand = given.hand;
    if (stopped_) {
      result.end = SimulationEnd::stopped;
      return;
    }
    auto started =
        std::make_unique<Run>(plant_, alone_, options_of(index), given, sink_of(index), result);
    started->simulation().start();
    ++under_way_;
    queue(std::move(started));
  }

  SimulationOptions options_of(std::size_t index) {
    SimulationOptions options = setup_.options;
    options.start = runs_[index].start;
    if (setup_.options.stop) {
      options.stop = [this] {
        stopped_ = stopped_ || setup_.options.stop();
        return stopped_;
      };
    }
    return options;
  }

  RowSink sink_of(std::size_t index) {
    return [this, index](const SimulationRow& row) {
      if (sink_) sink_(index, row);
    };
  }

  /// Puts a run to those that ask for the same. What no block answers, it is told at once.
  void queue(Waiting asking) {
    Simulation& simulation = asking->simulation();
    while (simulation.is_waiting() && !has_block(simulation.question())) {
      simulation.answer_and_resume();
    }
    if (!simulation.is_waiting()) {
      --under_way_;
      asking->read_end();
      return;
    }
    waiting_[static_cast<std::size_t>(simulation.question().of)].push_back(std::move(asking));
  }

  [[nodiscard]] bool has_block(const Question& question) const {
    return setup_.has_blocks() && is_free(question.step->now->hand);
  }

  /// Answers what most runs ask, as many as a block takes.
  void answer_most() {
    std::vector<Waiting>& waiting =
        *std::max_element(waiting_.begin(), waiting_.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const auto end =
        waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), lanes_.capacity()));
    answered_.assign(std::move_iterator(waiting.begin()), std::move_iterator(end));
    waiting.erase(waiting.begin(), end);
    steps_.clear();
    for (const Waiting& asking : answered_) steps_.push_back(asking->simulation().question().step);
    const bool is_answered = answer(answered_.front()->simulation().question().of);
    for (Waiting& asking : answered_) {
      Simulation& simulation = asking->simulation();
      if (is_answered && !simulation.question().step->is_touched) {
        simulation.resume();
      } else {
        simulation.answer_and_resume();
      }
      queue(std::move(asking));
    }
  }

  /// False where one of the questions has no answer.
  bool answer(Question::Of of) {
    try {
      if (of == Question::Of::rates) {
        lanes_.evaluate(steps_);
      } else {
        lanes_.take(steps_);
      }
    } catch (const NumericsError&) {
      return false;
    }
    return true;
  }

  Setup& setup_;
  std::span<const BatchRun> runs_;
  const BatchSink& sink_;
  Plant plant_;
  Lanes<OneLane> alone_;
  Lanes<ManyLanes> lanes_;
  std::array<std::vector<Waiting>, Question::kinds> waiting_;
  std::vector<Waiting> answered_;
  std::vector<MotionStep*> steps_;
  std::size_t under_way_ = 0;
  bool stopped_ = false;
  std::vector<BatchResult> results_;
};

}  // namespace

struct BatchSimulation::Workspace : Setup {
  using Setup::Setup;
};

BatchSimulation::BatchSimulation(const Arm& arm, std::span<const Limits> limits,
                                 const SimulationOptions& options)
    : workspace_(std::in_place, arm, limits, options) {}

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
