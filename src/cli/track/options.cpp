#include "cli/track/options.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/track/controller.hpp"

namespace armdyn {

namespace {

struct TrackTexts {
  CommonTexts common;
  IntegrationTexts integration;
  std::string controller, model_without, sample_time, delay, step, every;
  std::string method = "newton-euler", limits = "stop";
};

void add(VerbSyntax& verb, TrackOptions& options, TrackTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.argument(
      "MOTION", options.motion,
      "CSV or .npy file with t, q1..,qd1..,qdd1.., or the bare name of a shipped motion (default: "
      "- , standard input)");
  verb.option("--controller", "NAME", texts.controller,
              "computed-torque | pd | pd-gravity | feedforward (default: computed-torque)");
  verb.option("--kp", "GAIN", options.kp,
              "position gain: a number, a list with one for each joint, or a CSV file with the "
              "matrix (computed-torque: 1/s^2, default 100; the others: N m/rad or N/m)");
  verb.option("--kv", "GAIN", options.kv,
              "velocity gain, likewise (computed-torque: 1/s, default 2 sqrt(kp), which damps "
              "critically; the others: N m s/rad or N s/m)");
  verb.option("--sample-time", "SECONDS", texts.sample_time,
              "time between samples, the torque is held from one to the next; 0: torque at all "
              "times (default: 0.01)");
  verb.option("--delay", "SAMPLES", texts.delay,
              "from measuring to the torque that follows from it (default: 0)");
  verb.option(
      "--method", "NAME", texts.method,
      "of the controller's inverse dynamics: newton-euler | modified-newton-euler | lagrange "
      "(default: newton-euler)");
  verb.option("--model", "ROBOT", options.model.robot,
              "the arm as the controller knows it, just as that file says (default: ROBOT with "
              "--gravity, --payload and --without)");
  verb.option("--model-without", "LIST", texts.model_without,
              "what the arm has and the controller does not know, any of "
              "friction,motor,payload,gravity");
  verb.option("--encoder", "RESOLUTION", options.encoder,
              "positions are read in such steps, velocities are their differences: a number or a "
              "list, rad or m; with ' deg' at the end in degrees (default: exact)");
  verb.flag("--saturate", options.saturate, "cut torques to the limits of the robot file");
  verb.option("--q0", "LIST", options.q0,
              "position at the start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a "
              "pose of the robot file (default: the motion's)");
  verb.option("--qd0", "LIST", options.qd0, "velocity at the start (default: the motion's)");
  verb.option("--step", "H", texts.step,
              "step of rk4, time between rows of the others, s (default: 0.001)");
  verb.option("--every", "K", texts.every, "write each K-th step (default: 1)");
  add_integration(verb, texts.integration);
  add_limits(verb, texts.limits);
  verb.flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  verb.option("--plot", "FILE", options.plot,
              "draw errors and torques (.svg, .png or .pdf; needs gnuplot)");
  add_output(verb, options.output, texts.common);
}

void finish(TrackOptions& options, const TrackTexts& texts) {
  finish(options.robot, texts.common);
  finish_without(options.model, "--model-without", texts.model_without);
  finish(options.output, texts.common);
  if (!texts.controller.empty()) options.controller = parse_controller(texts.controller);
  if (!texts.sample_time.empty()) {
    options.sample_time = parse_duration_or_zero("--sample-time", texts.sample_time);
  }
  if (!texts.delay.empty()) options.delay = parse_delay("--delay", texts.delay);
  if (!texts.step.empty()) options.step = parse_duration("--step", texts.step);
  if (!texts.every.empty()) options.every = parse_count("--every", texts.every);
  options.method = parse_method("--method", texts.method);
  finish(options.integrator, options.tolerance, texts.integration);
  options.stop_at_limits = parse_limits(texts.limits);
  refuse_contradictions(options);
}

}  // namespace

VerbSyntax track_syntax() {
  return verb_syntax<TrackOptions, TrackTexts>(
      "track", "Does the arm follow this motion under a controller?",
      "  armdyn track puma560 puma560-pick-and-place -o track.csv --plot track.svg\n"
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 "
      "--rate 100 \\\n"
      "    | armdyn track puma560 - --without friction,motor --kp 100 --kv 20 -o track.csv\n"
      "  armdyn track puma560 puma560-pick-and-place --payload 2.5 --model-without payload "
      "--delay 1 | head\n",
      add, finish);
}

}  // namespace armdyn
