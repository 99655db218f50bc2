#include "io/table/table_writer.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/file/output_file.hpp"
#include "io/table/npy_format.hpp"
#include "io/text/number_text.hpp"

namespace armdyn {

const std::string& table_target(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (is_npy_name(path) && fs::is_other(status)) {
    throw FileError("cannot write " + path +
                    ": it is a pipe or device, and a NumPy array begins with the number of its "
                    "rows, which is known at the end; name a regular file, or one that does not "
                    "end in .npy");
  }
  return path;
}

TableWriter::TableWriter(OutputFile& output)
    : array_(is_npy_name(output.name()) ? &output : nullptr) {}

void TableWriter::add(std::string name, From from, std::size_t column) {
  columns_.push_back({std::move(name), from, column});
}

void TableWriter::add(const std::vector<std::string>& names, From from, std::size_t first) {
  for (const std::string& name : names) add(name, from, first++);
}

std::vector<std::string> TableWriter::names_of_array() const {
  std::vector<std::string> names;
  if (!array_has_names_) return names;
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
