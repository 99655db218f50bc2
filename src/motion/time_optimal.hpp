#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include "motion/path_limits.hpp"

// Time-optimal motion on a path within limits of torque, velocity and acceleration, and a lower bound
// of its duration (docs/derivation.md, 10.13).

namespace armdyn {

class JointPath;

/// A limit at an end of a cell: A y + B z² + C z + D ≤ 0 of two unknowns y and z.
struct SpeedRow {
  double A, B, C, D;
};

/// Largest z from 0 to `most` for which some y keeps all rows, with the least and the largest such y;
/// z = −1 where there is none.
struct LargestSpeed {
  double z = -1.0, least = 0.0, largest = 0.0;
};
[[nodiscard]] LargestSpeed largest_speed(std::span<const SpeedRow> rows, double most);

/// Largest y that keeps all rows at a z, at least 0.
[[nodiscard]] double largest_end(std::span<const SpeedRow> rows, double z);

/// A time-optimal motion.
struct TimeOptimalMotion {
  /// A place of the path with its ṡ, and the largest for which some s̈ keeps all limits.
  struct PhasePoint {
    double s = 0.0, speed = 0.0, most = 0.0;
  };

  Trajectory motion;                ///< from rest to rest, and at rest at the path's stops
  std::vector<LimitShare> binding;  ///< the limit that it touches, from each time on
  std::vector<PhasePoint> phase_plane;
};

/// Finds the fastest motion that keeps all limits at all times. Throws NumericsError where no speed
/// keeps them at some place.
[[nodiscard]] TimeOptimalMotion time_optimal(const JointPath& path, PathDemands& demands,
                                             std::size_t cells = 2400);

/// Lower bound, s, of the duration of all motions on the path within the limits (eq. 10.45).
/// `duration` is that of one of them; cells are halved until the bound is within 10⁻³ of it, or there
/// are 8192.
[[nodiscard]] double least_duration(const JointPath& path, PathDemands& demands, double duration);

/// Place of a path, its s, that no motion within the limits passes, where the bound proves one.
[[nodiscard]] std::optional<double> impassable_place(const JointPath& path, PathDemands& demands);

}  // namespace armdyn
