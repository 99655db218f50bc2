#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "math/hypotenuse.hpp"
#include "math/rigid.hpp"

namespace armdyn {

std::optional<SinCos> right_angle(double radians) noexcept {
  constexpr double quarter_turn = std::numbers::pi / 2;
  // 3π/2 from text, from 270°, or as 3·(π/2) differ by an ulp or two; the next sensible angle is
  // much farther away.
  constexpr double rounding = 4.5e-16;
  const double quarters = std::nearbyint(radians / quarter_turn);
  if (std::abs(radians - quarters * quarter_turn) > rounding * std::abs(radians)) {
    return std::nullopt;
  }
  const double turn = quarters - 4.0 * std::floor(quarters / 4.0);
  if (turn == 0.0) return SinCos{0.0, 1.0};
  if (turn == 1.0) return SinCos{1.0, 0.0};
  if (turn == 2.0) return SinCos{0.0, -1.0};
  return SinCos{-1.0, 0.0};
}

namespace {

/// The angle from 0 to π with this sine and cosine, which need not be quite on the circle. Each
/// step leaves the sixth part of the error's cube.
double angle_of(double sine, double cosine) {
  double angle = std::abs(cosine) < sine ? std::numbers::pi / 2
                 : cosine > 0.0          ? 0.0
                                         : std::numbers::pi;
  for (int i = 0; i < 4; ++i) {
    const auto [s, c] = sin_cos(angle);
    angle += sine * c - cosine * s;
  }
  return angle;
}

}  // namespace

double angle_of_turn(double sine, double cosine) {
  const double length = hypotenuse(sine, cosine);
  if (length == 0.0) return 0.0;
  const double angle = angle_of(std::abs(sine) / length, cosine / length);
  return sine < 0.0 ? -angle : angle;
}

double nearly_right(double radians, double within) {
  constexpr double quarter_turn = std::numbers::pi / 2;
  const double right = std::nearbyint(radians / quarter_turn) * quarter_turn;
  return std::abs(radians - right) <= within ? right : radians;
}

Mat3 rotation_about(const Vec3& phi) {
  const double angle = std::sqrt(dot(phi, phi));
  if (angle == 0.0) return {};
  const Vec3 a = (1.0 / angle) * phi;
  const auto [s, c] = sin_cos(angle);
  const double half = sin_cos(angle / 2).sin;
  const double v = 2.0 * half * half;  // 1 − c
  return {{c + v * a.x * a.x, v * a.x * a.y - s * a.z, v * a.x * a.z + s * a.y},
          {v * a.y * a.x + s * a.z, c + v * a.y * a.y, v * a.y * a.z - s * a.x},
          {v * a.z * a.x - s * a.y, v * a.z * a.y + s * a.x, c + v * a.z * a.z}};
}

Vec3 axis_times_sine(const Mat3& R) {
  return 0.5 * Vec3{R.row_z.y - R.row_y.z, R.row_x.z - R.row_z.x, R.row_y.x - R.row_x.y};
}

Vec3 rotation_vector(const Mat3& R) {
  const Vec3 axial = axis_times_sine(R);
  const double sine = std::sqrt(dot(axial, axial));
  const double cosine = (R.row_x.x + R.row_y.y + R.row_z.z - 1.0) / 2;
  const double angle = angle_of(sine, cosine);
  if (cosine > -0.5) return sine == 0.0 ? Vec3{} : (angle / sine) * axial;

  // Near half a turn the sine loses the axis; (R + Rᵀ)/2 − c E = (1 − c) a aᵀ keeps it.
  const Mat3 Rt = transposed(R);
  const Vec3 columns[] = {0.5 * (R.row_x + Rt.row_x) - Vec3{cosine, 0, 0},
                          0.5 * (R.row_y + Rt.row_y) - Vec3{0, cosine, 0},
                          0.5 * (R.row_z + Rt.row_z) - Vec3{0, 0, cosine}};
  const Vec3 along =
      *std::ranges::max_element(columns, {}, [](const Vec3& u) { return dot(u, u); });
  const double length = std::sqrt(dot(along, along));
  return ((dot(along, axial) < 0.0 ? -angle : angle) / length) * along;
}

}  // namespace armdyn
