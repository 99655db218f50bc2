#pragma once

// What torque and compare say about the rows of a log.

#include <armdyn/robot.hpp>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "log/motion_rows.hpp"

namespace armdyn {

/// What was derived, how certain it is, and how the rows follow one another; empty: nothing was
/// done to the rows.
[[nodiscard]] std::string log_text(const LogReport& report, const Robot& robot);
/// Rows that are missing or left out, and what in q, qd and qdd does not belong together; one
/// sentence for each reason.
[[nodiscard]] std::vector<std::string> log_warnings(const LogReport& report);
/// `input` of docs/commands.md.
[[nodiscard]] nlohmann::json log_json(const LogReport& report, const Robot& robot);

}  // namespace armdyn
