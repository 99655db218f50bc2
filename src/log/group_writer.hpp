#pragma once

#include <cstddef>
#include <vector>

#include "io/table/table_writer.hpp"
#include "log/quantity.hpp"

namespace armdyn {

/// Prints groups of columns. An array in NumPy's format is plain where a reader knows the order of
/// the groups without names, else structured.
class GroupWriter : public TableWriter {
 public:
  using TableWriter::TableWriter;

  /// The columns of a group, which lie side by side from `first` on.
  void add(Quantity quantity, std::size_t dof, From from, std::size_t first);

 private:
  std::vector<Quantity> groups_;
};

}  // namespace armdyn
