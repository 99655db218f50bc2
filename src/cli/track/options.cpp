#include "cli/track/options.hpp"

#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"
#include "cli/track/controller.hpp"

namespace armdyn {

namespace {

void declare(OptionList& list, TrackOptions& options) {
  declare_robot(list, options.robot);
  list.argument(
      "MOTION", options.motion, as_written,
      "CSV or .npy file with t, q1..,qd1..,qdd1.., or the bare name of a shipped motion (default: "
      "- , standard input)");
  list.option("--controller", "NAME", options.control.controller, controller_choices(),
              controller_choices().text() + " (default: computed-torque)");
  list.option("--friction-by", "NAME", options.control.friction_by, friction_choices(),
              "speed whose sign the dry friction has that computed-torque compensates: " +
                  friction_choices().text() + " (default: desired)")
      .echoed_if([&options] { return options.control.controller == Controller::computed_torque; });
  list.option("--kp", "GAIN", options.kp, as_written,
              "position gain: a number, a list with one for each joint, or a CSV file with the "
              "matrix (computed-torque: 1/s^2, default 100; the others: N m/rad or N/m)")
      .unechoed();
  list.option("--kv", "GAIN", options.kv, as_written,
              "velocity gain, likewise (computed-torque: 1/s, default 2 sqrt(kp), which damps "
              "critically; the others: N m s/rad or N s/m)")
      .unechoed();
  list.option("--ki", "GAIN", options.ki, as_written,
              "gain of the errors' sum over time, likewise (computed-torque: 1/s^3; the others: N "
              "m/(rad s) or N/(m s); default: none)")
      .unechoed();
  list.option("--sample-time", "SECONDS", options.control.sample_time, parse_duration_or_zero,
              "time between samples, the torque is held from one to the next; 0: torque at all "
              "times (default: 0.01)");
  list.option("--delay", "SAMPLES", options.control.delay, parse_delay,
              "from measuring to the torque that follows from it (default: 0)");
  list.option("--method", "NAME", options.control.method, method_choices(),
              "of the controller's inverse dynamics: " + method_choices().text() +
                  " (default: newton-euler)");
  list.option("--model", "ROBOT", options.model.robot, as_written,
              "the arm as the controller knows it, just as that file says (default: ROBOT with "
              "--gravity, --payload and --without)")
      .unechoed();
  declare_without(list, "--model-without", options.model,
                  "what the arm has and the controller does not know, any of "
                  "friction,rotors,payload,gravity");
  list.option("--encoder", "RESOLUTION", options.encoder, as_written,
              "positions are read in such steps, velocities are their differences: a number or a "
              "list, rad or m; with ' deg' at the end in degrees (default: exact)")
      .unechoed();
  list.flag("--saturate", options.saturate, "cut torques to the limits of the robot file");
  list.option("--q0", "LIST", options.q0, as_written,
              "position at the start: a list like 0,-1.57,0 (rad, m) or \"0,-90,0 deg\", or a "
              "pose of the robot file (default: the motion's)")
      .unechoed();
  list.option("--qd0", "LIST", options.qd0, as_written,
              "velocity at the start (default: the motion's)")
      .unechoed();
  list.option("--hold", "SECONDS", options.hold, parse_duration,
              "go on so long after the last row, with the arm to stay where the motion ends");
  list.flag("--desired", options.desired,
            "write q_desired1.., qd_desired1.., qdd_desired1.. as well");
  declare_steps(list, options.simulation);
  declare_integration(list, options.simulation);
  declare_limits(list, options.simulation);
  list.option("--max-error", "X", options.max_error, as_written,
              "exit 1 where |e| of a joint is larger: a number or a list, rad or m; with ' deg' at "
              "the end in degrees");
  declare_topic(list, options.topics);
  list.flag("--ignore-extra", options.ignore_extra, "pass over columns that are not known");
  declare_plot(list, options.plot, "errors and torques");
  declare_output(list, options.output);
  list.check([&options] { refuse_contradictions(options); });
}

}  // namespace

Verb track_verb() {
  return verb<TrackOptions>(
      "track", "Does the arm follow this motion under a controller?",
      "  armdyn track puma560 puma560-pick-and-place -o track.csv --plot track.svg\n"
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 "
      "--rate 100 \\\n"
      "    | armdyn track puma560 - --without friction,rotors --kp 100 --kv 20 -o track.csv\n"
      "  armdyn track puma560 puma560-pick-and-place --payload 2.5 --model-without payload "
      "--delay 1 | head\n",
      declare);
}

}  // namespace armdyn
