#pragma once

#include <armdyn/robot_file.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/equations/options.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// What is written, and what is said of it.
struct EquationsAnswer {
  std::string text;
  nlohmann::json json;  ///< beside what all verbs say
  std::vector<std::string> warnings{};
  Ending ending = Ending::done;
};

/// The equations as a textbook prints them, as text or LaTeX.
[[nodiscard]] EquationsAnswer closed_forms_answer(const EquationsOptions& options,
                                                  const RobotFile& file);

/// Whether Newton and Euler less Lagrange is identically zero; if not, Ending::no.
[[nodiscard]] EquationsAnswer prove_equivalence(const EquationsOptions& options,
                                                const RobotFile& file);

}  // namespace armdyn
