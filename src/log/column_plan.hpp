#pragma once

// Which columns somebody wants of a table, and where they are.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/table_plan.hpp"
#include "log/quantity.hpp"

namespace armdyn {

enum class Need {
  required,  ///< all columns of the group
  optional,  ///< all or none
};

struct WantedGroup {
  Quantity quantity = Quantity::time;
  Need need = Need::required;
  std::string_view instead = {};  ///< for the message where all of it is missing
};

/// A TablePlan whose columns are those of the wanted groups that are there, in the order of the
/// wanting.
struct ColumnPlan : TablePlan {
  /// The Table's column that holds the first of the group; nothing if the group is not there.
  [[nodiscard]] std::optional<std::size_t> first(Quantity quantity) const;
  [[nodiscard]] bool has(Quantity quantity) const { return first(quantity).has_value(); }
  /// Whether the file has all columns of the group in SI units; also where it has none.
  [[nodiscard]] bool is_si(Quantity quantity) const;

  std::vector<std::pair<Quantity, std::size_t>> groups;  ///< the wanted ones that are there
  std::string recognised;  ///< for the user: whose log, which columns became what; empty: as named
};

}  // namespace armdyn
