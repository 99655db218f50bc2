#include "math/enclosed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armdyn {

namespace {

using Number = Digits50::Number;

// Error of one operation on numbers of 168 bits and more, and of sine, cosine and exponential, with
// room.
constexpr double unit_of_operations = 1e-49;
constexpr double unit_of_functions = 1e-46;

// A sum or product of bounds, computed to nearest, is below this times what is computed.
constexpr double up = 1.0 + 0x1p-50;
constexpr double smallest = std::numeric_limits<double>::min();

double upper_sum(double a, double b) {
  return (a + b) * up;
}

double upper_product(double a, double b) {
  return a == 0.0 || b == 0.0 ? 0.0 : a * b * up + smallest;
}

double sum_of_magnitudes(const std::vector<double>& slopes) {
  double sum = 0.0;
  for (const double slope : slopes) sum += std::abs(slope);
  // A sum of n terms is off by less than n roundings.
  return sum * (1.0 + 0x1p-51 * static_cast<double>(slopes.size() + 1));
}

/// k a + l b, entry by entry; roundings are the caller's.
std::vector<double> combined(double k, const std::vector<double>& a, double l,
                             const std::vector<double>& b) {
  std::vector<double> sum(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = k * a[i];
  for (std::size_t i = 0; i < b.size(); ++i) sum[i] += l * b[i];
  return sum;
}

}  // namespace

Enclosed::Enclosed(const Digits50& middle, double rest) : Enclosed(middle) {
  rest_ = rest;
}

Enclosed Enclosed::measured(const Digits50& middle, double radius, std::size_t index) {
  Enclosed x(middle);
  x.slopes_.resize(index + 1);
  x.slopes_[index] = radius;
  return x;
}

double Enclosed::size() const {
  return near_ == 0.0 && middle_.is_zero() ? 0.0 : std::abs(near_) * up + smallest;
}

double Enclosed::deviation() const {
  return slopes_.empty() ? rest_ : upper_sum(sum_of_magnitudes(slopes_), rest_);
}

double Enclosed::distance(double from) const {
  const double off = std::abs((middle_ - Number192(from)).nearest());
  if (off == 0.0 && deviation() == 0.0) return 0.0;
  const double bound = upper_sum(off * up, deviation());
  return std::isnan(bound) ? std::numeric_limits<double>::infinity() : bound;
}

void Enclosed::add_rest(double rest) {
  rest_ = upper_sum(rest_, rest);
}

Enclosed operator-(const Enclosed& a) {
  Enclosed x = a;
  x.middle_ = -a.middle_;
  x.near_ = -a.near_;
  for (double& slope : x.slopes_) slope = -slope;
  return x;
}

Enclosed operator+(const Enclosed& a, const Enclosed& b) {
  Enclosed x(a.middle_ + b.middle_);
  x.rest_ = upper_sum(upper_sum(a.rest_, b.rest_), upper_product(x.size(), unit_of_operations));
  if (!a.slopes_.empty() || !b.slopes_.empty()) {
    x.slopes_ = combined(1.0, a.slopes_, 1.0, b.slopes_);
    x.add_rest(0x1p-51 * (sum_of_magnitudes(a.slopes_) + sum_of_magnitudes(b.slopes_)));
  }
  return x;
}

// (A + a)(B + b) = AB + A b + B a + a b, where a and b are slopes and rests.
Enclosed operator*(const Enclosed& a, const Enclosed& b) {
  Enclosed x(a.middle_ * b.middle_);
  const double A = a.size(), B = b.size();
  const double rests = upper_sum(upper_product(A, b.rest_), upper_product(B, a.rest_));
  x.rest_ = upper_sum(rests, upper_product(x.size(), unit_of_operations));
  x.add_rest(upper_product(a.deviation(), b.deviation()));
  if (!a.slopes_.empty() || !b.slopes_.empty()) {
    x.slopes_ = combined(b.near_, a.slopes_, a.near_, b.slopes_);
    const double slopes = upper_sum(upper_product(B, sum_of_magnitudes(a.slopes_)),
                                    upper_product(A, sum_of_magnitudes(b.slopes_)));
    x.add_rest(0x1p-50 * slopes);
  }
  return x;
}

// f(X + x) = f(X) + f' x ± curvature x², |x| being at most the deviation.
Enclosed Enclosed::mapped(const Number192& value, double slope, double curvature,
                          double rounding) const {
  Enclosed x(value);
  x.slopes_ = slopes_;
  for (double& each : x.slopes_) each *= slope;
  const double d = deviation();
  x.rest_ = upper_sum(upper_product(std::abs(slope) * up, rest_), rounding);
  x.add_rest(upper_product(curvature, upper_product(d, d)));
  x.add_rest(upper_product(0x1p-50 * std::abs(slope), d));
  return x;
}

// 1/x has the slope −1/X² and at most the curvature 1/(X² (|X| − d)).
Enclosed operator/(const Enclosed& a, const Enclosed& b) {
  const double B = std::abs(b.near_) / up;
  const double d = b.deviation();
  const double left = B - d;
  const double curvature =
      left > 0.0 ? up / (B * B * left) : std::numeric_limits<double>::infinity();
  const Number192 inverse(Digits50(1.0) / b.middle_.digits50());
  return a * b.mapped(inverse, -1.0 / (b.near_ * b.near_), d == 0.0 ? 0.0 : curvature,
                      upper_product(std::abs(inverse.nearest()), unit_of_operations));
}

Enclosed sign(const Enclosed& a) {
  if (a.deviation() == 0.0 && a.near_ == 0.0) return {};
  if (a.deviation() >= std::abs(a.near_)) return {Digits50(0.0), 1.0};
  return Enclosed(a.near_ > 0.0 ? 1.0 : -1.0);
}

Enclosed exp(const Enclosed& a) {
  const Number192 value(Digits50(Number(exp(a.middle_.digits50().number()))));
  const double e = value.nearest();
  const double curvature = 0.5 * e * std::exp(a.deviation()) * (1.0 + 0x1p-40);
  const Enclosed x =
      a.mapped(value, e, curvature, upper_product(e, unit_of_functions * (1.0 + a.size())));
  const double half = 0.5 * std::exp(std::min(0.0, a.near_ + a.deviation())) * (1.0 + 0x1p-40);
  return x.deviation() <= half ? x : Enclosed(Digits50(half), half);
}

// √x has the slope 1/(2√X) and at most the curvature 1/(8 (X − d)^(3/2)).
Enclosed root(const Enclosed& a) {
  const Number192 value(root(a.middle_.digits50()));
  const double r = value.nearest(), d = a.deviation(), left = a.near_ / up - d;
  const double curvature =
      left > 0.0 ? up / (8.0 * left * std::sqrt(left)) : std::numeric_limits<double>::infinity();
  return a.mapped(value, 0.5 / r, d == 0.0 ? 0.0 : curvature, upper_product(r, unit_of_operations));
}

Enclosed logistic(const Enclosed& a) {
  constexpr double curvature = 0.0482;  // half of what |σ''| is at most, 1/(6√3)
  const Number value(1 / (1 + exp(-a.middle_.digits50().number())));
  const auto slope = Number(value * (1 - value)).convert_to<double>();
  return a.mapped(Number192(Digits50(value)), slope, curvature,
                  unit_of_functions * (1.0 + a.size()) * (1.0 + a.deviation()));
}

SinCosOf<Enclosed> sin_cos(const Enclosed& angle) {
  const auto [s, c] = sin_cos(angle.middle_);
  const double rounding = unit_of_functions * (1.0 + angle.size());
  return {angle.mapped(s, c.nearest(), 0.5, rounding),
          angle.mapped(c, -s.nearest(), 0.5, rounding)};
}

}  // namespace armdyn
