#include "io/file/input_file.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <memory>
#include <string>
#include <vector>

#include "io/table/table_format.hpp"
#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

TEST(InputFile, OfBytesIsARegularFile) {
  InputFile input("motion.csv", "t,q1\n0,0.5\n");
  EXPECT_TRUE(input.is_regular());
  EXPECT_EQ(input.name(), "motion.csv");
  EXPECT_EQ(input.size(), 11U);
  EXPECT_EQ(input.read_at(2, 2), "q1");
  EXPECT_EQ(input.read(), "t,q1\n0,0.5\n");
}

TEST(InputFile, OfBytesIsATableInTheFormatOfItsName) {
  const TableInput input("motion.csv", "t,q1\n0,0.5\n");
  EXPECT_EQ(input.open()->header().cells, (std::vector<std::string>{"t", "q1"}));
}

TEST(InputFile, OfNoBytesIsEmpty) {
  InputFile input("motion.csv", "");
  EXPECT_EQ(input.size(), 0U);
  EXPECT_EQ(input.read(), "");
}

TEST(InputFile, OfATextWithoutEndIsRefused) {
  EXPECT_EQ(message_of<InputError>([] { (void)read_text("/dev/zero", 5000, "sheet of formulas"); }),
            "/dev/zero: more than 5 kB are no sheet of formulas");
}

TEST(TableInput, OfMadeRowsHasNoBytes) {
  const TableInput input("rows",
                         [](const BlockLimits&) { return std::make_unique<CountedRows>(3, 2); });
  EXPECT_EQ(input.name(), "rows");
  EXPECT_FALSE(input.size().has_value());
  EXPECT_THROW((void)input.digest(), FileError);
  EXPECT_EQ(count_rows(*input.open()), 3U);
}

}  // namespace
}  // namespace armdyn
