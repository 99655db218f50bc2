#pragma once

#include <armdyn/trajectory.hpp>

#include <vector>

namespace armdyn {

/// The motion less what rounding adds to it where it touches its limits: rates and positions that
/// are beyond a limit by no more than 10⁻⁹ of it, or 10⁻⁹ rad or m, are at the limit. What is
/// farther beyond stays so. `limits` and `positions` have an entry per joint, or none.
[[nodiscard]] Trajectory kept_within(const Trajectory& motion, std::vector<RateLimit> limits,
                                     std::vector<Range> positions = {});

}  // namespace armdyn
