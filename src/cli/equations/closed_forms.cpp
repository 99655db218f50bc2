#include "cli/equations/closed_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/option_list.hpp"
#include "dynamics/friction.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"

namespace armdyn {

namespace {

constexpr std::size_t always_in_full = 3;  // joints

SymbolicArm arm_of(const EquationsOptions& options, const RobotFile& file) {
  const Angles angles =
      options.closed == ClosedEquation::cartesian ? Angles::of_joints : Angles::of_sums;
  return symbolic_arm(file.robot, file.written, symbols_of(options, file), angles);
}

/// What the equations say, for a heading.
const char* heading(ClosedEquation what) {
  return text_of_value(
      what, {"τ = M q̈ + V + G", "M of τ = M q̈ + V + G; it is symmetric", "V of τ = M q̈ + V + G",
             "G of τ = M q̈ + V + G", "C of V = C q̇, by Christoffel symbols",
             "B and C of V = B (q̇ q̇) + C (q̇²), B by rows and pairs of joints",
             "F = Mx ẍ + Vx + Gx at the tool in {0}, and Jᵀ Vx = Bx (q̇ q̇) + Cx (q̇²)",
             "J of the tool in {0}; rows that are not here are zero",
             "Y of τ = Y π, columns of the bodies; entries that are not here are zero",
             "k of each link, and K = ½ q̇ᵀ M q̇ of the arm with its rotors",
             "u of each link, and U of the arm, zero at the origin of {0}"});
}

bool has_friction_beside_viscous(const Robot& robot) {
  return std::ranges::any_of(robot.joints, [](const Joint& joint) {
    Drive drive{joint.friction, joint.motor};
    drive.friction.viscous = drive.motor.viscous = 0.0;
    return has_friction(drive);
  });
}

[[noreturn]] void refuse_length(const std::string& what, const char* remedy = "") {
  throw UsageError("equations: {}; --form listing and --form c write any arm down step by step{}",
                   what, remedy);
}

/// The forms within the limit; throws where there are none.
std::vector<ClosedForm> within_limit(const EquationsOptions& options, const SymbolicArm& arm,
                                     std::vector<ClosedForm> forms,
                                     std::vector<std::string>& left_out) {
  if (arm.q.size() <= always_in_full && !options.terms_limit) return forms;
  const std::size_t limit = options.terms_limit.value_or(default_terms_limit);
  std::vector<ClosedForm> kept;
  std::size_t most = 0, all = 0;
  for (ClosedForm& form : forms) {
    const std::size_t terms = longest(arm, {form});
    most = std::max(most, terms);
    all += terms;
    if (terms <= limit) {
      kept.push_back(std::move(form));
    } else {
      left_out.push_back(fmt::format("{} has {} terms", left_side(arm, form), terms));
    }
  }
  if (kept.empty()) {
    refuse_length(fmt::format("the closed form has {} terms, up to {} in one equation, where {} "
                              "are the limit",
                              all, most, limit),
                  ", --terms-limit N lets longer closed forms through");
  }
  return kept;
}

}  // namespace

Symbols symbols_of(const EquationsOptions& options, const RobotFile& file) {
  using Which = Symbols::Which;
  const auto& names = options.symbols;
  if (names && names->empty()) return {Which::none, {}};
  if (names && *names == std::vector<std::string>{"all"}) return {Which::all, {}};
  if (names) return {Which::named, *names};
  if (options.prove) return {Which::all, {}};
  if (!file.written.parameters.empty()) return {Which::parameters, {}};
  return {file.robot.dof() <= always_in_full ? Which::all : Which::none, {}};
}

ClosedForms::ClosedForms(const EquationsOptions& options, const RobotFile& file)
    : name_(file.robot.name),
      own_(own_line(file.digest)),
      what_(*options.closed),
      arm_(arm_of(options, file)) {
  std::vector<std::string> left_out;
  try {
    forms_ = within_limit(options, arm_, closed_forms(arm_, what_), left_out);
  } catch (const std::length_error&) {
    refuse_length(fmt::format("the closed form has more than {} terms", most_terms));
  }
  if (!left_out.empty()) {
    warnings_.push_back(fmt::format("left out, above --terms-limit {}: {}",
                                    options.terms_limit.value_or(default_terms_limit),
                                    fmt::join(left_out, ", ")));
  }
  if (what_ == ClosedEquation::torque && has_friction_beside_viscous(file.robot)) {
    warnings_.push_back("friction other than viscous has no closed form and is left out");
  }
  for (const std::string& formula : arm_.taken_as_numbers) {
    warnings_.push_back("taken as a number: " + formula);
  }
  const std::string& path = options.output.output;
  const std::string ending = std::filesystem::path(path).extension();
  for (const auto& [end, form] : {std::pair{".c", "c"}, std::pair{".py", "python"},
                                  std::pair{".m", "matlab"}, std::pair{".tex", "latex"}}) {
    if (options.form == EquationForm::text && ending == end) {
      warnings_.push_back(fmt::format(
          "{} is written as text; --form {} writes what its ending says", in_one_line(path), form));
    }
  }
}

std::string ClosedForms::text(Markup markup) const {
  const bool is_latex = markup == Markup::latex;
  const std::string known = legend(arm_, forms_);
  const std::string text = fmt::format("{}: {}\n", in_one_line(name_), heading(what_));
  const std::string equations = textbook(arm_, forms_, markup);
  if (is_latex)
    return "% " + text + "% " + own_ + "\n" + equations +
           (known.empty() ? "" : "% " + known + "\n");
  return text + "\n" + equations + (known.empty() ? "" : "\n" + wrapped("where ", known));
}

Json ClosedForms::json() const {
  Json equations = Json::list();
  for (const ClosedForm& form : forms_) {
    equations.push_back({{"left", left_side(arm_, form)}, {"terms", longest(arm_, {form})}});
  }
  return {{"equations", equations}, {"warnings", warnings_}};
}

EquivalenceAnswer prove_equivalence(const EquationsOptions& options, const RobotFile& file) {
  const SymbolicArm arm = arm_of(options, file);
  Equivalence found;
  try {
    found = newton_euler_less_lagrange(arm);
  } catch (const std::length_error&) {
    throw UsageError(
        "--prove: this arm's torques have more than {} terms; --without, or --symbols "
        "with fewer of its numbers, make them fewer",
        most_terms);
  }
  const std::size_t all = std::accumulate(found.terms.begin(), found.terms.end(), std::size_t{0});
  std::string text =
      fmt::format("{}: Newton-Euler minus Lagrange, {} symbols for numbers and the whole state\n\n",
                  in_one_line(file.robot.name), arm.values.size() + arm.angles.size());
  for (std::size_t i = 0; i < found.terms.size(); ++i) {
    text += fmt::format("  τ{}: {} terms on either side\n", i + 1, found.terms[i]);
  }
  text +=
      found.left == 0
          ? fmt::format("\n{} terms cancel one by one: the torques are identically equal\n", all)
          : fmt::format("\n{} terms are left: the torques are not equal\n", found.left);
  return {text, Json{{"terms", found.terms}, {"left", found.left}},
          found.left == 0 ? Ending::done : Ending::no};
}

}  // namespace armdyn
