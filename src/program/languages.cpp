#include "program/written_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "math/each.hpp"

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

/// Tests whether a word is in a list of words between blanks.
bool is_among(std::string_view list, const std::string& word) {
  return list.find(" " + word + " ") != list.npos;
}

/// Tests whether it is a word of C or C++, or a macro of <math.h> or <stdio.h>.
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

bool is_word_of_cpp(const std::string& name) {
  return is_word_of_c(name) || name == "Real";  // of the templates
}

/// Tests whether a listing has the name for the state or for what it computes: q1, c12, t3, F2x.
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
  if (language == Language::python || language == Language::javascript) return;
  const auto is_taken = language == Language::c        ? is_word_of_c
                        : language == Language::cpp    ? is_word_of_cpp
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

namespace {

std::string costs(const WrittenFunction& function) {
  return count_text(count(*function.graph, function.values));
}

/// `format` of each group of inputs: its name {0}, count {1} and meaning {2}, how many inputs are
/// before it {3}, and with it {4}, and the number of its first, from 1 {5}.
std::string of_inputs(const WrittenFunction& function, const std::string& format,
                      const char* between = "") {
  std::vector<std::string> texts;
  std::size_t first = 0;
  for (const auto& [name, count, meaning] : function.inputs) {
    texts.push_back(
        fmt::format(fmt::runtime(format), name, count, meaning, first, first + count, first + 1));
    first += count;
  }
  return fmt::format("{}", fmt::join(texts, between));
}

/// Writer of inputs: of one of a group by `format`, with the group's name {0} and the number in it,
/// from 0 {1} or from 1 {2}; of a parameter by its name in `of_parameter`.
std::function<std::string(std::size_t)> input_writer(const WrittenFunction& function,
                                                     const char* format, const char* of_parameter) {
  return [&function, format, of_parameter](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? fmt::format(fmt::runtime(format), group->name, k, k + 1)
                 : fmt::format(fmt::runtime(of_parameter), function.parameters[k].name);
  };
}

/// `format` of each parameter: its name {0}, value {1} and meaning {2}.
std::string of_parameters(const WrittenFunction& function, const std::string& format) {
  std::string text;
  for (const auto& [name, value, meaning, is_of_file] : function.parameters) {
    text += fmt::format(fmt::runtime(format), name, value, meaning);
  }
  return text;
}

/// `format` of the left side and the right side of each, in lines that end with `broken` where they
/// go on below.
std::string of_statements(const std::vector<Assignment>& statements, const std::string& format,
                          const std::string& broken, std::size_t indent) {
  std::string text;
  for (const auto& [name, value] : statements) {
    text += broken_lines(fmt::format(fmt::runtime(format), name, value), broken, indent) + "\n";
  }
  return text;
}

/// A line for each sample, its numbers between `open` and `close`.
std::string of_samples(const FunctionTest& test, std::vector<double> FunctionSample::*values,
                       std::string_view open, std::string_view close) {
  std::string text;
  for (const FunctionSample& sample : test.samples) {
    const auto numbers =
        each(sample.*values, [](double value) { return fmt::format("{}", value); });
    text += fmt::format("{}{}{}\n", open, fmt::join(numbers, ", "), close);
  }
  return text;
}

// --- A listing

std::string listing_text(const WrittenFunction& function) {
  CodeNotation notation;
  notation.names_in_unicode = true;
  notation.times = std::string("·");
  notation.input = [&](std::size_t input) {
    const auto [group, k] = function.input(input);
    return group ? symbol(group->name, k) : function.parameters[k].name;
  };
  notation.place = [&](std::size_t i) {
    const std::size_t row = i / function.columns + 1, column = i % function.columns + 1;
    const bool has_long_index = std::max(function.rows, function.columns) > 9;
    return function.is_matrix
               ? fmt::format("{}{}{}{}", function.result, row, has_long_index ? "," : "", column)
               : symbol(function.result, i);
  };
  notation.number = [](double value) { return fmt::format("{}", value); };
  const StraightLine listing = straight_line(function, notation);

  std::string text = fmt::format("# {}\n", fmt::join(function.description, "\n# ")) +
                     of_parameters(function, "# {} = {} {}\n");
  for (const std::vector<Assignment>& statements : {listing.assignments, listing.results}) {
    for (const auto& [name, value] : statements) text += fmt::format("{} = {}\n", name, value);
  }
  return text + "# " + costs(function) + "\n";
}

// --- C99, and C++ as a template of the scalar

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

std::size_t result_size(const WrittenFunction& function) {
  return function.rows * function.columns;
}

std::string parameter_type(const WrittenFunction& function, const Real& real) {
  if (function.parameters.empty()) return "";
  return "typedef struct {\n" + of_parameters(function, "  " + real.type + " {}; /* {}: {} */\n") +
         fmt::format("}} {}_parameters;\n\n", function.name);
}

std::string signature(const WrittenFunction& function, const Real& real) {
  return fmt::format(
      "void {0}({1}{2}{3} {4}[{5}])", function.name,
      function.parameters.empty() ? "" : fmt::format("const {}_parameters *p, ", function.name),
      of_inputs(function, "const " + real.type + " {0}[{1}], "), real.type, function.result,
      result_size(function));
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

/// Casts to void whatever is not read, so that no compiler complains.
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

std::string c_text(const WrittenFunction& function, bool as_float) {
  const Real real(as_float);
  CodeNotation notation;
  notation.input = input_writer(function, "{}[{}]", "p->{}");
  notation.place = [&](std::size_t i) { return fmt::format("{}[{}]", function.result, i); };
  notation.number = [&](double value) { return real.number(value); };
  notation.sine = real.function("sin");
  notation.cosine = real.function("cos");
  notation.exponential = real.function("exp");
  notation.sign = [&](const std::string& x) {
    return fmt::format("({0})(({1} > {2}) - ({1} < {2}))", real.type, x, real.number(0.0));
  };
  const StraightLine code = straight_line(function, notation);
  return fmt::format(
             "/*\n * {}\n *\n{} * {}[{}]: {}\n{} *\n * {}. C99, link with -lm.\n */\n"
             "#include <math.h>\n\n{}{};\n\n{} {{\n{}",
             fmt::join(function.description, "\n * "), of_inputs(function, " * {}[{}]: {}\n"),
             function.result, result_size(function), function.result_meaning,
             function.parameters.empty() ? "" : " * p: the arm's numbers, as below\n",
             costs(function), parameter_type(function, real), signature(function, real),
             signature(function, real), unread(function, code.reads_input)) +
         of_statements(code.assignments, "  const " + real.type + " {} = {};", "", 6) +
         of_statements(code.results, "  {} = {};", "", 6) + "}\n";
}

std::string cpp_text(const WrittenFunction& function) {
  CodeNotation notation;
  notation.input = input_writer(function, "{}[{}]", "p.{}");
  notation.place = [&](std::size_t i) { return fmt::format("{}[{}]", function.result, i); };
  notation.number = [](double value) { return "Real(" + constant_text(value, false) + ")"; };
  notation.sign = [](const std::string& x) {
    return fmt::format("Real(({0} > Real(0)) - ({0} < Real(0)))", x);
  };
  const StraightLine code = straight_line(function, notation);

  const std::string parameters = of_parameters(function, "  Real {} = Real({}); /* {} */\n");
  return fmt::format(
             "/*\n * {}\n *\n{} * {}[{}]: {}\n{} *\n * {}. C++11; Real is float or double.\n */\n"
             "#pragma once\n#include <cmath>\n\n",
             fmt::join(function.description, "\n * "), of_inputs(function, " * {}[{}]: {}\n"),
             function.result, result_size(function), function.result_meaning,
             parameters.empty() ? "" : " * p: the arm's numbers, as below\n", costs(function)) +
         (parameters.empty()
              ? ""
              : fmt::format("template <class Real>\nstruct {}_parameters {{\n{}}};\n\n",
                            function.name, parameters)) +
         fmt::format(
             "template <class Real>\nvoid {}({}{}Real* {}) {{\n{}", function.name,
             parameters.empty() ? "" : fmt::format("const {}_parameters<Real>& p, ", function.name),
             of_inputs(function, "const Real* {}, "), function.result,
             "  using std::cos;\n  using std::exp;\n  using std::sin;\n") +
         unread(function, code.reads_input) +
         of_statements(code.assignments, "  const Real {} = {};", "", 6) +
         of_statements(code.results, "  {} = {};", "", 6) + "}\n";
}

/// The test of C; with `header` that of C++, whose code is in that file.
std::string c_check_text(const WrittenFunction& function, bool as_float, const FunctionTest& test,
                         const std::string& header = "") {
  const Real real(as_float);
  const bool is_c = header.empty();
  const std::string declared =
      is_c ? parameter_type(function, real) + signature(function, real) + ";"
           : fmt::format("#include \"{}\"", header);
  const char* p = "";
  std::string parameters = values_of_parameters(function, real);
  if (!parameters.empty()) {
    p = is_c ? "&p, " : "p, ";
    if (!is_c) {
      parameters = fmt::format("  const {}_parameters<{}> p{{}};\n", function.name, real.type);
    }
  }
  const std::size_t inputs = function.input_count(), results = result_size(function);
  const auto table = [&](const char* name, std::size_t width,
                         std::vector<double> FunctionSample::*values) {
    return fmt::format("static const double {}[{}][{}] = {{\n{}}};\n", name, test.samples.size(),
                       width, of_samples(test, values, "  {", "},"));
  };
  const std::string arguments = p + of_inputs(function, "x + {3}", ", ").erase(1, 4);  // x + 0
  return fmt::format(
             "/* {} */\n/* {} */\n#include <math.h>\n#include <stdio.h>\n\n{}\n\n{}{}{}"
             "\nint main(void) {{\n{}",
             function.description.at(1), test.description(function), declared,
             table("inputs", inputs, &FunctionSample::inputs),
             table("expected", results, &FunctionSample::result),
             table("scales", function.columns, &FunctionSample::scales), parameters) +
         fmt::format(
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
             test.samples.size(), real.type, inputs, results, function.name, arguments,
             test.tolerance, test.scale, function.columns);
}

// --- Python with NumPy, for any number of states at once: arrays of the shape (..., n)

std::string python_text(const WrittenFunction& function, bool as_float) {
  const bool is_vector = function.columns == 1;
  CodeNotation notation;
  notation.input = input_writer(function, "{}[..., {}]", "p[\"{}\"]");
  notation.place = [&](std::size_t i) {
    return fmt::format("{}[..., {}{}]", function.result,
                       is_vector ? "" : fmt::format("{}, ", i / function.columns),
                       is_vector ? i : i % function.columns);
  };
  notation.number = [](double value) { return constant_text(value, false); };
  notation.sine = "np.sin";
  notation.cosine = "np.cos";
  notation.exponential = "np.exp";
  notation.sign = [](const std::string& x) { return "np.sign(" + x + ")"; };
  const StraightLine code = straight_line(function, notation);

  const std::string parameters = of_parameters(function, "    \"{}\": {},  # {}\n");
  const std::string type = as_float ? "np.float32" : "np.float64";
  const std::string shape = is_vector ? fmt::format("{}", function.rows)
                                      : fmt::format("{}, {}", function.rows, function.columns);
  return fmt::format(
             "# {}\nimport numpy as np\n\n{}\ndef {}({}{}):\n    \"\"\"{}\n    {}"
             "\n    returns {} (..., {}): {}\n\n    {}.\n    \"\"\"\n",
             function.description.at(1),
             parameters.empty() ? "" : "PARAMETERS = {\n" + parameters + "}\n\n", function.name,
             of_inputs(function, "{}", ", "), parameters.empty() ? "" : ", p=PARAMETERS",
             fmt::join(function.description, "\n    "),
             of_inputs(function, "\n    {} (..., {}): {}"), function.result, shape,
             function.result_meaning, costs(function)) +
         of_inputs(function, "    {0} = np.asarray({0}, dtype=" + type + ")\n") +
         of_statements(code.assignments, "    {} = {}", " \\", 8) +
         fmt::format("    {} = np.empty(np.broadcast_shapes({}) + ({}{}), dtype={})\n",
                     function.result, of_inputs(function, "{}.shape[:-1]", ", "), shape,
                     is_vector ? "," : "", type) +
         of_statements(code.results, "    {} = {}", " \\", 8) +
         fmt::format("    return {}\n", function.result);
}

std::string python_check_text(const WrittenFunction& function, const FunctionTest& test,
                              const std::string& file) {
  const auto table = [&](std::vector<double> FunctionSample::*values) {
    return of_samples(test, values, "    [", "],");
  };
  return fmt::format(
      "# {}\n\"\"\"{}\"\"\"\nimport os\nimport runpy\nimport sys\n\nimport numpy as np\n\n"
      "inputs = np.array([\n{}])\nexpected = np.array([\n{}])\n"
      "scales = np.tile(np.array([\n{}]), {})\n"
      "here = os.path.dirname(os.path.abspath(__file__))\n"
      "function = runpy.run_path(os.path.join(here, \"{}\"))[\"{}\"]\n"
      "result = function({}).reshape(expected.shape)\n"
      "off = np.abs(result - expected)\n"
      "worst = (off / np.where(scales > 0.0, scales, 1.0)).max()\n"
      "print(f\"{}: off by at most {{worst:.2g}} of {}\")\n"
      "sys.exit(0 if np.all(off <= {} * scales) else 1)\n",
      function.description.at(1), test.description(function), table(&FunctionSample::inputs),
      table(&FunctionSample::result), table(&FunctionSample::scales), function.rows, file,
      function.name, of_inputs(function, "inputs[:, {3}:{4}]", ", "), function.name, test.scale,
      test.tolerance);
}

// --- MATLAB and Octave, of one state at a time

std::string matlab_text(const WrittenFunction& function, bool as_float) {
  CodeNotation notation;
  notation.input = input_writer(function, "{0}({2})", "p.{}");
  notation.place = [&](std::size_t i) {
    return fmt::format("{}({}, {})", function.result, i / function.columns + 1,
                       i % function.columns + 1);
  };
  notation.number = [](double value) { return constant_text(value, false); };
  const StraightLine code = straight_line(function, notation);

  const std::string values = of_parameters(function, "    p.{} = {};  % {}\n");
  return fmt::format(
             "function {0} = {1}({2}{3})\n% {4}\n%\n{5}% {0} ({6} by {7}): {8}\n%\n% {9}.\n",
             function.result, function.name, of_inputs(function, "{}", ", "),
             values.empty() ? "" : ", p", fmt::join(function.description, "\n% "),
             of_inputs(function, "% {} ({}): {}\n"), function.rows, function.columns,
             function.result_meaning, costs(function)) +
         (values.empty()
              ? ""
              : fmt::format("  if nargin < {}\n{}  end\n", function.inputs.size() + 1, values)) +
         (as_float ? of_inputs(function, "  {0} = single({0});\n") : "") +
         of_statements(code.assignments, "  {} = {};", " ...", 6) +
         fmt::format("  {} = zeros({}, {}{});\n", function.result, function.rows, function.columns,
                     as_float ? ", 'single'" : "") +
         of_statements(code.results, "  {} = {};", " ...", 6) + "end\n";
}

std::string matlab_check_text(const WrittenFunction& function, const FunctionTest& test) {
  const auto table = [&](std::vector<double> FunctionSample::*values) {
    return of_samples(test, values, "  ", ";");
  };
  return fmt::format(
      "% {}\n% {}\ninputs = [\n{}];\nexpected = [\n{}];\nscales = repmat([\n{}], 1, {});\n"
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
      function.description.at(1), test.description(function), table(&FunctionSample::inputs),
      table(&FunctionSample::result), table(&FunctionSample::scales), function.rows, function.name,
      of_inputs(function, "x({5}:{4})", ", "), test.tolerance, function.name, test.scale,
      test.tolerance);
}

// --- JavaScript, of one state at a time

/// Name of the result's array, new unless it is given.
std::string javascript_signature(const WrittenFunction& function) {
  return fmt::format("{}({}{}, {} = new Float64Array({}))", function.name,
                     of_inputs(function, "{}", ", "),
                     function.parameters.empty() ? "" : ", p = parameters", function.result,
                     result_size(function));
}

/// The comment before the function and before its declaration.
std::string javascript_comment(const WrittenFunction& function) {
  return fmt::format(
      "/**\n * {}\n *\n{}{} * returns {}[{}]: {}\n *\n * {}.\n */\n",
      fmt::join(function.description, "\n * "), of_inputs(function, " * {}[{}]: {}\n"),
      function.parameters.empty() ? "" : " * p: the arm's numbers\n", function.result,
      result_size(function), function.result_meaning, costs(function));
}

std::string javascript_text(const WrittenFunction& function) {
  CodeNotation notation;
  notation.input = input_writer(function, "{}[{}]", "p.{}");
  notation.place = [&](std::size_t i) { return fmt::format("{}[{}]", function.result, i); };
  notation.number = [](double value) { return constant_text(value, false); };
  notation.sine = "Math.sin";
  notation.cosine = "Math.cos";
  notation.exponential = "Math.exp";
  notation.sign = [](const std::string& x) { return "Math.sign(" + x + ")"; };
  const StraightLine code = straight_line(function, notation);

  const std::string values = of_parameters(function, "  {}: {}, // {}\n");
  return javascript_comment(function) + "export function " + javascript_signature(function) +
         " {\n" + of_statements(code.assignments, "  const {} = {};", "", 6) +
         of_statements(code.results, "  {} = {};", "", 6) +
         fmt::format("  return {};\n}}\n", function.result) +
         (values.empty() ? "" : "\nexport const parameters = Object.freeze({\n" + values + "});\n");
}

/// A path within a URL.
std::string url_text(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string javascript_check_text(const WrittenFunction& function, const FunctionTest& test,
                                  const std::string& file) {
  const auto table = [&](const char* name, std::vector<double> FunctionSample::*values) {
    return fmt::format("const {} = [\n{}];\n", name, of_samples(test, values, "  [", "],"));
  };
  return fmt::format(
      "// {}\n// {}\nimport {{ {} }} from \"./{}\";\n\n{}{}{}"
      "let worst = 0, right = true;\n"
      "inputs.forEach((x, sample) => {{\n"
      "  {}({}).forEach((value, i) => {{\n"
      "    const off = Math.abs(value - expected[sample][i]);\n"
      "    const scale = scales[sample][i % {}];\n"
      "    if (!(off <= {} * scale)) right = false;\n"
      "    if (off > worst * scale) worst = off / scale;\n"
      "  }});\n"
      "}});\n"
      "console.log(`{}: off by at most ${{worst.toPrecision(2)}} of {}`);\n"
      "if (!right) throw new Error(\"off by more than {}\");\n",
      function.description.at(1), test.description(function), function.name, url_text(file),
      table("inputs", &FunctionSample::inputs), table("expected", &FunctionSample::result),
      table("scales", &FunctionSample::scales), function.name,
      of_inputs(function, "x.slice({3}, {4})", ", "), function.columns, test.tolerance,
      function.name, test.scale, test.tolerance);
}

}  // namespace

std::string types_text(const WrittenFunction& function) {
  const std::string fields = of_parameters(function, "  /** {2} */\n  {0}: number;\n");
  return javascript_comment(function) +
         fmt::format("export declare function {}({}{}, {}?: Float64Array): Float64Array;\n",
                     function.name, of_inputs(function, "{}: ArrayLike<number>", ", "),
                     fields.empty() ? "" : ", p?: Readonly<Parameters>", function.result) +
         (fields.empty() ? ""
                         : "\nexport interface Parameters {\n" + fields +
                               "}\n/** Those of this arm. */\n"
                               "export declare const parameters: Readonly<Parameters>;\n");
}

std::string code_text(const WrittenFunction& function, Language language, bool as_float) {
  if (language == Language::c) return c_text(function, as_float);
  if (language == Language::cpp) return cpp_text(function);
  if (language == Language::python) return python_text(function, as_float);
  if (language == Language::matlab) return matlab_text(function, as_float);
  if (language == Language::javascript) return javascript_text(function);
  return listing_text(function);
}

std::string check_text(const WrittenFunction& function, Language language, bool as_float,
                       const FunctionTest& test, const std::string& file) {
  if (language == Language::c) return c_check_text(function, as_float, test);
  if (language == Language::cpp) return c_check_text(function, as_float, test, file);
  if (language == Language::python) return python_check_text(function, test, file);
  if (language == Language::matlab) return matlab_check_text(function, test);
  if (language == Language::javascript) return javascript_check_text(function, test, file);
  return "";
}

}  // namespace armdyn
