#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <vector>

namespace armdyn {

enum class AngleUnit { rad, deg };

/// How a robot was written, which a Robot does not tell: it helps to see slips and to name them.
struct Notation {
  AngleUnit angles = AngleUnit::rad;         ///< messages show it; the other one is suspicious
  std::vector<bool> inertia_about_origin{};  ///< per joint; empty: all about the centre of mass
};

/// As check(robot), for a robot that was written in that way.
[[nodiscard]] std::vector<Finding> check(const Robot& robot, const Notation& written);

}  // namespace armdyn
