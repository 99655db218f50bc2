#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace armdyn {

/// Where the first byte stands that does not belong to well-formed UTF-8; nothing if all do.
[[nodiscard]] std::optional<std::size_t> first_not_utf8(std::string_view bytes);

struct CodePoint {
  std::uint32_t code;
  std::size_t length;  ///< in bytes; 0: the first byte does not belong to well-formed UTF-8
};

/// The first of a text that is not empty.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

}  // namespace armdyn
