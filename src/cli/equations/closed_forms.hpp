#pragma once

#include <armdyn/robot_file.hpp>

#include "cli/equations/options.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// Writes the equations as a textbook prints them, as text or LaTeX.
[[nodiscard]] Ending write_closed_forms(const EquationsOptions& options, const RobotFile& file);

/// Says whether Newton and Euler less Lagrange is identically zero; if not, Ending::no.
[[nodiscard]] Ending prove_equivalence(const EquationsOptions& options, const RobotFile& file);

}  // namespace armdyn
