#include "cli/new/options.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

struct NewTexts {
  std::string name, convention, joints, types;
};

void add(VerbSyntax& verb, NewOptions& options, NewTexts& texts) {
  verb.argument("NAME", texts.name, "of the robot (default: that of the output file)");
  verb.option(
      "--convention", "NAME", texts.convention,
      "of the Denavit-Hartenberg table: standard | modified (default: left open in the file)");
  verb.option("--joints", "N", texts.joints, "number of revolute joints (default: 6)");
  verb.option("--types", "RRP..", texts.types, "R (revolute) or P (prismatic) for each joint");
  verb.option("--output", "FILE", options.output.output,
              "output file (default: - , standard output)");
  verb.flag("--force", options.force, "replace a file that is there already");
  verb.flag("--json", options.output.json, "say as JSON what was written");
  verb.flag("--quiet", options.output.quiet, "no word about what was written");
}

void finish(NewOptions& options, const NewTexts& texts) {
  options.name = texts.name.empty() ? name_from_path(options.output.output, options.name)
                                    : parse_name("NAME", texts.name);
  if (!texts.convention.empty()) {
    const bool standard =
        parse_choice("--convention", texts.convention, {"standard", "modified"}) == "standard";
    options.convention = standard ? Convention::standard : Convention::modified;
  }
  if (!texts.joints.empty() && !texts.types.empty()) {
    throw UsageError("--joints and --types both say how many joints there are; give one of them");
  }
  if (!texts.joints.empty()) {
    options.joints.assign(parse_joint_count("--joints", texts.joints), JointType::revolute);
  }
  if (!texts.types.empty()) options.joints = parse_joint_types("--types", texts.types);
}

}  // namespace

VerbSyntax new_syntax() {
  return verb_syntax<NewOptions, NewTexts>(
      "new", "A robot file to fill in",
      "  armdyn new my-arm -o my-arm.yaml\n"
      "  armdyn new scara --convention standard --types RRPR -o scara.yaml\n",
      add, finish);
}

}  // namespace armdyn
