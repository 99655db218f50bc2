#pragma once

#include <array>
#include <cstdint>

#include "math/digits50.hpp"

namespace armdyn {

/// A number of 192 bits, some 57 digits: the middle of an Enclosed, in a fraction of the time of
/// Digits50. Results are within 2⁻¹⁸⁸ of themselves, sines and cosines within 1e-48 (1 + |angle|).
/// What is not finite is not a number.
class Number192 {
 public:
  Number192() = default;  ///< 0
  explicit Number192(double x);
  explicit Number192(const Digits50& x);

  [[nodiscard]] double nearest() const;
  [[nodiscard]] Digits50 digits50() const;
  [[nodiscard]] bool is_zero() const { return limbs_.back() == 0; }

  friend Number192 operator-(Number192 a) {
    a.is_negative_ = !a.is_negative_;
    return a;
  }
  friend Number192 operator+(const Number192& a, const Number192& b);
  friend Number192 operator-(const Number192& a, const Number192& b) { return a + -b; }
  friend Number192 operator*(const Number192& a, const Number192& b);
  friend SinCosOf<Number192> sin_cos(const Number192& angle);

 private:
  static constexpr std::int64_t not_finite = std::int64_t{1} << 40U;

  [[nodiscard]] bool is_finite() const { return exponent_ != not_finite; }
  static Number192 not_a_number();

  // ± limbs · 2^(exponent − 192), the least limb first; the highest bit is set, but for 0.
  std::array<std::uint64_t, 3> limbs_{};
  std::int64_t exponent_ = 0;
  bool is_negative_ = false;
};

}  // namespace armdyn
