#include "cli/new/options.hpp"

#include "cli/options/choices.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

std::vector<JointType> parse_revolute_count(const std::string& option, const std::string& text) {
  return std::vector<JointType>(parse_joint_count(option, text), JointType::revolute);
}

void declare(OptionList& list, NewOptions& options) {
  const Choices<Convention> conventions{{"standard", Convention::standard},
                                        {"modified", Convention::modified}};
  list.argument("NAME", options.name, parse_name,
                "of the robot (default: that of the output file)");
  list.option("--convention", "NAME", options.convention, conventions,
              "of the Denavit-Hartenberg table: " + conventions.text() +
                  " (default: left open in the file)");
  list.option("--joints", "N", options.joints, parse_revolute_count,
              "number of revolute joints (default: 6)");
  list.option("--types", "RRP..", options.joints, parse_joint_types,
              "R (revolute) or P (prismatic) for each joint");
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file (default: - , standard output)");
  list.flag("--force", options.force, "replace a file that is there already");
  list.flag("--json", options.output.json, "say as JSON what was written");
  list.flag("--quiet", options.output.quiet, "no word about what was written");
  list.check([&list, &options] {
    if (!list.is_given("NAME")) options.name = name_from_path(options.output.output, options.name);
    if (list.is_given("--joints") && list.is_given("--types")) {
      throw UsageError("--joints and --types both say how many joints there are; give one of them");
    }
  });
}

}  // namespace

Verb new_verb() {
  return verb<NewOptions>("new", "A robot file to fill in",
                          "  armdyn new my-arm -o my-arm.yaml\n"
                          "  armdyn new scara --convention standard --types RRPR -o scara.yaml\n",
                          declare);
}

}  // namespace armdyn
