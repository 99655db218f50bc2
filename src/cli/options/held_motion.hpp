#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/table/table.hpp"
#include "log/log_reader.hpp"
#include "log/motion_row.hpp"
#include "report/column_figures.hpp"

namespace armdyn {

/// A motion in memory.
struct HeldMotion {
  Columns columns;
  MotionColumns places;
  std::size_t rows = 0;
  std::vector<double> t;            ///< empty: there is none
  std::vector<std::size_t> breaks;  ///< rows that come after a gap, increasing
  TimeWeights weights;

  /// Throws InputError without a row, and what the reader throws.
  HeldMotion(LogReader& log, const std::string& file, unsigned threads);

  [[nodiscard]] bool is_over_time() const { return weights.duration > 0.0; }
  /// Of so many joints, over time, or over rows where there is none.
  [[nodiscard]] std::vector<Curve> positions(std::size_t dof) const;
};

}  // namespace armdyn
