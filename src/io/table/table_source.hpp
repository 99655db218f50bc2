#pragma once

// What a table is read from, whatever its format: a header, then blocks of rows.

#include <cstdint>
#include <vector>

#include "io/table/line_blocks.hpp"
#include "io/table/row_range.hpp"
#include "io/table/table.hpp"
#include "io/table/table_plan.hpp"

namespace armdyn {

/// `next` in one thread, `parse` in any number of them.
class TableSource {
 public:
  TableSource() = default;
  virtual ~TableSource() = default;
  TableSource(const TableSource&) = delete;
  TableSource& operator=(const TableSource&) = delete;

  [[nodiscard]] virtual const Header& header() const = 0;

  /// The next rows below the header; false at the end. Throws InputError, FileError, Interrupted.
  virtual bool next(RawBlock& block) = 0;

  /// The numbers of a block in SI units. A block may have no row. Throws InputError naming file,
  /// line or row, column and what was found for the first thing wrong in the block.
  virtual void parse(const RawBlock& block, const TablePlan& plan, Table& table) const = 0;

  /// All rows below the header, so many in each range and the rest in the last one; empty without
  /// a row. Throws FileError where the input is no regular file.
  [[nodiscard]] virtual std::vector<RowRange> split(std::uintmax_t rows_of_each) const = 0;
  /// From here on `next` gives these rows.
  virtual void keep(const RowRange& range) = 0;
};

/// Rows whose lines are their numbers.
[[nodiscard]] std::vector<RowRange> split_rows(std::uintmax_t rows, std::uintmax_t rows_of_each);

}  // namespace armdyn
