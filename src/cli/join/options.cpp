#include "cli/join/options.hpp"

namespace armdyn {

void declare(OptionList& list, JoinOptions& options) {
  list.argument("OUT", options.output.output, as_written,
                "the file whose parts OUT.part-1-of-N and so on are there")
      .required()
      .unechoed();
  list.writes("OUT", options.output.output);
  list.flag("--json", options.output.json, "summary as JSON").unechoed();
  list.flag("--quiet", options.output.quiet, "no summary as text").unechoed();
}

Verb join_verb() {
  return verb<JoinOptions>("join", "Puts the parts of an output together.",
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 100000 --part 1/2 -o arms.npy\n"
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 100000 --part 2/2 -o arms.npy\n"
                           "  armdyn join arms.npy\n",
                           declare);
}

}  // namespace armdyn
