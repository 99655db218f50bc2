#include "dynamics/counts.hpp"

#include <gtest/gtest.h>

#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

/// Of revolute joints, without a zero anywhere.
Arm general(std::size_t n) {
  RandomArm random(4);
  Robot robot = random.robot(n);
  for (Joint& joint : robot.joints) joint.type = JointType::revolute;
  return normalize(robot);
}

TEST(Parallel, LevelsAsWrittenFollowTheFormulas) {
  for (std::size_t n = 2; n <= 12; ++n) {
    EXPECT_EQ(critical_path(written_operations(general(n), Method::newton_euler)), 10 * n + 4);
    EXPECT_EQ(critical_path(written_operations(general(n), Method::modified_newton_euler)),
              9 * n + 5);
  }
}

// The modified form has fewer levels as written, and more with its sums balanced.
TEST(Parallel, LevelsWithBalancedSumsFollowTheFormulas) {
  for (std::size_t n = 4; n <= 12; ++n) {
    const auto levels = [n](Method method) {
      return critical_path(with_balanced_sums(written_operations(general(n), method)));
    };
    EXPECT_EQ(levels(Method::newton_euler), 6 * n + 11);
    EXPECT_EQ(levels(Method::modified_newton_euler), 6 * n + 12);
  }
}

TEST(Parallel, HasTheOperationsThatAreCounted) {
  const Arm arm = general(6);
  EXPECT_EQ(work(written_operations(arm, Method::newton_euler)), 122 * 6 - 24 + 100 * 6 - 24);
  EXPECT_EQ(work(written_operations(arm, Method::modified_newton_euler)),
            104 * 6 - 33 + 94 * 6 - 33);
}

TEST(Parallel, TheLongestChainOfTable4sTermsFollowsTheFormulas) {
  for (std::size_t n = 1; n <= 12; ++n) {
    EXPECT_EQ(critical_path(terms_of_table_4(n, TermDuration::multiplications)), 27 * n + 6);
    EXPECT_EQ(critical_path(terms_of_table_4(n, TermDuration::additions)), 36 * n + 9);
  }
}

}  // namespace
}  // namespace armdyn::testing
