#pragma once

// Value of --columns that a header's names suggest.

#include <armdyn/robot.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// Tells whether that is the name of a column of times.
[[nodiscard]] bool is_time_name(const std::string& cell);

/// Suggests a value of --columns by the names of a header's columns, "t=time,q=Joint{1..6}
/// Pos,qd=Joint{1..6} Vel", without the groups that are `taken`: a column of times, and `dof` columns
/// that differ by their number or the joint's name alone, measured ones before those asked for. Empty
/// for a single joint.
[[nodiscard]] std::string columns_hint(const std::vector<std::string>& cells, const Robot& robot,
                                       std::set<std::string_view> taken);

}  // namespace armdyn
