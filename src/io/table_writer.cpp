#include "io/table_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "io/npy_format.hpp"
#include "io/number_text.hpp"
#include "io/output_file.hpp"
#include "io/plain_order.hpp"

namespace armdyn {

TableWriter::TableWriter(OutputFile& output)
    : array_(is_npy_name(output.name()) ? &output : nullptr) {}

void TableWriter::add(std::string name, From from, std::size_t column) {
  columns_.push_back({std::move(name), from, column});
  has_other_columns_ = true;
}

void TableWriter::add(Quantity quantity, std::size_t dof, From from, std::size_t first) {
  for (std::string& name : column_names(quantity, dof)) {
    columns_.push_back({std::move(name), from, first++});
  }
  groups_.push_back(quantity);
}

std::vector<std::string> TableWriter::names_of_array() const {
  std::vector<std::string> names;
  if (!has_other_columns_ && is_plain_order(groups_)) return names;
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

void TableWriter::append_header(std::string& bytes) const {
  if (array_ != nullptr) {
    const std::vector<std::string> names = names_of_array();
    const std::size_t columns = columns_.size();
    const std::string head = npy_head(names, columns, 0);
    array_->replace_beginning(
        [names, columns, size = std::uintmax_t{head.size()}](std::uintmax_t written) {
          const std::uintmax_t numbers = (written - std::min(written, size)) / sizeof(double);
          return npy_head(names, columns, numbers / columns);
        });
    bytes += head;
    return;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) bytes += ',';
    bytes += columns_[i].name;
  }
  bytes += '\n';
}

void TableWriter::append_rows(std::string& bytes, const Table& input, const Table& result) const {
  Numbers columns;
  for (const Column& column : columns_) {
    const Table& table = column.from == From::input ? input : result;
    columns.push_back(table.columns[column.index].data());
  }
  (array_ != nullptr ? append_array : append_text)(bytes, columns, input.rows);
}

void TableWriter::append_text(std::string& text, const Numbers& columns, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ',';
      append_number(text, columns[i][row]);
    }
    text += '\n';
  }
}

void TableWriter::append_array(std::string& bytes, const Numbers& columns, std::size_t rows) {
  const std::size_t before = bytes.size();
  bytes.resize(before + rows * columns.size() * sizeof(double));
  char* at = bytes.data() + before;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const double* const column : columns) {
      std::memcpy(at, column + row, sizeof(double));
      at += sizeof(double);
    }
  }
}

}  // namespace armdyn
