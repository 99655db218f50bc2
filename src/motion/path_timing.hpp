#pragma once

// Timing of motions: durations within limits of rates, and motions along a path
// (docs/derivation.md, 10.1 and 10.11).

#include <armdyn/trajectory.hpp>

#include "motion/joint_path.hpp"

namespace armdyn {

/// Limits of the rates of the share of its path, 0 to 1, that a joint has gone, the same of all at
/// any time: 1/s, 1/s², 1/s³.
[[nodiscard]] RateLimit common_pace(std::span<const double> ways,
                                    const std::vector<RateLimit>& limits);

/// Least duration in which all joints cover their ways in step within the limits, s (eq. 10.2, 10.4).
/// Throws InputError where nothing limits a joint that moves, or no joint moves.
[[nodiscard]] double shortest_duration(std::span<const double> ways, Profile profile,
                                       const std::vector<RateLimit>& limits);

/// Duration asked for, or the shortest one. Throws InputError where the former is shorter.
[[nodiscard]] double chosen_duration(const Timing& timing, double shortest);

/// Time-scaling factor that keeps a motion's rates within the limits; below 1
/// it may be faster. Zero if nothing limits it.
[[nodiscard]] double slowing_factor(const std::vector<RateLimit>& limits,
                                    const std::vector<RateLimit>& peaks);

/// Throws std::invalid_argument unless there is a positive duration or one limit for each joint.
void require_sound(const Timing& timing, std::size_t dof);

/// Place on a path x s after t, until the next stretch begins: s + ṡ x + s̈ x²/2 + s⃛ x³/6.
struct TimeStretch {
  double t = 0.0, s = 0.0, sd = 0.0, sdd = 0.0, sddd = 0.0;
  std::size_t last_piece = 0;  ///< last piece of the path on the stretch
};

/// Part of a stretch that begins x s after its begin.
[[nodiscard]] TimeStretch advanced(const TimeStretch& stretch, double x);

/// A motion's place on a path by time.
struct TimeLaw {
  std::vector<TimeStretch> stretches;
  double end = 0.0;

  /// Stretch that holds t; the first before its begin.
  [[nodiscard]] const TimeStretch& stretch_at(double t) const;
};

/// Times at which s̈ jumps by more than a share of its largest, ascending.
[[nodiscard]] std::vector<double> jumps_of(const TimeLaw& law, double least);

/// Motion on a path by a law of time; at rest wherever the path stops.
[[nodiscard]] Trajectory along(const JointPath& path, TimeLaw law,
                               const std::vector<double>& knots);

/// A motion, and what limits of jerk make of it.
struct FastestMotion {
  Trajectory motion;
  double by_jerk = 1.0;      ///< factor of the duration because of them
  double within_jerk = 0.0;  ///< shortest duration found that keeps them, s; 0 without them
};

/// Fastest motion on a path, from rest to rest and at rest at its stops, for `dwells[k]` s at knot k.
/// Limits of velocity and acceleration hold at every time, not at samples alone. s̈ is constant
/// between places that depend on the path alone, so limits that do not bind change nothing. With
/// limits of jerk it need not be the fastest. Each joint has a limit of acceleration. A duration,
/// longer than the dwells, stretches all but these, whether the limits then hold or not.
[[nodiscard]] FastestMotion fastest_along(const JointPath& path,
                                          const std::vector<RateLimit>& limits,
                                          std::span<const double> dwells,
                                          std::optional<double> duration = {});

/// A motion through waypoints.
struct WaypointMotion : FastestMotion {
  std::vector<std::size_t> stops;  ///< waypoints between the ends at which it stops, from 0 on
  double resting = 0.0;            ///< what of its time does not grow with a duration, s
};

/// Monotone path through waypoints, with its stops; of waypoints with times and without
/// dwells, s is the time.
[[nodiscard]] PathThroughPoints path_through(const Waypoints& waypoints);

/// Plans the motion of `through`, and throws as that.
[[nodiscard]] WaypointMotion plan_through(const Waypoints& waypoints, Profile profile,
                                          const Timing& timing);

}  // namespace armdyn
