#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "math/finite.hpp"

namespace armdyn {

/// Evenly distributed from `lower` to below `upper`; the same in every standard library, unlike
/// std::uniform_real_distribution.
[[nodiscard]] inline double uniform(std::mt19937_64& random, double lower, double upper) {
  return lower + static_cast<double>(random() >> 11U) * 0x1p-53 * (upper - lower);
}

// Random numbers by place: the same on every machine and in any order (docs/derivation.md, 24.1).

/// The number at a place of a sample's stream, uniform in (0, 1), 52 bits: Philox4x32-10 (Salmon et
/// al., SC 2011) with the seed as its key.
[[nodiscard]] double uniform_variate(std::uint64_t seed, std::uint64_t sample, std::uint32_t place);

/// ln x of a positive finite x, by additions, products and quotients alone.
[[nodiscard]] double natural_logarithm(double x);

/// The x with Φ(x) = p, for p from 1e-10 to 1 − 1e-10 (Wichura, AS 241, 1988), by additions,
/// products, quotients and square roots alone.
[[nodiscard]] double normal_quantile(double p);

/// Makes of u in (0, 1) a number in (−1, 1) that is distributed normally with the standard deviation
/// 1/3, cut at the ends (eq. 24.2).
[[nodiscard]] double cut_normal(double u);

// Bounds from samples for the distribution that they come from, whatever it is.

/// Ranks, from 1, among n sorted samples: of the p-quantile, and between which samples it lies with
/// 95 % confidence; without a rank where n are too few for that (eq. 24.4).
struct QuantileRanks {
  std::uint64_t estimate = 1;
  std::optional<std::uint64_t> lower, upper;
};
[[nodiscard]] QuantileRanks quantile_ranks(std::uint64_t n, double p);

/// Between which shares the true one lies with 95 % confidence, where `count` of n samples have
/// something: Clopper and Pearson's interval (eq. 24.5).
[[nodiscard]] std::pair<double, double> share_interval(std::uint64_t count, std::uint64_t n);

/// Median, of an even count the upper one; 0 of none.
[[nodiscard]] inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Figures of a column of numbers. Several stand side by side in each loop, since one comparison or
// sum would otherwise wait for the one before.

constexpr std::size_t figures_side_by_side = 8;

struct Bounds {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  void widen(double number) {
    least = number < least ? number : least;
    greatest = number > greatest ? number : greatest;
  }
};

/// The least and the greatest number; of an empty column, ±infinity.
inline Bounds bounds_of(std::span<const double> column) {
  std::array<double, figures_side_by_side> least, greatest;
  least.fill(Bounds{}.least);
  greatest.fill(Bounds{}.greatest);
  std::size_t row = 0;
  for (; row + figures_side_by_side <= column.size(); row += figures_side_by_side) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < figures_side_by_side; ++k) {
      const double number = column[row + k];
      least[k] = number < least[k] ? number : least[k];
      greatest[k] = number > greatest[k] ? number : greatest[k];
    }
  }
  Bounds bounds;
  for (; row < column.size(); ++row) bounds.widen(column[row]);
  for (std::size_t k = 0; k < figures_side_by_side; ++k) {
    bounds.least = least[k] < bounds.least ? least[k] : bounds.least;
    bounds.greatest = greatest[k] > bounds.greatest ? greatest[k] : bounds.greatest;
  }
  return bounds;
}

/// The sum of terms of rows, block by block; the rows of all blocks but the last are a multiple of
/// those side by side.
struct SumOfTerms {
  std::array<double, figures_side_by_side> parts{};
  double of_rest = 0.0;

  template <class Term>
  void add(std::size_t rows, Term term) {
    std::size_t row = 0;
    std::array<double, figures_side_by_side> sums = parts;
    for (; row + figures_side_by_side <= rows; row += figures_side_by_side) {
#pragma GCC unroll 8
      for (std::size_t k = 0; k < figures_side_by_side; ++k) sums[k] += term(row + k);
    }
    for (; row < rows; ++row) of_rest += term(row);
    parts = sums;
  }
  /// Adds the squares of a column, each times its weight where there are weights.
  void add_squares(std::span<const double> column, std::span<const double> weights) {
    const auto squared = [&](std::size_t row) { return column[row] * column[row]; };
    const auto weighted = [&](std::size_t row) { return weights[row] * squared(row); };
    weights.empty() ? add(column.size(), squared) : add(column.size(), weighted);
  }
  [[nodiscard]] double total() const {
    double sum = of_rest;
    for (const double part : parts) sum += part;
    return sum;
  }
};

/// Adds the squares of a column, each times its weight where there are weights.
inline void add_column(SumOfSquares& sum, std::span<const double> column,
                       std::span<const double> weights = {}) {
  SumOfTerms squares;
  squares.add_squares(column, weights);
  if (squares.total() < SumOfSquares::large) return sum.add_squares(squares.total());
  for (std::size_t row = 0; row < column.size(); ++row) {
    sum.add(column[row], weights.empty() ? 1.0 : weights[row]);
  }
}

/// Numbers times their weights, those above 0 and those below it by themselves.
struct SignedSums {
  double positive = 0.0, negative = 0.0;
};
inline SignedSums signed_sums(std::span<const double> column, std::span<const double> weights) {
  std::array<double, figures_side_by_side> positive{}, negative{};
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double part = weights[row] * column[row];
    const std::size_t k = row % figures_side_by_side;
    positive[k] += part > 0.0 ? part : 0.0;
    negative[k] += part < 0.0 ? part : 0.0;
  }
  SignedSums sums;
  for (const double part : positive) sums.positive += part;
  for (const double part : negative) sums.negative += part;
  return sums;
}

}  // namespace armdyn
