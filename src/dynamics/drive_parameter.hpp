#pragma once

#include <armdyn/regressor.hpp>

namespace armdyn {

/// A parameter of a joint's friction or motor; a dry friction's level counts by the mean of its two
/// directions. 0 for a kind that is none of a drive, and where there is none.
[[nodiscard]] double drive_parameter(const Drive& drive, ParameterKind kind);

/// Sets it; a level keeps the ratio of its directions.
void set_drive_parameter(Friction& friction, Motor& motor, ParameterKind kind, double value);

}  // namespace armdyn
