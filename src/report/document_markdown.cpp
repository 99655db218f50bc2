#include "model/shown_text.hpp"
#include "report/markup.hpp"

namespace armdyn {

namespace {

/// Text with Markdown's markup escaped.
std::string plain_in_markdown(const std::string& text) {
  std::string plain;
  for (const char c : in_one_line(text)) {
    if (std::string_view("\\`*_[]<>|~$&").find(c) != std::string_view::npos) plain += '\\';
    plain += c;
  }
  return plain;
}

/// Likewise of a paragraph, which begins no list or heading and is no rule.
std::string plain_paragraph(const std::string& text) {
  std::string plain = plain_in_markdown(text);
  const std::size_t digits = std::min(plain.find_first_not_of("0123456789"), plain.size());
  const std::string_view mark = std::string_view(plain).substr(digits, 2);
  const char* const marks = digits == 0 ? "-+#" : ".)";
  const bool is_mark = !mark.empty() && std::string_view(marks).find(mark[0]) != mark.npos;
  if (is_mark && (mark.size() == 1 || mark[1] == ' ' || mark == "##" || plain.starts_with("---"))) {
    plain.insert(digits, 1, '\\');
  }
  return plain;
}

/// Writer of blocks, each with a blank line behind it.
struct Markdown {
  [[nodiscard]] std::string heading(const std::string& text) const {
    return "### " + plain_in_markdown(text) + "\n\n";
  }
  [[nodiscard]] std::string paragraph(const std::string& text) const {
    return plain_paragraph(text) + "\n\n";
  }
  [[nodiscard]] std::string aligned(const std::string& text) const {
    return "```text\n" + text + (text.ends_with('\n') ? "" : "\n") + "```\n\n";
  }
  [[nodiscard]] std::string formulas(const Formulas& formulas) const {
    return "$$\n" + formulas.latex + "$$\n\n";
  }
  [[nodiscard]] std::string table(const TextCells& cells, bool all_left) const {
    std::string text;
    for (const std::vector<std::string>& row : cells) {
      text += '|';
      for (const std::string& cell : row) text += " " + plain_in_markdown(cell) + " |";
      text += '\n';
      if (&row != &cells.front()) continue;
      for (std::size_t i = 0; i < row.size(); ++i) {
        text += i == 0 || all_left ? "| --- " : "| ---: ";
      }
      text += "|\n";
    }
    return text + '\n';
  }
};

}  // namespace

std::string markdown_of(const Document& document) {
  std::string text = marked_up(document.sections, Markdown());
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace armdyn
