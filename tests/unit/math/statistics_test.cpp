#include "math/statistics.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace armdyn {
namespace {

/// 1, -2, 3, -4, …
std::vector<double> alternating(std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t k = 1; k <= count; ++k) {
    numbers.push_back(static_cast<double>(k) * (k % 2 == 0 ? -1.0 : 1.0));
  }
  return numbers;
}

TEST(Statistics, FindTheExtremesOfColumnsOfAnyLengthWhereverTheyAre) {
  EXPECT_GT(bounds_of({}).least, bounds_of({}).greatest);
  for (std::size_t count = 1; count < 35; ++count) {
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<double> numbers(count, 1.5);
      numbers[at] = 9.0;
      EXPECT_EQ(bounds_of(numbers).greatest, 9.0) << count << " " << at;
      EXPECT_EQ(bounds_of(numbers).least, count == 1 ? 9.0 : 1.5) << count << " " << at;
      numbers[at] = -9.0;
      EXPECT_EQ(bounds_of(numbers).least, -9.0) << count << " " << at;
      EXPECT_EQ(bounds_of(numbers).greatest, count == 1 ? -9.0 : 1.5) << count << " " << at;
    }
  }
}

TEST(Statistics, SumEachTermOnce) {
  for (std::size_t count = 0; count < 35; ++count) {
    const std::vector<double> numbers = alternating(count), weights(count, 0.5);
    SumOfTerms squares, weighted;
    squares.add_squares(numbers, {});
    weighted.add_squares(numbers, weights);
    const auto n = static_cast<double>(count);
    EXPECT_EQ(squares.total(), n * (n + 1) * (2 * n + 1) / 6);
    EXPECT_EQ(weighted.total(), n * (n + 1) * (2 * n + 1) / 12);
    const SignedSums sums = signed_sums(numbers, weights);
    const double odd = static_cast<double>((count + 1) / 2), even = static_cast<double>(count / 2);
    EXPECT_EQ(sums.positive, odd * odd / 2);
    EXPECT_EQ(sums.negative, -even * (even + 1) / 2);
  }
  SumOfTerms blocks;  // of 16 rows and of 5
  const std::vector<double> numbers = alternating(16), rest{1, 2, 3, 4, 5};
  blocks.add_squares(numbers, {});
  blocks.add_squares(rest, {});
  EXPECT_EQ(blocks.total(), 16.0 * 17 * 33 / 6 + 55);
}

TEST(Statistics, TakeTheUpperOfTwoMedians) {
  EXPECT_EQ(median_of({}), 0.0);
  EXPECT_EQ(median_of({3}), 3.0);
  EXPECT_EQ(median_of({4, 1}), 4.0);
  EXPECT_EQ(median_of({5, 1, 3}), 3.0);
  EXPECT_EQ(median_of({7, 1, 5, 3}), 5.0);
}

}  // namespace
}  // namespace armdyn
