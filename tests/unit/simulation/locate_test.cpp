// Finding the first time at which something has happened.

#include "simulation/step.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn {
namespace {

/// Narrows the bracket (0, 1] of a gauge; counts how often that is read.
template <class Gauge>
double locate(const Gauge& gauge, double resolution, int& calls) {
  Bracket bracket(gauge(0.0), 1.0, gauge(1.0), resolution);
  for (calls = 0; bracket.is_open(); ++calls) {
    const double middle = bracket.middle();
    bracket.narrow(middle, gauge(middle));
  }
  return bracket.end();
}

template <class Gauge>
void expect_at(double expected, const Gauge& gauge, int most_calls) {
  int calls = 0;
  const double found = locate(gauge, 1e-13, calls);
  EXPECT_NEAR(found, expected, 2e-13);
  EXPECT_LT(gauge(found), 0.0) << "the event has happened";
  EXPECT_LE(calls, most_calls);
}

TEST(Locate, FindsASignChangeFromAbove) {
  expect_at(
      0.3, [](double t) { return 0.3 - t; }, 10);
  expect_at(
      std::log(2.0), [](double t) { return 2.0 - std::exp(t); }, 15);
  expect_at(
      1e-9, [](double t) { return 1e-9 - t; }, 60);
}

TEST(Locate, ReadsAGaugeAsOftenAsItsMirrorImage) {
  for (const double power : {2.0, 3.0, 9.0}) {
    for (const double zero : {0.01, 0.1, 0.5, 0.9}) {
      int calls = 0, mirrored = 0;
      (void)locate([&](double t) { return zero - std::pow(t, power); }, 1e-13, calls);
      (void)locate([&](double t) { return std::pow(1.0 - t, power) - zero; }, 1e-13, mirrored);
      EXPECT_NEAR(calls, mirrored, 1) << power << ", " << zero;
      EXPECT_LE(calls, 26) << power << ", " << zero;
    }
  }
}

TEST(Locate, PassesOverAZeroAtTheStart) {
  expect_at(
      0.5, [](double t) { return t * (0.5 - t); }, 30);
}

TEST(Locate, FindsTheStartWhereItHappensAtOnce) {
  int calls = 0;
  EXPECT_LT(locate([](double t) { return -t; }, 1e-12, calls), 2e-12);
}

TEST(Hermite, IsLowestInsideOrAtAnEnd) {
  const auto expect_lowest = [](const Hermite& cubic, double at) {
    EXPECT_NEAR(cubic.lowest(), at, 1e-14);
  };
  expect_lowest({1, -2, 0, 0}, 1.0);                 // (1 − s)²
  expect_lowest({0.25, -1, 0.25, 1}, 0.5);           // (s − ½)²
  expect_lowest({0, 1, 1, 1}, 0.0);                  // s
  expect_lowest({0, -1, 0, 2}, 1 / std::sqrt(3.0));  // s³ − s
  EXPECT_DOUBLE_EQ((Hermite{0, -1, 0, 2}).at(0.5), 0.125 - 0.5);
}

TEST(Hermite, IsLowestWhereNoOtherPlaceIsLower) {
  int within = 0;
  for (const double start : {0.0, -0.3, 0.4}) {
    for (const double slope_at_start : {-2.0, -0.2, 0.3, 3.0}) {
      for (const double slope_at_end : {-3.0, -0.1, 0.5, 4.0}) {
        const Hermite cubic{start, slope_at_start, 0.1, slope_at_end};
        const double lowest = cubic.lowest();
        for (int k = 0; k <= 100; ++k) EXPECT_LE(cubic.at(lowest), cubic.at(k / 100.0) + 1e-15);
        if (lowest > 0.0 && lowest < 1.0) ++within;
      }
    }
  }
  EXPECT_GT(within, 20);
}

}  // namespace
}  // namespace armdyn
