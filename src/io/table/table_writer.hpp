#pragma once

// Tables on their way to bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "io/table/table.hpp"

namespace armdyn {

/// The path of an output, if a table can be written there: throws FileError where the name asks for
/// an array in NumPy's format and is that of a pipe or device.
[[nodiscard]] const std::string& table_target(const std::string& path);

class OutputFile;

/// Which of the two tables that lie side by side holds a column.
enum class From { input, result };

/// Prints chosen columns of an input and of what was computed from it, in the order of the adding.
/// Adding comes first; printing may then happen in several threads.
class TableWriter {
 public:
  /// Text.
  TableWriter() = default;

  /// What is right for that output: an array in NumPy's format where its name ends in .npy, else
  /// text. The output must outlive the writer's use, and gets nothing but what is appended here,
  /// from the start.
  explicit TableWriter(OutputFile& output);

  void add(std::string name, From from, std::size_t column);

  /// Columns that lie side by side from `first` on.
  void add(const std::vector<std::string>& names, From from, std::size_t first);

  /// Whether an array gets the names of its columns, as it does unless told otherwise.
  void name_columns_of_array(bool named) { array_has_names_ = named; }

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
  bool array_has_names_ = true;
};

}  // namespace armdyn
