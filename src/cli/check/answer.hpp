#pragma once

// What `check` says.

#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>
#include "dynamics/examination.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/check/difference.hpp"
#include "cli/check/options.hpp"
#include "cli/options/value_text.hpp"
#include "report/document.hpp"

namespace armdyn {

/// Findings that are listed; what comes after them is counted.
inline constexpr std::size_t most_findings = 50;

struct CheckReport {
  std::string file;                           ///< for messages: the path, or "standard input"
  std::string digest;                         ///< of the file
  std::vector<std::string> notes{};           ///< of a URDF: the chain taken
  std::optional<Robot> robot;                 ///< edited; there if the file has no error
  std::vector<Parameter> parameters{};        ///< of the file, those of --set as set
  Examination examination{};                  ///< of that robot
  std::vector<Finding> findings;              ///< of the file, then of the examination
  std::optional<Transform> frame{};           ///< in each link's {i}: tensors there are asked for
  std::optional<Line> line{};                 ///< likewise: moments about it
  std::optional<ArmDifference> difference{};  ///< from another description

  [[nodiscard]] std::size_t count(Severity severity) const;
};

/// Of a file, with what the options edit and ask for. Throws FileError where it cannot be read.
[[nodiscard]] CheckReport examine_file(const std::string& path, const CheckOptions& options);

/// The model as it was understood, findings and the verdict; if it shall be quiet, for people only
/// the latter.
/// What a bag holds, and which topics are read of it.
[[nodiscard]] Ending check_bag(const CheckOptions& options);

[[nodiscard]] Document check_answer(const CheckReport& report, const CheckOptions& options);

}  // namespace armdyn
