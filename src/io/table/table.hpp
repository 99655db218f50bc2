#pragma once

// Numbers between reading and printing: one block of rows, one array per column.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

/// Numbers by column, each with as many rows.
using Columns = std::vector<std::vector<double>>;

inline void resize(Columns& columns, std::size_t column_count, std::size_t row_count) {
  columns.resize(column_count);
  for (std::vector<double>& column : columns) column.resize(row_count);
}

/// Where each of many columns begins, as the mechanics and writers take them.
template <class Each>
[[nodiscard]] auto places(Each& columns) {
  std::vector<decltype(columns.front().data())> found;
  found.reserve(columns.size());
  for (auto& column : columns) found.push_back(column.data());
  return found;
}

/// Rows of numbers, by column. Made to be used again for the next block: `resize` keeps the memory.
struct Table {
  Columns columns;  ///< each with `rows` entries; SI units
  std::size_t rows = 0;
  std::vector<std::size_t> lines;     ///< line of each row in its file, from 1; empty if computed
  std::vector<std::string> texts;     ///< of each row, where a column holds words
  std::vector<std::size_t> breaks{};  ///< rows that come after a gap, increasing
  std::size_t first_row = 0;          ///< rows before this block, on its way through a job
  std::vector<std::string> left_out;  ///< why rows of the file are not here: "log.csv:7: ..."

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

}  // namespace armdyn
