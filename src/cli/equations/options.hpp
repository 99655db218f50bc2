#pragma once

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "dynamics/written_equation.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// How equations are written down.
enum class EquationForm { listing, c, python, matlab };

struct EquationsOptions {
  RobotOptions robot;
  OutputOptions output;
  Equation what = Equation::torque;
  EquationForm form = EquationForm::c;
  std::vector<std::string> symbols;  ///< numbers of the arm that stay symbols; "all"
  bool as_float = false;
  bool check = false;
};

[[nodiscard]] Ending run(const EquationsOptions& options);

[[nodiscard]] Verb equations_verb();

}  // namespace armdyn
