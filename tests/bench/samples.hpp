#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <random>
#include <span>
#include <vector>

namespace armdyn::bench {

/// States by columns for the blocks and by rows for the single calls: q, qd, and qdd or torques.
class Samples {
 public:
  Samples(std::size_t dof, std::size_t rows) : dof_(dof), rows_(rows) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    columns_.assign(3 * dof, std::vector<double>(rows));
    by_row_.resize(3 * dof * rows);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < 3 * dof; ++i) {
        const double value = (i < dof ? 3.0 : 1.0) * number(random);
        columns_[i][row] = by_row_[row * 3 * dof + i] = value;
      }
    }
    for (const std::vector<double>& column : columns_) pointers_.push_back(column.data());
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] MotionBlock block() const {
    const std::span<const Column> all(pointers_);
    return {rows_, all.first(dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_), {}};
  }
  [[nodiscard]] MotionState state(std::size_t row) const {
    const std::span<const double> all = std::span(by_row_).subspan(row * 3 * dof_, 3 * dof_);
    return {all.first(dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_)};
  }

 private:
  std::size_t dof_, rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> by_row_;
  std::vector<Column> pointers_;
};

}  // namespace armdyn::bench
