#pragma once

#include <Eigen/Core>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/friction.hpp"

namespace armdyn {

/// What a simulation knows of an arm: M q̈ + h + losses = τ, where dry friction holds, where the
/// joints end, and how much energy there is. Nothing of frames or files.
///
/// Dry friction holds contacts: contact i is joint i, or, where its motor is coupled, that motor
/// (docs/derivation.md, section 31).
class Plant {
 public:
  Plant(const Arm& arm, std::span<const Limits> limits, ForwardMethod method);
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;

  [[nodiscard]] std::size_t dof() const { return drives_.size(); }

  /// q̈ = M⁻¹ (force − h), h = V + G + Jᵀ·hand.
  void accelerations(std::span<const double> q, std::span<const double> qd,
                     std::span<const double> force, const Wrench& hand, std::span<double> qdd) {
    forward_.lossless_accelerations(q, qd, force, hand, qdd);
  }
  /// Throws NumericsError where M is not positive definite, even if friction holds all joints.
  void require_regular(std::span<const double> q);
  void mass_matrix(std::span<const double> q, std::span<double> M) { forward_.mass_matrix(q, M); }
  void bias(std::span<const double> q, std::span<const double> qd, const Wrench& hand,
            std::span<double> h) {
    forward_.bias(q, qd, hand, h);
  }
  /// Jᵀ·hand.
  void hand_torque(std::span<const double> q, const Wrench& hand, std::span<double> torque) {
    forward_.hand_torque(q, hand, torque);
  }

  [[nodiscard]] const Drive& drive(std::size_t i) const { return drives_[i]; }
  [[nodiscard]] const std::vector<CoupledMotors>& coupled_motors() const {
    return arm_.coupled_motors;
  }
  /// Torques that the joints lose while the contacts slide in these directions (0: without dry
  /// friction).
  void losses(std::span<const double> q, std::span<const double> qd,
              std::span<const int> directions, std::span<double> torques) const;
  /// Whether joint i loses torque at all.
  [[nodiscard]] bool loses(std::size_t i) const { return loses_[i]; }
  /// Whether contact i has dry friction and therefore can stick.
  [[nodiscard]] bool can_stick(std::size_t i) const { return can_stick_[i]; }
  /// Torques at which contact i breaks away from rest.
  [[nodiscard]] TwoSided breakaway(std::size_t i, double q) const {
    const Place& at = coupled_at_[i];
    return at.coupled == nullptr ? breakaway_torque(drives_[i], q) : at.motor().coulomb;
  }
  /// What brakes contact i just after it broke away.
  [[nodiscard]] TwoSided sliding_levels(std::size_t i, double q) const {
    const Place& at = coupled_at_[i];
    if (at.coupled != nullptr) return at.motor().coulomb;
    return {loss_torque(drives_[i], q, 0.0, 1), -loss_torque(drives_[i], q, 0.0, -1)};
  }
  /// Speed of contact i, 0 if rounding makes all of it; or its acceleration.
  [[nodiscard]] double contact_rate(std::size_t i, std::span<const double> joints) const {
    const Place& at = coupled_at_[i];
    return at.coupled == nullptr ? joints[i] : coupled_rate(at, joints);
  }
  /// Takes the speed of contact i from the joints; the other contacts keep theirs.
  void stop_contact(std::size_t i, std::span<double> qd) const;
  /// The inverses of the couplings' matrices: joint rates by those of the contacts.
  [[nodiscard]] const std::vector<Eigen::MatrixXd>& decoupling() const { return decoupling_; }
  /// Upper bounds of |∂G_i/∂q_i| (eq. 8.11): N·m/rad, N/m.
  void bound_stiffness(std::span<const double> q, std::span<double> bounds) const;
  /// How fast losses of joint i grow with its speed at most, near the speed qd: N·m·s/rad, N·s/m.
  [[nodiscard]] double damping(std::size_t i, double qd) const;

  /// How fast joint i, at this speed, goes through what repeats with its turns, and through the
  /// ripple of its friction: rad/s.
  [[nodiscard]] double turning(std::size_t i, double qd) const;
  [[nodiscard]] double rippling(std::size_t i, double qd) const;
  /// Whether some joint has static friction that falls off with speed.
  [[nodiscard]] bool has_stribeck_curve() const { return has_stribeck_curve_; }
  /// v_s where joint i has static friction that falls off with speed: rad/s, m/s.
  [[nodiscard]] const std::optional<double>& stribeck_velocity(std::size_t i) const {
    return stribeck_velocities_[i];
  }

  /// Time after which joint i, at this speed and acceleration, has gone through about a radian of
  /// what repeats (its turn, the ripple of its friction), half the way to its Stribeck curve, or by
  /// v_s through it; s.
  [[nodiscard]] double time_scale(std::size_t i, double qd, double qdd) const;

  [[nodiscard]] const std::optional<Range>& limit(std::size_t i) const { return limits_[i]; }
  /// For messages.
  [[nodiscard]] std::string name(std::size_t i) const { return joint_name(arm_, i); }
  [[nodiscard]] bool is_revolute(std::size_t i) const {
    return arm_.links[i].joint == JointType::revolute;
  }

  /// Kinetic energy, rotors included, and potential energy, J (eq. 9.6, 9.7).
  [[nodiscard]] double energy(std::span<const double> q, std::span<const double> qd);

 private:
  /// A motor among coupled ones.
  struct Place {
    const CoupledMotors* coupled = nullptr;
    std::size_t index = 0, m = 0;  ///< of the coupling; of the motor in it
    [[nodiscard]] const Motor& motor() const { return coupled->motors[m]; }
  };
  [[nodiscard]] static double coupled_rate(const Place& at, std::span<const double> joints);

  Arm arm_;
  ForwardDynamics forward_;
  std::vector<Drive> drives_;
  std::vector<Place> coupled_at_;  ///< of each contact
  std::vector<Eigen::MatrixXd> decoupling_;
  std::vector<bool> can_stick_, loses_;
  std::vector<std::optional<double>> stribeck_velocities_;
  bool has_stribeck_curve_ = false;
  std::vector<std::optional<Range>> limits_;
};

/// Holds a fixed step against the fastest processes of an arm (docs/derivation.md, section 8.4).
class StepCheck {
 public:
  /// Of an integrator with a fixed step.
  StepCheck(Plant& plant, Integrator integrator);

  /// The process that suffers most where the step is too long for one, at this state.
  [[nodiscard]] std::optional<CoarseStep> operator()(std::span<const double> q,
                                                     std::span<const double> qd, double step);

  /// Likewise the static friction that fell off, or came up, while a step took joints from one
  /// speed to the other.
  [[nodiscard]] std::optional<CoarseStep> passage(std::span<const double> qd_before,
                                                  std::span<const double> qd, double step) const;

 private:
  [[nodiscard]] double stiffness(std::size_t i, std::span<const double> q);

  Plant& plant_;
  double longest_, longest_through_stribeck_;  ///< rate times step
  std::vector<double> M_, column_, stiffest_, q_, zero_, above_, below_;
};

}  // namespace armdyn
