#include "cli/options/shared_options.hpp"

#include <algorithm>
#include <map>

#include "cli/options/common_options.hpp"
#include "cli/options/log_options.hpp"
#include "log/log_options.hpp"

namespace armdyn {

void add_robot(VerbSyntax& verb, RobotOptions& options, CommonTexts& texts) {
  verb.required_argument("ROBOT", options.robot, "robot file, or the bare name of a shipped robot");
  verb.option("--gravity", "x,y,z", texts.gravity,
              "gravity field in the world, m/s^2 (default: the file's)");
  verb.option("--payload", "MASS[,x,y,z]", texts.payload,
              "payload at the tool, kg, with its centre of mass in the tool frame, m; instead "
              "of the file's");
  verb.option("--without", "LIST", texts.without,
              "leave out any of friction,motor,payload,gravity");
}

void add_output(VerbSyntax& verb, OutputOptions& options, CommonTexts& texts,
                std::string_view json) {
  verb.option("--output", "FILE", options.output, "output file (default: - , standard output)");
  verb.flag("--json", options.json, json);
  verb.flag("--quiet", options.quiet, "no summary as text, no progress");
  verb.option("--threads", "N", texts.threads, "threads to use (default: all cores)");
}

void add_log(VerbSyntax& verb, LogOptions& options, LogTexts& texts) {
  verb.option("--columns", "NAME=COLUMN,..", texts.columns,
              "what the columns are, e.g. \"q=actual_q_{0..5},t=timestamp\", where the names do "
              "not say it");
  verb.flag("--no-header", options.no_header,
            "the file has no header: t, q or t, q, qd or t, q, qd, qdd; --columns counts from 1");
  verb.flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  verb.flag("--derive", options.derive, "take qd and qdd, where missing, from q over t");
  verb.option("--window", "SECONDS", texts.window,
              "width of the fits that derive, s (default: chosen from the data)");
  verb.option("--gaps", "RULE", texts.gaps,
              "rows that are missing, unreadable or at a wrong time: refuse (default) | skip | "
              "bridge");
  verb.option("--from-time", "SECONDS", texts.from_time, "pass over earlier rows");
  verb.option("--to-time", "SECONDS", texts.to_time, "pass over later rows");
  verb.option("--resample", "HZ", texts.resample,
              "rows at this rate, on straight lines between those "
              "of the file");
}

void add_integration(VerbSyntax& verb, IntegrationTexts& texts) {
  verb.option("--integrator", "NAME", texts.integrator, "rk4 | dopri5 | rkf78 (default: rk4)");
  verb.option("--tolerance", "X", texts.tolerance,
              "of dopri5 and rkf78: local error per step over 1 + |value| (default: 1e-9)");
}

void add_limits(VerbSyntax& verb, std::string& text) {
  verb.option("--limits", "NAME", text,
              "at a joint's position limit: stop | ignore (default: stop)");
}

void finish(LogOptions& options, const LogTexts& texts) {
  if (!texts.columns.empty()) options.columns = parse_columns(texts.columns);
  if (!texts.gaps.empty()) options.gaps = parse_gaps(texts.gaps);
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
  finish_without(options, "--without", texts.without);
  if (options.without_gravity && options.gravity) {
    throw UsageError("--gravity and --without gravity contradict one another; give one of them");
  }
  if (options.without_payload && options.payload) {
    throw UsageError("--payload and --without payload contradict one another; give one of them");
  }
}

void finish_without(RobotOptions& options, const std::string& option, const std::string& text) {
  const std::map<std::string, bool*> parts{{"friction", &options.without_friction},
                                           {"motor", &options.without_motor},
                                           {"payload", &options.without_payload},
                                           {"gravity", &options.without_gravity}};
  for (const std::string& part : split_list(text)) {
    *parts.at(parse_choice(option, part, {"friction", "motor", "payload", "gravity"})) = true;
  }
}

void finish(OutputOptions& options, const CommonTexts& texts) {
  if (!texts.threads.empty()) options.threads = parse_count("--threads", texts.threads);
}

void finish(Integrator& integrator, double& tolerance, const IntegrationTexts& texts) {
  integrator = parse_named<Integrator>(
      "--integrator", texts.integrator,
      {{"rk4", Integrator::rk4}, {"dopri5", Integrator::dopri5}, {"rkf78", Integrator::rkf78}});
  if (texts.tolerance.empty()) return;
  tolerance = parse_tolerance("--tolerance", texts.tolerance);
  if (integrator == Integrator::rk4) {
    throw UsageError(
        "--tolerance is for --integrator dopri5 and rkf78; how exact rk4 is follows from --step");
  }
  if (tolerance < 1e-14) {
    throw UsageError("--tolerance: found \"" + texts.tolerance +
                     "\", expected 1e-14 or more, which is what doubles can hold");
  }
}

bool parse_limits(const std::string& text) {
  return parse_named<bool>("--limits", text, {{"stop", true}, {"ignore", false}});
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

}  // namespace armdyn
