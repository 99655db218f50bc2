#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include "io/columns.hpp"
#include "io/input_file.hpp"

namespace armdyn {

/// Reads waypoints q1.., with times t or without, at least two. Throws InputError where times do
/// not increase, or where waypoints without times repeat.
[[nodiscard]] Waypoints read_waypoints(InputFile& input, const Robot& robot, ExtraColumns extra);

}  // namespace armdyn
