#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "math/sin_cos.hpp"

// A function over a box, within a polynomial of the second degree and a rest: a Taylor model (Makino
// and Berz 2003),
//
//     middle + Σ slopes_k εk + Σ_{j ≤ k} bends_jk εj εk ± rest   for −1 ≤ εk ≤ 1.
//
// As LinearForm, of several ε: run on TaylorModels, an algorithm gives what holds in the whole box,
// roundings included. The rest grows with the cube of the box. Beside these it has a bound of its
// magnitude, which counts in wide boxes: a cosine is never above 1, whatever its polynomial.

namespace armdyn {

class TaylorModel {
 public:
  static constexpr std::size_t most_epsilons = 7;

  constexpr TaylorModel() = default;
  constexpr TaylorModel(double constant)  // implicit, as for Dual
      : middle_(constant), most_(constant < 0.0 ? -constant : constant) {}
  /// middle + radius ε of that index
  TaylorModel(double middle, double radius, std::size_t index)
      : middle_(middle),
        most_(std::abs(middle) + std::abs(radius)),
        first_(radius == 0.0 ? 0 : index),
        end_(radius == 0.0 ? 0 : index + 1) {
    slopes_[index] = radius;
  }
  /// A number within `rest` of that one.
  static TaylorModel within(double middle, double rest) {
    TaylorModel x(middle);
    x.rest_ = rest;
    x.most_ += rest;
    return x;
  }

  [[nodiscard]] double middle() const { return middle_; }
  [[nodiscard]] double slope(std::size_t k) const { return slopes_[k]; }
  [[nodiscard]] double bend(std::size_t j, std::size_t k) const { return bends_[at(j, k)]; }
  [[nodiscard]] double rest() const { return rest_; }
  /// A bound of the number's magnitude.
  [[nodiscard]] double most() const { return most_; }

  /// Upper bound of the number: each ε by itself with the sizes of the other bends, or what makes the
  /// bends concave and the largest value of the concave part, whichever is less.
  [[nodiscard]] double upper() const {
    double alone = 0.0, crossing = 0.0;
    for (std::size_t k = first_; k < end_; ++k) {
      const double s = std::abs(slopes_[k]), b = bends_[at(k, k)];
      alone += b < -0.5 * s ? -0.25 * s * s / b : s + b;
      for (std::size_t j = first_; j < k; ++j) crossing += std::abs(bends_[at(j, k)]);
    }
    const double most = crossing > 0.0 ? std::min(alone + crossing, above_concave()) : alone;
    return std::min(most_, middle_ + most + rest_ + rounding * (std::abs(middle_) + size()));
  }
  [[nodiscard]] double lower() const { return -(-*this).upper(); }

  friend TaylorModel operator-(TaylorModel a) {
    a.middle_ = -a.middle_;
    for (double& slope : a.slopes_) slope = -slope;
    for (double& bend : a.bends_) bend = -bend;
    return a;
  }
  friend TaylorModel operator+(const TaylorModel& a, const TaylorModel& b) {
    return sum(a, 1.0, b);
  }
  friend TaylorModel operator-(const TaylorModel& a, const TaylorModel& b) {
    return sum(a, -1.0, b);
  }
  /// a + k b
  friend TaylorModel sum(const TaylorModel& a, double k, const TaylorModel& b) {
    TaylorModel c = a;
    c.join(b);
    c.middle_ += k * b.middle_;
    for (std::size_t i = b.first_; i < b.end_; ++i) {
      c.slopes_[i] += k * b.slopes_[i];
      for (std::size_t j = b.first_; j <= i; ++j) c.bends_[at(j, i)] += k * b.bends_[at(j, i)];
    }
    c.rest_ += std::abs(k) * b.rest_;
    c.most_ += std::abs(k) * b.most_;
    c.round(std::abs(a.middle_) + std::abs(k * b.middle_));
    return c;
  }
  friend TaylorModel operator*(double k, const TaylorModel& a) { return sum({}, k, a); }
  friend TaylorModel operator*(const TaylorModel& a, double k) { return sum({}, k, a); }
  friend TaylorModel operator*(const TaylorModel& a, const TaylorModel& b) {
    if (a.is_constant()) return a.middle_ * b;
    if (b.is_constant()) return b.middle_ * a;
    TaylorModel c;
    c.first_ = std::min(a.first_, b.first_);
    c.end_ = std::max(a.end_, b.end_);
    c.middle_ = a.middle_ * b.middle_;
    double bends_a = 0.0, bends_b = 0.0, slopes_a = 0.0, slopes_b = 0.0;
    for (std::size_t i = c.first_; i < c.end_; ++i) {
      const double ai = a.slopes_[i], bi = b.slopes_[i];
      c.slopes_[i] = a.middle_ * bi + b.middle_ * ai;
      slopes_a += std::abs(ai);
      slopes_b += std::abs(bi);
      for (std::size_t j = c.first_; j <= i; ++j) {
        const double of_a = a.bends_[at(j, i)], of_b = b.bends_[at(j, i)];
        const double product = ai * b.slopes_[j] + (j == i ? 0.0 : a.slopes_[j] * bi);
        c.bends_[at(j, i)] = a.middle_ * of_b + b.middle_ * of_a + product;
        bends_a += std::abs(of_a);
        bends_b += std::abs(of_b);
      }
    }
    const double most_a = std::abs(a.middle_) + slopes_a + bends_a;  // without the rest
    const double most_b = std::abs(b.middle_) + slopes_b + bends_b;
    c.rest_ = slopes_a * bends_b + bends_a * (slopes_b + bends_b) + most_a * b.rest_ +
              std::min(b.most_, most_b + b.rest_) * a.rest_ + rounding * most_a * most_b;
    c.most_ = (1.0 + rounding) * (a.most_ * b.most_);
    return c;
  }
  /// Infinitely wide where b may be 0.
  friend TaylorModel operator/(const TaylorModel& a, const TaylorModel& b) {
    const double m = b.middle_, t_most = b.size() / std::abs(m);
    if (!(t_most < 1.0)) return within(0.0, std::numeric_limits<double>::infinity());
    const TaylorModel t = 1.0 / m * (b - TaylorModel(m));
    TaylorModel inverse = TaylorModel(1.0) - t + t * t;  // (1 + t)⁻¹, but for t³/(1 + t)
    inverse.rest_ += t_most * t_most * t_most / (1.0 - t_most);
    inverse.most_ = (1.0 + rounding) / (1.0 - t_most);
    return a * (1.0 / m * inverse);
  }
  /// A number that is known to be within ±most, which replaces a wider rest.
  friend TaylorModel kept(TaylorModel x, double most) {
    most *= 1.0 + 10.0 * rounding;
    if (!(x.rest_ <= most)) return within(0.0, most);
    x.most_ = std::min(x.most_, most);
    return x;
  }
  friend bool operator==(const TaylorModel& a, double b) {
    return a.is_constant() && a.middle_ == b;
  }

  /// Of an angle without bends that is within π of its middle; else anything from −1 to 1.
  friend SinCosOf<TaylorModel> sin_cos(const TaylorModel& x) {
    if (x.is_constant()) {
      const auto [s, c] = sin_cos(x.middle_);
      return {TaylorModel(s), TaylorModel(c)};
    }
    double w = 0.0;  // x = middle + w u, −1 ≤ u ≤ 1
    bool is_linear = true;
    for (std::size_t k = x.first_; k < x.end_; ++k) {
      w += std::abs(x.slopes_[k]);
      for (std::size_t j = x.first_; j <= k; ++j) is_linear &= x.bends_[at(j, k)] == 0.0;
    }
    if (!is_linear || !(w <= std::numbers::pi)) return {within(0.0, 1.0), within(0.0, 1.0)};
    // cos wu = J0 − 2 J2 T2(u) + 2 J4 T4(u) …, sin wu = 2 J1 u − 2 J3 T3(u) …, with |T(u)| ≤ 1.
    // What the rest adds is no more than itself.
    TaylorModel cosine(bessel(0, w) + 2.0 * bessel(2, w)), sine;
    cosine.join(x);
    sine.join(x);
    for (std::size_t k = x.first_; w > 0.0 && k < x.end_; ++k) {
      const double share = x.slopes_[k] / w;
      sine.slopes_[k] = 2.0 * bessel(1, w) * share;
      for (std::size_t j = x.first_; j <= k; ++j) {
        const double twice = j == k ? 1.0 : 2.0;
        cosine.bends_[at(j, k)] = -4.0 * bessel(2, w) * twice * share * (x.slopes_[j] / w);
      }
    }
    for (int order = 3; order < 20; order += 2) {
      sine.rest_ += 2.0 * std::abs(bessel(order, w));
      cosine.rest_ += 2.0 * std::abs(bessel(order + 1, w));
    }
    for (TaylorModel* const wave : {&sine, &cosine}) {
      wave->rest_ += x.rest_;
      wave->round(1.0);
      wave->most_ = 1.0 + rounding;
    }
    const auto [s, c] = sin_cos(x.middle_);
    return {kept(s * cosine + c * sine, 1.0), kept(c * cosine - s * sine, 1.0)};
  }

  // For springs (model/spring_law.hpp).

  friend double value_of(const TaylorModel& x) { return x.middle_; }
  friend double uncertainty(const TaylorModel& x) {
    return x.size() + rounding * (std::abs(x.middle_) + x.size());
  }
  friend TaylorModel within(double rest, const TaylorModel& /*like*/) { return within(0.0, rest); }
  friend TaylorModel bounded(const TaylorModel& x, const TaylorModel& most) {
    return kept(x, most.most_);
  }
  /// Of a number that is not negative, whatever its lower bound.
  friend TaylorModel root(const TaylorModel& x) {
    const double m = x.middle_, t_most = x.size() / m;
    if (!(m > 0.0 && t_most < 1.0)) {
      if (std::isnan(x.upper())) return x;
      const double half = 0.5 * std::sqrt(std::max(0.0, x.upper())) * (1.0 + rounding);
      return within(half, half);
    }
    const TaylorModel t = 1.0 / m * (x - TaylorModel(m));
    TaylorModel y = TaylorModel(1.0) + 0.5 * t - 0.125 * t * t;  // but for t³/16 (1 + …)^−5/2
    y.rest_ += 0.0625 * t_most * t_most * t_most * std::pow(1.0 - t_most, -2.5) * (1.0 + 1e-12);
    y.most_ = (1.0 + rounding) * std::sqrt(1.0 + t_most);
    return std::sqrt(m) * y;
  }

 private:
  static constexpr double rounding = 1e-15;

  static constexpr std::size_t at(std::size_t j, std::size_t k) { return k * (k + 1) / 2 + j; }

  /// J_n(w) by its power series, for w ≤ π.
  static double bessel(int n, double w) {
    double term = 1.0, sum = 0.0;
    for (int k = 1; k <= n; ++k) term *= 0.5 * w / k;
    for (int k = 1; k < 25; ++k) {
      sum += term;
      term *= -0.25 * w * w / k / (k + n);
    }
    return sum;
  }

  [[nodiscard]] bool is_constant() const { return end_ == first_ && rest_ == 0.0; }

  void join(const TaylorModel& b) {
    if (b.end_ == b.first_) return;
    first_ = end_ == first_ ? b.first_ : std::min(first_, b.first_);
    end_ = std::max(end_, b.end_);
  }

  /// Bound of |x − middle|.
  [[nodiscard]] double size() const {
    double sum = rest_;
    for (std::size_t i = first_; i < end_; ++i) {
      sum += std::abs(slopes_[i]);
      for (std::size_t j = first_; j <= i; ++j) sum += std::abs(bends_[at(j, i)]);
    }
    return sum;
  }

  /// Adds what rounding may have taken, of terms of that size at least.
  void round(double of_terms) {
    if (is_constant() && of_terms == 0.0) return;
    const double lost = rounding * (of_terms + size());
    rest_ += lost;
    most_ += lost;
  }

  /// Bound of slopes and bends: Σ D_k, with bends ≤ Σ D_k εk², and the largest value of the slopes and
  /// of the bends less D, which are concave: at most the tangent plane at any place.
  [[nodiscard]] double above_concave() const {
    const std::array<double, most_epsilons> D = above_bends();
    std::array<double, most_epsilons> at{}, slope = slopes_;
    const auto bend = [&](std::size_t j, std::size_t k) {  // of the gradient
      return j == k ? 2.0 * (bends_[this->at(k, k)] - D[k])
                    : bends_[this->at(std::min(j, k), std::max(j, k))];
    };
    for (int sweep = 0; sweep < 4; ++sweep) {  // to the largest value, one ε after the other
      for (std::size_t k = first_; k < end_; ++k) {
        const double own = bend(k, k), toward = std::copysign(1.0, slope[k]);
        const double next = own < 0.0 ? std::clamp(at[k] - slope[k] / own, -1.0, 1.0) : toward;
        for (std::size_t j = first_; j < end_; ++j) slope[j] += bend(j, k) * (next - at[k]);
        at[k] = next;
      }
    }
    double sum = 0.0;
    for (std::size_t k = first_; k < end_; ++k) {
      sum += D[k] + std::abs(slope[k]) - 0.5 * at[k] * (slope[k] - slopes_[k]);
    }
    return sum + 1e-13 * size();
  }

  /// A D with bends ≤ Σ D_k εk²: by elimination, and where a pivot is not negative, by rows.
  [[nodiscard]] std::array<double, most_epsilons> above_bends() const {
    std::array<std::array<double, most_epsilons>, most_epsilons> A{};  // −bends
    std::array<double, most_epsilons> D{};
    for (std::size_t i = first_; i < end_; ++i) {
      A[i][i] = -bends_[at(i, i)];
      for (std::size_t j = first_; j < i; ++j) A[i][j] = A[j][i] = -0.5 * bends_[at(j, i)];
    }
    for (std::size_t i = first_; i < end_; ++i) {
      double row = 0.0, across = 0.0;
      for (std::size_t j = i + 1; j < end_; ++j) {
        row += std::abs(A[i][j]);
        across = std::max(across, A[i][j] * A[i][j]);
      }
      if (A[i][i] > 0.0 && across <= A[i][i] * A[i][i] * 4.0) {
        for (std::size_t j = i + 1; j < end_; ++j) {
          for (std::size_t k = i + 1; k < end_; ++k) A[j][k] -= A[i][j] * A[i][k] / A[i][i];
        }
      } else {  // 2 a εi εj ≤ |a| (εi² + εj²)
        D[i] += std::max(0.0, row - A[i][i]);
        for (std::size_t j = i + 1; j < end_; ++j) D[j] += std::abs(A[i][j]);
      }
    }
    const double lost = 1e-14 * size();
    for (std::size_t k = first_; k < end_; ++k) D[k] = D[k] * (1.0 + 1e-12) + lost;
    return D;
  }

  double middle_ = 0.0, rest_ = 0.0, most_ = 0.0;
  std::size_t first_ = 0, end_ = 0;  ///< ε that it depends on
  std::array<double, most_epsilons> slopes_{};
  std::array<double, most_epsilons*(most_epsilons + 1) / 2> bends_{};
};

inline double kept(double x, double /*most*/) {
  return x;
}
inline double magnitude(const TaylorModel& x) {
  return x.most();
}
inline double magnitude(double x) {
  return std::abs(x);
}

/// The least linear form above max(0, x).
inline TaylorModel above_positive_part(const TaylorModel& x) {
  const double lower = x.lower(), upper = x.upper();
  if (lower >= 0.0) return x;
  if (upper <= 0.0) return {};
  const double a = upper / (upper - lower);
  return kept(a * x + TaylorModel(-a * lower), upper);
}
inline double above_positive_part(double x) {
  return std::max(0.0, x);
}
/// The least linear form above |x|.
template <class S>
S above_magnitude(const S& x) {
  return kept(S(2.0 * above_positive_part(x) - x), magnitude(x));
}

}  // namespace armdyn
