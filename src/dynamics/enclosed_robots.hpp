#pragma once

#include <armdyn/sampled_robot.hpp>

#include "math/enclosed.hpp"

namespace armdyn {

/// All arms that `draws` samples at once, whatever the distribution (docs/derivation.md, 35.10):
/// numbers that are drawn have the ε of their place. Throws Error for a parameter on which others
/// than masses, inertias and friction depend, or these otherwise than linearly.
[[nodiscard]] RobotOf<Enclosed> enclosed(const RobotSampler& draws);

}  // namespace armdyn
