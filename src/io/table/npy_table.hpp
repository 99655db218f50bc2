#pragma once

// Reads tables of numbers from arrays in NumPy's format.

#include <cstddef>
#include <string>

#include "io/table/npy_format.hpp"
#include "io/table/table_format.hpp"

namespace armdyn {

class InputFile;

/// A table whose blocks hold numbers as they are in memory. Its rows count as lines, from 1.
class ArrayTable : public TableSource {
 public:
  [[nodiscard]] const Header& header() const override { return header_; }
  void parse(const RawBlock& block, const TablePlan& plan, Table& table) const override;

 protected:
  ArrayTable(std::string file, NpyHead head);
  /// Names the columns, and tells the first row if the block has one.
  void read_header(const RawBlock& first);

  NpyHead head_;
  Header header_;

 private:
  [[nodiscard]] const char* address(const RawBlock& block, std::size_t cell, std::size_t row) const;
  void refuse_what_is_no_number(const TablePlan& plan) const;
  [[nodiscard]] bool read_stamps(const RawBlock& block, const TablePlan& plan, Table& table) const;
  void keep_good_rows(const RawBlock& block, const TablePlan& plan, Table& table) const;
  [[nodiscard]] std::string wrong(const RawBlock& block, const TablePlan& plan, std::size_t column,
                                  std::size_t row) const;
};

/// A table in NumPy's format.
class NpyTable final : public ArrayTable {
 public:
  /// The input must live as long as this. Throws FileError, and InputError for what is no regular
  /// file and no table.
  explicit NpyTable(const InputFile& input, BlockLimits limits = {});

  bool next(RawBlock& block) override;
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override;
  void keep(const RowRange& range) override;

 private:
  void read_rows(RawBlock& block) const;

  const InputFile& file_;
  std::size_t rows_of_a_block_;
  std::size_t next_row_ = 0;  // from 0
  std::size_t end_row_;
};

/// Arrays of doubles, row after row.
extern const TableFormat npy_format;

}  // namespace armdyn
