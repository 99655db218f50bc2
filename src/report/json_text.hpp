#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace armdyn {

/// JSON for programs that a person can read as well: indented, lists of plain values on one line,
/// so that a matrix stands there by rows. Ends with a newline.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value);

}  // namespace armdyn
