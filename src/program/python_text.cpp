#include "program/python_text.hpp"

#include <fmt/format.h>

namespace armdyn {

namespace {

std::string arguments(const WrittenFunction& function) {
  std::string text;
  for (const InputGroup& group : function.inputs) {
    text += (text.empty() ? "" : ", ") + group.name;
  }
  return text;
}

std::string rows_text(const std::vector<FunctionSample>& samples,
                      std::vector<double> FunctionSample::*values) {
  std::string text;
  for (const FunctionSample& sample : samples) {
    text += fmt::format("    [{}],\n", fmt::join(sample.*values, ", "));
  }
  return text;
}

}  // namespace

std::string python_text(const WrittenFunction& function, bool as_float) {
  CodeNotation notation;
  notation.input = [&](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? fmt::format("{}[..., {}]", group->name, k)
                 : fmt::format("p[\"{}\"]", function.parameters[k].name);
  };
  notation.number = [](double value) { return constant_text(value, false); };
  notation.sine = "np.sin";
  notation.cosine = "np.cos";
  notation.exponential = "np.exp";
  notation.sign = [](const std::string& x) { return "np.sign(" + x + ")"; };
  const StraightLine code = straight_line(function, notation);

  std::string text = "import numpy as np\n\n";
  if (!function.parameters.empty()) {
    text += "PARAMETERS = {\n";
    for (const FunctionParameter& parameter : function.parameters) {
      text += fmt::format("    \"{}\": {},  # {}\n", parameter.name, parameter.value,
                          parameter.meaning);
    }
    text += "}\n\n";
  }
  text += fmt::format("\ndef {}({}{}):\n    \"\"\"", function.name, arguments(function),
                      function.parameters.empty() ? "" : ", p=PARAMETERS");
  for (const std::string& line : function.description) text += line + "\n    ";
  for (const InputGroup& group : function.inputs) {
    text += fmt::format("\n    {} (..., {}): {}", group.name, group.count, group.meaning);
  }
  const std::string shape = function.columns == 1
                                ? fmt::format("{}", function.rows)
                                : fmt::format("{}, {}", function.rows, function.columns);
  text +=
      fmt::format("\n    returns {} (..., {}): {}\n\n    {}.\n    \"\"\"\n", function.result, shape,
                  function.result_meaning, count_text(count(*function.graph, function.values)));
  const char* const type = as_float ? "np.float32" : "np.float64";
  std::string shapes;
  for (const InputGroup& group : function.inputs) {
    text += fmt::format("    {0} = np.asarray({0}, dtype={1})\n", group.name, type);
    shapes += (shapes.empty() ? "" : ", ") + group.name + ".shape[:-1]";
  }
  for (const auto& [name, value] : code.assignments) {
    text += broken_lines(fmt::format("    {} = {}", name, value), " \\", 8) + "\n";
  }
  text += fmt::format("    {} = np.empty(np.broadcast_shapes({}) + ({}), dtype={})\n",
                      function.result, shapes, function.columns == 1 ? shape + "," : shape, type);
  for (std::size_t i = 0; i < code.results.size(); ++i) {
    const std::string place =
        function.columns == 1 ? fmt::format("{}", i)
                              : fmt::format("{}, {}", i / function.columns, i % function.columns);
    const std::string line =
        fmt::format("    {}[..., {}] = {}", function.result, place, code.results[i]);
    text += broken_lines(line, " \\", 8) + "\n";
  }
  return text + fmt::format("    return {}\n", function.result);
}

std::string python_check_text(const WrittenFunction& function, const FunctionTest& test,
                              const std::string& file) {
  std::string slices;
  std::size_t first = 0;
  for (const InputGroup& group : function.inputs) {
    slices += fmt::format("{}inputs[:, {}:{}]", first == 0 ? "" : ", ", first, first + group.count);
    first += group.count;
  }
  return fmt::format(
      "\"\"\"{}\"\"\"\nimport os\nimport runpy\nimport sys\n\nimport numpy as np\n\n"
      "inputs = np.array([\n{}])\nexpected = np.array([\n{}])\n"
      "scales = np.tile(np.array([\n{}]), {})\n"
      "here = os.path.dirname(os.path.abspath(__file__))\n"
      "function = runpy.run_path(os.path.join(here, \"{}\"))[\"{}\"]\n"
      "result = function({}).reshape(expected.shape)\n"
      "off = np.abs(result - expected)\n"
      "worst = (off / np.where(scales > 0.0, scales, 1.0)).max()\n"
      "print(f\"{}: off by at most {{worst:.2g}} of {}\")\n"
      "sys.exit(0 if np.all(off <= {} * scales) else 1)\n",
      test.description(function), rows_text(test.samples, &FunctionSample::inputs),
      rows_text(test.samples, &FunctionSample::result),
      rows_text(test.samples, &FunctionSample::scales), function.rows, file, function.name, slices,
      function.name, test.scale, test.tolerance);
}

}  // namespace armdyn
