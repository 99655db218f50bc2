#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <limits>
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

/// Rows, or steps, that a duration or two rows of an input ask for; --max-rows allows more.
inline constexpr double rows = 1e8;

/// "magnitudes of at most 1e+09 in SI units": what a message expects.
[[nodiscard]] inline std::string expected(double most) {
  return fmt::format("magnitudes of at most {:g} in SI units", most);
}

/// "1e+12 rows; lower --rate, or raise --max-rows above 1e+08": what a message says of too many.
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
