#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace armdyn {

/// The candidate that a misspelt word most likely means, for "did you mean"; nothing if none is
/// close. Upper and lower case count as the same letter; of equally close ones, the first.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view word,
                                                      std::span<const std::string_view> candidates);

/// "; did you mean "alpha"?" of the nearest name, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates,
                                       char quotes = '"');

}  // namespace armdyn
