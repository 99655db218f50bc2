// How names and numbers of others are shown: in one line, within bounds, as UTF-8.

#include "model/shown_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace armdyn {
namespace {

TEST(ShownText, EscapesWhatNoTerminalShows) {
  EXPECT_EQ(in_one_line("a\tb\nc"), "a\\tb\\nc");
  EXPECT_EQ(in_lines("a\tb\nc\r"), "a\tb\nc\\x0d");
  EXPECT_EQ(in_one_line(" ~\x1f\x7f"), " ~\\x1f\\x7f");
  EXPECT_EQ(in_one_line("\u009f\u00a0é…"), "\\u009f\u00a0é…");
  EXPECT_EQ(in_one_line("\u200a\u200b\u200c\u200e\u200f\u2010"),
            "\u200a\\u200b\u200c\\u200e\\u200f\u2010");
  EXPECT_EQ(in_one_line("\u2027\u2028\u202e\u202f\u205f\u2060\u206f\u2070"),
            "\u2027\\u2028\\u202e\u202f\u205f\\u2060\\u206f\u2070");
  EXPECT_EQ(in_one_line("\ufdcf\ufdd0\ufdef\ufdf0\ufeff\ufffd"),
            "\ufdcf\\ufdd0\\ufdef\ufdf0\\ufeff\ufffd");
  EXPECT_EQ(in_one_line("\U0001f600\U000e0001\U000e0080\U0001ffff"),
            "\U0001f600\\U000e0001\U000e0080\\U0001ffff");
  EXPECT_EQ(in_one_line("a\xff\xc3z\xe2\x82"), "a\\xff\\xc3z\\xe2\\x82");
}

TEST(ShownText, IsQuotedAndCutBetweenCharacters) {
  EXPECT_EQ(shown_text(""), "\"\"");
  EXPECT_EQ(shown_text(std::string(60, 'a')), "\"" + std::string(60, 'a') + "\"");
  EXPECT_EQ(shown_text(std::string(61, 'a')), "\"" + std::string(60, 'a') + "...\"");
  EXPECT_EQ(shown_text(std::string(59, 'a') + "é"), "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(shown_text(std::string(58, 'a') + "éb"), "\"" + std::string(58, 'a') + "é...\"");
  EXPECT_EQ(shown_text(std::string(58, 'a') + "é"), "\"" + std::string(58, 'a') + "é\"");
}

// Unicode Standard, table 3-7, at the ends of its ranges.
TEST(Utf8, IsReadByItsTable) {
  for (const char* const text :
       {"", "a\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xe1\x80\x80", "\xec\xbf\xbf",
        "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf3\xbf\xbf\xbf",
        "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(first_not_utf8(text), std::nullopt) << text;
  }
  for (const char* const text :
       {"\x80", "\xbf", "\xc1\xbf", "\xc2", "\xc2\x7f", "\xc2\xc0", "\xe0\x9f\xbf", "\xe1\x80",
        "\xe1\x80\x7f", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(first_not_utf8("é" + std::string(text)), 2U) << text;
  }
  EXPECT_EQ(first_code_point("é").code, 0xe9U);
  EXPECT_EQ(first_code_point("…a").code, 0x2026U);
  EXPECT_EQ(first_code_point("\U0001f600").code, 0x1f600U);
  EXPECT_EQ(first_code_point("\U0001f600").length, 4U);
  EXPECT_EQ(first_code_point("\xe9").length, 0U);
}

TEST(ShownText, ListsNamesUpToSoMany) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(listed(names, 3), "a, b, c");
  EXPECT_EQ(listed(names, 2), "a, b and 1 more");
  EXPECT_EQ(listed({}, 2), "");
}

TEST(ShownText, ReplacesWithoutLookingAtWhatItHasPut) {
  std::string text = "aaa";
  replace_all(text, "a", "aa");
  EXPECT_EQ(text, "aaaaaa");
  replace_all(text, "aaaa", "b");
  EXPECT_EQ(text, "baa");
  replace_all(text, "x", "y");
  EXPECT_EQ(text, "baa");
}

TEST(ShownText, HasEntitiesInMarkup) {
  EXPECT_EQ(markup_text("<a b=\"c\" & 'd'>"), "&lt;a b=&quot;c&quot; &amp; &apos;d&apos;&gt;");
}

TEST(ShownText, FindsTheWordBehindAKeyAndNotBehindAValue) {
  EXPECT_EQ(word_behind("a", "a b b c"), "b");
  EXPECT_EQ(word_behind("b", "a b b c"), "c");
  EXPECT_EQ(word_behind("c", "a b b c"), "");
  EXPECT_EQ(word_behind("b", "a b"), "");
}

TEST(ShownText, WritesQuarterTurnsAsMultiplesOfPi) {
  for (const auto& [quarters, text] : {std::pair{1.0, "pi/2"},
                                       {2.0, "pi"},
                                       {3.0, "3*pi/2"},
                                       {4.0, "2*pi"},
                                       {-1.0, "-pi/2"},
                                       {-2.0, "-pi"},
                                       {-6.0, "-3*pi"}}) {
    EXPECT_EQ(quarter_turns_text(quarters), text);
  }
}

TEST(ShownText, CutsZerosBehindTheLastDecimal) {
  EXPECT_EQ(decimal_text(1.5, 3), "1.5");
  EXPECT_EQ(decimal_text(2.0, 3), "2");
  EXPECT_EQ(decimal_text(-0.0004, 3), "0");
  EXPECT_EQ(decimal_text(-0.0006, 3), "-0.001");
  EXPECT_EQ(decimal_text(100.25, 1), "100.2");
  EXPECT_EQ(superscript(-305), "⁻³⁰⁵");
  EXPECT_EQ(superscript(1246789), "¹²⁴⁶⁷⁸⁹");
}

TEST(ShownText, GivesPositionsOfSlidesTwoMoreDecimals) {
  Robot robot;
  robot.joints.resize(3);
  robot.joints[1].type = JointType::prismatic;
  EXPECT_EQ(position_text(robot, std::vector{1.0, 0.12345, -0.5}, 1), "57.3,0.123,-28.6 deg");
  EXPECT_EQ(position_text(robot, std::vector{0.0, 0.0, 1e-9}, 2), "0,0,0 deg");
}

}  // namespace
}  // namespace armdyn
