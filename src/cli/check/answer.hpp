#pragma once

// What `check` says: as text for reading in 100 columns, and as JSON.

#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/check/difference.hpp"
#include "cli/check/options.hpp"
#include "cli/options/value_text.hpp"
#include "dynamics/examination.hpp"
#include "report/answer.hpp"

namespace armdyn {

/// Findings that are listed; what comes after them is counted.
inline constexpr std::size_t most_findings = 50;

struct CheckReport {
  std::string file;                           ///< for messages: the path, or "standard input"
  std::string digest;                         ///< of the file
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

/// What a joint feels over its range, by itself. People see gravity up to `rounding` as none.
[[nodiscard]] Fields load_fields(const Joint& joint, const JointLoad& load, double rounding);

[[nodiscard]] Fields difference_fields(const Difference& difference);

/// The model as it was understood: tables, totals, notes.
[[nodiscard]] std::string model_text(const CheckReport& report);

/// One line per finding, and one with the verdict.
[[nodiscard]] std::string verdict_text(const CheckReport& report);

[[nodiscard]] nlohmann::json check_json(const CheckReport& report, const CheckOptions& options);

}  // namespace armdyn
