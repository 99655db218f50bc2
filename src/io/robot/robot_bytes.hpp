#pragma once

#include <armdyn/robot_file.hpp>

#include <string>
#include <string_view>
#include <vector>

// A robot file in steps: its bytes, and what they say.

namespace armdyn {

/// All bytes, or more than a robot file may have, if there are so many. Throws FileError.
[[nodiscard]] std::string read_robot_bytes(const std::string& path);

/// "fnv1a64:" and 16 hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);

/// As examine_robot_file and read_robot_file; the path is for messages.
[[nodiscard]] RobotFileReport examine_robot_bytes(const std::string& bytes, const std::string& path,
                                                  const ParameterValues& set = {});
[[nodiscard]] RobotFile parse_robot_file(const std::string& bytes, const std::string& path,
                                         const ParameterValues& set = {});

/// The errors as they are thrown, one per line, at most 50.
[[nodiscard]] std::string error_lines(const std::vector<Finding>& findings,
                                      const std::string& file);

}  // namespace armdyn
