#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/value_text.hpp"

namespace armdyn {

/// The names that an option offers, each with its value.
template <class Value>
class Choices {
 public:
  Choices(std::initializer_list<std::pair<std::string, Value>> choices) : choices_(choices) {}

  /// Values that have names: name(value).
  explicit Choices(std::span<const Value> values) {
    for (const Value value : values) choices_.emplace_back(name(value), value);
  }

  /// The value of that name. Throws UsageError.
  Value operator()(const std::string& option, const std::string& text) const {
    const std::string chosen = parse_choice(option, text, names());
    return std::ranges::find(choices_, chosen, &std::pair<std::string, Value>::first)->second;
  }

  [[nodiscard]] const std::string& name_of(Value value) const {
    return std::ranges::find(choices_, value, &std::pair<std::string, Value>::second)->first;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [choice, value] : choices_) names.push_back(choice);
    return names;
  }

  /// For help: "rk4 | dopri5 | rkf78".
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& [choice, value] : choices_) text += (text.empty() ? "" : " | ") + choice;
    return text;
  }

 private:
  std::vector<std::pair<std::string, Value>> choices_;
};

}  // namespace armdyn
