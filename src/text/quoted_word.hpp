#pragma once

// Texts in quotes, for a shell and for YAML.

#include <string>
#include <string_view>

namespace armdyn {

/// A text in quotes as one word on a command line: in double ones, or in single ones where a shell
/// would look into these.
[[nodiscard]] std::string quoted_word(const std::string& text);

/// A text in quotes, with YAML's escapes.
[[nodiscard]] std::string yaml_quoted(std::string_view text);
/// Text that YAML 1.1 and 1.2 read back: quoted, unless it is a plain word, which null, no and y are
/// not.
[[nodiscard]] std::string yaml_text(std::string_view text);

}  // namespace armdyn
