#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace armdyn {

/// Writes to standard error. That nobody reads it, or that it is full, is no reason to give up the
/// work, and there is nowhere left to say so.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace armdyn
