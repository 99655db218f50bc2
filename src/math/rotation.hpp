#pragma once

#include <armdyn/vector.hpp>

// Rotations and their vectors: axis times angle, rad.

namespace armdyn {

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
