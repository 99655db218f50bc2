#include "cli/robots/options.hpp"

#include <fmt/format.h>

#include "cli/options/choices.hpp"

namespace armdyn {

namespace {

using Action = RobotsOptions::Action;

void declare(OptionList& list, RobotsOptions& options) {
  const Choices<Action> actions{
      {"list", Action::list}, {"show", Action::show}, {"copy", Action::copy}};
  list.argument(
      "ACTION", options.action,
      [actions](const std::string& /*name*/, const std::string& text) {
        return actions("robots", text);
      },
      "list (default), show: print a file, copy: copy it out for changes");
  list.argument("NAME", options.name, as_written, "of the robot or motion to show or copy");
  list.argument("FILE", options.target, as_written,
                "where the copy goes: a file or folder (default: the same name here)");
  list.flag("--force", options.output.force, "replace a file that is there already");
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file of list and show (default: - , standard output)");
  list.writes("-o", options.output.output, &options.output.force);
  list.flag("--json", options.output.json, "the list, or the entry of NAME in it, as JSON");
  list.flag("--quiet", options.output.quiet, "no word about what was copied");
  list.check([&options] {
    const bool lists = options.action == Action::list;
    if (!lists && options.name.empty()) {
      throw UsageError(
          fmt::format("robots: {0} whose file? armdyn robots lists the names; then: "
                      "armdyn robots {0} NAME",
                      options.action == Action::show ? "show" : "copy"));
    }
    if (lists && !options.name.empty()) {
      throw UsageError(fmt::format(
          "robots: list takes no name; armdyn robots show {0} prints the file, armdyn check {0} "
          "describes the model",
          options.name));
    }
    if (options.action != Action::copy && !options.target.empty()) {
      throw UsageError("robots: FILE is for copy; give -o FILE instead");
    }
    if (options.action == Action::copy && options.output.output != "-") {
      throw UsageError("robots: -o is for list and show; give FILE behind NAME instead");
    }
  });
}

}  // namespace

Verb robots_verb() {
  return verb<RobotsOptions>("robots", "Which arms and motions are there?",
                             "  armdyn robots\n"
                             "  armdyn robots show puma560 | head -n 40\n"
                             "  armdyn robots copy ur5e my-ur5e.yaml\n",
                             declare);
}

}  // namespace armdyn
