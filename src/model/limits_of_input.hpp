#pragma once

#include <fmt/format.h>

#include <string>

// The largest magnitudes that inputs may have, in SI units: tables, options and Python hold what they
// are given against these when they read it (docs/commands.md, Tables). No
// machine comes near them; products of numbers within them stay far from where doubles end
// (docs/derivation.md, section 34).

namespace armdyn::limits_of_input {

inline constexpr double position = 1e9;  ///< of a joint, rad or m
inline constexpr double rate = 1e15;     ///< velocities, accelerations, torques, wrenches
inline constexpr double gravity = 1e15;  ///< m/s²
inline constexpr double size = 1e9;      ///< lengths and masses, m and kg

/// "magnitudes of at most 1e+09 in SI units": what a message expects.
[[nodiscard]] inline std::string expected(double most) {
  return fmt::format("magnitudes of at most {:g} in SI units", most);
}

}  // namespace armdyn::limits_of_input
