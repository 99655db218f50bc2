#pragma once

// What every verb is asked: plain, validated values.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace armdyn {

/// The command line is wrong (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Parts of a robot that are left out of what is computed.
struct LeftOut {
  bool friction = false;  ///< all of it, at the joint and at the motor
  bool rotors = false;    ///< their inertia
  bool payload = false;
  bool gravity = false;
};

/// Which robot, and how it is to be edited before anything is computed.
struct RobotOptions {
  std::string robot;                      ///< a file, or the bare name of a shipped robot
  ParameterValues set{};                  ///< replaces values of the file's parameters
  std::optional<Vec3> gravity;            ///< replaces the file's, m/s² in the world
  std::optional<MassProperties> payload;  ///< replaces the file's, in the tool frame
  LeftOut without;
};

/// An option as a summary repeats it; monostate: it has no value.
struct UsedOption {
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             std::vector<std::string>, std::map<std::string, std::string>>;
  std::string key;
  Value value;
};

/// Where results and messages go.
struct OutputOptions {
  std::string output = "-";
  bool json = false;
  bool quiet = false;
  bool force = false;            ///< replaces files that a person wrote
  int threads = 0;               ///< 0: all cores
  std::vector<UsedOption> used;  ///< what a JSON summary repeats
};

}  // namespace armdyn
