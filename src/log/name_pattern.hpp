#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Names with places: see ColumnPattern.

namespace armdyn {

/// What stood at the places of a pattern.
struct PatternMatch {
  std::optional<std::size_t> number;  ///< at {#}
  std::string joint;                  ///< at {joint}
  std::string any;                    ///< at {*}
};

[[nodiscard]] std::optional<PatternMatch> match_pattern(std::string_view pattern,
                                                        std::string_view text);

/// "q_{0..2}" as q_0, q_1, q_2 and "{a,c}" as a, c. Nothing if the braces are not of that kind.
[[nodiscard]] std::optional<std::vector<std::string>> expand_braces(std::string_view text);

}  // namespace armdyn
