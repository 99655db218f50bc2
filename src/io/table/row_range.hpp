#pragma once

#include <cstddef>
#include <cstdint>

namespace armdyn {

/// Some rows of a table, one behind the other, and where they are.
struct RowRange {
  std::uintmax_t first = 0;  ///< row, from 0
  std::uintmax_t rows = 0;
  std::uintmax_t begin = 0, end = 0;         ///< bytes, of a text
  std::size_t first_line = 1, end_line = 1;  ///< in the file; or row from 1
};

}  // namespace armdyn
