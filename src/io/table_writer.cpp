#include "io/table_writer.hpp"

#include <utility>

#include "io/number_text.hpp"

namespace armdyn {

void TableWriter::add(std::string name, From from, std::size_t column) {
  columns_.push_back({std::move(name), from, column});
}

void TableWriter::add(Quantity quantity, std::size_t dof, From from, std::size_t first) {
  for (std::string& name : column_names(quantity, dof)) add(std::move(name), from, first++);
}

void TableWriter::append_header(std::string& text) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) text += ',';
    text += columns_[i].name;
  }
  text += '\n';
}

void TableWriter::append_rows(std::string& text, const Table& input, const Table& result) const {
  std::vector<const double*> columns;
  for (const Column& column : columns_) {
    const Table& table = column.from == From::input ? input : result;
    columns.push_back(table.columns[column.index].data());
  }
  const std::size_t rows = input.rows;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ',';
      append_number(text, columns[i][row]);
    }
    text += '\n';
  }
}

}  // namespace armdyn
