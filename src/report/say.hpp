#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

/// Writes to standard error, with what would control a terminal escaped. That nobody reads it, or that it is full, is no reason to give up the
/// work, and there is nowhere left to say so.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  try {
    const std::string text = in_lines(fmt::format(format, std::forward<Values>(values)...));
    [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory for a message\n", stderr);
  }
}

}  // namespace armdyn
