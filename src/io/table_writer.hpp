#pragma once

// The room where tables become bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "io/table.hpp"

namespace armdyn {

/// Which of the two tables that lie side by side holds a column.
enum class From { input, result };

/// Prints chosen columns of an input and of what was computed from it, in the order of the adding.
/// Adding comes first; printing may then happen in several threads.
class TableWriter {
 public:
  void add(std::string name, From from, std::size_t column);

  /// Columns of a group, which lie side by side from `first` on.
  void add(Quantity quantity, std::size_t dof, From from, std::size_t first);

  void append_header(std::string& text) const;

  /// One line for each row; numbers are the shortest text that reads back to the same double.
  void append_rows(std::string& text, const Table& input, const Table& result) const;

 private:
  struct Column {
    std::string name;
    From from;
    std::size_t index;
  };
  std::vector<Column> columns_;
};

}  // namespace armdyn
