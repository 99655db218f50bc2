#pragma once

// Rows that come one at a time on their way out.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "io/file/output_file.hpp"
#include "io/table/table.hpp"
#include "log/group_writer.hpp"

namespace armdyn {

/// Prints groups of columns, a block of rows at a time. The output must outlive it.
class RowWriter {
 public:
  RowWriter(OutputFile& output, std::size_t dof, const std::vector<Quantity>& groups);

  /// One row: the values of each group, in the order of the groups.
  void add(std::initializer_list<std::span<const double>> values);
  /// What has been added so far is written.
  void flush();

 private:
  OutputFile& output_;
  GroupWriter writer_;
  Columns columns_;  // of a block
  TableWriter::Places places_;
  std::size_t rows_ = 0;
  std::string bytes_;
};

}  // namespace armdyn
