#include "io/table/npy_table.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <type_traits>

#include "io/file/input_file.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

/// Bytes of the head that are read at most, the columns that an array may have, and the bytes of
/// their names and types: what an array takes in memory before its first row.
constexpr std::size_t largest_npy_head = std::size_t{2} << 20U;
constexpr std::size_t most_npy_columns = 100'000;
constexpr std::size_t most_npy_names = std::size_t{4} << 20U;

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

template <class Number>
Number number_at(const char* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

template <class Number>
void take_numbers(const char* from, std::size_t stride, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i, from += stride) {
    to[i] = static_cast<double>(number_at<Number>(from));
  }
}

template <class Number>
std::string digits_at(const char* at) {
  if constexpr (std::is_integral_v<Number>) {
    return std::to_string(number_at<Number>(at));
  } else {
    std::array<char, 512> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                            number_at<Number>(at), std::chars_format::fixed);
    return error == std::errc() ? std::string(digits.data(), end) : std::string();
  }
}

template <class Number>
constexpr NpyNumber number_type(std::string_view name) {
  return {name, std::is_integral_v<Number>, take_numbers<Number>, digits_at<Number>};
}

constexpr std::array number_types{
    number_type<float>("f4"),         number_type<double>("f8"),
    number_type<std::int8_t>("i1"),   number_type<std::int16_t>("i2"),
    number_type<std::int32_t>("i4"),  number_type<std::int64_t>("i8"),
    number_type<std::uint8_t>("u1"),  number_type<std::uint16_t>("u2"),
    number_type<std::uint32_t>("u4"), number_type<std::uint64_t>("u8")};

double read_number(const NpyNumber& type, const char* at) {
  double number = 0.0;
  type.take(at, 0, 1, &number);
  return number;
}

// --- the head

/// One of the few Python literals that the head is made of.
struct Literal {
  enum class Kind { word, text, sequence, map };  // word: True, False or a number
  Kind kind = Kind::word;
  std::string text;
  std::vector<Literal> items;  ///< of a tuple or list; of a map: key, value, key, value..

  [[nodiscard]] const Literal* find(std::string_view key) const {
    for (std::size_t i = 0; kind == Kind::map && i + 1 < items.size(); i += 2) {
      if (items[i].kind == Kind::text && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
  }
};

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : rest_(text) {}

  /// The literal; nothing if the text is anything else.
  std::optional<Literal> read_all() {
    Literal literal;
    if (!read(literal, 0) || next() != '\0') return std::nullopt;
    return literal;
  }

 private:
  /// The next character behind blanks, which stays; NUL at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool pass(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool read(Literal& literal, int depth) {
    constexpr int deepest = 8, most_items = 300'000;
    if (depth > deepest || ++items_ > most_items) return false;
    if (pass('{')) return read_items(literal, Literal::Kind::map, '}', depth);
    if (pass('(')) return read_items(literal, Literal::Kind::sequence, ')', depth);
    if (pass('[')) return read_items(literal, Literal::Kind::sequence, ']', depth);
    if (next() == '\'' || next() == '"') return read_text(literal);
    const auto end = std::ranges::find_if_not(rest_, is_letter_or_digit);
    literal.text.assign(rest_.begin(), end);
    rest_.remove_prefix(literal.text.size());
    return !literal.text.empty();
  }

  bool read_items(Literal& literal, Literal::Kind kind, char end, int depth) {
    literal.kind = kind;
    while (!pass(end)) {
      if (!literal.items.empty() && !pass(',')) return false;
      if (pass(end)) return true;  // behind a last comma
      if (!read(literal.items.emplace_back(), depth + 1)) return false;
      if (kind != Literal::Kind::map) continue;
      if (!pass(':') || !read(literal.items.emplace_back(), depth + 1)) return false;
    }
    return true;
  }

  bool read_text(Literal& literal) {
    literal.kind = Literal::Kind::text;
    const char quote = rest_.front();
    for (std::size_t at = 1; at < rest_.size(); ++at) {
      if (rest_[at] == quote) {
        rest_.remove_prefix(at + 1);
        return true;
      }
      if (rest_[at] == '\\' && ++at == rest_.size()) return false;
      literal.text += rest_[at];
    }
    return false;
  }

  std::string_view rest_;
  int items_ = 0;
};

/// Type of the numbers, null if they cannot be read, and bytes of each.
struct ElementType {
  const NpyNumber* number = nullptr;
  std::size_t bytes = 0;
};

/// "<f8" and the like; nothing if its size does not follow from the text.
std::optional<ElementType> element_type(std::string_view dtype) {
  constexpr std::size_t most_bytes = 10'000'000;
  if (dtype.size() < 3) return std::nullopt;
  const char order = dtype[0];
  if (std::string_view("<>=|").find(order) == std::string_view::npos) return std::nullopt;
  ElementType type;
  const std::string_view digits = dtype.substr(2, dtype.find('[') - 2);  // "<M8[ns]"
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, type.bytes).ptr != end || type.bytes > most_bytes) {
    return std::nullopt;
  }
  if (dtype[1] == 'U') type.bytes *= 4;
  if (type.bytes == 0) return std::nullopt;
  if (order != '>' || type.bytes == 1) type.number = npy_number(dtype.substr(1));
  return type;
}

class HeadReader {
 public:
  HeadReader(std::string_view bytes, std::uintmax_t file_size, const std::string& file)
      : bytes_(bytes), file_size_(file_size), file_(file) {}

  NpyHead read() {
    const Literal dictionary = read_dictionary();
    const Literal& descr = entry(dictionary, "descr");
    const std::string& order = entry(dictionary, "fortran_order").text;
    if (order != "True" && order != "False") fail_head();
    const std::vector<std::size_t> shape = shape_of(entry(dictionary, "shape"));
    head_.has_names = descr.kind == Literal::Kind::sequence;
    head_.by_columns = order == "True" && !head_.has_names;
    if (head_.has_names) {
      take_fields(descr, shape);
    } else {
      take_plain(descr, shape);
    }
    refuse_wrong_size();
    return head_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(file_ + ": " + message);
  }
  [[noreturn]] void fail_head() const {
    fail("the head is not that of an array in NumPy's format (.npy); was it written by np.save?");
  }

  [[nodiscard]] std::size_t little_endian(std::size_t at, std::size_t count) const {
    std::size_t value = 0;
    for (std::size_t i = count; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(bytes_[at + i]);
    }
    return value;
  }

  Literal read_dictionary() {
    const std::size_t version_at = npy_magic.size(), length_at = version_at + 2;
    if (!bytes_.starts_with(npy_magic)) {
      fail(bytes_.empty() ? "the file is empty; expected an array in NumPy's format (.npy)"
                          : "does not begin as an array in NumPy's format (.npy) does; text needs "
                            "a name that does not end in .npy");
    }
    if (bytes_.size() < length_at + 4) fail_head();
    const std::size_t version = little_endian(version_at, 1);
    if (version < 1 || version > 3) {
      fail(fmt::format("found version {} of NumPy's format, expected 1, 2 or 3", version));
    }
    const std::size_t width = version == 1 ? 2 : 4, length = little_endian(length_at, width);
    head_.size = length_at + width + length;
    if (head_.size > file_size_) fail_head();
    if (length > largest_npy_head || head_.size > bytes_.size()) {
      fail(fmt::format("the head has {} bytes, expected at most {}", length, largest_npy_head));
    }
    auto dictionary = LiteralParser(bytes_.substr(length_at + width, length)).read_all();
    if (!dictionary) fail_head();
    return *std::move(dictionary);
  }

  [[nodiscard]] const Literal& entry(const Literal& dictionary, std::string_view key) const {
    const Literal* const found = dictionary.find(key);
    if (found == nullptr) fail_head();
    return *found;
  }

  [[nodiscard]] std::vector<std::size_t> shape_of(const Literal& literal) const {
    if (literal.kind != Literal::Kind::sequence) fail_head();
    std::vector<std::size_t> shape;
    for (const Literal& item : literal.items) {
      std::string_view digits = item.text;
      if (digits.ends_with('L')) digits.remove_suffix(1);  // of Python 2
      const char* const end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, shape.emplace_back());
      if (item.kind != Literal::Kind::word || error != std::errc() || stop != end) fail_head();
    }
    return shape;
  }

  static std::string shown(const std::vector<std::size_t>& shape) {
    return fmt::format(
        "({}{})", fmt::join(each(shape, [](std::size_t n) { return std::to_string(n); }), ", "),
        shape.size() == 1 ? "," : "");
  }

  void take_plain(const Literal& descr, const std::vector<std::size_t>& shape) {
    if (descr.kind != Literal::Kind::text) fail_head();
    const std::size_t columns = shape.size() == 1 ? 1 : shape.size() == 2 ? shape[1] : 0;
    if (columns == 0 || columns > most_npy_columns) {
      fail(
          fmt::format("found an array of shape {}, expected two axes, rows and columns, or a "
                      "structured dtype with the names of the columns",
                      shown(shape)));
    }
    const auto type = element_type(descr.text);
    if (!type || type->number == nullptr) fail_type(descr.text, "");
    head_.rows = shape[0];
    head_.row_bytes = type->bytes * columns;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::size_t offset = type->bytes * i * (head_.by_columns ? head_.rows : 1);
      head_.columns.push_back({std::to_string(i + 1), descr.text, type->number, offset,
                               head_.by_columns ? type->bytes : head_.row_bytes});
    }
  }

  [[noreturn]] void fail_type(const std::string& dtype, const std::string& field) const {
    fail(
        fmt::format("{}found dtype {}, expected little-endian numbers: '<f8' or '<f4', or "
                    "integers; np.save(file, a.astype('<f8')) writes such",
                    field, shown_text(dtype)));
  }

  void take_fields(const Literal& descr, const std::vector<std::size_t>& shape) {
    if (shape.size() != 1) {
      fail(fmt::format("found a structured array of shape {}, expected one axis: rows",
                       shown(shape)));
    }
    head_.rows = shape[0];
    for (const Literal& field : descr.items) take_field(field);
    if (head_.columns.empty()) fail("the structured dtype has no fields");
    for (NpyColumn& column : head_.columns) column.stride = head_.row_bytes;
  }

  // (name, dtype) or (name, dtype, shape); the name may be (title, name).
  void take_field(const Literal& field) {
    if (field.kind != Literal::Kind::sequence || field.items.size() < 2) fail_head();
    const Literal &title = field.items[0], &dtype = field.items[1];
    const bool has_title = title.kind == Literal::Kind::sequence && title.items.size() == 2;
    const std::string& name = has_title ? title.items[1].text : title.text;
    const std::string called = fmt::format("field {}: ", shown_text(name));
    if (dtype.kind != Literal::Kind::text) {
      fail(called + "found fields within the field, expected numbers");
    }
    const auto type = element_type(dtype.text);
    if (!type) fail_type(dtype.text, called);
    const bool is_list = field.items.size() > 2;
    const std::vector<std::size_t> shape =
        is_list ? shape_of(field.items[2]) : std::vector<std::size_t>{1};
    if (shape.size() != 1) {
      fail(fmt::format("{}found shape {}, expected one number or a list of numbers in each row",
                       called, shown(shape)));
    }
    refuse_too_much(shape[0], name.size() + dtype.text.size());
    for (std::size_t i = 0; i < shape[0]; ++i, head_.row_bytes += type->bytes) {
      if (name.empty()) continue;  // a field without a name only keeps a distance
      head_.columns.push_back({is_list ? name + std::to_string(i + 1) : name, dtype.text,
                               type->number, head_.row_bytes, 0});
    }
  }

  void refuse_too_much(std::size_t more, std::size_t names) {
    names_ += names * std::min(more, most_npy_columns);
    if (more <= most_npy_columns - head_.columns.size() && names_ <= most_npy_names) return;
    fail(
        fmt::format("the structured dtype has more than {} columns, or names that are too long; "
                    "is this a table of numbers?",
                    most_npy_columns));
  }

  void refuse_wrong_size() const {
    const std::uintmax_t there = file_size_ - head_.size;
    std::size_t needed = 0;
    const bool overflows = __builtin_mul_overflow(head_.rows, head_.row_bytes, &needed);
    if (!overflows && needed == there) return;
    fail(
        fmt::format("found {} bytes of numbers, expected {} for {} of {} bytes; was the file "
                    "written wholly?",
                    there, overflows ? "fewer" : std::to_string(needed), counted(head_.rows, "row"),
                    head_.row_bytes));
  }

  std::string_view bytes_;
  std::uintmax_t file_size_;
  std::size_t names_ = 0;  // bytes of the columns' names and types
  const std::string& file_;
  NpyHead head_;
};

std::string dictionary_text(const std::vector<std::string>& names, bool is_named,
                            std::uintmax_t rows) {
  const auto fields =
      each(names, [](const std::string& name) { return fmt::format("('{}', '<f8')", name); });
  return fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({},{}), }}",
                     is_named ? fmt::format("[{}]", fmt::join(fields, ", ")) : "'<f8'", rows,
                     is_named ? "" : fmt::format(" {}", names.size()));
}

}  // namespace

const NpyNumber* npy_number(std::string_view name) {
  const auto* const found = std::ranges::find(number_types, name, &NpyNumber::name);
  return found == number_types.end() ? nullptr : found;
}

NpyHead read_npy_head(std::string_view bytes, std::uintmax_t file_size, const std::string& file) {
  return HeadReader(bytes, file_size, file).read();
}

std::string npy_head(const std::vector<std::string>& names, bool is_named, std::uintmax_t rows) {
  constexpr std::size_t alignment = 64;  // of the array within the file, as NumPy has it
  const std::size_t longest =
      dictionary_text(names, is_named, std::numeric_limits<std::uintmax_t>::max()).size() + 1;
  const bool is_short = npy_magic.size() + 4 + longest + alignment < 65536;
  const std::size_t before = npy_magic.size() + (is_short ? 4 : 6);
  const std::size_t total = (before + longest + alignment - 1) / alignment * alignment;

  std::string head(npy_magic);
  head += is_short ? '\x01' : '\x02';
  head += '\0';
  std::size_t length = total - before;
  for (std::size_t i = 0; i < (is_short ? 2U : 4U); ++i, length >>= 8U) {
    head += static_cast<char>(length & 0xFFU);
  }
  head += dictionary_text(names, is_named, rows);
  head.resize(total - 1, ' ');
  return head + '\n';
}

// --- the table

namespace {

// Rows that stay in the first-level cache while their columns are taken apart.
constexpr std::size_t rows_of_a_tile = 128;

// Twice as large as those of text, blocks took least time per row.
constexpr std::size_t block_sizes = 2;

/// Takes numbers to SI units; returns whether all are finite and at most `most` in magnitude.
bool convert(const Unit& unit, double most, std::size_t count, double* numbers) {
  for (std::size_t i = 0; !unit.is_si() && i < count; ++i) numbers[i] = unit.to_si(numbers[i]);
  return all_within({numbers, count}, most);
}

/// A stamp in units of 10^-decimals s, if 64 bits hold its nanoseconds.
std::optional<std::int64_t> nanoseconds(const NpyNumber& type, const char* at, int decimals) {
  if (type.name == "i8" && decimals == 9) return number_at<std::int64_t>(at);
  if (type.is_integer) return stamp_nanoseconds(type.digits(at), decimals);
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
  return input.read_at(0, std::min(*input.size(), largest_npy_head + before_head));
}

}  // namespace

ArrayTable::ArrayTable(std::string file, NpyHead head) : head_(std::move(head)) {
  header_.file = std::move(file);
  header_.line = 0;
  header_.is_written = head_.has_names;
}

void ArrayTable::read_header(const RawBlock& first) {
  RowBytes read;
  for (std::size_t cell = 0; cell < head_.columns.size(); ++cell) {
    const NpyColumn& column = head_.columns[cell];
    header_.cells.push_back(column.name);
    if (first.line_count == 0) continue;
    header_.first_row.push_back(
        column.number ? column.number->digits(numbers(first, column, 0, 1, read)) : "");
  }
}

NpyTable::NpyTable(const InputFile& input, BlockLimits limits)
    : ArrayTable(input.name(), read_npy_head(beginning_of(input), *input.size(), input.name())),
      file_(input),
      rows_of_a_block_(std::max(std::size_t{1}, block_sizes * limits.block_size / head_.row_bytes)),
      end_row_(head_.rows) {
  RawBlock first;
  first.line_count = std::min(head_.rows, std::size_t{1});
  read_header(first);
}

bool NpyTable::next(RawBlock& block) {
  if (next_row_ == end_row_) return false;
  block.first_line = next_row_ + 1;
  block.line_count = std::min(rows_of_a_block_, end_row_ - next_row_);
  block.end = block.line_count * head_.row_bytes;
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

const char* NpyTable::numbers(const RawBlock& block, const NpyColumn& column, std::size_t row,
                              std::size_t count, RowBytes& read) const {
  const std::size_t from = block.first_line - 1 + row;
  const auto read_from = [&](std::size_t offset, std::size_t size) {
    read.bytes.resize(size);
    file_.read_at(head_.size + offset, read.bytes.data(), size);
  };
  if (head_.by_columns) {
    read_from(column.offset + from * column.stride, count * column.stride);
    return read.bytes.data();
  }
  if (read.row != row || read.count != count) {
    read_from(from * head_.row_bytes, count * head_.row_bytes);
    read.row = row;
    read.count = count;
  }
  return read.bytes.data() + column.offset;
}

void ArrayTable::take(const RawBlock& block, const NpyColumn& column, std::size_t row,
                      std::size_t count, RowBytes& read, double* to) const {
  column.number->take(numbers(block, column, row, count, read), column.stride, count, to);
}

void NpyTable::take(const RawBlock& block, const NpyColumn& column, std::size_t row,
                    std::size_t count, RowBytes& read, double* to) const {
  if (!head_.by_columns || column.number != npy_number("f8")) {
    ArrayTable::take(block, column, row, count, read, to);
    return;
  }
  const std::size_t from = column.offset + (block.first_line - 1 + row) * sizeof(double);
  file_.read_at(head_.size + from, reinterpret_cast<char*>(to), count * sizeof(double));
}

void ArrayTable::parse(const RawBlock& block, const TablePlan& plan, Table& table) const {
  for (const TablePlan::Column& wanted : plan.columns) {
    const NpyColumn& column = head_.columns[wanted.cell];
    if (column.number != nullptr) continue;
    throw InputError(
        fmt::format("{}: column {}: found dtype {}, expected little-endian numbers such as '<f8'",
                    header_.file, shown_text(column.name), shown_text(column.dtype)));
  }
  const std::size_t rows = block.line_count;
  table.resize(plan.columns.size(), rows);
  table.left_out.clear();
  table.lines.resize(rows);
  std::iota(table.lines.begin(), table.lines.end(), block.first_line);

  bool are_good = true;
  RowBytes read;
  const std::size_t tile = head_.by_columns ? rows : rows_of_a_tile;
  for (std::size_t done = 0; done < rows; done += tile) {
    const std::size_t count = std::min(tile, rows - done);
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const TablePlan::Column& wanted = plan.columns[i];
      const NpyColumn& column = head_.columns[wanted.cell];
      double* const to = table.columns[i].data() + done;
      take(block, column, done, count, read, to);
      are_good &= convert(wanted.unit, wanted.most, count, to) || wanted.may_be_unknown;
    }
    if (!plan.stamp) continue;
    std::vector<double>& stamps = table.columns[plan.stamp->column];
    are_good &= read_stamps(block, *plan.stamp, done, std::span(stamps).subspan(done, count), read);
  }
  if (!are_good) keep_good_rows(block, plan, table);
}

/// NaN, and false, where a stamp is none.
bool ArrayTable::read_stamps(const RawBlock& block, const StampPlan& plan, std::size_t first,
                             std::span<double> stamps, RowBytes& read) const {
  std::vector<std::optional<StampSum>> sums(stamps.size(), StampSum(plan.origin));
  for (const auto& [cell, decimals] : plan.cells) {
    const NpyColumn& column = head_.columns[cell];
    const char* at = numbers(block, column, first, stamps.size(), read);
    for (std::optional<StampSum>& sum : sums) {
      if (sum && !sum->add(nanoseconds(*column.number, at, decimals))) sum.reset();
      at += column.stride;
    }
  }
  std::ranges::transform(sums, stamps.begin(), [](const std::optional<StampSum>& sum) {
    return sum ? sum->seconds() : std::numeric_limits<double>::quiet_NaN();
  });
  return std::ranges::all_of(sums, &std::optional<StampSum>::has_value);
}

void ArrayTable::keep_good_rows(const RawBlock& block, const TablePlan& plan, Table& table) const {
  std::size_t good = 0;
  RowBytes read;
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::size_t column = 0;
    while (column < plan.columns.size() &&
           (plan.columns[column].may_be_unknown ||
            std::abs(table.columns[column][row]) <= plan.columns[column].most)) {
      ++column;
    }
    const bool is_good = column == plan.columns.size();
    if (!is_good && plan.bad_rows != BadRows::are_unknown) {
      const auto& [name, cell, unit, most, may_be_empty, may_be_unknown] = plan.columns[column];
      const NpyColumn& of = head_.columns[cell];
      const double found = read_number(*of.number, numbers(block, of, row, 1, read));
      const std::string message =
          fmt::format("{}:{}: column {}: found {}, expected {}{}", header_.file,
                      block.first_line + row, shown_text(plan.header[cell]), number_text(found),
                      std::isfinite(found) ? limits_of_input::expected(most) : "a finite number",
                      std::isnan(found) ? plan.remedy : "");
      if (plan.bad_rows == BadRows::refuse) throw InputError(message);
      table.left_out.push_back({good, message});
      continue;
    }
    for (std::vector<double>& values : table.columns) {
      values[good] = is_good ? values[row] : std::numeric_limits<double>::quiet_NaN();
    }
    table.lines[good++] = block.first_line + row;
  }
  table.resize(table.columns.size(), good);
  table.lines.resize(good);
}

bool MadeTable::next(RawBlock& block) {
  std::swap(block, first_);
  if (block.line_count == 0) fill(block);
  first_.line_count = 0;
  return block.line_count > 0;
}

std::vector<RowRange> MadeTable::split(std::uintmax_t /*rows_of_each*/) const {
  throw FileError(header_.file +
                  ": cannot be read in parts; write its rows into a table first, as armdyn torque "
                  "--keep-motion does");
}

const TableFormat npy_format{
    .open = [](InputFile& input, BlockLimits limits, HeaderLine /*header*/,
               const std::string& /*example*/) -> std::unique_ptr<TableSource> {
      return std::make_unique<NpyTable>(input, limits);
    },
    .head = npy_head,
    .append_rows =
        [](std::string& bytes, const Places& columns, std::size_t rows) {
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
        },
    .head_in =
        [](std::string_view bytes, std::uintmax_t end, const std::string& file) {
          return std::string(bytes.substr(0, read_npy_head(bytes, end, file).size));
        },
    .head_for =
        [](const std::string& text, std::uintmax_t end, const std::string& file,
           std::uintmax_t row_bytes) {
          const NpyHead head = read_npy_head(text, end, file);
          return npy_head(each(head.columns, &NpyColumn::name), head.has_names,
                          row_bytes / head.row_bytes);
        },
    .largest_head = largest_npy_head,
    .counts_rows = true};

}  // namespace armdyn
