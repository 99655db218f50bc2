#pragma once

#include <armdyn/finding.hpp>
#include <armdyn/robot.hpp>

#include <vector>

namespace armdyn {

enum class AngleUnit { rad, deg };

/// As check(robot), for a robot whose angles were written in that unit: messages show it, and what
/// looks like the other unit is suspicious.
[[nodiscard]] std::vector<Finding> check(const Robot& robot, AngleUnit written_in);

}  // namespace armdyn
