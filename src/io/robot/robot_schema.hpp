#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <optional>
#include <vector>

#include "io/robot/yaml_tree.hpp"
#include "model/check.hpp"

namespace armdyn {

struct ReadRobot {
  Robot robot;  ///< in SI units; defaults where the file has an error
  Notation written;
  Parametrisation parametrisation;
};

/// The robot of a robot file (docs/robot-file.md). What is not as the schema says is added to
/// `findings`; the values are not checked. `set` replaces parameters of the file. Nothing if the
/// file is of another version.
[[nodiscard]] std::optional<ReadRobot> read_robot(const YamlNode& root, const ParameterValues& set,
                                                  std::vector<Finding>& findings);

}  // namespace armdyn
