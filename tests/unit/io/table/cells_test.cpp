#include "io/table/csv_table.hpp"

#include <gtest/gtest.h>

#include "text/number_text.hpp"

namespace armdyn {
namespace {

using Cells = std::vector<std::string>;

Cells cells(std::string_view line, const NumberStyle& format) {
  std::string_view unclosed;
  return cells_of(line, format, unclosed).value();
}

TEST(Cells, EverySeparatorIsKept) {
  EXPECT_EQ(cells("a, b ,,\"c,d\"", {}), (Cells{"a", "b", "", "c,d"}));
  EXPECT_EQ(cells("a;1,5;\"x;y\";", {';', true}), (Cells{"a", "1,5", "x;y", ""}));
  EXPECT_EQ(cells("a\t\t b ", {'\t', false}), (Cells{"a", "", "b"}));
  EXPECT_EQ(cells("  a   b \t\"c d\"  ", {' ', false}), (Cells{"a", "b", "c d"}));
  EXPECT_EQ(cells(" a|| b |", {'|', false}), (Cells{"a", "", "b", ""}));
}

TEST(Cells, OuterBarsBelongToNoCell) {
  const NumberStyle enclosed{'|', false, true};
  EXPECT_EQ(cells("| a || \"b|c\" |", enclosed), (Cells{"a", "", "b|c"}));
  EXPECT_EQ(cells("  |a|b|  ", enclosed), (Cells{"a", "b"}));
  EXPECT_EQ(cells("a | b", enclosed), (Cells{"a", "b"}));
  EXPECT_EQ(cells("|a||", enclosed), (Cells{"a", ""}));
}

TEST(Cells, RulesBetweenRowsAreNoRows) {
  for (const char* const text :
       {"", "\n1", "# 1", "|---|--:|", "| --- | --- |\r\n| 1 |", "--+--"}) {
    EXPECT_TRUE(has_no_row(text)) << text;
  }
  for (const char* const text : {"-1|2", "|-|-|", "||", "--", "|---|1|", "+1\n--+--", "- --;+"}) {
    EXPECT_FALSE(has_no_row(text)) << text;
  }
}

TEST(Cells, TheSeparatorIsGuessedFromNames) {
  EXPECT_EQ(guess_style("t,q1").separator, ',');
  EXPECT_EQ(guess_style("t [s],q1").separator, ',');
  EXPECT_EQ(guess_style("t;q1, q2").separator, ';');
  EXPECT_EQ(guess_style("\"a;b\",q1").separator, ',');
  EXPECT_EQ(guess_style("t\tq 1").separator, '\t');
  EXPECT_EQ(guess_style("t q1 q2").separator, ' ');
  EXPECT_EQ(guess_style("t").separator, ',');
  EXPECT_EQ(guess_style("t|q1").separator, '|');
  EXPECT_EQ(guess_style("0,5|1,25").separator, '|');
  EXPECT_EQ(guess_style("t,|tau|").separator, ',');
  EXPECT_EQ(guess_style("\"a|b\",q1").separator, ',');
  EXPECT_TRUE(guess_style(" | t | q1 | ").outer_bars);
  EXPECT_FALSE(guess_style("|t|q1").outer_bars);  // as pandas writes row numbers
  EXPECT_EQ(guess_style("0,5 1,25 -2").separator, ' ');
  EXPECT_EQ(guess_style("t,5 -2").separator, ' ');
  EXPECT_EQ(guess_style("t,5 2").separator, ' ');
  EXPECT_EQ(guess_style("1,q2 [deg]").separator, ',');
  EXPECT_EQ(guess_style("-1,q2 [deg]").separator, ',');
}

TEST(Cells, ADecimalCommaStandsBetweenDigitsOutsideComments) {
  for (const char* const text : {"0,5;1", "t;q1\n1;2\n1;2,5", "# x\n1;2,5\n", "a # 1,5;2",
                                 "0,5;1.5", "31.05.2024;0,5", "10.0.0.1;1,5"}) {
    EXPECT_TRUE(has_decimal_comma(text)) << text;
  }
  for (const char* const text :
       {"# 1,5 kHz", "# 1,5 kHz\n0.5;1", " # 2,5\n1;2.5\n", "0.5;1\n \t# 1,5", ",5;1", "1;5,",
        "t,5", "1, 5", "1.5;2.5;1,5", "1,2,3;4", ""}) {
    EXPECT_FALSE(has_decimal_comma(text)) << text;
  }
}

TEST(Cells, ADecimalCommaExcludesThePoint) {
  EXPECT_EQ(parse_cell("-1,5e-3", {';', true}), -1.5e-3);
  EXPECT_FALSE(parse_cell("1.5", {';', true}));
  EXPECT_FALSE(parse_cell("1,234,5", {';', true}));
  EXPECT_FALSE(parse_cell("1,5", {';', false}));
}

TEST(Stamps, KeepEveryNanosecond) {
  EXPECT_EQ(stamp_nanoseconds("1600000000.123456789", 0), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000,1234567899", 0), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000123456789", 9), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1600000000123.25", 3), 1600000000123250000);
  EXPECT_EQ(stamp_nanoseconds("-0.5", 0), -500000000);
  EXPECT_EQ(stamp_nanoseconds("1.600000000123456789e+09", 0), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("1.600000000123456789E18", 9), 1600000000123456789);
  EXPECT_EQ(stamp_nanoseconds("16e8", 0), 1600000000000000000);
  EXPECT_EQ(stamp_nanoseconds("-5.25e-01", 0), -525000000);
  EXPECT_EQ(stamp_nanoseconds("12345678.9e-9", 0), 12345678);
  EXPECT_EQ(stamp_nanoseconds("123456789012e-13", 0), 12345678);
  EXPECT_EQ(stamp_nanoseconds("1e-300", 0), 0);
  EXPECT_EQ(stamp_nanoseconds("0.0e+00", 0), 0);
  for (const char* const text : {"", "-", ".", "e9", "1e", "1e+", "1e1.5", "1e1e1", "1e10", "1e300",
                                 "1e9999", "x", "1.2.3", "99999999999999999999"}) {
    EXPECT_FALSE(stamp_nanoseconds(text, 0)) << text;
  }
}

TEST(Stamps, WithoutAUnitAreSecondsUnlessThatWouldBeCenturies) {
  EXPECT_EQ(likely_decimals(1234.5), 0);
  EXPECT_EQ(likely_decimals(1.6e9), 0);
  EXPECT_EQ(likely_decimals(1.6e12), 3);
  EXPECT_EQ(likely_decimals(1.6e15), 6);
  EXPECT_EQ(likely_decimals(1.6e18), 9);
  EXPECT_EQ(likely_decimals(9.9e10), 0);
  EXPECT_EQ(likely_decimals(1e11), 3);
  EXPECT_EQ(likely_decimals(9.9e13), 3);
  EXPECT_EQ(likely_decimals(1e14), 6);
  EXPECT_EQ(likely_decimals(9.9e16), 6);
  EXPECT_EQ(likely_decimals(1e17), 9);
  EXPECT_EQ(likely_decimals(9.3e18), 9);
  EXPECT_EQ(likely_decimals(9.4e18), 0);
  EXPECT_TRUE(is_epoch(100'000'000'000'000'000));
  EXPECT_FALSE(is_epoch(99'999'999'999'999'999));
}

/// Days by the calendar: 2001-09-09 01:46:40 is the billionth second, 2024-02-29 is day 19782.
TEST(Stamp, OfADateIsThatOfItsSecondsSince1970) {
  constexpr std::int64_t billion = 1'000'000'000;
  for (const std::string text :
       {"2001-09-09T01:46:40Z", "2001-09-09 01:46:40", "2001-09-09T03:46:40+02:00",
        "2001-09-08t20:16:40-0530", "2001-09-09T01:46:40.000", "2001-09-09T02:46:40,0+01"}) {
    EXPECT_EQ(stamp_nanoseconds(text, 0), billion * billion) << text;
  }
  EXPECT_EQ(stamp_nanoseconds("2024-02-29T00:00:00.123456789Z", 3),
            19782 * 86400 * billion + 123456789);
  for (const std::string text :
       {"2023-02-29T00:00:00", "2024-02-29T00:00", "2024-02-29T00:61:00Z", "2024-02-29X00:00:00",
        "2024-02-29T00:00:00.Z", "2024-02-29T00:00:00+2", "2024-02-29T00:00:00 UTC",
        "2024-02-29T00:00:00+:30", "2024-02-29T00:00:00+05:", "2024-02-29T00:00:00+05:3",
        "2024-02-29T00:00:00+05:300"}) {
    EXPECT_FALSE(stamp_nanoseconds(text, 0)) << text;
  }
  EXPECT_TRUE(stamp_nanoseconds("2024-02-29T24:59:60Z", 0));
  EXPECT_FALSE(stamp_nanoseconds("2024-02-29T25:00:00Z", 0));
  EXPECT_FALSE(stamp_nanoseconds("2024-02-29T00:60:00Z", 0));
  EXPECT_FALSE(stamp_nanoseconds("2024-02-29T00:00:61Z", 0));
}

/// As MATLAB and Python write durations.
TEST(Stamps, MayBeDurations) {
  for (const std::string text : {"90.02 sec", "90.02 s", "90020 ms", "90020000 us", "00:01:30.020",
                                 "0:01:30,02", "00:00:01:30.02", "0 days 00:01:30.020000"}) {
    EXPECT_EQ(stamp_nanoseconds(text, 3), 90'020'000'000) << text;  // in its own unit
  }
  EXPECT_EQ(stamp_nanoseconds("1 day, 2:00:00", 0), std::int64_t{26 * 3600} * 1'000'000'000);
  EXPECT_EQ(stamp_nanoseconds("1:02:00:00", 0), std::int64_t{26 * 3600} * 1'000'000'000);
  for (const std::string text : {"0.02 rad", "sec", " sec", "12:30", "::1", "1:2:3:4:5", "0:0:-1",
                                 "0:x:0", "99999:00:00", "0:00:00 days"}) {
    EXPECT_FALSE(stamp_nanoseconds(text, 0)) << text;
  }
}

TEST(Stamps, AsDatesBeyond64BitsAreRefused) {
  EXPECT_EQ(stamp_nanoseconds("2262-04-11T23:47:16.854775807Z", 0), INT64_MAX);
  EXPECT_TRUE(stamp_nanoseconds("1677-09-21T00:12:44Z", 0));
  for (const std::string text :
       {"2262-04-11T23:47:16.854775808Z", "2262-04-11T23:47:17Z", "1677-09-21T00:12:43Z",
        "1675-08-16t00:00:08", "9999-12-31 23:59:59"}) {
    EXPECT_FALSE(stamp_nanoseconds(text, 0)) << text;
  }
}

}  // namespace
}  // namespace armdyn
