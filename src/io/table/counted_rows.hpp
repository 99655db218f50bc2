#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "io/table/table_source.hpp"

namespace armdyn {

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

}  // namespace armdyn
