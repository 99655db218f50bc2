#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <set>
#include <string>

#include "io/robot/yaml_tree.hpp"
#include "model/check.hpp"
#include "model/robot_fields.hpp"

namespace armdyn {

struct ReadRobot {
  Robot robot;  ///< in SI units; defaults where the file has an error
  Notation written;
  Parametrization parametrization;
  std::set<std::string> blanks;  ///< paths of values still to be filled in
};

/// Spells out in a file what its joints have from their order, names and parents, and puts those that
/// follow others behind the rest; nothing where none does.
void followers_last(YamlNode& root);

/// Reads the robot of a robot file (docs/robot-file.md). Deviations from the schema are added to
/// `findings`; the values are not checked. `set` replaces parameters of the file. Returns nothing if
/// the file is of another version.
[[nodiscard]] std::optional<ReadRobot> read_robot(const YamlNode& root, const ParameterValues& set,
                                                  std::vector<Finding>& findings);

/// Tests whether a field is a joint's position or one of its rates: in files angles, or lengths where the
/// joint is prismatic.
[[nodiscard]] inline bool is_coordinate(const RobotField& field) {
  return field.unit == RobotUnit::position ||
         (field.has(role::limit) && field.unit != RobotUnit::effort);
}

/// Tests whether a number of a joint of that kind is written as an angle: "pi/2".
[[nodiscard]] inline bool is_angle(const RobotField& field, JointType type) {
  return field.unit == RobotUnit::angle || field.unit == RobotUnit::radians ||
         (is_coordinate(field) && is_turning(type));
}

/// Tests whether a frame coincides with the one that it is placed in.
[[nodiscard]] inline bool is_origin(const Placement& place) {
  return place.xyz == Vec3{} && place.rpy == Vec3{};
}

}  // namespace armdyn
