#include "io/table/table_writer.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "io/file/output_file.hpp"
#include "io/table/npy_format.hpp"
#include "io/text/number_text.hpp"
#include "math/finite.hpp"

namespace armdyn {

namespace {

/// 0 for −0.
double written(double number) {
  return number + 0.0;
}

void append_text(std::string& text, const TableWriter::Places& columns, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ',';
      const double number = columns[i][row];
      if (!std::isnan(number)) append_number(text, written(number));
    }
    text += '\n';
  }
}

void append_array(std::string& bytes, const TableWriter::Places& columns, std::size_t rows) {
  const std::size_t before = bytes.size();
  bytes.resize(before + rows * columns.size() * sizeof(double));
  char* at = bytes.data() + before;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const double* const column : columns) {
      const double number = written(column[row]);
      std::memcpy(at, &number, sizeof(double));
      at += sizeof(double);
    }
  }
}

}  // namespace

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
    : is_array_(is_npy_name(output.name())), output_(&output) {}

void TableWriter::add(const std::vector<std::string>& names) {
  names_.insert(names_.end(), names.begin(), names.end());
}

std::string TableWriter::array_head(std::uintmax_t rows) const {
  return npy_head(array_has_names_ ? names_ : std::vector<std::string>{}, names_.size(), rows);
}

void TableWriter::append_header(std::string& bytes) const {
  if (is_array_) {
    const std::string head = array_head(0);
    output_->replace_beginning(
        [writer = *this, size = std::uintmax_t{head.size()}](std::uintmax_t written) {
          return writer.array_head((written - std::min(written, size)) / writer.row_bytes());
        });
    bytes += head;
    return;
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i > 0) bytes += ',';
    bytes += names_[i];
  }
  bytes += '\n';
}

void TableWriter::require_finite(const Places& columns, std::size_t rows) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::span<const double> column(columns[i], rows);
    if (all_finite(column)) continue;
    throw NotFinite(names_[i] + " is not a finite number: an input is too large",
                    first_not_finite(column));
  }
}

void TableWriter::append_rows(std::string& bytes, const Places& columns, std::size_t rows) const {
  if (!may_be_unknown_) require_finite(columns, rows);
  (is_array_ ? append_array : append_text)(bytes, columns, rows);
}

}  // namespace armdyn
