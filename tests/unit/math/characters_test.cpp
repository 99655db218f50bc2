#include "math/characters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace armdyn {
namespace {

TEST(Characters, AreSplitAndTrimmed) {
  EXPECT_EQ(split_at("", ','), std::vector<std::string>{""});
  EXPECT_EQ(split_at(",a,,b", ','), (std::vector<std::string>{"", "a", "", "b"}));
  EXPECT_EQ(trimmed(" \ta b ", " \t"), "a b");
  EXPECT_EQ(trimmed("  ", " "), "");
  EXPECT_EQ(in_small_letters("AZ@[az"), "az@[az");
}

}  // namespace
}  // namespace armdyn
