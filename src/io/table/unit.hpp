#pragma once

// Units in headers, and their factors to SI. A dimension is its SI unit: "rad/s".

#include <optional>
#include <string>
#include <string_view>

#include "io/table/table.hpp"

namespace armdyn {

/// Unit of that spelling; nothing if it is not one of this dimension.
[[nodiscard]] std::optional<Unit> find_unit(std::string_view dimension, std::string_view text);

/// Name of a unit; nothing for one without a name.
[[nodiscard]] std::optional<std::string_view> unit_name(std::string_view dimension,
                                                        const Unit& unit);

/// Tests whether a text is a unit of any dimension.
[[nodiscard]] bool is_unit(std::string_view text);

/// Lists the units of a dimension for messages: "rad/s, deg/s or rpm".
[[nodiscard]] std::string units_that_fit(std::string_view dimension);

}  // namespace armdyn
