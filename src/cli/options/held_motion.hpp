#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure.hpp"
#include "io/table/table.hpp"
#include "log/motion_rows.hpp"
#include "math/each.hpp"
#include "math/motion_tally.hpp"

namespace armdyn {

/// A motion in memory.
struct HeldMotion : Table {
  MotionColumns places;
  std::vector<double> t;  ///< empty: there is none
  MotionTally tally;

  /// All rows of a motion.
  HeldMotion(Table all, const MotionColumns& at, std::optional<std::size_t> time)
      : Table(std::move(all)), places(at) {
    if (!time) return;
    t = columns[*time];
    tally.next(rows, t, breaks);
  }

  /// Positions of so many joints over time, or over rows where there is none.
  [[nodiscard]] std::vector<Curve> positions(std::size_t dof) const {
    std::vector<double> x = t;
    if (x.empty()) {
      x.resize(rows);
      std::iota(x.begin(), x.end(), 1.0);
    }
    return each(in_order(dof), [&](std::size_t i) -> Curve {
      return {"", x, columns[places.q + i]};
    });
  }
};

}  // namespace armdyn
