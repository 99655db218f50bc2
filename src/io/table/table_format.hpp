#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/table.hpp"

namespace armdyn {

class InputFile;
class OutputFile;

enum class HeaderLine { written, absent };

// What a table is read from, whatever its format: a header, then blocks of rows.

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

/// Rows that are nothing but their numbers, from 1: the lines of their tables.
class CountedRows final : public TableSource {
 public:
  CountedRows(std::uintmax_t rows, std::size_t rows_of_a_block)
      : all_(rows), end_(rows), rows_of_a_block_(rows_of_a_block) {
    header_.line = 0;
  }

  [[nodiscard]] const Header& header() const override { return header_; }

  bool next(RawBlock& block) override {
    block.begin = block.end = 0;
    block.first_line = static_cast<std::size_t>(next_) + 1;
    block.line_count =
        static_cast<std::size_t>(std::min<std::uintmax_t>(rows_of_a_block_, end_ - next_));
    next_ += block.line_count;
    return block.line_count > 0;
  }

  void parse(const RawBlock& block, const TablePlan& /*plan*/, Table& table) const override {
    table.resize(0, block.line_count);
    table.lines.resize(block.line_count);
    std::iota(table.lines.begin(), table.lines.end(), block.first_line);
  }

  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override {
    return split_rows(all_, rows_of_each);
  }
  void keep(const RowRange& range) override {
    next_ = range.first;
    end_ = range.first + range.rows;
  }

 private:
  Header header_;
  std::uintmax_t all_, end_, next_ = 0;
  std::size_t rows_of_a_block_;
};

// Reads tables whatever their format.

/// Reads a table: an array in NumPy's format where the file's name ends in .npy, else text. `next`
/// in one thread, `parse` in any number of them.
class TableReader {
 public:
  /// Reads as far as the header, which only text can be without. Throws InputError if it is wrong,
  /// and shows the example where there is none.
  explicit TableReader(InputFile& input, BlockLimits limits = {},
                       HeaderLine header = HeaderLine::written,
                       const std::string& example = "t,q1,qd1,qdd1");
  /// Text.
  TableReader(ByteSource source, std::string file, BlockLimits limits = {},
              HeaderLine header = HeaderLine::written,
              const std::string& example = "t,q1,qd1,qdd1");

  /// Any other.
  explicit TableReader(std::unique_ptr<TableSource> source) : source_(std::move(source)) {}

  [[nodiscard]] const Header& header() const { return source_->header(); }
  /// As TableSource.
  bool next(RawBlock& block) { return source_->next(block); }
  void parse(const RawBlock& block, const TablePlan& plan, Table& table) const {
    source_->parse(block, plan, table);
  }
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const {
    return source_->split(rows_of_each);
  }
  void keep(const RowRange& range) { source_->keep(range); }

 private:
  std::unique_ptr<TableSource> source_;
};

// Tables on their way to bytes.

/// The path of an output, if a table can be written there: throws FileError where the name asks for
/// an array in NumPy's format and is that of a pipe or device.
[[nodiscard]] const std::string& table_target(const std::string& path);

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

/// The K-th of N contiguous parts of a table's rows.
struct Part {
  std::uintmax_t number = 1;  ///< K, from 1
  std::uintmax_t of = 1;      ///< N
};

/// A file with a part of what belongs into another one: OUT.part-K-of-N.
struct PartName {
  std::string whole;  ///< OUT
  Part part;
};
[[nodiscard]] std::string text(const PartName& name);
/// Nothing for the name of any other file.
[[nodiscard]] std::optional<PartName> parse_part_name(std::string_view path);

/// The rows of a part, in ranges that are equally long but for the last ones; without a row where
/// there are fewer rows than parts. Throws FileError where the input is no regular file.
[[nodiscard]] RowRange rows_of_part(const TableReader& reader, const Part& part);

}  // namespace armdyn
