#pragma once

// A verb run on values, for Python and C++: a robot and tables in memory; rows and texts come back
// as values.

#include <armdyn/robot_file.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/options/option_list.hpp"
#include "cli/options/run.hpp"

namespace armdyn {

/// Tables by the arguments that name them: the bytes of a file of the same name, "motion.npy".
using TablesInMemory = std::map<std::string, std::string>;

/// What a verb gives on values.
struct ValueAnswer {
  Ending ending = Ending::done;
  std::string message;
  Json data;                 ///< of the document
  bool keeps_order = false;  ///< as of the document
  std::string rows;          ///< the bytes of a .npy file; none where the verb has none
  std::map<std::string, std::string> texts;  ///< of artifacts: "output", "worst"
};

/// Runs a verb with words and keywords, of which some name tables in memory; on the robot that
/// `edited` makes of its options, or if that is empty on the one that they name.
[[nodiscard]] ValueAnswer call_on_values(
    const Verb& verb, const std::vector<std::string>& words, const std::vector<Keyword>& keywords,
    const TablesInMemory& tables, const std::function<RobotFile(const RobotOptions&)>& edited);

}  // namespace armdyn
