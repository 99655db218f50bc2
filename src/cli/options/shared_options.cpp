#include "cli/options/shared_options.hpp"

#include <cmath>
#include <set>

#include "cli/options/shared_answers.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "model/shown_text.hpp"
#include "model/shown_unit.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

const Choices<Gaps> gap_rules{
    {"refuse", Gaps::refuse}, {"skip", Gaps::skip}, {"bridge", Gaps::bridge}};

constexpr std::array all_integrators{Integrator::rk4, Integrator::euler, Integrator::dopri5,
                                     Integrator::rkf78};

/// A tolerance that doubles can hold.
double parse_local_error(const std::string& option, const std::string& text) {
  const double tolerance = parse_tolerance(option, text);
  require(tolerance >= 1e-14, option, text, "1e-14 or more, which is what doubles can hold");
  return tolerance;
}

}  // namespace

/// Parameters have no echo here: answer_frame has them with the robot's other edits.
static Json list_echo(const ParameterValues& /*set*/) {
  return {};
}

void declare_reading(OptionList& list, RobotFileOptions& reading) {
  const auto group = list.under(help_group::robot);
  list.option("--set", "NAME=VALUE,..", reading.set, parse_set,
              "set parameters of the robot file, e.g. m2=3,l1=0.6")
      .unechoed();
  list.option("--base", "LINK", reading.base, not_empty,
              "URDF, MJCF: link where the chain begins (default: the root)");
  list.option("--tip", "LINK", reading.tip, not_empty,
              "URDF, MJCF: link or site where it ends, the tool frame (default: the only end)");
}

void declare_robot(OptionList& list, RobotOptions& options) {
  const auto group = list.under(help_group::robot);
  list.text("ROBOT", "", options.robot, "robot file, or the name of a shipped robot").required();
  declare_reading(list, options.reading);
  list.option("--gravity", "x,y,z", options.gravity, parse_gravity,
              "gravity in the world frame, m/s^2 (default: the file's)")
      .unechoed();
  list.option("--payload", "MASS[,x,y,z]", options.payload, parse_payload,
              "payload at the TCP: kg, center of mass in the tool frame, m (default: the file's)")
      .unechoed();
  declare_without(list, "--without", options, "leave out any of friction,rotors,payload,gravity");
  list.check([&options] {
    const bool is_gravity = options.without.gravity && options.gravity;
    if (!is_gravity && !(options.without.payload && options.payload)) return;
    throw UsageError("--{0} and --without {0} contradict one another; give one of them",
                     is_gravity ? "gravity" : "payload");
  });
}

OptionList::Entry& declare_without(OptionList& list, const std::string& name, RobotOptions& options,
                                   const std::string& help) {
  return list.option(name, "LIST", options.without, parse_without, help).unechoed();
}

void declare_output(OptionList& list, OutputOptions& options) {
  const auto group = list.under(help_group::output);
  list.file("-o,--output", "FILE", options.output,
            options.output.empty() ? "output file of rows (default: none)"
                                   : "output file (default: -, standard output)");
  list.check([&list, &options] { options.is_whole |= list.is_given("--output"); });
  declare_format(list, options);
  declare_quiet(list, options);
  list.option("--threads", "N", options.threads, parse_threads,
              "number of threads (default: all cores)")
      .unechoed();
  declare_degrees(list, options);
  declare_report(list, options);
}

void declare_quiet(OptionList& list, OutputOptions& options) {
  list.flag("--quiet", options.quiet, "print no summary and no progress; warnings stay")
      .unechoed()
      .for_command_line();
}

void declare_format(OptionList& list, OutputOptions& options) {
  const auto group = list.under(help_group::output);
  static const Choices<Renderer> formats(answer_formats());
  list.flag("--json", options.json, "answer as JSON").unechoed().for_command_line();
  list.option("--format", "NAME", options.format, formats,
              "format of a text answer: " + formats.text() + " (default: text)")
      .unechoed()
      .for_command_line();
  list.check([&list] {
    refuse_if(list.is_given("--json") && list.is_given("--format"),
              "--json and --format contradict one another; give one of them");
  });
}

OptionList::Entry& declare_all(OptionList& list, bool& all) {
  const auto group = list.under(help_group::output);
  return list.flag("--all", all, "print all details").unechoed().for_command_line();
}

void declare_degrees(OptionList& list, OutputOptions& options) {
  const auto group = list.under(help_group::output);
  list.flag("--degrees", options.degrees,
            "answer with joint angles and rates in degrees (inputs take ' deg')")
      .unechoed()
      .for_command_line();
  list.check([&options] {
    refuse_if(options.degrees && !options.divider.empty(),
              "--degrees: the parts of {} have radians; leave out one of them", options.divider);
    show_degrees(options.degrees);
  });
}

void declare_report(OptionList& list, OutputOptions& options) {
  const auto group = list.under(help_group::output);
  list.file("--report", "FILE.html", options.report,
            "write the answer as one HTML page with plots and the moving arm");
  list.check([&options] {
    if (options.report.empty()) return;
    require(options.report.ends_with(".html"), "--report", in_one_line(options.report),
            "a name that ends in .html");
  });
}

void declare_model(OptionList& list, const char* option, const std::string& path, bool& force) {
  const auto group = list.under(help_group::output);
  list.writes(option, path, &force);
  list.flag("--force", force, "overwrite a robot file, or code that armdyn did not write")
      .unechoed();
}

void declare_motion(OptionList& list, std::string& motion, const std::string& file) {
  list.argument("MOTION", motion, as_written,
                file + ", or a shipped motion (default: -, standard input)");
}

void declare_plot(OptionList& list, PlotOptions& options, const std::string& what) {
  const auto group = list.under(help_group::output);
  list.file("--plot", "FILE", options.file,
            "plot " + what + " (.svg, .png or .pdf; needs gnuplot)");
  list.text("--plot-joints", "LIST", options.joints,
            "joints in the plot, e.g. 1,3,elbow (default: all but those at rest)")
      .for_command_line();
  list.flag("--plot-degrees", options.degrees, "plot revolute joints in degrees")
      .special()
      .for_command_line()
      .unechoed();
  list.check([&list, &options] {
    const bool shows = options.is_wanted() || list.is_given("--report");
    if (shows || (options.joints.empty() && !options.degrees)) return;
    throw UsageError(
        "--plot-joints and --plot-degrees are for a picture; give --plot FILE or --report FILE "
        "too");
  });
}

static void declare_choices(OptionList& list, std::vector<ColumnChoice>& columns) {
  list.option("--columns", "NAME=COLUMN,..", columns, parse_columns,
              "name the columns, e.g. \"q=actual_q_{0..5},t=timestamp\"");
}

void declare_table(OptionList& list, std::vector<std::string>& topics, ColumnOptions& columns) {
  const auto group = list.under(help_group::log);
  declare_choices(list, columns.choices);
  declare_topics(list, topics, columns.ignore_extra);
}

void declare_columns(OptionList& list, std::vector<ColumnChoice>& columns, bool& no_header,
                     const std::string& without_header) {
  const auto group = list.under(help_group::log);
  declare_choices(list, columns);
  list.flag("--no-header", no_header, "the file has no header; its columns are " + without_header);
}

void declare_topics(OptionList& list, std::vector<std::string>& topics, bool& ignore_extra,
                    const std::string& of) {
  const auto group = list.under(help_group::log);
  list.option("--topic", "NAME,..", topics, split_distinct,
              "bag: topic of joint states, of wrenches, or both (default: the only one)");
  list.flag("--ignore-extra", ignore_extra, "ignore unknown columns" + of);
}

void declare_log(OptionList& list, LogOptions& options, const std::function<bool()>& reads_log) {
  const auto group = list.under(help_group::log);
  list.echo_if(reads_log);
  declare_columns(list, options.columns, options.no_header, "t, q or t, q, qd or t, q, qd, qdd");
  declare_topics(list, options.topics, options.ignore_extra);
  list.option("--log-rate", "HZ", options.rate, parse_rate, "sampling rate of a log without t, Hz");
  list.flag("--motor-side", options.motor_side,
            "q, qd, qdd and tau are those of the motors, in rad and N·m")
      .special();
  if (!options.derive) {  // nobody asks a verb that always differentiates
    list.flag("--derive", options.derive, "differentiate q numerically where qd or qdd is missing");
  }
  list.option("--window", "SECONDS", options.window, parse_duration,
              "smoothing window of derivatives, s (default: chosen from the data)");
  list.option("--gaps", "RULE", options.gaps, gap_rules,
              "missing or unreadable rows: refuse | skip | bridge (default: refuse)");
  list.option("--from-time", "SECONDS", options.from_time, parse_time, "ignore earlier rows, s");
  list.option("--to-time", "SECONDS", options.to_time, parse_time, "ignore later rows, s");
  list.option("--resample", "HZ", options.resample, parse_rate,
              "resample by linear interpolation, Hz");
  list.echo_if(always);
  declare_max_rows(list, options.max_rows);
  list.check([&options] {
    refuse_if(options.window && !options.derive, "--window needs --derive; give both");
  });
}

void declare_as_given(OptionList& list, LogOptions& options) {
  const auto group = list.under(help_group::log);
  list.flag("--as-given", options.as_given, "trust the log's columns; skip plausibility checks");
}

void refuse_options_of_no_log(const char* verb, const LogOptions& log) {
  const bool asks_for_a_log = !log.columns.empty() || !log.topics.empty() || log.no_header ||
                              log.ignore_extra || log.rate || log.gaps || log.derive ||
                              log.from_time || log.to_time || log.resample || log.motor_side;
  refuse_if(
      asks_for_a_log,
      "{}: without MOTION there is no log to read; name one, or leave out --columns, --derive "
      "and the other options of logs",
      verb);
}

void declare_max_rows(OptionList& list, double& most) {
  most = limits_of_input::rows;
  list.option("--max-rows", "N", most, parse_positive_number,
              "upper limit on generated rows or steps (default: 1e8)")
      .special()
      .unechoed();
}

void declare_steps(OptionList& list, SimulationOptions& options,
                   const std::function<bool()>& writes_steps) {
  const auto group = list.under(help_group::integration);
  list.option("--step", "H", options.step, parse_duration,
              "step of rk4 and euler, output interval of the others, s (default: 0.001)");
  list.option("--every", "K", options.every, parse_count, "write every K-th step (default: 1)")
      .echoed_if(writes_steps);
  declare_max_rows(list, options.max_steps);
}

void declare_integration(OptionList& list, SimulationOptions& options) {
  const auto group = list.under(help_group::integration);
  const Choices<Integrator> integrators(all_integrators);
  list.option("--integrator", "NAME", options.integrator, integrators,
              integrators.text() + " (default: rk4)");
  list.option("--tolerance", "X", options.tolerance, parse_local_error,
              "dopri5, rkf78: local error per step over 1 + |value| (default: 1e-9)")
      .echoed_if([&options] { return !has_fixed_step(options.integrator); });
  list.check([&list, &options] {
    refuse_if(
        list.is_given("--tolerance") && has_fixed_step(options.integrator),
        "--tolerance is for --integrator dopri5 and rkf78; the accuracy of {} follows from --step",
        name(options.integrator));
  });
}

void declare_limits(OptionList& list, SimulationOptions& options) {
  const Choices<bool> at_limits{{"stop", true}, {"ignore", false}};
  list.option("--at-limit", "NAME", options.stop_at_limits, at_limits,
              "at a joint limit: " + at_limits.text() + " (default: stop)");
}

OptionList::Entry& declare_input_error(OptionList& list, InputAccuracy& input) {
  static const Choices<InputAccuracy> inputs{{"none", InputAccuracy::none},
                                             {"file", InputAccuracy::file},
                                             {"decimal", InputAccuracy::decimal}};
  return list
      .option("--input-error", "NAME", input, inputs,
              "accuracy assumed for the file's numbers: none | file | decimal (default: file)")
      .special();
}

const Choices<Method>& method_choices() {
  static const Choices<Method> methods{std::span<const Method>(all_methods)};
  return methods;
}

Choices<TaskAxes> axes_choices() {
  return {{"base", TaskAxes::base}, {"link", TaskAxes::link}, {"tool", TaskAxes::tool}};
}

Choices<LinkPoint> point_choices() {
  return {{"com", LinkPoint::com}, {"origin", LinkPoint::origin}};
}

namespace {

struct UncertainThing {
  const char* name;
  double Uncertainty::*bound;
  bool is_length;
};
constexpr std::array uncertain_things{UncertainThing{"mass", &Uncertainty::mass, false},
                                      UncertainThing{"com", &Uncertainty::com, true},
                                      UncertainThing{"inertia", &Uncertainty::inertia, false},
                                      UncertainThing{"friction", &Uncertainty::friction, false},
                                      UncertainThing{"payload", &Uncertainty::payload, false}};

/// The number before a unit, "5" of "5mm"; nothing where the text has another unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return {};
  return parse_number(std::string(text.substr(0, text.size() - unit.size())));
}

/// "5%" as a share.
std::optional<double> share_of(std::string_view text) {
  const std::optional<double> percent = number_before(text, "%");
  return percent ? std::optional(*percent / 100.0) : std::nullopt;
}

/// "5mm" in m.
std::optional<double> length_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 3> lengths{
      {{"mm", 1000.0}, {"cm", 100.0}, {"m", 1.0}}};
  for (const auto& [unit, per_meter] : lengths) {
    if (const auto number = number_before(text, unit)) return *number / per_meter;
  }
  return {};
}

/// Reads bounds into `options`: of quantities that every arm has, and the others by their names.
void parse_uncertainty(const std::string& text, UncertaintyOptions& options) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const std::string value = part.substr(std::min(equals + 1, part.size()));
    refuse_if(!name.empty() && !seen.insert(name).second,
              "--uncertainty: {} is given twice in \"{}\"", name, text);
    const auto thing = std::ranges::find(uncertain_things, name, &UncertainThing::name);
    if (thing == uncertain_things.end()) {
      options.others.emplace_back(name, value);
      continue;
    }
    const auto bound = thing->is_length ? length_of(value) : share_of(value);
    require(bound && *bound > 0.0 && (thing->is_length || *bound < 1.0), "--uncertainty", part,
            thing->is_length ? "a length above 0, e.g. com=5mm"
                             : fmt::format("above 0 and below 100 %, e.g. {}=5%", name));
    options.bounds.*thing->bound = *bound;
  }
}

[[noreturn]] void fail_to_know(const std::string& name, const RobotFile& file) {
  const std::vector<std::string> parameters = each(file.written.parameters, &Parameter::name);
  const std::vector<std::string> known =
      each(uncertain_things, [](const UncertainThing& thing) { return std::string(thing.name); });
  throw UsageError("--uncertainty: found \"{}\", expected one of {}, as in mass=5%{}{}",
                   in_one_line(name), fmt::join(known, ", "),
                   parameters.empty()
                       ? ""
                       : fmt::format(", or of the parameters of {}: {}", in_one_line(file.path),
                                     fmt::join(parameters, ", ")),
                   did_you_mean(name, joined({known, parameters})));
}

/// Refuses to vary quantities that the robot does not have.
void require_what_varies(const Uncertainty& uncertainty, const Robot& robot) {
  refuse_if(uncertainty.payload > 0.0 && robot.payload.mass == 0.0,
            "--uncertainty: {} has no payload that could vary; give one with --payload MASS",
            robot.name);
  refuse_if(uncertainty.friction > 0.0 && !has_any_friction(robot),
            "--uncertainty: {} has no friction that could vary", robot.name);
  const auto has_mass = [](const Joint& joint) { return joint.body.mass != 0.0; };
  refuse_if((uncertainty.mass > 0.0 || uncertainty.com > 0.0) &&
                std::ranges::none_of(robot.joints, has_mass),
            "--uncertainty: the links of {} have no mass that could vary or be elsewhere",
            robot.name);
  // Beside other bounds, that of an inertia holds for points too.
  const auto has_inertia = [](const Joint& joint) { return joint.body.inertia != SymMat3{}; };
  const bool is_inertia_alone = uncertainty.mass == 0.0 && uncertainty.com == 0.0 &&
                                uncertainty.friction == 0.0 && uncertainty.payload == 0.0 &&
                                uncertainty.parameters.empty();
  refuse_if(uncertainty.inertia > 0.0 && is_inertia_alone &&
                std::ranges::none_of(robot.joints, has_inertia),
            "--uncertainty: the links of {} have no inertia that could vary, they are points",
            robot.name);
  for (const Joint& joint : robot.joints) {
    constexpr double rounding = 1e-9;
    const Vec3 moments = principal_moments(joint.body.inertia);
    const bool has_room = moments.x >= -rounding * std::abs(moments.z);
    if (uncertainty.inertia == 0.0 || joint.body.mass == 0.0 || has_room) continue;
    throw UsageError(
        "--uncertainty: the inertia of the link of {} is not physically consistent: a principal "
        "moment is {:.4g} kg·m², below 0; correct it in the file (armdyn check shows it), or leave "
        "inertia out",
        joint.name, moments.x);
  }
}

}  // namespace

Uncertainty uncertainty_of(const UncertaintyOptions& options, const RobotFile& file) {
  require_what_varies(options.bounds, file.robot);
  Uncertainty uncertainty = options.bounds;
  for (const auto& [name, text] : options.others) {
    const auto found = std::ranges::find(file.written.parameters, name, &Parameter::name);
    if (found == file.written.parameters.end()) fail_to_know(name, file);
    std::optional<double> bound = parse_number(text);
    if (const auto length = length_of(text)) bound = *length * file.written.meter;
    if (const auto share = share_of(text)) bound = *share * std::abs(found->value);
    refuse_if(
        !bound || !(*bound > 0.0) || !std::isfinite(*bound),
        "--uncertainty: found \"{0}={1}\", expected {0}=5% (of {2}), {0}=2mm for a length, or a "
        "number above 0 in the unit of the file",
        name, in_one_line(text), found->value);
    uncertainty.parameters.push_back({*found, *bound});
  }
  return uncertainty;
}

RobotOfParameters arm_of_parameters(const RobotFile& file, const RobotOptions& options) {
  return [&file, &options](const ParameterValues& drawn) {
    ParameterValues values = drawn;
    values.insert(options.reading.set.begin(), options.reading.set.end());
    try {
      Robot robot = file.of_parameters(values);
      edit(robot, options);
      return robot;
    } catch (const InputError& error) {
      const std::vector<std::string> texts = each(drawn, [](const auto& named) {
        return fmt::format("{}={}", named.first, named.second.value);
      });
      throw InputError(fmt::format("{}: --uncertainty sampled an invalid robot, {}:\n{}",
                                   in_one_line(file.path), fmt::join(texts, ", "), error.what()));
    }
  };
}

OptionList::Entry& declare_uncertainty(OptionList& list, UncertaintyOptions& options) {
  list.check([&options] {
    if (!options.text.empty()) parse_uncertainty(options.text, options);
  });
  return list.option(
      "--uncertainty", "LIST", options.text, not_empty,
      "parameter tolerances, e.g. mass=5%,com=5mm,inertia=10%,friction=30%,payload=10%,l1=2mm");
}

}  // namespace armdyn
