#pragma once

// Lists made of lists.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace armdyn {

/// Results of a member or a function for each element, in their order.
template <std::ranges::input_range Elements, class Get>
[[nodiscard]] auto each(Elements&& elements, Get get) {
  using Element = std::ranges::range_reference_t<Elements>;
  std::vector<std::decay_t<std::invoke_result_t<Get&, Element>>> found;
  if constexpr (std::ranges::sized_range<Elements>) found.reserve(std::ranges::size(elements));
  for (Element element : elements) found.push_back(std::invoke(get, element));
  return found;
}

/// 0, 1, .. below `count`.
[[nodiscard]] inline std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Those below `count` for which a condition holds.
[[nodiscard]] inline std::vector<std::size_t> where(std::size_t count, const auto& holds) {
  std::vector<std::size_t> found = in_order(count);
  std::erase_if(found, [&holds](std::size_t i) { return !holds(i); });
  return found;
}

/// Appends the elements of a list to another one.
template <std::ranges::input_range Elements>
void append(auto& list, Elements&& more) {
  if constexpr (std::ranges::borrowed_range<Elements>) {
    list.insert(list.end(), std::ranges::begin(more), std::ranges::end(more));
  } else {
    std::ranges::move(more, std::back_inserter(list));
  }
}

}  // namespace armdyn
