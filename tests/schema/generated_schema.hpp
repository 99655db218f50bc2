#pragma once

#include <nlohmann/json.hpp>

namespace armdyn::testing {

/// docs/robot-file.schema.json, as the list of a robot's fields (model/robot_fields.hpp) gives it.
[[nodiscard]] nlohmann::ordered_json generated_schema();

}  // namespace armdyn::testing
