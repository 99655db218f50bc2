#pragma once

// Common part of renderers that write markup: headings, paragraphs, tables, and texts aligned by
// blanks, of a document.

#include <algorithm>

#include "math/characters.hpp"
#include "report/document.hpp"

namespace armdyn {

template <class Style>
std::string marked_up(const Sections& sections, const Style& style);

/// Renderer of a section's content. Style has `paragraph`, `aligned` and `heading` of a text, `table`
/// of cells, and `formulas`.
template <class Style>
struct MarkedUp {
  const Section& section;
  const Style& style;

  std::string operator()(const Json& /*data*/) const { return ""; }
  std::string operator()(const Fields& fields) const { return (*this)(sentence(fields)); }
  std::string operator()(const FieldTable& table) const {
    const auto cells = cells_of(table);
    return cells.empty() ? "" : style.table(cells, table.all_left);
  }
  std::string operator()(const std::string& text) const {
    const std::string lines = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    if (lines.find("  ") != lines.npos) return style.aligned(text);
    std::string paragraphs;
    for (const std::string& line : split_at(lines, '\n')) {
      if (!line.empty()) paragraphs += style.paragraph(line);
    }
    return paragraphs;
  }
  std::string operator()(const Paragraphs& paragraphs) const {
    const std::string& first = paragraphs.first;
    const std::string name(trimmed(first, " "));
    const std::string label = name.empty() ? "" : first.ends_with("  ") ? name + ": " : first;
    std::string text;
    for (const std::string& words : paragraphs.texts) text += style.paragraph(label + words);
    return text;
  }
  std::string operator()(const Formulas& formulas) const { return style.formulas(formulas); }
  std::string operator()(const Sections& sections) const { return marked_up(sections, style); }
  std::string operator()(const auto& matrix) const {
    const std::string text = text_of(section);
    const std::size_t first_end = text.find('\n');
    if (text.empty()) return "";
    if (first_end + 1 == text.size()) return style.paragraph(text.substr(0, first_end));
    return heading() + style.table(cells_of(matrix), false);
  }
  [[nodiscard]] std::string heading() const {
    return section.heading.empty() ? "" : style.heading(section.heading);
  }
};

/// Writes sections for people.
template <class Style>
std::string marked_up(const Sections& sections, const Style& style) {
  std::string text;
  for (const Section& section : sections) {
    if (section.audience == Audience::programs || section.audience == Audience::terminal) continue;
    const MarkedUp<Style> part{section, style};
    const std::string content = std::visit(part, section.content);
    const bool has_heading = std::holds_alternative<LabeledMatrix>(section.content) ||
                             std::holds_alternative<LabeledColumns>(section.content);
    text += (content.empty() || has_heading ? "" : part.heading()) + content;
  }
  return text;
}

/// MathML of an align* environment of LaTeX (document_page.cpp): names with indices, powers,
/// fractions, dots above, Greek letters, sines and cosines; other commands become identifiers of that
/// name.
[[nodiscard]] std::string mathml_of(const std::string& latex);

}  // namespace armdyn
