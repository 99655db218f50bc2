#include "cli/simulate/options.hpp"

#include <array>
#include <filesystem>
#include <span>
#include <system_error>

#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/file/interrupt.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

constexpr std::array all_interpolations{Interpolation::linear, Interpolation::hold};
constexpr std::array all_forward_methods{ForwardMethod::composite, ForwardMethod::articulated,
                                         ForwardMethod::strobe};

/// Completes the options of --stepwise. Throws UsageError for what does not go with it.
void hold_step_by_step(const OptionList& list, SimulateOptions& options) {
  if (!options.batch.empty())
    throw UsageError("--stepwise is for one simulation; leave out --batch");
  if (!list.is_given("--step")) {
    throw UsageError("--stepwise needs --step, the time from state to state, e.g. --step 0.01");
  }
  if (list.is_given("--interpolation") && options.interpolation != Interpolation::hold) {
    throw UsageError("--stepwise holds each row of torques; leave out --interpolation");
  }
  std::error_code none;
  const std::string& output = options.output.output;
  if (output != "-" &&
      (!std::filesystem::exists(output, none) || std::filesystem::is_regular_file(output, none))) {
    throw UsageError(
        "--stepwise writes states for a controller to read; leave out -o, or name a pipe");
  }
  options.interpolation = Interpolation::hold;
  if (options.torques.empty()) options.torques = "-";
}

}  // namespace

void declare(OptionList& list, SimulateOptions& options) {
  const auto single_run = [&options] { return options.batch.empty(); };
  const auto has_torques = [&options] {
    return !options.torques.empty() || !options.batch.empty();
  };
  const Choices<Interpolation> interpolations{std::span<const Interpolation>(all_interpolations)};
  const Choices<ForwardMethod> forward_methods{std::span<const ForwardMethod>(all_forward_methods)};
  declare_robot(list, options.robot);
  list.argument(
      "TORQUES", options.torques, as_written,
      "CSV or .npy file with t,tau1.. and optionally a hand wrench and the first q, qd; - is "
      "standard input (default: no torque, and standard input is not read)");
  list.option(
      "--batch", "FILE", options.batch, as_written,
      "many simulations at once, one per row of FILE (CSV or .npy; - is standard input): "
      "q1.., and optionally qd1.., tau1.. and a hand wrench that stay, or a torque file in "
      "column torques; run, t. Writes the end of each run, with how it ended (exit, joint)");
  list.option("--q0", "LIST", options.q0, as_written,
              "position at the start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a "
              "pose of the robot file (default: q of the first row, else 0)")
      .unechoed();
  list.option("--qd0", "LIST", options.qd0, as_written,
              "velocity at the start: a list in rad/s, m/s, or with deg in deg/s (default: qd of "
              "the first row, else 0)")
      .unechoed();
  list.option("--duration", "T", options.simulation.duration, parse_duration_or_zero,
              "s (default: to the last row of TORQUES; the last torque is held beyond it); 0: the "
              "acceleration at the start alone");
  declare_steps(list, options.simulation, single_run);
  declare_integration(list, options.simulation);
  list.option("--interpolation", "NAME", options.interpolation, interpolations,
              "of torques between rows: " + interpolations.text() + " (default: linear)")
      .echoed_if(has_torques);
  list.flag("--stepwise", options.stepwise,
            "a controller in the loop: each state (t, q, qd) is written before a row of torques is "
            "read (tau, and t if you like), which is held for --step, with --every K for K steps")
      .echoed_if(single_run);
  list.option("--forward", "NAME", options.simulation.forward, forward_methods,
              "forward dynamics: " + forward_methods.text() + " (default: the fastest)");
  declare_limits(list, options.simulation);
  list.flag("--estimate-error", options.simulation.estimate_error,
            "simulate at half the step (and a tenth of the tolerance) beside, and compare")
      .echoed_if(single_run);
  declare_topic(list, options.topics);
  list.flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  declare_plot(list, options.plot, "the motion");
  declare_output(list, options.output);
  declare_part(list, options.part, options.output);
  list.check([&list, &options] {
    if (options.stepwise) hold_step_by_step(list, options);
    if (options.part && options.batch.empty()) {
      throw UsageError("--part is for --batch: the rows of one simulation follow from one another");
    }
    if (options.torques.empty() && options.batch.empty() && !options.simulation.duration) {
      throw UsageError(
          "simulate: without TORQUES it needs --duration, e.g. --duration 2; to read torques from "
          "a pipe, name - as TORQUES");
    }
  });
}

Verb simulate_verb() {
  return verb<SimulateOptions>(
      "simulate", "What motion do these torques make?",
      "  armdyn simulate craig-rr --duration 2 -o fall.csv --plot fall.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --keep-motion | armdyn simulate puma560 - "
      "-o motion.csv\n"
      "  armdyn simulate craig-rr --q0 \"-90,30 deg\" --duration 10 --integrator rkf78 --every 10 "
      "| head\n"
      "  armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 1 --rate 100 | armdyn simulate "
      "craig-rr --batch - --duration 2 -o ends.csv\n",
      declare);
}

SimulationOptions simulation_options(const SimulateOptions& options, std::size_t dof) {
  SimulationOptions used = options.simulation;
  if (!used.forward) used.forward = fastest_method(dof);
  used.stop = interrupted;
  return used;
}

}  // namespace armdyn
