#include "simulation/plant.hpp"

#include <armdyn/equations.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dynamics/inertia_bounds.hpp"

namespace armdyn {

namespace {

bool has_level(const TwoSided& level) {
  return level.positive > 0.0 || level.negative > 0.0;
}

/// Whether anything but the inertia of its rotor resists a joint.
bool loses_torque(const Drive& drive) {
  Drive rotor;
  rotor.motor.rotor_inertia = drive.motor.rotor_inertia;
  rotor.motor.gear_ratio = drive.motor.gear_ratio;
  rotor.motor.efficiency = drive.motor.efficiency;
  return !(drive == rotor);
}

}  // namespace

bool has_dry_friction(const Drive& drive) {
  return has_level(drive.friction.coulomb) || has_level(drive.motor.coulomb) ||
         (drive.friction.breakaway && has_level(*drive.friction.breakaway));
}

Plant::Plant(const Arm& arm, std::span<const Limits> limits, ForwardMethod method)
    : arm_(arm), forward_(arm, method), drives_(arm.drives), limits_(arm.dof()) {
  if (!limits.empty() && limits.size() != arm.dof()) {
    throw std::invalid_argument("limits need one entry per joint, or none");
  }
  for (std::size_t i = 0; i < limits.size(); ++i) limits_[i] = limits[i].position;
  for (const Drive& drive : drives_) {
    can_stick_.push_back(has_dry_friction(drive));
    loses_.push_back(loses_torque(drive));
    const Friction& friction = drive.friction;
    const bool falls_off = friction.breakaway && friction.stribeck_velocity > 0.0;
    has_stribeck_curve_ = has_stribeck_curve_ || falls_off;
    stribeck_velocities_.push_back(falls_off ? std::optional(friction.stribeck_velocity)
                                             : std::nullopt);
  }
}

void Plant::require_regular(std::span<const double> q) {
  const std::vector<double> zero(dof());
  std::vector<double> qdd(dof());
  accelerations(q, zero, zero, {}, qdd);
}

double Plant::turning(std::size_t i, double qd) const {
  return is_revolute(i) ? std::abs(qd) : 0.0;
}

double Plant::rippling(std::size_t i, double qd) const {
  const Ripple& ripple = drives_[i].friction.ripple;
  return ripple.amplitude == 0.0 ? 0.0 : std::abs(ripple.harmonic * qd);
}

/// Whatever the posture, gravity has no longer arm than the masses beyond the joint are away.
void Plant::bound_stiffness(std::span<const double> q, std::span<double> bounds) const {
  const Vec3& v_dot = arm_.v_dot_0;
  const double g = std::abs(v_dot.x) + std::abs(v_dot.y) + std::abs(v_dot.z);
  Reach reach;
  for (std::size_t i = dof(); i-- > 0;) {
    const Link& link = arm_.links[i];
    reach.add(link.body);
    constexpr double rounding = 1.001;  // of the difference that is taken for the derivative
    bounds[i] = rounding * g * reach.moment;
    const double slide = link.joint == JointType::prismatic ? std::abs(q[i]) : 0.0;
    reach.move(std::abs(link.a) +
               (std::abs(link.sin_alpha) + std::abs(link.cos_alpha)) * (std::abs(link.d) + slide));
  }
}

double Plant::damping(std::size_t i, double qd) const {
  const auto& [friction, motor] = drives_[i];
  double damping = friction.viscous + motor.gear_ratio * motor.gear_ratio * motor.viscous;
  const std::optional<double>& v_s = stribeck_velocity(i);
  if (v_s && std::abs(qd) < 3.0 * *v_s) {
    const double drop = std::max(friction.breakaway->positive - friction.coulomb.positive,
                                 friction.breakaway->negative - friction.coulomb.negative);
    constexpr double steepest = 0.8577638849607068;  // of exp(−x²): √2/√e
    damping += (1.0 + friction.ripple.amplitude) * steepest * drop / *v_s;
  }
  return damping;
}

double Plant::time_scale(std::size_t i, double qd, double qdd) const {
  double time = 1.0 / std::max(turning(i, qd), rippling(i, qd));
  if (const auto v_s = stribeck_velocity(i)) {
    const double ahead = std::max(0.0, std::abs(qd) - 4.0 * *v_s);  // until the curve begins
    time = std::min(time, (0.5 * ahead + *v_s) / std::abs(qdd));
  }
  return time;
}

double Plant::energy(std::span<const double> q, std::span<const double> qd) {
  const std::size_t n = dof();
  std::vector<double> M(n * n);
  mass_matrix(q, M);
  double kinetic = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) kinetic += 0.5 * qd[i] * M[i * n + j] * qd[j];  // (9.6)
  }
  return kinetic + potential_energy(arm_, q);
}

}  // namespace armdyn
