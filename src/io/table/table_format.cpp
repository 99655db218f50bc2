#include "io/table/table_format.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/table/csv_table.hpp"
#include "io/table/npy_format.hpp"
#include "io/table/npy_table.hpp"
#include "io/text/number_text.hpp"
#include "math/finite.hpp"

namespace armdyn {

TableReader::TableReader(InputFile& input, BlockLimits limits, HeaderLine header,
                         const std::string& example) {
  if (is_npy_name(input.name())) {
    source_ = std::make_unique<NpyTable>(input, limits);
  } else {
    source_ = std::make_unique<CsvTable>(input, limits, header, example);
  }
}

TableReader::TableReader(ByteSource source, std::string file, BlockLimits limits, HeaderLine header,
                         const std::string& example)
    : source_(std::make_unique<CsvTable>(std::move(source), std::move(file), limits, header,
                                         example)) {}

std::vector<RowRange> split_rows(std::uintmax_t rows, std::uintmax_t rows_of_each) {
  std::vector<RowRange> ranges;
  for (std::uintmax_t first = 0; first < rows; first += rows_of_each) {
    RowRange& range = ranges.emplace_back();
    range.first = first;
    range.rows = std::min(rows_of_each, rows - first);
    range.first_line = static_cast<std::size_t>(first) + 1;
    range.end_line = range.first_line + static_cast<std::size_t>(range.rows);
  }
  return ranges;
}

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

namespace {

constexpr std::string_view before_number = ".part-", before_count = "-of-";

/// A whole number from 1 on, written as text() writes it.
std::optional<std::uintmax_t> parse_number_of(std::string_view digits) {
  std::uintmax_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || number == 0 || digits.front() == '0') return {};
  return number;
}

}  // namespace

std::string text(const PartName& name) {
  return name.whole + std::string(before_number) + std::to_string(name.part.number) +
         std::string(before_count) + std::to_string(name.part.of);
}

std::optional<PartName> parse_part_name(std::string_view path) {
  const std::size_t at = path.rfind(before_number);
  if (at == path.npos) return {};
  const std::string_view numbers = path.substr(at + before_number.size());
  const std::size_t of = numbers.find(before_count);
  if (of == numbers.npos) return {};
  const auto number = parse_number_of(numbers.substr(0, of));
  const auto count = parse_number_of(numbers.substr(of + before_count.size()));
  if (!number || !count || *number > *count) return {};
  return PartName{std::string(path.substr(0, at)), {*number, *count}};
}

RowRange rows_of_part(const TableReader& reader, const Part& part) {
  std::uintmax_t rows = 0;
  for (const RowRange& all : reader.split(std::numeric_limits<std::uintmax_t>::max() / 2)) {
    rows += all.rows;
  }
  const std::uintmax_t each = std::max<std::uintmax_t>(1, rows / part.of + (rows % part.of > 0));
  const std::vector<RowRange> ranges = reader.split(each);
  if (part.number <= ranges.size()) return ranges[part.number - 1];
  RowRange none;  // behind the last row
  if (!ranges.empty()) {
    const RowRange& last = ranges.back();
    none = {last.first + last.rows, 0, last.end, last.end, last.end_line, last.end_line};
  }
  return none;
}

}  // namespace armdyn
