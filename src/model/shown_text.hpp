#pragma once

#include <string>
#include <string_view>

namespace armdyn {

/// Text from a file as messages show it: in double quotes, control characters escaped, shortened.
[[nodiscard]] std::string shown_text(std::string_view text);

}  // namespace armdyn
