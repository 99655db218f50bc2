#include "program/languages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

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

/// Whether a word is in a list of words between blanks.
bool is_among(std::string_view list, const std::string& word) {
  return list.find(" " + word + " ") != list.npos;
}

/// Of C and C++, or a macro of <math.h> or <stdio.h>.
bool is_word_of_c(const std::string& name) {
  constexpr std::string_view words =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval "
      "constexpr constinit continue decltype default delete do double dynamic_cast else enum "
      "explicit export extern false float for friend goto if inline int long mutable namespace new "
      "noexcept not not_eq nullptr operator or or_eq private protected public register "
      "reinterpret_cast requires restrict return short signed sizeof static static_assert "
      "static_cast struct switch template this thread_local throw true try typedef typeid typename "
      "typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq "
      "linux unix i386 BIG_ENDIAN BUFSIZ BYTE_ORDER EOF FD_SETSIZE FILENAME_MAX FOPEN_MAX INFINITY "
      "LITTLE_ENDIAN MAXFLOAT MB_CUR_MAX NAN NFDBITS NULL PDP_ENDIAN P_tmpdir RAND_MAX TMP_MAX "
      "WCONTINUED WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED math_errhandling stderr stdin stdout ";
  constexpr std::string_view constants =  // without digits and letters of precisions
      " M_1_PI M_2_PI M_2_SQRTPI M_E M_LN M_LOG10E M_LOG2E M_PI M_PI_ M_SQRT M_SQRT1_ ";
  const std::string stem = name.substr(0, name.find_last_not_of("0123456789flx") + 1);
  const auto begins = [&name](const char* with) { return name.starts_with(with); };
  return is_among(words, name) || is_among(constants, stem) ||
         std::ranges::any_of(std::array{"EXIT_", "FP_", "HUGE_VAL", "L_c", "L_tmp", "MATH_ERR",
                                        "RENAME_", "SEEK_", "SNAN"},
                             begins);
}

/// What a listing writes of the state and of what it computes: q1, c12, t3, F2x.
bool is_word_of_listing(const std::string& name) {
  const std::size_t letters = name.find_last_not_of("0123456789xyz") + 1;
  return letters < name.size() && is_among(" F G N V c f n q s t ", name.substr(0, letters));
}

}  // namespace

bool is_word_of_matlab(const std::string& name) {
  return is_among(
      " break case catch classdef continue else elseif end for function global if otherwise parfor "
      "persistent return spmd switch try while ",
      name);
}

void rename_parameters(WrittenFunction& function, Language language) {
  const auto is_taken = language == Language::c        ? is_word_of_c
                        : language == Language::matlab ? is_word_of_matlab
                                                       : is_word_of_listing;
  std::set<std::string> names;
  for (const FunctionParameter& parameter : function.parameters) names.insert(parameter.name);
  for (auto& [name, value, meaning, is_of_file] : function.parameters) {
    if (!is_taken(name)) continue;
    meaning.insert(0, name + ", ");
    while (!names.insert(name).second) name += '_';
  }
}

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
    const std::size_t row = i / function.columns + 1, column = i % function.columns + 1;
    const bool has_long_index = std::max(function.rows, function.columns) > 9;
    const std::string place = function.is_matrix ? fmt::format("{}{}{}{}", function.result, row,
                                                               has_long_index ? "," : "", column)
                                                 : symbol(function.result, i);
    text += place + " = " + listing.results[i] + "\n";
  }
  return text + "# " + count_text(count(*function.graph, function.values)) + "\n";
}

namespace {

/// The groups of inputs with commas between, each as `text(group, first)` says; `first` counts the
/// inputs before it.
std::string input_list(const WrittenFunction& function, const auto& text) {
  std::string list;
  std::size_t first = 0;
  for (const InputGroup& group : function.inputs) {
    list += (list.empty() ? "" : ", ") + text(group, first);
    first += group.count;
  }
  return list;
}
std::string input_names(const WrittenFunction& function) {
  return input_list(function, [](const InputGroup& group, std::size_t) { return group.name; });
}

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
  const std::string arguments = (function.parameters.empty() ? "" : "&p, ") +
                                input_list(function, [](const InputGroup&, std::size_t first) {
                                  return first == 0 ? "x" : fmt::format("x + {}", first);
                                });
  return text + fmt::format(
                    "  double worst = 0.0;\n"
                    "  int sample, i, right = 1;\n"
                    "  for (sample = 0; sample < {0}; ++sample) {{\n"
                    "    {1} x[{2}], result[{3}];\n"
                    "    for (i = 0; i < {2}; ++i) x[i] = ({1})inputs[sample][i];\n"
                    "    {4}({5}, result);\n"
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

namespace {

/// A line of the layout for each sample, its numbers between `open` and `close`.
std::string rows_text(const std::vector<FunctionSample>& samples,
                      std::vector<double> FunctionSample::*values, std::string_view open,
                      std::string_view close) {
  std::string text;
  for (const FunctionSample& sample : samples) {
    text += fmt::format("{}{}{}\n", open, fmt::join(sample.*values, ", "), close);
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
  text += fmt::format("\ndef {}({}{}):\n    \"\"\"", function.name, input_names(function),
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
  for (const InputGroup& group : function.inputs) {
    text += fmt::format("    {0} = np.asarray({0}, dtype={1})\n", group.name, type);
  }
  const std::string shapes = input_list(
      function,
      [](const InputGroup& group, std::size_t /*first*/) { return group.name + ".shape[:-1]"; });
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
  const std::string slices = input_list(function, [](const InputGroup& group, std::size_t first) {
    return fmt::format("inputs[:, {}:{}]", first, first + group.count);
  });
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
      test.description(function), rows_text(test.samples, &FunctionSample::inputs, "    [", "],"),
      rows_text(test.samples, &FunctionSample::result, "    [", "],"),
      rows_text(test.samples, &FunctionSample::scales, "    [", "],"), function.rows, file,
      function.name, slices, function.name, test.scale, test.tolerance);
}

std::string matlab_text(const WrittenFunction& function, bool as_float) {
  CodeNotation notation;
  notation.input = [&](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? fmt::format("{}({})", group->name, k + 1) : "p." + function.parameters[k].name;
  };
  notation.number = [](double value) { return constant_text(value, false); };
  notation.sign = [](const std::string& x) { return "sign(" + x + ")"; };
  const StraightLine code = straight_line(function, notation);

  std::string meanings, conversions;
  for (const InputGroup& group : function.inputs) {
    meanings += fmt::format("% {} ({}): {}\n", group.name, group.count, group.meaning);
    if (as_float) conversions += fmt::format("  {0} = single({0});\n", group.name);
  }
  std::string values;
  for (const FunctionParameter& parameter : function.parameters) {
    values +=
        fmt::format("    p.{} = {};  % {}\n", parameter.name, parameter.value, parameter.meaning);
  }
  std::string text = fmt::format("function {} = {}({}{})\n", function.result, function.name,
                                 input_names(function), values.empty() ? "" : ", p");
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
  const std::string slices = input_list(function, [](const InputGroup& group, std::size_t first) {
    return fmt::format("x({}:{})", first + 1, first + group.count);
  });
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
      test.description(function), rows_text(test.samples, &FunctionSample::inputs, "  ", ";"),
      rows_text(test.samples, &FunctionSample::result, "  ", ";"),
      rows_text(test.samples, &FunctionSample::scales, "  ", ";"), function.rows, function.name,
      slices, test.tolerance, function.name, test.scale, test.tolerance);
}

}  // namespace armdyn
