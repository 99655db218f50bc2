#pragma once

// Texts that a shell takes as one word.

#include <string>

namespace armdyn {

/// A text in quotes as one word on a command line: in double ones, or in single ones where a shell
/// would look into these.
[[nodiscard]] std::string quoted_word(const std::string& text);

}  // namespace armdyn
