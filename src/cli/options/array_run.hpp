#pragma once

// A verb run on values, for Python and C++: a robot and tables in memory; rows and texts come back
// as values.

#include <armdyn/verb.hpp>

#include "cli/options/run.hpp"

namespace armdyn {

/// Tables by the arguments that name them: the bytes of a file of the same name, "motion.npy".
using TablesInMemory = std::map<std::string, std::string>;

/// The bytes of a table with these columns, for a name that ends in .npy.
[[nodiscard]] std::string bytes_of(const NamedColumns& table);
/// The columns of such bytes; none of no bytes.
[[nodiscard]] NamedColumns columns_of(const std::string& bytes);

/// Result of a verb on values.
struct ValueAnswer {
  Answer answer;
  std::string rows;                          ///< bytes of a .npy file; none without rows
  std::map<std::string, std::string> texts;  ///< of artifacts: "output", "worst"
};

/// Runs a verb with words and keywords, names of tables in memory among them. The robot is the one
/// that `edited` makes of its options, or if that is empty the one that they name.
[[nodiscard]] ValueAnswer call_on_values(
    const Verb& verb, const std::vector<std::string>& words, const std::vector<Keyword>& keywords,
    const TablesInMemory& tables, const std::function<RobotFile(const RobotOptions&)>& edited);

}  // namespace armdyn
