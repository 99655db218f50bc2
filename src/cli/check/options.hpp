#pragma once

#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "report/say.hpp"

namespace armdyn {

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
  std::string frame;    ///< in each link's, where its tensor is asked for; empty: nowhere
  std::string line;     ///< likewise, about which its moment is
  std::string plot;     ///< a drawing of the arm; empty: none
  std::string against;  ///< a robot that may be the same arm; empty: none
};

void declare(OptionList& list, CheckOptions& options);
[[nodiscard]] Ending run(const CheckOptions& options);

}  // namespace armdyn
