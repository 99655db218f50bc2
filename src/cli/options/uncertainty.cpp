#include "cli/options/uncertainty.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/options/value_text.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

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
void parse_uncertainty(const std::string& text, UncertaintyOptions& options) {
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
      options.others.push_back({name, value});
      continue;
    }
    const auto bound = thing->is_length ? length_of(value) : share_of(value);
    if (!bound || !(*bound > 0.0) || (!thing->is_length && *bound >= 1.0)) {
      throw UsageError("--uncertainty: found \"{}\", expected {}", part,
                       thing->is_length ? "a length above 0, e.g. com=5mm"
                                        : fmt::format("above 0 and below 100 %, e.g. {}=5%", name));
    }
    options.bounds.*thing->bound = *bound;
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

/// Refuses to vary what the robot does not have.
void require_what_varies(const Uncertainty& uncertainty, const Robot& robot) {
  const auto rubs = [](const Joint& joint) { return has_friction({joint.friction, joint.motor}); };
  if (uncertainty.payload > 0.0 && robot.payload.mass == 0.0) {
    throw UsageError(
        "--uncertainty: {} has no payload that could vary; give one with --payload MASS",
        robot.name);
  }
  if (uncertainty.friction > 0.0 && std::ranges::none_of(robot.joints, rubs)) {
    throw UsageError("--uncertainty: {} has no friction that could vary", robot.name);
  }
  for (const Joint& joint : robot.joints) {
    constexpr double rounding = 1e-9;
    const Vec3 moments = principal_moments(joint.body.inertia);
    const bool has_room = moments.x >= -rounding * std::abs(moments.z);
    if (uncertainty.inertia == 0.0 || joint.body.mass == 0.0 || has_room) continue;
    throw UsageError(
        "--uncertainty: inertia has no room at the link of {}: a principal moment is {:.4g} "
        "kg·m², below 0, and draws would be farther from an inertia that a body has; mend it in "
        "the file (armdyn check shows it), or leave inertia out",
        joint.name, moments.x);
  }
}

}  // namespace

Uncertainty uncertainty_of(const UncertaintyOptions& options, const RobotFile& file) {
  require_what_varies(options.bounds, file.robot);
  Uncertainty uncertainty = options.bounds;
  for (const auto& [name, text] : options.others) {
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

RobotOfParameters arm_of_parameters(const RobotFile& file, const RobotOptions& options) {
  return [&file, &options](const ParameterValues& drawn) {
    ParameterValues values = drawn;
    values.insert(options.reading.set.begin(), options.reading.set.end());
    try {
      Robot robot = file.of_parameters(values);
      edit(robot, options);
      return robot;
    } catch (const InputError& error) {
      std::vector<std::string> texts;
      for (const auto& [name, parameter] : drawn) {
        texts.push_back(fmt::format("{}={}", name, parameter.value));
      }
      throw InputError(fmt::format("{}: --uncertainty draws an arm that cannot be, {}:\n{}",
                                   in_one_line(file.path), fmt::join(texts, ", "), error.what()));
    }
  };
}

OptionList::Entry& declare_uncertainty(OptionList& list, UncertaintyOptions& options) {
  list.check([&options] {
    if (!options.text.empty()) parse_uncertainty(options.text, options);
  });
  return list.option("--uncertainty", "LIST", options.text, as_written,
                     "how far numbers may be from those of the file: any of mass=5%,com=5mm,"
                     "inertia=10%,friction=30%,payload=10%, and of its parameters, l1=2mm,m1=5%");
}

}  // namespace armdyn
