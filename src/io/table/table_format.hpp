#pragma once

#include <boost/noncopyable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// `perhaps`: written where a cell of the first line begins with a letter.
enum class HeaderLine { written, absent, perhaps };

/// A header for messages.
inline constexpr const char* example_header = "t,q1,qd1,qdd1";

// Tables whatever their format: a header, then blocks of rows.

/// `next` in one thread, `parse` in any number of them.
class TableSource : boost::noncopyable {
 public:
  virtual ~TableSource() = default;

  [[nodiscard]] virtual const Header& header() const = 0;
  /// Name of the file of Table::lines.
  [[nodiscard]] virtual const std::string& file_of_lines() const { return header().file; }

  /// The next rows below the header; false at the end. Throws InputError, FileError, Interrupted.
  virtual bool next(RawBlock& block) = 0;

  /// The numbers of a block in SI units. A block may have no row. Throws InputError naming file,
  /// line or row, column and what was found for the first thing wrong in the block.
  virtual void parse(const RawBlock& block, const TablePlan& plan, Table& table) const = 0;

  /// Divides all rows below the header, so many in each range and the rest in the last one; empty
  /// without a row. Throws FileError where the input is no regular file.
  [[nodiscard]] virtual std::vector<RowRange> split(std::uintmax_t rows_of_each) const = 0;
  /// Restricts `next` to these rows.
  virtual void keep(const RowRange& range) = 0;

  /// Remarks on the input read so far.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
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

/// Beginnings of columns, in the order of their names.
using Places = std::vector<const double*>;

/// A format that tables are read and written in: a file beside csv_table.cpp, and its place among
/// those of `table_format`.
struct TableFormat {
  /// Reads up to the header, which only text can be without. Throws InputError if it is wrong,
  /// and shows the example where there is none.
  std::unique_ptr<TableSource> (*open)(InputFile& input, BlockLimits limits, HeaderLine header,
                                       const std::string& example);

  /// The bytes before the rows: as many for any number of rows. `is_named`: with the names of the
  /// columns, where the format can be without.
  std::string (*head)(const std::vector<std::string>& names, bool is_named, std::uintmax_t rows);

  /// Appends rows to `bytes`.
  void (*append_rows)(std::string& bytes, const Places& columns, std::size_t rows);

  /// The head that the bytes of a file, up to `end`, begin with. Throws InputError if there is
  /// none.
  std::string (*head_in)(std::string_view bytes, std::uintmax_t end, const std::string& file);

  /// The same head for another number of rows, those of so many bytes.
  std::string (*head_for)(const std::string& head, std::uintmax_t end, const std::string& file,
                          std::uintmax_t row_bytes);

  /// Bytes at the beginning of a file that hold its head.
  std::uintmax_t largest_head;

  /// Tests whether the head has the number of rows, which is known at the end: no pipe can take it.
  bool counts_rows;
};

/// The format that a file of that name is read and written in, also where it is that of a part.
[[nodiscard]] const TableFormat& table_format(std::string_view path);

/// Source of a table: the bytes of a file, a pipe or memory, or a maker of its rows. Copies
/// are of the same one. It must outlive its table.
class TableInput {
 public:
  using Maker = std::function<std::unique_ptr<TableSource>(const BlockLimits& limits)>;

  explicit TableInput(const std::string& path);
  explicit TableInput(std::shared_ptr<InputFile> file);
  TableInput(std::string name, Maker make) : name_(std::move(name)), make_(std::move(make)) {}
  /// Of the bytes of a file of that name.
  TableInput(std::string name, std::string_view bytes);

  /// Name for messages: the path as given, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Size in bytes of a regular file.
  [[nodiscard]] std::optional<std::uintmax_t> size() const;
  /// The digest of the bytes of a regular file. Throws FileError for another.
  [[nodiscard]] std::string digest() const;
  /// Opens the table, of bytes in the format of the name.
  [[nodiscard]] std::unique_ptr<TableSource> open(
      BlockLimits limits = {}, HeaderLine header = HeaderLine::written,
      const std::string& example = example_header) const;

 private:
  std::string name_;
  std::shared_ptr<InputFile> file_;  // null where the rows are made
  Maker make_;
};

/// Turns −0 into 0, as tables are written.
[[nodiscard]] inline double written(double number) {
  return number + 0.0;
}

/// The path of an output, if a table can be written there: throws FileError where the format of
/// that name counts its rows and the path is that of a pipe or device.
[[nodiscard]] const std::string& table_target(const std::string& path);

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
/// Reads such a name; nothing for that of any other file.
[[nodiscard]] std::optional<PartName> parse_part_name(std::string_view path);

/// Rows of the table, or its bytes where they are text. Throws FileError where it is no regular file.
[[nodiscard]] std::uintmax_t count_rows(const TableSource& table);

/// The rows of so many parts, which are equally long but for the last one; fewer where there are fewer
/// rows than parts. Throws FileError where the input is no regular file.
[[nodiscard]] std::vector<RowRange> rows_of_parts(const TableSource& table, std::uintmax_t count);
/// The rows of one of them; none, behind the last row, where it has none.
[[nodiscard]] RowRange rows_of_part(const std::vector<RowRange>& parts, std::uintmax_t number);

}  // namespace armdyn
