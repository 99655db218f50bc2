#include "math/finite.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "model/joint_kind.hpp"
#include "model/limits_of_input.hpp"
#include "support/refused_argument.hpp"

namespace armdyn {
namespace {

using Doubles = std::numeric_limits<double>;

TEST(Finite, FindsTheFirstNumberThatIsNotWhereverItIs) {
  for (const double wrong : {Doubles::infinity(), -Doubles::infinity(), Doubles::quiet_NaN()}) {
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<double> values{1, -2, 3, -4, 5};
      values[at] = wrong;
      EXPECT_EQ(first_not_finite(values), at);
      EXPECT_FALSE(all_finite(values));
      EXPECT_FALSE(all_within(values, Doubles::max()));
    }
  }
  EXPECT_EQ(first_not_finite({}), 0U);
  EXPECT_TRUE(all_finite(std::vector{Doubles::max(), Doubles::max()})) << "their sum is none";
}

TEST(Finite, HoldsMagnitudesAgainstTheLargestThatMayBe) {
  EXPECT_TRUE(all_within(std::vector{1e9, -1e9, 0.0, -0.0}, 1e9));
  EXPECT_FALSE(all_within(std::vector{0.0, std::nextafter(1e9, 2e9)}, 1e9));
  EXPECT_FALSE(all_within(std::vector{std::nextafter(-1e9, -2e9), 0.0}, 1e9));
  EXPECT_TRUE(all_within({}, 0.0));
  EXPECT_EQ(largest_magnitude(std::vector{1.0, -3.0, 2.0}), 3.0);
  EXPECT_EQ(largest_magnitude({}), 0.0);
}

TEST(Finite, TakesRootsOfMeanSquaresOfAnySize) {
  for (const double size : {1.0, 0x1p499, 0x1p501, 0x1p600, 0x1p-300}) {
    SumOfSquares sum;
    sum.add(3.0 * size, 2.0);
    sum.add(-4.0 * size);
    EXPECT_DOUBLE_EQ(sum.root_mean(3.0), size * std::sqrt((18.0 + 16.0) / 3.0)) << size;
    EXPECT_EQ(sum.root_mean(0.0), 0.0);
  }
  SumOfSquares both;
  both.add(0x1p499);
  both.add(0x1p500);
  EXPECT_DOUBLE_EQ(both.root_mean(2.0), 0x1p499 * std::sqrt(2.5));
  SumOfSquares squares;
  squares.add_squares(8.0);
  squares.add(1.0);
  EXPECT_EQ(squares.root_mean(1.0), 3.0);
}

TEST(Finite, GivesTheRestOfASumToItsLargestPart) {
  std::vector<double> parts{0.1, -0.7, 0.2};
  close_sum(0.5, parts);
  EXPECT_EQ(parts[0], 0.1);
  EXPECT_EQ(parts[2], 0.2);
  EXPECT_DOUBLE_EQ(parts[1], 0.2);
}

TEST(JointKind, HasUnitsOfItsKindFromPositionToInertia) {
  const auto both = [](RobotUnit unit) {
    return std::string(unit_text(unit, JointType::revolute)) + "|" +
           unit_text(unit, JointType::prismatic);
  };
  EXPECT_EQ(both(RobotUnit::radians), "rad|rad");
  EXPECT_EQ(both(RobotUnit::position), "rad|m");
  EXPECT_EQ(both(RobotUnit::speed), "rad/s|m/s");
  EXPECT_EQ(both(RobotUnit::jerk), "rad/s³|m/s³");
  EXPECT_EQ(both(RobotUnit::effort), "N·m|N");
  EXPECT_EQ(both(RobotUnit::joint_inertia), "kg·m²|kg");
  EXPECT_EQ(both(RobotUnit::motor_effort), "N·m|N·m");
  EXPECT_EQ(both(RobotUnit::hours), "h|h");
  EXPECT_EQ(unit_text(RobotUnit::damping), "N·m·s/rad or N·s/m");
  EXPECT_EQ(unit_text(RobotUnit::mass), "kg");
  Joint slide;
  slide.type = JointType::prismatic;
  EXPECT_EQ(position_range(slide).lower, -1.0);
  EXPECT_EQ(position_range(Joint{}).upper, std::numbers::pi);
  slide.limits.position = {0.25, 0.5};
  EXPECT_EQ(position_range(slide).upper, 0.5);
}

TEST(LimitsOfInput, CountPiecesUpToTheMostThatMayBe) {
  limits_of_input::require_countable(10.0, 0.1, 100.0, "steps", "take longer ones");
  EXPECT_EQ(
      testing::refused_as<Error>([] {
        limits_of_input::require_countable(10.1, 0.1, 100.0, "steps", "take longer ones");
      }),
      "10.1 s in steps of 0.1 s are 101 steps; take longer ones, or raise --max-rows above 100");
  EXPECT_EQ(limits_of_input::too_many(Doubles::infinity(), 1e8, "rows", "lower --rate"),
            "1.8e+308 rows; lower --rate, or raise --max-rows above 1e+08");
  EXPECT_EQ(limits_of_input::expected(1e9), "magnitudes of at most 1e+09 in SI units");
}

}  // namespace
}  // namespace armdyn
