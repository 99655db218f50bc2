// Arrays in NumPy's format, from bytes made by hand. That NumPy writes and reads such bytes is
// tested in tests/cli/npy_test.cpp.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/table/csv_table.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"
#include "math/each.hpp"
#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string npy(const std::string& dictionary, const std::string& numbers, char version = '\1') {
  std::string head = "\x93NUMPY";
  head += version;
  head += '\0';
  const std::size_t length = dictionary.size() + 1;
  head += static_cast<char>(length & 0xFFU);
  head += static_cast<char>(length >> 8U);
  if (version != '\1') head.append(2, '\0');
  return head + dictionary + "\n" + numbers;
}

std::string plain(const std::string& dtype, const std::string& shape, const std::string& numbers,
                  const std::string& fortran = "False") {
  return npy(
      "{'descr': '" + dtype + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }",
      numbers);
}

std::string structured(const std::string& descr, const std::string& shape,
                       const std::string& numbers) {
  return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }", numbers);
}

const std::vector<WantedGroup> t_and_q{{Quantity::time, Need::optional},
                                       {Quantity::position, Need::required}};

class NpyTableTest : public ::testing::Test {
 protected:
  [[nodiscard]] Table read(const std::string& bytes, const Robot& robot = revolute_robot(2),
                           const ColumnOptions& options = {}, BlockLimits limits = {},
                           BadRows bad_rows = BadRows::refuse) const {
    put(folder.path("a.npy"), bytes);
    InputFile input(folder.path("a.npy"));
    NpyTable reader(input, limits);
    ColumnPlan plan = plan_columns(reader.header(), robot, t_and_q, options);
    plan.bad_rows = bad_rows;
    Table all, table;
    all.resize(plan.columns.size(), 0);
    RawBlock block;
    while (reader.next(block)) {
      reader.parse(block, plan, table);
      for (std::size_t i = 0; i < all.columns.size(); ++i) {
        all.columns[i].insert(all.columns[i].end(), table.columns[i].begin(),
                              table.columns[i].end());
      }
      all.lines.insert(all.lines.end(), table.lines.begin(), table.lines.end());
      all.left_out.insert(all.left_out.end(), table.left_out.begin(), table.left_out.end());
      all.rows += table.rows;
    }
    return all;
  }

  /// What is said about such a file, without its folder.
  [[nodiscard]] std::string complaint(const std::string& bytes) const {
    std::string message = message_of<InputError>([&] { (void)read(bytes); });
    const std::string path = folder.path("");
    for (std::size_t at = message.find(path); at != message.npos; at = message.find(path)) {
      message.erase(at, path.size());
    }
    return message;
  }

  Folder folder;
};

using Columns = std::vector<std::vector<double>>;
const Columns three_rows{{0.0, 0.5, 1.0}, {1, 2, 3}, {-1, -2, -3}};
const std::vector<double> by_rows{0.0, 1, -1, 0.5, 2, -2, 1.0, 3, -3};
const std::vector<double> by_columns{0.0, 0.5, 1.0, 1, 2, 3, -1, -2, -3};

TEST_F(NpyTableTest, ReadsPlainArraysInBothOrders) {
  const Table rows = read(plain("<f8", "(3, 3)", bytes_of(by_rows)));
  EXPECT_EQ(rows.columns, three_rows);
  EXPECT_EQ(rows.lines, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(read(plain("<f8", "(3, 3)", bytes_of(by_columns), "True")).columns, three_rows);
}

TEST_F(NpyTableTest, ReadsOtherNumbers) {
  const std::vector<float> floats(by_rows.begin(), by_rows.end());
  EXPECT_EQ(read(plain("<f4", "(3, 3)", bytes_of(floats))).columns, three_rows);
  const std::vector<std::int32_t> integers{1, -2, 3, 4};
  EXPECT_EQ(read(plain("<i4", "(2, 2)", bytes_of(integers))).columns, (Columns{{1, 3}, {-2, 4}}));
  const std::vector<std::uint8_t> small{255, 7};
  EXPECT_EQ(read(plain("|u1", "(1, 2)", bytes_of(small))).columns, (Columns{{255}, {7}}));
}

TEST_F(NpyTableTest, ReadsAllVersionsOfTheHead) {
  for (const char version : {'\1', '\2', '\3'}) {
    const std::string bytes = npy("{'shape': (1L,2), 'fortran_order':False,\"descr\":'<f8'}",
                                  bytes_of<double>({1, 2}), version);
    EXPECT_EQ(read(bytes).columns, (Columns{{1}, {2}}));
  }
}

TEST_F(NpyTableTest, EveryBlockSizeGivesTheSameTable) {
  std::vector<double> numbers;
  for (int i = 0; i < 2 * 300; ++i) numbers.push_back(std::sin(i));
  const std::string bytes = plain("<f8", "(300, 2)", bytes_of(numbers));
  const Table whole = read(bytes);
  EXPECT_EQ(whole.columns[1][299], std::sin(599));
  for (const std::size_t size : {1U, 16U, 1000U, 4096U}) {
    const Table table = read(bytes, revolute_robot(2), {}, {size, size});
    EXPECT_EQ(table.columns, whole.columns) << size;
    EXPECT_EQ(table.lines, whole.lines) << size;
  }
}

TEST_F(NpyTableTest, NamesOfAStructuredArrayAreThoseOfColumns) {
  EXPECT_EQ(read(structured("[('q2', '<f8'), ('t', '<f8'), ('q1', '<f8')]", "(2,)",
                            bytes_of<double>({-1, 0, 1, -2, 0.5, 2})))
                .columns,
            (Columns{{0, 0.5}, {1, 2}, {-1, -2}}));
}

TEST_F(NpyTableTest, AFieldMayBeAListOfJoints) {
  EXPECT_EQ(read(structured("[('t', '<f8'), ('q', '<f8', (2,))]", "(2,)",
                            bytes_of<double>({0, 1, -1, 0.5, 2, -2})))
                .columns,
            (Columns{{0, 0.5}, {1, 2}, {-1, -2}}));
}

TEST_F(NpyTableTest, FieldsWithoutNamesOrNumbersArePassedOver) {
  const std::string descr =
      "[('q1', '<f8'), ('', '|V4'), (('a title', 'note'), '|S4'), ('q2', '<f8')]";
  const Table table =
      read(structured(descr, "(1,)",
                      bytes_of<double>({1}) + std::string("....ab\0\0", 8) + bytes_of<double>({2})),
           revolute_robot(2), {.ignore_extra = true});
  EXPECT_EQ(table.columns, (Columns{{1}, {2}}));
}

TEST_F(NpyTableTest, UnitsInNamesBecomeSi) {
  EXPECT_EQ(
      read(structured("[('q1[deg]', '<f8'), ('q2', '<f8')]", "(1,)", bytes_of<double>({180, 1})))
          .columns[0][0],
      M_PI);
}

TEST_F(NpyTableTest, StampsFrom1970CountFromTheFirstRow) {
  const std::string descr = "[('t', '<i8'), ('q', '<f8', (2,))]";
  std::string numbers;
  for (const std::int64_t ns : {1'700'000'000'123'456'789, 1'700'000'000'125'956'789}) {
    numbers += bytes_of<std::int64_t>({ns}) + bytes_of<double>({1, 2});
  }
  EXPECT_EQ(read(structured(descr, "(2,)", numbers)).columns[0],
            (std::vector<double>{0.0, 0.0025}));
  const Table seconds =
      read(plain("<f8", "(2, 3)", bytes_of<double>({1.7e9, 1, 2, 1.7e9 + 0.25, 1, 2})));
  EXPECT_EQ(seconds.columns[0], (std::vector<double>{0.0, 0.25}));
}

TEST_F(NpyTableTest, ColumnsMayBeChosenByNumber) {
  EXPECT_EQ(read(plain("<f8", "(1, 4)", bytes_of<double>({9, 1, 8, 2})), revolute_robot(2),
                 {.choices = {{"q1", "2"}, {"q2", "4"}}})
                .columns,
            (Columns{{1}, {2}}));
}

TEST_F(NpyTableTest, OneAxisIsAColumn) {
  EXPECT_EQ(read(plain("<f8", "(2,)", bytes_of<double>({7, 8})), revolute_robot(1),
                 {.choices = {{"q1", "1"}}})
                .columns,
            (Columns{{7, 8}}));
}

TEST_F(NpyTableTest, AnArrayWithoutRowsHasNone) {
  EXPECT_EQ(read(plain("<f8", "(0, 3)", "")).rows, 0U);
}

TEST_F(NpyTableTest, WhatIsNotFiniteIsNamedOrLeftOut) {
  std::vector<double> numbers = by_rows;
  numbers[4] = std::numeric_limits<double>::infinity();
  const std::string bytes = plain("<f8", "(3, 3)", bytes_of(numbers));
  EXPECT_EQ(complaint(bytes), "a.npy:2: column \"q1\": found inf, expected a finite number");
  const Table table = read(bytes, revolute_robot(2), {}, {}, BadRows::leave_out);
  EXPECT_EQ(table.columns, (Columns{{0.0, 1.0}, {1, 3}, {-1, -3}}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{1, 3}));
  ASSERT_EQ(table.left_out.size(), 1U);
  EXPECT_EQ(table.left_out[0].before, 1U);
}

TEST_F(NpyTableTest, WhatIsNoTableIsNamedWithWhatIsExpected) {
  const std::string six = bytes_of<double>({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(complaint(""), "a.npy: the file is empty; expected an array in NumPy's format (.npy)");
  EXPECT_EQ(complaint("t,q1,q2\n0,1,2\n"),
            "a.npy: does not begin as an array in NumPy's format (.npy) does; text needs a name "
            "that does not end in .npy");
  const std::string no_head =
      "a.npy: the head is not that of an array in NumPy's format (.npy); was it written by "
      "np.save?";
  for (const std::string& head :
       {std::string("\x93NUMPY\1"), npy("{'descr': '<f8'}", ""), npy("{'descr", ""),
        npy("{'descr': '<f8', 'fortran_order': 1, 'shape': (1, 2)}", six),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2)}", six),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)} # q", six),
        structured("[('q1',)]", "(6,)", six), structured("['q1']", "(6,)", six),
        npy(std::string(100, '('), six), npy("", "").substr(0, 10) + std::string("\xFF\xFF", 2)}) {
    EXPECT_EQ(complaint(head), no_head) << head;
  }
  EXPECT_EQ(complaint(npy("{}", "", '\7')),
            "a.npy: found version 7 of NumPy's format, expected 1, 2 or 3");
  const auto shape = [](const std::string& text) {
    return "a.npy: found an array of shape " + text +
           ", expected two axes, rows and columns, or a structured dtype with the names of the "
           "columns";
  };
  EXPECT_EQ(complaint(plain("<f8", "()", six)), shape("()"));
  EXPECT_EQ(complaint(plain("<f8", "(1, 2, 3)", six)), shape("(1, 2, 3)"));
  EXPECT_EQ(complaint(plain("<f8", "(3, 0)", "")), shape("(3, 0)"));
  EXPECT_EQ(complaint(structured("[('q1', '<f8'), ('q2', '<f8')]", "(3, 1)", six)),
            "a.npy: found a structured array of shape (3, 1), expected one axis: rows");
  for (const std::string dtype : {">f8", "<f2", "<c16", "|O", "<M8[ns]", "|b1", "f8"}) {
    EXPECT_EQ(complaint(plain(dtype, "(2, 3)", six)),
              "a.npy: found dtype \"" + dtype +
                  "\", expected little-endian numbers: '<f8' or '<f4', or integers; np.save(file, "
                  "a.astype('<f8')) writes such");
  }
  EXPECT_EQ(complaint(structured("[('q1', '<f8'), ('q2', '>f8')]", "(3,)", six)),
            "a.npy: column \"q2\": found dtype \">f8\", expected little-endian numbers such as "
            "'<f8'");
  EXPECT_EQ(complaint(structured("[('q', [('a', '<f8')])]", "(6,)", six)),
            "a.npy: field \"q\": found fields within the field, expected numbers");
  EXPECT_EQ(complaint(structured("[('q', '<f8', (2, 1))]", "(3,)", six)),
            "a.npy: field \"q\": found shape (2, 1), expected one number or a list of numbers in "
            "each row");
  EXPECT_EQ(complaint(plain("<f8", "(4, 2)", six)),
            "a.npy: found 48 bytes of numbers, expected 64 for 4 rows of 16 bytes; was the file "
            "written wholly?");
  EXPECT_EQ(complaint(plain("<f8", "(18446744073709551615, 2)", six)),
            "a.npy: found 48 bytes of numbers, expected fewer for 18446744073709551615 rows of 16 "
            "bytes; was the file written wholly?");
}

TEST_F(NpyTableTest, ColumnsThatFitNoOrderAreCountedOut) {
  EXPECT_EQ(complaint(plain("<f8", "(1, 5)", bytes_of<double>({1, 2, 3, 4, 5}))),
            "a.npy: found an array of 5 columns; for the robot's 2 joints expected 2 (q), 3 (t,q), "
            "or a structured dtype with the names of the columns");
  EXPECT_EQ(complaint(structured("[('q1', '<f8'), ('q3', '<f8')]", "(0,)", "")),
            "a.npy: column \"q3\": the robot has 2 joints, so the last is q2 (--ignore-extra skips "
            "unknown columns)");
}

TEST_F(NpyTableTest, AHeadMayHaveEightLevels) {
  const auto nested = [](std::size_t levels) {
    return npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), 'more': " +
                   std::string(levels, '(') + "1" + std::string(levels, ')') + "}",
               bytes_of<double>({1, 2}));
  };
  EXPECT_EQ(read(nested(7)).rows, 1U);
  EXPECT_NE(complaint(nested(8)).find("the head is not that of an array"), std::string::npos);
}

TEST(RowRanges, AreOfAsManyRowsEachButTheLast) {
  const auto sizes = [](std::uintmax_t rows) {
    return each(split_rows(rows, 3), [](const RowRange& range) {
      EXPECT_EQ(range.first_line, range.first + 1);
      EXPECT_EQ(range.end_line, range.first + range.rows + 1);
      return std::pair(range.first, range.rows);
    });
  };
  using Sizes = std::vector<std::pair<std::uintmax_t, std::uintmax_t>>;
  EXPECT_EQ(sizes(0), Sizes{});
  EXPECT_EQ(sizes(2), (Sizes{{0, 2}}));
  EXPECT_EQ(sizes(6), (Sizes{{0, 3}, {3, 3}}));
  EXPECT_EQ(sizes(7), (Sizes{{0, 3}, {3, 3}, {6, 1}}));
}

/// A head with up to five characters replaced, removed or put in, in 48 bytes of numbers or fewer.
std::string broken(std::string bytes, std::mt19937& random) {
  constexpr std::string_view characters = "(){}[]',:0123456789<>=|fiuUSVL \\\"\xFF";
  const auto any = [&](std::size_t count) { return random() % count; };
  bytes += std::string(48, 'x');
  for (std::size_t i = any(6); i > 0; --i) {
    const std::size_t at = npy_magic.size() + any(bytes.size() - npy_magic.size());
    const std::size_t kind = any(3);
    if (kind == 0) bytes[at] = characters[any(characters.size())];
    if (kind == 1) bytes.erase(at, 1);
    if (kind == 2) bytes.insert(at, 1, characters[any(characters.size())]);
  }
  if (any(10) == 0) bytes.resize(any(bytes.size()));
  return bytes;
}

TEST(NpyHead, EveryNumberOfWhatIsReadLiesWithinTheFile) {
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  const std::string lists = "[('q', '<f8', (2,)), ('', '|V4'), (('title', 'n'), '|S4')]";
  for (int i = 0; i < 20000; ++i) {
    for (const std::string& head :
         {npy_head({"1", "2", "3"}, false, 2), npy_head({"t", "q1"}, true, 3),
          plain("<f4", "(12, 1)", "", "True"), structured(lists, "(2,)", "")}) {
      const std::string bytes = broken(head, random);
      try {
        const NpyHead found = read_npy_head(bytes, bytes.size(), "a.npy");
        ++read;
        for (const NpyColumn& column : found.columns) {
          if (found.rows == 0) continue;
          const std::size_t last = column.offset + (found.rows - 1) * column.stride;
          ASSERT_LT(found.size + last, bytes.size());
        }
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(read, 1000U);
  EXPECT_GT(refused, 1000U);
}

TEST_F(NpyTableTest, TextSaysSoUnderAnotherName) {
  const std::string bytes = plain("<f8", "(1, 2)", bytes_of<double>({1, 2}));
  EXPECT_EQ(message_of<InputError>(
                [&] { CsvTable(source_of(bytes), "a.dat", {}, HeaderLine::written, "q1"); }),
            "a.dat: this is an array in NumPy's format, which is read from a file whose name ends "
            "in .npy");
}

}  // namespace
}  // namespace armdyn
