// How formulas are written down: what gets a name, signs, the order of terms and factors.

#include "program/written_function.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace armdyn::testing {
namespace {

class WrittenFunctionTest : public ::testing::Test {
 protected:
  WrittenFunctionTest() {
    function.graph = std::make_unique<Graph>();
    function.inputs = {{"x", 12, ""}, {"y", 2, ""}};
    function.parameters = {{"m", 2.0, ""}, {"g", 9.0, ""}};
    for (std::size_t k = 0; k < 12; ++k) x.push_back(function.graph->input(k));
  }

  [[nodiscard]] CodeNotation notation() const {
    CodeNotation notation;
    notation.input = [this](std::size_t input) {
      const auto [group, k] = function.input(input);
      return group ? fmt::format("{}{}", group->name, k + 1) : function.parameters[k].name;
    };
    notation.place = [](std::size_t i) { return fmt::format("r{}", i + 1); };
    notation.number = [](double value) { return fmt::format("{}", value); };
    return notation;
  }
  /// Statements, and then the results.
  std::string written(const std::vector<Expression>& values) {
    function.values = values;
    const StraightLine code = straight_line(function, notation());
    std::string text;
    for (const auto& statements : {code.assignments, code.results}) {
      for (const auto& [name, value] : statements) text += name + " = " + value + "; ";
    }
    return text;
  }
  /// x[first] + … + x[last].
  [[nodiscard]] Expression sum(std::size_t first, std::size_t last) const {
    Expression all = x[first];
    for (std::size_t k = first + 1; k <= last; ++k) all = all + x[k];
    return all;
  }

  WrittenFunction function;
  std::vector<Expression> x;
};

TEST_F(WrittenFunctionTest, NamesTheLongerPartOfASumOfMoreThanEightTerms) {
  EXPECT_EQ(written({sum(0, 7)}), "r1 = x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8; ");
  EXPECT_EQ(written({sum(0, 8)}), "t1 = x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8; r1 = x9 + t1; ");
  EXPECT_EQ(written({x[0] + sum(1, 8)}),
            "t1 = x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9; r1 = x1 + t1; ");
  EXPECT_EQ(written({sum(0, 8) - x[9] - x[10]}),
            "t1 = x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8; r1 = x9 + t1 - x10 - x11; ");
  const Expression a = x[0] * x[1], b = x[2] * x[3], products = a + b, rest = sum(4, 9);
  EXPECT_EQ(written({products + rest}),
            "t1 = x5 + x6 + x7 + x8 + x9 + x10; r1 = x1*x2 + x3*x4 + t1; ");
}

TEST_F(WrittenFunctionTest, NamesTheSecondOfTwoSumsAndSumsThatAreFactors) {
  const Expression first = x[0] + x[1], second = x[2] + x[3];
  EXPECT_EQ(written({first + second}), "t1 = x3 + x4; r1 = x1 + x2 + t1; ");
  const Expression difference = x[0] - x[1], other = x[2] - x[3];
  EXPECT_EQ(written({difference - other}), "t1 = x3 - x4; r1 = x1 - x2 - t1; ");
  EXPECT_EQ(written({x[4] - (x[2] + x[3])}), "r1 = x5 - x3 - x4; ");
  EXPECT_EQ(written({first * other}), "t1 = x1 + x2; t2 = x3 - x4; r1 = t1*t2; ");
  EXPECT_EQ(written({(x[0] + x[1]) * x[2]}), "t1 = x1 + x2; r1 = x3*t1; ");
  EXPECT_EQ(written({x[2] / (x[0] + x[1])}), "t1 = x1 + x2; r1 = x3/t1; ");
  EXPECT_EQ(written({(x[0] + x[1]) / x[2]}), "t1 = x1 + x2; r1 = t1/x3; ");
}

TEST_F(WrittenFunctionTest, NamesTheSecondOfTwoProductsAndDivisorsThatAreProducts) {
  const Expression first = x[0] * x[1], second = x[2] * x[3];
  EXPECT_EQ(written({first * second}), "t1 = x3*x4; r1 = x1*x2*t1; ");
  EXPECT_EQ(written({first + second}), "r1 = x1*x2 + x3*x4; ");
  EXPECT_EQ(written({x[0] * x[1] / x[2]}), "r1 = x1*x2/x3; ");
  EXPECT_EQ(written({x[0] / (x[1] * x[2])}), "t1 = x2*x3; r1 = x1/t1; ");
  EXPECT_EQ(written({x[0] * (x[1] / x[2])}), "r1 = x2/x3*x1; ");
}

TEST_F(WrittenFunctionTest, NamesWhatIsNeededAgainOnce) {
  const Expression product = x[0] * x[1];
  EXPECT_EQ(written({product, x[2] - product, -product}),
            "t1 = x1*x2; r1 = t1; r2 = x3 - t1; r3 = -t1; ");
  const Expression both = x[3] + x[4];
  EXPECT_EQ(written({both * both}), "t1 = x4 + x5; r1 = t1*t1; ");
}

TEST_F(WrittenFunctionTest, WritesNumbersFirstAndPositiveTermsFirst) {
  EXPECT_EQ(written({2.0 * x[0], x[1] * -3.0, x[0] / 4.0, 0.0, -1.5, 7.0}),
            "r1 = 2*x1; r2 = -3*x2; r3 = x1/4; r4 = 0; r5 = -1.5; r6 = 7; ");
  EXPECT_EQ(written({-x[0] + x[1], -x[0] - x[1], x[2] - x[0] - x[1], -x[5], 2.0 - x[0]}),
            "r1 = x2 - x1; r2 = -x1 - x2; r3 = x3 - x1 - x2; r4 = -x6; r5 = 2 - x1; ");
  const Expression a = -(x[0] * x[1]), b = x[2] * -x[3], c = x[4] * x[5] / -x[6];
  EXPECT_EQ(written({a - b + c}), "r1 = x3*x4 - x1*x2 - x5*x6/x7; ");
}

TEST_F(WrittenFunctionTest, WritesFunctionsOfMagnitudes) {
  EXPECT_EQ(written({sin_cos(-x[0]).sin, sin_cos(-x[0]).cos}),
            "t1 = sin(x1); t2 = cos(x1); r1 = -t1; r2 = t2; ");
  EXPECT_EQ(written({exp(-x[0]), exp(x[0]), sign(-x[1])}),
            "t1 = exp(-x1); t2 = exp(x1); t3 = sign(x2); r1 = t1; r2 = t2; r3 = -t3; ");
  EXPECT_EQ(written({sin_cos(x[0] - x[1]).sin}), "t1 = x1 - x2; t2 = sin(t1); r1 = t2; ");
}

TEST_F(WrittenFunctionTest, HasTheNamesOfQuantitiesWithTheirSigns) {
  const Expression product = x[0] * x[1], both = x[2] + x[3];
  function.quantities = {{"ω", "w", -product}, {"ω", "w", both}, {"p", "p", x[4]}, {"k", "k", 3.0}};
  EXPECT_EQ(written({x[4] + product, -product, both}),
            "w = -x1*x2; r1 = x5 - w; r2 = w; r3 = x3 + x4; ");
  function.quantities = {{"a", "a", both}, {"b", "b", -both}};
  EXPECT_EQ(written({both - x[5]}), "a = x3 + x4; r1 = a - x6; ");
}

TEST_F(WrittenFunctionTest, KnowsWhichInputsAreRead) {
  function.values = {function.graph->input(1) * function.graph->input(13),
                     function.graph->input(15)};
  const StraightLine code = straight_line(function, notation());
  std::vector<bool> reads(16);
  reads[1] = reads[13] = reads[15] = true;
  EXPECT_EQ(code.reads_input, reads);
  EXPECT_EQ(code.results[0].text, "x2*y2");
  EXPECT_EQ(code.results[1].text, "g");
}

TEST(WrittenText, BreaksLinesOfMoreThanAHundredCharactersBeforeTheirLastOperator) {
  const std::string start(91, 'a');
  EXPECT_EQ(broken_lines(start + " + b1234;", "", 4), start + " + b1234;");
  EXPECT_EQ(broken_lines(start + " + b12345;", "", 4), start + "\n    + b12345;");
  EXPECT_EQ(broken_lines(start + " + b12", " \\", 4), start + " + b12");
  EXPECT_EQ(broken_lines(start + " + b12345", " \\", 4), start + " \\\n    + b12345");
  EXPECT_EQ(broken_lines("a + b - " + start, "", 2), "a + b - " + start);
  EXPECT_EQ(broken_lines("a - b + " + start + "x", "", 2), "a - b + " + start + "x");
  EXPECT_EQ(broken_lines("a - b + " + start + "xy", "", 2), "a - b\n  + " + start + "xy");
  EXPECT_EQ(broken_lines("a + b - " + start + "xy", "", 2), "a + b\n  - " + start + "xy");
  EXPECT_EQ(broken_lines("a - " + start + start, "", 2), "a - " + start + start);
}

TEST(WrittenText, HasAPointOrAnExponentInEachConstant) {
  EXPECT_EQ(constant_text(3.0, false), "3.0");
  EXPECT_EQ(constant_text(0.1, false), "0.1");
  EXPECT_EQ(constant_text(1e300, false), "1e+300");
  EXPECT_EQ(constant_text(0.1, true), "0.1");
  EXPECT_EQ(constant_text(1.0 / 3.0, true), "0.33333334");
}

TEST(WrittenText, RenamesParametersByNamesThatAreFree) {
  const auto renamed = [](Language language) {
    WrittenFunction function;
    function.parameters = {{"int", 1.0, "a"}, {"int_", 2.0, "b"}, {"end", 3.0, "c"},
                           {"q1", 4.0, "d"},  {"M_PI", 5.0, "e"}, {"q", 6.0, "f"},
                           {"Real", 7.0, "g"}};
    rename_parameters(function, language);
    std::string text;
    for (const FunctionParameter& p : function.parameters) text += p.name + ": " + p.meaning + "; ";
    return text;
  };
  EXPECT_EQ(renamed(Language::python), "int: a; int_: b; end: c; q1: d; M_PI: e; q: f; Real: g; ");
  EXPECT_EQ(renamed(Language::c),
            "int__: int, a; int_: b; end: c; q1: d; M_PI_: M_PI, e; q: f; Real: g; ");
  EXPECT_EQ(renamed(Language::cpp),
            "int__: int, a; int_: b; end: c; q1: d; M_PI_: M_PI, e; q: f; Real_: Real, g; ");
  EXPECT_EQ(renamed(Language::javascript), renamed(Language::python));
  EXPECT_EQ(renamed(Language::matlab),
            "int: a; int_: b; end_: end, c; q1: d; M_PI: e; q: f; Real: g; ");
  EXPECT_EQ(renamed(Language::listing),
            "int: a; int_: b; end: c; q1_: q1, d; M_PI: e; q: f; Real: g; ");
}

}  // namespace
}  // namespace armdyn::testing
