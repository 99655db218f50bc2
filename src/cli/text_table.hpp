#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace armdyn {

/// Rows of cells as aligned text: the first column to the left, the others to the right, two blanks
/// between them, each line ended. Widths count characters, not bytes.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Of a UTF-8 text.
[[nodiscard]] std::size_t characters(const std::string& text);

/// Four significant digits, for reading.
[[nodiscard]] std::string short_number(double value);

}  // namespace armdyn
