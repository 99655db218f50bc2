#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

// Largest magnitudes of inputs, in SI units, with which tables, robot files, options and Python check
// numbers as they read them (docs/commands.md, Tables; docs/robot-file.md, What is an error). No
// machine comes near them; products of numbers within them stay far from the largest double
// (docs/derivation.md, section 34).

namespace armdyn::limits_of_input {

inline constexpr double position = 1e9;   ///< of a joint, rad or m
inline constexpr double rate = 1e15;      ///< velocities, accelerations, torques, wrenches
inline constexpr double gravity = 1e15;   ///< m/s²
inline constexpr double size = 1e9;       ///< lengths and masses, m and kg; angles and ratios
inline constexpr double inertia = 1e27;   ///< kg·m²
inline constexpr std::size_t name = 200;  ///< bytes, of robots, joints and poses
inline constexpr double least = 1e-12;    ///< of what must be more than 0 in a robot

/// Most rows or steps that an input may ask for; --max-rows allows more.
inline constexpr double rows = 1e8;

/// Expectation in a message: "magnitudes of at most 1e+09 in SI units".
[[nodiscard]] inline std::string expected(double most) {
  return fmt::format("magnitudes of at most {:g} in SI units", most);
}

/// Message of too many: "1e+12 rows; lower --rate, or raise --max-rows above 1e+08".
[[nodiscard]] inline std::string too_many(double count, double most, const char* what,
                                          const char* advice) {
  return fmt::format("{:.3g} {}; {}, or raise --max-rows above {:g}",
                     std::min(count, std::numeric_limits<double>::max()), what, advice, most);
}

/// Throws Error where so many seconds have more pieces of that length.
inline void require_countable(double seconds, double each, double most, const char* pieces,
                              const char* advice) {
  if (seconds / each <= most) return;
  throw Error(fmt::format("{:.6g} s in {} of {:.6g} s are {}", seconds, pieces, each,
                          too_many(seconds / each, most, pieces, advice)));
}

}  // namespace armdyn::limits_of_input
