#pragma once

// The room where tables become bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "io/table.hpp"

namespace armdyn {

class OutputFile;

/// Which of the two tables that lie side by side holds a column.
enum class From { input, result };

/// Prints chosen columns of an input and of what was computed from it, in the order of the adding.
/// Adding comes first; printing may then happen in several threads.
class TableWriter {
 public:
  /// Text.
  TableWriter() = default;

  /// What is right for that output: an array in NumPy's format where its name ends in .npy (plain
  /// where the order of the groups tells what they are, else with the names), else text. The output
  /// must outlive the writer's use, and gets nothing but what is appended here, from the start.
  explicit TableWriter(OutputFile& output);

  void add(std::string name, From from, std::size_t column);

  /// Columns of a group, which lie side by side from `first` on.
  void add(Quantity quantity, std::size_t dof, From from, std::size_t first);

  /// Throws FileError where the format does not suit the output.
  void append_header(std::string& bytes) const;

  /// One row for each row. Numbers of a text are the shortest that read back to the same double.
  void append_rows(std::string& bytes, const Table& input, const Table& result) const;

 private:
  struct Column {
    std::string name;
    From from;
    std::size_t index;
  };
  using Numbers = std::vector<const double*>;

  [[nodiscard]] std::vector<std::string> names_of_array() const;
  static void append_text(std::string& text, const Numbers& columns, std::size_t rows);
  static void append_array(std::string& bytes, const Numbers& columns, std::size_t rows);

  OutputFile* array_ = nullptr;  // the output, if it is an array
  std::vector<Column> columns_;
  std::vector<Quantity> groups_;
  bool has_other_columns_ = false;
};

}  // namespace armdyn
