#include "dynamics/compare.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "dynamics/counts.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

TEST(IsComputed, ThinsOutLateRowsEverMore) {
  const auto count = [](std::size_t rows, std::size_t dense) {
    std::size_t n = 0;
    for (std::size_t row = 0; row < rows; ++row) n += is_computed(row, dense) ? 1U : 0U;
    return n;
  };
  EXPECT_EQ(count(100, 100), 100U);
  EXPECT_EQ(count(200, 100), 150U);
  EXPECT_EQ(count(400, 100), 200U);
  EXPECT_EQ(count(100 * 1024, 100), 600U);
  EXPECT_EQ(count(100, 0), 0U);
  EXPECT_EQ(count(1000, std::numeric_limits<std::size_t>::max()), 1000U);
}

TEST(ThinnedMethod, LooksAtAllRowsForAboutAMinute) {
  const Arm arm = RandomArm(5).arm(6);
  const Operations each = count(arm, Method::newton_euler).recursion.as_written;
  const auto rows = static_cast<double>(thinned_method(arm, Method::newton_euler).dense_rows);
  EXPECT_NEAR(rows * static_cast<double>(each.multiplications + each.additions), 5e10, 1e4);
}

TEST(ThinnedComparer, LeavesOutWhatTheRowIsTooLateFor) {
  const Arm arm = RandomArm(5).arm(2);
  std::vector<ComparedMethod> methods{thinned_method(arm, Method::newton_euler),
                                      thinned_method(arm, Method::lagrange)};
  methods[1].dense_rows = 1;
  StateComparer comparer(arm, methods);
  ComparedState found;
  const std::vector<double> x(2, 0.5);
  comparer.compare({x, x, x}, {}, found, 0);
  EXPECT_EQ(found.tau[1].size(), 2U);
  EXPECT_EQ(found.error[1].size(), 2U);
  comparer.compare({x, x, x}, {}, found, 1);
  EXPECT_EQ(found.tau[0].size(), 2U);
  EXPECT_EQ(found.error[0].size(), 2U);
  EXPECT_TRUE(found.tau[1].empty());
  EXPECT_TRUE(found.error[1].empty());
  comparer.compare({x, x, x}, {}, found, dense_reference_rows + 1);
  EXPECT_EQ(found.tau[0].size(), 2U);
  EXPECT_TRUE(found.error[0].empty());
}

TEST(SecondsPerState, IsLongerForLagrange) {
  const Arm arm = RandomArm(5).arm(6);
  const std::vector<double> x(6, 0.5);
  const std::vector<TimedState> states(10, {x, x, x, {}});
  const double fast = seconds_per_state(compared_method(arm, Method::newton_euler), states);
  const double slow = seconds_per_state(compared_method(arm, Method::lagrange), states);
  EXPECT_GT(fast, 0.0);
  EXPECT_GT(slow, fast);
  EXPECT_EQ(seconds_per_state(compared_method(arm, Method::lagrange), {}), 0.0);
}

}  // namespace
}  // namespace armdyn::testing
