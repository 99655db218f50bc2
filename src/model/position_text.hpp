#pragma once

#include <armdyn/robot.hpp>

#include <span>
#include <string>

namespace armdyn {

/// A position as it stands on the command line, "0,90,0.5 deg": revolute joints in degrees with at
/// most that many decimals, prismatic ones in m with two more.
[[nodiscard]] std::string position_text(const Robot& robot, std::span<const double> q,
                                        int decimals = 4);

}  // namespace armdyn
