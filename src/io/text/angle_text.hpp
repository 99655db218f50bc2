#pragma once

#include <optional>
#include <string_view>

namespace armdyn {

/// Radians of [sign][number*]pi[/number], as in pi, -pi/2, 3*pi/4 or 0.5*pi; nothing for other
/// text.
[[nodiscard]] std::optional<double> parse_pi(std::string_view text);

}  // namespace armdyn
