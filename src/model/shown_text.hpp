#pragma once

#include <string>
#include <string_view>

namespace armdyn {

/// Text from a file as messages show it: in double quotes, control characters escaped, shortened.
[[nodiscard]] std::string shown_text(std::string_view text);

/// "-pi/2", "pi", "3*pi/2": quarter turns, none of them 0, as a robot file says them.
[[nodiscard]] std::string quarter_turns_text(double quarters);

}  // namespace armdyn
