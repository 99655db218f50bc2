#pragma once

#include <cstddef>
#include <string>

#include "log/column_plan.hpp"
#include "log/header_meaning.hpp"

namespace armdyn {

/// What the user is told: whose log it is, which columns became what. Empty: all are as named.
[[nodiscard]] std::string recognised_text(const HeaderMeaning& meaning, const Header& header,
                                          const ColumnPlan& plan, std::size_t ignored_columns);

}  // namespace armdyn
