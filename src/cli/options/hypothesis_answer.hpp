#pragma once

// What is said of a log whose columns are probably not what they are taken for.

#include <armdyn/robot.hpp>

#include <string>

#include "identification/log_hypotheses.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

/// One sentence: what they are, how well that fits, what reads them so, what cannot be told.
[[nodiscard]] std::string hypothesis_remark(const LogFinding& found, const Robot& robot,
                                            const ColumnPlan& plan, const LogOptions& options);

}  // namespace armdyn
