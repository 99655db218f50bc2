#pragma once

// Quantities that columns are likely to hold, by the words in their names.

#include <armdyn/identification.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// Tests whether that is the name of a column of times.
[[nodiscard]] bool is_time_name(const std::string& cell);

/// Parts of a rated torque in a column's numbers of 1, by its name: 100 of "Trq1(%)", "tau1 [%]" and
/// "effort_pct_1", 1000 of "Trq1 [‰]"; nothing where it names none.
[[nodiscard]] std::optional<double> parts_of_rated(std::string_view cell);

/// Tests whether a column is by its name a part or an estimate of torques or of a wrench, such as
/// "tau_ext_0", "O_F_ext_hat_K_0" and "gravity_torque_1".
[[nodiscard]] bool is_part_of_torque(const std::string& cell);

/// A column for each joint, by names that differ in the number or the name of the joint alone.
struct JointColumns {
  std::string columns;             ///< as in --columns: "Joint{1..6} Pos"
  std::vector<std::size_t> cells;  ///< in the order of the joints
  bool is_measured = true;         ///< neither asked for by a controller nor computed, by the names
};

/// All of a header.
[[nodiscard]] std::vector<JointColumns> joint_columns(const std::vector<std::string>& cells,
                                                      const Robot& robot);

/// Cells of the joints' torques or currents that are parts of rated ones; empty without any.
[[nodiscard]] std::vector<std::size_t> torques_in_parts(const std::vector<std::string>& cells,
                                                        const Robot& robot);

struct LikelyColumns {
  std::map<std::string_view, JointColumns> groups;  ///< by the names in --columns: "q", "tau"
  bool is_plain = true;  ///< all words are known but those of every name, and each quantity has one
};
/// Columns that are likely to hold the quantities that are not `taken`. Those that were measured go
/// before those that a controller asks for, and these before computed ones.
[[nodiscard]] LikelyColumns likely_columns(const std::vector<std::string>& cells,
                                           const Robot& robot,
                                           const std::set<std::string_view>& taken);

/// Suggests --columns by the names of a header's columns, "t=time,q=Joint{1..6} Pos,qd=Joint{1..6}
/// Vel", without the groups that are `taken`. Empty for a single joint.
[[nodiscard]] std::vector<ColumnChoice> columns_hint(const std::vector<std::string>& cells,
                                                     const Robot& robot,
                                                     const std::set<std::string_view>& taken);

}  // namespace armdyn
