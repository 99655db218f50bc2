#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/row_job.hpp"
#include "cli/options/verb.hpp"
#include "dynamics/drawn_robot.hpp"
#include "io/table/part.hpp"
#include "log/log_options.hpp"
#include "report/ending.hpp"

namespace armdyn {

struct VaryOptions {
  VaryOptions() { output.output = ""; }  // no rows

  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  std::string uncertainty_text;
  Uncertainty uncertainty;
  int samples = 1000;
  std::uint64_t seed = 1;
  std::string worst;  ///< a robot file to be written; empty: none
  bool strict = false;
  LogOptions log;
  std::optional<Part> part;
};

void declare(OptionList& list, VaryOptions& options);
[[nodiscard]] Ending run(const VaryOptions& options);
/// The same, chunk by chunk.
[[nodiscard]] std::unique_ptr<RowJob> row_job(const VaryOptions& options);

[[nodiscard]] Verb vary_verb();

}  // namespace armdyn
