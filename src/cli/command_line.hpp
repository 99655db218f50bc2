#pragma once

#include <string>
#include <vector>

#include "cli/options/verb.hpp"

namespace armdyn {

/// A program and what it can do.
struct ProgramDescription {
  std::string name = "armdyn";
  std::string purpose =
      "Dynamics of serial robot arms: the torques that a motion needs, the motion that torques "
      "make, "
      "the equations behind them, and formulations that check one another.";
  std::string examples =
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn simulate craig-rr --duration 2 -o fall.csv --plot fall.svg\n"
      "  armdyn track puma560 puma560-pick-and-place -o track.csv --plot track.svg\n"
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn check ur10e\n"
      "  armdyn robots\n"
      "  armdyn torque --help\n";
  std::vector<Verb> verbs{};  ///< in the order of the help
};

/// Turns the arguments into a command. Throws UsageError, which names the nearest verb or option.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv,
                                         const ProgramDescription& program);

}  // namespace armdyn
