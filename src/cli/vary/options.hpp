#pragma once

#include <armdyn/robot_file.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/part_file.hpp"
#include "dynamics/sampled_robot.hpp"
#include "io/table/table_format.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

/// "l1=2mm": a bound of what may be a parameter of the robot file.
struct NamedBound {
  std::string name, text;
};

struct VaryOptions {
  VaryOptions() { output.output = ""; }  // no rows

  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  std::string uncertainty_text;
  Uncertainty uncertainty;               ///< without parameters
  std::vector<NamedBound> other_bounds;  ///< of parameters of the file, which is not read yet
  int samples = 1000;
  std::uint64_t seed = 1;
  std::string worst;  ///< a robot file to be written; empty: none
  bool strict = false;
  LogOptions log;
  std::optional<Part> part;
};

void declare(OptionList& list, VaryOptions& options);

/// With the parameters of this file. Throws UsageError where it has none of a name.
[[nodiscard]] Uncertainty uncertainty_of(const VaryOptions& options, const RobotFile& file);

[[nodiscard]] Ending run(const VaryOptions& options);
/// The same, chunk by chunk.
[[nodiscard]] std::unique_ptr<RowJob> row_job(const VaryOptions& options);

}  // namespace armdyn
