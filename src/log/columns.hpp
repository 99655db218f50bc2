#pragma once

// What the columns of a table mean for one robot: which is what, and in which unit.

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "log/column_plan.hpp"
#include "log/header_meaning.hpp"

namespace armdyn {

enum class ExtraColumns { refuse, ignore };

struct ColumnOptions {
  ExtraColumns extra = ExtraColumns::refuse;
  std::vector<ColumnChoice> choices{};
  std::string text_column{};  ///< one that holds words, not numbers; empty: none
};

/// Finds the wanted columns. Throws InputError for what is missing, unknown, twice there, beyond
/// the robot's joints, or in a unit that does not fit.
[[nodiscard]] ColumnPlan plan_columns(const Header& header, const Robot& robot,
                                      const std::vector<WantedGroup>& wanted,
                                      const ColumnOptions& options = {});

}  // namespace armdyn
