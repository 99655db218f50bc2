#pragma once

// How the rows of a table become numbers: which cell goes to which column, and in which unit.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace armdyn {

/// SI = number · multiply / divide; two factors, because 9 ms / 1000 is 0.009 and 9 ms · 0.001 is
/// not.
struct Unit {
  double multiply = 1.0;
  double divide = 1.0;

  [[nodiscard]] double to_si(double number) const { return number * multiply / divide; }
  [[nodiscard]] bool is_si() const { return multiply == 1.0 && divide == 1.0; }
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
[[nodiscard]] std::string place_text(const Header& header);

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

/// What to do with a row that cannot be read.
enum class BadRows { refuse, leave_out };

/// A cell that must say in every row what it says in the first.
struct ConstantText {
  std::size_t cell = 0;
  std::string text;
};

/// How the lines below a header become a Table.
struct TablePlan {
  struct Column {
    std::string name;      ///< canonical: q1, not q_shoulder[deg]
    std::size_t cell = 0;  ///< place in the line
    Unit unit;
    double most = std::numeric_limits<double>::max();  ///< magnitude, in SI units
  };
  std::vector<std::string> header;  ///< as written; one for each cell of a line
  std::vector<Column> columns;      ///< one for each column of the Table
  BadRows bad_rows = BadRows::refuse;
  std::optional<StampPlan> stamp;
  std::vector<ConstantText> constant_texts;
  std::optional<std::size_t> text_cell;  ///< goes to Table::texts
};

}  // namespace armdyn
