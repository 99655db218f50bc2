#pragma once

// Units as headers write them, and their factors to SI.

#include <optional>
#include <string>
#include <string_view>

#include "io/table/table_plan.hpp"

namespace armdyn {

enum class Dimension {
  time,                  ///< s
  angle,                 ///< rad
  length,                ///< m
  angular_velocity,      ///< rad/s
  linear_velocity,       ///< m/s
  angular_acceleration,  ///< rad/s²
  linear_acceleration,   ///< m/s²
  moment,                ///< N·m
  force,                 ///< N
};

/// The unit of that spelling; nothing if it is not one of this dimension.
[[nodiscard]] std::optional<Unit> find_unit(Dimension dimension, std::string_view text);

/// Whether it is a unit of any dimension.
[[nodiscard]] bool is_unit(std::string_view text);

/// For messages: "rad/s, deg/s or rpm".
[[nodiscard]] std::string units_that_fit(Dimension dimension);

}  // namespace armdyn
