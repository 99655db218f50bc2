#pragma once

// Figures of a column of numbers. Several stand side by side in each loop, since one comparison or
// sum would otherwise wait for the one before.

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace armdyn {

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

inline double sum_of_squares(std::span<const double> column) {
  std::array<double, figures_side_by_side> sums{};
  std::size_t row = 0;
  for (; row + figures_side_by_side <= column.size(); row += figures_side_by_side) {
    for (std::size_t k = 0; k < figures_side_by_side; ++k) {
      sums[k] += column[row + k] * column[row + k];
    }
  }
  double sum = 0.0;
  for (; row < column.size(); ++row) sum += column[row] * column[row];
  for (const double part : sums) sum += part;
  return sum;
}

/// Each square times its weight.
inline double sum_of_squares(std::span<const double> column, std::span<const double> weights) {
  std::array<double, figures_side_by_side> sums{};
  std::size_t row = 0;
  for (; row + figures_side_by_side <= column.size(); row += figures_side_by_side) {
    for (std::size_t k = 0; k < figures_side_by_side; ++k) {
      sums[k] += weights[row + k] * (column[row + k] * column[row + k]);
    }
  }
  double sum = 0.0;
  for (; row < column.size(); ++row) sum += weights[row] * (column[row] * column[row]);
  for (const double part : sums) sum += part;
  return sum;
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
