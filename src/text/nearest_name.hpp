#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace armdyn {

/// Candidate nearest to a misspelt word, for "did you mean"; nothing if none is close. Upper and
/// lower case count as the same letter; of equally near ones the first, before all the first that
/// begins with the word, and after all the only one whose last words it is.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view word,
                                                      std::span<const std::string_view> candidates);

/// Hint at the nearest name, "; did you mean "alpha"?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates,
                                       char quotes = '"');

}  // namespace armdyn
