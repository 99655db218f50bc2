#include "io/table/csv_table.hpp"
#include "io/table/table_format.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <armdyn/error.hpp>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <thread>

#include "io/file/input_file.hpp"
#include "log/columns.hpp"
#include "support/csv_test_tools.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

using namespace std::string_literals;

using Column = std::vector<double>;

// Appends all blocks to one table.
Table read_all(TableSource& reader, const ColumnPlan& plan) {
  Table all;
  all.columns.resize(plan.columns.size());
  RawBlock block;
  Table table;
  while (reader.next(block)) {
    reader.parse(block, plan, table);
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
      EXPECT_EQ(table.columns[i].size(), table.rows);
      all.columns[i].insert(all.columns[i].end(), table.columns[i].begin(), table.columns[i].end());
    }
    all.lines.insert(all.lines.end(), table.lines.begin(), table.lines.end());
    all.rows += table.rows;
  }
  return all;
}

const std::vector<WantedGroup> time_and_position{{Quantity::time}, {Quantity::position}};

Table read_all(TableSource& reader) {
  const ColumnPlan plan =
      plan_columns(reader.header(), revolute_robot(2), time_and_position, {.ignore_extra = true});
  return read_all(reader, plan);
}

Table table_of(const std::string& text, BlockLimits limits = {},
               std::size_t chunk = std::string::npos) {
  CsvTable reader(source_of(text, chunk), "motion.csv", limits);
  return read_all(reader);
}

std::string refusal_of_text(const std::string& text, BlockLimits limits = {}) {
  return message_of<InputError>([&] { (void)table_of(text, limits); });
}

void expect_same(const Table& actual, const Table& expected) {
  EXPECT_EQ(actual.rows, expected.rows);
  EXPECT_EQ(actual.columns, expected.columns);
  EXPECT_EQ(actual.lines, expected.lines);
}

const std::string varied =
    "\xEF\xBB\xBF# a comment, with \"quotes\n"
    "\r\n"
    "  \"q2\" ,note, t , q1\r\n"
    "2,first,0,1\n"
    "\n"
    "# 9,9,9,9\n"
    "  -2.5e-3 ,\"a, \"\"b\"\"\", \"+0.5\" ,\t.5\t\r\n"
    "   \t\n"
    " # another\n"
    "1e9,,1,-0";

TEST(PartName, IsReadAsItIsWritten) {
  const std::optional<PartName> found = parse_part_name("tau.csv.part-2-of-10");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->whole, "tau.csv");
  EXPECT_EQ(found->part.number, 2U);
  EXPECT_EQ(found->part.of, 10U);
  EXPECT_EQ(text(*found), "tau.csv.part-2-of-10");
  for (const char* const other : {"02-of-10", "0-of-10", "2-of-", "2x-of-10", "11-of-10"}) {
    EXPECT_FALSE(parse_part_name(std::string("tau.csv.part-") + other)) << other;
  }
}

TEST(TableReader, ReadsBlanksQuotesCommentsAndBothLineEnds) {
  const Table table = table_of(varied);
  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(table.columns[0], (Column{0.0, 0.5, 1.0}));
  EXPECT_EQ(table.columns[1], (Column{1.0, 0.5, -0.0}));
  EXPECT_TRUE(std::signbit(table.columns[1][2]));
  EXPECT_EQ(table.columns[2], (Column{2.0, -2.5e-3, 1e9}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{4, 7, 10}));
}

TEST(TableReader, EveryBlockSizeGivesTheSameTable) {
  const Table expected = table_of(varied);
  for (std::size_t size = 1; size <= varied.size() + 1; ++size) {
    expect_same(table_of(varied, {size, 1000}), expected);
  }
}

TEST(TableReader, CutsDoNotDependOnHowBytesArrive) {
  const auto blocks_of = [](std::size_t chunk) {
    LineBlocks blocks(source_of(varied, chunk), "motion.csv", {40, 1000});
    std::vector<std::string> texts;
    for (RawBlock block; blocks.next(block);) texts.emplace_back(block.text());
    return texts;
  };
  const std::vector<std::string> expected = blocks_of(std::string::npos);
  EXPECT_GT(expected.size(), 3U);
  for (std::size_t chunk = 1; chunk <= 50; ++chunk) EXPECT_EQ(blocks_of(chunk), expected);
}

TEST(TableReader, BlocksAreWholeLinesOfBoundedSizeWithTheirNumbers) {
  std::string text;
  for (int i = 1; i <= 1000; ++i) text += std::to_string(i) + "\n";
  LineBlocks blocks(source_of(text), "motion.csv", {64, 1000});
  std::string joined;
  std::size_t line = 1;
  for (RawBlock block; blocks.next(block);) {
    EXPECT_LE(block.text().size(), 64U);
    EXPECT_EQ(block.first_line, line);
    EXPECT_TRUE(block.text().starts_with(std::to_string(line) + "\n"));
    EXPECT_TRUE(block.text().ends_with('\n'));
    line += block.line_count;
    joined += block.text();
  }
  EXPECT_EQ(line, 1001U);
  EXPECT_EQ(joined, text);
}

TEST(TableReader, APipeWithTinyWritesGivesTheSameTable) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  std::thread writer([&] {
    for (const char c : varied) ASSERT_EQ(::write(ends[1], &c, 1), 1);
    ::close(ends[1]);
  });
  {
    InputFile input("/dev/fd/" + std::to_string(ends[0]));
    EXPECT_FALSE(input.size().has_value());
    CsvTable reader(input);
    expect_same(read_all(reader), table_of(varied));
  }
  writer.join();
  ::close(ends[0]);
}

TEST(TableReader, RandomDoublesComeBackBitForBit) {
  std::mt19937_64 random(1);
  std::vector<double> numbers;
  std::string text = "t,q1,q2\n";
  while (numbers.size() < 30000) {
    const double number = std::bit_cast<double>(random());
    const bool is_time = numbers.size() % 3 == 0;  // a position has a limit
    if (!std::isfinite(number) || (!is_time && std::abs(number) > 1e9)) continue;
    append_number(text, number);
    numbers.push_back(number);
    text += numbers.size() % 3 == 0 ? '\n' : ',';
  }
  const Table table = table_of(text, {4096, 100000});
  ASSERT_EQ(table.rows, 10000U);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(table.columns[i % 3][i / 3]),
              std::bit_cast<std::uint64_t>(numbers[i]));
  }
}

std::vector<std::string> names_of(const std::string& text) {
  return CsvTable(source_of(text), "motion.csv").header().cells;
}

TEST(TableReader, ReadsUnitsInARowBelowTheNames) {
  using Names = std::vector<std::string>;
  const std::string rows = "1,2,3\n4,5,6\n";
  EXPECT_EQ(names_of("t,q1,mode\nms,deg,-\n" + rows), (Names{"t[ms]", "q1[deg]", "mode"}));
  EXPECT_EQ(names_of("t,q1,T\n[s],(rad),°C\n" + rows), (Names{"t[s]", "q1[rad]", "T[°C]"}));
  EXPECT_EQ(names_of("t[s],q1,T\n[s],(rad),\n" + rows), (Names{"t[s]", "q1[rad]", "T"}));
  EXPECT_EQ(names_of("t,q1,w\n1,nan,s\n" + rows), (Names{"t", "q1", "w"}));  // no units
  EXPECT_EQ(names_of("t,q1,w\nfirst,second,third\n" + rows), (Names{"t", "q1", "w"}));
  const Table table = table_of("t,q1,q2\ns,deg,deg\n0,180,90\n");
  EXPECT_EQ(table.lines, std::vector<std::size_t>{3});
}

TEST(TableReader, ReadsNamesBehindPercent) {
  const Table table = table_of("% made by MATLAB\n%\n% t, q1, q2\n0,1,2\n% nothing\n1,3,4\n");
  EXPECT_EQ(table.columns[2], (Column{2.0, 4.0}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{4, 6}));
  EXPECT_EQ(names_of("%time,field.position0\n1,2\n").front(), "%time");
}

TEST(TableReader, ReadsListsOfNumbersAsColumns) {
  for (const std::string list :
       {"\"[1.5, -2e3]\"", "[1.5, -2e3]", "\"[ 1.5  -2e3 ]\"", "\"array('d', [1.5, -2e3])\""}) {
    CsvTable table(source_of("t,q[rad],w\n0," + list + ",\"['a', 'b']\"\n1," + list + ",x\n"),
                   "motion.csv");
    EXPECT_EQ(table.header().cells, (std::vector<std::string>{"t", "q[0][rad]", "q[1][rad]", "w"}));
    EXPECT_EQ(table.header().first_row,
              (std::vector<std::string>{"0", "1.5", "-2e3", "['a', 'b']"}));
    TablePlan plan;
    plan.header = table.header().cells;
    plan.columns = {{"q1", 1, {}}, {"q2", 2, {}}};
    RawBlock block;
    Table rows;
    ASSERT_TRUE(table.next(block));
    table.parse(block, plan, rows);
    EXPECT_EQ(rows.columns, (Columns{{1.5, 1.5}, {-2e3, -2e3}})) << list;
  }
}

/// The second head ends before the names; a comment stands in some rows alone.
TEST(TableReader, PassesOverTheHeadsOfLabview) {
  const Table table = table_of(
      "LabVIEW Measurement\t\nSeparator\tTab\nDecimal_Separator\t,\nDate\t2024/05/31\n"
      "***End_of_Header***\t\n\t\nChannels\t2\n***End_of_Header***\t\nt\tq1\tq2\tComment\n"
      "0\t1,5\t2\tbegin\n1\t3\t4\n2\t5\t6,25\n");
  EXPECT_EQ(table.columns[1], (Column{1.5, 3.0, 5.0}));
  EXPECT_EQ(table.columns[2], (Column{2.0, 4.0, 6.25}));
  EXPECT_EQ(table.lines.front(), 10U);
}

TEST(TableReader, HandsWordsOnAsTheyAre) {
  CsvTable reader(
      source_of("q1,torques,q2\n1,a b.csv ,2\n# none\n3,\"c,d.csv\",4\n5,,6\n", std::string::npos),
      "runs.csv");
  const ColumnPlan plan = plan_columns(reader.header(), revolute_robot(2), {{Quantity::position}},
                                       {.text_column = "torques"});
  RawBlock block;
  Table table;
  ASSERT_TRUE(reader.next(block));
  reader.parse(block, plan, table);
  EXPECT_EQ(table.texts, (std::vector<std::string>{"a b.csv", "c,d.csv", ""}));
  EXPECT_EQ(table.columns[1], (Column{2, 4, 6}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 4, 5}));
}

TEST(TableReader, UnitsBecomeSi) {
  const Table table = table_of("t[ms],q1[deg],q2\n9,180,1\n");
  EXPECT_EQ(table.columns[0][0], 0.009);
  EXPECT_EQ(table.columns[1][0], std::acos(-1.0));
  EXPECT_EQ(table.columns[2][0], 1.0);
}

TEST(TableReader, MemoryOfATableIsUsedAgain) {
  CsvTable reader(source_of("t,q1,q2\n"), "motion.csv");
  const ColumnPlan plan = plan_columns(reader.header(), revolute_robot(2), time_and_position);
  LineBlocks blocks(source_of("1,2,3\n1,2,3\n1,2,3\n7,8,9\n1,2,3\n4,5,6\n7,8,9\n"), "motion.csv",
                    {18, 100});
  RawBlock block;
  Table table;
  ASSERT_TRUE(blocks.next(block));
  reader.parse(block, plan, table);
  ASSERT_EQ(table.rows, 3U);
  const double* const before = table.columns[0].data();
  while (blocks.next(block)) {
    reader.parse(block, plan, table);
    EXPECT_EQ(table.columns[0].data(), before);
  }
}

TEST(TableReader, AHeaderAloneGivesNoRows) {
  EXPECT_EQ(table_of("t,q1,q2").rows, 0U);
  EXPECT_EQ(table_of("t,q1,q2\r\n\n# nothing\n").rows, 0U);
}

TEST(TableReader, NoHeaderIsRefused) {
  EXPECT_EQ(refusal_of_text(""),
            "motion.csv: the input is empty; expected a header line such as t,q1,qd1,qdd1");
  EXPECT_EQ(refusal_of_text("# t,q1\n\n"),
            "motion.csv: found only blank lines and comments; expected a header line such as "
            "t,q1,qd1,qdd1");
}

TEST(TableReader, HeaderErrorsNameTheHeadersLine) {
  EXPECT_EQ(refusal_of_text("# x\n\nt,q1\n"),
            "motion.csv:3: missing column q2; the file has t, q1");
}

TEST(TableReader, ABadCellIsNamedWithFileLineColumnAndText) {
  const std::string head = "t,q1,q2[deg]\n0,0,0\n# c\n";
  EXPECT_EQ(refusal_of_text(head + "1,abc,2\n"),
            R"(motion.csv:4: column "q1": found "abc", expected a number)");
  EXPECT_EQ(
      refusal_of_text(head + "1,2,3.5x\n"),
      R"(motion.csv:4: column "q2[deg]": found "3.5x", expected a number; units stand in the header, as in q1[deg] or t[ms])");
  EXPECT_EQ(refusal_of_text(head + "1,2,"),
            R"(motion.csv:4: column "q2[deg]": found an empty cell, expected a number)");
  EXPECT_EQ(refusal_of_text(head + "1,  ,3"),
            R"(motion.csv:4: column "q1": found an empty cell, expected a number)");
  EXPECT_EQ(refusal_of_text(head + "1,0x10,3"),
            R"(motion.csv:4: column "q1": found "0x10", expected a number)");
  EXPECT_EQ(refusal_of_text(head + "1,1 2,3"),
            R"(motion.csv:4: column "q1": found "1 2", expected a number)");
  EXPECT_EQ(refusal_of_text(head + "1,+-2,3"),
            R"(motion.csv:4: column "q1": found "+-2", expected a number)");
  EXPECT_EQ(refusal_of_text(head + "1,\"2,3\n"),
            R"(motion.csv:4: column "q1": found ""2,3", expected a closing quote after it)");
}

TEST(TableReader, WhatIsNotFiniteIsRefused) {
  for (const std::string text : {"nan", "inf", "-inf", "1e999"}) {
    EXPECT_EQ(refusal_of_text("t,q1,q2\n1," + text + ",2\n"),
              "motion.csv:2: column \"q1\": found \"" + text + "\", expected a finite number");
  }
  EXPECT_EQ(refusal_of_text("t,q1,q2[rad],tau1\n1,1,\" infinity \",nan\n"),
            R"(motion.csv:2: column "q2[rad]": found "infinity", expected a finite number)");
}

TEST(TableReader, WhatIsTooLargeInSiUnitsIsRefused) {
  const Robot robot = revolute_robot(1);
  CsvTable reader(source_of("tau1[kN.m]\n1e308\n"), "torques.csv");
  const ColumnPlan plan = plan_columns(reader.header(), robot, {{Quantity::torque}});
  EXPECT_EQ(
      message_of<InputError>([&] { (void)read_all(reader, plan); }),
      R"(torques.csv:2: column "tau1[kN.m]": found "1e+308", expected magnitudes of at most 1e+15 in SI units)");
}

TEST(TableReader, ALongBadCellIsCut) {
  const std::string message = refusal_of_text("t,q1,q2\n1," + std::string(5000, 'x') + ",2\n");
  EXPECT_TRUE(message.ends_with(R"(xxx...", expected a number)")) << message;
  EXPECT_LT(message.size(), 150U);
}

TEST(TableReader, AnotherNumberOfCellsThanInTheHeaderIsRefused) {
  const std::string decimal_commas = "; decimal commas are read where ; or tabs part the columns";
  EXPECT_EQ(refusal_of_text("t,q1,q2\n1,2\n"),
            "motion.csv:2: found 2 cells, expected 3 as in the header");
  EXPECT_EQ(refusal_of_text("t,q1,q2\n1,2,3\n1,2,3,4,5"),
            "motion.csv:3: found 5 cells, expected 3 as in the header" + decimal_commas);
  EXPECT_EQ(refusal_of_text("t,q1,q2\n0,761920000000002,-1,5,0,2\n"),
            "motion.csv:2: found 6 cells, expected 3 as in the header" + decimal_commas);
  EXPECT_EQ(refusal_of_text("t,q1,q2\n1,2,3,\n"),
            "motion.csv:2: found 4 cells, expected 3 as in the header");
  EXPECT_EQ(refusal_of_text("q1,q2,t,note\n1,2,3\n"),
            "motion.csv:2: found 3 cells, expected 4 as in the header");
}

TEST(TableReader, TheFirstErrorOfABlockIsReported) {
  EXPECT_EQ(refusal_of_text("t,q1,q2\n1,2,3\n1,x,3\n1\n\0\n"s),
            R"(motion.csv:3: column "q1": found "x", expected a number)");
}

TEST(TableReader, BinaryContentIsRefused) {
  const std::string binary = "found a NUL byte; this is a binary file, not CSV text";
  EXPECT_EQ(refusal_of_text(std::string("\x7f"
                                        "ELF\0\0\n",
                                        7)),
            "motion.csv:1: " + binary);
  EXPECT_EQ(refusal_of_text("t,q1,q2\n1,2,3\n1,\0,3\n"s), "motion.csv:3: " + binary);
  EXPECT_EQ(refusal_of_text(std::string(100, '\0'), {8, 32}), "motion.csv:1: " + binary);
}

TEST(TableReader, OtherEncodingsAreRefused) {
  EXPECT_EQ(refusal_of_text("\xFF\xFEt\0"s),
            "motion.csv: the text is encoded as UTF-16; save it as UTF-8");
  EXPECT_EQ(refusal_of_text("t,q1,q2,tau1[N\xB7m]\n"),
            "motion.csv:1: the header is not UTF-8 text, from byte 15 on");
  EXPECT_EQ(refusal_of_text("t,q1,q2\r1,2,3\r"),
            "motion.csv:1: found a CR within the line; lines must end with LF or CR LF");
}

TEST(TableReader, ALineOfAnyLengthUpToTheBoundIsRead) {
  const std::string head = "t,q1,q2\n";
  for (std::size_t block = 8; block <= 200; ++block) {
    const BlockLimits limits{block, 200};
    const std::string longest = "1,2," + std::string(195, ' ') + "3";
    EXPECT_EQ(table_of(head + longest + "\n4,5,6\n", limits).rows, 2U);
    EXPECT_EQ(refusal_of_text(head + " " + longest + "\n", limits),
              "motion.csv:2: the line is longer than 200 bytes; is this a CSV file?");
  }
}

TEST(TableReader, MissingFilesAndFoldersAreNamed) {
  EXPECT_EQ(message_of<FileError>([] { InputFile("/no/such.csv"); }),
            "cannot read /no/such.csv: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { InputFile("/tmp"); }), "cannot read /tmp: Is a directory");
}

TEST(TableReader, ARegularFileKnowsItsSize) {
  const Folder folder;
  put(folder.path("a.csv"), varied);
  InputFile input(folder.path("a.csv"));
  EXPECT_EQ(input.size(), varied.size());
  CsvTable reader(input);
  EXPECT_EQ(read_all(reader).rows, 3U);
}

}  // namespace
}  // namespace armdyn
