#pragma once

#include <armdyn/robot_file.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include "io/robot/yaml_value.hpp"

// The parameters of a robot file, and formulas of them (docs/robot-file.md).

namespace armdyn {

/// A formula's value, under no name. Throws FormulaError.
[[nodiscard]] Parameter evaluate(std::string_view formula, const std::vector<Parameter>& known);

/// Starts `written` with the parameters of a file; those that are `set` have that value.
void read_parameters(const YamlValue& value, const ParameterValues& set, WrittenNumbers& written);

}  // namespace armdyn
