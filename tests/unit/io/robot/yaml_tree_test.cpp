#include "io/robot/yaml_tree.hpp"

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <string>
#include <string_view>

namespace armdyn {
namespace {

using Kind = YamlNode::Kind;
using std::string_literals::operator""s;

/// The problems of a text, one per line.
std::string problems(std::string_view text) {
  std::string lines;
  for (const Finding& finding : parse_yaml(text).problems) {
    lines += (lines.empty() ? "" : "\n") + to_text(finding, "f");
  }
  return lines;
}

YamlNode root_of(std::string_view text) {
  YamlTree tree = parse_yaml(text);
  EXPECT_TRUE(tree.problems.empty()) << problems(text);
  return tree.root.value_or(YamlNode{});
}

std::string place(const YamlMark& mark) {
  return std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

TEST(Ranged, PowersReachBothEndsOfTheExponent) {
  for (const double base : {0.5, 3.0}) {
    const Ranged found = power(Ranged(base), Ranged(2.5, 0.5));
    EXPECT_DOUBLE_EQ(found.value, std::pow(base, 2.5));
    EXPECT_GE(found.radius, std::abs(std::pow(base, 2.0) - found.value)) << base;
    EXPECT_GE(found.radius, std::abs(std::pow(base, 3.0) - found.value)) << base;
  }
}

TEST(YamlTree, KeepsKindsTextsAndOrder) {
  const YamlNode root = root_of("b: 1\na: ['x', ~, {c: \"2\"}]\n");
  ASSERT_EQ(root.kind, Kind::map);
  ASSERT_EQ(root.entries.size(), 2U);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[0].value.text, "1");
  EXPECT_FALSE(root.entries[0].value.quoted);

  const YamlNode& list = root.entries[1].value;
  ASSERT_EQ(list.kind, Kind::sequence);
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_TRUE(list.items[0].quoted);
  EXPECT_EQ(list.items[1].kind, Kind::null);
  EXPECT_EQ(find(list.items[2], "c")->text, "2");
  EXPECT_EQ(find(list.items[2], "d"), nullptr);
}

TEST(YamlTree, MarksCountFromOne) {
  const YamlNode root = root_of("a: 1\nlist:\n  - x\n  - {b: 2}\n");
  EXPECT_EQ(place(root.mark), "1:1");
  EXPECT_EQ(place(root.entries[0].value.mark), "1:4");
  EXPECT_EQ(place(root.entries[1].key_mark), "2:1");
  const YamlNode& list = root.entries[1].value;
  EXPECT_EQ(place(list.items[0].mark), "3:5");
  EXPECT_EQ(place(list.items[1].mark), "4:5");
  EXPECT_EQ(place(list.items[1].entries[0].value.mark), "4:9");
}

TEST(YamlTree, ColumnsCountCharactersAndNotBytes) {
  const YamlNode root = root_of("\xEF\xBB\xBFä: {ö: 1}\r\nb: 2\r\n");
  EXPECT_EQ(place(root.entries[0].value.entries[0].value.mark), "1:8");
  EXPECT_EQ(place(root.entries[1].value.mark), "2:4");
}

TEST(YamlTree, AValueLeftOutIsMarkedAtItsKey) {
  const YamlNode root = root_of("a:\n  b:\nc: {d: }\n");
  EXPECT_EQ(place(root.entries[0].value.entries[0].value.mark), "2:3");
  EXPECT_EQ(place(root.entries[1].value.entries[0].value.mark), "3:5");
}

TEST(YamlTree, EqualKeysAreNamedWithBothPlaces) {
  EXPECT_EQ(problems("a: 1\nb: {c: 1, c: 2}\na: 3\n"),
            "f:2:11: error: b.c: given twice; the first is in line 2, column 5\n"
            "f:3:1: error: a: given twice; the first is in line 1, column 1");
}

TEST(YamlTree, TheFirstOfEqualKeysIsKept) {
  const YamlTree tree = parse_yaml("a: 1\na: 2\n");
  ASSERT_TRUE(tree.root);
  ASSERT_EQ(tree.root->entries.size(), 1U);
  EXPECT_EQ(tree.root->entries[0].value.text, "1");
}

TEST(YamlTree, ASecondDocumentIsRefused) {
  EXPECT_EQ(problems("a: 1\n---\nb: 2\n"),
            "f:2:1: error: a second document starts here; a robot file has only one");
  EXPECT_EQ(problems("- a\nb: 2\n"),
            "f:2:1: error: this is not part of what stands above; check the indentation");
  EXPECT_EQ(problems("---\na: 1\n...\n"), "");
}

TEST(YamlTree, AliasesStandForTheirAnchors) {
  const YamlNode root = root_of("a: &x [1, 2]\nb: *x\n");
  ASSERT_EQ(root.entries[1].value.items.size(), 2U);
  EXPECT_EQ(root.entries[1].value.items[1].text, "2");
}

TEST(YamlTree, AnAliasWithoutAnchorIsRefused) {
  EXPECT_EQ(problems("a: *x\nb: &x 1\n"),
            "f:1:4: error: this alias stands for nothing: no anchor of that name comes before it");
}

TEST(YamlTree, AnAliasInItsOwnAnchorIsRefused) {
  EXPECT_EQ(problems("a: &x [1, [*x]]\n"),
            "f:1:12: error: this alias stands inside its own anchor");
}

TEST(YamlTree, AliasesThatMultiplyAreRefused) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int k = 1; k < 10; ++k) text += ", " + alias;
    text += "]\n";
  }
  EXPECT_EQ(
      problems(text),
      "f:5:40: error: too large with its aliases expanded: at most 100000 values and 4 MiB of "
      "text; is this a robot file?");
}

TEST(YamlTree, AliasesOfALongTextAreRefused) {
  std::string text = "a: &a " + std::string(900'000, 'x') + "\nb: [*a, *a, *a, *a, *a]\n";
  EXPECT_EQ(
      problems(text),
      "f:2:13: error: too large with its aliases expanded: at most 100000 values and 4 MiB of "
      "text; is this a robot file?");
}

TEST(YamlTree, NestingIsLimited) {
  EXPECT_EQ(problems(std::string(32, '[') + "1" + std::string(32, ']')), "");
  EXPECT_EQ(problems(std::string(33, '[') + "1" + std::string(33, ']')),
            "f:1:33: error: nested deeper than 32 levels");
}

TEST(YamlTree, NestingThroughAliasesIsLimited) {
  std::string text = "a0: &a0 [1]\n";
  for (int i = 1; i < 100; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  EXPECT_EQ(problems(text), "f:32:12: error: nested deeper than 32 levels");
}

TEST(YamlTree, KeysAreWords) {
  EXPECT_EQ(problems("[1, 2]: 3\n"), "f:1:1: error: a key must be a word, not a list or a map");
  EXPECT_EQ(problems("? {a: 1}\n: 3\n"), "f:1:3: error: a key must be a word, not a list or a map");
  EXPECT_EQ(problems(": 3\n"), "f:1:1: error: a key is missing here");
}

TEST(YamlTree, TagsAreRefused) {
  EXPECT_EQ(problems("a: !!binary x\nb: [!foo {c: 1}]\n"),
            "f:1:4: error: a: robot files have no tags; remove \"!!binary\"\n"
            "f:2:5: error: b[0]: robot files have no tags; remove \"!foo\"");
}

TEST(YamlTree, TabsAreNamedWhereTheyStand) {
  const std::string message = ": error: YAML does not allow a tab here; indent with spaces";
  EXPECT_EQ(problems("a:\n\tb: 1\n"), "f:2:1" + message);
  EXPECT_EQ(problems("a:\n \t- 1\n"), "f:2:2" + message);
  EXPECT_EQ(problems("-\ta: 1\n  b: 2\n"), "f:1:2" + message);
  EXPECT_EQ(problems("a:\t1 # between key and value a tab is no harm\n"), "");
}

TEST(YamlTree, SyntaxErrorsSayWhatToDo) {
  EXPECT_EQ(problems("a: [1, 2\nb: 3\n"), "f:2:2: error: a comma or \"]\" is missing before this");
  EXPECT_EQ(problems("- {a: 1\n- {b: 2}\n"),
            "f:2:3: error: a comma or \"}\" is missing before this");
  EXPECT_EQ(problems("a: 1\nb: [2]]\n"), "f:2:7: error: this bracket closes nothing");
  EXPECT_EQ(
      problems("a: b: c\n"),
      "f:1:5: error: this \":\" is out of place; is the line indented like its neighbors, does "
      "the one above lack a \":\", or does a text need quotes?");
  EXPECT_EQ(problems("a:\n  b: 1\n c: 2\n"),
            "f:3:2: error: this does not line up with the lines above, or follows a text that has "
            "ended");
  EXPECT_EQ(problems("a: @b\n"),
            "f:1:4: error: YAML does not allow a text to start with this; put it in quotes");
  EXPECT_EQ(problems("a: \"\\q\"\n"), "f:1:7: error: not YAML: unknown escape character: q");
}

TEST(YamlTree, AQuotationThatNeverEndsIsFound) {
  const std::string message = ": error: the text that starts with this quotation mark never ends";
  EXPECT_EQ(problems("a: \"x\nb: 2\n"), "f:1:4" + message);
  EXPECT_EQ(problems("a: 'x''\nb: 2\n"), "f:1:4" + message);
  EXPECT_EQ(problems("a: \"x\\\"\nb: 2\n"), "f:1:4" + message);
  EXPECT_EQ(problems("a: 'it''s'\nb: \"say \\\"x\\\"\"\n"), "");
}

TEST(YamlTree, AFileThatSaysNothingIsAnError) {
  EXPECT_EQ(problems(""), "f: error: the file is empty");
  EXPECT_EQ(problems(" \n\r\n"), "f: error: the file is empty");
  EXPECT_EQ(problems("\xEF\xBB\xBF"), "f: error: the file is empty");
  EXPECT_EQ(problems("# nothing\n"), "f: error: the file holds only comments");
  EXPECT_EQ(problems("---\n# nothing\n"), "f: error: the file holds only comments");
}

TEST(YamlTree, WhatIsNotUtf8TextIsRefused) {
  EXPECT_EQ(problems("a: 1\nb: \0c"s),
            "f:2:4: error: byte 0x00 is not UTF-8 text; is this a robot file?");
  EXPECT_EQ(problems("a: \xE9t\xE9\n"),
            "f:1:4: error: byte 0xe9 is not UTF-8 text; is this a robot file?");
  EXPECT_EQ(problems("\xFF\xFE\x61\0"s), "f: error: the text is in UTF-16; save it as UTF-8");
  EXPECT_EQ(problems("\0a\0:\0 \0001"s), "f: error: the text is in UTF-16; save it as UTF-8");
}

TEST(YamlTree, OverlongAndSurrogateCharactersAreNotUtf8) {
  for (const char* text : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8",
                           "\x80", "\xE2\x82"}) {
    EXPECT_FALSE(parse_yaml(text).root) << text;
  }
  EXPECT_EQ(problems("a: é€𝄞\n"), "");
}

TEST(YamlTree, AFileOfMoreThanOneMebibyteIsRefused) {
  EXPECT_EQ(problems(std::string(largest_yaml, '#')), "f: error: the file holds only comments");
  EXPECT_EQ(problems(std::string(largest_yaml + 1, '#')),
            "f: error: larger than 1 MiB; is this a robot file?");
}

}  // namespace
}  // namespace armdyn
