#include <fmt/format.h>

#include "cli/syntax/shared_options.hpp"

namespace armdyn {

namespace {

struct TorqueTexts {
  CommonTexts common;
  LogTexts log;
  std::string method = "newton-euler";
};

void add(VerbSyntax& verb, TorqueOptions& options, TorqueTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.argument(
      "MOTION", options.motion,
      "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion (default: "
      "- , standard "
      "input)");
  verb.option("--method", "NAME", texts.method,
              fmt::format("{}", fmt::join(method_names(), " | ")));
  verb.flag("--terms", options.terms,
            "after tau, its parts: inertia, velocity, gravity, friction, rotor, wrench");
  verb.flag("--reactions", options.reactions, "joint wrenches f1x,f1y,f1z,n1x,n1y,n1z,f2x..");
  verb.flag("--keep-motion", options.keep_motion, "t, q, qd, qdd and the wrench before tau");
  add_log(verb, options.log, texts.log);
  verb.flag("--strict", options.strict, "exit 1 where a limit of the robot is exceeded");
  verb.option("--plot", "FILE", options.plot,
              "draw the torques (.svg, .png or .pdf; needs gnuplot)");
  add_output(verb, options.output, texts.common);
}

void finish(TorqueOptions& options, const TorqueTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  finish(options.log, texts.log);
  options.method = parse_method("--method", texts.method);
}

}  // namespace

VerbSyntax torque_syntax() {
  return verb_syntax<TorqueOptions, TorqueTexts>(
      "torque", "What torques does this motion need?",
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --terms --payload 2.5,0,0,0.05 | head\n"
      "  armdyn torque puma560 puma560-welding-weave --keep-motion | armdyn torque puma560 "
      "--strict\n",
      add, finish);
}

}  // namespace armdyn
