#include "dynamics/setting_out.hpp"

#include <algorithm>

#include "dynamics/newton_euler.hpp"

namespace armdyn {

SettingOut::SettingOut(const Robot& robot)
    : arm_(normalize(robot)),
      inertia_(gravity_removed(without_friction(robot))),
      side_(robot),
      contacts_(friction_contacts(arm_)),
      zero_(robot.dof()) {}

std::optional<SettingOut::Start> SettingOut::find(const MotionState& state,
                                                  std::span<const double> tau,
                                                  std::span<const double> next_qd) {
  const std::size_t n = arm_.dof();
  const std::vector<double> rates = contact_rates(arm_, state.qd);
  std::vector<int> found = directions(arm_, next_qd);
  for (std::size_t i = 0; i < n; ++i) found[i] = rates[i] == 0.0 ? found[i] : 0;
  if (std::ranges::count(found, 0) == std::ssize(found)) return {};

  std::vector<double> qdd(n), inertia(n);  // by the accelerations of these contacts
  for (std::size_t i = 0; i < n; ++i) {
    if (found[i] == 0) continue;
    double of_motor = 0.0;
    for (std::size_t j = 0; j < n; ++j) of_motor += side_.rate_factor(i, j) * state.qdd[j];
    for (std::size_t j = 0; j < n; ++j) qdd[j] += side_.torque_factor(i, j) * of_motor;
  }
  inertia_.torque({state.q, zero_, qdd}, {}, inertia);

  const std::vector<double> moving(tau.begin(), tau.end());
  Start start{std::move(found), moving, moving, std::vector<bool>(n)};
  for (std::size_t i = 0; i < n; ++i) start.load[i] -= inertia[i];
  for (std::size_t i = 0; i < n; ++i) {
    const int direction = start.directions[i];
    if (direction == 0) continue;
    const auto& [row, drive, is_joint] = contacts_[i];
    double friction = signed_level(breakaway_torque(drive, state.q[i]), direction);
    if (is_joint) {  // else static friction is Coulomb's
      const double sliding = loss_torque(drive, state.q[i], 0.0, direction);
      friction = direction * std::max(direction * sliding, direction * (friction - inertia[i]));
    }
    const std::vector<double> weights = contacts_[i].weights(n);
    for (std::size_t j = 0; j < n; ++j) {
      start.torque[j] += weights[j] * friction;
      start.has_part[j] = start.has_part[j] || weights[j] != 0.0;
    }
  }
  return start;
}

}  // namespace armdyn
