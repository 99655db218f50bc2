#pragma once

#include "cli/options/option_list.hpp"
#include "dynamics/arm_program.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {

/// Form of written equations: closed forms, or code.
using EquationForm = std::variant<Markup, Language>;

/// Terms of a closed form, for arms of more than three joints, that are printed unless asked for.
inline constexpr std::size_t default_terms_limit = 200;

struct EquationsOptions : VerbOptions {
  std::size_t asked = 0;  ///< number of the name of --what; the next two are its meanings
  Equation what = Equation::torque;
  std::optional<ClosedEquation> closed = ClosedEquation::torque;  ///< none: it has no such form
  JacobianView view;
  TaskAxes axes = TaskAxes::base;  ///< those of the view, or their default
  EquationForm format = Markup::text;
  std::string q, qd, qdd;  ///< a state for closed forms; empty: none, or zero
  std::optional<std::size_t> terms_limit;
  bool is_as_paper_004 = false;
  bool prove = false;
  std::string verify;       ///< a file with formulas; empty: none
  bool names_what = false;  ///< --what was given
  std::string entry;
  std::vector<std::string> names;  ///< of the sheet: "l1=a1"
  /// Numbers of the arm that stay symbols; "all"; empty: none; absent: as the form has it.
  std::optional<std::vector<std::string>> symbols;
  bool as_float = false;
  bool standalone = false;  ///< LaTeX as a document
  bool check = false;
  std::string check_file;  ///< beside the code; empty: none
  std::string types_file;  ///< likewise, with the types of JavaScript
};

void declare(OptionList& list, EquationsOptions& options);
[[nodiscard]] Answer write_equations(const EquationsOptions& options, Run& run);

/// The text, and the verb's own part of the summary.
struct EquationsAnswer {
  std::string text;
  Json json;
  std::vector<std::string> warnings = {};
  Ending ending = Ending::done;
  std::string latex = {};  ///< of closed forms, where it was asked for
  Sections sections = {};  ///< of closed forms
};

/// The state at which a closed form has values; zero where it is not given.
struct EquationsState {
  EquationsState(const EquationsOptions& options, const Robot& robot);
  std::vector<double> q, qd, qdd;
  bool is_given;
};

/// Tests whether there is friction that closed forms leave out.
[[nodiscard]] bool has_friction_beside_viscous(const Robot& robot);

/// The equations as a textbook prints them, in the form that is asked for and, `with_latex`, as
/// LaTeX. Throws UsageError where they are longer than the options let through.
[[nodiscard]] EquationsAnswer written_closed_forms(const EquationsOptions& options,
                                                   const RobotFile& file, bool with_latex);
/// The recursion in the arrays of paper 004. Throws UsageError for arms that the paper does not
/// have.
[[nodiscard]] EquationsAnswer written_arrays(const EquationsOptions& options,
                                             const RobotFile& file);
/// Proof that Newton-Euler minus Lagrange is identically zero; Ending::no if it is not.
[[nodiscard]] EquationsAnswer prove_equivalence(const EquationsOptions& options,
                                                const RobotFile& file);
/// Verdicts on the formulas of a sheet; Ending::no if one is not the arm's.
[[nodiscard]] EquationsAnswer verify_sheet(const EquationsOptions& options, Run& run);

/// The function that was asked for. Throws UsageError where it has no such parameters, or is too
/// long.
[[nodiscard]] WrittenFunction code_function(const EquationsOptions& options, const RobotFile& file);
/// A program that tests the code with what the library computes.
[[nodiscard]] std::string code_check_text(const EquationsOptions& options, const RobotFile& file,
                                          const WrittenFunction& function);

}  // namespace armdyn
