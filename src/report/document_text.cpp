#include <fmt/format.h>

#include <algorithm>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"

namespace armdyn {

namespace {

// --- matrices: labeled rows and columns, five significant digits, decimal points under one
// another, 0 for rounding beside the largest entry

constexpr std::size_t width_of_terminal = 100;
constexpr double rounding = 1e-13;  // beside the largest entry
const std::string between_columns = "  ";

std::string number_of(double value, std::optional<int> decimals) {
  if (std::isnan(value)) return "";
  return decimals ? decimal_text(value, *decimals) : fmt::format("{:.5g}", value);
}

/// Number of characters, not bytes, of a UTF-8 text.
std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

std::size_t characters_before_point(const std::string& number) {
  return std::min(number.find_first_of(".e"), number.size());
}

/// Cells of a column in one width: the label, which ends over the units, and numbers with decimal
/// points under one another.
std::vector<std::string> aligned(const LabeledColumn& column) {
  const auto& [label, values, decimals, own_scale] = column;
  const double zero = rounding * std::max(own_scale, largest_magnitude(values));
  std::vector<std::string> cells;
  std::size_t before = character_count(label), behind = 0;
  for (const double value : values) {
    cells.push_back(std::abs(value) <= zero ? "0" : number_of(value, decimals));
    const std::size_t point = characters_before_point(cells.back());
    before = std::max(before, point);
    behind = std::max(behind, cells.back().size() - point);
  }
  for (std::string& cell : cells) {
    cell.insert(0, before - characters_before_point(cell), ' ');
    cell.resize(before + behind, ' ');
  }
  cells.insert(cells.begin(), std::string(before - character_count(label), ' ') + label +
                                  std::string(behind, ' '));
  return cells;
}

std::size_t width_of(const std::vector<std::string>& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, character_count(cell));
  return width;
}

/// Puts as many columns as fit beside the labels, then the next ones below. A column without a
/// heading stays with the one before it. A column that does not fit alone is wrapped, unless labels
/// leave little room.
std::string in_blocks(const std::string& margin, const std::vector<std::string>& labels,
                      const std::vector<std::vector<std::string>>& columns) {
  const std::size_t label_width = width_of(labels);
  const bool has_room = margin.size() + label_width < width_of_terminal / 2;
  std::string text;
  std::size_t first = 0;
  do {
    std::size_t width = margin.size() + label_width;
    std::size_t last = first;
    while (last < columns.size()) {
      std::size_t next = last;
      do {
        width += between_columns.size() + width_of(columns[next]);
        ++next;
      } while (next < columns.size() &&
               columns[next][0].find_first_not_of(' ') == std::string::npos);
      if (width > width_of_terminal && last > first) break;
      last = next;
    }
    if (first > 0) text += "\n";
    for (std::size_t row = 0; row < labels.size(); ++row) {
      std::string line = margin + labels[row];
      line.append(label_width - character_count(labels[row]), ' ');
      const std::size_t start = line.size() + between_columns.size();
      for (std::size_t i = first; i < last; ++i) line += between_columns + columns[i][row];
      line.erase(line.find_last_not_of(' ') + 1);
      if (has_room && last == first + 1 && character_count(line) > width_of_terminal) {
        text += wrapped(line.substr(0, start), line.substr(start));
      } else if (row > 0 || !line.empty()) {
        text += line + "\n";
      }
    }
    first = last;
  } while (first < columns.size());
  return text;
}

std::string text_of(const LabeledColumns& table) {
  std::vector<std::string> labels = table.rows;
  labels.insert(labels.begin(), "");
  return in_blocks("  ", labels, each(table.columns, aligned));
}

LabeledColumns columns_of(const LabeledMatrix& matrix) {
  if (matrix.is_wide) {
    return columns_of({matrix.columns, matrix.rows, transposed(matrix.values), false});
  }
  LabeledColumns table{matrix.rows, {}};
  const double scale = largest_magnitude(matrix.values.entries());
  for (std::size_t j = 0; j < matrix.values.columns(); ++j) {
    std::vector<double> column;
    for (std::size_t i = 0; i < matrix.values.rows(); ++i) column.push_back(matrix.values(i, j));
    table.columns.push_back({matrix.columns[j], column, {}, scale});
  }
  return table;
}

bool is_zero(const LabeledMatrix& matrix) {
  return std::ranges::all_of(matrix.values.entries(), [](double entry) { return entry == 0.0; });
}

// --- sections

std::string text_of(const Sections& sections) {
  std::string text;
  for (const Section& section : sections) {
    const std::string part = text_of(section);
    text += (section.is_apart && !text.empty() && !part.empty() ? "\n" : "") + part;
  }
  return text;
}

struct TextOf {
  std::string operator()(const Json& /*data*/) const { return ""; }
  std::string operator()(const Fields& fields) const {
    const std::string line = sentence(fields);
    return line.empty() ? "" : line + "\n";
  }
  std::string operator()(const FieldTable& table) const {
    const TextCells cells = cells_of(table);
    return cells.empty() ? "" : text_table(cells, table.all_left);
  }
  std::string operator()(const std::string& text) const { return text + "\n"; }
  std::string operator()(const Paragraphs& paragraphs) const {
    std::string text;
    for (const std::string& words : paragraphs.texts) text += wrapped(paragraphs.first, words);
    return text;
  }
  std::string operator()(const LabeledMatrix& matrix) const { return text_of(columns_of(matrix)); }
  std::string operator()(const LabeledColumns& columns) const { return text_of(columns); }
  std::string operator()(const Formulas& formulas) const { return formulas.text; }
  std::string operator()(const Sections& sections) const { return text_of(sections); }
};

}  // namespace

TextCells cells_of(const FieldTable& table) {
  if (table.rows.empty()) return {};
  TextCells cells(1);
  for (const Field& field : table.rows.back()) {
    if (field.label) cells.front().push_back(*field.label);
  }
  if (cells.front().empty()) return {};
  for (const Fields& row : table.rows) {
    cells.emplace_back();
    for (const Field& field : row) {
      if (field.label) cells.back().push_back(field.value.brief);
    }
  }
  return cells;
}

TextCells cells_of(const LabeledColumns& table) {
  TextCells cells{{""}};
  for (const std::string& label : table.rows) cells.push_back({label});
  for (const LabeledColumn& column : table.columns) {
    std::size_t row = 0;
    for (const std::string& cell : aligned(column)) cells[row++].emplace_back(trimmed(cell, " "));
  }
  return cells;
}

TextCells cells_of(const LabeledMatrix& matrix) {
  return cells_of(columns_of(matrix));
}

std::string sentence(const Fields& fields) {
  std::string text;
  for (const auto& [key, label, value] : fields) {
    if (label && value.exact) text += fmt::format(fmt::runtime(*label), value.brief);
  }
  return text;
}

std::string text_of(const Section& section) {
  if (section.audience == Audience::programs) return "";
  const std::string& heading = section.heading;
  const auto* const matrix = std::get_if<LabeledMatrix>(&section.content);
  if (matrix != nullptr && matrix->values.entries().empty()) return "";
  if (matrix != nullptr && !heading.empty() && is_zero(*matrix)) return heading + ", all zero\n";
  return (heading.empty() ? "" : heading + "\n") + std::visit(TextOf(), section.content);
}

std::string text_of(const Document& document) {
  return text_of(document.sections);
}

// --- aligned text

std::string text_table(const TextCells& rows, bool all_left) {
  TextCells columns(1, std::vector<std::string>(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    columns.resize(std::max(columns.size(), rows[row].size()),
                   std::vector<std::string>(rows.size()));
    for (std::size_t i = 0; i < rows[row].size(); ++i) columns[i][row] = rows[row][i];
  }
  const std::vector<std::string> labels = std::move(columns.front());
  columns.erase(columns.begin());
  for (std::vector<std::string>& column : columns) {
    const std::size_t width = width_of(column);
    for (std::string& cell : column) {
      cell.insert(all_left ? cell.size() : 0, width - character_count(cell), ' ');
    }
  }
  return in_blocks("", labels, columns);
}

std::string wrapped(const std::string& first, const std::string& words) {
  constexpr std::size_t width = 100;
  const std::string indent(character_count(first), ' ');
  std::string text, line = first;
  bool line_is_empty = true;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line_is_empty && character_count(line) + 1 + character_count(word) > width) {
      text += line + "\n";
      line = indent;
      line_is_empty = true;
    }
    line += (line_is_empty ? "" : " ") + word;
    line_is_empty = false;
    at = end + 1;
  }
  return text + line + "\n";
}

}  // namespace armdyn
