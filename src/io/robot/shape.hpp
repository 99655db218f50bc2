#pragma once

#include <armdyn/robot.hpp>

#include "io/robot/yaml_value.hpp"

namespace armdyn {

/// The uniform body that a robot file gives as `shape: {box: [x, y, z], density: ρ}` and the like
/// (docs/robot-file.md; docs/derivation.md, 1.10-1.13).
[[nodiscard]] MassProperties read_shape(const YamlValue& value, AngleUnit unit);

}  // namespace armdyn
