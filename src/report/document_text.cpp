#include <fmt/format.h>

#include <algorithm>
#include <span>

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

bool is_blank(const std::string& text) {
  return text.find_first_not_of(' ') == std::string::npos;
}

/// A column's cells, its label first, below that of its group; empty: none.
struct TextColumn {
  std::string group;
  std::vector<std::string> cells;

  [[nodiscard]] bool has_label() const { return !is_blank(cells.front()); }
};
using TextColumns = std::vector<TextColumn>;

std::size_t width_of(const TextColumns& columns, std::size_t first, std::size_t last) {
  std::size_t width = 0;
  for (std::size_t i = first; i < last; ++i) {
    width += between_columns.size() + width_of(columns[i].cells);
  }
  return width;
}

/// End of the group that column i begins or goes on with.
std::size_t end_of_group(const TextColumns& columns, std::size_t i) {
  const std::string& group = columns[i].group;
  do ++i;
  while (i < columns.size() &&
         (!columns[i].has_label() || (!group.empty() && columns[i].group == group)));
  return i;
}

/// Column behind the last one from `first` on that fits with the others in a width: groups as a
/// whole, else columns of a group, one at least. A column without a label stays with the one before.
std::size_t end_of_block(const TextColumns& columns, std::size_t first, std::size_t width) {
  std::size_t last = first;
  for (std::size_t end = first; end < columns.size();) {
    end = end_of_group(columns, end);
    if (width_of(columns, first, end) > width) break;
    last = end;
  }
  if (last > first || columns.empty()) return last;
  const std::size_t end = end_of_group(columns, first);
  for (std::size_t i = first + 1; i <= end; ++i) {
    const bool may_end = i == end || columns[i].has_label();
    if (may_end && (last == first || width_of(columns, first, i) <= width)) last = i;
  }
  return last;
}

/// Line of the groups' labels, each over its columns: "held out ----".
std::string line_of_groups(const TextColumns& columns, std::size_t first, std::size_t last) {
  std::string line;
  for (std::size_t i = first; i < last;) {
    const std::size_t end = std::min(end_of_group(columns, i), last);
    const std::string& group = columns[i].group;
    const std::size_t width = width_of(columns, i, end) - between_columns.size();
    std::string label = group;
    if (!group.empty() && character_count(group) + 1 < width) {
      label += " " + std::string(width - character_count(group) - 1, '-');
    }
    label.append(width - std::min(width, character_count(label)), ' ');
    line += between_columns + label;
    i = end;
  }
  return line;
}

/// Puts as many columns as fit beside the labels, then the next ones below. A column that does not
/// fit alone is wrapped, unless labels leave little room.
std::string in_blocks(const std::string& margin, const std::vector<std::string>& labels,
                      const TextColumns& columns, std::size_t width) {
  const std::size_t label_width = width_of(labels);
  const std::size_t beside = margin.size() + label_width;
  const bool has_room = beside < width / 2;
  std::string text;
  const auto add_line = [&text](std::string line) {
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  };
  std::size_t first = 0;
  do {
    const std::size_t last = end_of_block(columns, first, width - std::min(width, beside));
    if (first > 0) text += "\n";
    const std::string groups = line_of_groups(columns, first, last);
    if (!is_blank(groups)) add_line(std::string(beside, ' ') + groups);
    for (std::size_t row = 0; row < labels.size(); ++row) {
      std::string line = margin + labels[row];
      line.append(label_width - character_count(labels[row]), ' ');
      const std::size_t start = line.size() + between_columns.size();
      for (std::size_t i = first; i < last; ++i) line += between_columns + columns[i].cells[row];
      line.erase(line.find_last_not_of(' ') + 1);
      if (has_room && last == first + 1 && character_count(line) > width) {
        text += wrapped(line.substr(0, start), line.substr(start), width);
      } else if (row > 0 || !line.empty()) {
        add_line(line);
      }
    }
    first = last;
  } while (first < columns.size());
  return text;
}

std::string text_of(const LabeledColumns& table, std::size_t width) {
  std::vector<std::string> labels = table.rows;
  labels.insert(labels.begin(), "");
  return in_blocks("  ", labels,
                   each(table.columns,
                        [](const LabeledColumn& column) {
                          return TextColumn{"", aligned(column)};
                        }),
                   width);
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

std::string text_of(const Sections& sections, std::size_t width) {
  std::string text;
  for (const Section& section : sections) {
    const std::string part = text_of(section, width);
    text += (section.is_apart && !text.empty() && !part.empty() ? "\n" : "") + part;
  }
  return text;
}

struct TextOf {
  std::size_t width;

  std::string operator()(const Json& /*data*/) const { return ""; }
  std::string operator()(const Fields& fields) const {
    const std::string line = sentence(fields);
    return line.empty() ? "" : line + "\n";
  }
  std::string operator()(const FieldTable& table) const {
    const TextCells cells = cells_of(table);
    return cells.empty() ? "" : text_table(cells, table.all_left, width);
  }
  std::string operator()(const std::string& text) const { return text + "\n"; }
  std::string operator()(const Paragraphs& paragraphs) const {
    std::string text;
    for (const std::string& words : paragraphs.texts)
      text += wrapped(paragraphs.first, words, width);
    return text;
  }
  std::string operator()(const LabeledMatrix& matrix) const {
    return text_of(columns_of(matrix), width);
  }
  std::string operator()(const LabeledColumns& columns) const { return text_of(columns, width); }
  std::string operator()(const Formulas& formulas) const { return formulas.text; }
  std::string operator()(const Sections& sections) const { return text_of(sections, width); }
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

std::string text_of(const Section& section, std::size_t width) {
  if (section.audience == Audience::programs) return "";
  const std::string& heading = section.heading;
  const auto* const matrix = std::get_if<LabeledMatrix>(&section.content);
  if (matrix != nullptr && matrix->values.entries().empty()) return "";
  if (matrix != nullptr && !heading.empty() && is_zero(*matrix)) return heading + ", all zero\n";
  return (heading.empty() ? "" : heading + "\n") + std::visit(TextOf{width}, section.content);
}

std::string text_of(const Document& document) {
  return text_of(document.sections, document.width);
}

// --- aligned text

std::string text_table(const TextCells& rows, bool all_left, std::size_t width) {
  TextCells cells(1, std::vector<std::string>(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    cells.resize(std::max(cells.size(), rows[row].size()), std::vector<std::string>(rows.size()));
    for (std::size_t i = 0; i < rows[row].size(); ++i) cells[i][row] = rows[row][i];
  }
  TextColumns columns;
  for (std::vector<std::string>& column : std::span(cells).subspan(1)) {
    const std::string label = column.front();
    const std::size_t colon = label.find(": ");
    const std::string group = colon == label.npos ? "" : label.substr(0, colon);
    if (!group.empty()) column.front() = label.substr(colon + 2);
    const std::size_t wide = width_of(column);
    for (std::string& cell : column) {
      cell.insert(all_left ? cell.size() : 0, wide - character_count(cell), ' ');
    }
    columns.push_back({group, std::move(column)});
  }
  // A group is as wide as its label.
  for (std::size_t i = 0, end = 0; i < columns.size(); i = end) {
    end = end_of_group(columns, i);
    const std::size_t wide = width_of(columns, i, end) - between_columns.size();
    const std::size_t label = character_count(columns[i].group);
    for (std::string& cell : columns[i].cells) {
      cell.insert(all_left ? cell.size() : 0, label - std::min(label, wide), ' ');
    }
  }
  return in_blocks("", cells.front(), columns, width);
}

std::string wrapped(const std::string& first, const std::string& words, std::size_t width) {
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
