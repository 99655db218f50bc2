#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace armdyn {

/// Where the first byte stands that does not belong to well-formed UTF-8; nothing if all do.
[[nodiscard]] std::optional<std::size_t> first_not_utf8(std::string_view bytes);

}  // namespace armdyn
