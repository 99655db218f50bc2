#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include <vector>

#include "program/program.hpp"

namespace armdyn::testing {
namespace {

std::vector<StepKind> kinds_of(const Program& program) {
  std::vector<StepKind> kinds;
  for (const Step& step : program.steps) kinds.push_back(step.kind);
  return kinds;
}

TEST(Assemble, JoinsProductsSumsAndTheStore) {
  Graph graph;
  const Expression x = graph.input(0), y = graph.input(1);
  const Expression product = x * y, scaled = 3.0 * x;
  const Expression z = product + scaled - y;
  const Program program = assemble(graph, 2, std::span(&z, 1));
  EXPECT_EQ(kinds_of(program), (std::vector{StepKind::load_product, StepKind::add_scaled,
                                            StepKind::subtract_place_and_store}));
  EXPECT_EQ(program.slots, 0U);
}

TEST(Assemble, LeavesOutWhatNoOutputNeeds) {
  Graph graph;
  const Expression x = graph.input(0), y = graph.input(1);
  const Expression wanted = x + y;
  const Expression unwanted = sin_cos(x * y + wanted).sin;
  EXPECT_FALSE(unwanted.is_known());
  const Program program = assemble(graph, 2, std::span(&wanted, 1));
  EXPECT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(std::ranges::count(kinds_of(program), StepKind::sin_cos), 0);
}

TEST(Assemble, TakesSineAndCosineOfAnAngleTogether) {
  Graph graph;
  const auto [s, c] = sin_cos(graph.input(0));
  const Expression product = s * c;
  const Program program = assemble(graph, 1, std::span(&product, 1));
  EXPECT_EQ(kinds_of(program), (std::vector{StepKind::sin_cos, StepKind::load_product_and_store}));
  EXPECT_EQ(program.slots, 2U);
  EXPECT_NE(program.steps[0].b, program.steps[0].c);
}

TEST(Assemble, WritesKnownNumbersInputsAndNegativesAsOutputs) {
  Graph graph;
  const Expression x = graph.input(0);
  const std::vector<Expression> outputs = {Expression(2.5), x, -x, x};
  const Program program = assemble(graph, 1, outputs);
  EXPECT_EQ(program.outputs, 4U);
  EXPECT_EQ(kinds_of(program),
            (std::vector{StepKind::load_constant_and_store, StepKind::load_place_and_store,
                         StepKind::load_place, StepKind::negate_and_store,
                         StepKind::load_place_and_store}));
}

TEST(Assemble, UsesASlotAgainOnceItsValueHasBeenReadForTheLastTime) {
  Graph graph;
  // A long chain, each link of which is used twice in the next one alone.
  Expression x = graph.input(0);
  for (int i = 0; i < 1000; ++i) x = sin_cos(x).sin * (1.0 + sin_cos(x).cos) + x;
  const Program program = assemble(graph, 1, std::span(&x, 1));
  EXPECT_EQ(std::ranges::count(kinds_of(program), StepKind::sin_cos), 1000);
  EXPECT_LE(program.slots, 5U);
}

TEST(Assemble, RefusesMorePlacesThanTheMachineHas) {
  Graph graph;
  std::vector<Expression> outputs(70'000, graph.input(0));
  EXPECT_THROW(static_cast<void>(assemble(graph, 1, outputs)), std::length_error);
}

}  // namespace
}  // namespace armdyn::testing
