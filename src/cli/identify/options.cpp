#include "cli/identify/options.hpp"

#include <algorithm>

#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

std::vector<std::string> parse_names(const std::string& /*option*/, const std::string& text) {
  return split_list(text);
}

}  // namespace

void declare(OptionList& list, IdentifyOptions& options) {
  const Choices<FrictionLaw> laws{{"viscous", FrictionLaw::viscous},
                                  {"coulomb", FrictionLaw::coulomb},
                                  {"sigmoid", FrictionLaw::sigmoid},
                                  {"file", FrictionLaw::as_the_robot}};
  declare_robot(list, options.robot);
  list.argument("LOG", options.logs, lines_of,
                "CSV or .npy files with t, q1.. and measured torques tau1..")
      .several()
      .required();
  list.option("--held-out", "LOG", options.held_out, lines_of,
              "logs that are judged and not fitted (default: the last fifth of each LOG)")
      .several();
  list.option("--friction", "LAW", options.task.law, laws,
              "viscous | coulomb (with viscous) | sigmoid (with viscous) | file: the laws of the "
              "robot file, coulomb where it has none (default)");
  list.option(
      "--free", "LIST", options.task.free, parse_names,
      "what is fitted, out of payload, rotors, friction, offsets, delay and names of joints, "
      "for their links (default: all but the payload)");
  list.option("--fix", "LIST", options.task.fixed, parse_names,
              "what is not fitted, out of the same");
  list.option("--prior", "WEIGHT", options.task.prior_weight, parse_positive_number,
              "of what the robot file says, against the data (default: 1)");
  list.option("--dead-zone", "SPEED", options.task.dead_zone, parse_tolerance,
              "where dry friction jumps, slower rows say nothing, rad/s, m/s (default: 0.01)");
  declare_log(list, options.log);
  declare_as_given(list, options.log);
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "the new robot file (default: none)")
      .unechoed();
  declare_plot(list, options.plot, "measured and predicted torques of what is held out");
  declare_model(list, "-o", options.output.output, options.output.force);
  list.option("--threads", "N", options.output.threads, parse_threads,
              "threads to work in (default: one per core)")
      .unechoed();
  declare_report(list, options.output);
  list.flag("--json", options.output.json, "the answer as JSON").unechoed();
  list.flag("--quiet", options.output.quiet, "only what is wrong").unechoed();
  list.check([&options] {
    for (const auto* const logs : {&options.logs, &options.held_out}) {
      if (std::ranges::find(*logs, "-") == logs->end()) continue;
      throw UsageError("identify: logs are files; found -, standard input");
    }
  });
}

Verb identify_verb() {
  return verb<IdentifyOptions>(
      "identify", "The parameters of this arm from its logs.",
      "  armdyn identify ur10e excitation.csv --held-out other.csv -o mine.yaml\n"
      "  armdyn identify franka-panda log.csv --friction sigmoid --window 0.24 -o mine.yaml\n"
      "  armdyn identify mine.yaml loaded.csv --free payload\n",
      declare);
}

}  // namespace armdyn
