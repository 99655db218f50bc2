#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

/// Writes to standard error, with what would control a terminal escaped. False where not all of it
/// could be written.
inline bool write_to_standard_error(const std::string& text) {
  const std::string shown = in_lines(text);
  return std::fwrite(shown.data(), 1, shown.size(), stderr) == shown.size();
}

/// The same of a message. That nobody reads it, or that standard error is full, is no reason to give
/// up the work, and there is nowhere left to say so.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  try {
    (void)write_to_standard_error(fmt::format(format, std::forward<Values>(values)...));
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory for a message\n", stderr);
  }
}

}  // namespace armdyn
