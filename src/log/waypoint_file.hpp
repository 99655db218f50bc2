#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <vector>

#include "log/row_reader.hpp"

namespace armdyn {

/// q, and t where it is there: what `read_waypoints` reads.
[[nodiscard]] std::vector<WantedGroup> waypoint_groups();

/// Reads waypoints, at least two, with times or without, from a reader of those groups. Throws
/// InputError where times do not increase, or where waypoints without times repeat.
[[nodiscard]] Waypoints read_waypoints(RowReader& reader, const Robot& robot);

}  // namespace armdyn
