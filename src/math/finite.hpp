#pragma once

#include <armdyn/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace armdyn {

/// Place of the first that is not finite; values.size() if there is none.
inline std::size_t first_not_finite(std::span<const double> values) {
  std::size_t i = 0;
  while (i < values.size() && std::isfinite(values[i])) ++i;
  return i;
}

/// Tests whether all are finite numbers. Their sum is finite then, unless it overflows.
inline bool all_finite(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return std::isfinite(sum) || first_not_finite(values) == values.size();
}

/// Tests whether all have at most this finite magnitude: it is in the order of their bits, and
/// NaN beyond infinity.
inline bool all_within(std::span<const double> values, double most) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  const auto last = std::bit_cast<std::uint64_t>(most);
  std::uint64_t left = 0;
  for (const double value : values) left |= last - (std::bit_cast<std::uint64_t>(value) & ~sign);
  return left < sign;
}

/// max |x|; 0 of none.
inline double largest_magnitude(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

inline double square(double x) {
  return x * x;
}

/// Σ w x² of finite numbers x and weights w ≥ 0, whose root mean a double holds whatever x is.
class SumOfSquares {
 public:
  void add(double x, double weight = 1.0) {
    if (std::abs(x) < large) {
      sum_ += weight * (x * x);
    } else {
      sum_of_large_ += weight * ((x / large) * (x / large));
    }
  }
  /// Sum of numbers that are not large.
  void add_squares(double sum) { sum_ += sum; }

  /// √(Σ w x² / Σ w); 0 where there is no weight.
  [[nodiscard]] double root_mean(double weight) const {
    if (!(weight > 0.0)) return 0.0;
    if (sum_of_large_ == 0.0) return std::sqrt(sum_ / weight);
    return large * std::sqrt(sum_of_large_ / weight + sum_ / large / large / weight);
  }

  static constexpr double large = 0x1p500;

 private:
  double sum_ = 0.0;
  double sum_of_large_ = 0.0;  ///< in large²
};

/// Throws NotFinite for a result: "the torque of elbow is not a finite number: …". Inputs within
/// the limits of model/limits_of_input.hpp do not lead here (docs/derivation.md, section 34).
[[noreturn]] inline void refuse_not_finite(const std::string& result) {
  throw NotFinite(result + " is not a finite number: an input is too large");
}

/// Gives to the largest part what rounding has left of τ − Σ parts (compensated sum, Knuth), so that
/// the parts sum to τ within half a unit in the last place of the largest: no doubles near them do
/// better.
inline void close_sum(double tau, std::span<double> parts) {
  double sum = tau;
  double lost = 0.0;
  for (const double part : parts) {
    const double next = sum - part;
    const double taken = sum - next;
    lost += (sum - (next + taken)) + (taken - part);
    sum = next;
  }
  double& largest = *std::max_element(parts.begin(), parts.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  largest += sum + lost;
}

}  // namespace armdyn
