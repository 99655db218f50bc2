#include <armdyn/derivatives.hpp>

#include <span>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"
#include "math/dual.hpp"

namespace armdyn {

namespace {

std::vector<Dual> duals(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// The whole torque of an arm, read with Duals.
class DualTorque {
 public:
  DualTorque(const Arm& arm, const MotionState& state, const Wrench& hand)
      : q(duals(state.q)),
        qd(duals(state.qd)),
        qdd(duals(state.qdd)),
        arm_(arm),
        hand_(constant<Dual>(hand)),
        links_(arm.dof()),
        tau_(arm.dof()) {}

  /// ∂τ/∂x for the entries x of q, qd or qdd (eq. 9.25).
  Matrix derivative(std::vector<Dual>& x) {
    Matrix result(tau_.size(), x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j].slope = 1.0;
      evaluate();
      x[j].slope = 0.0;
      for (std::size_t i = 0; i < tau_.size(); ++i) result(i, j) = tau_[i].slope;
    }
    return result;
  }

  std::vector<Dual> q, qd, qdd;

 private:
  void evaluate() {
    newton_euler<Dual>(arm_, q, qd, qdd, &hand_, links_, tau_);
    for (std::size_t i = 0; i < tau_.size(); ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = direction_of(qd[i]);
      tau_[i] = tau_[i] + friction_torque(friction, q[i], qd[i], direction) +
                motor_torque(motor, qd[i], qdd[i], direction);
    }
    coupled_motor_torques<Dual>(arm_.coupled_motors, qd, qdd, by_speed, adding_to(tau_));
  }

  const Arm& arm_;
  ForceAndMoment<Dual> hand_;
  std::vector<LinkState<Dual>> links_;
  std::vector<Dual> tau_;
};

}  // namespace

TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state, const Wrench& hand) {
  require_one_per_joint(arm, state);
  DualTorque torque(arm, state, hand);
  return {torque.derivative(torque.q), torque.derivative(torque.qd), torque.derivative(torque.qdd)};
}

}  // namespace armdyn
