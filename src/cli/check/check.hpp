#pragma once

// Options, report and answer of `check`.

#include "cli/options/option_list.hpp"
#include "dynamics/compare.hpp"
#include "dynamics/examination.hpp"

namespace armdyn {

struct CheckOptions : VerbOptions {
  bool strict = false;
  std::string frame;    ///< given in each link's, in which inertia tensors are shown; empty: none
  std::string line;     ///< in each link's frame, for moments of inertia about it; empty: none
  std::string plot;     ///< a drawing of the arm; empty: none
  std::string against;  ///< a robot that may be the same arm; empty: none
};

void declare(OptionList& list, CheckOptions& options);

// Differences of two descriptions of an arm, whatever frames each was written in.

struct Difference {
  std::string joint;
  std::string quantity;  ///< with its unit
  Value here, there;
};

struct ArmDifference {
  std::vector<Difference> numbers;
  Deviation states;  ///< over 200 states at the same q; `tcp` in m
};

/// Compares joint for joint: name; type; place of the next axis; mass, center of mass and principal
/// moments; each field of friction, motor, gear and limits; coupled motors; poses. Differences
/// below a millionth, a µm or 2e-5 rad do not count. Throws InputError for arms of different
/// numbers of joints.
[[nodiscard]] ArmDifference difference(const Robot& here, const Robot& there);

/// Findings that are listed; further ones are counted.
inline constexpr std::size_t most_findings = 50;

/// Findings of the file and then of the examination; the robot is edited.
struct CheckReport : RobotFileReport {
  std::string file;                           ///< for messages: the path, or "standard input"
  std::size_t blanks = 0;                     ///< errors that are values still to be filled in
  Examination examination{};                  ///< of the robot
  std::optional<Transform> frame{};           ///< of --frame, in each link's {i}
  std::optional<Line> line{};                 ///< of --line, in each link's {i}
  std::optional<ArmDifference> difference{};  ///< from another description

  [[nodiscard]] std::size_t count(Severity severity) const;
};

/// Examines a file with the edits of the options. Throws FileError where it cannot be read.
[[nodiscard]] CheckReport examine_file(const std::string& path, const CheckOptions& options);

/// The model as it was understood, findings and the verdict; with --quiet people see only findings
/// and verdict.
[[nodiscard]] Document check_answer(const CheckReport& report, const CheckOptions& options);

}  // namespace armdyn
