#include "cli/vary/options.hpp"

#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

const Choices<Distribution> distributions{{"uniform", Distribution::uniform},
                                          {"normal", Distribution::normal}};

}  // namespace

void declare(OptionList& list, VaryOptions& options) {
  declare_robot(list, options.robot);
  list.argument("MOTION", options.motion, as_written,
                "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion "
                "(default: - , standard input)");
  declare_uncertainty(list, options.uncertainty).required();
  list.option("--distribution", "NAME", options.uncertainty.bounds.distribution, distributions,
              "within these bounds: uniform (default) | normal, with the bound at three standard "
              "deviations and cut there");
  list.option("--samples", "N", options.samples, parse_count, "arms to draw (default: 1000)");
  list.option("--seed", "S", options.seed, parse_seed, "of the draws (default: 1)");
  list.option("--worst", "FILE", options.worst, as_written,
              "write the arm with the largest share of a torque limit as a robot file")
      .unechoed();
  declare_model(list, "--worst", options.worst, options.output.force);
  list.flag("--strict", options.strict, "exit 1 where an arm exceeds a torque limit");
  declare_log(list, options.log);
  declare_output(list, options.output);
  declare_part(list, options.part, options.output);
}

Verb vary_verb() {
  return verb<VaryOptions>(
      "vary", "What torques does this motion need if the arm is not quite that of its file?",
      "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm,inertia=10%\n"
      "  armdyn vary franka-panda motion.csv --payload 2 --uncertainty payload=10%,friction=30% "
      "--samples "
      "100000 -o arms.npy --worst worst.yaml\n",
      declare);
}

}  // namespace armdyn
