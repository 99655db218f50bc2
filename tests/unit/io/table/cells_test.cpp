#include "io/table/cells.hpp"

#include <gtest/gtest.h>

#include "io/text/stamp_text.hpp"

namespace armdyn {
namespace {

using Cells = std::vector<std::string>;

Cells cells(std::string_view line, const TableFormat& format) {
  std::string_view unclosed;
  return cells_of(line, format, unclosed).value();
}

TEST(Cells, EverySeparatorIsKept) {
  EXPECT_EQ(cells("a, b ,,\"c,d\"", {}), (Cells{"a", "b", "", "c,d"}));
  EXPECT_EQ(cells("a;1,5;\"x;y\";", {';', true}), (Cells{"a", "1,5", "x;y", ""}));
  EXPECT_EQ(cells("a\t\t b ", {'\t', false}), (Cells{"a", "", "b"}));
  EXPECT_EQ(cells("  a   b \t\"c d\"  ", {' ', false}), (Cells{"a", "b", "c d"}));
}

TEST(Cells, TheSeparatorIsGuessedFromNames) {
  EXPECT_EQ(guess_separator("t,q1"), ',');
  EXPECT_EQ(guess_separator("t [s],q1"), ',');
  EXPECT_EQ(guess_separator("t;q1, q2"), ';');
  EXPECT_EQ(guess_separator("\"a;b\",q1"), ',');
  EXPECT_EQ(guess_separator("t\tq 1"), '\t');
  EXPECT_EQ(guess_separator("t q1 q2"), ' ');
  EXPECT_EQ(guess_separator("t"), ',');
  EXPECT_EQ(guess_separator("0,5 1,25 -2"), ' ');
}

TEST(Cells, ADecimalCommaExcludesThePoint) {
  EXPECT_EQ(parse_cell("-1,5e-3", {';', true}), -1.5e-3);
  EXPECT_FALSE(parse_cell("1.5", {';', true}));
  EXPECT_FALSE(parse_cell("1,234,5", {';', true}));
  EXPECT_FALSE(parse_cell("1,5", {';', false}));
}

TEST(Cells, ADecimalCommaStandsBetweenDigitsOutsideComments) {
  EXPECT_TRUE(has_decimal_comma("# x\n1;2,5\n"));
  EXPECT_FALSE(has_decimal_comma(" # 2,5\n1;2.5\n"));
  EXPECT_FALSE(has_decimal_comma("1;a, b\n"));
}

TEST(Stamps, KeepEveryNanosecond) {
  EXPECT_EQ(stamp_nanoseconds("1600000000.123456789", 0), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000,1234567899", 0), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000123456789", 9), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000123.25", 3), 1600000000123250000);
  EXPECT_EQ(stamp_nanoseconds("-0.5", 0), -500000000);
  for (const char* const text : {"", "-", ".", "1e9", "x", "1.2.3", "99999999999999999999"}) {
    EXPECT_FALSE(stamp_nanoseconds(text, 0)) << text;
  }
}

TEST(Stamps, WithoutAUnitAreSecondsUnlessThatWouldBeCenturies) {
  EXPECT_EQ(likely_decimals(1234.5), 0);
  EXPECT_EQ(likely_decimals(1.6e9), 0);
  EXPECT_EQ(likely_decimals(1.6e12), 3);
  EXPECT_EQ(likely_decimals(1.6e15), 6);
  EXPECT_EQ(likely_decimals(1.6e18), 9);
}

}  // namespace
}  // namespace armdyn
