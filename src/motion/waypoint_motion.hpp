#pragma once

#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <vector>

#include "motion/joint_path.hpp"

namespace armdyn {

/// A motion through waypoints, and what became of them.
struct WaypointMotion {
  Trajectory motion;
  std::vector<std::size_t> stops;  ///< waypoints between the ends at which it stops, from 0 on
  double by_jerk = 1.0;            ///< how much longer limits of jerk make it
};

/// The monotone path through waypoints, with its stops; s is the time where waypoints have times, so
/// that none may have a dwell.
[[nodiscard]] PathThroughPoints path_through(const Waypoints& waypoints);

/// What `through` returns, with what it does on the way; throws as that.
[[nodiscard]] WaypointMotion plan_through(const Waypoints& waypoints, Profile profile,
                                          const Timing& timing);

}  // namespace armdyn
