#pragma once

// Cuts a line of a table into cells.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// How the numbers of a table are written.
struct TableFormat {
  char separator = ',';  ///< comma, semicolon, tab, or a blank that stands for any run of blanks
  bool decimal_comma = false;  ///< 1,5 instead of 1.5; never with a comma as separator

  [[nodiscard]] bool is_blank(char c) const {
    return c == ' ' || c == '\r' || (c == '\t' && separator != '\t');
  }
  [[nodiscard]] bool ends_cell(char c) const {
    return c == '\n' || (separator == ' ' ? is_blank(c) : c == separator);
  }
};

/// One cell of a line, without surrounding blanks and quotes.
struct Cell {
  std::string_view text;
  const char* end =
      nullptr;  ///< the separator, the newline or the end; null: a quote is not closed
};

[[nodiscard]] const char* find_newline(const char* at, const char* end);
[[nodiscard]] const char* skip_blanks(const char* at, const char* end, const TableFormat& format);

/// The cell that begins there.
[[nodiscard]] Cell cell_at(const char* at, const char* end, const TableFormat& format);

/// The cells of a line; nothing if a quote is not closed, which `unclosed` then begins with.
[[nodiscard]] std::optional<std::vector<std::string>> cells_of(std::string_view line,
                                                               const TableFormat& format,
                                                               std::string_view& unclosed);

/// The number in a cell, as parse_number, with the decimal mark of the format.
[[nodiscard]] std::optional<double> parse_cell(std::string_view text, const TableFormat& format);

/// Guesses the separator from a line of names (or of numbers): a semicolon, else a tab, else a
/// comma, else blanks.
[[nodiscard]] char guess_separator(std::string_view line);

/// Whether a comma stands between digits somewhere, outside comments.
[[nodiscard]] bool has_decimal_comma(std::string_view lines);

}  // namespace armdyn
