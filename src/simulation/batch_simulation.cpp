#include <armdyn/batch_simulation.hpp>

#include <armdyn/error.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "simulation/coarse_step.hpp"
#include "simulation/lanes.hpp"
#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/step_ends.hpp"

namespace armdyn {

namespace {

constexpr std::size_t steps_between_checks = 250;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

std::vector<double> copied(std::span<const double> values) {
  return {values.begin(), values.end()};
}

std::unique_ptr<TorqueInput> input_of(const BatchRun& run) {
  if (run.input) return run.input();
  return std::make_unique<ConstantTorque>(run.tau, run.hand);
}

/// What all runs have in common.
struct Setup {
  Arm arm;
  std::vector<Limits> limits;
  SimulationOptions options;
  ForwardMethod method;
  BlockForwardDynamics dynamics;
  bool can_stick;  ///< some joint

  [[nodiscard]] bool has_lanes() const {
    return options.integrator == Integrator::rk4 && method != ForwardMethod::strobe;
  }
  /// Runs that make the blocks full, on which the machine goes; twice as many where some may stick.
  [[nodiscard]] std::size_t lanes() const {
    if (!has_lanes()) return 1;
    return (can_stick ? 2 : 1) * rows_at_a_time();
  }
  [[nodiscard]] SimulationOptions options_of(const BatchRun& run) const {
    SimulationOptions result = options;
    result.start = run.start;
    return result;
  }
};

/// One run on its way, taken by its Motion while it does not ride in a lane.
struct Rider {
  Rider(Plant& plant, const SimulationOptions& options, const BatchRun& run, std::size_t which)
      : index(which),
        input(input_of(run)),
        varies(static_cast<bool>(run.input)),
        ends(options),
        motion(plant, *input, options, run.q0, run.qd0) {}

  std::size_t index;
  std::unique_ptr<TorqueInput> input;
  bool varies;  ///< the torques do, with time or state
  StepEnds ends;
  Motion motion;
  double stretch_end = 0.0;
  BatchResult result;
  std::size_t rows = 0;  ///< delivered
};
using RiderPtr = std::unique_ptr<Rider>;

/// Lanes and who rides in them.
struct Deck {
  Deck(const Setup& setup, Plant& plant, Lanes::Joints joints)
      : lanes(setup.arm, plant, setup.dynamics, joints, setup.options.stop_at_limits,
              setup.lanes()) {}

  Lanes lanes;
  std::vector<RiderPtr> riders;  ///< one per lane
};

/// Runs of one call. They set out one by one, ride in lanes, leave them for a step or more where
/// something happens, and get off at their ends, where others get on.
class Batch {
 public:
  Batch(const Setup& setup, std::span<const BatchRun> runs, const BatchSink& sink)
      : setup_(setup),
        options_(setup.options),
        runs_(runs),
        sink_(sink),
        plant_(setup.arm, setup.limits, setup.method),
        check_(plant_),
        free_(setup, plant_, Lanes::Joints::free),
        stuck_(setup, plant_, Lanes::Joints::stuck),
        y_(2 * setup.arm.dof() + 3),
        q_(setup.arm.dof()),
        qd_(setup.arm.dof()),
        qdd_(setup.arm.dof()),
        tau_(setup.arm.dof()),
        results_(runs.size()) {}

  std::vector<BatchResult> run() {
    for (std::size_t next = 0;;) {
      while (next < runs_.size() && riding() < setup_.lanes()) set_out(next++);
      if (riding() == 0) return std::move(results_);
      step(free_);
      step(stuck_);
    }
  }

 private:
  // --- as simulate() does it, one run at a time

  void set_out(std::size_t index) {
    if (stopped_ || !setup_.has_lanes()) return simulate_whole(index, 0);
    const BatchRun& run = runs_[index];
    const SimulationOptions options = setup_.options_of(run);
    if (!is_noticeable(options.step, options.start)) return simulate_whole(index, 0);
    auto rider = std::make_unique<Rider>(plant_, options, run, index);
    const Motion& motion = rider->motion;
    try {
      plant_.require_regular(motion.q());
      begin_stretch(*rider);
      rider->result.energy.at_start = plant_.energy(motion.q(), motion.qd());
      if (!motion.limit()) {
        check(*rider, motion.t(), motion.q(), motion.qd(),
              std::min(options.step, options.duration.value_or(forever)));
      }
      if (is_over(*rider)) return;
    } catch (const NumericsError&) {
      return give_up(std::move(rider));
    }
    go_on(std::move(rider));
  }

  void begin_stretch(Rider& rider) {
    Motion& motion = rider.motion;
    rider.stretch_end = rider.input->begin_stretch(motion.t(), motion.q(), motion.qd());
    motion.enter_stretch();
  }

  /// Takes the rider on by its Motion until it can board a lane, or its run is over.
  void go_on(RiderPtr rider) {
    try {
      while (!is_free(rider->motion.hand())) {
        if (takes_last_step(*rider)) return;
      }
      board(std::move(rider));
    } catch (const NumericsError&) {
      give_up(std::move(rider));
    }
  }

  /// A step by the Motion.
  bool takes_last_step(Rider& rider) {
    Motion& motion = rider.motion;
    const double before = motion.t();
    std::copy(motion.qd().begin(), motion.qd().end(), qd_.begin());
    motion.advance(rider.ends.next(before, rider.stretch_end));
    ++rider.result.steps;
    const double step = motion.t() - before;
    if (step > 0.0) note(rider, motion.t(), check_.passage(qd_, motion.qd(), step));
    if (motion.t() == rider.stretch_end) begin_stretch(rider);
    stopped_ = stopped_ || (options_.stop && options_.stop());
    return is_over_after(rider, step);
  }

  [[nodiscard]] bool is_complete(const Rider& rider, double t) const {
    return t >= rider.ends.end() || (!options_.duration && rider.stretch_end == forever);
  }
  [[nodiscard]] bool ends(const Rider& rider) const {
    return rider.motion.limit() || stopped_ || is_complete(rider, rider.motion.t());
  }

  /// Holds a step against the arm, where that is due.
  void check(Rider& rider, double t, std::span<const double> q, std::span<const double> qd,
             double step) {
    note(rider, t, check_(q, qd, step));
  }
  static void note(Rider& rider, double t, std::optional<CoarseStep> coarse) {
    std::optional<CoarseStep>& worst = rider.result.coarse_step;
    if (!coarse || !coarse->is_worse_than(worst)) return;
    coarse->t = t;
    worst = coarse;
  }
  static bool is_check_due(const Rider& rider) {
    return rider.result.steps % steps_between_checks == 0;
  }
  [[nodiscard]] bool is_row_due(const Rider& rider) const {
    return sink_ && rider.result.steps % options_.every == 0;
  }

  /// What there is to do when the Motion has taken a step of that length.
  bool is_over_after(Rider& rider, double step) {
    const Motion& motion = rider.motion;
    if (ends(rider) || is_check_due(rider)) {
      check(rider, motion.t(), motion.q(), motion.qd(), step);
    }
    return is_over(rider);
  }

  /// Delivers the state; where it is the last one, true, and the result is known.
  bool is_over(Rider& rider) {
    const Motion& motion = rider.motion;
    if (sink_ && (ends(rider) || is_row_due(rider))) {
      deliver(rider,
              {motion.t(), motion.q(), motion.qd(), motion.qdd(), motion.tau(), motion.hand()});
    }
    if (!ends(rider)) return false;
    BatchResult& result = rider.result;
    result.end = motion.limit()                              ? SimulationEnd::limit
                 : stopped_ && motion.t() < rider.ends.end() ? SimulationEnd::stopped
                                                             : SimulationEnd::complete;
    result.t = motion.t();
    result.q = copied(motion.q());
    result.qd = copied(motion.qd());
    result.qdd = copied(motion.qdd());
    result.tau = copied(motion.tau());
    result.hand = motion.hand();
    motion.audit(result.energy);
    result.limit = motion.limit();
    results_[rider.index] = std::move(result);
    return true;
  }

  void deliver(Rider& rider, const SimulationRow& row) {
    sink_(rider.index, row);
    ++rider.rows;
  }

  void give_up(RiderPtr rider) { simulate_whole(rider->index, rider->rows); }

  /// By simulate() from the beginning: for what has no lanes, and for what it has to say where the
  /// numerics fail. The first `delivered` rows are known.
  void simulate_whole(std::size_t index, std::size_t delivered) {
    const BatchRun& run = runs_[index];
    BatchResult& result = results_[index];
    result.t = run.start;
    result.q = run.q0;
    result.qd = run.qd0;
    result.qdd.assign(setup_.arm.dof(), unknown);
    result.tau = run.input ? result.qdd : run.tau;
    result.hand = run.hand;
    if (stopped_) {
      result.end = SimulationEnd::stopped;
      return;
    }
    SimulationOptions options = setup_.options_of(run);
    options.every = 1;
    std::size_t rows = 0, steps = 0;
    bool is_delivered = true;
    const auto hand_on = [&](const SimulationRow& row) {
      is_delivered = true;
      if (sink_ && rows++ >= delivered) sink_(index, row);
    };
    const auto keep = [&](const SimulationRow& row) {
      result.t = row.t;
      result.q = copied(row.q);
      result.qd = copied(row.qd);
      result.qdd = copied(row.qdd);
      result.tau = copied(row.tau);
      result.hand = row.hand;
      is_delivered = false;
      if (steps++ % options_.every == 0) hand_on(row);
    };
    const auto keep_found = [&](const SimulationResult& found) {
      result.end = found.end;
      result.steps = found.steps;
      result.energy = found.energy;
      result.limit = found.limit;
      result.coarse_step = found.coarse_step;
    };
    try {
      const std::unique_ptr<TorqueInput> input = input_of(run);
      const SimulationResult found =
          simulate(setup_.arm, setup_.limits, run.q0, run.qd0, *input, options, keep);
      if (!is_delivered) {
        hand_on({result.t, result.q, result.qd, result.qdd, result.tau, result.hand});
      }
      keep_found(found);
      stopped_ = stopped_ || found.end == SimulationEnd::stopped;
    } catch (const SimulationFailure& failure) {
      keep_found(failure.result());
      result.failure = failure.what();
    }
  }

  // --- over lanes

  [[nodiscard]] std::size_t riding() const { return free_.riders.size() + stuck_.riders.size(); }

  void board(RiderPtr rider) {
    const std::vector<JointMode>& modes = rider->motion.modes();
    const bool sticks = std::find(modes.begin(), modes.end(), JointMode::sticking) != modes.end();
    Deck& deck = sticks ? stuck_ : free_;
    deck.lanes.enter(rider->motion, rider->varies ? rider->input.get() : nullptr);
    deck.riders.push_back(std::move(rider));
  }

  /// The rider leaves its lane for its Motion.
  static RiderPtr leave(Deck& deck, std::size_t lane) {
    RiderPtr rider = std::move(deck.riders[lane]);
    deck.riders[lane] = std::move(deck.riders.back());
    deck.riders.pop_back();
    deck.lanes.leave(lane);
    return rider;
  }

  void resume(Deck& deck, std::size_t lane, Motion::Torques torques) {
    deck.lanes.state(lane, y_);
    deck.riders[lane]->motion.resume(deck.lanes.t(lane), y_, torques);
  }

  void step(Deck& deck) {
    if (deck.riders.empty()) return;
    targets_.clear();
    for (std::size_t lane = 0; lane < deck.lanes.size(); ++lane) {
      Rider& rider = *deck.riders[lane];
      targets_.push_back(rider.ends.next(deck.lanes.t(lane), rider.stretch_end));
    }
    try {
      deck.lanes.step(targets_);
    } catch (const NumericsError&) {  // of one of them: simulate() finds out which
      while (!deck.riders.empty()) give_up(leave(deck, deck.riders.size() - 1));
      return;
    }
    stopped_ = stopped_ || (options_.stop && options_.stop());

    for (std::size_t lane = 0; lane < deck.lanes.size(); ++lane) {
      if (deck.lanes.met(lane) == Lanes::Met::something)
        resume(deck, lane, Motion::Torques::smooth);
    }
    deck.lanes.accept();
    std::vector<RiderPtr> stepping_out;
    for (std::size_t lane = deck.lanes.size(); lane-- > 0;) {
      const Lanes::Met met = deck.lanes.met(lane);
      if (met == Lanes::Met::divergence) give_up(leave(deck, lane));
      if (met == Lanes::Met::something) stepping_out.push_back(leave(deck, lane));
    }
    std::vector<RiderPtr> standing = begin_stretches(deck);
    for (std::size_t lane = deck.lanes.size(); lane-- > 0;) arrive(deck, lane);
    for (RiderPtr& rider : stepping_out) step_out(std::move(rider));
    for (RiderPtr& rider : standing) go_on(std::move(rider));
  }

  /// Takes the step in which something happens.
  void step_out(RiderPtr rider) {
    try {
      if (takes_last_step(*rider)) return;
    } catch (const NumericsError&) {
      return give_up(std::move(rider));
    }
    go_on(std::move(rider));
  }

  /// Where they end with the step. Returns riders whose joints may have come to rest there.
  std::vector<RiderPtr> begin_stretches(Deck& deck) {
    std::vector<RiderPtr> standing;
    for (std::size_t lane = deck.lanes.size(); lane-- > 0;) {
      Rider& rider = *deck.riders[lane];
      ++rider.result.steps;
      if (deck.lanes.t(lane) != rider.stretch_end) continue;
      deck.lanes.state(lane, y_);
      const std::span<const double> y(y_);
      const std::size_t n = q_.size();
      rider.stretch_end =
          rider.input->begin_stretch(deck.lanes.t(lane), y.first(n), y.subspan(n, n));
      if (deck.lanes.enter_stretch(lane)) continue;
      const double step = deck.lanes.step_of(lane);
      RiderPtr leaving;
      try {
        resume(deck, lane, Motion::Torques::jump);
        leaving = leave(deck, lane);
        if (is_over_after(*leaving, step)) continue;
      } catch (const NumericsError&) {
        give_up(leaving ? std::move(leaving) : leave(deck, lane));
        continue;
      }
      standing.push_back(std::move(leaving));
    }
    return standing;
  }

  /// A rider at the end of a step in its lane.
  void arrive(Deck& deck, std::size_t lane) {
    Rider& rider = *deck.riders[lane];
    if (stopped_ || is_complete(rider, deck.lanes.t(lane))) {
      resume(deck, lane, Motion::Torques::smooth);
      const double step = deck.lanes.step_of(lane);
      is_over_after(*leave(deck, lane), step);
      return;
    }
    if (!is_check_due(rider) && !is_row_due(rider)) return;
    deck.lanes.read(lane, q_, qd_, qdd_, tau_);
    if (is_check_due(rider)) check(rider, deck.lanes.t(lane), q_, qd_, deck.lanes.step_of(lane));
    if (is_row_due(rider)) deliver(rider, {deck.lanes.t(lane), q_, qd_, qdd_, tau_, {}});
  }

  const Setup& setup_;
  const SimulationOptions& options_;
  std::span<const BatchRun> runs_;
  const BatchSink& sink_;
  Plant plant_;
  StepCheck check_;
  Deck free_, stuck_;  ///< no joint sticks; some joint sticks
  std::vector<double> targets_;
  OdeState y_;
  std::vector<double> q_, qd_, qdd_, tau_;  ///< of one lane
  bool stopped_ = false;
  std::vector<BatchResult> results_;
};

}  // namespace

struct BatchSimulation::Workspace {
  Setup setup;
};

BatchSimulation::BatchSimulation(const Arm& arm, std::span<const Limits> limits,
                                 const SimulationOptions& options) {
  require(limits.empty() || limits.size() == arm.dof(), "limits need one entry per joint, or none");
  require(!options.estimate_error, "a batch does not estimate errors");
  require_sound(options);
  const ForwardMethod method = options.forward.value_or(fastest_method(arm.dof()));
  workspace_ = std::make_unique<Workspace>(
      Workspace{{arm,
                 {limits.begin(), limits.end()},
                 options,
                 method,
                 {arm, method},
                 std::any_of(arm.drives.begin(), arm.drives.end(), has_dry_friction)}});
  workspace_->setup.options.each_step = nullptr;
}

BatchSimulation::BatchSimulation(const BatchSimulation& other)
    : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}
BatchSimulation& BatchSimulation::operator=(const BatchSimulation& other) {
  *workspace_ = *other.workspace_;
  return *this;
}
BatchSimulation::BatchSimulation(BatchSimulation&&) noexcept = default;
BatchSimulation& BatchSimulation::operator=(BatchSimulation&&) noexcept = default;
BatchSimulation::~BatchSimulation() = default;

std::size_t BatchSimulation::lanes() const {
  return workspace_->setup.lanes();
}

std::vector<BatchResult> BatchSimulation::operator()(std::span<const BatchRun> runs,
                                                     const BatchSink& sink) {
  const std::size_t n = workspace_->setup.arm.dof();
  for (const BatchRun& run : runs) {
    require(run.q0.size() == n && run.qd0.size() == n, "q0 and qd0 need one entry per joint");
    require(run.input || run.tau.size() == n, "torques need one entry per joint");
  }
  return Batch(workspace_->setup, runs, sink).run();
}

}  // namespace armdyn
