#pragma once

#include <armdyn/robot.hpp>

#include <vector>

namespace armdyn {

/// Limit |of_joints · x + offset| ≤ most, where x are the positions, velocities, accelerations or
/// torques of all joints: of a joint, of a motor that turns with several joints, or of a joint that
/// follows several (docs/derivation.md, eq. 31.6, 31.7, 38.15).
struct RowLimit {
  enum class Kind { position, velocity, acceleration, torque };

  Kind kind = Kind::velocity;
  std::size_t joint = 0;  ///< whose it is, or whose motor's; followers count behind the others
  bool is_of_motor = false;
  std::vector<double> of_joints;  ///< dof entries
  double most = 0.0;              ///< at the motor, rad/s or N·m
  double offset = 0.0;            ///< of positions, from the middle of their range

  /// What is limited, for that of all joints.
  template <class X>
  [[nodiscard]] double of_row(const X& x) const {
    double sum = offset;
    for (std::size_t i = 0; i < of_joints.size(); ++i) sum += of_joints[i] * x[i];
    return sum;
  }
};

/// Limits of all motors that turn with several joints, and of joints that follow several but those of
/// jerk. The robot must have no error in `check`.
[[nodiscard]] std::vector<RowLimit> row_limits(const Robot& robot);
[[nodiscard]] std::vector<RowLimit> row_limits(const Robot& robot, RowLimit::Kind kind);

}  // namespace armdyn
