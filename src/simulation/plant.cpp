#include "simulation/plant.hpp"

#include <armdyn/equations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "dynamics/singular_mass_matrix.hpp"
#include "math/decompositions.hpp"
#include "math/eigen.hpp"

namespace armdyn {

Plant::Plant(const Arm& arm, std::span<const Limits> limits, ForwardMethod method)
    : arm_(arm),
      forward_(arm, method),
      drives_(arm.drives),
      coupled_at_(arm.dof()),
      limits_(arm.dof()) {
  if (!limits.empty() && limits.size() != arm.dof()) {
    throw std::invalid_argument("limits need one entry per joint, or none");
  }
  for (std::size_t i = 0; i < limits.size(); ++i) limits_[i] = limits[i].position;
  for (const Drive& drive : drives_) {
    can_stick_.push_back(has_dry_friction(drive));
    loses_.push_back(has_friction(drive));
    stribeck_velocities_.push_back(armdyn::stribeck_velocity(drive));
    has_stribeck_curve_ = has_stribeck_curve_ || stribeck_velocities_.back();
  }
  for (const CoupledMotors& coupled : arm_.coupled_motors) {
    for (std::size_t m = 0; m < coupled.joints.size(); ++m) {
      const std::size_t i = coupled.joints[m];
      const Drive motor{{}, coupled.motors[m]};
      coupled_at_[i] = {&coupled, decoupling_.size(), m};
      can_stick_[i] = has_dry_friction(motor);
      for (const std::size_t j : coupled.joints) loses_[j] = loses_[j] || has_friction(motor);
    }
    decoupling_.emplace_back(inverse(eigen(coupled.matrix, coupled.joints.size())));
  }
}

void Plant::losses(std::span<const double> q, std::span<const double> qd,
                   std::span<const int> directions, std::span<double> torques) const {
  for (std::size_t i = 0; i < dof(); ++i) {
    torques[i] = loss_torque(drives_[i], q[i], qd[i], directions[i]);
  }
  coupled_motor_torques<double>(
      arm_.coupled_motors, qd, AtRest{},
      [directions](std::size_t motor, double /*speed*/) { return directions[motor]; },
      adding_to(torques));
}

double Plant::coupled_rate(const Place& at, std::span<const double> joints) {
  const double rate = motor_rate<double>(*at.coupled, at.m, joints);
  double size = 0.0;
  for (std::size_t j = 0; j < at.coupled->joints.size(); ++j) {
    size += std::abs(at.coupled->ratio(at.m, j) * joints[at.coupled->joints[j]]);
  }
  constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
  return std::abs(rate) <= rounding * size ? 0.0 : rate;
}

void Plant::stop_contact(std::size_t i, std::span<double> qd) const {
  const auto& [coupled, index, stopped] = coupled_at_[i];
  if (coupled == nullptr) {
    qd[i] = 0.0;
    return;
  }
  const auto k = static_cast<Eigen::Index>(coupled->joints.size());
  Eigen::VectorXd speeds(k);
  for (Eigen::Index m = 0; m < k; ++m) {
    const auto motor = static_cast<std::size_t>(m);
    speeds[m] = motor == stopped ? 0.0 : motor_rate<double>(*coupled, motor, qd);
  }
  const Eigen::VectorXd joints = decoupling_[index] * speeds;
  for (Eigen::Index j = 0; j < k; ++j) qd[coupled->joints[static_cast<std::size_t>(j)]] = joints[j];
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
  return armdyn::rippling(drives_[i], qd);
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
  double damping = steepest_friction(drives_[i], qd);
  if (const CoupledMotors* coupled = coupled_at_[i].coupled) {
    const std::size_t j = coupled->place(i);
    for (std::size_t m = 0; m < coupled->motors.size(); ++m) {
      damping += coupled->ratio(m, j) * coupled->ratio(m, j) * coupled->motors[m].viscous;
    }
  }
  return damping;
}

double Plant::time_scale(std::size_t i, double qd, double qdd) const {
  return std::min(1.0 / std::max(turning(i, qd), rippling(i, qd)),
                  stribeck_time(drives_[i], qd, qdd));
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
