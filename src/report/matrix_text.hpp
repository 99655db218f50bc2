#pragma once

#include <armdyn/vector.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armdyn {

/// A matrix for reading on a terminal of 100 columns: labelled rows and columns, five significant
/// digits, decimal points under one another, 0 for what is rounding beside the largest entry. One
/// that is too wide comes in blocks of columns.
[[nodiscard]] std::string matrix_text(const std::vector<std::string>& row_labels,
                                      const std::vector<std::string>& column_labels,
                                      const Matrix& values);

/// Columns of different quantities, each of its own scale; otherwise the same. NaN: an empty cell.
struct LabelledColumn {
  std::string label;
  std::vector<double> values;
  std::optional<int> decimals = {};  ///< instead of five significant digits
  double scale = 0.0;  ///< of what the values are sums of, where that is more than the values
};
[[nodiscard]] std::string columns_text(const std::vector<std::string>& row_labels,
                                       const std::vector<LabelledColumn>& columns);

}  // namespace armdyn
