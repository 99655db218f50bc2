#include <fmt/format.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "simulation/lanes.hpp"
#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/task.hpp"

namespace armdyn {

constexpr const char* no_state = "no state of this simulation";

/// Torques or a controller's desired motion, and a wrench, the same until they are set anew.
struct HeldTorque final : TorqueInput {
  std::vector<double> held;
  Wrench held_wrench;
  std::optional<ControlledTorque> controller;

  double begin_stretch(double /*t*/, std::span<const double> /*q*/,
                       std::span<const double> /*qd*/) override {
    return forever;
  }
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& wrench) override {
    if (controller) {
      const std::size_t n = tau.size();
      const std::span<const double> desired(held);
      controller->follow(desired.first(n), desired.subspan(n, n), desired.last(n));
      controller->evaluate(t, q, qd, tau, wrench);
    } else {
      std::ranges::copy(held, tau.begin());
    }
    wrench = held_wrench;
  }
};

struct SteppedSimulation::Workspace : boost::noncopyable {
  Workspace(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
            const SimulationOptions& options, const std::optional<ControlOptions>& control)
      : plant(arm, options.limits, options.method.value_or(fastest_method(arm.dof()))),
        alone(plant, OneLane(plant)),
        motion(plant, alone, requester, input, options, q0, qd0),
        check(plant, options.integrator),
        ends(StepEnds(options)) {
    input.held.resize(control ? 3 * arm.dof() : arm.dof());
    if (control) input.controller.emplace(arm, options.start, *control);
    plant.require_regular(q0);
  }

  void run(Task<> task) {
    task.start();
    while (requester.is_waiting()) answer(alone, requester);
    task.result();
  }

  /// Lets the torques that are held act on the present state.
  void enter() {
    if (has_entered) return;
    run(motion.enter_stretch());
    has_entered = true;
  }

  void visit_state(auto&& number) {
    motion.visit_state(number);
    ends.visit_state(number);
    number(steps);
    number(has_entered);
    for (double& value : input.held) number(value);
    for (Vec3* v : {&input.held_wrench.force, &input.held_wrench.moment}) {
      for (double* value : {&v->x, &v->y, &v->z}) number(*value);
    }
  }

  std::vector<double> state() {
    std::vector<double> numbers;
    visit_state([&numbers](const auto& number) { numbers.push_back(static_cast<double>(number)); });
    return numbers;
  }
  void set_state(std::span<const double> numbers) {
    auto next = numbers.begin();
    visit_state([&next]<class T>(T& number) {
      if constexpr (!std::is_floating_point_v<T>) require(*next >= 0.0 && *next < 1e15, no_state);
      number = static_cast<T>(*next++);
    });
  }

  /// Calls `look` while the torques that are held act on the present state, which stays as it is:
  /// other torques may be held before it goes on.
  void look_ahead(auto&& look) {
    const std::vector<double> before = state();
    try {
      enter();
      look();
    } catch (...) {
      set_state(before);
      throw;
    }
    set_state(before);
  }

  [[nodiscard]] NumericsError diverged(const DivergenceError& error) const {
    return NumericsError(
        fmt::format("after t = {:.6g} s the motion of {} diverges; take shorter steps", motion.t(),
                    plant.name(error.divergence.joint)));
  }

  Plant plant;
  Lanes<OneLane> alone;
  HeldTorque input;
  StepRequester requester;
  Motion motion;
  StepCheck check;
  StepEnds ends;
  std::size_t steps = 0;
  bool has_entered = false;
  std::optional<CoarseStep> coarse;
  std::vector<double> qdd, tau;  ///< of a row
};

SteppedSimulation::SteppedSimulation(const Arm& arm, std::span<const double> q0,
                                     std::span<const double> qd0, const SimulationOptions& options,
                                     const std::optional<ControlOptions>& control) {
  require(q0.size() == arm.dof() && qd0.size() == arm.dof(), "q0 and qd0 need one entry per joint");
  require(has_fixed_step(options.integrator), "the integrator needs a fixed step");
  require_sound(options);
  require(!control || control->sample_time == 0.0, "the controller needs to be continuous");
  workspace_ = std::make_unique<Workspace>(arm, q0, qd0, options, control);
}
SteppedSimulation::SteppedSimulation(SteppedSimulation&&) noexcept = default;
SteppedSimulation& SteppedSimulation::operator=(SteppedSimulation&&) noexcept = default;
SteppedSimulation::~SteppedSimulation() = default;

void SteppedSimulation::hold(std::span<const double> inputs, const Wrench& wrench) {
  Workspace& work = *workspace_;
  require(inputs.size() == work.input.held.size(),
          work.input.held.size() == work.plant.dof() ? "torques need one entry per joint"
                                                     : "a controller needs three inputs per joint");
  std::ranges::copy(inputs, work.input.held.begin());
  work.input.held_wrench = wrench;
  work.has_entered = false;
}

void SteppedSimulation::advance(double t) {
  Workspace& work = *workspace_;
  try {
    work.enter();
    const double end = work.ends.on_grid(t);
    while (work.motion.t() < end && !work.motion.limit()) {
      const double before = work.motion.t();
      work.run(work.motion.advance(work.ends.next(before, end), end));
      if (!is_check_due(++work.steps)) continue;
      std::optional<CoarseStep> coarse =
          work.check(work.motion.q(), work.motion.qd(), work.motion.t() - before);
      if (!coarse || !coarse->is_worse_than(work.coarse)) continue;
      coarse->t = work.motion.t();
      work.coarse = coarse;
    }
  } catch (const DivergenceError& error) {
    throw work.diverged(error);
  }
}

double SteppedSimulation::t() const {
  return workspace_->motion.t();
}

SimulationRow SteppedSimulation::row() {
  Workspace& work = *workspace_;
  Wrench wrench;
  const auto look = [&work, &wrench] {
    work.qdd.assign(work.motion.qdd().begin(), work.motion.qdd().end());
    work.tau.assign(work.motion.tau().begin(), work.motion.tau().end());
    wrench = work.motion.wrench();
  };
  try {
    work.has_entered ? look() : work.look_ahead(look);
  } catch (const DivergenceError& error) {
    throw work.diverged(error);
  }
  return {work.motion.t(), work.motion.q(), work.motion.qd(), work.qdd, work.tau, wrench};
}

double SteppedSimulation::energy() {
  return energy(workspace_->motion.q(), workspace_->motion.qd());
}

std::vector<double> SteppedSimulation::qdd_change(std::span<const double> inputs,
                                                  const Wrench& wrench) {
  Workspace& work = *workspace_;
  std::vector<double> change(work.plant.dof());
  // q̈ is linear in τ, the wrench (8.4, 8.5), desired positions and accelerations: the difference is exact
  // but for rounding, least with a change as large as the inputs are. Friction that is compensated by
  // desired velocities is not: short steps on both sides, or near zero away from it.
  const std::size_t n = work.plant.dof();
  const double largest = std::max(1.0, largest_magnitude(work.input.held));
  const auto add = [&](std::span<const double> by, const Wrench& wrench_by, double scale,
                       double share) {
    work.look_ahead([&] {
      work.motion.evaluate();
      const std::vector<double> before(work.motion.qdd().begin(), work.motion.qdd().end());
      for (std::size_t i = 0; i < by.size(); ++i) work.input.held[i] += scale * by[i];
      work.input.held_wrench = {work.input.held_wrench.force + scale * wrench_by.force,
                                work.input.held_wrench.moment + scale * wrench_by.moment};
      work.motion.evaluate();
      for (std::size_t i = 0; i < n; ++i)
        change[i] += share * (work.motion.qdd()[i] - before[i]) / scale;
    });
  };
  std::vector<double> linear(inputs.begin(), inputs.end());
  for (std::size_t i = n; i < 2 * n && inputs.size() > n; ++i) {
    if (inputs[i] == 0.0) continue;
    std::vector<double> one(inputs.size());
    one[i] = std::exchange(linear[i], 0.0);
    const double held = work.input.held[i], step = 1e-3 * largest;
    const double away = std::copysign(step / std::abs(one[i]), held * one[i]);
    const bool is_near_zero = std::abs(held) <= step;
    add(one, {}, away, is_near_zero ? 1.0 : 0.5);
    if (!is_near_zero) add(one, {}, -away, 0.5);
  }
  const double size = std::max(largest_magnitude(linear), largest_magnitude(stacked(wrench)));
  if (size > 0.0) add(linear, wrench, largest / size, 1.0);
  return change;
}

void SteppedSimulation::acceleration(double t, std::span<const double> q,
                                     std::span<const double> qd, std::span<double> qdd) {
  Workspace& work = *workspace_;
  const std::size_t n = work.plant.dof();
  require(q.size() == n && qd.size() == n && qdd.size() == n,
          "q, qd and qdd need one entry per joint");
  Wrench wrench;
  work.tau.resize(n);
  work.input.evaluate(t, q, qd, work.tau, wrench);
  work.plant.dynamics().acceleration(q, qd, work.tau, wrench, qdd);
}
double SteppedSimulation::energy(std::span<const double> q, std::span<const double> qd) {
  return workspace_->plant.energy(q, qd);
}

const std::optional<LimitReached>& SteppedSimulation::limit() const {
  return workspace_->motion.limit();
}
const std::optional<CoarseStep>& SteppedSimulation::coarse_step() const {
  return workspace_->coarse;
}
std::vector<double> SteppedSimulation::state() {
  return workspace_->state();
}
void SteppedSimulation::set_state(std::span<const double> state) {
  require(state.size() == workspace_->state().size(), no_state);
  workspace_->set_state(state);
}

}  // namespace armdyn
