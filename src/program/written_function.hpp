#pragma once

#include <functional>
#include <memory>

#include "program/expression.hpp"

// A function to be written down: formulas of inputs, with names for those who read them. A
// printer per language (languages.cpp) turns it into text; what all of them need is here.

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
  std::vector<std::string> description;  ///< what it is; by what it was made; further lines
  std::unique_ptr<Graph> graph;          ///< inputs are those of the groups, then parameters
  std::vector<InputGroup> inputs;
  std::vector<FunctionParameter> parameters;  ///< empty: all numbers are constants
  std::vector<NamedQuantity> quantities;
  std::string result, result_meaning;
  std::size_t rows = 0, columns = 1;  ///< of the result
  bool is_matrix = false;             ///< the result, of one column too
  std::vector<Expression> values;     ///< the result, row after row

  [[nodiscard]] std::size_t input_count() const;  ///< without parameters

  /// An input of the graph: its group, or the parameters, and its index there.
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

/// The samples that a function is tested with.
struct FunctionTest {
  std::vector<FunctionSample> samples;
  double tolerance;   ///< of the scales
  std::string scale;  ///< what they are: "the largest entry"

  /// The sentence that a test of it begins with.
  [[nodiscard]] std::string description(const WrittenFunction& function) const;
};

/// The way in which a language writes the parts of formulas.
struct CodeNotation {
  bool names_in_unicode = false;
  std::string times = "*";
  std::function<std::string(std::size_t input)> input;  ///< parameters among them
  std::function<std::string(std::size_t i)> place;      ///< of an entry of the result
  std::function<std::string(double)> number;            ///< > 0
  std::string sine = "sin", cosine = "cos", exponential = "exp";
  std::function<std::string(const std::string&)> sign = [](const std::string& x) {
    return "sign(" + x + ")";
  };
};

/// "name = text", a sum of products.
struct Assignment {
  std::string name, text;
};

struct StraightLine {
  std::vector<Assignment> assignments, results;  ///< one after the other, then the result by them
  std::vector<bool> reads_input;                 ///< of each input, parameters among them
};
[[nodiscard]] StraightLine straight_line(const WrittenFunction& function,
                                         const CodeNotation& notation);

/// A number so that it reads back, always with a point or an exponent; `as_float`: to single
/// precision.
[[nodiscard]] std::string constant_text(double value, bool as_float);

/// Breaks a line before its operators where it is longer than 100 characters; such a line ends
/// with `ending`, and the rest is indented.
[[nodiscard]] std::string broken_lines(const std::string& line, const std::string& ending,
                                       std::size_t indent);

enum class Language {
  listing,  ///< step by step for people, as paper 004 §3 lists it: a line for each quantity, with the
            ///< equations' names where they have one, and at the end what it takes
  c,        ///< C99, straight-line, without heap and static data
  cpp,      ///< C++11, likewise, a template of the scalar in a header
  python,     ///< with NumPy, for any number of states at once: arrays of the shape (..., n)
  matlab,     ///< and Octave, of one state at a time
  javascript  ///< an ES module, with declarations for TypeScript in a file of their own
};

/// Words of MATLAB, which no function or field can be called.
[[nodiscard]] bool is_word_of_matlab(const std::string& name);

/// Adds "_" to names of parameters that the language has for something else (`int`, of C's headers
/// `M_PI`, in a listing `q1`), and notes it where they are explained.
void rename_parameters(WrittenFunction& function, Language language);

/// The function in a language, in double or single precision.
[[nodiscard]] std::string code_text(const WrittenFunction& function, Language language,
                                    bool as_float);

/// The types of the JavaScript, as a declaration file of TypeScript.
[[nodiscard]] std::string types_text(const WrittenFunction& function);

/// A program that calls the code in `file`, which lies beside it, as the test asks, prints how far
/// it was off, and ends with 0 where that is allowed, else with 1; of a listing nothing.
[[nodiscard]] std::string check_text(const WrittenFunction& function, Language language,
                                     bool as_float, const FunctionTest& test,
                                     const std::string& file);

}  // namespace armdyn
