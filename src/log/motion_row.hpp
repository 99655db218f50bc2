#pragma once

// A motion's table, row by row, as the algorithms take it.

#include <armdyn/inverse_dynamics.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// Places of a motion in a table: first columns of the groups.
struct MotionColumns {
  std::size_t q = 0;
  std::optional<std::size_t> qd, qdd;
  std::optional<std::size_t> wrench;  ///< fx, fy, fz, nx, ny, nz
};

/// The plan must have positions.
[[nodiscard]] inline MotionColumns motion_columns(const ColumnPlan& plan) {
  return {*plan.first(Quantity::position), plan.first(Quantity::velocity),
          plan.first(Quantity::acceleration), plan.first(Quantity::hand_wrench)};
}

/// Rows of a motion with q̇ and q̈, for the mechanics: of where a table's columns begin.
[[nodiscard]] inline MotionBlock motion_block(std::span<const Column> places,
                                              const MotionColumns& at, std::size_t dof,
                                              std::size_t rows) {
  return {rows, places.subspan(at.q, dof), places.subspan(*at.qd, dof),
          places.subspan(*at.qdd, dof),
          at.wrench ? places.subspan(*at.wrench, 6) : std::span<const Column>{}};
}

/// Gathers one row at a time from its columns; 0 for what has none.
class MotionRow {
 public:
  MotionRow(const MotionColumns& columns, std::size_t dof)
      : columns_(columns), dof_(dof), values_(3 * dof) {}

  void read(const Table& table, std::size_t row) {
    gather(table, row, columns_.q, 0);
    gather(table, row, columns_.qd, dof_);
    gather(table, row, columns_.qdd, 2 * dof_);
    if (!columns_.wrench) return;
    const auto at = [&](std::size_t k) { return table.columns[*columns_.wrench + k][row]; };
    hand_ = {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }

  [[nodiscard]] MotionState state() const {
    const std::span<const double> all(values_);
    return {all.subspan(0, dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_)};
  }
  [[nodiscard]] const Wrench& hand() const { return hand_; }

 private:
  void gather(const Table& table, std::size_t row, std::optional<std::size_t> first,
              std::size_t place) {
    for (std::size_t i = 0; first && i < dof_; ++i) {
      values_[place + i] = table.columns[*first + i][row];
    }
  }

  MotionColumns columns_;
  std::size_t dof_;
  std::vector<double> values_;
  Wrench hand_;
};

}  // namespace armdyn
