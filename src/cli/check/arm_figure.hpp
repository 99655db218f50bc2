#pragma once

#include <armdyn/robot.hpp>

#include "io/plot/plot.hpp"

namespace armdyn {

/// The arm at q = 0 in two views, in axes of the world: links along the table's a and d with their
/// lengths, axes of joints, frames of the table and the hand, centres of mass.
[[nodiscard]] Figure arm_figure(const Robot& robot);

}  // namespace armdyn
