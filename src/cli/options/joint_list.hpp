#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"

namespace armdyn {

/// One number per joint, from the text of an option: "0,-1.57,pi/2" (rad, m, and per s) or
/// "0,-90,0 deg", which converts the entries of revolute joints; empty text: zeros. Throws
/// UsageError.
[[nodiscard]] std::vector<double> parse_joint_list(const std::string& option,
                                                   const std::string& text, const Robot& robot);

/// The same, or one number for all joints; each must be greater than 0.
[[nodiscard]] std::vector<double> parse_positive_each(const std::string& option,
                                                      const std::string& text, const Robot& robot);

/// The same for positions, where a pose of the robot file may stand for the list.
[[nodiscard]] std::vector<double> parse_position(const std::string& option, const std::string& text,
                                                 const Robot& robot);

/// The text of an option, by its name.
using NamedText = std::pair<std::string, std::string>;

/// Warns of positions, and of the angles of --to-hand, that look like degrees.
[[nodiscard]] std::vector<Finding> lists_in_degrees(const std::vector<NamedText>& lists,
                                                    const Robot& robot);

/// Joints by their numbers from 1 or their names, "1,3,elbow", counted from 0, each once; empty
/// text: none. Throws UsageError.
[[nodiscard]] std::vector<std::size_t> parse_joints(const std::string& option,
                                                    const std::string& text, const Robot& robot);

/// Whether such a text leaves open that degrees are meant: numbers without " deg", no pose.
[[nodiscard]] bool is_without_unit(const std::string& text, const Robot& robot);

}  // namespace armdyn
