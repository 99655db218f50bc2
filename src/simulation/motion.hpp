#pragma once

#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "simulation/plant.hpp"
#include "simulation/stepper.hpp"
#include "simulation/stick_slip.hpp"

namespace armdyn {

/// A joint left all bounds.
class Divergence : public NumericsError {
 public:
  /// By its speed; absent: by its acceleration, which no number can hold.
  Divergence(std::size_t which, std::optional<double> speed)
      : NumericsError("the motion diverges"), joint(which), qd(speed) {}

  std::size_t joint;
  std::optional<double> qd;
};

/// Whether a joint has left all bounds, that of its speed among them.
[[nodiscard]] inline bool diverges(double q, double qd, double fastest) {
  return !(std::abs(qd) < fastest) || !std::isfinite(q);
}

/// Whether nothing touches the hand.
[[nodiscard]] inline bool is_free(const Wrench& hand) {
  return hand.force == Vec3{} && hand.moment == Vec3{};
}

/// An arm on its way through time: its state, how its joints stick and slide, and the energy that
/// went by (docs/derivation.md, section 8).
class Motion {
 public:
  /// An adaptive integrator's steps are at most `share` of what their bounds allow.
  Motion(Plant& plant, TorqueInput& input, const SimulationOptions& options,
         std::span<const double> q0, std::span<const double> qd0, double share = 1.0);
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;

  /// To be called when the input has begun a stretch at t(), the first one too: torques may have
  /// jumped, so joints at rest stick or break away anew.
  void enter_stretch();

  /// Moves on to `target`, within the stretch: by one step if the integrator's step is fixed. Ends
  /// earlier where a joint reaches a limit.
  void advance(double target);

  /// Goes on from y at t: the same motion, which somebody else has taken there without an event.
  /// Where torques jump, the input has begun a stretch there.
  enum class Torques { smooth, jump };
  void resume(double t, const OdeState& y, Torques torques);

  [[nodiscard]] double t() const { return t_; }
  /// q, q̇, work, work at the hand, losses (8.1); and their rates.
  [[nodiscard]] const OdeState& state() const { return y_; }
  [[nodiscard]] const OdeState& rates() const { return now_.dydt; }
  [[nodiscard]] const std::vector<JointMode>& modes() const { return modes_; }
  /// How much more torque each joint could hold that sticks (8.7).
  [[nodiscard]] const std::vector<double>& margins() const { return now_.margin; }
  [[nodiscard]] std::span<const double> q() const { return positions(y_); }
  [[nodiscard]] std::span<const double> qd() const { return velocities(y_); }
  [[nodiscard]] std::span<const double> qdd() const { return velocities(now_.dydt); }
  [[nodiscard]] std::span<const double> tau() const { return now_.tau; }
  [[nodiscard]] const Wrench& hand() const { return now_.hand; }

  /// Beyond it a joint diverges: rad/s, m/s.
  [[nodiscard]] double fastest() const { return fastest_; }

  /// Where energy is at time t and went since the start: all of the audit but `at_start`.
  void audit(EnergyAudit& energy) const;

  [[nodiscard]] const std::vector<JointHistory>& history() const { return history_; }
  [[nodiscard]] const std::optional<LimitReached>& limit() const { return limit_; }

 private:
  /// What follows from a state at its time.
  struct Evaluation {
    OdeState dydt;
    std::vector<double> tau;
    Wrench hand;
    std::vector<double> margin;  ///< of sticking joints (8.7)
  };
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

  [[nodiscard]] std::span<const double> positions(const OdeState& y) const {
    return std::span(y).first(n_);
  }
  [[nodiscard]] std::span<const double> velocities(const OdeState& y) const {
    return std::span(y).subspan(n_, n_);
  }

  void evaluate(const OdeState& y, double t, Evaluation& at);
  void derivative(const OdeState& y, OdeState& dydt, double t);
  double step(double h);
  [[nodiscard]] double adaptive_step(double longest);
  void accept(double t);

  [[nodiscard]] double gauge(const Event& event, const OdeState& y, const Evaluation& at) const;
  [[nodiscard]] double gauge_after(const Event& event, double h);
  void look_for_events(double h);
  void look_for_stop(std::size_t i, double h);
  void look_for_break(std::size_t i, double h);
  void look_for_limit(std::size_t i, double h);
  [[nodiscard]] std::optional<FirstEvent> first_event(double h);
  [[nodiscard]] bool is_too_long(const FirstEvent& first);
  void pass(const FirstEvent& first, double h);
  void settle();
  void look_for_limit_at_start();

  Plant& plant_;
  TorqueInput& input_;
  StickSlip stick_slip_;
  std::size_t n_;
  bool stop_at_limits_;
  double share_;
  double fastest_;  ///< rad/s, m/s: beyond that nothing is an arm
  std::unique_ptr<Stepper> stepper_;
  OdeSystem system_;
  double h_;  ///< what an adaptive integrator wants to try next

  bool entered_ = false;
  double t_;
  OdeState y_;  ///< q, q̇, work, work at the hand, losses (8.1)
  Evaluation now_;
  std::vector<JointMode> modes_;

  OdeState y_next_;  ///< of the step that was tried
  Evaluation next_, scratch_;
  OdeState y_middle_;
  std::vector<double> hand_torque_;
  std::vector<Event> events_;
  std::size_t events_since_target_ = 0;

  std::vector<JointHistory> history_;
  std::optional<LimitReached> limit_;
};

}  // namespace armdyn
