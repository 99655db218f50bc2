#pragma once

// What verbs say in the same way.

#include <armdyn/robot.hpp>

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

/// "armdyn: warning: ..." lines.
void print_warnings(const std::vector<std::string>& warnings);

/// As what kind of log the columns of a file were recognised: a line for the user, or nothing.
[[nodiscard]] std::string recognised_line(const std::string& file, const std::string& recognised);

/// 'R' or 'P'.
[[nodiscard]] char letter(JointType type);

/// "RRPRRR": the joints from base to hand.
[[nodiscard]] std::string joint_types(const Robot& robot);

/// One number per joint in a summary, with 0 for -0.
[[nodiscard]] nlohmann::json joint_values(std::span<const double> values);

}  // namespace armdyn
