#include "cli/vary/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

const Choices<Distribution> distributions{{"uniform", Distribution::uniform},
                                          {"normal", Distribution::normal}};

struct UncertainThing {
  const char* name;
  double Uncertainty::*bound;
  bool is_length;
};
constexpr std::array uncertain_things{UncertainThing{"mass", &Uncertainty::mass, false},
                                      UncertainThing{"com", &Uncertainty::com, true},
                                      UncertainThing{"inertia", &Uncertainty::inertia, false},
                                      UncertainThing{"friction", &Uncertainty::friction, false},
                                      UncertainThing{"payload", &Uncertainty::payload, false}};

/// The number before a unit, "5" of "5mm"; nothing where the text has another unit.
std::optional<double> number_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return {};
  return parse_number(std::string(text.substr(0, text.size() - unit.size())));
}

/// "5%" as a share.
std::optional<double> share_of(std::string_view text) {
  const std::optional<double> percent = number_before(text, "%");
  return percent ? std::optional(*percent / 100.0) : std::nullopt;
}

/// "5mm" in m.
std::optional<double> length_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 3> lengths{
      {{"mm", 1000.0}, {"cm", 100.0}, {"m", 1.0}}};
  for (const auto& [unit, per_metre] : lengths) {
    if (const auto number = number_before(text, unit)) return *number / per_metre;
  }
  return {};
}

/// Bounds of what every arm has into `options`, the others by their names.
void parse_uncertainty(const std::string& text, VaryOptions& options) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const std::string value = part.substr(std::min(equals + 1, part.size()));
    if (!seen.insert(name).second) {
      throw UsageError("--uncertainty: {} stands twice in \"{}\"", name, text);
    }
    const auto thing = std::ranges::find(uncertain_things, name, &UncertainThing::name);
    if (thing == uncertain_things.end()) {
      options.other_bounds.push_back({name, value});
      continue;
    }
    const auto bound = thing->is_length ? length_of(value) : share_of(value);
    if (!bound || !(*bound > 0.0) || (!thing->is_length && *bound >= 1.0)) {
      throw UsageError("--uncertainty: found \"{}\", expected {}", part,
                       thing->is_length ? "a length above 0, e.g. com=5mm"
                                        : fmt::format("above 0 and below 100 %, e.g. {}=5%", name));
    }
    options.uncertainty.*thing->bound = *bound;
  }
}

[[noreturn]] void fail_to_know(const std::string& name, const RobotFile& file) {
  std::vector<std::string> known, parameters;
  known.reserve(uncertain_things.size());
  for (const UncertainThing& thing : uncertain_things) known.emplace_back(thing.name);
  parameters.reserve(file.written.parameters.size());
  for (const Parameter& parameter : file.written.parameters) parameters.push_back(parameter.name);
  std::vector<std::string> all = known;
  all.insert(all.end(), parameters.begin(), parameters.end());
  throw UsageError("--uncertainty: found \"{}\", expected one of {}{}{}", in_one_line(name),
                   fmt::join(known, ", "),
                   parameters.empty()
                       ? ""
                       : fmt::format(", or of the parameters of {}: {}", in_one_line(file.path),
                                     fmt::join(parameters, ", ")),
                   did_you_mean(name, all));
}

}  // namespace

Uncertainty uncertainty_of(const VaryOptions& options, const RobotFile& file) {
  Uncertainty uncertainty = options.uncertainty;
  for (const auto& [name, text] : options.other_bounds) {
    const auto found = std::ranges::find(file.written.parameters, name, &Parameter::name);
    if (found == file.written.parameters.end()) fail_to_know(name, file);
    std::optional<double> bound = parse_number(text);
    if (!bound) bound = length_of(text);
    if (const auto share = share_of(text)) bound = *share * std::abs(found->value);
    if (!bound || !(*bound > 0.0)) {
      throw UsageError(
          "--uncertainty: found \"{0}={1}\", expected {0}=5% (of {2}), {0}=2mm for a length, or a "
          "number above 0 in the unit of the file",
          name, in_one_line(text), found->value);
    }
    uncertainty.parameters.push_back({*found, *bound});
  }
  return uncertainty;
}

void declare(OptionList& list, VaryOptions& options) {
  declare_robot(list, options.robot);
  list.argument("MOTION", options.motion, as_written,
                "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion "
                "(default: - , standard input)");
  list.option("--uncertainty", "LIST", options.uncertainty_text, as_written,
              "how far numbers may be from those of the file: any of mass=5%,com=5mm,inertia=10%,"
              "friction=30%,payload=10%, and of its parameters, l1=2mm,m1=5%")
      .required();
  list.option("--distribution", "NAME", options.uncertainty.distribution, distributions,
              "within these bounds: uniform (default) | normal, with the bound at three standard "
              "deviations and cut there");
  list.option("--samples", "N", options.samples, parse_count, "arms to draw (default: 1000)");
  list.option("--seed", "S", options.seed, parse_seed, "of the draws (default: 1)");
  list.option("--worst", "FILE", options.worst, as_written,
              "write the arm with the largest share of a torque limit as a robot file")
      .unechoed();
  declare_model(list, "--worst", options.worst, options.output.force);
  list.flag("--strict", options.strict, "exit 1 where an arm exceeds a torque limit");
  declare_log(list, options.log);
  declare_output(list, options.output);
  declare_part(list, options.part, options.output);
  list.check([&options] { parse_uncertainty(options.uncertainty_text, options); });
}

Verb vary_verb() {
  return verb<VaryOptions>(
      "vary", "What torques does this motion need if the arm is not quite that of its file?",
      "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm,inertia=10%\n"
      "  armdyn vary franka-panda motion.csv --payload 2 --uncertainty payload=10%,friction=30% "
      "--samples "
      "100000 -o arms.npy --worst worst.yaml\n",
      declare);
}

}  // namespace armdyn
