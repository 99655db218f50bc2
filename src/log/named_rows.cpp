#include "log/named_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>

#include "io/file/input_file.hpp"
#include "io/table/csv_table.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

void require_columns(const std::vector<std::string>& header,
                     const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    if (std::ranges::count(header, column) > 0) continue;
    throw InputError(
        fmt::format("missing column {}; expected {}", column, fmt::join(columns, ", ")));
  }
}

NamedRow named_row(const std::vector<std::string>& header, const std::vector<std::string>& cells,
                   const NumberStyle& style) {
  if (cells.size() != header.size()) {
    throw InputError(fmt::format("found {}, expected {} as in the header",
                                 counted(cells.size(), "cell"), header.size()));
  }
  NamedRow row;
  for (std::size_t k = 0; k < header.size(); ++k) {
    std::string cell = cells[k];
    const bool may_have_comma = style.separator != ',';
    if (may_have_comma && parse_cell(cell, {style.separator, true})) {
      std::ranges::replace(cell, ',', '.');
    }
    if (row.emplace(header[k], cell).second) continue;
    throw InputError(fmt::format("column \"{}\" is there twice", in_one_line(header[k])));
  }
  return row;
}

}  // namespace

void read_named_rows(const std::string& path, const char* what,
                     const std::vector<std::string>& columns,
                     const std::function<void(NamedRow)>& add) {
  auto [file, text] = read_text(path, 64'000'000, what);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::vector<std::string> header;
  NumberStyle style;
  std::size_t number = 0, rows = 0;
  for (const std::string& line : split_at(text, '\n')) {
    ++number;
    if (has_no_row(line.substr(std::min(line.find_first_not_of(" \t\r"), line.size())))) continue;
    if (header.empty()) style = guess_style(line);
    try {
      std::string_view unclosed;
      const auto cells = cells_of(line, style, unclosed);
      if (!cells) throw InputError("expected a closing quote");
      if (header.empty()) {
        require_columns(*cells, columns);
        header = *cells;
      } else {
        add(named_row(header, *cells, style));
        ++rows;
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  if (rows > 0) return;
  throw InputError(fmt::format("{}: expected a header with {}, and rows beneath", file,
                               fmt::join(columns, ", ")));
}

std::string_view comma_advice(std::string_view cell, std::string_view otherwise) {
  return has_decimal_comma(cell) ? decimal_comma_advice : otherwise;
}

}  // namespace armdyn
