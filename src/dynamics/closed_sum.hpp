#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace armdyn {

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
