#pragma once

#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/table/table_format.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

struct SizeOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  double dwell = 0.0;   ///< s
  double safety = 1.0;  ///< factor
  LogOptions log;
};

void declare(OptionList& list, SizeOptions& options);
[[nodiscard]] Ending run(const SizeOptions& options);

}  // namespace armdyn
