#include "io/table/part.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/table/table_reader.hpp"

namespace armdyn {

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
