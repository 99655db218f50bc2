// Closed forms, the proof that two formulations are equal, and verification of sheets.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cli/equations/options.hpp"
#include "cli/options/named_files.hpp"
#include "cli/options/run.hpp"
#include "dynamics/friction.hpp"
#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "symbolic/verify.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr std::size_t always_in_full = 3;  // joints

/// Symbols that the options ask for, by default as the form has it.
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

SymbolicArm arm_of(const EquationsOptions& options, const RobotFile& file) {
  const Angles angles =
      options.closed == ClosedEquation::cartesian ? Angles::of_joints : Angles::of_sums;
  return symbolic_arm(file.robot, file.written, symbols_of(options, file), angles);
}

/// Tests whether torques are among the equations.
bool has_torques(ClosedEquation what) {
  using enum ClosedEquation;
  return what == torque || what == recursion || what == lagrangian || what == base_parameters;
}

constexpr const char* dry_friction_is_left_out =
    "friction other than viscous has no closed form and is left out";

/// Terms of τ beside those of the heading, as a line below it.
std::string further_terms(ClosedEquation what, const Robot& robot) {
  const auto any = [&robot](const auto& has) { return std::ranges::any_of(robot.joints, has); };
  std::vector<const char*> terms;
  if (what == ClosedEquation::recursion &&
      any([](const Joint& joint) { return joint.motor.rotor_inertia != 0.0; })) {
    terms.push_back("rotor inertia");
  }
  if (any([](const Joint& joint) {
        return viscous_friction(Drive{joint.friction, joint.motor}) != 0.0;
      })) {
    terms.push_back("viscous friction");
  }
  if (terms.empty() || !has_torques(what)) return "";
  return fmt::format("τ contains: {}", fmt::join(terms, " and "));
}

/// The equations in a line, for a heading.
std::string heading(ClosedEquation what, const JacobianView& view, const Robot& robot) {
  const char* const text = text_of_value(
      what, {"τ = M q̈ + V + G", "M of τ = M q̈ + V + G; it is symmetric", "V of τ = M q̈ + V + G",
             "G of τ = M q̈ + V + G", "C of V = C q̇, by Christoffel symbols",
             "B and C of V = B (q̇ q̇) + C (q̇²), B by rows and pairs of joints",
             "F = Mx ẍ + Vx + Gx at the tool in {0}, and Jᵀ Vx = Bx (q̇ q̇) + Cx (q̇²)",
             "J of the tool in {0}; rows that are not listed are zero",
             "Y of τ = Y π, columns of the bodies; entries that are not listed are zero",
             "k of each link, and K = ½ q̇ᵀ M q̇ of the arm with its rotors",
             "u of each link, and U of the arm, zero at the origin of {{0}}",
             "Newton and Euler by links, in {0}, n about {{{2}}}; v̇ contains -g",
             "T of each joint, {{i}} in {{i-1}}", "T of the tool in {{0}}",
             "L = K - U by links, and τ = d/dt ∂L/∂q̇ - ∂L/∂q",
             "J of each link's {1} in {0}; rows that are not listed are zero",
             "τ = Y a, base parameters a and their Y; entries that are not listed are zero"});
  const TaskAxes axes =
      view.axes.value_or(what == ClosedEquation::recursion ? TaskAxes::link : TaskAxes::base);
  return fmt::format(fmt::runtime(text),
                     text_of_value(axes, {"{0}", "axes of {i}", "axes of the tool"}),
                     view.point == LinkPoint::origin ? "origin" : "center of mass",
                     robot.convention == Convention::standard ? "i-1" : "i");
}

[[noreturn]] void refuse_length(const std::string& what, const char* remedy = "") {
  throw UsageError(
      "equations: {}; --format listing and --format c write torque, M, V, G, jacobian and "
      "regressor of "
      "any arm step by step{}",
      what, remedy);
}

/// The forms within the limit; throws where there are none.
std::vector<ClosedForm> within_limit(const EquationsOptions& options, const SymbolicArm& arm,
                                     std::vector<ClosedForm> forms,
                                     std::vector<std::string>& left_out) {
  std::erase_if(forms, [](const ClosedForm& form) { return form.is_left_out; });
  if (arm.q.size() <= always_in_full && !options.terms_limit) return forms;
  const std::size_t limit = options.terms_limit.value_or(default_terms_limit);
  std::size_t most = 0, all = 0;
  std::erase_if(forms, [&](const ClosedForm& form) {
    const std::size_t terms = printed_terms(arm, form.value).size();
    most = std::max(most, terms);
    all += terms;
    if (terms <= limit) return false;
    left_out.push_back(fmt::format("{} has {}", left_side(arm, form), counted(terms, "term")));
    return true;
  });
  if (forms.empty()) {
    refuse_length(fmt::format("the closed form has {}, up to {} in one equation; the limit "
                              "is {}",
                              counted(all, "term"), most, limit),
                  ", --terms-limit N allows longer ones");
  }
  return forms;
}

/// Verdicts for programs and for people.
constexpr std::array<std::pair<const char*, const char*>, 9> verdict_words{
    {{"equal", "equal, proved"},
     {"within-digits", "equal within the digits of its decimals"},
     {"up-to-a-constant", "equal up to a constant, proved"},
     {"other-factorization", "C q̇ = V holds, proved, but it is not Christoffel's"},
     {"other-parameters", "Y a = τ holds, proved, with other base parameters"},
     {"undecided", "undecided: too long to be proved; no difference at three random points"},
     {"own-name", "a name of the sheet's own"},
     {"unread", "not read"},
     {"different", "different, proved"}}};

const auto& words_of(const FormulaVerdict& verdict) {
  return verdict_words[static_cast<std::size_t>(verdict.agreement)];
}

std::string text_of(const FormulaVerdict& verdict) {
  const bool is_unread = verdict.agreement == Agreement::unread;
  const std::string entry = verdict.entry.empty() ? "(no left side)" : verdict.entry,
                    note = is_unread ? fmt::format(", {}: {}", verdict.place, verdict.note)
                           : verdict.note.empty() ? ""
                                                  : fmt::format("; taken for {}", verdict.note);
  std::string text = wrapped(fmt::format("  {}  ", entry), words_of(verdict).second + note);
  if (!verdict.missing.empty()) text += wrapped("      missing: ", verdict.missing);
  if (!verdict.surplus.empty()) text += wrapped("      surplus: ", verdict.surplus);
  for (const std::string& factor : verdict.factors) text += wrapped("      factor: ", factor);
  return text;
}

}  // namespace

EquationsState::EquationsState(const EquationsOptions& options, const Robot& robot)
    : q(parse_position("--q", options.q, robot)),
      qd(parse_joint_list("--qd", options.qd, robot)),
      qdd(parse_joint_list("--qdd", options.qdd, robot)),
      is_given(!(options.q + options.qd + options.qdd).empty()) {}

bool has_friction_beside_viscous(const Robot& robot) {
  return std::ranges::any_of(in_order(number_of_joints(robot)), [&robot](std::size_t k) {
    const Joint& joint = joint_at(robot, k);
    Drive drive{joint.friction, joint.motor};
    drive.friction.viscous = drive.motor.viscous = 0.0;
    return has_friction(drive);
  });
}

/// Warnings of parts that closed forms are without, and of a file whose name promises another form.
std::vector<std::string> warnings_of_forms(const EquationsOptions& options, const RobotFile& file,
                                           const SymbolicArm& arm,
                                           const std::vector<std::string>& left_out) {
  std::vector<std::string> warnings;
  if (!left_out.empty()) {
    warnings.push_back(fmt::format("left out, above --terms-limit {}: {}",
                                   options.terms_limit.value_or(default_terms_limit),
                                   fmt::join(left_out, ", ")));
  }
  if (has_torques(*options.closed) && has_friction_beside_viscous(file.robot)) {
    warnings.emplace_back(dry_friction_is_left_out);
  }
  for (const std::string& formula : arm.taken_as_numbers) {
    warnings.push_back("taken as a number: " + formula);
  }
  const std::string& path = options.output.output;
  const std::string ending = std::filesystem::path(path).extension();
  for (const auto& [end, form] :
       {std::pair{".c", "c"}, std::pair{".hpp", "cpp"}, std::pair{".py", "python"},
        std::pair{".m", "matlab"}, std::pair{".js", "javascript"}, std::pair{".mjs", "javascript"},
        std::pair{".tex", "latex"}}) {
    if (options.format == EquationForm(Markup::text) && ending == end) {
      warnings.push_back(
          fmt::format("{} is written as text; --format {} writes code", in_one_line(path), form));
    }
  }
  return warnings;
}

/// Left sides and lengths of closed forms, and their values in a state.
struct FormValues {
  Json equations = Json::list();
  std::vector<std::string> lines, without_value;

  FormValues(const SymbolicArm& arm, const std::vector<ClosedForm>& forms,
             const EquationsState& state) {
    for (const ClosedForm& form : forms) {
      const std::string left = left_side(arm, form);
      Json equation{{"left", left}, {"terms", printed_terms(arm, form.value).size()}};
      if (state.is_given) {
        const double value = evaluate(arm, form.value, state.q, state.qd, state.qdd);
        equation["value"] = value;
        lines.push_back(std::isnan(value) ? fmt::format("  {}: none", left)
                                          : fmt::format("  {} = {:.6g}", left, value));
        if (std::isnan(value)) without_value.push_back(left);
      }
      equations.push_back(equation);
    }
  }
};

EquationsAnswer written_closed_forms(const EquationsOptions& options, const RobotFile& file,
                                     bool with_latex) {
  const EquationsState state(options, file.robot);
  const SymbolicArm arm = arm_of(options, file);
  std::vector<ClosedForm> forms;
  std::vector<std::string> left_out;
  try {
    forms = within_limit(options, arm, closed_forms(arm, *options.closed, options.view), left_out);
  } catch (const std::length_error&) {
    refuse_length(fmt::format("the closed form has more than {} terms", most_terms));
  }
  std::vector<std::string> warnings = warnings_of_forms(options, file, arm, left_out);
  const FormValues values(arm, forms, state);
  if (!values.without_value.empty()) {
    warnings.push_back(fmt::format("J is singular in this state, so that these have no value: {}",
                                   fmt::join(values.without_value, ", ")));
  }
  const bool is_latex = options.format == EquationForm(Markup::latex);
  std::vector<std::string> heads{fmt::format("{}: {}", in_one_line(file.robot.name),
                                             heading(*options.closed, options.view, file.robot)),
                                 further_terms(*options.closed, file.robot)};
  std::erase(heads, "");
  const std::string known = legend(arm, forms), own = "% " + own_line(file.digest) + "\n";
  const Layout layout = left_out.empty() ? Layout::matrices : Layout::entries;
  const Formulas formulas{
      is_latex ? "" : textbook(arm, forms, Markup::text, layout),
      is_latex || with_latex ? textbook(arm, forms, Markup::latex, layout) : ""};
  EquationsAnswer answer{{}, {{"equations", values.equations}, {"warnings", warnings}}, warnings};
  answer.sections = {{"", fmt::format("{}", fmt::join(heads, "\n"))}, {"", formulas, "", true}};
  if (!known.empty()) answer.sections.push_back({"", Paragraphs{"where ", {known}}, "", true});
  if (state.is_given) {
    answer.sections.push_back(
        {"", fmt::format("{}", fmt::join(values.lines, "\n")), "in this state", true});
  }
  if (!formulas.latex.empty()) {
    answer.latex = fmt::format("% {}\n{}{}{}", fmt::join(heads, "\n% "), own, formulas.latex,
                               known.empty() ? "" : "% " + known + "\n");
    for (const std::string& value : values.lines) answer.latex += "%" + value + "\n";
  }
  answer.text = !is_latex            ? text_of(Document{answer.sections})
                : options.standalone ? own + latex_page_of(Document{answer.sections})
                                     : answer.latex;
  return answer;
}

EquationsAnswer prove_equivalence(const EquationsOptions& options, const RobotFile& file) {
  const SymbolicArm arm = arm_of(options, file);
  Equivalence found;
  try {
    found = newton_euler_less_lagrange(arm);
  } catch (const std::length_error&) {
    throw UsageError(
        "--prove: this arm's torques have more than {} terms; reduce them with --without, or with "
        "fewer names in --symbols",
        most_terms);
  }
  const std::size_t all = std::accumulate(found.terms.begin(), found.terms.end(), std::size_t{0});
  std::string text = fmt::format(
      "{}: Newton-Euler minus Lagrange, {} for numbers and the whole state\n\n",
      in_one_line(file.robot.name), counted(arm.values.size() + arm.angles.size(), "symbol"));
  for (std::size_t i = 0; i < found.terms.size(); ++i) {
    text += fmt::format("  τ{}: {} on either side\n", i + 1, counted(found.terms[i], "term"));
  }
  text += found.left == 0
              ? fmt::format("\n{} {} one by one: the torques are identically equal\n",
                            counted(all, "term"), all == 1 ? "cancels" : "cancel")
              : fmt::format("\n{} {} left: the torques are not equal\n",
                            counted(found.left, "term"), found.left == 1 ? "is" : "are");
  return {text,
          Json{{"terms", found.terms}, {"left", found.left}},
          {},
          found.left == 0 ? Ending::done : Ending::no};
}

namespace {

VerifyRequest request_of(const EquationsOptions& options, const RobotFile& file) {
  VerifyRequest request{.entry = options.entry,
                        .symbols = symbols_of(options, file),
                        .view = options.view,
                        .did_you_mean = [](const std::string& name, const auto& known) {
                          return did_you_mean(name, known);
                        }};
  for (const std::string& name : options.names) {
    const std::size_t sign = name.find('=');
    request.names.emplace_back(name.substr(0, sign), name.substr(sign + 1));
  }
  if (options.names_what) request.what = options.closed;
  return request;
}

Json data_of_verdict(const FormulaVerdict& verdict) {
  return Json{{"entry", verdict.entry},
              {"place", verdict.place},
              {"verdict", words_of(verdict).first},
              {"missing", verdict.missing},
              {"surplus", verdict.surplus},
              {"factors", verdict.factors},
              {"note", verdict.note}};
}

}  // namespace

EquationsAnswer verify_sheet(const EquationsOptions& options, Run& run) {
  const RobotFile& file = run.robot();
  const auto& [name, formulas] = named_text(options.verify, 300'000, "sheet of formulas");
  const Sheet sheet(name, formulas);
  const auto [verdicts, counts_from_zero] = verify(file, sheet, request_of(options, file));
  std::vector<std::string> warnings{sheet.left_out(in_one_line(file.robot.name) + ": ")};
  std::erase(warnings, "");
  if (counts_from_zero) {
    warnings.push_back(name + " counts joints from 0: its q0 is q1 here, and M00 is M11");
  }
  const auto is_torque = [](const FormulaVerdict& verdict) {
    return verdict.entry.starts_with("tau");
  };
  if (std::ranges::any_of(verdicts, is_torque) && has_friction_beside_viscous(file.robot)) {
    warnings.emplace_back(dry_friction_is_left_out);
  }

  const auto unread = std::ranges::count(verdicts, Agreement::unread, &FormulaVerdict::agreement);
  std::string text =
      fmt::format("{}: formulas of {}{}\n\n", in_one_line(file.robot.name), name,
                  unread == 0 ? "" : fmt::format(", {} of {} not read", unread, verdicts.size()));
  for (const FormulaVerdict& verdict : verdicts) text += text_of(verdict);
  const bool differ = std::ranges::any_of(
      verdicts, [](const FormulaVerdict& v) { return v.agreement == Agreement::different; });
  return {text, Json{{"verdicts", each(verdicts, data_of_verdict)}}, warnings,
          differ ? Ending::no : Ending::done};
}

}  // namespace armdyn
