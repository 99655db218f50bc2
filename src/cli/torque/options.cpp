#include "cli/torque/options.hpp"

#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

void declare(OptionList& list, TorqueOptions& options) {
  declare_robot(list, options.robot);
  list.argument(
      "MOTION", options.motion, as_written,
      "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion (default: "
      "- , standard input)");
  list.option("--method", "NAME", options.method, method_choices(), method_choices().text());
  list.flag("--bounds", options.bounds,
            "after tau, tau_error1..: how far it can be from the truth, proven in 50 digits");
  declare_input_error(list, options.input_error).echoed_if([&options] { return options.bounds; });
  list.check([&list, &options] {
    if (list.is_given("--input-error") && !options.bounds) {
      throw UsageError("torque: --input-error says what --bounds takes for exact; add --bounds");
    }
  });
  list.flag("--terms", options.terms,
            "after tau, its parts: inertia, velocity, gravity, friction, rotor, wrench");
  list.flag("--reactions", options.reactions, "joint wrenches f1x,f1y,f1z,n1x,n1y,n1z,f2x..");
  list.flag("--keep-motion", options.keep_motion, "t, q, qd, qdd and the wrench before tau");
  declare_log(list, options.log);
  list.flag("--derive-errors", options.log.derive_errors,
            "after all, qd_uncertainty1.., qdd_uncertainty1..: of what --derive took from q");
  list.option("--dead-zone", "SPEED", options.log.dead_zone, parse_tolerance,
              "slower joints are at rest, where static friction holds, rad/s, m/s (default: 0, or "
              "what --derive cannot tell from 0)");
  declare_as_given(list, options.log);
  list.check([&options] {
    if (options.log.derive_errors && !options.log.derive) {
      throw UsageError("--derive-errors is that of --derive; give both");
    }
  });
  list.flag("--strict", options.strict, "exit 1 where a limit of the robot is exceeded");
  list.flag("--slow-down", options.slow_down,
            "say how far to slow the motion down, no more than it takes to keep all limits of the "
            "robot; exit 1 where no speed does")
      .echoed_if([&options] { return options.slow_down; });
  list.check([&options] {
    if (options.slow_down && options.part) {
      throw UsageError("torque: --slow-down looks at a whole motion; leave out --part");
    }
  });
  declare_plot(list, options.plot, "the torques");
  declare_output(list, options.output);
  declare_part(list, options.part, options.output);
}

Verb torque_verb() {
  return verb<TorqueOptions>(
      "torque", "What torques does this motion need?",
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --terms --payload 2.5,0,0,0.05 | head\n"
      "  armdyn torque puma560 puma560-welding-weave --keep-motion | armdyn torque puma560 "
      "--strict\n",
      declare);
}

}  // namespace armdyn
