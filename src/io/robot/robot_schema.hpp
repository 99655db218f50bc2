#pragma once

#include <armdyn/finding.hpp>
#include <armdyn/robot.hpp>

#include <optional>
#include <vector>

#include "io/robot/yaml_tree.hpp"
#include "model/check.hpp"

namespace armdyn {

struct ReadRobot {
  Robot robot;  ///< in SI units; defaults where the file has an error
  Notation written;
};

/// The robot of a robot file (docs/robot-file.md). What is not as the schema says is added to
/// `findings`; the values are not checked. Nothing if the file is of another version.
[[nodiscard]] std::optional<ReadRobot> read_robot(const YamlNode& root,
                                                  std::vector<Finding>& findings);

}  // namespace armdyn
