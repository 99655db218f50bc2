#pragma once

// Selection of a log's rows, and what is derived from them before a verb computes with it.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/header_meaning.hpp"
#include "log/rate_check.hpp"
#include "model/limits_of_input.hpp"
#include "model/motors.hpp"
#include "motion/derive.hpp"

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
  std::vector<ColumnChoice> columns;
  bool no_header = false;
  bool ignore_extra = false;
  bool motor_side = false;     ///< q, qd, qdd and tau are of the motors
  bool as_given = false;       ///< columns are not held against the robot's torques
  std::optional<double> rate;  ///< Hz: rows that have no t are so many per second, the first at 0

  std::optional<Gaps> gaps;  ///< absent: refuse where time matters
  bool derive = false;
  /// qd, qdd and tau are all taken from fits through the same windows, whatever rates the log has;
  /// rows that are not in the middle of their window are left out. With `derive`.
  bool smooth = false;
  bool derive_errors = false;  ///< columns with the standard uncertainty of what is derived
  /// Joints at rest get a qd of 0: those slower than `dead_zone` or, without that, where qd is
  /// derived, than three of the row's standard uncertainties.
  bool finds_rest = false;
  std::optional<double> dead_zone;          ///< rad/s, m/s
  std::optional<double> window;             ///< s; nothing: chosen from the data
  std::optional<double> from_time;          ///< s
  std::optional<double> to_time;            ///< s
  std::optional<double> resample;           ///< Hz
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

  /// `plan` is that of the parsed blocks. Throws InputError where time is needed and not there.
  MotionRows(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
             std::string file);

  /// Plan of the blocks handed on: the parsed columns and the derived ones.
  [[nodiscard]] const ColumnPlan& plan() const { return handed_on_; }

  /// Where `smooth` smooths torques, columns beyond the plan: the first of dof torques as they were
  /// measured, then dof slopes dτ/dt of their fits, then dof variances of the noise in these, then
  /// the width of the window, s, then whether the row is within half a second of the log's first or
  /// last: 1 or 0.
  [[nodiscard]] std::size_t beside_smoothed() const { return beside_smoothed_; }

  /// Serves as BlockJob::filter: what is in `parsed` afterwards is of no use. True where there is
  /// more to hand on, by calls with no rows. Throws InputError for what the options refuse.
  bool pass(Table& parsed, bool is_end, Table& handed_on);

  [[nodiscard]] LogReport report() const;

 private:
  struct Row {
    std::vector<double> values;
    std::size_t line = 0;  ///< of the file
    bool begins_stretch = false;
  };

  void leave_out_strange_stamps(Table& parsed, bool is_end);
  void to_joints(Table& parsed) const;
  void stop_slow_joints(Table& parsed) const;
  void stamp(Table& parsed);
  void look_at_stamps(const Table& parsed);
  void take(Row row);
  void use_first_rows();
  void prepare_to_derive(const std::vector<std::size_t>& rising);
  void process(const Row& row);
  bool is_in_time(double t, std::size_t line);
  void judge_step(double step, std::size_t line);
  void end_stretch();
  void emit_waiting(double until);
  void drain();
  void emit(Row row);
  void resample_block(Table& handed_on);
  bool resample(const Row& row);
  void append(const Row& row);
  void finish();
  void require_rows() const;
  void compare_rates(const Table& rows);
  [[nodiscard]] bool only_looks() const;
  [[nodiscard]] bool refuses() const;
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;

  const LogOptions& options_;
  const Robot& robot_;
  std::string file_;
  ColumnPlan handed_on_;
  std::size_t parsed_width_;  // with the t that a rate gives
  std::optional<std::size_t> t_;
  std::size_t q_ = 0;
  std::size_t rows_stamped_ = 0;  // by the rate
  bool derives_qd_ = false, derives_qdd_ = false;
  bool tells_errors_ = false, finds_rest_ = false;
  std::size_t beside_smoothed_ = 0;
  std::vector<std::size_t> smoothed_;  // columns of the torques, where they are

  bool holds_first_rows_ = true;
  std::vector<Row> first_rows_;

  std::optional<double> stamp_before_;  // of the rows whose stamps were looked at
  double step_before_ = 0.0;
  std::optional<Row> doubtful_;  // whose stamp the next one tells

  LogReport::Steps steps_;
  std::optional<double> last_time_;
  double window_ = 0.0, best_window_ = 0.0;
  std::optional<Deriver> deriver_;
  SlidingRows held_;  // rows given to the deriver and not yet taken back
  std::deque<std::size_t> held_lines_;

  std::optional<double> begin_;  // t of the first row
  std::deque<Row> waiting_;      // smoothed, and perhaps within the last half second

  bool begins_stretch_ = false;  // the next row that is emitted

  std::deque<Row> to_resample_;
  std::optional<Row> before_;  // of the row that is resampled
  std::optional<double> first_time_;
  std::size_t next_sample_ = 0;
  bool sample_begins_stretch_ = false;
  Table resampled_;  // part of a block
  bool has_ended_ = false;

  std::optional<MotorSide> motor_side_;
  std::optional<RateCheck> rates_;
  std::size_t rows_compared_ = 0, blocks_passed_over_ = 0;

  Table* out_ = nullptr;
  LogReport report_;  // but for what `report` adds
};

}  // namespace armdyn
