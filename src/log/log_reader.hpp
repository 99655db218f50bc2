#pragma once

// Reader of a motion file for a verb that computes with its rows, block by block.

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

#include "io/table/block_pipeline.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

/// Rates that a motion file must have, or that are derived.
struct Rates {
  bool qd = true, qdd = true;
};

class LogReader {
 public:
  /// Reads q, and t, qd, qdd and those of `also` that the file has. The options must outlive the
  /// reader. Throws InputError for an unsuitable header.
  LogReader(const LogOptions& options, TableInput input, const Robot& robot,
            const std::vector<Quantity>& also, const Rates& needed = {});

  [[nodiscard]] const TableInput& input() const { return input_; }

  /// Columns of the blocks that the job's worker gets.
  [[nodiscard]] const ColumnPlan& plan() const { return rows_.plan(); }

  /// As of MotionRows.
  [[nodiscard]] std::size_t beside_smoothed() const { return rows_.beside_smoothed(); }

  /// The rows of the input, before the filter of the options.
  [[nodiscard]] const TableSource& table() const { return *table_; }

  /// Report on the rows.
  [[nodiscard]] LogReport report() const {
    LogReport report = rows_.report();
    report.remarks = table_->remarks();
    return report;
  }
  [[nodiscard]] Doubts doubts() const { return rows_.doubts(); }

  /// Reads the selected rows into memory.
  [[nodiscard]] Table read_all(unsigned threads = 0);

  /// Sends the selected rows through the job, with the filter of the options.
  /// Throws NumericsError with file and line where the job throws NotFinite for a row.
  template <class Result>
  void run(BlockJob<Result> job) {
    job.filter = [this](Table& in, bool is_end, Table& handed_on) {
      return rows_.pass(in, is_end, handed_on);
    };
    job.file = table_->file_of_lines();
    run_blocks(*table_, parsed_, job);
  }

 private:
  TableInput input_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan parsed_;
  MotionRows rows_;
};

// Reader of a table row by row, in bounded memory, each row as soon as it comes through a pipe.

class RowReader {
 public:
  /// Reads a header. Throws InputError where a wanted group is missing.
  RowReader(TableInput input, const Robot& robot, const std::vector<WantedGroup>& wanted,
            const ColumnOptions& columns, HeaderLine header = HeaderLine::written);

  [[nodiscard]] const ColumnPlan& plan() const { return plan_; }
  [[nodiscard]] const TableInput& input() const { return input_; }

  /// Goes to the next row; false at the end. Throws InputError for a cell that is no number.
  bool next();

  /// Values of the current row: one column of the plan, or some side by side.
  [[nodiscard]] double at(std::size_t column) const { return block_.columns[column][row_]; }
  [[nodiscard]] std::vector<double> at(std::size_t first, std::size_t count) const;

  /// Word of the current row; empty where the plan has no column of words.
  [[nodiscard]] std::string text() const { return block_.texts.empty() ? "" : block_.texts[row_]; }

  /// Tests whether the next row, if any, is yet to be read from the input.
  [[nodiscard]] bool is_at_block_end() const { return row_ + 1 >= block_.rows; }

  /// Remarks on the input read so far.
  [[nodiscard]] std::vector<std::string> remarks() const { return table_->remarks(); }

  /// Bytes of the input up to the end of the current block.
  [[nodiscard]] std::uintmax_t bytes_read() const { return bytes_read_; }

  /// Place of the current row: "file.csv:7".
  [[nodiscard]] std::string place() const;
  /// Error of the current row, with its place.
  [[nodiscard]] InputError wrong(const std::string& what) const;

 private:
  TableInput input_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  RawBlock text_;
  Table block_;
  std::size_t row_ = 0;
  bool in_block_ = false;
  std::uintmax_t bytes_read_ = 0;
};

/// Groups of `read_motion`: t, q, qd, qdd.
[[nodiscard]] std::vector<WantedGroup> motion_groups();

/// Reads all rows of a motion from a reader of those groups. Throws InputError where t does not
/// increase, or there are fewer than two rows. Sets warnings of q, qd and qdd that are not of one
/// motion.
[[nodiscard]] RecordedRows read_motion(RowReader& reader, const Robot& robot, Doubts& doubts);

/// Groups of `read_waypoints`: q or TCP poses, and optional t, dwell and blend.
[[nodiscard]] std::vector<WantedGroup> waypoint_groups();
/// Column with the way to a waypoint: "joint" or "line".
inline constexpr const char* move_column = "move";

/// Goal of a row of waypoints: joint positions or a TCP pose.
struct WantedWaypoint {
  std::optional<std::vector<double>> q;
  std::optional<TcpGoal> tcp;
  bool on_line = false;  ///< the TCP goes there on a straight line
};
/// Adds q and ways. Throws Error without the place in the file.
using AddWaypoint = std::function<void(Waypoints& waypoints, const WantedWaypoint& wanted)>;

/// Reads waypoints, at least two, from a reader of those groups, and of `move_column`. Throws
/// InputError where times do not increase, a dwell or blend is below 0, or cells of a row contradict
/// one another; NumericsError, with the place, where `add` does.
[[nodiscard]] Waypoints read_waypoints(RowReader& reader, const Robot& robot,
                                       const AddWaypoint& add);

/// Reader of the torques of a file for a simulation, row by row in bounded memory: t, tau, and if
/// the file has them a wrench and the state of the first row. Throws InputError, FileError, and
/// Interrupted before the first row.
class TorqueRows {
 public:
  TorqueRows(const TableInput& input, const Robot& robot, const ColumnOptions& columns,
             Need time = Need::required);

  /// Reads the next row; false at the end, and where a signal comes first. Throws InputError where t
  /// does not increase, or is not the time when the row is due.
  bool next(TorqueSample& sample, std::optional<double> due = {});
  /// Tests whether `next` may have to wait.
  [[nodiscard]] bool may_wait() const {
    return !reader_.input().size() && reader_.is_at_block_end();
  }

  [[nodiscard]] const TableInput& input() const { return reader_.input(); }
  [[nodiscard]] const ColumnPlan& plan() const { return reader_.plan(); }
  [[nodiscard]] std::uintmax_t bytes_read() const { return reader_.bytes_read(); }
  [[nodiscard]] std::vector<std::string> remarks() const { return reader_.remarks(); }
  [[nodiscard]] bool has_wrench() const { return has(Quantity::contact_wrench); }
  /// q of the current row, if the file has it.
  [[nodiscard]] std::optional<std::vector<double>> q() const;
  /// q and qd of the first row, if the file has them; known once a row has been read.
  [[nodiscard]] const std::optional<std::vector<double>>& first_q() const { return first_q_; }
  [[nodiscard]] const std::optional<std::vector<double>>& first_qd() const { return first_qd_; }

 private:
  bool read_row();
  [[nodiscard]] bool has(Quantity quantity) const { return reader_.plan().has(quantity); }
  [[nodiscard]] std::vector<double> values(Quantity quantity, std::size_t count) const;

  RowReader reader_;
  std::size_t dof_;
  std::optional<double> last_t_;
  std::optional<std::vector<double>> first_q_, first_qd_;
};

}  // namespace armdyn
