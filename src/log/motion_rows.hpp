#pragma once

// Selection of a log's rows, and derivation from them, before a verb computes with them.

#include <armdyn/identification.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <boost/noncopyable.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// Filter of parsed blocks in their order; passes rows on, some of them later, in bounded memory.
class MotionRows : boost::noncopyable {
 public:
  static constexpr double gap_from = 5.0;  ///< usual steps; a longer one is a gap

  /// `plan` is that of the parsed blocks, `file_of_lines` has their lines; options and robot must outlive
  /// the filter. Throws InputError where the columns do not suit the options.
  MotionRows(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
             const std::string& file, const std::string& file_of_lines);
  ~MotionRows();

  /// Plan of the blocks handed on: the parsed columns and the derived ones.
  [[nodiscard]] const ColumnPlan& plan() const;

  /// First column beyond the plan, where `smooth` smooths torques: dof measured torques, dof slopes
  /// dτ/dt of their fits, dof variances of the noise in these, the width of the window, s, and 1 for
  /// rows within half a second of the log's first or last one, else 0.
  [[nodiscard]] std::size_t beside_smoothed() const;

  /// Filter of a BlockJob; consumes `parsed`. True where there is more to pass on, in calls with no
  /// rows. Throws InputError for rows that the options refuse.
  bool pass(Table& parsed, bool is_end, Table& handed_on);

  [[nodiscard]] LogReport report() const;
  /// Whether q, qd and qdd are of one motion.
  [[nodiscard]] Doubts doubts() const;

 private:
  class Stages;
  std::unique_ptr<Stages> stages_;
};

/// Places of a motion in a table: first columns of the groups.
struct MotionColumns {
  std::size_t q = 0;
  std::optional<std::size_t> qd, qdd;
  std::optional<std::size_t> wrench;  ///< fx, fy, fz, nx, ny, nz
};

/// Places of a motion by a plan with positions.
[[nodiscard]] inline MotionColumns motion_columns(const ColumnPlan& plan) {
  return {*plan.first(Quantity::position), plan.first(Quantity::velocity),
          plan.first(Quantity::acceleration), plan.first(Quantity::contact_wrench)};
}

/// Rows of a motion with q̇ and q̈, for the mechanics; `places` are a table's columns.
[[nodiscard]] inline MotionBlock motion_block(std::span<const Column> places,
                                              const MotionColumns& at, std::size_t dof,
                                              std::size_t rows) {
  return {rows, places.subspan(at.q, dof), places.subspan(*at.qd, dof),
          places.subspan(*at.qdd, dof),
          at.wrench ? places.subspan(*at.wrench, 6) : std::span<const Column>{}};
}

/// One row at a time, gathered from its columns; 0 without a column.
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
    wrench_ = {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
  }

  [[nodiscard]] MotionState state() const {
    const std::span<const double> all(values_);
    return {all.subspan(0, dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_)};
  }
  [[nodiscard]] const Wrench& wrench() const { return wrench_; }

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
  Wrench wrench_;
};

}  // namespace armdyn
