#include "text/formula_value.hpp"

#include <fmt/format.h>

#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "text/nearest_name.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_characters = 4000;  // of formulas that follow from each other

std::string unknown(std::string_view name, const std::vector<Parameter>& known) {
  const auto names =
      each(known, [](const Parameter& parameter) { return std::string_view(parameter.name); });
  if (names.empty()) return fmt::format("no parameter {} is known here", name);
  return fmt::format("there is no parameter {}{} (known: {})", name, did_you_mean(name, names),
                     fmt::join(names, ", "));
}

}  // namespace

Parameter evaluate(std::string_view formula, const std::vector<Parameter>& known) {
  Parameter result;
  FormulaReader<Ranged> reader(formula, [&](std::string_view name) {
    const auto used = std::ranges::find(known, name, &Parameter::name);
    if (used == known.end()) throw FormulaError(unknown(name, known));
    if (std::isnan(used->value)) {
      throw FormulaError(fmt::format(
          "{} does not stand before it; expected a formula of parameters that do", name));
    }
    result.has_pi = result.has_pi || used->has_pi;
    result.length = std::max(result.length, used->length);
    return Ranged(used->value, used->half_unit);
  });
  const auto [value, radius] = reader.read();
  result.value = value;
  result.has_pi = result.has_pi || reader.had_pi();
  result.length += formula.size();
  if (result.length > most_characters) {
    throw FormulaError(
        fmt::format("it and the formulas that it follows from have {} characters; at most {} are "
                    "read",
                    result.length, most_characters));
  }
  if (!std::isfinite(value)) throw FormulaError("its value is no finite number");
  result.half_unit = std::isfinite(radius) ? radius : std::abs(value);
  return result;
}

}  // namespace armdyn
