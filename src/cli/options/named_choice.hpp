#pragma once

// Options that offer names: a table of pairs, each of a name and its value.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

/// The value that belongs to the text. Throws UsageError where the table has no such name.
template <class Choices>
[[nodiscard]] auto choose(const std::string& option, const std::string& text,
                          const Choices& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& [choice, value] : choices) names.emplace_back(choice);
  const std::string chosen = parse_choice(option, text, names);
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.first == chosen; })
      ->second;
}

/// The name of a value that the table has.
template <class Choices, class Value>
[[nodiscard]] std::string_view name_of(const Choices& choices, Value value) {
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.second == value; })
      ->first;
}

}  // namespace armdyn
