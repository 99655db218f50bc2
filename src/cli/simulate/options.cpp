#include "cli/simulate/options.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

struct SimulateTexts {
  CommonTexts common;
  IntegrationTexts integration;
  std::string duration, step, every;
  std::string interpolation = "linear", forward, limits = "stop";
};

void add(VerbSyntax& verb, SimulateOptions& options, SimulateTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.argument(
      "TORQUES", options.torques,
      "CSV or .npy file with t,tau1.. and optionally a hand wrench and the first q, qd; - is "
      "standard input (default: no torque, and standard input is not read)");
  verb.option(
      "--batch", "FILE", options.batch,
      "many simulations at once, one per row of FILE (CSV or .npy; - is standard input): "
      "q1.., and optionally qd1.., tau1.. and a hand wrench that stay, or a torque file in "
      "column torques; run, t. Writes the end of each run, with how it ended (exit, joint)");
  verb.option("--q0", "LIST", options.q0,
              "position at the start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a "
              "pose of the robot file (default: q of the first row, else 0)");
  verb.option("--qd0", "LIST", options.qd0,
              "velocity at the start: a list in rad/s, m/s, or with deg in deg/s (default: qd of "
              "the first row, else 0)");
  verb.option("--duration", "T", texts.duration,
              "s (default: to the last row of TORQUES; the last torque is held beyond it); 0: the "
              "acceleration at the start alone");
  verb.option("--step", "H", texts.step,
              "step of rk4, time between rows of the others, s (default: 0.001)");
  verb.option("--every", "K", texts.every, "write each K-th step (default: 1)");
  add_integration(verb, texts.integration);
  verb.option("--interpolation", "NAME", texts.interpolation,
              "of torques between rows: linear | hold (default: linear)");
  verb.option("--forward", "NAME", texts.forward,
              "forward dynamics: composite | articulated | strobe (default: the fastest)");
  add_limits(verb, texts.limits);
  verb.flag("--estimate-error", options.estimate_error,
            "simulate at half the step (and a tenth of the tolerance) beside, and compare");
  verb.flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  verb.option("--plot", "FILE", options.plot,
              "draw the motion (.svg, .png or .pdf; needs gnuplot)");
  add_output(verb, options.output, texts.common);
}

void finish(SimulateOptions& options, const SimulateTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  if (!texts.duration.empty()) {
    options.duration = parse_duration_or_zero("--duration", texts.duration);
  }
  if (!texts.step.empty()) options.step = parse_duration("--step", texts.step);
  if (!texts.every.empty()) options.every = parse_count("--every", texts.every);
  finish(options.integrator, options.tolerance, texts.integration);
  options.interpolation = parse_named<Interpolation>(
      "--interpolation", texts.interpolation,
      {{"linear", Interpolation::linear}, {"hold", Interpolation::hold}});
  if (!texts.forward.empty()) {
    options.forward = parse_named<ForwardMethod>("--forward", texts.forward,
                                                 {{"composite", ForwardMethod::composite},
                                                  {"articulated", ForwardMethod::articulated},
                                                  {"strobe", ForwardMethod::strobe}});
  }
  options.stop_at_limits = parse_limits(texts.limits);
  if (options.torques.empty() && options.batch.empty() && !options.duration) {
    throw UsageError(
        "simulate: without TORQUES it needs --duration, e.g. --duration 2; to read torques from a "
        "pipe, name - as TORQUES");
  }
}

}  // namespace

VerbSyntax simulate_syntax() {
  return verb_syntax<SimulateOptions, SimulateTexts>(
      "simulate", "What motion do these torques make?",
      "  armdyn simulate craig-rr --duration 2 -o fall.csv --plot fall.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --keep-motion | armdyn simulate puma560 - "
      "-o motion.csv\n"
      "  armdyn simulate craig-rr --q0 \"-90,30 deg\" --duration 10 --integrator rkf78 --every 10 "
      "| head\n"
      "  armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 1 --rate 100 | armdyn simulate "
      "craig-rr --batch - --duration 2 -o ends.csv\n",
      add, finish);
}

}  // namespace armdyn
