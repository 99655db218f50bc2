#include <fmt/format.h>

#include <map>

#include "cli/options/shared_options.hpp"
#include "cli/robots/options.hpp"

namespace armdyn {

namespace {

struct RobotsTexts {
  std::string action;
};

void add(VerbSyntax& verb, RobotsOptions& options, RobotsTexts& texts) {
  verb.argument("ACTION", texts.action,
                "list (default), show: print a file, copy: copy it out for changes");
  verb.argument("NAME", options.name, "of the robot or motion to show or copy");
  verb.argument("FILE", options.target,
                "where the copy goes: a file or folder (default: the same name here)");
  verb.flag("--force", options.force, "replace a file that is there already");
  verb.option("--output", "FILE", options.output.output,
              "output file of list and show (default: - , standard output)");
  verb.flag("--json", options.output.json, "the list, or the entry of NAME in it, as JSON");
  verb.flag("--quiet", options.output.quiet, "no word about what was copied");
}

void finish(RobotsOptions& options, const RobotsTexts& texts) {
  using Action = RobotsOptions::Action;
  const std::map<std::string, Action> actions{
      {"list", Action::list}, {"show", Action::show}, {"copy", Action::copy}};
  if (!texts.action.empty()) {
    options.action = actions.at(parse_choice("robots", texts.action, {"list", "show", "copy"}));
  }
  const bool lists = options.action == Action::list;
  if (!lists && options.name.empty()) {
    throw UsageError(
        fmt::format("robots: {0} whose file? armdyn robots lists the names; then: "
                    "armdyn robots {0} NAME",
                    texts.action));
  }
  if (lists && !options.name.empty()) {
    throw UsageError(fmt::format(
        "robots: list takes no name; armdyn robots show {0} prints the file, armdyn check {0} "
        "describes the model",
        options.name));
  }
  if (options.action != Action::copy && (options.force || !options.target.empty())) {
    throw UsageError("robots: FILE and --force are for copy; give -o FILE instead");
  }
  if (options.action == Action::copy && options.output.output != "-") {
    throw UsageError("robots: -o is for list and show; give FILE behind NAME instead");
  }
}

}  // namespace

VerbSyntax robots_syntax() {
  return verb_syntax<RobotsOptions, RobotsTexts>("robots", "Which arms and motions are there?",
                                                 "  armdyn robots\n"
                                                 "  armdyn robots show puma560 | head -n 40\n"
                                                 "  armdyn robots copy ur5e my-ur5e.yaml\n",
                                                 add, finish);
}

}  // namespace armdyn
