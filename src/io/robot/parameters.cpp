#include "io/robot/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "io/robot/ranged.hpp"
#include "io/text/nearest_name.hpp"
#include "model/formula.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

std::string unknown(std::string_view name, const std::vector<Parameter>& known) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  const auto nearest = nearest_name(name, names);
  return fmt::format("there is no parameter {}{} (known: {})", name,
                     nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "",
                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

constexpr std::size_t most_parameters = 1000;
constexpr std::size_t most_characters = 4000;  // of formulas that follow from each other

/// Until a parameter's turn has come, it is no number.
constexpr double not_yet = std::numeric_limits<double>::quiet_NaN();

std::string too_long(std::size_t length) {
  return fmt::format(
      "it and the formulas that it follows from have {} characters; at most {} are read", length,
      most_characters);
}

/// Whether a parameter may have that name; else an error.
bool has_sound_name(const YamlValue& value, const std::string& name) {
  if (name.empty() || name_length(name) < name.size()) {
    value.error(fmt::format("found the name {}; expected a letter, then letters, digits or \"_\"",
                            shown_text(name)));
  } else if (std::ranges::find(formula_words, name) != std::end(formula_words)) {
    value.error(fmt::format("{} is a word of formulas; expected another name", name));
  } else {
    return true;
  }
  return false;
}

}  // namespace

Parameter evaluate(std::string_view formula, const std::vector<Parameter>& known) {
  Parameter result;
  const auto parameter = [&](std::string_view name) -> const Parameter& {
    const auto found = std::ranges::find(known, name, &Parameter::name);
    if (found == known.end()) throw FormulaError(unknown(name, known));
    if (std::isnan(found->value)) {
      throw FormulaError(
          fmt::format("{} does not stand before it; expected a formula of "
                      "parameters that do",
                      name));
    }
    return *found;
  };
  FormulaReader<double> reader(formula, [&](std::string_view name) {
    const Parameter& used = parameter(name);
    result.has_pi = result.has_pi || used.has_pi;
    result.length = std::max(result.length, used.length);
    return used.value;
  });
  result.value = reader.read();
  result.has_pi = result.has_pi || reader.had_pi();
  result.length += formula.size();
  if (result.length > most_characters) throw FormulaError(too_long(result.length));
  if (!std::isfinite(result.value)) throw FormulaError("its value is no finite number");
  FormulaReader<Ranged> decimals(formula, [&](std::string_view name) {
    return Ranged(parameter(name).value, parameter(name).half_unit);
  });
  const double radius = decimals.read().radius;
  result.half_unit = std::isfinite(radius) ? radius : std::abs(result.value);
  return result;
}

void read_parameters(const YamlValue& value, const ParameterValues& set, WrittenNumbers& written) {
  written.formulas.emplace();
  if (!value.is_map()) return;
  if (value.node().entries.size() > most_parameters) {
    value.error(fmt::format("found {} parameters; expected at most {}", value.node().entries.size(),
                            most_parameters));
    return;
  }
  std::vector<Parameter>& parameters = written.formulas->parameters;
  parameters.reserve(value.node().entries.size());
  for (const YamlEntry& entry : value.node().entries) {
    parameters.push_back({entry.key, not_yet, false});
  }
  std::size_t next = 0;
  for (const YamlEntry& entry : value.node().entries) {
    const YamlValue one = value.entry(entry, "a number, or a formula of the parameters before it");
    const auto found = has_sound_name(one, entry.key) ? one.parameter() : std::nullopt;
    const auto replaced = set.find(entry.key);
    // An error is enough, without those that would follow from it.
    Parameter parameter = found.value_or(Parameter{{}, 1.0});
    if (replaced != set.end()) parameter = replaced->second;
    parameter.name = entry.key;
    parameters[next++] = parameter;
  }
}

}  // namespace armdyn
