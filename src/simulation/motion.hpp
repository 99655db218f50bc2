#pragma once

#include <armdyn/simulation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "simulation/lanes.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stick_slip.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// An arm on its way through time: its state, how its joints stick and slide, and the energy that
/// went by (docs/derivation.md, section 8). It asks for steps, and for q̈ where torques jump;
/// what is rarer, and what adaptive integrators need, it has done by `alone`.
class Motion {
 public:
  /// An adaptive integrator's steps are at most `share` of what their bounds allow.
  Motion(Plant& plant, Lanes<OneLane>& alone, Asker& asker, TorqueInput& input,
         const SimulationOptions& options, std::span<const double> q0, std::span<const double> qd0,
         double share = 1.0);
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;

  /// To be called when the input has begun a stretch at t(), the first one too: torques may have
  /// jumped, so joints at rest stick or break away anew.
  Task<> enter_stretch();

  /// Moves on to `target`, within the stretch: by one step if the integrator's step is fixed. An
  /// adaptive integrator takes steps of its own, which may go beyond the target up to `bound`; the
  /// state at the target is then that of a shorter step beside. Ends earlier where a joint reaches a
  /// limit.
  Task<> advance(double target, double bound);

  [[nodiscard]] double t() const { return is_between_ ? t_between_ : t_; }
  [[nodiscard]] std::span<const double> q() const { return positions(state()); }
  [[nodiscard]] std::span<const double> qd() const { return velocities(state()); }
  [[nodiscard]] std::span<const double> qdd() const { return velocities(rates().dydt); }
  [[nodiscard]] std::span<const double> tau() const { return rates().tau; }
  [[nodiscard]] const Wrench& hand() const { return rates().hand; }

  /// How many steps an adaptive integrator has taken, those that end at an event among them.
  [[nodiscard]] std::size_t adaptive_steps() const { return adaptive_steps_; }

  /// Where energy is at time t and went since the start: all of the audit but `at_start`.
  void audit(EnergyAudit& energy) const;

  [[nodiscard]] const std::vector<JointHistory>& history() const { return history_; }
  [[nodiscard]] const std::optional<LimitReached>& limit() const { return limit_; }

 private:
  /// Something that a joint has done `by` that much time after the present, and after which the
  /// equations are others.
  struct Event {
    enum class Kind { stops, breaks_away, reaches_limit };
    Kind kind;
    std::size_t joint;
    double by;
  };
  struct FirstEvent {
    Event event;
    double after;
  };
  /// A step that was tried and found good: to y_next_ and next_, or to its first event.
  struct Ahead {
    double h;
    double end;  ///< time
    std::optional<FirstEvent> first;
  };

  [[nodiscard]] const OdeState& state() const { return is_between_ ? y_between_ : y_; }
  [[nodiscard]] const Evaluation& rates() const { return is_between_ ? between_ : now_; }

  [[nodiscard]] std::span<const double> positions(const OdeState& y) const {
    return std::span(y).first(n_);
  }
  [[nodiscard]] std::span<const double> velocities(const OdeState& y) const {
    return std::span(y).subspan(n_, n_);
  }

  [[nodiscard]] std::span<double> velocities_of(OdeState& y) const {
    return std::span(y).subspan(n_, n_);
  }

  [[nodiscard]] MotionStep::Until wanted() const;
  Asker::Answer take_step(double h, double t_end, MotionStep::Until until);
  void set_step(double h, double t_end, MotionStep::Until until);
  void evaluate(const OdeState& y, double t, Evaluation& at);
  void derivative(const OdeState& y, OdeState& dydt, double t);
  Task<> advance_adaptively(double target, double bound);
  Task<Ahead> look_ahead(double bound);
  void show_between(double t);
  double adaptive_step(double longest);
  void finish(double h, double t_end, MotionStep::Until until);
  void accept(double t);

  [[nodiscard]] double gauge(const Event& event, const OdeState& y, const Evaluation& at) const;
  Task<> retake(double h, MotionStep::Until until);
  Task<double> gauge_after(const Event& event, double h);
  void look_for_events(double h);
  void look_for_stop(std::size_t i, double h);
  void look_for_limit(std::size_t i, double h);
  void look_for_break(std::size_t i, double h);
  [[nodiscard]] double resolution(double h) const;
  Task<std::optional<FirstEvent>> first_event(double h);
  [[nodiscard]] bool is_too_long(const FirstEvent& first);
  Task<> pass(const FirstEvent& first, double h);
  Task<> settle();
  void look_for_limit_at_start();

  Plant& plant_;
  Lanes<OneLane>& alone_;
  Asker& asker_;
  TorqueInput& input_;
  StickSlip stick_slip_;
  std::size_t n_;
  bool stop_at_limits_;
  std::function<bool()> stop_;    ///< asked after each adaptive step; may be empty
  bool may_meet_events_ = false;  ///< some joint has dry friction, or a limit
  double share_;
  std::unique_ptr<EmbeddedPair> pair_;  ///< absent: steps are fixed
  OdeSystem system_;
  MotionStep step_;
  double h_;  ///< what an adaptive integrator wants to try next

  bool entered_ = false;
  double t_;
  OdeState y_;  ///< q, q̇, work, work at the hand, losses (8.1)
  Evaluation now_;
  std::vector<JointMode> modes_;
  std::vector<bool> stuck_;  ///< before the equations changed last
  bool any_sticks_ = false;

  OdeState y_next_;  ///< of the step that was tried
  Evaluation next_, scratch_;
  std::optional<Ahead> ahead_;  ///< of an adaptive integrator
  std::size_t adaptive_steps_ = 0;
  bool is_between_ = false;  ///< what is shown lies within the step ahead
  double t_between_ = 0.0;
  OdeState y_between_;
  Evaluation between_;
  std::vector<double> middle_margin_;
  std::vector<double> M_, bias_;
  std::vector<Event> events_;
  std::size_t events_since_target_ = 0;

  std::vector<JointHistory> history_;
  std::optional<LimitReached> limit_;
};

}  // namespace armdyn
