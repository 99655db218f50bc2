// The only user of CLI11: which options exist, and how their texts become values.

#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <map>
#include <vector>

#include "cli/motion_plan.hpp"
#include "cli/value_text.hpp"

namespace armdyn {

namespace {

using Arguments = std::vector<std::string>;

/// Examples, then what the verb is for, then the options. The examples travel in CLI11's footer.
class HelpText : public CLI::Formatter {
 public:
  HelpText() { column_width(30); }

  std::string make_description(const CLI::App* app) const override {
    return "Examples:\n" + app->get_footer() + "\n" + app->get_description() + "\n\n";
  }
  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    if (app->get_parent() == nullptr) return "Usage: armdyn VERB ROBOT [INPUT] [options]\n";
    std::string usage = "Usage: armdyn " + app->get_name();
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional()) continue;
      const std::string& name = option->get_single_name();
      usage += option->get_required() ? " " + name : " [" + name + "]";
    }
    return usage + " [options]\n";
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_option_text();
  }
  std::string make_footer(const CLI::App* /*app*/) const override { return ""; }
};

/// Texts of the options that all verbs share, before they become values.
struct CommonTexts {
  std::string gravity;
  std::string payload;
  std::string without;
  std::string threads;
};

struct LogTexts {
  std::string columns;
  std::string gaps;
  std::string window;
  std::string from_time;
  std::string to_time;
  std::string resample;
};

void add_robot(CLI::App& verb, RobotOptions& options, CommonTexts& texts) {
  verb.add_option("ROBOT", options.robot, "robot file, or the bare name of a shipped robot")
      ->required();
  verb.add_option("--gravity", texts.gravity,
                  "gravity field in the world, m/s^2 (default: the file's)")
      ->option_text("x,y,z");
  verb.add_option("--payload", texts.payload,
                  "payload at the tool, kg, with its centre of mass in the tool frame, m; instead "
                  "of the file's")
      ->option_text("MASS[,x,y,z]");
  verb.add_option("--without", texts.without, "leave out any of friction,motor,payload,gravity")
      ->option_text("LIST");
}

void add_output(CLI::App& verb, OutputOptions& options, CommonTexts& texts) {
  verb.add_option("-o,--output", options.output, "output file (default: - , standard output)")
      ->option_text("FILE");
  verb.add_flag("--json", options.json, "summary as JSON");
  verb.add_flag("--quiet", options.quiet, "no summary, no progress");
  verb.add_option("--threads", texts.threads, "threads to use (default: all cores)")
      ->option_text("N");
}

void add_log(CLI::App& verb, LogOptions& options, LogTexts& texts) {
  verb.add_option(
          "--columns", texts.columns,
          "what the columns are, e.g. \"q=actual_q_{0..5},t=timestamp\", where the names do "
          "not say it")
      ->option_text("NAME=COLUMN,..");
  verb.add_flag(
      "--no-header", options.no_header,
      "the file has no header: t, q or t, q, qd or t, q, qd, qdd; --columns counts from 1");
  verb.add_flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  verb.add_flag("--derive", options.derive, "take qd and qdd, where missing, from q over t");
  verb.add_option("--window", texts.window,
                  "width of the fits that derive, s (default: chosen from the data)")
      ->option_text("SECONDS");
  verb.add_option("--gaps", texts.gaps,
                  "rows that are missing, unreadable or at a wrong time: refuse (default), skip or "
                  "bridge")
      ->option_text("RULE");
  verb.add_option("--from-time", texts.from_time, "pass over earlier rows")->option_text("SECONDS");
  verb.add_option("--to-time", texts.to_time, "pass over later rows")->option_text("SECONDS");
  verb.add_option("--resample", texts.resample,
                  "rows at this rate, on straight lines between those "
                  "of the file")
      ->option_text("HZ");
}

void finish(LogOptions& options, const LogTexts& texts) {
  if (!texts.columns.empty()) options.columns = parse_columns(texts.columns);
  const std::map<std::string, Gaps> rules{
      {"refuse", Gaps::refuse}, {"skip", Gaps::skip}, {"bridge", Gaps::bridge}};
  if (!texts.gaps.empty()) {
    options.gaps = rules.at(parse_choice("--gaps", texts.gaps, {"refuse", "skip", "bridge"}));
  }
  if (!texts.window.empty()) options.window = parse_duration("--window", texts.window);
  if (!texts.resample.empty()) options.resample = parse_rate("--resample", texts.resample);
  if (!texts.from_time.empty()) options.from_time = parse_time("--from-time", texts.from_time);
  if (!texts.to_time.empty()) options.to_time = parse_time("--to-time", texts.to_time);
  if (options.window && !options.derive) {
    throw UsageError("--window is that of --derive; give both");
  }
}

void finish(RobotOptions& options, const CommonTexts& texts) {
  if (!texts.gravity.empty()) options.gravity = parse_gravity(texts.gravity);
  if (!texts.payload.empty()) options.payload = parse_payload(texts.payload);
  for (const std::string& part : split_list(texts.without)) {
    const std::map<std::string, bool*> parts{{"friction", &options.without_friction},
                                             {"motor", &options.without_motor},
                                             {"payload", &options.without_payload},
                                             {"gravity", &options.without_gravity}};
    *parts.at(parse_choice("--without", part, {"friction", "motor", "payload", "gravity"})) = true;
  }
  if (options.without_gravity && options.gravity) {
    throw UsageError("--gravity and --without gravity contradict one another; give one of them");
  }
  if (options.without_payload && options.payload) {
    throw UsageError("--payload and --without payload contradict one another; give one of them");
  }
}

void finish(OutputOptions& options, const CommonTexts& texts) {
  if (!texts.threads.empty()) options.threads = parse_count("--threads", texts.threads);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method method : all_methods) names.emplace_back(name(method));
  return names;
}

Method parse_method(const std::string& option, const std::string& text) {
  const std::vector<std::string> names = method_names();
  const std::string chosen = parse_choice(option, text, names);
  return all_methods[std::find(names.begin(), names.end(), chosen) - names.begin()];
}

struct TorqueTexts {
  CommonTexts common;
  LogTexts log;
  std::string method = "newton-euler";
};

void add_torque(CLI::App& app, TorqueOptions& options, TorqueTexts& texts) {
  CLI::App& verb = *app.add_subcommand("torque", "What torques does this motion need?");
  verb.footer(
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --terms --payload 2.5,0,0,0.05 | head\n"
      "  armdyn torque puma560 puma560-welding-weave --keep-motion | armdyn torque puma560 "
      "--strict\n");
  add_robot(verb, options.robot, texts.common);
  verb.add_option("MOTION", options.motion,
                  "CSV file with q1..,qd1..,qdd1.., or the bare name of a shipped motion (default: "
                  "- , standard "
                  "input)");
  verb.add_option("--method", texts.method, fmt::format("{}", fmt::join(method_names(), " | ")))
      ->option_text("NAME");
  verb.add_flag("--terms", options.terms,
                "after tau, its parts: inertia, velocity, gravity, friction, motor, wrench");
  verb.add_flag("--reactions", options.reactions, "joint wrenches f1x,f1y,f1z,n1x,n1y,n1z,f2x..");
  verb.add_flag("--keep-motion", options.keep_motion, "t, q, qd, qdd and the wrench before tau");
  add_log(verb, options.log, texts.log);
  verb.add_flag("--strict", options.strict, "exit 1 where a limit of the robot is exceeded");
  verb.add_option("--plot", options.plot, "draw the torques (.svg, .png or .pdf; needs gnuplot)")
      ->option_text("FILE");
  add_output(verb, options.output, texts.common);
}

void finish(TorqueOptions& options, const TorqueTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  finish(options.log, texts.log);
  options.method = parse_method("--method", texts.method);
}

struct CompareTexts {
  CommonTexts common;
  std::string random, seed, tolerance;
  std::string methods = fmt::format("{}", fmt::join(method_names(), ","));
};

void add_compare(CLI::App& app, CompareOptions& options, CompareTexts& texts) {
  CLI::App& verb =
      *app.add_subcommand("compare", "Do the formulations agree, and what does each cost?");
  verb.footer(
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn compare ur10e --random 10000 --seed 7 --tolerance 1e-12\n"
      "  armdyn compare puma560 puma560-pick-and-place --methods newton-euler,lagrange "
      "--differences d.csv --json\n");
  add_robot(verb, options.robot, texts.common);
  verb.add_option("MOTION", options.motion,
                  "CSV file with q1..,qd1..,qdd1.., or the bare name of a shipped motion; - is "
                  "standard input (default: random states)");
  verb.add_option("--random", texts.random,
                  "without MOTION: number of random states within the position limits (default: "
                  "1000)")
      ->option_text("N");
  verb.add_option("--seed", texts.seed, "of the random states (default: 1)")->option_text("S");
  verb.add_option("--methods", texts.methods,
                  fmt::format("any of {} (default: all)", fmt::join(method_names(), ",")))
      ->option_text("LIST");
  verb.add_option("--tolerance", texts.tolerance,
                  "largest relative difference that counts as agreement (default: 1e-9)")
      ->option_text("X");
  verb.add_option("--differences", options.differences,
                  "write, row by row, each method's torque less the first one's")
      ->option_text("FILE");
  verb.add_flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  verb.add_option("--plot", options.plot,
                  "draw the differences (.svg, .png or .pdf; needs gnuplot)")
      ->option_text("FILE");
  add_output(verb, options.output, texts.common);
}

void finish(CompareOptions& options, const CompareTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  if (!options.motion.empty() && !(texts.random.empty() && texts.seed.empty())) {
    throw UsageError(fmt::format("compare: {} makes states of its own; leave out MOTION '{}'",
                                 texts.random.empty() ? "--seed" : "--random", options.motion));
  }
  if (!texts.random.empty()) options.random = parse_count("--random", texts.random);
  if (!texts.seed.empty()) options.seed = parse_seed("--seed", texts.seed);
  if (!texts.tolerance.empty()) options.tolerance = parse_tolerance("--tolerance", texts.tolerance);
  for (const std::string& text : split_list(texts.methods)) {
    const Method method = parse_method("--methods", text);
    if (std::find(options.methods.begin(), options.methods.end(), method) !=
        options.methods.end()) {
      throw UsageError(fmt::format("--methods: {} is there twice", text));
    }
    options.methods.push_back(method);
  }
  const bool needs_two = !options.differences.empty() || !options.plot.empty();
  if (options.methods.empty() || (needs_two && options.methods.size() < 2)) {
    throw UsageError(fmt::format("--methods: found \"{}\", expected at least {} of {}",
                                 texts.methods, needs_two ? "two" : "one",
                                 fmt::join(method_names(), ", ")));
  }
  if (options.differences == options.output.output) {
    throw UsageError(
        fmt::format("the table and the differences both go to '{}'; give one of -o "
                    "and --differences another file",
                    options.differences));
  }
}

struct InspectTexts {
  CommonTexts common;
  std::string rows;
  std::string sample_time;
};

void add_inspect(CLI::App& app, InspectOptions& options, InspectTexts& texts) {
  CLI::App& verb = *app.add_subcommand(
      "inspect", "The equations of motion at one state, term by term: M, V, G, J and the rest.");
  verb.footer(
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --rows vx,vy --links\n"
      "  armdyn inspect puma560 --q qr --linearize --sample-time 0.01 --json\n");
  add_robot(verb, options.robot, texts.common);
  verb.add_option("--q", options.q,
                  "position: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a pose of the "
                  "robot file (default: 0)")
      ->option_text("LIST");
  verb.add_option("--qd", options.qd, "velocity (default: 0)")->option_text("LIST");
  verb.add_option("--qdd", options.qdd,
                  "acceleration, for the links and the linear model "
                  "(default: 0)")
      ->option_text("LIST");
  verb.add_option("--rows", texts.rows,
                  "task rows of the Cartesian terms, out of vx,vy,vz,wx,wy,wz (default: all, for "
                  "six joints)")
      ->option_text("LIST");
  verb.add_flag("--links", options.links,
                "velocities, accelerations, forces and moments link by link");
  verb.add_flag("--linearize", options.linearize,
                "derivatives of the torque, and state-space A, B");
  verb.add_option("--sample-time", texts.sample_time,
                  "also A, B for torques held so long, s; implies --linearize")
      ->option_text("SECONDS");
  verb.add_flag("--equilibrium", options.equilibrium,
                "start at --q and go to where gravity asks no torque");
  add_output(verb, options.output, texts.common);
  verb.get_option("--json")->description("the same as JSON, matrices as lists of rows");
}

void finish(InspectOptions& options, const InspectTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  options.rows = parse_task_rows(texts.rows);
  if (!texts.sample_time.empty()) {
    options.sample_time = parse_duration("--sample-time", texts.sample_time);
    options.linearize = true;
  }
  if (options.equilibrium && !(options.qd.empty() && options.qdd.empty())) {
    throw UsageError("--equilibrium is a state of rest; leave out --qd and --qdd");
  }
}

struct TrajectoryTexts {
  CommonTexts common;
  std::string duration, rate, harmonics, seed;
  std::string profile, orientation;
};

void add_trajectory(CLI::App& app, TrajectoryOptions& options, TrajectoryTexts& texts) {
  CLI::App& verb = *app.add_subcommand(
      "trajectory",
      "Make a motion: q, qd, qdd over t, each the exact derivative of the one before.");
  verb.footer(
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 | head\n"
      "  armdyn trajectory six-link-jaeri --from A --to B --line --profile trapezoid --duration 2 "
      "\\\n"
      "    | armdyn torque six-link-jaeri --keep-motion -o torques.csv\n"
      "  armdyn trajectory ur10e --excite --limits 1.5,3 --duration 20 --rate 100 -o excite.csv\n");
  add_robot(verb, options.robot, texts.common);
  verb.add_option(
          "--from", options.from,
          "start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a pose of the robot "
          "file; with --excite the centre (default: the middle of the position limits)")
      ->option_text("LIST");
  verb.add_option("--to", options.to, "end, as --from")->option_text("LIST");
  verb.add_option("--via", options.via,
                  "instead of --from and --to: CSV file of waypoints q1.. to pass through, with "
                  "their times t or without; - is standard input")
      ->option_text("FILE");
  verb.add_flag("--line", options.line, "move the hand on a straight line");
  verb.add_option("--orientation", texts.orientation,
                  "of the hand on the line: interpolated (default) | constant | free")
      ->option_text("NAME");
  verb.add_flag("--excite", options.excite,
                "Fourier motion within the limits, for identification; a period of --duration "
                "(default: 10 s)");
  verb.add_option("--harmonics", texts.harmonics, "of --excite (default: 5)")->option_text("N");
  verb.add_option("--seed", texts.seed, "of --excite (default: 1)")->option_text("S");
  verb.add_option("--duration", texts.duration, "how long it takes, s")->option_text("SECONDS");
  verb.add_option("--limits", options.limits,
                  "or as fast as these allow: [VELOCITY,]ACCELERATION for all joints, or a list "
                  "for each, \"v1,..;a1,..\"; with ' deg' at the end in degrees. The robot file's "
                  "velocity limits count as well")
      ->option_text("V,A");
  verb.add_option("--profile", texts.profile,
                  "trapezoid | cubic | quintic | septic | lspb (default: quintic)")
      ->option_text("NAME");
  verb.add_option("--rate", texts.rate,
                  "rows per second, Hz; rows land on knots as well (default: 1000)")
      ->option_text("HZ");
  verb.add_flag("--ignore-extra", options.ignore_extra,
                "pass over columns of --via that are not known");
  verb.add_option("--plot", options.plot, "draw the motion (.svg, .png or .pdf; needs gnuplot)")
      ->option_text("FILE");
  add_output(verb, options.output, texts.common);
}

void finish(TrajectoryOptions& options, const TrajectoryTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  if (!texts.duration.empty()) options.duration = parse_duration("--duration", texts.duration);
  if (!texts.rate.empty()) options.rate = parse_rate("--rate", texts.rate);
  if (!texts.profile.empty()) options.profile = parse_profile(texts.profile);
  refuse_contradictions(options, {.profile = !texts.profile.empty(),
                                  .orientation = !texts.orientation.empty(),
                                  .harmonics = !texts.harmonics.empty(),
                                  .seed = !texts.seed.empty()});
  if (!texts.orientation.empty()) options.orientation = parse_orientation(texts.orientation);
  if (!texts.harmonics.empty()) options.harmonics = parse_count("--harmonics", texts.harmonics);
  if (options.harmonics < 3) {
    throw UsageError("--harmonics: to begin and end at rest without acceleration takes at least 3");
  }
  if (!texts.seed.empty()) options.seed = parse_seed("--seed", texts.seed);
}

struct CheckTexts {
  CommonTexts common;
};

void add_check(CLI::App& app, CheckOptions& options, CheckTexts& texts) {
  CLI::App& verb = *app.add_subcommand("check", "Is this model sound?");
  verb.footer(
      "  armdyn check puma560\n"
      "  armdyn check ur5e --strict --quiet\n"
      "  armdyn check puma560 --without motor --json\n");
  add_robot(verb, options.robot, texts.common);
  verb.add_flag("--strict", options.strict, "exit 1 on a warning too");
  add_output(verb, options.output, texts.common);
}

void finish(CheckOptions& options, const CheckTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
}

struct RobotsTexts {
  std::string action;
};

void add_robots(CLI::App& app, RobotsOptions& options, RobotsTexts& texts) {
  CLI::App& verb = *app.add_subcommand("robots", "Which arms and motions are there?");
  verb.footer(
      "  armdyn robots\n"
      "  armdyn robots show puma560 | head -n 40\n"
      "  armdyn robots copy ur5e my-ur5e.yaml\n");
  verb.add_option("ACTION", texts.action,
                  "list (default), show: print a file, copy: copy it out for changes");
  verb.add_option("NAME", options.name, "of the robot or motion to show or copy");
  verb.add_option("FILE", options.target,
                  "where the copy goes: a file or folder (default: the same name here)");
  verb.add_flag("--force", options.force, "replace a file that is there already");
  verb.add_option("-o,--output", options.output.output,
                  "output file of list and show (default: - , standard output)")
      ->option_text("FILE");
  verb.add_flag("--json", options.output.json, "list as JSON");
  verb.add_flag("--quiet", options.output.quiet, "no word about what was copied");
}

void finish(RobotsOptions& options, const RobotsTexts& texts) {
  using Action = RobotsOptions::Action;
  const std::map<std::string, Action> actions{
      {"list", Action::list}, {"show", Action::show}, {"copy", Action::copy}};
  if (!texts.action.empty()) {
    options.action = actions.at(parse_choice("robots", texts.action, {"list", "show", "copy"}));
  }
  const bool lists = options.action == Action::list;
  if (!lists && options.name.empty()) {
    throw UsageError(
        fmt::format("robots: {0} whose file? armdyn robots lists the names; then: "
                    "armdyn robots {0} NAME",
                    texts.action));
  }
  if (options.action != Action::copy && (options.force || !options.target.empty())) {
    throw UsageError("robots: FILE and --force are for copy; give -o FILE instead");
  }
  if (options.action == Action::copy && options.output.output != "-") {
    throw UsageError("robots: -o is for list and show; give FILE behind NAME instead");
  }
}

struct NewTexts {
  std::string name, convention, joints, types;
};

void add_new(CLI::App& app, NewOptions& options, NewTexts& texts) {
  CLI::App& verb = *app.add_subcommand("new", "A robot file to fill in");
  verb.footer(
      "  armdyn new my-arm -o my-arm.yaml\n"
      "  armdyn new scara --convention standard --types RRPR -o scara.yaml\n");
  verb.add_option("NAME", texts.name, "of the robot (default: that of the output file)");
  verb.add_option("--convention", texts.convention,
                  "standard | modified Denavit-Hartenberg table (default: left open in the file)")
      ->option_text("NAME");
  verb.add_option("--joints", texts.joints, "number of revolute joints (default: 6)")
      ->option_text("N");
  verb.add_option("--types", texts.types, "R (revolute) or P (prismatic) for each joint")
      ->option_text("RRP..");
  verb.add_option("-o,--output", options.output.output,
                  "output file (default: - , standard output)")
      ->option_text("FILE");
  verb.add_flag("--force", options.force, "replace a file that is there already");
}

void finish(NewOptions& options, const NewTexts& texts) {
  options.name = texts.name.empty() ? name_from_path(options.output.output, options.name)
                                    : parse_name("NAME", texts.name);
  if (!texts.convention.empty()) {
    const bool standard =
        parse_choice("--convention", texts.convention, {"standard", "modified"}) == "standard";
    options.convention = standard ? Convention::standard : Convention::modified;
  }
  if (!texts.joints.empty() && !texts.types.empty()) {
    throw UsageError("--joints and --types both say how many joints there are; give one of them");
  }
  if (!texts.joints.empty()) {
    options.joints.assign(parse_joint_count("--joints", texts.joints), JointType::revolute);
  }
  if (!texts.types.empty()) options.joints = parse_joint_types("--types", texts.types);
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

void refuse_unknown_option(const CLI::App& verb, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  const std::vector<std::string> known = option_names(verb);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(fmt::format("{} has no option {}{} (armdyn {} --help lists them)",
                               verb.get_name(), name, did_you_mean(name, known), verb.get_name()));
}

bool is_negative_number(const std::string& argument) {
  if (argument.starts_with("-pi")) return true;
  return argument.size() > 1 && argument[0] == '-' &&
         (argument[1] == '.' || (argument[1] >= '0' && argument[1] <= '9'));
}

/// CLI11 takes "-9.81,0,0" for an option: joins it to the option before it.
Arguments with_negative_values_joined(const Arguments& arguments) {
  Arguments joined;
  for (const std::string& argument : arguments) {
    if (is_negative_number(argument) && !joined.empty() && joined.back().starts_with("--")) {
      joined.back() += "=" + argument;
    } else {
      joined.push_back(argument);
    }
  }
  return joined;
}

const CLI::App& find_verb(const CLI::App& app, const Arguments& arguments) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string list = fmt::format("{}", fmt::join(verbs, ", "));
  if (arguments.empty()) {
    throw UsageError("a verb is missing: one of " + list + "; armdyn --help shows examples");
  }
  const std::string& name = arguments.front();
  if (std::find(verbs.begin(), verbs.end(), name) != verbs.end()) {
    return *app.get_subcommand(name);
  }
  throw UsageError(fmt::format("there is no {} '{}'{} (armdyn --help shows examples)",
                               name.starts_with('-') ? "option" : "verb", name,
                               did_you_mean(name, verbs)));
}

std::string missing_argument(const CLI::App& verb, const CLI::RequiredError& error) {
  return fmt::format("{}: {}; armdyn {} --help shows examples", verb.get_name(), error.what(),
                     verb.get_name());
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  const Arguments arguments = with_negative_values_joined({argv + 1, argv + argc});

  CLI::App app(
      "Dynamics of serial robot arms: the torques that a motion needs, the equations behind them, "
      "and formulations that check one another.",
      "armdyn");
  app.footer(
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn check ur10e\n"
      "  armdyn robots\n"
      "  armdyn torque --help\n");
  app.formatter(std::make_shared<HelpText>());
  app.set_version_flag("--version", "armdyn " ARMDYN_VERSION);
  app.require_subcommand(1);

  TorqueOptions torque;
  TorqueTexts torque_texts;
  add_torque(app, torque, torque_texts);
  CompareOptions compare;
  CompareTexts compare_texts;
  add_compare(app, compare, compare_texts);
  InspectOptions inspect;
  InspectTexts inspect_texts;
  add_inspect(app, inspect, inspect_texts);
  TrajectoryOptions trajectory;
  TrajectoryTexts trajectory_texts;
  add_trajectory(app, trajectory, trajectory_texts);
  CheckOptions check;
  CheckTexts check_texts;
  add_check(app, check, check_texts);
  RobotsOptions robots;
  RobotsTexts robots_texts;
  add_robots(app, robots, robots_texts);
  NewOptions fresh;
  NewTexts fresh_texts;
  add_new(app, fresh, fresh_texts);
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->set_version_flag("--version", "armdyn " ARMDYN_VERSION);
  }

  const bool asks_app = !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h" ||
                                               arguments[0] == "--version");
  const CLI::App& verb = asks_app ? app : find_verb(app, arguments);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--")) refuse_unknown_option(verb, argument);
  }
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return TextToShow{verb.help()};
  } catch (const CLI::CallForVersion&) {
    return TextToShow{"armdyn " ARMDYN_VERSION "\n"};
  } catch (const CLI::RequiredError& error) {
    throw UsageError(missing_argument(verb, error));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {}", verb.get_name(), error.what()));
  }

  if (verb.get_name() == "compare") {
    finish(compare, compare_texts);
    return compare;
  }
  if (verb.get_name() == "inspect") {
    finish(inspect, inspect_texts);
    return inspect;
  }
  if (verb.get_name() == "trajectory") {
    finish(trajectory, trajectory_texts);
    return trajectory;
  }
  if (verb.get_name() == "check") {
    finish(check, check_texts);
    return check;
  }
  if (verb.get_name() == "robots") {
    finish(robots, robots_texts);
    return robots;
  }
  if (verb.get_name() == "new") {
    finish(fresh, fresh_texts);
    return fresh;
  }
  finish(torque, torque_texts);
  return torque;
}

}  // namespace armdyn
