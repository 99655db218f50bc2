#pragma once

// Tables on their way to bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace armdyn {

/// The path of an output, if a table can be written there: throws FileError where the name asks for
/// an array in NumPy's format and is that of a pipe or device.
[[nodiscard]] const std::string& table_target(const std::string& path);

class OutputFile;

/// Prints columns. Naming them comes first; printing may then happen in several threads.
class TableWriter {
 public:
  /// Text.
  TableWriter() = default;

  /// What is right for that output: an array in NumPy's format where its name ends in .npy, else
  /// text. The output must outlive the writer's use, and gets nothing but what is appended here,
  /// from the start.
  explicit TableWriter(OutputFile& output);

  enum class Format { text, array };
  /// Rows that go elsewhere.
  explicit TableWriter(Format format) : is_array_(format == Format::array) {}

  /// The names of the next columns.
  void add(const std::vector<std::string>& names);

  /// Whether an array gets the names of its columns, as it does unless told otherwise.
  void name_columns_of_array(bool named) { array_has_names_ = named; }

  /// From now on NaN says that a number is not known: an empty cell, and in an array NaN.
  void allow_unknown() { may_be_unknown_ = true; }

  /// Throws FileError where the format does not suit the output.
  void append_header(std::string& bytes) const;

  /// What an array of so many rows begins with.
  [[nodiscard]] std::string array_head(std::uintmax_t rows) const;
  /// Bytes of a row of an array.
  [[nodiscard]] std::size_t row_bytes() const { return names_.size() * sizeof(double); }

  /// Where columns are, in the order of their names.
  using Places = std::vector<const double*>;

  /// Numbers of a text are the shortest that read back to the same double; 0 stands for −0. Throws
  /// NotFinite for what is no finite number.
  void append_rows(std::string& bytes, const Places& columns, std::size_t rows) const;

 private:
  void require_finite(const Places& columns, std::size_t rows) const;

  bool is_array_ = false;
  OutputFile* output_ = nullptr;  // of an array, if there is one
  std::vector<std::string> names_;
  bool array_has_names_ = true;
  bool may_be_unknown_ = false;
};

}  // namespace armdyn
