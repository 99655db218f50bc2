#pragma once

// Numbers between reading and printing: one block of rows, one array per column.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/columns.hpp"

namespace armdyn {

/// Rows of a table, one behind the other, and where they are.
struct RowRange {
  std::uintmax_t first = 0;  ///< row, from 0
  std::uintmax_t rows = 0;
  std::uintmax_t begin = 0, end = 0;         ///< bytes, of a text
  std::size_t first_line = 1, end_line = 1;  ///< in the file; or row from 1
};

// Plan of turning rows into numbers: which cell goes to which column, and in which unit.

/// SI = number · multiply / divide; two factors, because 9 ms / 1000 is 0.009 and 9 ms · 0.001 is
/// not.
struct Unit {
  double multiply = 1.0;
  double divide = 1.0;
  double add = 0.0;  ///< in SI

  [[nodiscard]] double to_si(double number) const { return number * multiply / divide + add; }
  [[nodiscard]] bool is_si() const { return *this == Unit{}; }
  bool operator==(const Unit&) const = default;
};

/// A header line, split into cells without their quotes and surrounding blanks.
struct Header {
  std::string file;      ///< for messages
  std::size_t line = 1;  ///< 0: of a binary file, which has no lines
  std::vector<std::string> cells;
  std::vector<std::string> first_row{};  ///< the cells of the first row below, if there is one
  bool is_written = true;                ///< false: the file has none, and cells are 1, 2, 3..
};

/// "motion.csv:1", or the file alone where it has no lines.
[[nodiscard]] inline std::string place_text(const Header& header) {
  return header.line == 0 ? header.file : header.file + ":" + std::to_string(header.line);
}

/// A stamp that is read digit by digit, since a double cannot hold nanoseconds since 1970.
struct StampPlan {
  std::size_t column = 0;   ///< of the Table
  std::int64_t origin = 0;  ///< what counts as zero, ns
  struct Cell {
    std::size_t cell = 0;
    int decimals = 0;  ///< the unit is a power of ten: 0 for s, 9 for ns
  };
  std::vector<Cell> cells;  ///< one, or seconds and nanoseconds apart
};

/// Treatment of a row that cannot be read; of unknown ones all numbers are NaN.
enum class BadRows { refuse, leave_out, are_unknown };

/// A cell that must have in every row the content that it has in the first.
struct ConstantText {
  std::size_t cell = 0;
  std::string text;
};

/// Plan of turning the lines below a header into a Table.
struct TablePlan {
  struct Column {
    std::string name;      ///< canonical: q1, not q_shoulder[deg]
    std::size_t cell = 0;  ///< place in the line
    Unit unit;
    double most = std::numeric_limits<double>::max();  ///< magnitude, in SI units
    bool may_be_empty = false;                         ///< cells of text, which then are NaN
    bool may_be_unknown = false;                       ///< NaN where there is no such number
  };
  std::vector<std::string> header;  ///< as written; one for each cell of a line
  std::vector<Column> columns;      ///< one for each column of the Table
  BadRows bad_rows = BadRows::refuse;
  std::string_view remedy;  ///< where bad rows are refused, of cells without a measurement
  std::optional<StampPlan> stamp;
  std::vector<ConstantText> constant_texts;
  std::optional<std::size_t> text_cell;  ///< goes to Table::texts
};

/// A row of the file that is not in its Table.
struct LeftOutRow {
  std::size_t before = 0;  ///< the row of the Table that comes next
  std::string why;         ///< "log.csv:7: ..."
};

/// Rows of numbers, by column. Made to be used again for the next block: `resize` keeps the memory.
struct Table {
  Columns columns;  ///< each with `rows` entries; SI units
  std::size_t rows = 0;
  std::vector<std::size_t> lines;     ///< line of each row in its file, from 1; empty if computed
  std::vector<std::string> texts;     ///< of each row, where a column holds words
  std::vector<std::size_t> breaks{};  ///< rows that come after a gap, increasing
  std::size_t first_row = 0;          ///< rows before this block, in the course of a job
  std::vector<LeftOutRow> left_out;

  void resize(std::size_t column_count, std::size_t row_count) {
    armdyn::resize(columns, column_count, row_count);
    rows = row_count;
  }

  [[nodiscard]] std::span<const double> column(std::size_t index) const { return columns[index]; }
  /// The columns of a quantity.
  [[nodiscard]] std::vector<std::span<const double>> group(std::size_t first,
                                                           std::size_t count) const {
    const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
};

/// Whole lines of the input, or rows of an array, which may still be in the file. Made to be used
/// again for the next block.
struct RawBlock {
  std::vector<char> buffer;
  std::size_t begin = 0;  ///< the text in the buffer, or the numbers
  std::size_t end = 0;
  std::size_t first_line = 1;  ///< in the file; or row
  std::size_t line_count = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }  ///< of the input, bytes
  [[nodiscard]] std::string_view text() const { return {buffer.data() + begin, size()}; }
};

/// Reads at most so many bytes to there; 0 only at the end.
using ByteSource = std::function<std::size_t(char* data, std::size_t size)>;

struct BlockLimits {
  std::size_t block_size = std::size_t{256} * 1024;     ///< bytes, roughly
  std::size_t longest_line = std::size_t{1024} * 1024;  ///< bytes
  bool live = false;  ///< passes on the lines that have come, rather than wait for a whole block
  bool keeps_bad_rows = false;  ///< as unknown, where a table is made of several
};

}  // namespace armdyn
