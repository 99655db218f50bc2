#include "dynamics/friction.hpp"

#include <limits>
#include <map>

#include "math/dual.hpp"
#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/robot_fields.hpp"

namespace armdyn {

namespace {

/// Scales the numbers that have a role, of a joint or a part of it.
void scale(unsigned role, double factor, auto& part) {
  const auto scaled = [&](const RobotField& field, double& number) {
    if (field.has(role)) number *= factor;
  };
  fields(Numbers(scaled), part);
}

/// Tests whether a number that has a role is not 0.
bool has_any(const Drive& drive, unsigned role) {
  bool found = false;
  const auto look = [&](const RobotField& field, double number) {
    found = found || (field.has(role) && number != 0.0);
  };
  fields(Numbers(look), drive.friction);
  fields(Numbers(look), drive.motor);
  return found;
}

/// Sine and cosine of φ + h q: what rounding takes from the angle, which counts after many turns, is
/// turned back.
SinCos ripple_angle(const Ripple& ripple, double q) {
  const double turned = ripple.harmonic * q;
  const double angle = ripple.phase + turned;
  const double of_turned = angle - ripple.phase;
  const double left = (ripple.phase - (angle - of_turned)) + (turned - of_turned) +
                      std::fma(ripple.harmonic, q, -turned);
  const auto [s, c] = sin_cos(angle);
  const auto [s_left, c_left] = sin_cos(left);
  return {s * c_left + c * s_left, c * c_left - s * s_left};
}

}  // namespace

double ripple_cosine(const Ripple& ripple, double q) {
  return ripple_angle(ripple, q).cos;
}

Dual ripple_cosine(const Ripple& ripple, const Dual& q) {
  const auto [s, c] = ripple_angle(ripple, q.value);
  return {c, -s * (ripple.harmonic * q.slope)};
}

Dual logistic(const Dual& x) {
  const double value = logistic(x.value);
  return {value, value * (1.0 - value) * x.slope};
}

double friction_torque(const Friction& friction, double q, double qd) {
  return friction_torque<double>(friction, q, qd, direction_of(qd));
}

double motor_torque(const Motor& motor, double qd, double qdd) {
  return motor_torque<double>(motor, qd, qdd, direction_of(qd));
}

double loss_torque(const Drive& drive, double q, double qd, int direction) {
  return drive_torque(drive, q, qd, 0.0, direction);
}

double torque_after_friction(double tau, const Drive& drive, double q, double qd) {
  const int direction = direction_of(qd);
  return tau - friction_torque<double>(drive.friction, q, qd, direction) -
         motor_torque<double>(drive.motor, qd, 0.0, direction);
}

double rotor_torque(const Motor& motor, double qdd) {
  return motor.gear_ratio * motor.gear_ratio * (motor.rotor_inertia * qdd);
}

RotorInertias rotor_inertias(const Arm& arm) {
  RotorInertias rotors;
  for (const Drive& drive : arm.drives) rotors.diagonal.push_back(rotor_torque(drive.motor, 1.0));
  std::map<std::pair<std::size_t, std::size_t>, double> beside;
  for (const RowDrive& one : arm.row_drives) {  // Aᵀ J A
    act_by_row(one.row, one.drive.motor.rotor_inertia, [&](std::size_t i, double of_row) {
      act_by_row(one.row, of_row, [&](std::size_t j, double entry) {
        if (i == j) rotors.diagonal[i] += entry;
        if (i > j && entry != 0.0) beside[{i, j}] += entry;
      });
    });
  }
  for (const auto& [at, entry] : beside) rotors.beside.push_back({at.first, at.second, entry});
  return rotors;
}

namespace {

/// Tests whether it takes torque: a gear ratio alone does not.
bool is_driven(const Drive& drive) {
  return drive.motor.rotor_inertia != 0.0 || has_friction(drive);
}

}  // namespace

std::vector<std::size_t> driven_joints(const Arm& arm) {
  return where(arm.dof(), [&arm](std::size_t i) { return is_driven(arm.drives[i]); });
}

Arm without_drives(Arm arm) {
  arm.drives.assign(arm.dof(), {});
  arm.row_drives.clear();
  return arm;
}

/// Flattened: a loop of its own for each law that a drive has.
[[gnu::flatten]] void add_drive_torques(const Arm& arm, const MotionBlock& motion,
                                        std::span<const ResultColumn> tau) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    if (!is_driven(arm.drives[i])) continue;
    const Drive drive = arm.drives[i];  // its own: no torque that is written can be part of it
    const Column q = motion.q[i], qd = motion.qd[i], qdd = motion.qdd[i];
    for (std::size_t row = 0; row < motion.rows; ++row) {
      tau[i][row] += drive_torque<double>(drive, q[row], qd[row], qdd[row], direction_of(qd[row]));
    }
  }
  for (std::size_t row = 0; !arm.row_drives.empty() && row < motion.rows; ++row) {
    row_drive_torques<double>(arm.row_drives, InRow{motion.qd, row}, InRow{motion.qdd, row},
                              by_speed, adding_to_row(tau, row));
  }
}

void subtract_friction(const Arm& arm, const MotionBlock& motion,
                       std::span<const ResultColumn> tau) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    if (!is_driven(arm.drives[i])) continue;
    const Drive drive = arm.drives[i];
    const Column q = motion.q[i], qd = motion.qd[i];
    for (std::size_t row = 0; row < motion.rows; ++row) {
      tau[i][row] = torque_after_friction(tau[i][row], drive, q[row], qd[row]);
    }
  }
  for (std::size_t row = 0; !arm.row_drives.empty() && row < motion.rows; ++row) {
    row_drive_torques<double>(arm.row_drives, InRow{motion.qd, row}, AtRest{}, by_speed,
                              [&](std::size_t joint, double torque) { tau[joint][row] -= torque; });
  }
}

void loss_torques(const Drive& drive, Column q, Column qd, std::span<const int> directions,
                  std::span<double> losses) {
  for (std::size_t row = 0; row < losses.size(); ++row) {
    losses[row] = loss_torque(drive, q[row], qd[row], directions[row]);
  }
}

std::vector<double> contact_rates(const Arm& arm, std::span<const double> joints) {
  std::vector<double> rates(joints.begin(), joints.end());
  for (const auto& [row, drive, motor_of] : arm.row_drives) {
    if (!motor_of) continue;
    rates[*motor_of] = without_rounding(row_rate<double>(row, joints), row, joints);
  }
  return rates;
}

std::vector<FrictionContact> friction_contacts(const Arm& arm) {
  std::vector<FrictionContact> all;
  for (std::size_t i = 0; i < arm.dof(); ++i) all.push_back({{{i}, {1.0}}, arm.drives[i]});
  for (const auto& [row, drive, motor_of] : arm.row_drives) {
    if (motor_of) all[*motor_of] = {row, drive, false};
  }
  return all;
}

std::vector<int> directions(const Arm& arm, std::span<const double> qd) {
  return each(contact_rates(arm, qd), direction_of<double>);
}

void loss_torques(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                  std::span<const int> directions, std::span<double> torques) {
  std::ranges::fill(torques, 0.0);
  drive_torques<double>(
      arm, q, qd, AtRest{}, [directions](std::size_t i, double /*speed*/) { return directions[i]; },
      adding_to(torques));
}

TwoSided breakaway_torque(const Drive& drive, double q) {
  const TwoSided& joint = drive.friction.breakaway.value_or(drive.friction.coulomb);
  const TwoSided& motor = drive.motor.coulomb;
  const double ripple = ripple_factor(drive.friction.ripple, q);
  const double G = std::abs(drive.motor.gear_ratio);
  return {ripple * joint.positive + G * motor.positive,
          ripple * joint.negative + G * motor.negative};
}

TwoSided widest_breakaway(std::span<const FrictionContact> contacts, std::size_t i) {
  const Ripple& ripple = contacts[i].drive.friction.ripple;
  const double crest = ripple.harmonic == 0.0 ? 0.0 : -ripple.phase / ripple.harmonic;
  return breakaway_torque(contacts, i, crest);
}

TwoSided breakaway_torque(std::span<const FrictionContact> contacts, std::size_t i, double q) {
  TwoSided band;
  for (const FrictionContact& contact : contacts) {
    const double ratio = row_factor(contact.row, i);
    if (ratio == 0.0) continue;
    const auto [positive, negative] = breakaway_torque(contact.drive, q);
    band.positive += std::abs(ratio) * (ratio > 0.0 ? positive : negative);
    band.negative += std::abs(ratio) * (ratio > 0.0 ? negative : positive);
  }
  return band;
}

bool has_dry_friction(const Drive& drive) {
  return has_any(drive, role::dry);
}

bool has_dry_friction(const Arm& arm) {
  const auto is_dry = [](const Drive& drive) { return has_dry_friction(drive); };
  return std::ranges::any_of(arm.drives, is_dry) ||
         std::ranges::any_of(arm.row_drives, is_dry, &RowDrive::drive);
}

bool has_friction(const Drive& drive) {
  return has_any(drive, role::friction);
}
bool has_any_friction(const Robot& robot) {
  return std::ranges::any_of(in_order(number_of_joints(robot)), [&robot](std::size_t k) {
    const Joint& joint = joint_at(robot, k);
    return has_friction({joint.friction, joint.motor});
  });
}

double steepest_friction(const Drive& drive, double qd) {
  const Friction& friction = drive.friction;
  double slope = viscous_friction(drive);
  // The sigmoid is steepest, by its amplitude · slope / 4, where q̇ = −offset.
  const double share = logistic(friction.sigmoid.slope * (qd + friction.sigmoid.offset));
  slope += friction.sigmoid.amplitude * friction.sigmoid.slope * share * (1.0 - share);
  const std::optional<double> v_s = stribeck_velocity(drive);
  if (v_s && std::abs(qd) < 3.0 * *v_s) {
    const double drop = std::max(friction.breakaway->positive - friction.coulomb.positive,
                                 friction.breakaway->negative - friction.coulomb.negative);
    constexpr double steepest = 0.8577638849607068;  // of exp(−x²): √2/√e
    slope += (1.0 + friction.ripple.amplitude) * steepest * drop / *v_s;
  }
  return slope;
}

double rippling(const Drive& drive, double qd) {
  const Ripple& ripple = drive.friction.ripple;
  return ripple.amplitude == 0.0 ? 0.0 : std::abs(ripple.harmonic * qd);
}

std::optional<double> stribeck_velocity(const Drive& drive) {
  const Friction& friction = drive.friction;
  if (!friction.breakaway || !(friction.stribeck_velocity > 0.0)) return {};
  return friction.stribeck_velocity;
}

double curve_time(const Drive& drive, double qd, double qdd) {
  const auto time = [qdd](double from_middle, double width, double widths) {
    const double ahead = std::max(0.0, std::abs(from_middle) - widths * width);
    return (0.5 * ahead + width) / std::abs(qdd);
  };
  double shortest = std::numeric_limits<double>::infinity();
  if (const std::optional<double> v_s = stribeck_velocity(drive)) shortest = time(qd, *v_s, 4.0);
  const auto& sigmoid = drive.friction.sigmoid;
  if (sigmoid.amplitude != 0.0 && sigmoid.slope != 0.0) {
    shortest = std::min(shortest, time(qd + sigmoid.offset, 1.0 / sigmoid.slope, 8.0));
  }
  return shortest;
}

static Range range_of(const TwoSided& least, const TwoSided& most, int direction) {
  if (direction == 1) return {least.positive, most.positive};
  if (direction == -1) return {-most.negative, -least.negative};
  return {-most.negative, most.positive};
}

Range dry_range(const Friction& friction, int direction) {
  const bool may_be_static = friction.stribeck_velocity > 0.0 || direction == 0;
  return range_of(friction.coulomb,
                  may_be_static ? friction.breakaway.value_or(friction.coulomb) : friction.coulomb,
                  direction);
}

Range dry_range(const Motor& motor, int direction) {
  return range_of(motor.coulomb, motor.coulomb, direction);
}

Range smooth_range(const Friction& friction, int direction) {
  const auto& [amplitude, slope, offset] = friction.sigmoid;
  const double at_rest = logistic(slope * offset);
  return {direction == 1 ? 0.0 : -amplitude * at_rest,
          direction == -1 ? 0.0 : amplitude * (1.0 - at_rest)};
}

Drive with_plain_friction(Drive drive) {
  drive.friction.sigmoid = {};
  drive.friction.breakaway.reset();
  return drive;
}

bool has_plain_friction(const Drive& drive) {
  return !stribeck_velocity(drive) && drive.friction.sigmoid.amplitude == 0.0;
}

bool differ_in_levels_alone(const Drive& one, const Drive& other) {
  const Friction &f = one.friction, &g = other.friction;
  return f.breakaway.has_value() == g.breakaway.has_value() && f.ripple == g.ripple &&
         f.stribeck_velocity == g.stribeck_velocity && f.sigmoid.slope == g.sigmoid.slope &&
         f.sigmoid.offset == g.sigmoid.offset && one.motor.gear_ratio == other.motor.gear_ratio;
}

Drive plain_drive(const Drive& drive) {
  const auto dry = [&](int direction) {
    return std::abs(signed_level(drive.friction.coulomb, direction) +
                    motor_torque(drive.motor, 0.0, 0.0, direction)) +
           drive.friction.sigmoid.amplitude / 2;  // the mean of what its two directions tend to
  };
  Drive plain;
  plain.friction.viscous = drive.friction.viscous + motor_torque(drive.motor, 1.0, 0.0, 0);
  plain.friction.coulomb.positive = plain.friction.coulomb.negative = (dry(1) + dry(-1)) / 2;
  plain.motor.rotor_inertia = drive.motor.rotor_inertia;
  plain.motor.gear_ratio = drive.motor.gear_ratio;
  return plain;
}

void remove_friction(Joint& joint) {
  joint.friction = {};
  scale(role::friction, 0.0, joint.motor);
}

Arm without_friction(Robot robot) {
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) remove_friction(joint_at(robot, k));
  return normalize(robot);
}

void scale_friction(Joint& joint, double factor) {
  scale(role::friction, factor, joint);
}

void remove_rotor(Joint& joint) {
  scale(role::rotor, 0.0, joint);
}

double drive_parameter(const Drive& drive, ParameterKind kind) {
  double sum = 0.0, count = 0.0;
  const auto add = [&](const RobotField& field, double number) {
    if (field.parameter != kind) return;
    sum += number;
    ++count;
  };
  fields(Numbers(add), drive.friction);
  fields(Numbers(add), drive.motor);
  return count == 0.0 ? 0.0 : sum / count;
}

void set_drive_parameter(Friction& friction, Motor& motor, ParameterKind kind, double value) {
  const double before = drive_parameter({friction, motor}, kind);
  const auto set = [&](const RobotField& field, double& number) {
    if (field.parameter == kind) number = before == 0.0 ? value : number / before * value;
  };
  fields(Numbers(set), friction);
  fields(Numbers(set), motor);
}

}  // namespace armdyn
