#pragma once

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "identification/identify.hpp"
#include "io/plot/plot.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

struct IdentifyOptions {
  RobotOptions robot;
  std::vector<std::string> logs, held_out;
  LogOptions log = smoothed();
  IdentifyTask task;
  OutputOptions output = no_file();  ///< unless it is named
  PlotOptions plot;

 private:
  static LogOptions smoothed() {
    LogOptions log;
    log.derive = log.smooth = true;
    return log;
  }
  static OutputOptions no_file() {
    OutputOptions output;
    output.output.clear();
    return output;
  }
};

[[nodiscard]] Ending run(const IdentifyOptions& options);

}  // namespace armdyn
