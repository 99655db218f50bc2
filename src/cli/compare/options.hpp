#pragma once

#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/plot/plot.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

struct CompareOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion;  ///< empty: random states
  int random = 1000;
  std::uint64_t seed = 1;
  std::vector<Method> methods{std::begin(all_methods), std::end(all_methods)};
  double tolerance = 1e-9;
  InputAccuracy input_error = InputAccuracy::file;
  bool costs = false;
  std::optional<std::size_t>
      processors;  ///< none: no schedule; 0: the fewest found for the fewest steps
  LogOptions log;
  std::string differences;  ///< empty: none
  PlotOptions plot;
};

void declare(OptionList& list, CompareOptions& options);
[[nodiscard]] Ending run(const CompareOptions& options);

}  // namespace armdyn
