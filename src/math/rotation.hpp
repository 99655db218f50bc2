#pragma once

// Rotations and their vectors: axis times angle, rad.

#include <armdyn/vector.hpp>

#include <numbers>
#include <optional>

#include "math/sin_cos.hpp"

namespace armdyn {

// In this order of operations right angles come out exact: 90 deg is the double nearest π/2.
constexpr double radians(double degrees) {
  return degrees / 180.0 * std::numbers::pi;
}
constexpr double degrees(double radians) {
  return radians / std::numbers::pi * 180.0;
}

/// Sine and cosine, 0 or ±1, of an angle in rad that is within a rounding of a multiple of 90°;
/// nothing for all other angles, 1.5708 among them.
[[nodiscard]] std::optional<SinCos> right_angle(double radians) noexcept;

/// Sine and cosine of a constant angle in rad: exact at right angles, elsewhere those of the number
/// that it is as another scalar.
template <class S>
[[nodiscard]] SinCosOf<S> constant_angle(double radians, const S& number) {
  if (const std::optional<SinCos> exact = right_angle(radians)) {
    return {S(exact->sin), S(exact->cos)};
  }
  return sin_cos(number);
}
[[nodiscard]] inline SinCos constant_angle(double radians) {
  return constant_angle(radians, radians);
}

/// exp(φ×): the rotation about the axis of φ by its length.
[[nodiscard]] Mat3 rotation_about(const Vec3& phi);

/// The shortest φ with exp(φ×) = R; its length is at most π.
[[nodiscard]] Vec3 rotation_vector(const Mat3& R);

/// Axis times the sine of the angle: for small rotations their vector.
[[nodiscard]] Vec3 axis_times_sine(const Mat3& R);

/// The angle from −π to π with that sine and cosine, both times the same positive number; 0 for
/// (0, 0). (Unlike std::atan2: the same bits on every machine.)
[[nodiscard]] double angle_of_turn(double sine, double cosine);

/// The multiple of 90° that an angle in rad is nearer to than that, else the angle.
[[nodiscard]] double nearly_right(double radians, double within);

}  // namespace armdyn
