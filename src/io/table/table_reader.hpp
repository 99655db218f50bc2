#pragma once

// Reads tables whatever their format.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/table/csv_table.hpp"
#include "io/table/table_source.hpp"

namespace armdyn {

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

}  // namespace armdyn
