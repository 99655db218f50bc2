#include "cli/size/options.hpp"

#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

void declare(OptionList& list, SizeOptions& options) {
  declare_robot(list, options.robot);
  list.argument("MOTION", options.motion, as_written,
                "one cycle: CSV or .npy file with t,q1..,qd1..,qdd1.., or the bare name of a "
                "shipped motion (default: - , standard input)");
  list.option("--dwell", "SECONDS", options.dwell, parse_duration_or_zero,
              "hold the last position for so long at the end of the cycle, s (default: 0)");
  list.option("--safety", "FACTOR", options.safety, parse_positive_number,
              "what is needed counts so many times against the ratings (default: 1)");
  declare_uncertainty(list, options.uncertainty);
  list.option("--catalogue", "FILE", options.catalogue, as_written,
              "which motors and gears of a CSV file pass, lightest first");
  declare_plot(list, options.plot, "torques within their curves, temperatures, power of the bus");
  declare_log(list, options.log);
  declare_output(list, options.output, "the same as JSON");
}

Verb size_verb() {
  return verb<SizeOptions>(
      "size", "Do these motors, gears and this supply carry this motion, cycle after cycle?",
      "  armdyn size arm.yaml cycle.csv --dwell 0.5\n"
      "  armdyn size arm.yaml cycle.csv --safety 1.3 --json -o sizing.json\n"
      "  armdyn size arm.yaml cycle.csv --uncertainty mass=5%,payload=10%\n"
      "  armdyn size arm.yaml cycle.csv --catalogue drives.csv --plot drives.svg\n"
      "  armdyn size puma560 puma560-pick-and-place\n",
      declare);
}

}  // namespace armdyn
