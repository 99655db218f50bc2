#include "log/column_plan.hpp"

namespace armdyn {

std::optional<std::size_t> ColumnPlan::first(Quantity quantity) const {
  for (const auto& [group, column] : groups) {
    if (group == quantity) return column;
  }
  return std::nullopt;
}

bool ColumnPlan::is_si(Quantity quantity) const {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].first != quantity) continue;
    const std::size_t end = i + 1 < groups.size() ? groups[i + 1].second : columns.size();
    for (std::size_t column = groups[i].second; column < end; ++column) {
      if (!columns[column].unit.is_si()) return false;
    }
  }
  return true;
}

}  // namespace armdyn
