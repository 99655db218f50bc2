#include "program/matlab_text.hpp"

#include <fmt/format.h>

namespace armdyn {

namespace {

std::string rows_text(const std::vector<FunctionSample>& samples,
                      std::vector<double> FunctionSample::*values) {
  std::string text;
  for (const FunctionSample& sample : samples) {
    text += fmt::format("  {};\n", fmt::join(sample.*values, ", "));
  }
  return text;
}

}  // namespace

std::string matlab_text(const WrittenFunction& function, bool as_float) {
  CodeNotation notation;
  notation.input = [&](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? fmt::format("{}({})", group->name, k + 1) : "p." + function.parameters[k].name;
  };
  notation.number = [](double value) { return constant_text(value, false); };
  notation.sign = [](const std::string& x) { return "sign(" + x + ")"; };
  const StraightLine code = straight_line(function, notation);

  std::string arguments, meanings, conversions;
  for (const InputGroup& group : function.inputs) {
    arguments += (arguments.empty() ? "" : ", ") + group.name;
    meanings += fmt::format("% {} ({}): {}\n", group.name, group.count, group.meaning);
    if (as_float) conversions += fmt::format("  {0} = single({0});\n", group.name);
  }
  std::string values;
  for (const FunctionParameter& parameter : function.parameters) {
    values +=
        fmt::format("    p.{} = {};  % {}\n", parameter.name, parameter.value, parameter.meaning);
  }
  std::string text = fmt::format("function {} = {}({}{})\n", function.result, function.name,
                                 arguments, values.empty() ? "" : ", p");
  for (const std::string& line : function.description) text += "% " + line + "\n";
  text += fmt::format("%\n{}% {} ({} by {}): {}\n%\n% {}.\n", meanings, function.result,
                      function.rows, function.columns, function.result_meaning,
                      count_text(count(*function.graph, function.values)));
  if (!values.empty()) {
    text += fmt::format("  if nargin < {}\n{}  end\n", function.inputs.size() + 1, values);
  }
  text += conversions;
  for (const auto& [name, value] : code.assignments) {
    text += broken_lines(fmt::format("  {} = {};", name, value), " ...", 6) + "\n";
  }
  text += fmt::format("  {} = zeros({}, {}{});\n", function.result, function.rows, function.columns,
                      as_float ? ", 'single'" : "");
  for (std::size_t i = 0; i < code.results.size(); ++i) {
    const std::string line =
        fmt::format("  {}({}, {}) = {};", function.result, i / function.columns + 1,
                    i % function.columns + 1, code.results[i]);
    text += broken_lines(line, " ...", 6) + "\n";
  }
  return text + "end\n";
}

std::string matlab_check_text(const WrittenFunction& function, const FunctionTest& test) {
  std::string slices;
  std::size_t first = 0;
  for (const InputGroup& group : function.inputs) {
    slices += fmt::format("{}x({}:{})", first == 0 ? "" : ", ", first + 1, first + group.count);
    first += group.count;
  }
  return fmt::format(
      "% {}\ninputs = [\n{}];\nexpected = [\n{}];\nscales = repmat([\n{}], 1, {});\n"
      "worst = 0;\nright = true;\n"
      "for sample = 1:size(inputs, 1)\n"
      "  x = inputs(sample, :);\n"
      "  result = reshape(double({}({})).', 1, []);\n"
      "  off = abs(result - expected(sample, :));\n"
      "  scale = scales(sample, :);\n"
      "  right = right && all(off <= {} * scale);\n"
      "  worst = max([worst, off(scale > 0) ./ scale(scale > 0)]);\n"
      "end\n"
      "fprintf('{}: off by at most %.2g of {}\\n', worst);\n"
      "if ~right, error('off by more than {}'); end\n",
      test.description(function), rows_text(test.samples, &FunctionSample::inputs),
      rows_text(test.samples, &FunctionSample::result),
      rows_text(test.samples, &FunctionSample::scales), function.rows, function.name, slices,
      test.tolerance, function.name, test.scale, test.tolerance);
}

}  // namespace armdyn
