#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "motion/path_limits.hpp"

// The fastest motion on a path within limits of torque, velocity and acceleration, and a time below
// which there is none (docs/derivation.md, 10.13).

namespace armdyn {

class JointPath;

/// A part of a cell's end, seen from the cell: rows A y + B z² + C z + D ≤ 0 of a second unknown y.
struct SpeedRow {
  double A, B, C, D;
};

/// The largest z from 0 to `most` for which some y keeps all rows, and between which such y lie;
/// z = −1 where there is none.
struct LargestSpeed {
  double z = -1.0, least = 0.0, largest = 0.0;
};
[[nodiscard]] LargestSpeed largest_speed(std::span<const SpeedRow> rows, double most);

/// The largest y that the rows leave at a z, not below 0.
[[nodiscard]] double largest_end(std::span<const SpeedRow> rows, double z);

/// The places of a path between which neither a piece ends nor anything turns, denser towards its
/// stops; about `count` cells.
[[nodiscard]] std::vector<double> path_nodes(const JointPath& path, const PathDemands& demands,
                                             std::size_t count);

/// A motion, and which limit it touches from each time on.
struct TimeOptimalMotion {
  /// A place of the path: ṡ there, and the largest for which some s̈ keeps all limits.
  struct PhasePoint {
    double s = 0.0, speed = 0.0, most = 0.0;
  };

  Trajectory motion;                ///< from rest to rest, and at rest at the path's stops
  std::vector<LimitShare> binding;  ///< which limit counts from each time on
  std::vector<PhasePoint> phase_plane;
};

/// Finds the fastest motion that keeps all limits at all times. Throws NumericsError where no speed
/// keeps them at some place.
[[nodiscard]] TimeOptimalMotion time_optimal(const JointPath& path, PathDemands& demands,
                                             std::size_t cells = 2400);

/// A time that no motion on the path within the limits goes below, s (eq. 10.45). `duration` is
/// that of one that does; cells are halved until the bound is within 10⁻³ of it, or there are 8192.
[[nodiscard]] double least_duration(const JointPath& path, PathDemands& demands, double duration);

}  // namespace armdyn
