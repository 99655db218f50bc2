#include "model/utf8.hpp"

namespace armdyn {

namespace {

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
}

bool between(unsigned value, unsigned low, unsigned high) {
  return low <= value && value <= high;
}

/// Length of the character that starts at i, 0 if none does (Unicode Standard, table 3-7: no
/// overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t character_length(std::string_view bytes, std::size_t i) {
  const unsigned first = byte_at(bytes, i);
  if (first < 0x80U) return 1;

  const unsigned second = byte_at(bytes, i + 1);
  if (between(first, 0xC2, 0xDF)) return between(second, 0x80, 0xBF) ? 2 : 0;

  const bool third = between(byte_at(bytes, i + 2), 0x80, 0xBF);
  if (between(first, 0xE0, 0xEF)) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return between(second, low, high) && third ? 3 : 0;
  }
  if (between(first, 0xF0, 0xF4)) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    const bool fourth = between(byte_at(bytes, i + 3), 0x80, 0xBF);
    return between(second, low, high) && third && fourth ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::optional<std::size_t> first_not_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = character_length(bytes, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

CodePoint first_code_point(std::string_view text) {
  const std::size_t length = character_length(text, 0);
  std::uint32_t code = byte_at(text, 0);
  if (length > 1) code &= 0xFFU >> (length + 1);
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte_at(text, i) & 0x3FU);
  return {code, length};
}

}  // namespace armdyn
