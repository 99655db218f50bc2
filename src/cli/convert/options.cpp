#include "cli/convert/options.hpp"

#include <fmt/format.h>

#include "cli/options/choices.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

/// "2e-5,1e-6": rad and m.
Snap parse_snap(const std::string& option, const std::string& text) {
  const std::vector<std::string> parts = split_list(text);
  if (parts.size() != 2) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected an angle in rad and a length in m, as in 2e-5,1e-6",
                    option, text));
  }
  const Snap snap{parse_tolerance(option, parts[0]), parse_tolerance(option, parts[1])};
  if (snap.angle > 0.01 || snap.length > 0.01) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected at most 0.01 rad and 0.01 m: more is another arm",
                    option, text));
  }
  return snap;
}

void declare(OptionList& list, ConvertOptions& options) {
  const Choices<Convention> conventions{{"standard", Convention::standard},
                                        {"modified", Convention::modified}};
  list.argument("INPUT", options.input, as_written,
                "robot file, URDF file, or the bare name of a shipped robot")
      .required()
      .unechoed();
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file: .yaml, .urdf, or .xml for MJCF (default: - , standard output, as YAML)")
      .unechoed();
  declare_set(list, options.set);
  list.option("--convention", "NAME", options.convention, conventions,
              "of the table that is written: " + conventions.text() +
                  " (default: the input's, modified for URDF)");
  list.option("--base", "LINK", options.chain.base, as_written,
              "of a URDF: where the chain begins (default: the root)");
  list.option("--tip", "LINK", options.chain.tip, as_written,
              "of a URDF: where it ends, which is the tool frame (default: the only end)");
  list.option("--snap", "ANGLE,LENGTH", options.snap, parse_snap,
              "axes of a URDF this near to parallel, at right angles or intersecting are taken as "
              "such, rad and m (default: 2e-5,1e-6)")
      .unechoed();
  declare_model(list, "-o", options.output.output, options.output.force);
  list.flag("--json", options.output.json, "summary as JSON").unechoed();
  list.flag("--quiet", options.output.quiet, "no summary as text").unechoed();
}

}  // namespace

Verb convert_verb() {
  return verb<ConvertOptions>("convert", "Robot files of other kinds: URDF in, URDF and MJCF out",
                              "  armdyn convert puma560 --convention modified -o puma.yaml\n"
                              "  armdyn convert ur5e -o ur5e.urdf\n"
                              "  armdyn convert ur5e -o ur5e.xml\n",
                              declare);
}

}  // namespace armdyn
