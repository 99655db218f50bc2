#include "cli/check/options.hpp"

#include "cli/options/shared_options.hpp"

namespace armdyn {

void declare(OptionList& list, CheckOptions& options) {
  declare_robot(list, options.robot);
  list.flag("--strict", options.strict, "exit 1 on a warning too");
  declare_output(list, options.output);
}

Verb check_verb() {
  return verb<CheckOptions>("check", "Is this model sound?",
                            "  armdyn check puma560\n"
                            "  armdyn check ur5e --strict --quiet\n"
                            "  armdyn check puma560 --without rotors --json\n",
                            declare);
}

}  // namespace armdyn
