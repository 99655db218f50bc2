#pragma once

// Units in which people see numbers of SI units: angles in degrees, after --degrees.

#include <string>
#include <string_view>

namespace armdyn {

/// Shows angles in degrees from here on, or in radians. A setting of the program, as its locale.
void show_degrees(bool wanted);
[[nodiscard]] bool shows_degrees();

/// The unit that people see: "deg/s" for "rad/s".
[[nodiscard]] std::string shown_unit(std::string_view unit);

/// A value of that SI unit in the unit that people see.
[[nodiscard]] double shown_value(double value, std::string_view unit);

}  // namespace armdyn
