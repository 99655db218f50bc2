#include "cli/trajectory/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

/// An option, and others that contradict it, or where it needs one.
struct OptionRule {
  const char* option;
  std::vector<const char*> others;
};

/// Throws UsageError for options that contradict one another, and where a motion lacks one.
void refuse_contradictions(const OptionList& list, const TrajectoryOptions& options) {
  const std::vector<OptionRule> alone{
      {"--via", {"--from", "--to", "--to-tcp", "--straight", "--excite", "--along"}},
      {"--along",
       {"--from", "--to", "--to-tcp", "--straight", "--excite", "--profile", "--duration"}},
      {"--excite", {"--to", "--to-tcp", "--straight", "--profile", "--torque-share"}},
      {"--time-optimal", {"--straight", "--excite", "--profile", "--duration"}},
      {"--to", {"--to-tcp"}}};
  const std::vector<OptionRule> needs{{"--optimize", {"--excite"}},
                                      {"--harmonics", {"--excite"}},
                                      {"--seed", {"--excite"}},
                                      {"--stop", {"--via"}},
                                      {"--columns", {"--via"}},
                                      {"--no-header", {"--via"}},
                                      {"--topic", {"--via", "--along"}},
                                      {"--ignore-extra", {"--via", "--along"}},
                                      {"--orientation", {"--straight", "--via"}},
                                      {"--along", {"--time-optimal", "--torque-share"}}};
  const auto is_given = [&list](const char* option) { return list.is_given(option); };
  for (const auto& [option, others] : alone) {
    const auto other = std::ranges::find_if(others, is_given);
    if (!is_given(option) || other == others.end()) continue;
    throw UsageError("{} and {} do not go together; leave out one of them", option, *other);
  }
  for (const auto& [option, others] : needs) {
    if (!is_given(option) || std::ranges::any_of(others, is_given)) continue;
    throw UsageError("{} needs {}", option, fmt::join(others, " or "));
  }
  refuse_if(options.straight && options.profile == Profile::monotone,
            "--straight takes --profile trapezoid, cubic, quintic, septic or lspb");
  const bool has_ends = is_given("--from") && (is_given("--to") || is_given("--to-tcp"));
  refuse_if(
      !has_ends && !is_given("--via") && !is_given("--along") && !is_given("--excite"),
      "trajectory needs --from and --to, or --via, --along or --excite{}; armdyn trajectory --help "
      "shows examples",
      is_given("--from")                         ? "; --to is missing"
      : is_given("--to") || is_given("--to-tcp") ? "; --from is missing"
                                                 : "");
}

void declare_ends(OptionList& list, TrajectoryOptions& options) {
  list.text("--from", "LIST", options.from,
            "start: 0,-1.57,0 or \"0,-90,0 deg\" or a pose; with --excite the center");
  list.text("--to", "LIST", options.to, "end, as --from");
  list.option("--to-tcp", "X,Y,Z[,R,P,Y]", options.to_tcp, not_empty,
              "end as a pose of the TCP in {0}, m, rad (without R,P,Y: any orientation)");
  list.option("--via", "FILE", options.via, not_empty,
              "waypoints of a CSV or .npy file: q1.. or x,y,z,.., optionally t, dwell, blend");
  list.option("--along", "MOTION", options.along, not_empty,
              "path of a motion file, for --time-optimal or --torque-share");
}

void declare_time_optimal(OptionList& list, TrajectoryOptions& options) {
  list.flag("--time-optimal", options.time_optimal,
            "fastest motion along the path, with a proven lower bound of the time")
      .echoed_if([&options] { return options.time_optimal; });
  list.option("--torque-share", "SHARE", options.torque_share, parse_positive_number,
              "time scaling that keeps this share of the torque limits (1: all)");
}

void declare_line(OptionList& list, TrajectoryOptions& options) {
  const Choices<TcpOrientation> orientations{{"interpolated", TcpOrientation::interpolated},
                                             {"constant", TcpOrientation::constant},
                                             {"free", TcpOrientation::free}};
  const auto on_line = [&options] {
    return options.straight || options.orientation != TcpOrientation::interpolated;
  };
  list.flag("--straight", options.straight, "straight-line path of the TCP").unechoed();
  list.option("--orientation", "NAME", options.orientation, orientations,
              "of the tool on a line: interpolated | constant | free (default: interpolated)")
      .echoed_if(on_line);
}

void declare_excitation(OptionList& list, TrajectoryOptions& options) {
  const auto excites = [&options] { return options.excite; };
  list.flag("--excite", options.excite,
            "excitation trajectory for identification: a Fourier series within the limits")
      .unechoed();
  list.flag("--optimize", options.optimize,
            "with --excite: minimize the condition number of the regressor")
      .echoed_if([&options] { return options.optimize; });
  list.option("--harmonics", "N", options.harmonics, parse_harmonics,
              "with --excite: number of harmonics, 3 to 1000 (default: 5)")
      .echoed_if(excites);
  list.option("--seed", "S", options.seed, parse_seed,
              "seed of the random numbers of --excite (default: 1)")
      .echoed_if(excites);
}

void declare_timing(OptionList& list, TrajectoryOptions& options) {
  const Choices<Profile> profiles{
      {"trapezoid", Profile::trapezoid}, {"cubic", Profile::cubic},
      {"quintic", Profile::quintic},     {"septic", Profile::septic},
      {"lspb", Profile::lspb},           {"monotone", Profile::monotone}};
  list.option("--duration", "SECONDS", options.duration, parse_duration, "duration, s");
  list.option("--limits", "V,A,J", options.limits, not_empty,
              "limits of velocity, acceleration, jerk, for all joints or each (beside the file's)");
  list.option("--profile", "NAME", options.profile, profiles,
              profiles.text() + " (default: quintic; with --via monotone)")
      .echoed_if(
          [&options] { return !options.excite && !options.time_optimal && options.along.empty(); });
  list.option("--rate", "HZ", options.rate, parse_rate,
              "rows per second, Hz; knots get a row, too (default: 1000)");
}

}  // namespace

void declare(OptionList& list, TrajectoryOptions& options) {
  declare_robot(list, options.robot);
  declare_ends(list, options);
  declare_time_optimal(list, options);
  declare_line(list, options);
  declare_excitation(list, options);
  declare_timing(list, options);
  declare_max_rows(list, options.max_rows);
  list.echo_if([&options] { return !options.via.empty(); });
  list.flag("--stop", options.stop, "with --via: stop at every waypoint");
  declare_columns(list, options.columns, options.no_header, "of --via, t, q");
  list.echo_if(always);
  declare_topics(list, options.topics, options.ignore_extra, " of --via");
  declare_plot(list, options.plot, "the motion");
  declare_output(list, options.output);
  list.check([&list, &options] {
    refuse_contradictions(list, options);
    if (!options.via.empty() && !list.is_given("--profile")) options.profile = Profile::monotone;
  });
}

Verb trajectory_verb() {
  return verb<TrajectoryOptions>(
      "trajectory", "Trajectory generation: points, lines, time-optimal, excitation",
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 | head\n"
      "  armdyn trajectory six-link-jaeri --from A --to B --straight --profile trapezoid "
      "--duration 2 "
      "\\\n"
      "    | armdyn torque six-link-jaeri --keep-motion -o torques.csv\n"
      "  armdyn trajectory ur5e --from upright --to-tcp \"0.4,-0.2,0.3,180,0,90 deg\" --limits "
      "1,2\n"
      "  armdyn trajectory ur10e --excite --limits 1.5,3 --duration 20 --rate 100 -o excite.csv\n"
      "  armdyn trajectory craig-3r --excite --optimize --limits 2,6 -o excite.csv\n",
      declare, plan_trajectory);
}

}  // namespace armdyn
