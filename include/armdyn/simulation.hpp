#pragma once

#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Simulation of arms (docs/derivation.md, section 8). q and qd have dof entries, rad or m and per
// s; τ in N·m or N; time in s.

namespace armdyn {

enum class Integrator {
  rk4,     ///< classical Runge-Kutta of order 4 (paper 001 §7) at a fixed step
  euler,   ///< explicit Euler, of order 1, at a fixed step, for comparison
  dopri5,  ///< Dormand-Prince 5(4), adaptive
  rkf78,   ///< Runge-Kutta-Fehlberg 7(8), adaptive
};

[[nodiscard]] constexpr bool has_fixed_step(Integrator integrator) {
  return integrator == Integrator::rk4 || integrator == Integrator::euler;
}

/// Torques of the drives and the contact wrench over time. A stretch is an interval in which they
/// are a smooth function of time and state; no integration step crosses its end.
class TorqueInput {
 public:
  virtual ~TorqueInput() = default;

  /// Begins the stretch that starts at t, when the integrator has reached that time in this state.
  /// Returns its end, which is later than t; infinity where it has none.
  virtual double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) = 0;

  /// τ, and the wrench that the tool exerts on the environment, at a time of the stretch, its two
  /// ends included. ConstantTorque and SampledTorque throw std::invalid_argument where they have
  /// not one torque per joint.
  virtual void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                        std::span<double> tau, Wrench& wrench) = 0;
};

/// The same torques at all times.
class ConstantTorque final : public TorqueInput {
 public:
  explicit ConstantTorque(std::vector<double> tau, const Wrench& wrench = {});

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& wrench) override;

 private:
  std::vector<double> tau_;
  Wrench wrench_;
};

struct TorqueSample {
  double t = 0.0;
  std::vector<double> tau;
  Wrench wrench;
};

enum class Interpolation {
  linear,  ///< between samples
  hold,    ///< a sample's torque from its time on
};

/// Torques from samples that come one after the other, in order of time. Before the first and after
/// the last sample, that one is held.
class SampledTorque final : public TorqueInput {
 public:
  /// Fills the next sample; false when there is none.
  using Source = std::function<bool(TorqueSample&)>;

  /// Throws InputError where there is no sample; begin_stretch does where times do not increase.
  SampledTorque(Source source, Interpolation interpolation);

  /// The last sample that the stretches so far have come to.
  [[nodiscard]] const TorqueSample& current() const { return from_; }
  /// True if the source has no more samples: the last one is held from its time on.
  [[nodiscard]] bool is_past_end() const { return !has_next_; }

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& wrench) override;

 private:
  void read_next();

  Source source_;
  Interpolation interpolation_;
  TorqueSample from_, to_;
  bool has_next_ = false;
  bool before_first_ = false;
};

/// One state of the result. q̈ belongs to τ: inverse dynamics of q, q̇, q̈ returns τ, except for a
/// joint that sticks.
struct SimulationRow {
  double t = 0.0;
  std::span<const double> q, qd, qdd, tau;
  Wrench wrench;
};

/// Receiver of the rows as they come.
using RowSink = std::function<void(const SimulationRow&)>;

struct SimulationOptions {
  double start = 0.0;  ///< time of the initial state, s
  /// Duration, s; absent: until the input's stretch without end begins, as at the last torque
  /// sample.
  std::optional<double> duration;
  /// Step of an integrator with a fixed step, s; of an adaptive one the interval of its rows.
  double step = 1e-3;
  /// simulate() throws Error before the first step where the duration, or a stretch, needs more.
  double max_steps = std::numeric_limits<double>::infinity();
  std::size_t every = 1;  ///< rows are the first state, each every-th step and the last
  Integrator integrator = Integrator::rk4;
  double tolerance = 1e-9;  ///< adaptive: local error per step over 1 + |value|
  /// Limits, one per joint, or also one per follower, or none; only positions count:
  /// joint_limits(robot).
  std::vector<Limits> limits;
  bool stop_at_limits = true;
  std::optional<ForwardMethod> method;  ///< absent: the fastest for this arm
  bool estimate_error = false;          ///< also simulate at half the step, and compare
  std::function<bool()> stop;           ///< asked before every step; may be empty
  /// Advice at the end of the error where the motion diverges though steps are short enough; empty:
  /// general advice.
  std::string if_it_diverges;
  /// Receiver of the first state and that after each step, those between rows too, before the sink
  /// gets them; may be empty.
  RowSink each_step;
};

/// Balance of energy, J; the imbalance is the error of the integration (eq. 8.9).
struct EnergyAudit {
  double at_start = 0.0;  ///< kinetic and potential, zero potential at the origin of {0}
  double at_end = 0.0;
  double work = 0.0;          ///< of the drives' torques
  double contact_work = 0.0;  ///< of the contact wrench, on the environment
  double losses = 0.0;        ///< in friction and motors

  [[nodiscard]] double imbalance() const {
    return at_end - at_start - work + contact_work + losses;
  }
};

/// A step that is too long for an arm: the fastest process that it does not follow.
struct CoarseStep {
  enum class Process {
    damping,   ///< friction slows the joint down
    swing,     ///< gravity swings it
    turning,   ///< it turns
    ripple,    ///< the ripple of its friction repeats
    stribeck,  ///< it passes the speeds at which its static friction falls off
  };
  double t = 0.0;
  std::size_t joint = 0;  ///< counts from 0
  Process process = Process::damping;
  double rate = 0.0;     ///< of that process, 1/s
  double step = 0.0;     ///< the step used, s
  double advised = 0.0;  ///< s

  /// True if the process belongs to the motion's speed, not to the arm.
  [[nodiscard]] bool is_of_speed() const {
    return process != Process::damping && process != Process::swing;
  }
  /// True if this one asks for shorter steps than a known one, if there is one.
  [[nodiscard]] bool is_worse_than(const std::optional<CoarseStep>& known) const {
    return !known || advised < known->advised;
  }
};

/// A joint that ran into its position limit.
struct LimitReached {
  std::size_t joint = 0;  ///< counts from 0, followers behind
  double t = 0.0;
  double q = 0.0;
  double limit = 0.0;
};

struct JointHistory {
  TimedValue peak_speed;       ///< largest |q̇| at the end of a step, rad/s or m/s
  std::size_t stops = 0;       ///< times that it, or its coupled motor, came to rest by friction
  bool at_rest = false;        ///< sticks at the end
  double at_rest_since = 0.0;  ///< s
};

/// Richardson's estimate (docs/derivation.md, eq. 8.14): the largest difference over all steps from
/// a simulation at half the step. It is multiplied by 2^p/(2^p − 1) for order p: 16/15 for rk4, 2
/// for euler. An adaptive integrator has a hundredth of the tolerance and half the longest step,
/// and the factor 100/99.
struct ErrorEstimate {
  std::vector<double> q, qd;  ///< per joint
};

enum class SimulationEnd {
  complete,
  limit,     ///< a joint reached its position limit
  stopped,   ///< by SimulationOptions::stop
  diverged,  ///< a joint left all bounds
  singular,  ///< the mass matrix is not positive definite
  failed,    ///< the integrator cannot go on
};

struct SimulationResult {
  SimulationEnd end = SimulationEnd::complete;
  double t = 0.0;         ///< of the last row
  std::size_t steps = 0;  ///< of the integrator, rows or not
  std::size_t rows = 0;
  EnergyAudit energy;
  std::vector<JointHistory> joints;
  std::optional<LimitReached> limit;
  std::optional<CoarseStep> coarse_step;  ///< the worst
  std::optional<ErrorEstimate> error;
};

/// A simulation that cannot go on. The result is that of the rows before; its `end` has the reason.
class SimulationFailure : public NumericsError {
 public:
  SimulationFailure(const std::string& why, SimulationResult result)
      : NumericsError(why), result_(std::make_shared<const SimulationResult>(std::move(result))) {}

  [[nodiscard]] const SimulationResult& result() const { return *result_; }

 private:
  std::shared_ptr<const SimulationResult> result_;  // exceptions are copied
};

/// Simulates an arm under `input` from (q0, qd0). Memory does not grow with time. Throws
/// std::invalid_argument for a wrong size. Throws SimulationFailure, after all rows, where M is
/// singular, the motion diverges, or a step vanishes in the rounding of its time (t + h = t). So it
/// does where a stretch of the input does not end later than it begins.
SimulationResult simulate(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
                          TorqueInput& input, const SimulationOptions& options,
                          const RowSink& sink);

// Many simulations of one arm; units as above.

/// Start and torques of one of many simulations.
struct BatchRun {
  double start = 0.0;           ///< time of the initial state, s
  std::vector<double> q0, qd0;  ///< dof entries
  std::vector<double> tau;      ///< of the drives at all times, N·m or N, dof entries
  Wrench wrench;                ///< at all times, as in TorqueInput
  /// Makes torques over time, used instead of `tau` and `wrench`; may be empty.
  std::function<std::unique_ptr<TorqueInput>()> input;
};

/// End of a run, and its last state; of one that failed, the last before the failure. Where its
/// first step failed, q̈ is NaN, and so is τ of an `input`.
struct BatchResult : SimulationResult {
  std::vector<double> q, qd, qdd, tau;
  Wrench wrench;
  std::string failure;  ///< message of the SimulationFailure that simulate() throws, if it does
};

/// Receiver of rows of the runs: those of one run in their order, of several in any.
using BatchSink = std::function<void(std::size_t run, const SimulationRow& row)>;

/// Many runs of `simulate` for one arm, with the same results to the last bit (zeros' signs
/// excepted). They depend neither on the instruction set nor on the grouping into calls. rk4 and
/// euler run on SIMD lanes. Steps under a contact wrench, strobing and other integrators are taken
/// one by one. One object per thread; copies share the programs.
class BatchSimulation {
 public:
  /// Ignores start and each_step of the options. Throws std::invalid_argument for options that
  /// simulate() refuses, and for an estimate of the error.
  BatchSimulation(const Arm& arm, const SimulationOptions& options);

  /// Number of runs that go side by side: fewer at a time leave lanes idle.
  [[nodiscard]] std::size_t lanes() const;

  /// Simulates the runs; one result for each, in their order. `sink`, where there is one, receives
  /// each run's rows as simulate() delivers them. Throws std::invalid_argument for a wrong size,
  /// and what an input throws.
  std::vector<BatchResult> operator()(std::span<const BatchRun> runs, const BatchSink& sink = {});

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

// Controllers that follow a motion (docs/derivation.md, section 11), with e = qᵈ − q. Where there
// is K_i, K_i ∫e stands beside K_p e.

enum class Controller {
  computed_torque,  ///< τ = inverse dynamics of (q, q̇, q̈ᵈ + K_v ė + K_p e); paper 003 (4.1)-(4.4)
  pd,               ///< τ = K_p e + K_v ė
  pd_gravity,   ///< τ = K_p e + K_v ė + G(q)
  feedforward,  ///< τ = inverse dynamics of (qᵈ, q̇ᵈ, q̈ᵈ) + K_p e + K_v ė
};

/// Friction compensation of computed torque: by the sign of the desired or of the measured speed.
/// Where the desired speed is 0, the measured one counts.
enum class FrictionBy { desired, measured };

struct ControlOptions {
  Controller controller = Controller::computed_torque;
  FrictionBy friction_by = FrictionBy::desired;

  /// Gains of e and ė, dof×dof. Computed torque: 1/s² and 1/s; the others: torque per position and
  /// velocity.
  Matrix Kp, Kv;
  /// Gain of ∫e, which is summed up at samples, dof×dof, or empty: none. 1/s³, or torque per
  /// position and time.
  Matrix Ki;

  double sample_time = 0.01;  ///< period of the zero-order hold, s; 0: a continuous controller
  std::size_t delay = 0;      ///< samples from measuring to acting; before that, the first torque
  Method method = Method::newton_euler;  ///< of the controller's inverse dynamics

  /// Steps of measured positions, whose differences from sample to sample are the velocities; 0:
  /// exact. One per joint, rad or m, or none.
  std::vector<double> resolution;

  std::vector<double> torque_limits;  ///< magnitudes that the drives deliver at most; none: any
  /// Couplings with torque_limits of their motors, beside those of joints (eq. 31.7).
  std::vector<Coupling> couplings{};
};

/// The torques of a controller with the model `model`, which tracks `desired`.
class ControlledTorque final : public TorqueInput {
 public:
  /// Takes samples at `start`, the start of the simulation, and each sample_time after it. Throws
  /// std::invalid_argument for a wrong size, for a resolution or a limit below 0, or for a delay, a
  /// resolution or K_i without samples.
  ControlledTorque(const Arm& model, const Trajectory& desired, double start,
                   const ControlOptions& options);
  /// The same without a trajectory: it tracks what `follow` names, at first rest at zero.
  ControlledTorque(const Arm& model, double start, const ControlOptions& options);

  /// Tracks q, q̇ and q̈ from now on, which stay as they are. Throws std::invalid_argument for a wrong
  /// size.
  void follow(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd);

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& wrench) override;

  /// Number of times that each joint's torque was saturated: samples, or evaluations of a
  /// continuous controller.
  [[nodiscard]] const std::vector<std::uint64_t>& saturated() const;

 private:
  struct State;
  detail::Owned<State> state_;
};

/// A simulation that its caller advances, under torques and a contact wrench that are held in
/// between. A controller in place of the torques has a desired motion that is held. Its states are
/// those of `simulate` under such torques, to the last bit. It has no file, thread or global state.
/// One object per thread.
class SteppedSimulation {
 public:
  /// Begins at options.start in (q0, qd0), without torques. Of the options it uses start, step, an
  /// integrator with a fixed step, limits, stop_at_limits and method. Throws std::invalid_argument
  /// for a wrong size, an adaptive integrator or a controller of samples, and NumericsError where M is
  /// singular.
  SteppedSimulation(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
                    const SimulationOptions& options,
                    const std::optional<ControlOptions>& control = {});
  SteppedSimulation(SteppedSimulation&&) noexcept;
  SteppedSimulation& operator=(SteppedSimulation&&) noexcept;
  ~SteppedSimulation();

  /// Holds τ, and the wrench that the tool exerts on the environment, from now on. For a controller
  /// in place of τ: qᵈ, q̇ᵈ and q̈ᵈ, dof each.
  void hold(std::span<const double> inputs, const Wrench& wrench = {});

  /// Advances to t, by steps on the grid start + k·step and a last one to t. A joint that reaches a
  /// limit ends the motion before. Throws NumericsError where M is singular or the motion diverges.
  void advance(double t);

  /// The present time, s.
  [[nodiscard]] double t() const;
  /// The present state, valid until the next call; q̈ is that under the torques held now.
  [[nodiscard]] SimulationRow row();
  /// Kinetic and potential energy, J, zero potential at the origin of {0}.
  [[nodiscard]] double energy();
  /// ∂q̈/∂(inputs, wrench) times a change of them, rad/s² or m/s²; joints that stick stay at rest.
  [[nodiscard]] std::vector<double> qdd_change(std::span<const double> inputs,
                                               const Wrench& wrench);
  /// q̈ and energy of another state at another time, under the held inputs, for an integrator of the
  /// caller. Where q̇ is 0, there is no dry friction.
  void acceleration(double t, std::span<const double> q, std::span<const double> qd,
                    std::span<double> qdd);
  [[nodiscard]] double energy(std::span<const double> q, std::span<const double> qd);
  /// The joint at whose limit the motion has ended.
  [[nodiscard]] const std::optional<LimitReached>& limit() const;
  /// A step that was too long for the arm, the worst so far.
  [[nodiscard]] const std::optional<CoarseStep>& coarse_step() const;

  /// The whole state as numbers, those of a time included.
  [[nodiscard]] std::vector<double> state();
  /// Returns to a state of a simulation of this arm with these options. Throws std::invalid_argument
  /// for another number of them.
  void set_state(std::span<const double> state);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace armdyn
