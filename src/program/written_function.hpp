#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program/expression.hpp"

// What is written down as a function: formulas of inputs, with names for those who read them. A
// printer per language turns it into text (c_text.hpp, python_text.hpp, …); what all of them need is
// here.

namespace armdyn {

/// Inputs that come together, as an array.
struct InputGroup {
  std::string name;
  std::size_t count;
  std::string meaning;  ///< with unit
};

/// A number of the arm that is an input too.
struct FunctionParameter {
  std::string name;
  double value;             ///< of this arm
  std::string meaning;      ///< with unit
  bool is_of_file = false;  ///< a parameter of the robot file, not a number of the robot
};

/// A quantity that the equations have a name for.
struct NamedQuantity {
  std::string name;        ///< "ω2x"
  std::string identifier;  ///< "w2x"
  Expression value;
};

struct WrittenFunction {
  std::string name;                      ///< an identifier
  std::vector<std::string> description;  ///< a line or more
  std::unique_ptr<Graph> graph;          ///< inputs are those of the groups, then parameters
  std::vector<InputGroup> inputs;
  std::vector<FunctionParameter> parameters;  ///< empty: all numbers are constants
  std::vector<NamedQuantity> quantities;
  std::string result, result_meaning;
  std::size_t rows = 0, columns = 1;  ///< of the result
  bool is_matrix = false;             ///< the result, of one column too
  std::vector<Expression> values;     ///< the result, row after row

  [[nodiscard]] std::size_t input_count() const;  ///< without parameters

  /// An input of the graph: which one of which group, or of the parameters.
  struct Input {
    const InputGroup* group;  ///< null: of the parameters
    std::size_t k;
  };
  [[nodiscard]] Input input(std::size_t input) const;
};

/// Inputs of a function, those of its groups, and what it returns for them.
struct FunctionSample {
  std::vector<double> inputs, result;
  std::vector<double> scales{};  ///< that errors in each column of the result are measured by
};

/// What a function is tested with.
struct FunctionTest {
  std::vector<FunctionSample> samples;
  double tolerance;   ///< of the scales
  std::string scale;  ///< what they are: "the largest entry"

  /// What a test of it says about itself.
  [[nodiscard]] std::string description(const WrittenFunction& function) const;
};

/// How a language writes what formulas are made of.
struct CodeNotation {
  bool names_in_unicode = false;
  std::string times = "*";
  std::function<std::string(std::size_t input)> input;  ///< parameters among them
  std::function<std::string(double)> number;            ///< > 0
  std::string sine = "sin", cosine = "cos", exponential = "exp";
  std::function<std::string(const std::string&)> sign;
};

/// "name = text", a sum of products.
struct Assignment {
  std::string name, text;
};

struct StraightLine {
  std::vector<Assignment> assignments;
  std::vector<std::string> results;
  std::vector<bool> reads_input;  ///< of each input, parameters among them
};

/// The function as assignments, one after the other, and its results by them.
[[nodiscard]] StraightLine straight_line(const WrittenFunction& function,
                                         const CodeNotation& notation);

/// A number so that it reads back, always with a point or an exponent; `as_float`: to single
/// precision.
[[nodiscard]] std::string constant_text(double value, bool as_float);

/// Breaks a line before its operators where it is longer than 100 characters; a broken line ends
/// with `ending`, and the rest is indented.
[[nodiscard]] std::string broken_lines(const std::string& line, const std::string& ending,
                                       std::size_t indent);

}  // namespace armdyn
