#include "report/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// The sign of a command; its name where it is no other.
std::string sign_of(std::string_view command) {
  if (command == "left" || command == "right") return "";
  const auto greek = std::ranges::find(greek_words, command);
  if (greek != greek_words.end()) {
    return std::string(
        greek_letters.substr(2 * static_cast<std::size_t>(greek - greek_words.begin()), 2));
  }
  const std::string_view sign = word_behind(command, "partial ∂ cdot · pi π times × pm ±");
  return markup_text(sign.empty() ? command : sign);
}

std::string node(std::string_view tag, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>", tag, content);
}

/// Reads LaTeX from left to right.
class MathParser {
 public:
  explicit MathParser(std::string_view latex) : rest_(latex) {}

  /// Lines of an alignment, each with its cells.
  std::string table() {
    std::string rows, cells;
    while (true) {
      cells += node("mtd", row());
      if (taken("&")) continue;
      rows += node("mtr", cells) + "\n";
      cells.clear();
      if (!taken("\\\\")) return rows;
    }
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
      rest_.remove_prefix(1);
    }
  }
  bool taken(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// The longest beginning of which each byte is such, or one byte.
  std::string_view take(int (*is_such)(int)) {
    std::size_t size = 0;
    while (size < rest_.size() && is_such(static_cast<unsigned char>(rest_[size])) != 0) ++size;
    const std::string_view found = rest_.substr(0, std::max<std::size_t>(1, size));
    rest_.remove_prefix(found.size());
    return found;
  }

  /// Reads up to the end of a group, a cell or a line.
  std::string row() {
    std::string items;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) {
      const char next = rest_.front();
      if (next == '}' || next == '&' || rest_.starts_with("\\\\")) break;
      items += with_scripts(atom());
    }
    return node("mrow", items);
  }

  std::string with_scripts(std::string base) {
    std::string below, above;
    for (bool is_below = false; (is_below = taken("_")) || taken("^");) {
      (is_below ? below : above) = atom();
    }
    if (below.empty() && above.empty()) return base;
    return node(above.empty() ? "msub" : below.empty() ? "msup" : "msubsup", base + below + above);
  }

  std::string atom() {
    skip_blanks();
    if (rest_.empty()) return "";
    if (taken("{")) {
      std::string group = row();
      taken("}");
      return group;
    }
    if (taken("\\")) return command(take(std::isalpha));
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      return node("mn", take([](int c) { return c == '.' ? 1 : std::isdigit(c); }));
    }
    const std::size_t size = std::max<std::size_t>(1, first_code_point(rest_).length);
    const std::string sign = markup_text(rest_.substr(0, size));
    const bool is_letter = size > 1 || std::isalpha(static_cast<unsigned char>(sign.front())) != 0;
    rest_.remove_prefix(size);
    return node(is_letter ? "mi" : "mo", sign == "-" ? "−" : sign);
  }

  std::string command(std::string_view name) {
    if (name == "frac" || name == "tfrac") {
      const std::string above = atom();
      return node("mfrac", above + atom());
    }
    if (name == "dot" || name == "ddot") {
      return node("mover", atom() + node("mo", name == "dot" ? "˙" : "¨"));
    }
    if (name == "mathit" || name == "mathrm") {
      taken("{");
      const std::string word = markup_text(rest_.substr(0, rest_.find('}')));
      rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
      return node("mi", word);
    }
    const std::string text = sign_of(name);
    const bool is_operator = name == "cdot" || name == "partial";
    return text.empty() ? "" : node(is_operator ? "mo" : "mi", text);
  }

  std::string_view rest_;
};

}  // namespace

std::string mathml_of(const std::string& latex) {
  std::string_view lines = latex;
  constexpr std::string_view begin = "\\begin{align*}", end = "\\end{align*}";
  if (lines.starts_with(begin)) lines.remove_prefix(begin.size());
  lines = lines.substr(0, lines.find(end));
  return "<math display=\"block\"><mtable>\n" + MathParser(lines).table() + "</mtable></math>\n";
}

}  // namespace armdyn
