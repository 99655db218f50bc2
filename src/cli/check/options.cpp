#include "cli/check/options.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

struct CheckTexts {
  CommonTexts common;
};

void add(VerbSyntax& verb, CheckOptions& options, CheckTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.flag("--strict", options.strict, "exit 1 on a warning too");
  add_output(verb, options.output, texts.common);
}

void finish(CheckOptions& options, const CheckTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
}

}  // namespace

VerbSyntax check_syntax() {
  return verb_syntax<CheckOptions, CheckTexts>("check", "Is this model sound?",
                                               "  armdyn check puma560\n"
                                               "  armdyn check ur5e --strict --quiet\n"
                                               "  armdyn check puma560 --without motor --json\n",
                                               add, finish);
}

}  // namespace armdyn
