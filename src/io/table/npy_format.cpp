#include "io/table/npy_format.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr int deepest = 8;
constexpr int most_items = 300'000;

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : rest_(text) {}

  bool read_all(NpyLiteral& literal) {
    if (!read(literal, 0)) return false;
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    const std::size_t count = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(count == std::string_view::npos ? rest_.size() : count);
  }

  bool pass(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read(NpyLiteral& literal, int depth) {
    if (depth > deepest || ++items_ > most_items) return false;
    if (pass("{")) return read_items(literal, NpyLiteral::Kind::map, "}", depth);
    if (pass("(")) return read_items(literal, NpyLiteral::Kind::sequence, ")", depth);
    if (pass("[")) return read_items(literal, NpyLiteral::Kind::sequence, "]", depth);
    if (pass("True")) return set_boolean(literal, true);
    if (pass("False")) return set_boolean(literal, false);
    return read_text(literal) || read_number(literal);
  }

  static bool set_boolean(NpyLiteral& literal, bool value) {
    literal.kind = NpyLiteral::Kind::boolean;
    literal.boolean = value;
    return true;
  }

  bool read_items(NpyLiteral& literal, NpyLiteral::Kind kind, std::string_view end, int depth) {
    literal.kind = kind;
    while (!pass(end)) {
      if (!literal.items.empty() && !pass(",")) return false;
      if (pass(end)) return true;  // behind a last comma
      if (!read(literal.items.emplace_back(), depth + 1)) return false;
      if (kind != NpyLiteral::Kind::map) continue;
      if (!pass(":") || !read(literal.items.emplace_back(), depth + 1)) return false;
    }
    return true;
  }

  bool read_text(NpyLiteral& literal) {
    skip_blanks();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const char quote = rest_[0];
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

  bool read_number(NpyLiteral& literal) {
    literal.kind = NpyLiteral::Kind::number;
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, literal.number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    pass("L");  // Python 2
    return true;
  }

  std::string_view rest_;
  int items_ = 0;
};

}  // namespace

const NpyLiteral* NpyLiteral::find(std::string_view key) const {
  for (std::size_t i = 0; kind == Kind::map && i + 1 < items.size(); i += 2) {
    if (items[i].kind == Kind::text && items[i].text == key) return &items[i + 1];
  }
  return nullptr;
}

std::optional<NpyLiteral> parse_npy_literal(std::string_view text) {
  NpyLiteral literal;
  if (!LiteralParser(text).read_all(literal)) return std::nullopt;
  return literal;
}

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

constexpr std::size_t alignment = 64;  // of the array within the file, as NumPy has it

struct NumberName {
  std::string_view name;
  NpyNumber number;
};
constexpr std::array number_names{
    NumberName{"f4", NpyNumber::f4}, NumberName{"f8", NpyNumber::f8},
    NumberName{"i1", NpyNumber::i1}, NumberName{"i2", NpyNumber::i2},
    NumberName{"i4", NpyNumber::i4}, NumberName{"i8", NpyNumber::i8},
    NumberName{"u1", NpyNumber::u1}, NumberName{"u2", NpyNumber::u2},
    NumberName{"u4", NpyNumber::u4}, NumberName{"u8", NpyNumber::u8},
};

/// "<f8" and the like; nothing if its size does not follow from the text.
struct ElementType {
  NpyNumber number = NpyNumber::none;
  std::size_t bytes = 0;
};

std::optional<ElementType> element_type(std::string_view dtype) {
  if (dtype.size() < 3) return std::nullopt;
  const char order = dtype[0];
  if (std::string_view("<>=|").find(order) == std::string_view::npos) return std::nullopt;
  ElementType type;
  for (const char digit : dtype.substr(2, dtype.find('[') - 2)) {  // "<M8[ns]"
    if (digit < '0' || digit > '9' || type.bytes > 1'000'000) return std::nullopt;
    type.bytes = 10 * type.bytes + static_cast<std::size_t>(digit - '0');
  }
  if (dtype[1] == 'U') type.bytes *= 4;
  if (type.bytes == 0) return std::nullopt;
  if (order == '>' && type.bytes > 1) return type;
  for (const NumberName& known : number_names) {
    if (known.name == dtype.substr(1)) type.number = known.number;
  }
  return type;
}

class HeadReader {
 public:
  HeadReader(std::string_view bytes, std::uintmax_t file_size, const std::string& file)
      : bytes_(bytes), file_size_(file_size), file_(file) {}

  NpyHead read() {
    const NpyLiteral dictionary = read_dictionary();
    const NpyLiteral& descr = entry(dictionary, "descr");
    const NpyLiteral& order = entry(dictionary, "fortran_order");
    if (order.kind != NpyLiteral::Kind::boolean) fail_head();
    head_.by_columns = order.boolean;
    const std::vector<std::size_t> shape = shape_of(entry(dictionary, "shape"));
    head_.has_names = descr.kind == NpyLiteral::Kind::sequence;
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

  std::size_t little_endian(std::size_t at, std::size_t count) const {
    std::size_t value = 0;
    for (std::size_t i = count; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(bytes_[at + i]);
    }
    return value;
  }

  NpyLiteral read_dictionary() {
    const std::size_t version_at = npy_magic.size();
    if (!bytes_.starts_with(npy_magic)) {
      fail(bytes_.empty() ? "the file is empty; expected an array in NumPy's format (.npy)"
                          : "does not begin as an array in NumPy's format (.npy) does; text needs "
                            "a name that does not end in .npy");
    }
    const std::size_t length_at = version_at + 2;
    if (bytes_.size() < length_at + 4) fail_head();
    const std::size_t version = little_endian(version_at, 1);
    if (version < 1 || version > 3) {
      fail("found version " + std::to_string(version) + " of NumPy's format, expected 1, 2 or 3");
    }
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t length = little_endian(length_at, width);
    head_.size = length_at + width + length;
    if (head_.size > file_size_) fail_head();
    if (length > largest_npy_head || head_.size > bytes_.size()) {
      fail("the head has " + std::to_string(length) + " bytes, expected at most " +
           std::to_string(largest_npy_head));
    }
    auto dictionary = parse_npy_literal(bytes_.substr(length_at + width, length));
    if (!dictionary) fail_head();
    return *std::move(dictionary);
  }

  const NpyLiteral& entry(const NpyLiteral& dictionary, std::string_view key) const {
    const NpyLiteral* const found = dictionary.find(key);
    if (found == nullptr) fail_head();
    return *found;
  }

  std::vector<std::size_t> shape_of(const NpyLiteral& literal) const {
    if (literal.kind != NpyLiteral::Kind::sequence) fail_head();
    std::vector<std::size_t> shape;
    for (const NpyLiteral& item : literal.items) {
      if (item.kind != NpyLiteral::Kind::number) fail_head();
      shape.push_back(item.number);
    }
    return shape;
  }

  static std::string shown(const std::vector<std::size_t>& shape) {
    std::string text = "(";
    for (const std::size_t count : shape) text += std::to_string(count) + ", ";
    if (shape.size() > 1) text.resize(text.size() - 2);
    if (shape.size() == 1) text.pop_back();
    return text + ")";
  }

  void take_plain(const NpyLiteral& descr, const std::vector<std::size_t>& shape) {
    if (descr.kind != NpyLiteral::Kind::text) fail_head();
    if (shape.size() != 2 || shape[1] == 0 || shape[1] > most_npy_columns) {
      fail("found an array of shape " + shown(shape) +
           ", expected two axes, rows and columns, or a structured dtype with the names of the "
           "columns");
    }
    const ElementType type = number_type(descr.text, "");
    head_.rows = shape[0];
    head_.row_bytes = type.bytes * shape[1];
    for (std::size_t i = 0; i < shape[1]; ++i) {
      NpyColumn column{std::to_string(i + 1), descr.text, type.number, type.bytes * i,
                       head_.row_bytes};
      if (head_.by_columns) {
        column.offset *= head_.rows;
        column.stride = type.bytes;
      }
      head_.columns.push_back(std::move(column));
    }
  }

  ElementType number_type(const std::string& dtype, const std::string& field) const {
    const auto type = element_type(dtype);
    if (type && type->number != NpyNumber::none) return *type;
    fail((field.empty() ? "" : "field " + shown_text(field) + ": ") + "found dtype " +
         shown_text(dtype) +
         ", expected little-endian numbers: '<f8' or '<f4', or integers; np.save(file, "
         "a.astype('<f8')) writes such");
  }

  void take_fields(const NpyLiteral& descr, const std::vector<std::size_t>& shape) {
    if (shape.size() != 1) {
      fail("found a structured array of shape " + shown(shape) + ", expected one axis: rows");
    }
    head_.rows = shape[0];
    head_.by_columns = false;
    for (const NpyLiteral& field : descr.items) take_field(field);
    if (head_.columns.empty()) fail("the structured dtype has no fields");
    for (NpyColumn& column : head_.columns) column.stride = head_.row_bytes;
  }

  // (name, dtype) or (name, dtype, shape); the name may be (title, name).
  void take_field(const NpyLiteral& field) {
    if (field.kind != NpyLiteral::Kind::sequence || field.items.size() < 2) fail_head();
    const NpyLiteral& title = field.items[0];
    const bool has_title = title.kind == NpyLiteral::Kind::sequence && title.items.size() == 2;
    const std::string& name = has_title ? title.items[1].text : title.text;
    const NpyLiteral& dtype = field.items[1];
    if (dtype.kind != NpyLiteral::Kind::text) {
      fail("field " + shown_text(name) + ": found fields within the field, expected numbers");
    }
    const auto type = element_type(dtype.text);
    if (!type) number_type(dtype.text, name);
    const bool is_list = field.items.size() > 2;
    const std::vector<std::size_t> shape =
        is_list ? shape_of(field.items[2]) : std::vector<std::size_t>{1};
    if (shape.size() == 1) refuse_too_much(shape[0], name.size() + dtype.text.size());
    if (shape.size() != 1) {
      fail("field " + shown_text(name) + ": found shape " + shown(shape) +
           ", expected one number or a list of numbers in each row");
    }
    for (std::size_t i = 0; i < shape[0]; ++i) {
      // A field without a name only keeps a distance.
      if (!name.empty()) {
        head_.columns.push_back({is_list ? name + std::to_string(i + 1) : name, dtype.text,
                                 type->number, head_.row_bytes, 0});
      }
      head_.row_bytes += type->bytes;
    }
  }

  void refuse_too_much(std::size_t more, std::size_t names) {
    names_ += names * std::min(more, most_npy_columns);
    if (more <= most_npy_columns - head_.columns.size() && names_ <= most_npy_names) return;
    fail("the structured dtype has more than " + std::to_string(most_npy_columns) +
         " columns, or names that are too long; is this a table of numbers?");
  }

  void refuse_wrong_size() const {
    const std::uintmax_t there = file_size_ - head_.size;
    const bool overflows = head_.rows > std::numeric_limits<std::size_t>::max() / head_.row_bytes;
    const std::size_t needed = overflows ? 0 : head_.rows * head_.row_bytes;
    if (!overflows && needed == there) return;
    fail("found " + std::to_string(there) + " bytes of numbers, expected " +
         (overflows ? "fewer" : std::to_string(needed)) + " for " + std::to_string(head_.rows) +
         " rows of " + std::to_string(head_.row_bytes) + " bytes; was the file written wholly?");
  }

  std::string_view bytes_;
  std::uintmax_t file_size_;
  std::size_t names_ = 0;  // bytes of the columns' names and types
  const std::string& file_;
  NpyHead head_;
};

std::string dictionary_text(const std::vector<std::string>& names, std::size_t columns,
                            std::uintmax_t rows) {
  std::string text = "{'descr': ";
  if (names.empty()) {
    text += "'<f8'";
  } else {
    text += '[';
    for (const std::string& name : names) text += "('" + name + "', '<f8'), ";
    text.resize(text.size() - 2);
    text += ']';
  }
  text += ", 'fortran_order': False, 'shape': (" + std::to_string(rows) + ",";
  if (names.empty()) text += " " + std::to_string(columns);
  return text + "), }";
}

}  // namespace

NpyHead read_npy_head(std::string_view bytes, std::uintmax_t file_size, const std::string& file) {
  return HeadReader(bytes, file_size, file).read();
}

std::string npy_head(const std::vector<std::string>& names, std::size_t columns,
                     std::uintmax_t rows) {
  const std::size_t longest =
      dictionary_text(names, columns, std::numeric_limits<std::uintmax_t>::max()).size() + 1;
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
  head += dictionary_text(names, columns, rows);
  head.resize(total - 1, ' ');
  return head + '\n';
}

}  // namespace armdyn
