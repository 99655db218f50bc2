#include "log/row_writer.hpp"

#include <utility>

#include "log/columns.hpp"

namespace armdyn {

void GroupWriter::add(Quantity quantity, std::size_t dof) {
  TableWriter::add(column_names(quantity, dof));
  groups_.push_back(quantity);
  name_columns_of_array(!is_plain_order(groups_));
}

namespace {

constexpr std::size_t rows_of_a_block = 256;

}  // namespace

RowWriter::RowWriter(OutputFile& output, std::size_t dof, const std::vector<Quantity>& groups)
    : output_(output), writer_(output) {
  std::size_t columns = 0;
  for (const Quantity group : groups) {
    writer_.add(group, dof);
    columns += column_names(group, dof).size();
  }
  resize(columns_, columns, rows_of_a_block);
  places_ = places(std::as_const(columns_));
  writer_.append_header(bytes_);
}

void RowWriter::add(std::initializer_list<std::span<const double>> values) {
  std::size_t column = 0;
  for (const std::span<const double> group : values) {
    for (const double value : group) {
      columns_[column++][rows_] = value;
    }
  }
  if (++rows_ == rows_of_a_block) flush();
}

void RowWriter::flush() {
  writer_.append_rows(bytes_, places_, rows_);
  rows_ = 0;
  output_.write(bytes_);
  bytes_.clear();
}

}  // namespace armdyn
