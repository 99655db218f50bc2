#pragma once

// Numbers by column, and where the columns begin.

#include "math/each.hpp"

namespace armdyn {

/// Numbers by column, each with as many rows.
using Columns = std::vector<std::vector<double>>;

inline void resize(Columns& columns, std::size_t column_count, std::size_t row_count) {
  columns.resize(column_count);
  for (std::vector<double>& column : columns) column.resize(row_count);
}

/// The numbers of a row.
[[nodiscard]] inline std::vector<double> row_of(const Columns& columns, std::size_t row) {
  return each(columns, [row](const std::vector<double>& column) { return column[row]; });
}

/// Beginnings of many columns, as the mechanics and writers take them.
template <class Each>
[[nodiscard]] auto places(Each& columns) {
  return each(columns, [](auto& column) { return column.data(); });
}

}  // namespace armdyn
