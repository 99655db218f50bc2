#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <string>
#include <vector>

#include "log/row_reader.hpp"

namespace armdyn {

/// t, q, qd, qdd: what `read_motion` reads.
[[nodiscard]] std::vector<WantedGroup> motion_groups();

/// Reads all rows of a motion from a reader of those groups. Throws InputError where t does not
/// increase, or there are fewer than two rows. Appends to `warnings` what in q, qd and qdd does not
/// belong together.
[[nodiscard]] RecordedRows read_motion(RowReader& reader, const Robot& robot,
                                       std::vector<std::string>& warnings);

}  // namespace armdyn
