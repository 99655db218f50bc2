#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>

#include "math/sin_cos.hpp"

// Friction laws, at the joint and at the motor (docs/derivation.md,
// section 4 and eq. 8.10-8.13): a new law of friction changes this header, its .cpp and nothing
// else of the mechanics, but for the columns of its factors (`friction_columns` of
// arms_on_motion.cpp). `direction` is that in which a joint slips: 1, −1, or 0 for no dry
// friction; an int, or a formula of these values.

namespace armdyn {

struct Dual;

template <class S>
int direction_of(const S& velocity) {
  return velocity > 0.0 ? 1 : velocity < 0.0 ? -1 : 0;
}

/// Dry friction opposes motion: the level of that direction, with its sign; 0 at rest.
template <class Level>
auto signed_level(const Level& level, int direction) {
  using S = decltype(level.positive);
  if (direction > 0) return level.positive;
  if (direction < 0) return S(-level.negative);
  return S(0.0);
}
/// The level without a branch, of a direction that is not known yet.
template <class Level, class D>
D signed_level(const Level& level, const D& direction) {
  const D mean = 0.5 * (level.positive + level.negative) * direction;
  return mean + 0.5 * (level.positive - level.negative) * direction * direction;
}

/// cos(φ + h q)
template <class S, class R>
S ripple_cosine(const R& ripple, const S& q) {
  return sin_cos(ripple.phase + ripple.harmonic * q).cos;
}
[[nodiscard]] double ripple_cosine(const Ripple& ripple, double q);
[[nodiscard]] Dual ripple_cosine(const Ripple& ripple, const Dual& q);

template <class S, class R>
S ripple_factor(const R& ripple, const S& q) {
  if (ripple.amplitude == 0.0) return S(1.0);
  return 1.0 + ripple.amplitude * ripple_cosine(ripple, q);
}

/// exp(−(q̇/v_s)²): how much of the breakaway level is left at this speed.
template <class S, class F>
S stribeck_factor(const F& friction, const S& qd) {
  if (!friction.breakaway || friction.stribeck_velocity == 0.0) return S(0.0);
  using std::exp;
  const S ratio = qd / friction.stribeck_velocity;
  return exp(-ratio * ratio);
}

/// 1/(1 + e⁻ˣ)
template <class S>
S logistic(const S& x) {
  using std::exp;
  return S(1.0) / (S(1.0) + exp(-x));
}
[[nodiscard]] Dual logistic(const Dual& x);

/// The sigmoid law for an amplitude of 1: between −1 and 1, 0 at rest. Out of line, since
/// few joints have it.
template <class S, class L>
[[gnu::noinline]] S sigmoid_share(const L& sigmoid, const S& qd) {  // (26.1)
  return logistic(S(sigmoid.slope * (qd + S(sigmoid.offset)))) -
         logistic(S(sigmoid.slope * sigmoid.offset));
}

/// What friction is by position and speed, for levels of 1.
template <class S>
struct FrictionFactors {
  const S &q, &qd;

  S ripple(const auto& friction) const { return ripple_factor(friction.ripple, q); }
  S stribeck(const auto& friction) const { return stribeck_factor(friction, qd); }
  S sigmoid(const auto& friction) const { return sigmoid_share(friction.sigmoid, qd); }
};

template <class S, class F, class D>
S friction_torque_by(const auto& factors, const F& friction, const S& qd,
                     const D& direction) {  // (4.1)
  const auto c = signed_level(friction.coulomb, direction);
  S above(0.0);  // s − c at this speed
  if (friction.breakaway) {
    above = (signed_level(*friction.breakaway, direction) - c) * factors.stribeck(friction);
  }
  S plain = factors.ripple(friction) * (c + above) + friction.viscous * qd;
  if (friction.sigmoid.amplitude == 0.0) return plain;
  return plain + friction.sigmoid.amplitude * factors.sigmoid(friction);
}
template <class S, class F, class D>
S friction_torque(const F& friction, const S& q, const S& qd, const D& direction) {
  return friction_torque_by(FrictionFactors<S>{q, qd}, friction, qd, direction);
}

template <class S, class M, class D>
S motor_torque(const M& motor, const S& qd, const S& qdd, const D& direction) {  // (4.2)
  using std::abs;
  const auto& G = motor.gear_ratio;
  return abs(G) * signed_level(motor.coulomb, direction) +
         G * G * (motor.rotor_inertia * qdd + motor.viscous * qd);
}

/// Torque that friction and motor take from a joint, the rotor's inertia included.
template <class S, class Drive, class D>
S drive_torque(const Drive& drive, const S& q, const S& qd, const S& qdd, const D& direction) {
  return friction_torque(drive.friction, q, qd, direction) +
         motor_torque(drive.motor, qd, qdd, direction);
}

/// Speed of a coupled motor, or its acceleration, by those of the joints; rad/s, rad/s².
template <class S, class C, class V>
S motor_rate(const C& coupled, std::size_t m, const V& joints) {  // (31.1)
  S rate(0.0);
  for (std::size_t j = 0; j < coupled.joints.size(); ++j) {
    rate = rate + coupled.ratio(m, j) * joints[coupled.joints[j]];
  }
  return rate;
}

[[nodiscard]] inline double modulus(double x) {
  return std::abs(x);
}
/// A coupled motor's rate, or 0 where it is no more than that share of its joints' parts, which is
/// rounding (31.2a). Formulas have none.
template <class S, class C, class V>
S without_rounding(const S& rate, const C& coupled, std::size_t m, const V& joints,
                   double share = 0x1p-30) {
  if constexpr (requires { modulus(rate); }) {
    double parts = 0.0;
    for (std::size_t j = 0; j < coupled.joints.size(); ++j) {
      parts += modulus(S(coupled.ratio(m, j) * joints[coupled.joints[j]]));
    }
    if (modulus(rate) <= share * parts) return S(0.0);
  }
  return rate;
}

/// Gives the torques that coupled motors take from the joints, Aᵀ τ_m, to `add(joint, torque)`.
/// `direction(joint, speed)` is that of the joint's motor.
template <class S, class Coupled, class V, class W, class Direction, class Add>
void coupled_motor_torques(const Coupled& all, const V& qd, const W& qdd,
                           const Direction& direction, const Add& add) {  // (31.2)
  for (const auto& coupled : all) {
    for (std::size_t m = 0; m < coupled.motors.size(); ++m) {
      const S speed = motor_rate<S>(coupled, m, qd);
      const S torque =
          motor_torque<S>(coupled.motors[m], speed, motor_rate<S>(coupled, m, qdd),
                          direction(coupled.joints[m], without_rounding(speed, coupled, m, qd)));
      for (std::size_t j = 0; j < coupled.joints.size(); ++j) {
        add(coupled.joints[j], S(coupled.ratio(m, j) * torque));
      }
    }
  }
}

/// Speeds or accelerations that are all 0.
struct AtRest {
  double operator[](std::size_t /*joint*/) const { return 0.0; }
};
/// The direction in which a motor of that speed turns.
inline constexpr auto by_speed = [](std::size_t /*joint*/, const auto& speed) {
  return direction_of(speed);
};

/// Adds to these torques.
template <class Torques>
auto adding_to(Torques&& torques) {
  return [&torques](std::size_t joint, const auto& torque) {
    torques[joint] = torques[joint] + torque;
  };
}

/// One value per joint, out of columns.
struct InRow {
  std::span<const double* const> columns;
  std::size_t row;

  double operator[](std::size_t joint) const { return columns[joint][row]; }
};
inline auto adding_to_row(std::span<double* const> columns, std::size_t row) {
  return [columns, row](std::size_t joint, double torque) { columns[joint][row] += torque; };
}

/// A drive's torque less all friction: it moves rotor and link.
[[nodiscard]] double torque_after_friction(double tau, const Drive& drive, double q, double qd);

/// G² J q̈: what the reflected rotor inertia asks for.
[[nodiscard]] double rotor_torque(const Motor& motor, double qdd);
/// Writes the torques that friction and that rotors take from the joints, coupled motors included,
/// to `losses(joint)` and `rotors(joint)`.
template <class V, class Torque>
void drive_terms(const Arm& arm, const V& q, const V& qd, const V& qdd, const Torque& losses,
                 const Torque& rotors) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    losses(i) = loss_torque(arm.drives[i], q[i], qd[i], direction_of(qd[i]));
    rotors(i) = rotor_torque(arm.drives[i].motor, qdd[i]);
  }
  const auto add_to = [](const Torque& torques) {
    return [&torques](std::size_t joint, double torque) { torques(joint) += torque; };
  };
  coupled_motor_torques<double>(arm.coupled_motors, qd, AtRest{}, by_speed, add_to(losses));
  coupled_motor_torques<double>(arm.coupled_motors, AtRest{}, qdd, by_speed, add_to(rotors));
}

/// Rotors' entries in M, kg·m², kg or kg·m.
struct RotorInertias {
  struct Entry {
    std::size_t row, column;
    double value;
  };
  std::vector<double> diagonal;  ///< reflected to the joints, one per joint
  std::vector<Entry> coupled{};  ///< below the diagonal, of coupled motors
};
[[nodiscard]] RotorInertias rotor_inertias(const Arm& arm);

/// Adds to τ of a block what drives and coupled motors take.
void add_drive_torques(const Arm& arm, const MotionBlock& motion,
                       std::span<const ResultColumn> tau);
/// Takes from τ of a block what torque_after_friction does; qdd is not read.
void subtract_friction(const Arm& arm, const MotionBlock& motion,
                       std::span<const ResultColumn> tau);
/// loss_torque for columns of a joint that slips each time in its direction.
void loss_torques(const Drive& drive, Column q, Column qd, std::span<const int> directions,
                  std::span<double> losses);

/// Rates of contacts, which have dry friction: joints, and coupled motors in their joints' places.
[[nodiscard]] std::vector<double> contact_rates(const Arm& arm, std::span<const double> joints);
/// Factors of the joints' rates in that of contact i, and of its torque in theirs.
[[nodiscard]] std::vector<double> contact_weights(const Arm& arm, std::size_t i);
/// Static friction of contact i at rest, at position q of its joint: N·m or N.
[[nodiscard]] TwoSided static_level(const Arm& arm, std::size_t i, double q);
/// The directions in which contacts slip at these speeds of the joints.
[[nodiscard]] std::vector<int> directions(const Arm& arm, std::span<const double> qd);
/// loss_torque of each joint, coupled motors included, in these directions.
void loss_torques(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                  std::span<const int> directions, std::span<double> torques);

/// Joints whose drives have a rotor or friction; those of the others, with a gear ratio at most, take
/// no torque.
[[nodiscard]] std::vector<std::size_t> driven_joints(const Arm& arm);

/// The arm's links alone.
[[nodiscard]] Arm without_drives(Arm arm);

/// B of joint and motor together, N·m·s/rad or N·s/m.
template <class S>
S viscous_friction(const DriveOf<S>& drive) {
  const auto& [friction, motor] = drive;
  return friction.viscous + motor.gear_ratio * motor.gear_ratio * motor.viscous;
}
/// Tests whether there is any friction, dry or viscous, at joint or motor.
[[nodiscard]] bool has_friction(const Drive& drive);
/// Tests whether there is dry friction, so that the joint can stick.
[[nodiscard]] bool has_dry_friction(const Drive& drive);
/// Tests whether any joint or motor can stick.
[[nodiscard]] bool has_dry_friction(const Arm& arm);
/// The most of joint i's torque that dry friction holds, coupled motors included: at any position,
/// and at position q.
[[nodiscard]] TwoSided widest_breakaway(const Robot& robot, std::size_t i);
[[nodiscard]] TwoSided breakaway_torque(const Robot& robot, std::size_t i, double q);

/// The steepest growth of friction with the speed, near this one: N·m·s/rad, N·s/m (eq. 8.10).
[[nodiscard]] double steepest_friction(const Drive& drive, double qd);
/// The rate at which a joint goes through the ripple of its friction, rad/s (eq. 8.12).
[[nodiscard]] double rippling(const Drive& drive, double qd);
/// v_s where there is static friction that falls off with speed: rad/s, m/s.
[[nodiscard]] std::optional<double> stribeck_velocity(const Drive& drive);
/// Time after which a joint, at this speed and acceleration, is half the way to its Stribeck curve
/// or sigmoid, or by v_s or 1/slope through it, s; infinite without one.
[[nodiscard]] double curve_time(const Drive& drive, double qd, double qdd);

/// The least and the most of dry friction, without its ripple, at any speed in a direction, 0: in
/// either; N·m or N. Of a motor at its rotor.
[[nodiscard]] Range dry_range(const Friction& friction, int direction);
[[nodiscard]] Range dry_range(const Motor& motor, int direction);
/// The least and the most of friction that is smooth at rest, its viscous part left out.
[[nodiscard]] Range smooth_range(const Friction& friction, int direction);

/// The drive with what friction of it is dry by Coulomb, rippling too, and viscous, alone.
[[nodiscard]] Drive with_plain_friction(Drive drive);
/// Tests whether it has no other friction.
[[nodiscard]] bool has_plain_friction(const Drive& drive);
/// Tests whether the torques of two drives have the same factors, by position and speed, of levels
/// that may differ.
[[nodiscard]] bool differ_in_levels_alone(const Drive& one, const Drive& other);

/// The drive as other programs' files have it, viscous and Coulomb friction of the joint alone:
/// the motor's as the joint feels it, one level for both directions, their mean; gear and rotor stay.
[[nodiscard]] Drive plain_drive(const Drive& drive);

/// Removes all friction of a joint, dry and viscous, at the joint and at the motor; the rotor
/// stays.
void remove_friction(Joint& joint);
/// The arm without all friction.
[[nodiscard]] Arm without_friction(Robot robot);
/// Multiplies all friction of a joint, dry and viscous, at the joint and at the motor, by a factor
/// of 0 or more.
void scale_friction(Joint& joint, double factor);
/// Removes the inertia of a joint's rotor; friction stays.
void remove_rotor(Joint& joint);

/// A parameter of a joint's friction or motor; a dry friction's level counts by the mean of its two
/// directions. 0 for a kind that is none of a drive, and where there is none.
[[nodiscard]] double drive_parameter(const Drive& drive, ParameterKind kind);

/// Sets such a parameter; a level keeps the ratio of its directions.
void set_drive_parameter(Friction& friction, Motor& motor, ParameterKind kind, double value);

/// Tests whether a joint stands still; where motors turn with several joints, its motor.
template <class V>
bool stands_still(const Robot& robot, std::size_t joint, const V& qd) {
  const Coupling* const coupling = find_coupling(robot, joint);
  if (coupling == nullptr) return qd[joint] == 0.0;
  const std::size_t m = coupling->place(joint);
  return without_rounding(motor_rate<double>(*coupling, m, qd), *coupling, m, qd) == 0.0;
}

/// Distance of a measured torque of a joint that stands still, less the computed one, from what
/// static friction takes up.
[[nodiscard]] inline double beyond_static_friction(double residual, const TwoSided& held) {
  return residual - std::clamp(residual, -held.negative, held.positive);
}

}  // namespace armdyn
