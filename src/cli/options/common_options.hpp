#pragma once

// Values of the options that every verb has.

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include "io/table/table_format.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The command line is wrong (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
  template <class First, class... More>
  UsageError(fmt::format_string<First, More...> format, First&& first, More&&... more)
      : Error(fmt::format(format, std::forward<First>(first), std::forward<More>(more)...)) {}
};

/// Throws UsageError with that message if something is wrong.
template <class... Values>
void refuse_if(bool is_wrong, fmt::format_string<const Values&...> format,
               const Values&... values) {
  if (is_wrong) throw UsageError(fmt::format(format, values...));
}

/// Parts of a robot that computations leave out.
struct LeftOut {
  bool friction = false;  ///< all of it, at the joint and at the motor
  bool rotors = false;    ///< their inertia
  bool payload = false;
  bool gravity = false;
};

/// The robot, and its edits before anything is computed.
struct RobotOptions {
  std::string robot;  ///< a file, or the bare name of a shipped robot
  RobotFileOptions reading{};
  std::optional<Vec3> gravity;            ///< replaces the file's, m/s² in the world
  std::optional<MassProperties> payload;  ///< replaces the file's, in the tool frame
  LeftOut without;
};

/// The places where results and messages go.
struct OutputOptions {
  std::string output = "-";
  bool is_whole = false;  ///< a terminal, too, gets all rows
  bool json = false;
  Renderer format = text_of;  ///< without JSON
  bool all = false;           ///< people see what only experts read, too
  bool degrees = false;       ///< people see angles in degrees (shown_unit)
  bool quiet = false;
  bool force = false;                ///< replaces files that a person wrote
  unsigned threads = 0;              ///< 0: all cores
  std::string report;                ///< a page of the answer; empty: none
  std::optional<Part> part;          ///< of the rows, into a file of its own
  std::string divider;               ///< what divides the rows: "--part"; empty: nothing
  std::map<std::string, Json> used;  ///< options by their keys in JSON summaries; null: no value
  // For reports.
  std::string command;
  std::vector<std::string> inputs;  ///< texts of options, names of files among them

  /// Tests whether people see more than warnings.
  [[nodiscard]] bool speaks() const { return !quiet && !json; }
};

/// Options of a picture.
struct PlotOptions {
  std::string file;      ///< empty: no picture
  std::string joints;    ///< names or numbers; empty: the active ones
  bool degrees = false;  ///< for revolute joints, instead of rad

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

/// Options of every verb about one robot.
struct VerbOptions {
  RobotOptions robot;
  OutputOptions output;
};

}  // namespace armdyn
