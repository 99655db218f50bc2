#pragma once

#include <armdyn/trajectory.hpp>

#include <vector>

namespace armdyn {

/// Σ weights_i · joint i of a motion, dof entries, as the motion of one joint: what a motor does
/// that turns with several.
[[nodiscard]] Trajectory combined(const Trajectory& motion, std::vector<double> weights);

}  // namespace armdyn
