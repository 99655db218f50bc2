#pragma once

// Motions along a path: when to be where (docs/derivation.md, 10.11).

#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "motion/joint_path.hpp"

namespace armdyn {

/// s over a time that begins at t, to the begin of the next: s + ṡ x + s̈ x²/2 + s⃛ x³/6.
struct TimeStretch {
  double t = 0.0, s = 0.0, sd = 0.0, sdd = 0.0, sddd = 0.0;
  std::size_t last_piece = 0;  ///< of the path, that is seen on the stretch
};

/// Cuts a stretch to begin x s after its begin.
[[nodiscard]] TimeStretch advanced(const TimeStretch& stretch, double x);

/// A motion's place on a path by time: stretches, and the time when it ends.
struct TimeLaw {
  std::vector<TimeStretch> stretches;
  double end = 0.0;

  /// The stretch that holds t; the first before its begin.
  [[nodiscard]] const TimeStretch& stretch_at(double t) const;
};

/// The motion on a path by a law of time; at rest wherever the path stops.
[[nodiscard]] Trajectory along(const JointPath& path, TimeLaw law,
                               const std::vector<double>& knots);

/// A motion, and by how much limits of jerk make it longer: 1 without any.
struct FastestMotion {
  Trajectory motion;
  double by_jerk = 1.0;
};

/// The fastest motion on a path, from rest to rest and at rest at its stops, `dwells[k]` s of them
/// at knot k, where all limits hold: those of velocity and acceleration for every time, not at
/// samples alone. There s̈ is constant between places that depend on the path alone, so limits that
/// do not bind change nothing. With limits of jerk, which are met within it, it need not be the
/// fastest. Each joint has a limit of acceleration. A duration stretches all but the dwells, which
/// it is longer than, whether the limits then hold or not.
[[nodiscard]] FastestMotion fastest_along(const JointPath& path,
                                          const std::vector<RateLimit>& limits,
                                          std::span<const double> dwells,
                                          std::optional<double> duration = {});

/// A motion through waypoints, and what became of them.
struct WaypointMotion {
  Trajectory motion;
  std::vector<std::size_t> stops;  ///< waypoints between the ends at which it stops, from 0 on
  double by_jerk = 1.0;            ///< how much longer limits of jerk make it
};

/// The monotone path through waypoints, with its stops; s is the time where waypoints have times,
/// so that none may have a dwell.
[[nodiscard]] PathThroughPoints path_through(const Waypoints& waypoints);

/// Plans what `through` returns, with what it does on the way; throws as that.
[[nodiscard]] WaypointMotion plan_through(const Waypoints& waypoints, Profile profile,
                                          const Timing& timing);

}  // namespace armdyn
