#pragma once

#include <armdyn/robot.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "report/say.hpp"

namespace armdyn {

/// What robot file `new` is to write.
struct NewOptions {
  OutputOptions output;
  std::string name = "my-arm";
  std::optional<Convention> convention;  ///< absent: left open in the file
  std::vector<JointType> joints{6, JointType::revolute};
  bool force = false;
};

[[nodiscard]] Ending run(const NewOptions& options);

[[nodiscard]] Verb new_verb();

}  // namespace armdyn
