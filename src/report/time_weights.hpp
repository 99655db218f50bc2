#pragma once

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace armdyn {

/// Weights of rows in integrals over time by the trapezoid rule, block by block: half of each step
/// for the row before it, and half for that after it. Time that falls counts for nothing, nor does a
/// gap.
struct TimeWeights {
  std::vector<double> of_rows;  ///< of the block, s
  double of_last = 0.0;         ///< more for the last row of the block before, s
  double duration = 0.0;        ///< by which t rises from row to row, s

  /// The times of the next block, and its rows that come after a gap, increasing. Throws NotFinite.
  void add(std::span<const double> t, std::span<const std::size_t> breaks) {
    auto gap = breaks.begin();
    of_rows.assign(t.size(), 0.0);
    of_last = 0.0;
    for (std::size_t row = 0; row < t.size(); ++row) {
      const bool is_gap = gap != breaks.end() && *gap == row;
      if (is_gap) ++gap;
      const double step = is_gap || is_first_ ? 0.0 : std::max(0.0, t[row] - before_);
      if (!std::isfinite(step)) {
        throw NotFinite("the time since the row before is not a finite number: t is too large",
                        row);
      }
      (row == 0 ? of_last : of_rows[row - 1]) += step / 2;
      of_rows[row] += step / 2;
      duration += step;
      before_ = t[row];
      is_first_ = false;
    }
  }

 private:
  double before_ = 0.0;
  bool is_first_ = true;
};

}  // namespace armdyn
