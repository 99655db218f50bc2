#pragma once

#include <armdyn/robot.hpp>

#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "io/robot/urdf_chain.hpp"
#include "model/serial_chain.hpp"
#include "report/say.hpp"

namespace armdyn {

struct ConvertOptions {
  std::string input;  ///< a file, "-", or the bare name of a shipped robot
  OutputOptions output;
  std::optional<Convention> convention;  ///< absent: the input's, else modified
  ParameterValues set{};
  ChainChoice chain;
  std::optional<Snap> snap;  ///< absent: the default
};

[[nodiscard]] Ending run(const ConvertOptions& options);

[[nodiscard]] Verb convert_verb();

}  // namespace armdyn
