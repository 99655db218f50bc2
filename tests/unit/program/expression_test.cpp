#include "program/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "math/sin_cos.hpp"
#include "program/written_function.hpp"

namespace armdyn::testing {
namespace {

class ExpressionTest : public ::testing::Test {
 protected:
  /// The same entry of the graph, with the same sign.
  static void expect_same(const Expression& a, const Expression& b) {
    ASSERT_FALSE(a.is_known());
    ASSERT_FALSE(b.is_known());
    EXPECT_EQ(a.index(), b.index());
    EXPECT_EQ(a.is_negative(), b.is_negative());
  }
  static void expect_known(const Expression& a, double value) {
    ASSERT_TRUE(a.is_known());
    EXPECT_EQ(a.known(), value);
  }

  Graph graph;
  Expression x = graph.input(0), y = graph.input(1), z = graph.input(2);
};

TEST_F(ExpressionTest, KnownNumbersAreCalculatedAtOnce) {
  const Expression two(2.0), three(3.0);
  expect_known(two + three, 5.0);
  expect_known(two - three, -1.0);
  expect_known(two * three, 6.0);
  expect_known(two / three, 2.0 / 3.0);
  expect_known(sin_cos(three).sin, sin_cos(3.0).sin);
  expect_known(sin_cos(three).cos, sin_cos(3.0).cos);
  EXPECT_EQ(graph.formulas().size(), 3U);
}

TEST_F(ExpressionTest, ZerosAndOnesLeaveNoTrace) {
  expect_same(x + 0.0, x);
  expect_same(0.0 - x, -x);
  expect_same(1.0 * x, x);
  expect_same(-1.0 * x, -x);
  expect_same(x / 1.0, x);
  expect_same(-(-x), x);
  expect_known(0.0 * x, 0.0);
  expect_known(0.0 / x, 0.0);
  expect_known(x - x, 0.0);
  EXPECT_EQ(graph.formulas().size(), 3U);
}

TEST_F(ExpressionTest, EqualFormulasAreOne) {
  expect_same(x + y, y + x);
  expect_same(x * y, y * x);
  expect_same(x - y, -(y - x));
  expect_same(x + y, -(-x - y));
  expect_same((-x) * y, -(x * y));
  expect_same((-x) / y, -(x / y));
  expect_same(-3.0 * x, -(x * 3.0));
  expect_same(x - 3.0, -(3.0 - x));
  expect_same(x + x, 2.0 * x);
  expect_same(sin_cos(-x).sin, -sin_cos(x).sin);
  expect_same(sin_cos(-x).cos, sin_cos(x).cos);
}

TEST_F(ExpressionTest, WhatRoundsDifferentlyIsNotOne) {
  EXPECT_NE((3.0 * (2.0 * x)).index(), (6.0 * x).index());
  EXPECT_NE(((x + y) + z).index(), (x + (y + z)).index());
  EXPECT_NE((x * y + x * z).index(), (x * (y + z)).index());
  EXPECT_NE((x / 3.0).index(), (x * (1.0 / 3.0)).index());
}

TEST_F(ExpressionTest, ExponentialsAndSigns) {
  EXPECT_EQ(exp(Expression(2.0)).known(), std::exp(2.0));
  EXPECT_EQ(exp(-x).index(), exp(-x).index());
  EXPECT_NE(exp(-x).index(), exp(x).index());
  EXPECT_FALSE(exp(-x).is_negative());
  EXPECT_EQ(sign(Expression(-3.0)).known(), -1.0);
  EXPECT_EQ(sign(Expression(0.0)).known(), 0.0);
  EXPECT_EQ(sign(-x).index(), sign(x).index());
  EXPECT_TRUE(sign(-x).is_negative());
}

TEST(Graph, StopsWhereItWouldBeTooLong) {
  Graph graph(3);
  const Expression x = graph.input(0), y = graph.input(1);
  EXPECT_EQ((x + y).index(), (y + x).index());
  EXPECT_THROW(x * y, std::length_error);
}

TEST(Code, IsBrokenBeforeOperatorsAtAHundredColumns) {
  std::string line = "  tau = first*x";
  for (int k = 0; k < 40; ++k) line += fmt::format(" {} a{}*b{}", k % 3 == 0 ? "-" : "+", k, k);
  std::string rest = broken_lines(line, " ...", 6), joined;
  for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    const std::string one = rest.substr(0, end);
    EXPECT_LE(one.size(), 100U);
    EXPECT_GE(one.size(), 85U);
    ASSERT_TRUE(one.ends_with(" ...")) << one;
    joined += one.substr(0, one.size() - 4);
    rest = rest.substr(end + 1);
    ASSERT_TRUE(rest.starts_with("      + ") || rest.starts_with("      - ")) << rest;
    rest = rest.substr(5);
  }
  EXPECT_EQ(joined + rest, line);
}

}  // namespace
}  // namespace armdyn::testing
