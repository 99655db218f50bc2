#include "math/taylor_model.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "math/statistics.hpp"

namespace armdyn {
namespace {

/// A number in a box, and its Taylor model.
template <class F>
void expect_enclosed(double radius, const F& f) {
  std::mt19937_64 random(8);
  const double a = 0.3, b = -1.1;
  const TaylorModel within = f(TaylorModel(a, radius, 0), TaylorModel(b, radius, 1));
  for (int trial = 0; trial < 500; ++trial) {
    const double x =
        f(uniform(random, a - radius, a + radius), uniform(random, b - radius, b + radius));
    EXPECT_LE(x, within.upper());
    EXPECT_GE(x, within.lower());
    EXPECT_LE(std::abs(x), within.most());
  }
}

TEST(TaylorModel, EnclosesItsFunction) {
  for (const double radius : {1e-3, 0.3, 1.5}) {
    expect_enclosed(radius, [](const auto& x, const auto& y) {
      const auto [s, c] = sin_cos(x + x);
      const auto [sine, cosine] = sin_cos(y);
      return s * cosine - 0.5 * (c * sine) + x * y * c;
    });
    expect_enclosed(radius, [](const auto& x, const auto& y) {
      using S = std::decay_t<decltype(x)>;
      const auto [s, c] = sin_cos(x);
      return above_magnitude(S(c * y)) / (S(2.5) + s);
    });
  }
}

// Along a ridge of parallel axes, whose top is at x + y = 0.2, and 1.01 high.
TEST(TaylorModel, BoundsConcaveFunctionsByTheirLargestValue) {
  const TaylorModel x(0.0, 1.0, 0), y(0.0, 1.0, 1);
  const TaylorModel sum = x + y;
  const TaylorModel ridge = TaylorModel(1.0) + 0.1 * sum - 0.25 * sum * sum;
  EXPECT_GE(ridge.upper(), 1.01);
  EXPECT_LE(ridge.upper(), 1.01 + 1e-6);
}

// Twenty turns of a vector: its length stays, and so do the bounds of its components.
TEST(TaylorModel, KeepsWhatIsKnownOfItsMagnitude) {
  TaylorModel x(1.0), y(0.0);
  for (std::size_t k = 0; k < 20; ++k) {
    const auto [s, c] = sin_cos(TaylorModel(0.1, std::numbers::pi / 2.0, k % 7));
    const double most = std::hypot(x.most(), y.most());
    const TaylorModel turned = kept(c * x - s * y, std::min(1.0, most));
    y = kept(s * x + c * y, std::min(1.0, most));
    x = turned;
  }
  EXPECT_LE(x.upper(), 1.0 + 1e-12);
  EXPECT_GE(x.lower(), -1.0 - 1e-12);
}

}  // namespace
}  // namespace armdyn
