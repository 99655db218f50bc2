// Numbers that know how far from the truth they can be.

#include "math/enclosed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace armdyn::testing {
namespace {

// |a| is a or -a, with its bound.
TEST(Enclosed, MagnitudesKeepWhatIsPositive) {
  for (const double a : {0.5, -0.5, 3.0, -3.0, 0.0}) {
    const Enclosed x = Enclosed::measured(Digits50(a), 0.25, 0);
    EXPECT_EQ(abs(x).near(), std::abs(a));
    EXPECT_EQ(abs(x).distance(std::abs(a)), x.distance(a));
  }
}

// exp(-x^2) of any interval holds what the function is there, and is no wider than from 0 to 1.
TEST(Enclosed, ExponentialsOfSquaresAreNoWiderThanFrom0To1) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  for (int k = 0; k < 2000; ++k) {
    const double middle = 30.0 * std::pow(share(random), 3.0);
    const double radius = std::pow(10.0, 4.0 * share(random) - 2.0);
    const Enclosed x = Enclosed::measured(Digits50(middle), radius, 0);
    const Enclosed y = exp(-x * x);
    // Distances from beyond both ends tell the ends.
    const double least = 3.0 - y.distance(3.0), most = y.distance(-3.0) - 3.0;
    EXPECT_LE(most - least, 1.0 + 1e-9) << middle << " +- " << radius;
    for (int j = 0; j < 20; ++j) {
      const double at = middle + radius * share(random);
      const double truth = std::exp(-at * at);
      EXPECT_GE(truth, least - 1e-15) << middle << " +- " << radius;
      EXPECT_LE(truth, most + 1e-15) << middle << " +- " << radius;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
