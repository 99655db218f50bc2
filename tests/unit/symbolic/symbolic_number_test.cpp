#include "symbolic/symbolic_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "model/formula.hpp"

namespace armdyn {
namespace {

using P = SymbolicNumber;

class SymbolicNumberTest : public ::testing::Test {
 protected:
  SymbolTable table;
  const P m{table.add("m")}, l{table.add("l")};
  const std::size_t angle = table.add_angle("1");
  const P s{SymbolTable::sine(angle)}, c{SymbolTable::cosine(angle)};
};

TEST_F(SymbolicNumberTest, HasOneFormForEqualFormulas) {
  EXPECT_EQ(s * s + c * c, P(1.0));
  EXPECT_EQ((m + 1.0) * (m - 1.0), m * m - 1.0);
  EXPECT_EQ((s * s - c * c) * (s * s - c * c), 1.0 - 4.0 * s * s * c * c);
  EXPECT_TRUE(is_zero((m + l) * (m + l) - m * m - 2.0 * m * l - l * l));
  EXPECT_EQ((l * m) / m, l);
}

TEST_F(SymbolicNumberTest, EndsBeforeASumIsTooLong) {
  const auto sum_of = [this](const std::string& prefix, int count) {
    P sum;
    for (int i = 0; i < count; ++i) sum = sum + P(table.add(prefix + std::to_string(i)));
    return sum;
  };
  const P rows = sum_of("x", 400), half = sum_of("y", 200);
  EXPECT_EQ((rows * half).terms().size(), 80'000);
  EXPECT_THROW((void)(rows * (half + sum_of("z", 100))), std::length_error);
}

TEST_F(SymbolicNumberTest, KnowsThatASineDividesItsSquare) {
  const P one = 1.0;
  EXPECT_EQ(one / s / s - c * c / s / s, one);
  EXPECT_EQ((one - c * c) / s, s);
}

TEST_F(SymbolicNumberTest, CancelsADivisorOfSeveralTerms) {
  const P share = m / (m + l);
  EXPECT_EQ(share + l / (m + l), P(1.0));
  EXPECT_EQ(share * (m + l), m);
  EXPECT_EQ(share * share * (m + l) * (m + l), m * m);
}

TEST_F(SymbolicNumberTest, TakesANumberForTheDecimalThatItReads) {
  EXPECT_EQ(decimal(0.35), Rational(7, 20));
  EXPECT_EQ(decimal(-1.25e-3), Rational(-1, 800));
  EXPECT_EQ(decimal(6.02e23), Rational("602000000000000000000000"));
  EXPECT_EQ(decimal(0.0), 0);
  EXPECT_TRUE(is_zero(P(0.1) + 0.2 - 0.3));
  EXPECT_EQ(decimal(std::nextafter(1.0, 2.0)), Rational("10000000000000002/10000000000000000"));
}

TEST_F(SymbolicNumberTest, ReadsFormulas) {
  const auto read = [&](const char* text) {
    return FormulaReader<P>(text, [&](std::string_view name) { return name == "m" ? m : l; })
        .read();
  };
  EXPECT_EQ(read("m*l^2/12"), P(1.0) / 12.0 * m * l * l);
  EXPECT_EQ(read("(m+l)^3/(m+l)"), (m + l) * (m + l));
  EXPECT_EQ(read("sqrt(4*m^2)"), 2.0 * m);
  EXPECT_EQ(read("l*cos(pi/2)"), P());
  EXPECT_THROW(static_cast<void>(read("m^l")), FormulaError);
  EXPECT_THROW(static_cast<void>(read("1/((((10^16)^16)^16)^16)^16")), FormulaError);
  EXPECT_THROW(static_cast<void>(read("(((m+l)^16)^16)^16")), FormulaError);
  EXPECT_THROW(static_cast<void>(read("sqrt(m+l)")), FormulaError);
  EXPECT_THROW(static_cast<void>(read("1/(m-m)")), FormulaError);
}

TEST_F(SymbolicNumberTest, ReadsRootsAndPowersAndMultiplesOfAngles) {
  const Symbol turn = table.add("t");
  table.set_angle(turn, {s, c});
  const auto read = [&](const char* text) {
    return FormulaReader<P>(text,
                            [&](std::string_view name) {
                              return name == "m" ? m : name == "l" ? l : P(turn);
                            })
        .read();
  };
  P sixteenth = 1.0;
  for (int k = 0; k < 16; ++k) sixteenth = sixteenth * m;
  EXPECT_EQ(read("m^16"), sixteenth);
  EXPECT_EQ(read("m^(-16)"), 1.0 / sixteenth);
  EXPECT_EQ(read("(m+l)^0"), P(1.0));
  EXPECT_EQ(read("m^(l-l)"), P(1.0));
  EXPECT_EQ(read("sqrt(4*m^2*l^(-4)/9)"), P(2.0) / 3.0 * m / l / l);
  EXPECT_EQ(read("sqrt(0)"), P());
  for (const char* text : {"m^17", "m^(1/2)", "m^(l-m)", "sqrt(m)", "sqrt(m^2*l)", "sqrt(-m^2)",
                           "sqrt(2*m^2)", "sqrt(m^2/2)", "sqrt(4*m^2+l^2)"}) {
    EXPECT_THROW(static_cast<void>(read(text)), FormulaError) << text;
  }

  EXPECT_EQ(read("sin(-t)"), -s);
  EXPECT_EQ(read("cos(-t)"), c);
  EXPECT_EQ(read("sin(2*t)"), 2.0 * s * c);
  EXPECT_EQ(read("cos(2*t)"), c * c - s * s);
  EXPECT_EQ(read("sin(-3*t)"), s * s * s - 3.0 * s * c * c);
  EXPECT_EQ(read("sin(t+pi/2)"), c);
  EXPECT_EQ(read("cos(pi/2-t)"), s);
  EXPECT_EQ(read("cos(16*t)"), 2.0 * read("cos(8*t)") * read("cos(8*t)") - 1.0);
  for (const char* text : {"sin(17*t)", "sin(t/2)", "sin(t^2)", "sin(m)", "cos(m*t)"}) {
    EXPECT_THROW(static_cast<void>(read(text)), FormulaError) << text;
  }
}

TEST_F(SymbolicNumberTest, HasTheNumeratorOverItsSmallestDivisors) {
  EXPECT_EQ(numerator_of(m), m);
  EXPECT_EQ(numerator_of(l / m - m / l), l * l - m * m);
  EXPECT_EQ(numerator_of(m / (m + l) - 1.0 / l), m * l - m - l);
  EXPECT_TRUE(is_zero(numerator_of(m / (m + l) + l / (m + l) - 1.0)));
}

}  // namespace
}  // namespace armdyn
