#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include "dynamics/friction.hpp"
#include "model/motors.hpp"

namespace armdyn {

/// Finds contacts that set out from rest, and the torques that this takes (docs/derivation.md, eq. 4.3).
class SettingOut {
 public:
  struct Start {
    std::vector<int> directions;  ///< of contacts; 0: it does not set out
    std::vector<double> load;     ///< τ while they stand still, without their friction
    std::vector<double> torque;   ///< τ as they set out
    std::vector<bool> has_part;   ///< joints whose torque overcomes their friction
  };

  /// The robot must have no error in `check`.
  explicit SettingOut(const Robot& robot);

  /// Looks at a state with its torques, and at the joints' speeds after it: contacts that stand still
  /// and then move set out. Nothing where none does. Throws NotFinite.
  [[nodiscard]] std::optional<Start> find(const MotionState& state, std::span<const double> tau,
                                          std::span<const double> next_qd);

 private:
  Arm arm_;
  InverseDynamics inertia_;  ///< of links and rotors alone
  MotorSide side_;
  std::vector<FrictionContact> contacts_;
  std::vector<double> zero_;
};

}  // namespace armdyn
