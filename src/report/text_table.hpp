#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace armdyn {

/// Rows of cells as aligned text: the first column to the left, the others to the right, two blanks
/// between them, each line ended. Widths count characters, not bytes.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Likewise, with all columns to the left.
[[nodiscard]] std::string text_list(const std::vector<std::vector<std::string>>& rows);

/// Characters, not bytes, of a UTF-8 text.
[[nodiscard]] std::size_t character_count(const std::string& text);

/// `first` and then words, in lines of at most 100 columns; the other lines begin with blanks as
/// wide as `first`.
[[nodiscard]] std::string wrapped(const std::string& first, const std::string& words);

}  // namespace armdyn
