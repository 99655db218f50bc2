#pragma once

// Numbers of a page, as its script reads them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

inline std::vector<double> unpacked(std::size_t order, double divisor, const std::string& text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<double> values, differences(order + 1);
  double whole = 0.0, place = 1.0;
  std::size_t before = 0;
  for (const char letter : text) {
    const std::size_t digit = digits.find(letter);
    whole += static_cast<double>(digit % 32) * place;
    place *= 32.0;
    if (digit >= 32) continue;
    if (whole == 1.0) {
      values.push_back(std::nan(""));
    } else {
      std::size_t k = std::min(before++, order);
      differences[k] = std::fmod(whole, 2.0) == 1.0 ? (1.0 - whole) / 2.0 : whole / 2.0;
      for (; k > 0; --k) differences[k - 1] += differences[k];
      values.push_back(differences[0] / divisor);
    }
    whole = 0.0;
    place = 1.0;
  }
  return values;
}

}  // namespace armdyn
