#pragma once

#include <cstddef>
#include <vector>

#include "math/digits50.hpp"
#include "math/number192.hpp"
#include "math/sin_cos.hpp"

// A number of 50 digits with a guaranteed bound of its error.
//
// Run on doubles, an algorithm like newton_euler.hpp gives torques, and no word on how many of
// their digits hold. Run on Encloseds, the same algorithm gives torques with a bound that is
// proven, not estimated: every operation carries along the errors of its operands and adds its own
// rounding.
//
// Where an input is not known exactly, as a length of 0.35 m that was rounded to two decimals, it
// is 0.35 + 0.005 ε with an unknown ε between −1 and 1: a midpoint, and a slope to an ε of its own.
// Numbers computed from it keep that slope, so that what cancels in the torque cancels in the
// bound:
//
//     const Enclosed a = Enclosed::measured(0.35, 0.005, 0);   // 0.35 + 0.005 ε0
//     a * a            = 0.1225 + 0.0035 ε0 ± 0.000025         // the slope 2·0.35·0.005 and the rest
//     a * a - a * 0.3  = 0.0175 + 0.0020 ε0 ± 0.000025         // 0.0035 − 0.3·0.005
//
// `rest` takes what is not linear in the ε, and all roundings: x lies within Σ|slopes| + rest of the
// midpoint. Bounds are doubles, rounded upward. Comparisons look at the midpoint.

namespace armdyn {

class Enclosed {
 public:
  Enclosed() = default;
  /// This very number.
  explicit Enclosed(double exact) : middle_(exact), near_(exact) {}
  explicit Enclosed(const Digits50& exact) : Enclosed(Number192(exact)) {}
  /// A number within `rest` of that one.
  Enclosed(const Digits50& middle, double rest);
  /// A number within `radius` of that one: it has the ε of that index.
  static Enclosed measured(const Digits50& middle, double radius, std::size_t index);

  /// The number lies within `rest` of near + Σ slopes[k] εk.
  [[nodiscard]] double near() const { return near_; }
  [[nodiscard]] const std::vector<double>& slopes() const { return slopes_; }
  [[nodiscard]] double rest() const { return rest_ + 0x1p-52 * size(); }

  /// A bound of the distance from this double to the number.
  [[nodiscard]] double distance(double from) const;

  friend Enclosed operator-(const Enclosed& a);
  friend Enclosed operator+(const Enclosed& a, const Enclosed& b);
  friend Enclosed operator-(const Enclosed& a, const Enclosed& b) { return a + -b; }
  friend Enclosed operator*(const Enclosed& a, const Enclosed& b);
  friend Enclosed operator/(const Enclosed& a, const Enclosed& b);
  friend Enclosed operator+(double a, const Enclosed& b) { return Enclosed(a) + b; }
  friend Enclosed operator*(double a, const Enclosed& b) { return Enclosed(a) * b; }
  friend Enclosed operator*(const Enclosed& a, double b) { return a * Enclosed(b); }
  friend bool operator==(const Enclosed& a, double b) { return a.near_ == b; }
  friend Enclosed abs(const Enclosed& a) { return a.near_ < 0.0 ? -a : a; }
  /// A bound of the magnitude.
  friend double modulus(const Enclosed& a) { return a.distance(0.0); }
  /// Exponential of what is at most 0, such as −x²: the bound is no wider than from 0 to 1, whatever that of a.
  friend Enclosed exp(const Enclosed& a);
  /// Square root of what is above 0; where it may not be, anything.
  friend Enclosed root(const Enclosed& a);
  /// 1/(1 + e⁻ˣ)
  friend Enclosed logistic(const Enclosed& a);
  /// 1, −1 or 0; anything between −1 and 1 where the number may have either sign.
  friend Enclosed sign(const Enclosed& a);

  friend SinCosOf<Enclosed> sin_cos(const Enclosed& angle);

 private:
  explicit Enclosed(const Number192& middle) : middle_(middle), near_(middle.nearest()) {}
  /// Upper bound of |middle|.
  [[nodiscard]] double size() const;
  /// Upper bound of |x − middle|.
  [[nodiscard]] double deviation() const;
  void add_rest(double rest);
  /// A differentiable function of this: its value here, its slope, a bound of half its
  /// second derivative within reach, and how exactly the value is known.
  [[nodiscard]] Enclosed mapped(const Number192& value, double slope, double curvature,
                                double rounding) const;

  Number192 middle_;
  double near_ = 0.0;  ///< middle, rounded
  double rest_ = 0.0;
  std::vector<double> slopes_;  ///< by the index of their ε
};

// For springs (model/spring_law.hpp).

inline double value_of(const Enclosed& x) {
  return x.near();
}
inline double uncertainty(const Enclosed& x) {
  return x.distance(x.near());
}
inline Enclosed within(double rest, const Enclosed& /*like*/) {
  return {Digits50(0.0), rest};
}

}  // namespace armdyn
