#pragma once

// What every verb is asked: plain, validated values.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <optional>
#include <string>

namespace armdyn {

/// The command line is wrong (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Which robot, and how it is to be edited before anything is computed.
struct RobotOptions {
  std::string robot;                      ///< a file, or the bare name of a shipped robot
  std::optional<Vec3> gravity;            ///< replaces the file's, m/s² in the world
  std::optional<MassProperties> payload;  ///< replaces the file's, in the tool frame
  bool without_friction = false;
  bool without_motor = false;
  bool without_payload = false;
  bool without_gravity = false;
};

/// Where results and messages go.
struct OutputOptions {
  std::string output = "-";
  bool json = false;
  bool quiet = false;
  int threads = 0;  ///< 0: all cores
};

}  // namespace armdyn
