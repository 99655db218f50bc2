#pragma once

#include <optional>

#include "math/sin_cos.hpp"

namespace armdyn {

/// Sine and cosine, 0 or ±1, of an angle in rad that is within a rounding of a multiple of 90°;
/// nothing for all other angles, 1.5708 among them.
[[nodiscard]] std::optional<SinCos> right_angle(double radians) noexcept;

template <class S>
struct SinCosOf {
  S sin, cos;
};

/// Sine and cosine of a constant angle in rad: exact at right angles, elsewhere those of the number
/// that `scalar` takes it for.
template <class S>
[[nodiscard]] SinCosOf<S> constant_angle(const double& radians, S (*scalar)(const double&)) {
  if (const std::optional<SinCos> exact = right_angle(radians)) {
    return {S(exact->sin), S(exact->cos)};
  }
  const auto [s, c] = sin_cos(scalar(radians));
  return {s, c};
}
[[nodiscard]] inline SinCosOf<double> constant_angle(double radians) {
  return constant_angle<double>(radians, [](const double& x) { return x; });
}

}  // namespace armdyn
