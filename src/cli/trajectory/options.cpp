#include "cli/trajectory/options.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/trajectory/motion_plan.hpp"

namespace armdyn {

namespace {

struct TrajectoryTexts {
  CommonTexts common;
  std::string duration, rate, harmonics, seed;
  std::string profile, orientation;
};

void add(VerbSyntax& verb, TrajectoryOptions& options, TrajectoryTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.option("--from", "LIST", options.from,
              "start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a pose of the robot "
              "file; with --excite the centre (default: the middle of the position limits)");
  verb.option("--to", "LIST", options.to, "end, as --from");
  verb.option(
      "--via", "FILE", options.via,
      "instead of --from and --to: CSV or .npy file of waypoints q1.. to pass through, with "
      "their times t or without; - is standard input");
  verb.flag("--line", options.line, "move the hand on a straight line");
  verb.option("--orientation", "NAME", texts.orientation,
              "of the hand on the line: interpolated (default) | constant | free");
  verb.flag("--excite", options.excite,
            "Fourier motion within the limits, for identification; a period of --duration "
            "(default: 10 s)");
  verb.option("--harmonics", "N", texts.harmonics, "of --excite (default: 5)");
  verb.option("--seed", "S", texts.seed, "of --excite (default: 1)");
  verb.option("--duration", "SECONDS", texts.duration, "how long it takes, s");
  verb.option(
      "--limits", "V,A", options.limits,
      "or as fast as these allow: [VELOCITY,]ACCELERATION for all joints, or a list "
      "for each, \"v1,..;a1,..\"; with ' deg' at the end in degrees. The robot file's "
      "velocity limits count as well. A --duration, or times t of --via, must keep to them");
  verb.option("--profile", "NAME", texts.profile,
              "trapezoid | cubic | quintic | septic | lspb (default: quintic)");
  verb.option("--rate", "HZ", texts.rate,
              "rows per second, Hz; rows land on knots as well (default: 1000)");
  verb.flag("--ignore-extra", options.ignore_extra,
            "pass over columns of --via that are not known");
  verb.option("--plot", "FILE", options.plot,
              "draw the motion (.svg, .png or .pdf; needs gnuplot)");
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

}  // namespace

VerbSyntax trajectory_syntax() {
  return verb_syntax<TrajectoryOptions, TrajectoryTexts>(
      "trajectory",
      "Make a motion: q, qd, qdd over t, each the exact derivative of the one before.",
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 | head\n"
      "  armdyn trajectory six-link-jaeri --from A --to B --line --profile trapezoid --duration 2 "
      "\\\n"
      "    | armdyn torque six-link-jaeri --keep-motion -o torques.csv\n"
      "  armdyn trajectory ur10e --excite --limits 1.5,3 --duration 20 --rate 100 -o excite.csv\n",
      add, finish);
}

}  // namespace armdyn
