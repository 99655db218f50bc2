#include "model/shown_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace armdyn {

namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// At most that many bytes, no UTF-8 character cut.
std::string_view beginning(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && continues_character(text[size])) --size;
  return text.substr(0, size);
}

}  // namespace

std::string quarter_turns_text(double quarters) {
  const std::string sign = quarters < 0.0 ? "-" : "";
  const auto count = static_cast<long>(std::abs(quarters));
  const bool halves = count % 2 != 0;
  const long factor = halves ? count : count / 2;
  return sign + (factor == 1 ? "" : fmt::format("{}*", factor)) + "pi" + (halves ? "/2" : "");
}

std::string shown_text(std::string_view text) {
  const std::string_view part = beginning(text, 60);
  std::string shown = "\"";
  for (const char c : part) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      shown += "\\n";
    } else if (c == '\t') {
      shown += "\\t";
    } else if (code < 0x20U || code == 0x7FU) {
      shown += fmt::format("\\x{:02x}", code);
    } else {
      shown += c;
    }
  }
  return shown + (part.size() < text.size() ? "...\"" : "\"");
}

}  // namespace armdyn
