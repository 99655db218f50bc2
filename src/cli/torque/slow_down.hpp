#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "report/document.hpp"

namespace armdyn {

/// A whole motion on its way to its fastest uniform slowing.
class MotionToSlowDown {
 public:
  /// Throws UsageError where the motion has no times, or the robot no limit.
  MotionToSlowDown(const Robot& robot, const ColumnPlan& plan);

  /// Throws InputError at a gap.
  void add(const Table& rows);

  struct Answer {
    Sections sections;
    std::optional<std::string> obstacle;  ///< why no speed helps
  };
  /// Throws InputError for fewer than two rows.
  [[nodiscard]] Answer answer();

 private:
  const Robot& robot_;
  ColumnPlan plan_;
  RecordedRows rows_;
  std::vector<double> hand_;  ///< six per row, or none
};

}  // namespace armdyn
