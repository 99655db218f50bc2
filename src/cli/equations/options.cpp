#include "cli/equations/options.hpp"

#include <filesystem>

#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

std::vector<std::string> parse_symbols(const std::string& option, const std::string& text) {
  std::vector<std::string> symbols = split_list(text);
  refuse_if(symbols.empty(), "{}: found \"{}\", expected all, none, or names", option, text);
  if (text == "none") symbols.clear();
  return symbols;
}

/// "l1=a1,theta1=q1": names, and the formulas that they stand for.
std::vector<std::string> parse_names(const std::string& option, const std::string& text) {
  std::vector<std::string> names = split_list(text);
  for (const std::string& name : names) {
    const std::size_t sign = name.find('=');
    refuse_if(sign == 0 || sign >= name.size() - 1,
              "{}: found \"{}\" in \"{}\", expected NAME=FORMULA, as in l1=a1", option, name, text);
  }
  return names;
}

/// A name of --what, with its closed form and its function, where there are such.
struct Asked {
  const char* name;
  std::optional<ClosedEquation> closed;
  std::optional<Equation> function;
};
const std::array all_asked{
    Asked{"torque", ClosedEquation::torque, Equation::torque},
    Asked{"M", ClosedEquation::mass_matrix, Equation::mass_matrix},
    Asked{"V", ClosedEquation::velocity, Equation::velocity},
    Asked{"G", ClosedEquation::gravity, Equation::gravity},
    Asked{"C", ClosedEquation::christoffel, {}},
    Asked{"craig", ClosedEquation::craig, {}},
    Asked{"cartesian", ClosedEquation::cartesian, {}},
    Asked{"jacobian", ClosedEquation::jacobian, Equation::jacobian},
    Asked{"forward", {}, Equation::forward},
    Asked{"regressor", ClosedEquation::regressor, Equation::regressor},
    Asked{"kinetic", ClosedEquation::kinetic, {}},
    Asked{"potential", ClosedEquation::potential, {}},
    Asked{"recursion", ClosedEquation::recursion, {}},
    Asked{"frames", ClosedEquation::frames, {}},
    Asked{"forward-kinematics", ClosedEquation::forward_kinematics, Equation::forward_kinematics},
    Asked{"lagrangian", ClosedEquation::lagrangian, {}},
    Asked{"link-jacobian", ClosedEquation::link_jacobian, {}},
    Asked{"base-parameters", ClosedEquation::base_parameters, {}},
};

/// Names of --what, each with its number.
Choices<std::size_t> all_names() {
  return Choices<std::size_t>(each(in_order(all_asked.size()), [](std::size_t k) {
    return std::pair(std::string(all_asked.at(k).name), k);
  }));
}

/// "puma.c" gives "puma_check.c"; a header of C++, whatever its ending, "puma_check.cpp".
std::string check_path(const std::string& path, bool is_header) {
  const std::filesystem::path file(path);
  const std::string ending = is_header ? ".cpp" : file.extension().string();
  return (file.parent_path() / (file.stem().string() + "_check" + ending)).string();
}

/// Where TypeScript looks for the types of a module: "arm.mjs" has them in "arm.d.mts".
std::string types_path(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string ending = file.extension() == ".mjs" ? ".d.mts" : ".d.ts";
  return (file.parent_path() / (file.stem().string() + ending)).string();
}

/// Throws UsageError where the file has the ending of another form.
void refuse_ending(const EquationsOptions& options) {
  using enum Language;
  const std::string ending = std::filesystem::path(options.output.output).extension().string();
  for (const auto& [of_form, form] : {std::pair{".tex", EquationForm(Markup::latex)},
                                      {".py", python},
                                      {".m", matlab},
                                      {".js", javascript}}) {
    const bool is_another = options.format != EquationForm(Markup::text) &&
                            options.format != EquationForm(Language::listing) &&
                            options.format != form;
    refuse_if(ending == of_form && is_another, "-o: found \"{}\", a name of another --format",
              in_one_line(options.output.output));
  }
}

/// Throws UsageError for files that the form cannot have.
void refuse_outputs(const EquationsOptions& options, bool is_listing) {
  refuse_if(is_listing && (options.check || options.as_float),
            "--check and --precision apply to code, not to a listing; leave them out");
  refuse_if(options.check && options.output.output == "-",
            "--check writes a second file beside the one of -o; give -o FILE, not -");
  refuse_ending(options);
  refuse_if(robot_file_kind(options.output.output).has_value(),
            "-o: found \"{}\", the name of a robot file; equations writes none",
            in_one_line(options.output.output));
}

/// Sets the axes of a view. Throws UsageError where there is nothing to view.
void resolve_axes(const OptionList& list, const Asked& asked, bool is_code,
                  EquationsOptions& options) {
  const auto is_given = [&list](const char* name) { return list.is_given(name); };
  const auto is_about = [&asked](auto... forms) { return ((asked.closed == forms) || ...); };
  using enum ClosedEquation;
  refuse_if(
      is_given("--axes") && (is_code || !is_about(jacobian, link_jacobian, cartesian, recursion)),
      "--axes applies to closed forms of --what jacobian, link-jacobian, cartesian and recursion");
  if (is_given("--axes")) options.view.axes = options.axes;
  if (is_about(recursion) && !options.view.axes) options.axes = TaskAxes::link;
  refuse_if(is_given("--point") && (is_code || !is_about(link_jacobian)),
            "--point is of --what link-jacobian");
}

/// Names the files that are written beside that of -o.
void name_files_beside(EquationsOptions& options, bool is_javascript) {
  const std::string& path = options.output.output;
  if (options.check) {
    options.check_file = check_path(path, options.format == EquationForm(Language::cpp));
  }
  if (is_javascript && !is_stream(path)) options.types_file = types_path(path);
}

/// Sets the meanings of --what and the other options in the form that is asked for. Throws
/// UsageError for options that contradict one another.
void resolve(const OptionList& list, EquationsOptions& options) {
  const Asked& asked = all_asked[options.asked];
  const bool is_code = std::holds_alternative<Language>(options.format);
  options.closed = asked.closed;
  if (asked.function) options.what = *asked.function;
  const auto is_given = [&list](auto... names) { return (list.is_given(names) || ...); };
  const bool verifies = !options.verify.empty();
  options.is_as_paper_004 = is_given("--as");
  options.names_what = is_given("--what");
  refuse_if(!is_code && !asked.closed, "--what {} has no closed form; --format c writes it as code",
            asked.name);
  refuse_if(is_code && !asked.function, "--what {} is for --format text and latex alone",
            asked.name);
  resolve_axes(list, asked, is_code, options);
  refuse_if(!is_code && (options.check || is_given("--precision")),
            "--check and --precision need code; give --format c or another too");
  const bool is_listing = options.format == EquationForm(Language::listing);
  refuse_if(options.is_as_paper_004 && (!is_listing || options.asked != 0 || is_given("--symbols")),
            "--as lists all torques; give --format listing, without --what and --symbols");
  const bool prints_forms = !(is_code || options.prove || verifies);
  for (const char* const option : {"--q", "--qd", "--qdd"}) {
    refuse_if(is_given(option) && !options.is_as_paper_004 && !prints_forms,
              "{} evaluates closed forms, and none are printed here; leave it out", option);
  }
  refuse_if(options.terms_limit && !prints_forms,
            "--terms-limit applies to printed closed forms; leave it out");
  refuse_if(options.standalone && options.format != EquationForm(Markup::latex),
            "--standalone needs --format latex; give both");
  refuse_if(is_code && !options.output.report.empty(),
            "--report shows closed forms; leave it out, or --format");
  refuse_if(verifies && (options.prove || is_given("--format")),
            "--verify is about closed forms; leave out --prove and --format");
  refuse_if(!verifies && is_given("--names", "--entry"), "--names and --entry need --verify");
  refuse_if(options.prove && is_given("--what", "--format"),
            "--prove is about all torques and writes no equations; leave out --what and --format");
  refuse_outputs(options, is_listing);
  const bool is_javascript = options.format == EquationForm(Language::javascript);
  refuse_if(
      is_javascript && options.as_float,
      "--precision is not of --format javascript, whose numbers are all double; leave it out");
  name_files_beside(options, is_javascript);
}

/// Choice of the equations and of their notation.
void declare_choice(OptionList& list, EquationsOptions& options) {
  const Choices<std::size_t> whats = all_names();
  const Choices<EquationForm> forms{
      {"text", Markup::text},         {"latex", Markup::latex},
      {"listing", Language::listing}, {"c", Language::c},
      {"cpp", Language::cpp},         {"python", Language::python},
      {"matlab", Language::matlab},   {"javascript", Language::javascript}};
  const Choices<bool> as_papers{{"paper-004", true}};
  const Choices<TaskAxes> axes = axes_choices();
  const Choices<LinkPoint> points = point_choices();
  list.option("--what", "NAME", options.asked, whats,
              "which equations: " + whats.text() + " (default: torque)");
  list.option("--format", "NAME", options.format, forms,
              "format of the equations: " + forms.text() + " (default: text)");
  list.option("--as", "NAME", options.is_as_paper_004, as_papers,
              "listing in the arrays of " + as_papers.text() + " (Sasaki 1990)")
      .special()
      .echoed_if([&options] { return options.is_as_paper_004; });
  list.option("--axes", "NAME", options.axes, axes,
              "axes of Jacobians, Cartesian forms, recursion: " + axes.text() + " (default: base)")
      .special();
  list.option("--point", "NAME", options.view.point, points,
              "reference points of link-jacobian: " + points.text() + " (default: com)")
      .special();
  list.option("--symbols", "LIST", options.symbols, parse_symbols,
              "numbers that stay symbols: all, none, or names like m3,cx3,Ixx3,g (default: by the "
              "size of the arm)");
}

/// Closed forms: their values, their proofs, the sheets that they are compared with.
void declare_closed_forms(OptionList& list, EquationsOptions& options) {
  list.option("--q", "LIST", options.q, not_empty, "position where closed forms are evaluated");
  list.option("--qd", "LIST", options.qd, not_empty, "velocity there (default: 0)");
  list.option("--qdd", "LIST", options.qdd, not_empty, "acceleration there (default: 0)");
  list.option("--terms-limit", "N", options.terms_limit, parse_count,
              "longest closed form to print, in terms (default: 200 beyond three joints)")
      .special();
  list.flag("--standalone", options.standalone,
            "latex: a complete document with a legend of the symbols");
  list.flag("--prove", options.prove, "prove symbolically that Newton-Euler equals Lagrange");
  list.option("--verify", "FILE", options.verify, not_empty,
              "check formulas of an exercise sheet, text or LaTeX, against this arm");
  list.option("--names", "LIST", options.names, parse_names,
              "symbols of the sheet, as in l1=a1,theta1=q1,I1=Izz1+m1*cx1^2");
  list.option("--entry", "NAME", options.entry, not_empty,
              "quantity of a formula without a left side, e.g. M11, tau2 or K")
      .special();
}

}  // namespace

void declare(OptionList& list, EquationsOptions& options) {
  const Choices<bool> precisions{{"double", false}, {"float", true}};
  declare_robot(list, options.robot);
  declare_choice(list, options);
  declare_closed_forms(list, options);
  list.option("--precision", "NAME", options.as_float, precisions,
              "floating-point type of the code, of C++ of its test: " + precisions.text() +
                  " (default: double)")
      .special();
  list.flag("--check", options.check, "also write a program FILE_check that tests the code")
      .for_command_line();
  const auto group = list.under(help_group::output);
  list.text("-o,--output", "FILE", options.output.output,
            "output file (default: -, standard output)")
      .for_command_line();
  list.writes("--check", options.check_file, &options.output.force);
  list.writes("--format javascript", options.types_file, &options.output.force);
  declare_model(list, "-o", options.output.output, options.output.force);
  list.flag("--json", options.output.json, "answer as JSON").unechoed().for_command_line();
  declare_quiet(list, options.output);
  declare_report(list, options.output);
  list.check([&list, &options] {
    resolve(list, options);
    const std::string& path = options.output.output;
    refuse_if(options.check && is_stream(path),
              "--check writes a second file beside that of -o, which is no regular file: {}; name "
              "one",
              in_one_line(path));
  });
}

Verb equations_verb() {
  return verb<EquationsOptions>(
      "equations", "Equations of motion: closed forms, code, proofs, exercise sheets",
      "  armdyn equations craig-rr\n"
      "  armdyn equations craig-rp --what M --format latex -o M.tex\n"
      "  armdyn equations two-link-spong --format latex --standalone -o spong.tex\n"
      "  armdyn equations craig-rr --what recursion --q 0.3,0.7 --qd 1,2\n"
      "  armdyn equations craig-3r --prove\n"
      "  echo 'G_2 = m_2 a_2 g c_{12}' > exercise.tex\n"
      "  armdyn equations craig-rr --verify exercise.tex --names a1=l1,a2=l2\n"
      "  armdyn equations six-link-jaeri --format listing --as paper-004 --q A\n"
      "  armdyn equations puma560 --format c --check -o puma560_torque.c\n"
      "  armdyn equations ur5e --what M --format c --precision float\n"
      "  armdyn equations puma560 --format c --symbols m6,cx6,cy6,cz6 -o puma560_torque.c\n"
      "  armdyn equations puma560 --format cpp --check -o puma560_torque.hpp\n"
      "  armdyn equations puma560 --format javascript --symbols m6 --check -o puma.mjs\n",
      declare, write_equations);
}

}  // namespace armdyn
