#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>

#include "math/sin_cos.hpp"
#include "model/mechanism.hpp"

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

[[nodiscard]] inline double modulus(double x) {
  return std::abs(x);
}
/// A row's rate, or 0 where it is no more than that share of its joints' parts, which is rounding
/// (31.2a). Formulas have none.
template <class S, class T, class V>
S without_rounding(const S& rate, const JointRowOf<T>& row, const V& joints,
                   double share = 0x1p-30) {
  if constexpr (requires { modulus(rate); }) {
    double parts = 0.0;
    act_by_row<S>(row, S(1.0),
                  [&](std::size_t j, const S& factor) { parts += modulus(S(factor * joints[j])); });
    if (modulus(rate) <= share * parts) return S(0.0);
  }
  return rate;
}

/// Gives the torques that drives on rows take from the joints, aᵀ f(a·q̇, a·q̈), to
/// `add(joint, torque)`. `direction(joint, speed)` is that of a joint's motor.
template <class S, class Drives, class V, class W, class Direction, class Add>
void row_drive_torques(const Drives& all, const V& qd, const W& qdd, const Direction& direction,
                       const Add& add) {  // (31.2)
  for (const auto& one : all) {
    const S speed = row_rate<S>(one.row, qd), acceleration = row_rate<S>(one.row, qdd);
    const auto torque = [&](const auto& way) {
      return drive_torque<S>(one.drive, S(0.0), speed, acceleration, way);
    };
    act_by_row<S>(one.row,
                  one.motor_of
                      ? torque(direction(*one.motor_of, without_rounding(speed, one.row, qd)))
                      : torque(0),
                  add);
  }
}
/// Likewise those of all drives.
template <class S, class A, class V, class W, class Direction, class Add>
void drive_torques(const A& arm, const V& q, const V& qd, const W& qdd, const Direction& direction,
                   const Add& add) {
  for (std::size_t i = 0; i < arm.drives.size(); ++i) {
    add(i, drive_torque<S>(arm.drives[i], q[i], qd[i], S(qdd[i]), direction(i, qd[i])));
  }
  row_drive_torques<S>(arm.row_drives, qd, qdd, direction, add);
}

/// Speeds or accelerations that are all 0.
struct AtRest {
  double operator[](std::size_t /*joint*/) const { return 0.0; }
};
/// The direction in which a motor of that speed turns.
inline constexpr auto by_speed = [](std::size_t /*joint*/, const auto& speed) {
  return direction_of(speed);
};
/// Likewise of a formula, or of a number that may be 0.
inline constexpr auto by_sign = [](std::size_t /*joint*/, const auto& speed) {
  return sign(speed);
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
/// Writes the torques that friction and that rotors take from the joints to `losses(joint)` and
/// `rotors(joint)`.
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
  row_drive_torques<double>(arm.row_drives, qd, AtRest{}, by_speed, add_to(losses));
  row_drive_torques<double>(arm.row_drives, AtRest{}, qdd, by_speed, add_to(rotors));
}

/// Rotors' entries in M, kg·m², kg or kg·m.
struct RotorInertias {
  struct Entry {
    std::size_t row, column;
    double value;
  };
  std::vector<double> diagonal;  ///< reflected to the joints, one per joint
  std::vector<Entry> beside{};   ///< below the diagonal, of motors that turn with several joints
};
[[nodiscard]] RotorInertias rotor_inertias(const Arm& arm);

/// Adds to τ of a block what drives take.
void add_drive_torques(const Arm& arm, const MotionBlock& motion,
                       std::span<const ResultColumn> tau);
/// Takes from τ of a block what torque_after_friction does; qdd is not read.
void subtract_friction(const Arm& arm, const MotionBlock& motion,
                       std::span<const ResultColumn> tau);
/// loss_torque for columns of a joint that slips each time in its direction.
void loss_torques(const Drive& drive, Column q, Column qd, std::span<const int> directions,
                  std::span<double> losses);

/// What dry friction holds: a joint or, in its place, its motor, where that turns with several (31.5).
struct FrictionContact {
  JointRow row;
  Drive drive;  ///< that has the friction
  bool is_joint = true;

  /// Its speed, 0 if it is rounding, or acceleration, by those of the joints.
  template <class V>
  [[nodiscard]] double rate(const V& joints, double rounding = 0x1p-30) const {
    if (is_joint) return joints[row.joints[0]];
    return without_rounding(row_rate<double>(row, joints), row, joints, rounding);
  }
  /// Factors of all joints' rates in its rate, and of its torque in theirs.
  [[nodiscard]] std::vector<double> weights(std::size_t dof) const {
    std::vector<double> all(dof);
    for (std::size_t i = 0; i < dof; ++i) all[i] = row_factor(row, i);
    return all;
  }
};
/// One for each joint.
[[nodiscard]] std::vector<FrictionContact> friction_contacts(const Arm& arm);
/// The rates of contacts.
[[nodiscard]] std::vector<double> contact_rates(const Arm& arm, std::span<const double> joints);
/// The directions in which contacts slip at these speeds of the joints.
[[nodiscard]] std::vector<int> directions(const Arm& arm, std::span<const double> qd);
/// loss_torque of each joint, drives on rows included, in these directions of contacts.
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
/// Tests whether some joint or follower has any.
[[nodiscard]] bool has_any_friction(const Robot& robot);
/// Tests whether there is dry friction, so that the joint can stick.
[[nodiscard]] bool has_dry_friction(const Drive& drive);
/// Tests whether any joint or motor can stick.
[[nodiscard]] bool has_dry_friction(const Arm& arm);
/// The most of joint i's torque that the dry friction of an arm's contacts holds: at any position, and
/// at position q.
[[nodiscard]] TwoSided widest_breakaway(std::span<const FrictionContact> contacts, std::size_t i);
[[nodiscard]] TwoSided breakaway_torque(std::span<const FrictionContact> contacts, std::size_t i,
                                        double q);

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

/// Distance of a measured torque of a joint that stands still, less the computed one, from what
/// static friction takes up.
[[nodiscard]] inline double beyond_static_friction(double residual, const TwoSided& held) {
  return residual - std::clamp(residual, -held.negative, held.positive);
}

}  // namespace armdyn
