#include "log/header_meaning.hpp"

#include <gtest/gtest.h>

namespace armdyn {
namespace {

using Names = std::vector<std::string>;

TEST(NamePattern, APlaceTakesANumberAJointOrAnything) {
  EXPECT_EQ(match_pattern("actual_q_{#}", "actual_q_5")->number, 5U);
  EXPECT_EQ(match_pattern("state.q[{#}]", "state.q[12]")->number, 12U);
  const auto both = match_pattern("{*}/{joint}/position", "/ns/joint_states/elbow/position");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->any, "/ns/joint_states");
  EXPECT_EQ(both->joint, "elbow");
}

TEST(NamePattern, WhatIsNoNumberDoesNotMatch) {
  for (const char* const text : {"q", "q_", "q-1", "q01", "q1x", "xq1", "q1.5", "Q1", "q9999999"}) {
    EXPECT_FALSE(match_pattern("q{#}", text)) << text;
  }
}

TEST(NamePattern, BracesCountOrList) {
  EXPECT_EQ(expand_braces("q_{0..2}[deg]"), (Names{"q_0[deg]", "q_1[deg]", "q_2[deg]"}));
  EXPECT_EQ(expand_braces("{3..1}"), (Names{"3", "2", "1"}));
  EXPECT_EQ(expand_braces("x{a,c}y"), (Names{"xay", "xcy"}));
  EXPECT_EQ(expand_braces("timestamp"), Names{"timestamp"});
  EXPECT_FALSE(expand_braces("q_{0..2"));
  EXPECT_FALSE(expand_braces("q_{0..x}"));
  EXPECT_FALSE(expand_braces("q_{0..999999}"));
}

}  // namespace
}  // namespace armdyn
