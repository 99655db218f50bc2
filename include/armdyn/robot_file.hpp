#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace armdyn {

/// A named number of a robot file, for its formulas.
struct Parameter {
  std::string name;
  double value = 0.0;
  bool has_pi = false;  ///< as an angle it is in radians
  /// Half a unit of its last decimal, or that of its formula's parameters as it reaches this one.
  double half_unit = 0.0;
  /// Characters of its formula and of the longest chain of formulas before it.
  std::size_t length = 0;
  std::string formula{};  ///< of parameters before it; empty: a number
};

/// Parameters by name, in place of those of a file.
using ParameterValues = std::map<std::string, Parameter, std::less<>>;

/// Distance from parallel, at right angles or intersecting within which axes are taken as such.
struct Snap {
  double angle = 2e-5;   ///< rad
  double length = 1e-6;  ///< m
};

/// Options of reading a robot file.
struct RobotReading {
  ParameterValues set{};  ///< values in place of those of its parameters
  /// Links of a URDF where the chain begins and ends; empty: the root, and where the only arm ends.
  std::string base{}, tip{};
  std::optional<Snap> snap{};  ///< of a URDF's axes, if not the usual one
};

/// A number of a robot as its file has it, a formula of parameters or not.
struct WrittenNumber {
  std::string path;    ///< joints[0].com[0]
  std::string text;    ///< 2*l1
  double value = 0.0;  ///< in SI units
};

/// Parameters of a file and the numbers that are formulas of them; empty for a file without.
struct Parametrisation {
  std::vector<Parameter> parameters;  ///< in the order of the file
  std::vector<WrittenNumber> numbers;
  std::vector<bool> inertia_about_origin;  ///< per joint
  double metre = 1.0;                      ///< in the file's unit of length
};

/// Function that makes the robot of a file with values in place of those of its parameters. Throws
/// InputError, one line per error, where the file is wrong with these.
using RobotOfParameters = std::function<Robot(const ParameterValues&)>;

/// A robot read from a file that has no error; warnings may remain.
struct RobotFile {
  Robot robot;
  std::vector<Finding> warnings;  ///< each with line and column
  std::string path;               ///< as given
  std::string digest;             ///< of the file's bytes: "fnv1a64:" and 16 hexadecimal digits
  Parametrisation written{};
  RobotOfParameters of_parameters{};  ///< of a YAML file
};

/// Reads and checks a robot file (docs/robot-file.md); "-" is standard input. Values for parameters
/// that it does not have, and a choice of links in a file that is no URDF, are passed over. Throws
/// FileError where the file cannot be read, InputError with one line per error, at most 50, where
/// its content is wrong, Error where a URDF has no link of that name.
[[nodiscard]] RobotFile read_robot_file(const std::string& path, const RobotReading& reading = {});

/// All findings of a robot file, errors first, each part in the order of the file; `robot` is there
/// only if none is an error. Has no warnings of a file that does not follow the schema, since
/// defaults stand in for values.
struct RobotFileReport {
  std::optional<Robot> robot;
  std::vector<Finding> findings;
  std::string digest;
  std::vector<std::string> notes{};  ///< of a URDF: the chain and the extensions that were taken
  Parametrisation written{};
  RobotOfParameters of_parameters{};
  /// Sets line and column of a finding about that robot, from other checks.
  std::function<void(Finding&)> locate = [](Finding&) {};
};
/// Reads and checks a robot file as read_robot_file does. Throws FileError where it cannot be read.
[[nodiscard]] RobotFileReport examine_robot_file(const std::string& path,
                                                 const RobotReading& reading = {});

/// "FILE:12:7: error: joints[2].dh.alpha: message", the form in which all findings are shown. Line
/// and column, or the path, are left out where they are not known.
[[nodiscard]] std::string to_text(const Finding& finding, const std::string& file);

/// The errors among them, one line each, at most 50.
[[nodiscard]] std::string error_lines(const std::vector<Finding>& findings,
                                      const std::string& file);

}  // namespace armdyn
