#pragma once

// The room where a unit written in a header becomes a factor to SI.

#include <optional>
#include <string>
#include <string_view>

namespace armdyn {

/// SI = number · multiply / divide; two factors, because 9 ms / 1000 is 0.009 and 9 ms · 0.001 is
/// not.
struct Unit {
  double multiply = 1.0;
  double divide = 1.0;

  [[nodiscard]] double to_si(double number) const { return number * multiply / divide; }
  [[nodiscard]] bool is_si() const { return multiply == 1.0 && divide == 1.0; }
};

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

/// For messages: "rad/s, deg/s or rpm".
[[nodiscard]] std::string units_that_fit(Dimension dimension);

}  // namespace armdyn
