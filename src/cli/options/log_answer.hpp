#pragma once

// What torque and compare say about the rows of a log.

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "log/motion_rows.hpp"
#include "report/document.hpp"

namespace armdyn {

/// What was derived, how certain it is, and how the rows follow one another; for programs `input` of
/// docs/commands.md.
[[nodiscard]] Sections log_sections(const LogReport& report, const Robot& robot);
/// Whether --window is so much narrower than the data choose that errors of a fit do not cover.
[[nodiscard]] bool window_is_narrow(const LogReport& report);
/// Rows that are missing or left out, and what in q, qd and qdd does not belong together; one
/// sentence for each reason.
[[nodiscard]] std::vector<std::string> log_warnings(const LogReport& report);

}  // namespace armdyn
