#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include "cli/options.hpp"
#include "io/columns.hpp"
#include "io/input_file.hpp"

namespace armdyn {

/// Reads waypoints q1.., with times t or without, at least two; says how it
/// recognised the columns. Throws InputError where times do
/// not increase, or where waypoints without times repeat.
[[nodiscard]] Waypoints read_waypoints(InputFile& input, const Robot& robot, ExtraColumns extra,
                                       const OutputOptions& output);

}  // namespace armdyn
