#pragma once

// What verbs say in the same way.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/answer.hpp"

namespace armdyn {

/// "armdyn: warning: ..." lines.
[[nodiscard]] std::string warnings_text(const std::vector<std::string>& warnings);
void print_warnings(const std::vector<std::string>& warnings);

/// Lists one behind the other.
[[nodiscard]] std::vector<std::string> joined(
    std::initializer_list<std::vector<std::string>> lists);

/// As what kind of log the columns of a file were recognised: a line for the user, or nothing.
[[nodiscard]] std::string recognised_line(const std::string& file, const std::string& recognised);

/// "puma560: 12 rows, t = 0 to 1.1 s"; the moments may be missing.
[[nodiscard]] Fields rows_head(const Robot& robot, std::size_t rows, const Value& moments);

/// One number per joint in a summary, with 0 for -0.
[[nodiscard]] nlohmann::json joint_values(std::span<const double> values);

}  // namespace armdyn
