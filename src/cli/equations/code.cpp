#include "cli/equations/options.hpp"

#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <stdexcept>

#include "math/finite.hpp"
#include "model/shown_text.hpp"
#include "text/identifier.hpp"

namespace armdyn {

namespace {

/// A line without characters that end a comment of some language.
std::string comment(const std::string& line) {
  std::string text = in_one_line(line);
  std::ranges::replace_if(
      text, [](char c) { return c == '*' || c == '"' || c == '\\'; }, '_');
  return text;
}

std::vector<FunctionParameter> chosen_parameters(const std::vector<std::string>& symbols,
                                                 const RobotFile& file) {
  const Robot& robot = file.robot;
  if (symbols == std::vector<std::string>{"all"}) return link_parameters(robot);
  const std::vector<FunctionParameter> known = function_parameters(robot, file.written);
  std::vector<FunctionParameter> chosen;
  const std::vector<std::string> names = each(known, &FunctionParameter::name);
  std::vector<std::string> of_file;
  for (const FunctionParameter& parameter : known) {
    if (parameter.is_of_file) of_file.push_back(parameter.name);
  }
  for (const std::string& name : symbols) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw UsageError(
          "--symbols: {} has no number \"{}\"; {}its links have m1, cx1, cy1, cz1, Ixx1, Iyy1, "
          "Izz1, Ixy1, Iyz1, Ixz1, a1, d1 and so on to link {}{}",
          robot.name, name,
          of_file.empty() ? "" : fmt::format("its parameters are {}; ", fmt::join(of_file, ", ")),
          robot.dof(), did_you_mean(name, names));
    }
    if (std::ranges::find(chosen, name, &FunctionParameter::name) == chosen.end()) {
      chosen.push_back(known[static_cast<std::size_t>(found - names.begin())]);
    }
  }
  return chosen;
}

const char* name_of(Equation what) {
  return text_of_value(what, {"torque", "mass_matrix", "coriolis", "gravity", "accelerations",
                              "forward_kinematics", "jacobian", "regressor"});
}

/// A unit without letters that some compilers or editors do not know.
std::string plain_unit(std::string unit) {
  replace_all(unit, "·", " ");
  replace_all(unit, "²", "^2");
  return unit;
}

/// Meanings of a regressor's columns, counted as the language does.
std::vector<std::string> column_meanings(const EquationsOptions& options, const Robot& robot) {
  const auto language = std::get<Language>(options.format);
  const bool from_one = language == Language::matlab || language == Language::listing;
  std::vector<std::string> lines{"Y's columns, and this robot's parameters:"};
  const Regressor regressor(robot);
  lines.reserve(regressor.parameters().size() + 1);
  for (std::size_t column = from_one ? 1 : 0; const DynamicParameter& p : regressor.parameters()) {
    lines.push_back(
        fmt::format("{}: {} = {} {}", column++, name(p), p.value, plain_unit(unit(p, robot))));
  }
  return lines;
}

/// States within ±2, whose numbers single precision has too.
std::vector<FunctionSample> samples(const EquationsOptions& options, const Robot& robot,
                                    const WrittenFunction& function) {
  std::mt19937 random(1);
  std::vector<FunctionSample> samples(10);
  for (FunctionSample& sample : samples) {
    sample.inputs.reserve(function.input_count());
    for (std::size_t k = 0; k < function.input_count(); ++k) {
      const auto steps = static_cast<int>(random() % 4001) - 2000;
      sample.inputs.push_back(steps == 0 ? 1.0 : steps / 1024.0);
    }
    sample.result = computed(robot, options.what, sample.inputs);
  }
  return samples;
}

/// Sets the scales of errors: a state's largest entry; of V and G, which may be mere rounding, at
/// least that of M in all states; of a regressor, where rotors are thousands of times larger than
/// links, the largest entry of the column, or 1.
void add_scales(const EquationsOptions& options, const Robot& robot,
                const WrittenFunction& function, std::vector<FunctionSample>& samples) {
  double least = 0.0;
  std::vector<double> of_columns(function.columns, 1.0);
  for (const FunctionSample& sample : samples) {
    if (options.what == Equation::velocity || options.what == Equation::gravity) {
      least =
          std::max(least, largest_magnitude(computed(robot, Equation::mass_matrix, sample.inputs)));
    }
    for (std::size_t i = 0; i < sample.result.size(); ++i) {
      double& of_column = of_columns[i % function.columns];
      of_column = std::max(of_column, std::abs(sample.result[i]));
    }
  }
  for (FunctionSample& sample : samples) {
    sample.scales.assign(function.columns, std::max(least, largest_magnitude(sample.result)));
    if (options.what == Equation::regressor) sample.scales = of_columns;
  }
}

/// Allowed errors as shares of the scales; larger for accelerations, which lose digits where M is
/// nearly singular.
double tolerance(const EquationsOptions& options) {
  const bool inverts = options.what == Equation::forward;
  return options.as_float ? (inverts ? 1e-2 : 1e-5) : (inverts ? 1e-9 : 1e-13);
}

/// Name of a function from that of its file, where Octave looks for it. Throws UsageError for names
/// that functions cannot have.
std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  refuse_if(
      name != identifier(name) || is_word_of_matlab(name),
      "-o: found \"{}\"; a file for MATLAB is named like its function: a letter, then letters, "
      "digits and _, and no word of MATLAB",
      path);
  return name;
}

}  // namespace

WrittenFunction code_function(const EquationsOptions& options, const RobotFile& file) {
  const auto language = std::get<Language>(options.format);
  const std::string& path = options.output.output;
  try {
    WrittenFunction function = written_equation(
        file.robot, file.written, options.what,
        language == Language::listing ? Recursion::as_computed : Recursion::fewest_operations,
        chosen_parameters(options.symbols.value_or(std::vector<std::string>()), file));
    function.name = language == Language::matlab && path != "-"
                        ? name_of_file(path)
                        : identifier(file.robot.name) + "_" + name_of(options.what);
    rename_parameters(function, language);
    function.description.front() = comment(function.description.front());
    function.description.push_back(own_line(file.digest));
    if (language == Language::listing && file.robot.convention == Convention::standard) {
      function.description.emplace_back(
          "vectors in modified frames, {i} on axis i; Tx(a) Rx(α) leads from there to {i} of the "
          "table");
    }
    if (options.what == Equation::regressor) {
      append(function.description, column_meanings(options, file.robot));
    }
    return function;
  } catch (const std::length_error&) {
    throw UsageError("equations: {} has {} joints, too many for this to be written out",
                     file.robot.name, file.robot.dof());
  }
}

std::string code_check_text(const EquationsOptions& options, const RobotFile& file,
                            const WrittenFunction& function) {
  FunctionTest test{samples(options, file.robot, function), tolerance(options),
                    options.what == Equation::regressor ? "the largest entry of its column"
                                                        : "the largest entry"};
  add_scales(options, file.robot, function, test.samples);
  return check_text(function, std::get<Language>(options.format), options.as_float, test,
                    std::filesystem::path(options.output.output).filename().string());
}

}  // namespace armdyn
