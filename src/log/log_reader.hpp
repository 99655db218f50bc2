#pragma once

// A motion file on its way into a verb that computes with its rows, block by block.

#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

class LogReader {
 public:
  /// Says which of qd and qdd must be there, or be derived.
  struct Rates {
    bool qd = true, qdd = true;
  };

  /// Reads q, and t, qd, qdd and those of `also` as far as they are there. The options and the
  /// input must outlive the reader. Throws InputError for a header that does not do.
  LogReader(const LogOptions& options, InputFile& input, const Robot& robot,
            const std::vector<Quantity>& also, const Rates& needed);
  /// Needs qd and qdd; else as above.
  LogReader(const LogOptions& options, InputFile& input, const Robot& robot,
            const std::vector<Quantity>& also)
      : LogReader(options, input, robot, also, Rates{}) {}

  /// Columns of the blocks that the job's worker gets.
  [[nodiscard]] const ColumnPlan& plan() const { return rows_->plan(); }

  /// Returns what MotionRows does.
  [[nodiscard]] std::size_t beside_smoothed() const { return rows_->beside_smoothed(); }

  /// Finds the rows of a part, as rows_of_part.
  [[nodiscard]] RowRange part(const Part& part) const { return rows_of_part(*table_, part); }

  /// Report of what became of the rows.
  [[nodiscard]] LogReport report() const {
    LogReport report = rows_->report();
    report.remarks = table_->remarks();
    return report;
  }

  /// The rows that count, in memory.
  [[nodiscard]] Table read_all(unsigned threads = 0);

  /// Sends the rows that count through the job, whose filter is that of the options.
  /// Throws NumericsError with file and line where the job throws NotFinite for a row.
  template <class Result>
  void run(BlockJob<Result> job) {
    job.filter = [this](Table& in, bool is_end, Table& handed_on) {
      return rows_->pass(in, is_end, handed_on);
    };
    job.file = file_;
    run_blocks(*table_, parsed_, job);
  }

 private:
  std::string file_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan parsed_;
  std::unique_ptr<MotionRows> rows_;
};

// A table, row by row, in bounded memory: for verbs that go through it in order. What comes slowly
// through a pipe is there as soon as it comes.

class RowReader {
 public:
  /// Throws InputError where a wanted group is missing. The input must outlive the reader.
  RowReader(InputFile& input, const Robot& robot, const std::vector<WantedGroup>& wanted,
            const ColumnOptions& columns, HeaderLine header = HeaderLine::written);

  [[nodiscard]] const ColumnPlan& plan() const { return plan_; }
  /// Name for messages: the file, or "standard input".
  [[nodiscard]] const std::string& file() const { return input_.name(); }

  /// Goes to the next row; false at the end. Throws InputError for a cell that is no number.
  bool next();

  /// Values of the present row: one column of the plan, or some that lie side by side.
  [[nodiscard]] double at(std::size_t column) const { return block_.columns[column][row_]; }
  [[nodiscard]] std::vector<double> at(std::size_t first, std::size_t count) const;

  /// The word of the present row; empty where the plan has no column of words.
  [[nodiscard]] std::string text() const { return block_.texts.empty() ? "" : block_.texts[row_]; }

  /// True where the next row, if there is one, is yet to be read from the input.
  [[nodiscard]] bool is_at_block_end() const { return row_ + 1 >= block_.rows; }

  /// Remarks on the input as far as it was read.
  [[nodiscard]] std::vector<std::string> remarks() const { return table_->remarks(); }

  /// Bytes of the input, as far as the present block of rows.
  [[nodiscard]] std::uintmax_t bytes_read() const { return bytes_read_; }

  /// Place of the present row: "file.csv:7".
  [[nodiscard]] std::string place() const;
  /// Error of the present row, with its place.
  [[nodiscard]] InputError wrong(const std::string& what) const;

 private:
  InputFile& input_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  RawBlock text_;
  Table block_;
  std::size_t row_ = 0;
  bool in_block_ = false;
  std::uintmax_t bytes_read_ = 0;
};

/// t, q, qd, qdd: what `read_motion` reads.
[[nodiscard]] std::vector<WantedGroup> motion_groups();

/// Reads all rows of a motion from a reader of those groups. Throws InputError where t does not
/// increase, or there are fewer than two rows. Appends to `warnings` what in q, qd and qdd does not
/// belong together.
[[nodiscard]] RecordedRows read_motion(RowReader& reader, const Robot& robot,
                                       std::vector<std::string>& warnings);

/// q or places of the hand, and t, dwell and blend where they are there: what `read_waypoints`
/// reads.
[[nodiscard]] std::vector<WantedGroup> waypoint_groups();
/// The column that says how a waypoint is reached: "joint" or "line".
inline constexpr const char* move_column = "move";

/// Goal of a row of waypoints: joint positions or a place of the hand.
struct WantedWaypoint {
  std::optional<std::vector<double>> q;
  std::optional<HandGoal> hand;
  bool on_line = false;  ///< the hand goes there straight
};
/// Adds q and ways. Throws Error without the place in the file.
using AddWaypoint = std::function<void(Waypoints& waypoints, const WantedWaypoint& wanted)>;

/// Reads waypoints, at least two, from a reader of those groups, and of `move_column`. Throws
/// InputError where times do not increase, a dwell or blend is below 0, or what a row says does not
/// go together; NumericsError, with the place, where `add` does.
[[nodiscard]] Waypoints read_waypoints(RowReader& reader, const Robot& robot,
                                       const AddWaypoint& add);

// The torques of a CSV file as a simulation asks for them: one row after the other.

/// Reads t, tau and, where they are there, a hand wrench and the state of the first row; in bounded
/// memory. Throws InputError, FileError, and Interrupted before the first row.
class TorqueRows {
 public:
  TorqueRows(const std::string& path, const Robot& robot, bool ignore_extra,
             const std::vector<std::string>& topics, Need time = Need::required);

  /// The next row; false at the end, and where a signal comes first. Throws InputError where t does
  /// not increase, or is not the time when the row is due.
  bool next(TorqueSample& sample, std::optional<double> due = {});
  /// True where `next` may have to wait.
  [[nodiscard]] bool may_wait() const { return !input_.is_regular() && reader_.is_at_block_end(); }

  [[nodiscard]] const InputFile& file() const { return input_; }
  [[nodiscard]] const ColumnPlan& plan() const { return reader_.plan(); }
  [[nodiscard]] std::uintmax_t bytes_read() const { return reader_.bytes_read(); }
  [[nodiscard]] std::vector<std::string> remarks() const { return reader_.remarks(); }
  [[nodiscard]] bool has_wrench() const { return has(Quantity::hand_wrench); }
  /// q of the present row, where there are such columns.
  [[nodiscard]] std::optional<std::vector<double>> q() const;
  /// q, qd of the first row, where there are such columns; known once a row has been read.
  [[nodiscard]] const std::optional<std::vector<double>>& first_q() const { return first_q_; }
  [[nodiscard]] const std::optional<std::vector<double>>& first_qd() const { return first_qd_; }

 private:
  bool read_row();
  [[nodiscard]] bool has(Quantity quantity) const { return reader_.plan().has(quantity); }
  [[nodiscard]] std::vector<double> values(Quantity quantity, std::size_t count) const;

  InputFile input_;
  RowReader reader_;
  std::size_t dof_;
  std::optional<double> last_t_;
  std::optional<std::vector<double>> first_q_, first_qd_;
};

}  // namespace armdyn
