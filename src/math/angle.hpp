#pragma once

#include "math/sin_cos.hpp"

namespace armdyn {

/// Sine and cosine of a constant angle in rad. Exact (0, ±1) where the angle is within a rounding
/// of a multiple of 90°; for all other angles, 1.5708 among them, those of the given number.
[[nodiscard]] SinCos constant_angle(double radians) noexcept;

}  // namespace armdyn
