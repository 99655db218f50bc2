#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/matrix.hpp>
#include <armdyn/vector.hpp>

#include <span>
#include <string_view>
#include <vector>

// Where an arm stands and how its hand moves (docs/derivation.md, 9.1). q and qd have dof entries,
// rad or m and per s; a wrong size throws std::invalid_argument.

namespace armdyn {

/// Where the links and the hand stand.
struct ArmPose {
  std::vector<Transform> frames;  ///< {1}…{n} of the user's table, each in {0} (eq. 9.1)
  Transform hand;                 ///< the tool frame in {0}
  Transform hand_in_world;        ///< the tool frame in the world
};

[[nodiscard]] ArmPose pose(const Arm& arm, std::span<const double> q);

/// Geometric Jacobian of the tool frame's origin, 6×dof, in axes of {0}: its velocity (rows vx, vy,
/// vz, m/s) over the hand's angular velocity (rows wx, wy, wz, rad/s) is J q̇ (eq. 9.2).
[[nodiscard]] Matrix jacobian(const Arm& arm, std::span<const double> q);

/// Time derivative of the Jacobian, 6×dof: the hand's acceleration is J q̈ + J̇ q̇ (eq. 9.4).
[[nodiscard]] Matrix jacobian_rate(const Arm& arm, std::span<const double> q,
                                   std::span<const double> qd);

/// A row of the Jacobian: one of the hand's six velocities.
enum class TaskRow { vx, vy, vz, wx, wy, wz };

[[nodiscard]] std::string_view name(TaskRow row);
[[nodiscard]] const std::vector<TaskRow>& all_task_rows();

/// The given rows of a matrix with six rows, in the given order.
[[nodiscard]] Matrix select_rows(const Matrix& six_rows, std::span<const TaskRow> rows);

/// How well an arm can move its hand in the rows of J. Rows in m/s and in rad/s are taken as they
/// are, so both numbers depend on the unit of length.
struct Dexterity {
  double manipulability = 0.0;  ///< product of the singular values: √det(JJᵀ), or √det(JᵀJ) if tall
  /// Largest over smallest singular value; infinite where that is 0 as far as doubles can tell.
  double condition = 0.0;
};

/// Throws std::invalid_argument for a matrix without entries.
[[nodiscard]] Dexterity dexterity(const Matrix& J);

}  // namespace armdyn
