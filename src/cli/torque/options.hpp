#pragma once

#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/plot/plot.hpp"
#include "io/table/table_format.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

struct TorqueOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  Method method = Method::newton_euler;
  bool bounds = false;
  InputAccuracy input_error = InputAccuracy::file;
  bool terms = false;
  bool reactions = false;
  bool keep_motion = false;
  LogOptions log = finding_rest();
  bool strict = false;
  bool slow_down = false;
  std::optional<Part> part;
  PlotOptions plot;

 private:
  static LogOptions finding_rest() {
    LogOptions log;
    log.finds_rest = true;
    return log;
  }
};

void declare(OptionList& list, TorqueOptions& options);
[[nodiscard]] Ending run(const TorqueOptions& options);

}  // namespace armdyn
