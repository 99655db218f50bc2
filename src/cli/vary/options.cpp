#include "cli/vary/options.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/options/choices.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/text/number_text.hpp"

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

/// "5mm" in m, "5%" as a share; nothing for what is neither.
std::optional<double> bound_of(std::string_view text, bool is_length) {
  constexpr std::array<std::pair<std::string_view, double>, 3> lengths{
      {{"mm", 1000.0}, {"cm", 100.0}, {"m", 1.0}}};
  const auto number = [](std::string_view digits, double divisor) -> std::optional<double> {
    const std::optional<double> value = parse_number(std::string(digits));
    return value ? std::optional(*value / divisor) : std::nullopt;
  };
  if (!is_length) {
    return text.ends_with('%') ? number(text.substr(0, text.size() - 1), 100.0) : std::nullopt;
  }
  for (const auto& [unit, per_metre] : lengths) {
    if (text.ends_with(unit)) return number(text.substr(0, text.size() - unit.size()), per_metre);
  }
  return {};
}

Uncertainty parse_uncertainty(const std::string& text) {
  Uncertainty uncertainty;
  std::vector<std::string> known;
  known.reserve(uncertain_things.size());
  for (const UncertainThing& thing : uncertain_things) known.emplace_back(thing.name);
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const std::string value = part.substr(std::min(equals + 1, part.size()));
    const std::string chosen = parse_choice("--uncertainty", name, known);
    const UncertainThing& thing =
        *std::ranges::find(uncertain_things, chosen, &UncertainThing::name);
    const std::optional<double> bound = bound_of(value, thing.is_length);
    if (!bound || !(*bound > 0.0) || (!thing.is_length && *bound >= 1.0)) {
      throw UsageError(fmt::format("--uncertainty: found \"{}\", expected {}", part,
                                   thing.is_length
                                       ? "a length above 0, e.g. com=5mm"
                                       : fmt::format("above 0 and below 100 %, e.g. {}=5%", name)));
    }
    if (uncertainty.*thing.bound > 0.0) {
      throw UsageError(fmt::format("--uncertainty: {} is there twice in \"{}\"", name, text));
    }
    uncertainty.*thing.bound = *bound;
  }
  return uncertainty;
}

}  // namespace

void declare(OptionList& list, VaryOptions& options) {
  declare_robot(list, options.robot);
  list.argument("MOTION", options.motion, as_written,
                "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion "
                "(default: - , standard input)");
  list.option("--uncertainty", "LIST", options.uncertainty_text, as_written,
              "how far numbers may be from those of the file: any of mass=5%,com=5mm,inertia=10%,"
              "friction=30%,payload=10%")
      .required();
  list.option("--distribution", "NAME", options.uncertainty.distribution, distributions,
              "within these bounds: uniform (default) | normal, with the bound at three standard "
              "deviations and cut there");
  list.option("--samples", "N", options.samples, parse_count, "arms to draw (default: 1000)");
  list.option("--seed", "S", options.seed, parse_seed, "of the draws (default: 1)");
  list.option("--worst", "FILE", options.worst, as_written,
              "write the arm with the largest share of a torque limit as a robot file")
      .unechoed();
  list.flag("--strict", options.strict, "exit 1 where an arm exceeds a torque limit");
  declare_log(list, options.log);
  declare_output(list, options.output);
  declare_part(list, options.part, options.output);
  list.check([&options] {
    const Distribution chosen = options.uncertainty.distribution;
    options.uncertainty = parse_uncertainty(options.uncertainty_text);
    options.uncertainty.distribution = chosen;
  });
}

Verb vary_verb() {
  return verb<VaryOptions>(
      "vary", "What torques does this motion need if the arm is not quite that of its file?",
      "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm,inertia=10%\n"
      "  armdyn vary ur5e motion.csv --payload 3 --uncertainty payload=10%,friction=30% --samples "
      "100000 -o arms.npy --worst worst.yaml\n",
      declare);
}

}  // namespace armdyn
