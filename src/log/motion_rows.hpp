#pragma once

// Between reading a log and computing with it: which rows count, and what is derived from them.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/log_options.hpp"
#include "motion/derive.hpp"
#include "motion/sliding_rows.hpp"

namespace armdyn {

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

/// Takes parsed blocks in their order and hands rows on, some of them later; memory is bounded.
class MotionRows {
 public:
  /// `plan` is that of the parsed blocks. Throws InputError where time is needed and not there.
  MotionRows(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
             std::string file);

  /// Of the blocks handed on: the parsed columns and the derived ones.
  [[nodiscard]] const ColumnPlan& plan() const { return handed_on_; }

  /// For BlockJob::filter: what is in `parsed` afterwards is of no use. Throws InputError for what
  /// the options refuse.
  void pass(Table& parsed, bool is_end, Table& handed_on);

  /// What was derived, how certain it is, and what was done to the rows; nothing said: nothing
  /// done.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  using Row = std::vector<double>;

  void look_at_stamps(const Table& parsed);
  void take(const Row& row, std::size_t line);
  void end_pilot();
  void choose_window_from_pilot(const std::vector<std::size_t>& rising);
  void process(const Row& row, std::size_t line);
  bool is_in_time(double t, std::size_t line);
  void judge_step(double step, std::size_t line);
  void end_stretch();
  void drain();
  void emit(const Row& row);
  void resample(const Row& row);
  void append(const Row& row);
  void finish();
  [[nodiscard]] bool only_looks() const;
  [[nodiscard]] bool refuses() const;
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;

  const LogOptions& options_;
  const Robot& robot_;
  std::string file_;
  ColumnPlan handed_on_;
  std::size_t parsed_width_;
  std::optional<std::size_t> t_;
  std::size_t q_ = 0;
  bool derives_qd_ = false, derives_qdd_ = false;

  bool is_piloting_ = true;
  std::vector<Row> pilot_;
  std::vector<std::size_t> pilot_lines_;

  double usual_step_ = 0.0;
  double shortest_step_ = 0.0, longest_step_ = 0.0;  // that are no gap
  std::optional<double> last_time_;
  double window_ = 0.0;
  std::optional<Deriver> deriver_;
  SlidingRows held_;  // rows given to the deriver and not yet taken back

  std::optional<Row> before_;  // for resampling
  std::optional<double> first_time_;
  std::size_t next_sample_ = 0;

  Table* out_ = nullptr;
  std::size_t rows_in_ = 0, rows_out_ = 0, outside_ = 0;
  Incident repeated_, falling_, missing_, gaps_;
  std::size_t unreadable_ = 0, too_few_ = 0;
  std::string first_unreadable_;
};

}  // namespace armdyn
