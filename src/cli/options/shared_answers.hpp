#pragma once

// Answers that several verbs give in the same way: about a log, and a motion that is to be slower.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <optional>
#include <string>
#include <vector>

#include "identification/log_hypotheses.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"
#include "motion/path_limits.hpp"
#include "report/document.hpp"

namespace armdyn {

// Remarks of torque and compare about the rows of a log.

/// Sections that say what was derived, how certain it is, and how the rows follow one another; for
/// programs `input` of docs/commands.md.
[[nodiscard]] Sections log_sections(const LogReport& report, const Robot& robot);
/// Rows that are missing or left out, and what in q, qd and qdd does not belong together; one
/// sentence for each reason.
[[nodiscard]] std::vector<std::string> log_warnings(const LogReport& report);

/// One sentence: what they are, how well that fits, what reads them so, what cannot be told.
[[nodiscard]] std::string hypothesis_remark(const LogFinding& found, const Robot& robot,
                                            const ColumnPlan& plan, const LogOptions& options);

// The fastest uniform slowing of a motion at which limits hold.

/// "|τ| of elbow", "speed of motor of elbow".
[[nodiscard]] std::string limit_name(const Robot& robot, const PathLimit& limit);

/// factor, duration, binding, feasible, is_numeric: of a motion that takes `duration`, s; or where
/// no speed helps, the obstacle.
[[nodiscard]] Fields slow_down_fields(const Robot& robot, const PathDemands& demands,
                                      const SlowDown& found, double duration);

/// The reason why no speed helps, where none does.
[[nodiscard]] std::optional<std::string> slow_down_obstacle(const Robot& robot,
                                                            const PathDemands& demands,
                                                            const SlowDown& found);

}  // namespace armdyn
