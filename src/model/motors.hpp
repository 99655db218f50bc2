#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <optional>

#include "math/columns.hpp"

namespace armdyn {

/// Conversion of measurements from a robot's motors to its joints, by gears and couplings
/// (docs/derivation.md, eq. 31.4), in place: vectors have one entry per joint, of its motor before
/// and of the joint after.
class MotorSide {
 public:
  /// The robot must have no error in `check`.
  explicit MotorSide(const Robot& robot);

  /// Tests whether motors turn as their joints do.
  [[nodiscard]] bool is_joint_side() const { return is_joint_side_; }

  /// Factors of joint j's rate in the speed of motor m, and of its torque in that motor's.
  [[nodiscard]] double rate_factor(std::size_t m, std::size_t j) const { return of_joints_(m, j); }
  [[nodiscard]] double torque_factor(std::size_t m, std::size_t j) const {
    return of_motors_(j, m);
  }

  /// A⁻¹ (φ − φ0): rad to rad or m.
  void to_positions(std::span<double> motors) const;
  /// A⁻¹ times speeds or accelerations.
  void to_rates(std::span<double> motors) const;
  /// Aᵀ τ_m: N·m to N·m or N.
  void to_torques(std::span<double> motors) const;
  /// Does one of these for each row of columns, one per joint from `first` on.
  void convert(Columns& columns, std::size_t first,
               void (MotorSide::*to)(std::span<double> motors) const) const;

 private:
  Matrix of_joints_, of_motors_;  ///< A and its inverse
  std::vector<double> offsets_;
  bool is_joint_side_ = true;
};

/// Position of the motor of joint i where it turns with several joints, so that no gear ratio has it
/// (31.1).
template <class S>
[[nodiscard]] std::optional<JointRowOf<S>> motor_row(const RobotOf<S>& robot, std::size_t i) {
  for (const CouplingOf<S>& coupling : robot.couplings) {
    const std::size_t m = coupling.place(i), size = coupling.joints.size();
    if (m == size) continue;
    const auto row = coupling.matrix.begin() + static_cast<std::ptrdiff_t>(m * size);
    return JointRowOf<S>{
        coupling.joints, {row, row + static_cast<std::ptrdiff_t>(size)}, coupling.offsets[m]};
  }
  return {};
}

// Limits of motors that turn with several joints (docs/derivation.md, eq. 31.6, 31.7), beside those of
// row_limits.

/// Cuts the torques of a coupling's motors to their limits; `torques` are those of all joints.
/// Joints whose motors are within their limits keep their bits.
void cut_to_motor_limits(const Coupling& coupling, std::span<double> torques);

/// Highest velocity of each joint that its motors allow, whatever the other joints do, rad/s or m/s:
/// Σ|A⁻¹| φ̇_max; infinite without limits of the coupling's motors.
[[nodiscard]] std::vector<double> velocities_by_motors(const Robot& robot);

}  // namespace armdyn
