#include "io/table/table_format.hpp"

#include <armdyn/error.hpp>

#include <charconv>
#include <limits>

#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/table/csv_table.hpp"
#include "io/table/npy_table.hpp"

namespace armdyn {

const TableFormat& table_format(std::string_view path) {
  const std::optional<PartName> part = parse_part_name(path);
  return (part ? std::string_view(part->whole) : path).ends_with(".npy") ? npy_format : csv_format;
}

TableInput::TableInput(const std::string& path) : TableInput(std::make_shared<InputFile>(path)) {}

TableInput::TableInput(std::shared_ptr<InputFile> file)
    : name_(file->name()), file_(std::move(file)) {}

TableInput::TableInput(std::string name, std::string_view bytes)
    : TableInput(std::make_shared<InputFile>(std::move(name), bytes)) {}

std::optional<std::uintmax_t> TableInput::size() const {
  return file_ ? file_->size() : std::nullopt;
}

std::string TableInput::digest() const {
  if (!file_) throw FileError(name_ + ": has no bytes of its own, and a part needs their digest");
  return digest_of(*file_);
}

std::unique_ptr<TableSource> TableInput::open(BlockLimits limits, HeaderLine header,
                                              const std::string& example) const {
  return file_ ? table_format(name_).open(*file_, limits, header, example) : make_(limits);
}

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

const std::string& table_target(const std::string& path) {
  if (table_format(path).counts_rows && is_stream(path)) {
    throw FileError(
        "cannot write " + path +
        ": it is a pipe, device or descriptor, and a NumPy array begins with the number of its "
        "rows, which is known at the end; name a regular file, or one that does not "
        "end in .npy");
  }
  return path;
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

std::uintmax_t count_rows(const TableSource& table) {
  std::uintmax_t rows = 0;
  for (const RowRange& all : table.split(std::numeric_limits<std::uintmax_t>::max() / 2)) {
    rows += all.rows;
  }
  return rows;
}

std::vector<RowRange> rows_of_parts(const TableSource& table, std::uintmax_t count) {
  const std::uintmax_t rows = count_rows(table);
  return table.split(std::max<std::uintmax_t>(1, rows / count + (rows % count > 0)));
}

RowRange rows_of_part(const std::vector<RowRange>& parts, std::uintmax_t number) {
  if (number <= parts.size()) return parts[static_cast<std::size_t>(number) - 1];
  if (parts.empty()) return {};
  const RowRange& last = parts.back();
  return {last.first + last.rows, 0, last.end, last.end, last.end_line, last.end_line};
}

}  // namespace armdyn
