// Bounds that are shown in a few digits.

#include "math/bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace armdyn::testing {
namespace {

// What is printed is no nearer than the bound, and by less than a unit of its last digit off.
TEST(Bound, AsTextOfFewDigitsIsStillABound) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  for (int k = 0; k < 20000; ++k) {
    const double value = share(random) * std::pow(10.0, 8.0 * share(random));
    const auto shown = [&](Bound bound) {
      return std::stod(fmt::format("{:.4g}", outward(value, bound, 4)));
    };
    const double slack = 1e-10 * std::abs(value), most = 1.001e-3 * std::abs(value);
    EXPECT_GE(shown(Bound::upper), value - slack);
    EXPECT_LE(shown(Bound::lower), value + slack);
    EXPECT_LT(shown(Bound::upper) - value, most);
    EXPECT_LT(value - shown(Bound::lower), most);
  }
}

TEST(Bound, OfFewDigitsStaysWhatItIs) {
  for (const double value : {0.0, 1.0, -2.5, 0.1, 1.1, 0.7, 3e-5, 4.19e5, 1.31607}) {
    for (const Bound bound : {Bound::lower, Bound::upper}) {
      EXPECT_EQ(fmt::format("{:.6g}", outward(value, bound, 6)), fmt::format("{:.6g}", value));
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
