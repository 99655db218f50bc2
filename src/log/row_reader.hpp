#pragma once

// A table, row by row, in bounded memory: for verbs that go through it in order. What comes slowly
// through a pipe is there as soon as it comes.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/table/table_reader.hpp"
#include "log/columns.hpp"

namespace armdyn {

class RowReader {
 public:
  /// Throws InputError where a wanted group is missing. The input must outlive the reader.
  RowReader(InputFile& input, const Robot& robot, const std::vector<WantedGroup>& wanted,
            ExtraColumns extra);

  [[nodiscard]] const ColumnPlan& plan() const { return plan_; }
  /// For messages: the file, or "standard input".
  [[nodiscard]] const std::string& file() const { return input_.name(); }

  /// Goes to the next row; false at the end. Throws InputError for a cell that is no number.
  bool next();

  /// Of the present row: one column of the plan, or some that lie side by side.
  [[nodiscard]] double at(std::size_t column) const { return block_.columns[column][row_]; }
  [[nodiscard]] std::vector<double> at(std::size_t first, std::size_t count) const;

  /// Whether the next row, if there is one, is yet to be read from the input.
  [[nodiscard]] bool is_at_block_end() const { return row_ + 1 >= block_.rows; }

  /// Of the input, as far as the present block of rows.
  [[nodiscard]] std::uintmax_t bytes_read() const { return bytes_read_; }

  /// What is wrong with the present row, with its place.
  [[nodiscard]] InputError wrong(const std::string& what) const;

 private:
  InputFile& input_;
  TableReader reader_;
  ColumnPlan plan_;
  RawBlock text_;
  Table block_;
  std::size_t row_ = 0;
  bool in_block_ = false;
  std::uintmax_t bytes_read_ = 0;
};

/// The present row's time, or throws InputError where it is not later than the one before.
[[nodiscard]] double later_time(const RowReader& reader, std::size_t column,
                                const std::optional<double>& before);

/// Collects times, which must increase: appends the present row's, or throws InputError.
void append_time(const RowReader& reader, std::size_t column, std::vector<double>& times);

}  // namespace armdyn
