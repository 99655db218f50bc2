#include "log/row_writer.hpp"

namespace armdyn {

namespace {

constexpr std::size_t rows_of_a_block = 256;

}  // namespace

RowWriter::RowWriter(OutputFile& output, std::size_t dof, const std::vector<Quantity>& groups)
    : output_(output), writer_(output) {
  std::size_t columns = 0;
  for (const Quantity group : groups) {
    writer_.add(group, dof, From::input, columns);
    columns += column_names(group, dof).size();
  }
  block_.resize(columns, rows_of_a_block);
  block_.rows = 0;
  writer_.append_header(bytes_);
}

void RowWriter::add(std::initializer_list<std::span<const double>> values) {
  std::size_t column = 0;
  for (const std::span<const double> group : values) {
    for (const double value : group) {
      block_.columns[column++][block_.rows] = value + 0.0;  // no -0
    }
  }
  if (++block_.rows == rows_of_a_block) flush();
}

void RowWriter::flush() {
  writer_.append_rows(bytes_, block_, {});
  block_.rows = 0;
  output_.write(bytes_);
  bytes_.clear();
}

}  // namespace armdyn
