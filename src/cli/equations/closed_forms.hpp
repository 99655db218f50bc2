#pragma once

#include <armdyn/robot_file.hpp>

#include <string>
#include <vector>

#include "cli/equations/options.hpp"
#include "report/document.hpp"
#include "report/say.hpp"
#include "symbolic/closed_forms.hpp"
#include "symbolic/textbook.hpp"

namespace armdyn {

/// The equations as a textbook prints them.
class ClosedForms {
 public:
  /// Throws UsageError where they are longer than the options let through.
  ClosedForms(const EquationsOptions& options, const RobotFile& file);

  [[nodiscard]] std::string text(Markup markup) const;
  [[nodiscard]] Json json() const;  ///< beside what all verbs say
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string name_, own_;
  ClosedEquation what_;
  SymbolicArm arm_;
  std::vector<ClosedForm> forms_;
  std::vector<std::string> warnings_;
};

/// Those that the options ask for, by default as the form has it.
[[nodiscard]] Symbols symbols_of(const EquationsOptions& options, const RobotFile& file);

/// Whether Newton and Euler less Lagrange is identically zero; if not, Ending::no.
struct EquivalenceAnswer {
  std::string text;
  Json json;  ///< beside what all verbs say
  Ending ending = Ending::done;
};
[[nodiscard]] EquivalenceAnswer prove_equivalence(const EquationsOptions& options,
                                                  const RobotFile& file);

/// Whether the formulas of a sheet are the arm's; if one is not, Ending::no.
[[nodiscard]] EquivalenceAnswer verify_sheet(const EquationsOptions& options,
                                             const RobotFile& file);

}  // namespace armdyn
