#include "io/table/npy_table.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/text/number_text.hpp"
#include "io/text/stamp_text.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

// Rows that stay in the first-level cache while their columns are taken apart.
constexpr std::size_t rows_of_a_tile = 64;

// Twice as large as those of text, blocks took least time per row.
constexpr std::size_t block_sizes = 2;

template <class Number>
Number number_at(const char* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

/// Calls `action` with a value of the type that a number has in the file.
template <class Action>
auto with_type(NpyNumber type, const Action& action) {
  switch (type) {
    case NpyNumber::f4:
      return action(float{});
    case NpyNumber::i1:
      return action(std::int8_t{});
    case NpyNumber::i2:
      return action(std::int16_t{});
    case NpyNumber::i4:
      return action(std::int32_t{});
    case NpyNumber::i8:
      return action(std::int64_t{});
    case NpyNumber::u1:
      return action(std::uint8_t{});
    case NpyNumber::u2:
      return action(std::uint16_t{});
    case NpyNumber::u4:
      return action(std::uint32_t{});
    case NpyNumber::u8:
      return action(std::uint64_t{});
    case NpyNumber::f8:
    case NpyNumber::none:
      break;
  }
  return action(double{});
}

double read_number(NpyNumber type, const char* at) {
  return with_type(type,
                   [&](auto any) { return static_cast<double>(number_at<decltype(any)>(at)); });
}

/// Takes numbers that lie `stride` apart.
void take(NpyNumber type, const char* from, std::size_t stride, std::size_t count, double* to) {
  with_type(type, [&](auto any) {
    for (std::size_t i = 0; i < count; ++i, from += stride) {
      to[i] = static_cast<double>(number_at<decltype(any)>(from));
    }
    return true;
  });
}

/// Takes numbers to SI units; returns whether all are finite and at most `most` in magnitude.
bool convert(const Unit& unit, double most, std::size_t count, double* numbers) {
  bool are_good = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!unit.is_si()) numbers[i] = unit.to_si(numbers[i]);
    are_good &= std::abs(numbers[i]) <= most;
  }
  return are_good;
}

bool is_integer(NpyNumber type) {
  return type != NpyNumber::f4 && type != NpyNumber::f8;
}

/// Writes all digits, as a stamp has them in a text: 1700000000.5, not 1.7000000005e+09.
std::string digits_of(NpyNumber type, const char* at) {
  return with_type(type, [&](auto any) -> std::string {
    const auto number = number_at<decltype(any)>(at);
    if constexpr (std::is_integral_v<decltype(any)>) {
      return std::to_string(number);
    } else {
      std::array<char, 512> digits{};
      const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                              std::chars_format::fixed);
      return error == std::errc() ? std::string(digits.data(), end) : std::string();
    }
  });
}

/// A stamp in units of 10^-decimals s, if 64 bits hold its nanoseconds.
std::optional<std::int64_t> nanoseconds(NpyNumber type, const char* at, int decimals) {
  if (type == NpyNumber::i8 && decimals == 9) return number_at<std::int64_t>(at);
  if (is_integer(type)) return stamp_nanoseconds(digits_of(type, at), decimals);
  std::int64_t per_unit = 1;
  for (int i = decimals; i < 9; ++i) per_unit *= 10;
  // The whole part by itself: a product of both would lose digits.
  const double most = 9.2e18 / static_cast<double>(per_unit);  // some 292 years
  const double stamp = read_number(type, at);
  if (!(std::abs(stamp) < most)) return std::nullopt;
  const double whole = std::trunc(stamp);
  return static_cast<std::int64_t>(whole) * per_unit +
         std::llround((stamp - whole) * static_cast<double>(per_unit));
}

std::string beginning_of(const InputFile& input) {
  if (!input.is_regular()) {
    throw InputError(input.name() +
                     ": is a pipe or device; NumPy arrays are read from regular files, and text "
                     "from a name that does not end in .npy");
  }
  constexpr std::uintmax_t before_head = 12;
  std::string bytes(std::min(*input.size(), largest_npy_head + before_head), '\0');
  input.read_at(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

ArrayTable::ArrayTable(std::string file, NpyHead head) : head_(std::move(head)) {
  header_.file = std::move(file);
  header_.line = 0;
  header_.is_written = head_.has_names;
}

void ArrayTable::read_header(const RawBlock& first) {
  for (std::size_t cell = 0; cell < head_.columns.size(); ++cell) {
    const NpyColumn& column = head_.columns[cell];
    header_.cells.push_back(column.name);
    if (first.line_count == 0) continue;
    const bool is_number = column.number != NpyNumber::none;
    header_.first_row.push_back(is_number ? digits_of(column.number, address(first, cell, 0)) : "");
  }
}

NpyTable::NpyTable(const InputFile& input, BlockLimits limits)
    : ArrayTable(input.name(), read_npy_head(beginning_of(input), *input.size(), input.name())),
      file_(input),
      rows_of_a_block_(std::max(std::size_t{1}, block_sizes * limits.block_size / head_.row_bytes)),
      end_row_(head_.rows) {
  RawBlock first;
  first.line_count = std::min(head_.rows, std::size_t{1});
  read_rows(first);
  read_header(first);
}

bool NpyTable::next(RawBlock& block) {
  if (next_row_ == end_row_) return false;
  block.first_line = next_row_ + 1;
  block.line_count = std::min(rows_of_a_block_, end_row_ - next_row_);
  read_rows(block);
  next_row_ += block.line_count;
  return true;
}

std::vector<RowRange> NpyTable::split(std::uintmax_t rows_of_each) const {
  return split_rows(head_.rows, rows_of_each);
}

void NpyTable::keep(const RowRange& range) {
  next_row_ = static_cast<std::size_t>(range.first);
  end_row_ = next_row_ + static_cast<std::size_t>(range.rows);
}

/// Reads as many rows as the block has lines, from its first on; in Fortran order column after
/// column.
void NpyTable::read_rows(RawBlock& block) const {
  const std::size_t first = block.first_line - 1, rows = block.line_count;
  block.begin = 0;
  block.end = rows * head_.row_bytes;
  if (block.buffer.size() < block.end) block.buffer.resize(block.end);
  if (!head_.by_columns) {
    file_.read_at(head_.size + first * head_.row_bytes, block.buffer.data(), block.end);
    return;
  }
  char* to = block.buffer.data();
  for (const NpyColumn& column : head_.columns) {
    const std::size_t size = rows * column.stride;
    file_.read_at(head_.size + column.offset + first * column.stride, to, size);
    to += size;
  }
}

/// Address of a number in a block whose rows count from 0.
const char* ArrayTable::address(const RawBlock& block, std::size_t cell, std::size_t row) const {
  const NpyColumn& column = head_.columns[cell];
  const std::size_t offset =
      head_.by_columns ? column.offset / head_.rows * block.line_count : column.offset;
  return block.buffer.data() + offset + row * column.stride;
}

void ArrayTable::parse(const RawBlock& block, const TablePlan& plan, Table& table) const {
  refuse_what_is_no_number(plan);
  const std::size_t rows = block.line_count;
  table.resize(plan.columns.size(), rows);
  table.left_out.clear();
  table.lines.resize(rows);
  std::iota(table.lines.begin(), table.lines.end(), block.first_line);

  bool are_good = true;
  for (std::size_t done = 0; done < rows; done += rows_of_a_tile) {
    const std::size_t count = std::min(rows_of_a_tile, rows - done);
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const TablePlan::Column& wanted = plan.columns[i];
      const NpyColumn& column = head_.columns[wanted.cell];
      double* const numbers = table.columns[i].data() + done;
      take(column.number, address(block, wanted.cell, done), column.stride, count, numbers);
      are_good &= convert(wanted.unit, wanted.most, count, numbers);
    }
  }
  if (plan.stamp) are_good &= read_stamps(block, plan, table);
  if (!are_good) keep_good_rows(block, plan, table);
}

void ArrayTable::refuse_what_is_no_number(const TablePlan& plan) const {
  for (const TablePlan::Column& wanted : plan.columns) {
    const NpyColumn& column = head_.columns[wanted.cell];
    if (column.number != NpyNumber::none) continue;
    throw InputError(header_.file + ": column " + shown_text(column.name) + ": found dtype " +
                     shown_text(column.dtype) + ", expected little-endian numbers such as '<f8'");
  }
}

/// NaN, and false, where a stamp is none.
bool ArrayTable::read_stamps(const RawBlock& block, const TablePlan& plan, Table& table) const {
  std::vector<double>& stamps = table.columns[plan.stamp->column];
  bool are_all_good = true;
  for (std::size_t row = 0; row < table.rows; ++row) {
    StampSum sum(plan.stamp->origin);
    bool is_good = true;
    for (const auto& [cell, decimals] : plan.stamp->cells) {
      const NpyNumber type = head_.columns[cell].number;
      is_good = is_good && sum.add(nanoseconds(type, address(block, cell, row), decimals));
    }
    stamps[row] = is_good ? sum.seconds() : std::numeric_limits<double>::quiet_NaN();
    are_all_good = are_all_good && is_good;
  }
  return are_all_good;
}

void ArrayTable::keep_good_rows(const RawBlock& block, const TablePlan& plan, Table& table) const {
  std::size_t good = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::size_t column = 0;
    while (column < plan.columns.size() &&
           std::abs(table.columns[column][row]) <= plan.columns[column].most) {
      ++column;
    }
    if (column == plan.columns.size()) {
      for (std::vector<double>& values : table.columns) values[good] = values[row];
      table.lines[good++] = block.first_line + row;
      continue;
    }
    const std::string message = wrong(block, plan, column, row);
    if (plan.bad_rows == BadRows::refuse) throw InputError(message);
    table.left_out.push_back(message);
  }
  table.resize(table.columns.size(), good);
  table.lines.resize(good);
}

std::string ArrayTable::wrong(const RawBlock& block, const TablePlan& plan, std::size_t column,
                              std::size_t row) const {
  const std::size_t cell = plan.columns[column].cell;
  const double found = read_number(head_.columns[cell].number, address(block, cell, row));
  return header_.file + ":" + std::to_string(block.first_line + row) + ": column " +
         shown_text(plan.header[cell]) + ": found " + number_text(found) + ", expected " +
         (std::isfinite(found) ? limits_of_input::expected(plan.columns[column].most)
                               : "a finite number");
}

namespace {

std::unique_ptr<TableSource> open_npy(InputFile& input, BlockLimits limits, HeaderLine /*header*/,
                                      const std::string& /*example*/) {
  return std::make_unique<NpyTable>(input, limits);
}

std::string named_head(const std::vector<std::string>& names, bool is_named, std::uintmax_t rows) {
  return npy_head(is_named ? names : std::vector<std::string>{}, names.size(), rows);
}

void append_npy_rows(std::string& bytes, const Places& columns, std::size_t rows) {
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

std::string head_in(std::string_view bytes, std::uintmax_t end, const std::string& file) {
  return std::string(bytes.substr(0, read_npy_head(bytes, end, file).size));
}

std::string head_for(const std::string& text, std::uintmax_t end, const std::string& file,
                     std::uintmax_t row_bytes) {
  const NpyHead head = read_npy_head(text, end, file);
  std::vector<std::string> names;
  for (const NpyColumn& column : head.columns) {
    if (head.has_names) names.push_back(column.name);
  }
  return npy_head(names, head.columns.size(), row_bytes / head.row_bytes);
}

}  // namespace

const TableFormat npy_format{.open = open_npy,
                             .head = named_head,
                             .append_rows = append_npy_rows,
                             .head_in = head_in,
                             .head_for = head_for,
                             .largest_head = largest_npy_head,
                             .counts_rows = true};

}  // namespace armdyn
