#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/shared_options.hpp"
#include "io/table/table_format.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

struct VaryOptions : VerbOptions {
  VaryOptions() { output.output = ""; }  // no rows

  std::string motion = "-";
  UncertaintyOptions uncertainty;
  int samples = 1000;
  std::uint64_t seed = 1;
  std::string worst;  ///< a robot file to be written; empty: none
  bool strict = false;
  LogOptions log;
  PlotOptions plot;
};

void declare(OptionList& list, VaryOptions& options);

[[nodiscard]] Answer vary(const VaryOptions& options, Run& run);

}  // namespace armdyn
