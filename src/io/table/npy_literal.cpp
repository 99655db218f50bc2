#include "io/table/npy_literal.hpp"

#include <charconv>
#include <system_error>

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

}  // namespace armdyn
