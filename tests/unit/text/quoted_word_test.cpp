#include "text/quoted_word.hpp"

#include <gtest/gtest.h>

#include <string>

namespace armdyn {
namespace {

TEST(QuotedWord, IsOneOfAShell) {
  EXPECT_EQ(quoted_word("a b"), "\"a b\"");
  EXPECT_EQ(quoted_word("it's"), "\"it's\"");
  for (const std::string c : {"$", "\"", "\\", "`", "!"}) {
    EXPECT_EQ(quoted_word("a" + c), "'a" + c + "'");
  }
  EXPECT_EQ(quoted_word("$'"), "'$'\\'''");
}

}  // namespace
}  // namespace armdyn
