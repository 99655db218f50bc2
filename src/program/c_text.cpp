#include "program/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armdyn {

namespace {

/// The words that differ with the precision.
struct Real {
  explicit Real(bool single) : as_float(single), type(single ? "float" : "double") {}
  [[nodiscard]] std::string number(double value) const {
    return constant_text(value, as_float) + (as_float ? "f" : "");
  }
  [[nodiscard]] std::string function(const char* name) const {
    return name + std::string(as_float ? "f" : "");
  }
  bool as_float;
  std::string type;
};

std::string input_text(const WrittenFunction& function, std::size_t input) {
  const auto [group, k] = function.input(input);
  return group ? fmt::format("{}[{}]", group->name, k) : "p->" + function.parameters[k].name;
}

std::size_t result_size(const WrittenFunction& function) {
  return function.rows * function.columns;
}

std::string parameter_type(const WrittenFunction& function, const Real& real) {
  if (function.parameters.empty()) return "";
  std::string text = "typedef struct {\n";
  for (const FunctionParameter& parameter : function.parameters) {
    text += fmt::format("  {} {}; /* {}: {} */\n", real.type, parameter.name, parameter.value,
                        parameter.meaning);
  }
  return text + fmt::format("}} {}_parameters;\n\n", function.name);
}

std::string signature(const WrittenFunction& function, const Real& real) {
  std::string text = fmt::format("void {}(", function.name);
  if (!function.parameters.empty()) text += fmt::format("const {}_parameters *p, ", function.name);
  for (const InputGroup& group : function.inputs) {
    text += fmt::format("const {} {}[{}], ", real.type, group.name, group.count);
  }
  return text + fmt::format("{} {}[{}])", real.type, function.result, result_size(function));
}

std::string values_of_parameters(const WrittenFunction& function, const Real& real) {
  if (function.parameters.empty()) return "";
  std::string text = fmt::format("  const {}_parameters p = {{\n", function.name);
  for (const FunctionParameter& parameter : function.parameters) {
    text += fmt::format("    {}{}, /* {} */\n", parameter.value < 0.0 ? "-" : "",
                        real.number(std::abs(parameter.value)), parameter.name);
  }
  return text + "  };\n";
}

/// Whatever is not read, so that no compiler complains.
std::string unread(const WrittenFunction& function, const std::vector<bool>& reads) {
  std::string text;
  auto begin = reads.begin();
  const auto add = [&](const std::string& name, std::size_t count) {
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    if (count > 0 && std::find(begin, end, true) == end) text += fmt::format("  (void){};\n", name);
    begin = end;
  };
  for (const InputGroup& group : function.inputs) add(group.name, group.count);
  add("p", function.parameters.size());
  return text;
}

}  // namespace

std::string c_text(const WrittenFunction& function, bool as_float) {
  const Real real(as_float);
  CodeNotation notation;
  notation.input = [&](std::size_t input) { return input_text(function, input); };
  notation.number = [&](double value) { return real.number(value); };
  notation.sine = real.function("sin");
  notation.cosine = real.function("cos");
  notation.exponential = real.function("exp");
  notation.sign = [&](const std::string& x) {
    return fmt::format("({0})(({1} > {2}) - ({1} < {2}))", real.type, x, real.number(0.0));
  };
  const StraightLine code = straight_line(function, notation);

  std::string text = "/*\n";
  for (const std::string& line : function.description) text += " * " + line + "\n";
  text += " *\n";
  for (const InputGroup& group : function.inputs) {
    text += fmt::format(" * {}[{}]: {}\n", group.name, group.count, group.meaning);
  }
  text += fmt::format(" * {}[{}]: {}\n", function.result, result_size(function),
                      function.result_meaning);
  if (!function.parameters.empty()) text += " * p: the arm's numbers, as below\n";
  text += fmt::format(" *\n * {}. C99, link with -lm.\n */\n#include <math.h>\n\n",
                      count_text(count(*function.graph, function.values)));
  text += parameter_type(function, real);
  text += fmt::format("{};\n\n{} {{\n", signature(function, real), signature(function, real));
  text += unread(function, code.reads_input);
  for (const auto& [name, value] : code.assignments) {
    text += broken_lines(fmt::format("  const {} {} = {};", real.type, name, value), "", 6) + "\n";
  }
  for (std::size_t i = 0; i < code.results.size(); ++i) {
    const std::string line = fmt::format("  {}[{}] = {};", function.result, i, code.results[i]);
    text += broken_lines(line, "", 6) + "\n";
  }
  return text + "}\n";
}

std::string c_check_text(const WrittenFunction& function, bool as_float, const FunctionTest& test) {
  const Real real(as_float);
  const std::vector<FunctionSample>& samples = test.samples;
  const std::size_t inputs = function.input_count(), results = result_size(function);
  std::string text = fmt::format("/* {} */\n#include <math.h>\n#include <stdio.h>\n\n",
                                 test.description(function));
  text += parameter_type(function, real) + signature(function, real) + ";\n\n";
  const auto add_table = [&](const char* name, std::size_t width,
                             std::vector<double> FunctionSample::*values) {
    text += fmt::format("static const double {}[{}][{}] = {{\n", name, samples.size(), width);
    for (const FunctionSample& sample : samples) {
      text += fmt::format("  {{{}}},\n", fmt::join(sample.*values, ", "));
    }
    text += "};\n";
  };
  add_table("inputs", inputs, &FunctionSample::inputs);
  add_table("expected", results, &FunctionSample::result);
  add_table("scales", function.columns, &FunctionSample::scales);
  text += "\nint main(void) {\n" + values_of_parameters(function, real);
  std::string arguments = function.parameters.empty() ? "" : "&p, ";
  std::size_t first = 0;
  for (const InputGroup& group : function.inputs) {
    arguments += first == 0 ? "x, " : fmt::format("x + {}, ", first);
    first += group.count;
  }
  return text + fmt::format(
                    "  double worst = 0.0;\n"
                    "  int sample, i, right = 1;\n"
                    "  for (sample = 0; sample < {0}; ++sample) {{\n"
                    "    {1} x[{2}], result[{3}];\n"
                    "    for (i = 0; i < {2}; ++i) x[i] = ({1})inputs[sample][i];\n"
                    "    {4}({5}result);\n"
                    "    for (i = 0; i < {3}; ++i) {{\n"
                    "      const double off = fabs((double)result[i] - expected[sample][i]);\n"
                    "      const double scale = scales[sample][i % {8}];\n"
                    "      if (!(off <= {6} * scale)) right = 0;\n"
                    "      if (off > worst * scale) worst = off / scale;\n"
                    "    }}\n"
                    "  }}\n"
                    "  printf(\"{4}: off by at most %.2g of {7}\\n\", worst);\n"
                    "  return right ? 0 : 1;\n"
                    "}}\n",
                    samples.size(), real.type, inputs, results, function.name, arguments,
                    test.tolerance, test.scale, function.columns);
}

}  // namespace armdyn
