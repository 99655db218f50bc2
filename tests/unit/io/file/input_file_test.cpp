#include "io/file/input_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/table/table_format.hpp"

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

}  // namespace
}  // namespace armdyn
