#pragma once

#include <algorithm>
#include <string>

#include "math/characters.hpp"

namespace armdyn {

/// A name as an identifier of any language.
[[nodiscard]] inline std::string identifier(const std::string& name) {
  std::string result = (!name.empty() && is_letter(name[0]) ? "" : "arm_") + name;
  std::ranges::replace_if(
      result, [](char c) { return !is_letter(c) && !is_digit(c); }, '_');
  return result;
}

}  // namespace armdyn
