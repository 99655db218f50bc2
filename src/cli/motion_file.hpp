#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include "cli/options.hpp"
#include "io/columns.hpp"
#include "io/input_file.hpp"

namespace armdyn {

/// Reads all rows of a motion: t, q, qd, qdd; says how it recognised the columns. Throws InputError
/// where one of them is missing, or t does not increase, or there are fewer than two rows.
[[nodiscard]] RecordedRows read_motion(InputFile& input, const Robot& robot, ExtraColumns extra,
                                       const OutputOptions& output);

}  // namespace armdyn
