#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace armdyn {

/// JSON for programs. In every JSON text, what is not UTF-8 is replaced (U+FFFD), and what would
/// control a terminal is escaped. Ends with a newline.
[[nodiscard]] std::string json_text(const nlohmann::json& value);

/// JSON for programs that a person can read as well: indented, lists of plain values on one line,
/// so that a matrix stands there by rows. Ends with a newline.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value);

}  // namespace armdyn
