#include "program/listing_text.hpp"

#include <fmt/format.h>

namespace armdyn {

namespace {

/// "q̇2": as the equations write it, counting from 1.
std::string symbol(const std::string& group, std::size_t k) {
  const std::string letter = group == "qd"    ? "q̇"
                             : group == "qdd" ? "q̈"
                             : group == "tau" ? "τ"
                                              : group;
  return fmt::format("{}{}", letter, k + 1);
}

}  // namespace

std::string listing_text(const WrittenFunction& function) {
  CodeNotation notation;
  notation.names_in_unicode = true;
  notation.times = std::string("·");
  notation.input = [&](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? symbol(group->name, k) : function.parameters[k].name;
  };
  notation.number = [](double value) { return fmt::format("{}", value); };
  notation.sign = [](const std::string& x) { return "sign(" + x + ")"; };
  const StraightLine listing = straight_line(function, notation);

  std::string text;
  for (const std::string& line : function.description) text += "# " + line + "\n";
  for (const FunctionParameter& parameter : function.parameters) {
    text += fmt::format("# {} = {} {}\n", parameter.name, parameter.value, parameter.meaning);
  }
  for (const auto& [name, value] : listing.assignments)
    text += fmt::format("{} = {}\n", name, value);
  for (std::size_t i = 0; i < listing.results.size(); ++i) {
    const std::string place = function.columns == 1
                                  ? symbol(function.result, i)
                                  : fmt::format("{}{},{}", function.result,
                                                i / function.columns + 1, i % function.columns + 1);
    text += place + " = " + listing.results[i] + "\n";
  }
  return text + "# " + count_text(count(*function.graph, function.values)) + "\n";
}

}  // namespace armdyn
