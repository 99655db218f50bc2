#include "text/number_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

namespace armdyn {
namespace {

TEST(NumberText, DecimalNumbersAreRead) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("-2.5"), -2.5);
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("1E+3"), 1e3);
  EXPECT_EQ(parse_number("007"), 7.0);
}

TEST(NumberText, TheWholeTextMustBeANumber) {
  for (const char* text :
       {"",  " ",   " 1",  "1 ",  "1,5", "1.5x", "1e",   "1e+",   "e5", ".",   "+",
        "-", "--1", "+-1", "-+1", "++1", "1 2",  "0x10", "1_000", "pi", "\t1", "1\r"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(NumberText, OnlyFiniteNumbersAreRead) {
  for (const char* text :
       {"nan", "NaN", "-nan", "nan(1)", "inf", "-inf", "Infinity", ".nan", ".inf", "1e999",
        "-1e999", "1.7976931348623159e308", "1e99999999999999999999", "0.001e400"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(NumberText, NumbersTooSmallForADoubleAreZero) {
  for (const char* text :
       {"1e-400", "2e-324", "1e-99999999999999999999", "0.0001e-330", "123456789e-400"}) {
    EXPECT_EQ(parse_number(text), 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(parse_number("-1e-400").value()));
  EXPECT_EQ(parse_number("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(NumberText, ManyDigitsDoNotDecideBetweenTooSmallAndTooLarge) {
  EXPECT_EQ(parse_number("1" + std::string(400, '0')), std::nullopt);
  EXPECT_EQ(parse_number("1" + std::string(500, '0') + "e-100"), std::nullopt);
  EXPECT_EQ(parse_number("0." + std::string(500, '0') + "1e100"), 0.0);
  EXPECT_EQ(parse_number("1" + std::string(400, '0') + "e-400"), 1.0);
}

TEST(NumberText, TheShortestTextIsPrinted) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(number_text(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::min()), "-2.2250738585072014e-308");
}

TEST(NumberText, MomentsHaveMillisecondsHoweverLate) {
  EXPECT_EQ(time_text(0.12345678), "t = 0.123457 s");
  EXPECT_EQ(time_text(-123.4567), "t = -123.457 s");
  EXPECT_EQ(time_text(1690.0), "t = 1690 s");
  EXPECT_EQ(time_text(123457.794), "t = 123457.794 s");
  EXPECT_EQ(time_text(1e20), "t = 1e+20 s");
}

TEST(NumberText, NegativeZeroKeepsItsSign) {
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_TRUE(std::signbit(parse_number("-0").value()));
}

TEST(NumberText, PrintedNumbersAreAppended) {
  std::string row = "1,";
  append_number(row, -2.5);
  EXPECT_EQ(row, "1,-2.5");
}

TEST(NumberText, EveryDoubleReadsBackAsItself) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto number = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    if (!std::isfinite(number)) continue;
    const auto read = parse_number(number_text(number));
    ASSERT_TRUE(read) << number_text(number);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(number));
  }
}

TEST(NumberText, NounsAreCountedWithTheirPlural) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(noun(1, "line"), "line");
}

TEST(NumberText, AnglesHavePi) {
  constexpr double pi = 3.14159265358979323846;
  EXPECT_EQ(parse_pi("pi"), pi);
  EXPECT_EQ(parse_pi("-pi/2"), -pi / 2);
  EXPECT_EQ(parse_pi("+3*pi/4"), 3 * pi / 4);
  EXPECT_EQ(parse_pi("-0.5*pi"), -0.5 * pi);
  for (const char* const text : {"", "3", "2pi", "pi2", "pi*2", "pi/", "*pi", "--pi", "-*pi",
                                 "pi/-2", "-2*-pi", "+2*pi/+3", "1e308*pi", "pi/0", "Pi", "3+pi"}) {
    EXPECT_EQ(parse_pi(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace armdyn
