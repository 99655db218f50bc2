#pragma once

// Reads and writes tables of numbers as arrays in NumPy's format (NEP 1, versions 1 to 3).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/table_format.hpp"

namespace armdyn {

class InputFile;

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// A type of numbers as they lie in memory.
struct NpyNumber {
  std::string_view name;  ///< "f8"
  bool is_integer = false;
  /// Takes numbers that lie `stride` apart.
  void (*take)(const char* from, std::size_t stride, std::size_t count, double* to);
  /// All digits, as a stamp has them in a text: 1700000000.5, not 1.7000000005e+09.
  std::string (*digits)(const char* at);
};
/// The type of that name; null for others.
[[nodiscard]] const NpyNumber* npy_number(std::string_view name);

/// A column: the numbers lie `stride` bytes apart, the first one `offset` bytes behind the head.
struct NpyColumn {
  std::string name;                   ///< of a field; "q1".. where the field q is a list
  std::string dtype;                  ///< as written: "<f8"
  const NpyNumber* number = nullptr;  ///< null: no number that can be read, e.g. a text
  std::size_t offset = 0;
  std::size_t stride = 0;
};

struct NpyHead {
  bool has_names = false;  ///< a structured dtype; else columns are named 1, 2, 3..
  std::vector<NpyColumn> columns{};
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  bool by_columns = false;  ///< Fortran order
  std::size_t size = 0;     ///< of the head, bytes; there the array begins
};

/// The head of a file of that size, from as many of its bytes as a head may have. Throws
/// InputError, with what was found and what is expected, for what is not a table: one axis of rows
/// with fields, or two axes of rows and columns.
[[nodiscard]] NpyHead read_npy_head(std::string_view bytes, std::uintmax_t file_size,
                                    const std::string& file);

/// The head of an array of doubles, row after row, with columns of these names: `is_named` a
/// structured dtype, else without them. As long for every number of rows, so that it can be written
/// again when that is known.
[[nodiscard]] std::string npy_head(const std::vector<std::string>& names, bool is_named,
                                   std::uintmax_t rows);

/// A table whose blocks hold numbers as they are in memory. Its rows count as lines, from 1.
class ArrayTable : public TableSource {
 public:
  [[nodiscard]] const Header& header() const override { return header_; }
  void parse(const RawBlock& block, const TablePlan& plan, Table& table) const override;

 protected:
  /// Bytes of rows that were read from a file, to be used again for the next.
  struct RowBytes {
    std::vector<char> bytes;
    std::size_t row = 0, count = 0;
  };

  ArrayTable(std::string file, NpyHead head);
  /// The place of numbers of a column, `count` from a row of the block on: in the block, or in what
  /// is read for them and their neighbors. Throws FileError.
  [[nodiscard]] virtual const char* numbers(const RawBlock& block, const NpyColumn& column,
                                            std::size_t row, std::size_t count,
                                            RowBytes& read) const = 0;
  /// Takes the same numbers.
  virtual void take(const RawBlock& block, const NpyColumn& column, std::size_t row,
                    std::size_t count, RowBytes& read, double* to) const;
  /// Names the columns, and sets the first row if the block has one.
  void read_header(const RawBlock& first);

  NpyHead head_;
  Header header_;

 private:
  [[nodiscard]] bool read_stamps(const RawBlock& block, const StampPlan& plan, std::size_t first,
                                 std::span<double> stamps, RowBytes& read) const;
  void keep_good_rows(const RawBlock& block, const TablePlan& plan, Table& table) const;
};

/// An array whose rows are made while they are read.
class MadeTable : public ArrayTable {
 public:
  bool next(RawBlock& block) override;
  /// Throws FileError.
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override;
  void keep(const RowRange& /*range*/) override {}

 protected:
  explicit MadeTable(std::string file) : ArrayTable(std::move(file), {.has_names = true}) {}
  /// Makes the next rows; none at the end. The constructor makes the first.
  virtual void fill(RawBlock& block) = 0;
  [[nodiscard]] const char* numbers(const RawBlock& block, const NpyColumn& column, std::size_t row,
                                    std::size_t /*count*/, RowBytes& /*read*/) const override {
    return block.buffer.data() + column.offset + row * column.stride;
  }

  RawBlock first_;
};

/// A table in NumPy's format. Its blocks state their rows; `parse` reads these, so that they
/// are taken apart while they are in the cache.
class NpyTable final : public ArrayTable {
 public:
  /// The input must live as long as this. Throws FileError, and InputError for what is no regular
  /// file and no table.
  explicit NpyTable(const InputFile& input, BlockLimits limits = {});

  bool next(RawBlock& block) override;
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override;
  void keep(const RowRange& range) override;

 private:
  [[nodiscard]] const char* numbers(const RawBlock& block, const NpyColumn& column, std::size_t row,
                                    std::size_t count, RowBytes& read) const override;
  /// Reads doubles that lie one after the other into their place.
  void take(const RawBlock& block, const NpyColumn& column, std::size_t row, std::size_t count,
            RowBytes& read, double* to) const override;

  const InputFile& file_;
  std::size_t rows_of_a_block_;
  std::size_t next_row_ = 0;  // from 0
  std::size_t end_row_;
};

/// Arrays of doubles, row after row.
extern const TableFormat npy_format;

}  // namespace armdyn
