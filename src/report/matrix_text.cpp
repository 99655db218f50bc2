#include "report/matrix_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text_table.hpp"

namespace armdyn {

namespace {

constexpr std::size_t width_of_terminal = 100;
constexpr double rounding = 1e-13;  // beside the largest entry
const std::string margin = "  ";
const std::string gap = "  ";

double largest(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

std::string number_of(double value, std::optional<int> decimals) {
  if (std::isnan(value)) return "";
  if (!decimals) return fmt::format("{:.5g}", value);
  std::string text = fmt::format("{:.{}f}", value, *decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::size_t characters_before_point(const std::string& number) {
  return std::min(number.find_first_of(".e"), number.size());
}

/// A label over numbers, cells of one width, decimal points under one another; the label ends over
/// the units.
std::vector<std::string> aligned(const LabelledColumn& column) {
  const auto& [label, values, decimals, own_scale] = column;
  const double zero = rounding * std::max(own_scale, largest(values));
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

/// As many columns as fit beside the labels, then the next ones below.
std::string in_blocks(std::vector<std::string> labels,
                      const std::vector<std::vector<std::string>>& columns) {
  labels.insert(labels.begin(), "");
  const std::size_t label_width = width_of(labels);
  std::string text;
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t width = margin.size() + label_width;
    std::size_t last = first;
    while (last < columns.size()) {
      width += gap.size() + width_of(columns[last]);
      if (width > width_of_terminal && last > first) break;
      ++last;
    }
    if (first > 0) text += "\n";
    for (std::size_t row = 0; row < labels.size(); ++row) {
      std::string line = margin + labels[row];
      line.append(label_width - character_count(labels[row]), ' ');
      for (std::size_t i = first; i < last; ++i) line += gap + columns[i][row];
      line.erase(line.find_last_not_of(' ') + 1);
      if (row > 0 || !line.empty()) text += line + "\n";
    }
    first = last;
  }
  return text;
}

}  // namespace

std::string matrix_text(const std::vector<std::string>& row_labels,
                        const std::vector<std::string>& column_labels, const Matrix& values) {
  const double scale = largest(values.entries());
  std::vector<std::vector<std::string>> columns;
  for (std::size_t j = 0; j < values.columns(); ++j) {
    std::vector<double> column;
    for (std::size_t i = 0; i < values.rows(); ++i) column.push_back(values(i, j));
    columns.push_back(aligned({column_labels[j], column, {}, scale}));
  }
  return in_blocks(row_labels, columns);
}

std::string columns_text(const std::vector<std::string>& row_labels,
                         const std::vector<LabelledColumn>& columns) {
  std::vector<std::vector<std::string>> texts(columns.size());
  std::transform(columns.begin(), columns.end(), texts.begin(), aligned);
  return in_blocks(row_labels, texts);
}

}  // namespace armdyn
