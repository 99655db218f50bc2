#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <span>
#include <vector>

namespace armdyn {

/// What a robot's motors measure, taken to its joints by gears and couplings (docs/derivation.md,
/// eq. 31.4). Vectors have one entry per joint, of its motor before and of the joint after.
class MotorSide {
 public:
  /// The robot must have no error in `check`.
  explicit MotorSide(const Robot& robot);

  /// Whether each motor is its joint.
  [[nodiscard]] bool is_joint_side() const { return is_joint_side_; }

  /// A⁻¹ (φ − φ0): rad to rad or m.
  void to_positions(std::span<double> motors) const;
  /// A⁻¹ times speeds or accelerations.
  void to_rates(std::span<double> motors) const;
  /// Aᵀ τ_m: N·m to N·m or N.
  void to_torques(std::span<double> motors) const;

 private:
  Matrix of_joints_, of_motors_;  ///< A and its inverse
  std::vector<double> offsets_;
  bool is_joint_side_ = true;
};

}  // namespace armdyn
