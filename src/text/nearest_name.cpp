#include "text/nearest_name.hpp"

#include <algorithm>
#include <numeric>

#include "math/characters.hpp"

namespace armdyn {

namespace {

bool same_letter(char a, char b) {
  return small_letter(a) == small_letter(b);
}

/// Counts the letters that must be changed, added, dropped or swapped with their neighbor to turn
/// one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = same_letter(a[i - 1], b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  std::optional<std::string> nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : candidates) {
    if (word.size() > 3 && candidate.starts_with(word)) return std::string(candidate);
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    const std::size_t allowed = (longer + 1) / 3;  // "alfa" is close to "alpha", "d" not to "a"
    if (longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance > allowed || (nearest && distance >= least)) continue;
    nearest = candidate;
    least = distance;
  }
  if (nearest || word.size() < 4) return nearest;
  const std::string ending = "_" + std::string(word);  // "inertia" of "rotor_inertia"
  const auto ends_with_word = [&ending](std::string_view candidate) {
    return candidate.ends_with(ending);
  };
  const auto found = std::ranges::find_if(candidates, ends_with_word);
  const bool is_one = std::ranges::count_if(candidates, ends_with_word) == 1;
  return is_one ? std::optional(std::string(*found)) : std::nullopt;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates,
                         char quotes) {
  const auto nearest = nearest_name(word, candidates);
  return nearest ? "; did you mean " + (quotes + *nearest + quotes) + "?" : "";
}

}  // namespace armdyn
