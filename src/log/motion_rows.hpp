#pragma once

// Selection of a log's rows, and what is derived from them before a verb computes with it.

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/header_meaning.hpp"
#include "model/limits_of_input.hpp"

namespace armdyn {

/// Treatment of rows that are missing, cannot be read, or come at a wrong time.
enum class Gaps {
  refuse,  ///< stop at the first
  skip,    ///< leave out, and connect nothing across a gap
  bridge,  ///< leave out, and connect across gaps
};

/// Options of reading a motion file.
struct LogOptions {
  std::vector<std::string> topics{};  ///< of a bag
  std::vector<ColumnChoice> columns{};
  bool no_header = false;
  bool ignore_extra = false;
  bool motor_side = false;       ///< q, qd, qdd and tau are of the motors
  bool as_given = false;         ///< columns are not held against the robot's torques
  std::optional<double> rate{};  ///< Hz: rows that have no t are so many per second, the first at 0

  std::optional<Gaps> gaps{};  ///< absent: refuse where time matters
  bool derive = false;
  /// qd, qdd and tau are all taken from fits through the same windows, whatever rates the log has;
  /// rows that are not in the middle of their window are left out. With `derive`.
  bool smooth = false;
  bool derive_errors = false;  ///< columns with the standard uncertainty of what is derived
  /// Joints at rest get a qd of 0: those slower than `dead_zone` or, without that, where qd is
  /// derived, than three of the row's standard uncertainties.
  bool finds_rest = false;
  std::optional<double> dead_zone{};        ///< rad/s, m/s
  std::optional<double> window{};           ///< s; nothing: chosen from the data
  std::optional<double> from_time{};        ///< s
  std::optional<double> to_time{};          ///< s
  std::optional<double> resample{};         ///< Hz
  double max_rows = limits_of_input::rows;  ///< that it puts between two
};

/// Something that happened in a log, and where.
class Incident {
 public:
  void add(std::size_t line, std::size_t count = 1);
  [[nodiscard]] std::size_t count() const { return count_; }
  /// "lines 3, 7, 9 and 12 more"
  [[nodiscard]] std::string places() const;

 private:
  std::size_t count_ = 0;
  std::size_t places_ = 0;
  std::vector<std::size_t> first_;
};

/// Report of what became of the rows of a log.
struct LogReport {
  struct Steps {
    double usual = 0.0, shortest = 0.0, longest = 0.0;  ///< s, of t; without gaps
  };
  /// One standard deviation in the mean over rows: of q, and of what is derived from it, in the
  /// middle of its window and off it; nothing where there are no such rows.
  struct Uncertainty {
    double q = 0.0;
    std::optional<double> qd, qdd, qd_at_ends, qdd_at_ends;
  };
  struct Derived {
    bool qd = false, qdd = false;
    double window = 0.0;       ///< width of the fits, s
    double best_window = 0.0;  ///< which the data choose, where torques are smoothed
    bool is_window_given = false;
    bool finds_rest = false;  ///< by the uncertainties
    std::vector<Uncertainty> joints;
  };

  std::string recognised;  ///< as what kind of log; empty: none in particular
  std::size_t rows_in = 0, rows_out = 0;
  Incident repeated, falling;  ///< rows whose t is that of the row before, or before it
  Incident strange;            ///< rows whose t alone is far from those before and after
  double first_strange = 0.0;  ///< s
  Incident missing;            ///< rows, a few at a time
  Incident gaps;
  std::size_t outside = 0;     ///< rows before or after the time asked for
  std::size_t unreadable = 0;  ///< rows
  std::string first_unreadable;
  std::size_t at_ends = 0;      ///< rows left out for not being in the middle of their window
  std::size_t too_few = 0;      ///< rows in stretches that are too short to derive from
  bool leaves_rows_out = true;  ///< those of `repeated` and `falling`; else they are only looked at
  bool bridges_gaps = false;
  std::optional<Steps> steps;  ///< of rows that were not only looked at
  std::optional<Derived> derived;
  std::vector<std::string> remarks{};      ///< of the input
  std::vector<std::string> disagreements;  ///< of q, qd and qdd: which joints, which factor
};

/// Takes parsed blocks in their order and hands rows on, some of them later; memory is bounded.
class MotionRows {
 public:
  static constexpr double gap_from = 5.0;  ///< usual steps: what lies between is not known

  MotionRows() = default;
  virtual ~MotionRows() = default;
  MotionRows(const MotionRows&) = delete;
  MotionRows& operator=(const MotionRows&) = delete;

  /// Plan of the blocks handed on: the parsed columns and the derived ones.
  [[nodiscard]] virtual const ColumnPlan& plan() const = 0;

  /// Columns beyond the plan, where `smooth` smooths torques: the first of dof torques as they were
  /// measured, then dof slopes dτ/dt of their fits, then dof variances of the noise in these, then
  /// the width of the window, s, then whether the row is within half a second of the log's first or
  /// last: 1 or 0.
  [[nodiscard]] virtual std::size_t beside_smoothed() const = 0;

  /// Serves as BlockJob::filter: what is in `parsed` afterwards is of no use. True where there is
  /// more to hand on, by calls with no rows. Throws InputError for what the options refuse.
  virtual bool pass(Table& parsed, bool is_end, Table& handed_on) = 0;

  [[nodiscard]] virtual LogReport report() const = 0;
};

/// `plan` is that of the parsed blocks. Throws InputError where time is needed and not there.
[[nodiscard]] std::unique_ptr<MotionRows> make_motion_rows(const LogOptions& options,
                                                           const ColumnPlan& plan,
                                                           const Robot& robot, std::string file);

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
