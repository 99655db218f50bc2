#include "log/name_pattern.hpp"

#include <charconv>
#include <system_error>

namespace armdyn {
namespace {

constexpr std::size_t most_columns = 1000;

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || text.size() > 6) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return number;
}

bool take(PatternMatch& match, std::string_view place, std::string_view text) {
  if (text.empty()) return false;
  if (place == "#") match.number = whole_number(text);
  if (place == "joint") match.joint = text;
  if (place == "*") match.any = text;
  return place != "#" || match.number.has_value();
}

bool match_rest(std::string_view pattern, std::string_view text, PatternMatch& match) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return pattern == text;
  if (text.substr(0, open) != pattern.substr(0, open)) return false;
  const std::size_t close = pattern.find('}', open);
  const std::string_view place = pattern.substr(open + 1, close - open - 1);
  pattern.remove_prefix(close + 1);
  text.remove_prefix(open);
  for (std::size_t length = text.size(); length > 0; --length) {
    PatternMatch attempt = match;
    if (!take(attempt, place, text.substr(0, length))) continue;
    if (!match_rest(pattern, text.substr(length), attempt)) continue;
    match = attempt;
    return true;
  }
  return false;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "0..5", also downwards.
std::optional<std::vector<std::string>> range_of_numbers(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return split_at_commas(text);
  const auto first = whole_number(text.substr(0, dots));
  const auto last = whole_number(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  const std::size_t span = *first < *last ? *last - *first : *first - *last;
  if (span >= most_columns) return std::nullopt;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i <= span; ++i) {
    numbers.push_back(std::to_string(*first < *last ? *first + i : *first - i));
  }
  return numbers;
}

}  // namespace

std::optional<PatternMatch> match_pattern(std::string_view pattern, std::string_view text) {
  PatternMatch match;
  if (!match_rest(pattern, text, match)) return std::nullopt;
  return match;
}

std::optional<std::vector<std::string>> expand_braces(std::string_view text) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return std::vector<std::string>{std::string(text)};
  const std::size_t close = text.find('}', open);
  if (close == std::string_view::npos) return std::nullopt;
  auto parts = range_of_numbers(text.substr(open + 1, close - open - 1));
  if (!parts) return std::nullopt;
  for (std::string& part : *parts) {
    part.insert(0, text.substr(0, open));
    part += text.substr(close + 1);
  }
  return parts;
}

}  // namespace armdyn
