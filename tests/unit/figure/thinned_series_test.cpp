#include "figure/figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <armdyn/error.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace armdyn {
namespace {

struct Series {
  std::vector<double> x;
  std::vector<double> y;
};

Series noisy(std::size_t count, bool even) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise;
  Series series;
  double x = -3;
  for (std::size_t i = 0; i < count; ++i) {
    x += even ? 0.001 : std::exp(3 * noise(random));
    series.x.push_back(x);
    series.y.push_back(noise(random));
  }
  return series;
}

ThinnedSeries thinned(const Series& series, std::size_t buckets) {
  ThinnedSeries result(buckets);
  result.append(series.x, series.y);
  return result;
}

bool holds(const ThinnedSeries::Points& points, double x, double y) {
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (points.x[i] == x && points.y[i] == y) return true;
  }
  return false;
}

TEST(ThinnedSeries, KeepsAShortSeriesExactly) {
  const Series series = noisy(20, false);
  const auto points = thinned(series, 10).points();
  EXPECT_EQ(points.x, series.x);
  EXPECT_EQ(points.y, series.y);
}

TEST(ThinnedSeries, ConnectsNothingAcrossABreak) {
  for (const std::size_t count : {10U, 5000U}) {  // as they are, and in buckets
    const Series series = noisy(count, true);
    ThinnedSeries broken(100);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == 0 || i == count / 2 || i == count / 2 + 1) broken.break_off();
      broken.append(series.x[i], series.y[i]);
    }
    const auto points = broken.points();
    std::vector<double> before;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (std::isnan(points.y[i])) before.push_back(points.x[i]);
    }
    ASSERT_GE(before.size(), 1U);
    const double bucket = (series.x.back() - series.x.front()) / 50;
    EXPECT_GE(before.front(), series.x[count / 2]);
    EXPECT_LE(before.front(), series.x[count / 2] + (count > 200 ? bucket : 0.0));
    EXPECT_FALSE(std::isnan(points.y.front()));
  }
}

TEST(ThinnedSeries, IsEmptyWithoutSamples) {
  ThinnedSeries series;
  EXPECT_TRUE(series.empty());
  EXPECT_TRUE(series.points().x.empty());
  series.append(1, 2);
  EXPECT_FALSE(series.empty());
}

TEST(ThinnedSeries, StaysBoundedAndInOrderHoweverLongTheStream) {
  for (const bool even : {true, false}) {
    const auto points = thinned(noisy(200000, even), 50).points();
    EXPECT_LE(points.x.size(), 200U);
    EXPECT_TRUE(std::is_sorted(points.x.begin(), points.x.end()));
  }
}

TEST(ThinnedSeries, UsesAtLeastHalfOfItsBuckets) {
  for (const std::size_t count : {41U, 100U, 1000U, 12345U}) {
    EXPECT_GE(thinned(noisy(count, true), 20).points().x.size(), 20U) << count;
  }
}

TEST(ThinnedSeries, KeepsPeaksAndBothEndsWhereTheyAre) {
  for (std::size_t at = 0; at < 5000; at += 37) {
    Series series = noisy(5000, false);
    series.y[at] = 100;
    series.y[4999 - at] = -100;
    const auto points = thinned(series, 16).points();
    EXPECT_TRUE(holds(points, series.x[at], 100)) << at;
    EXPECT_TRUE(holds(points, series.x[4999 - at], -100)) << at;
    EXPECT_TRUE(holds(points, series.x.front(), series.y.front())) << at;
    EXPECT_TRUE(holds(points, series.x.back(), series.y.back())) << at;
  }
}

// No stretch of two buckets' width may lose more of its reach than lies within it.
TEST(ThinnedSeries, KeepsTheExtremesOfEveryStretch) {
  const Series series = noisy(40000, true);
  const auto points = thinned(series, 100).points();
  const double width = (series.x.back() - series.x.front()) / 50;  // no bucket is wider
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t k = 0; k < points.x.size(); ++k) {
      if (std::abs(points.x[k] - series.x[i]) > width) continue;
      low = std::min(low, points.y[k]);
      high = std::max(high, points.y[k]);
    }
    ASSERT_LE(low, series.y[i]);
    ASSERT_GE(high, series.y[i]);
  }
}

TEST(ThinnedSeries, DoesNotDependOnHowTheSamplesAreHandedOver) {
  const Series series = noisy(3000, false);
  const auto at_once = thinned(series, 40).points();
  ThinnedSeries bit_by_bit(40);
  for (std::size_t i = 0; i < series.x.size(); i += 7) {
    const std::size_t count = std::min<std::size_t>(7, series.x.size() - i);
    bit_by_bit.append(std::span(series.x).subspan(i, count), std::span(series.y).subspan(i, count));
  }
  EXPECT_EQ(bit_by_bit.points().x, at_once.x);
  EXPECT_EQ(bit_by_bit.points().y, at_once.y);
}

TEST(ThinnedSeries, LeavesOutWhatIsNotFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ThinnedSeries series(4);
  for (int i = 0; i < 100; ++i) {
    series.append(i, i % 3 == 0 ? nan : i % 3 == 1 ? infinity : 1.0);
    series.append(nan, 1);
  }
  const auto points = series.points();
  EXPECT_FALSE(points.x.empty());
  for (const double y : points.y) EXPECT_EQ(y, 1.0);
}

TEST(ThinnedSeries, TakesAJumpAndManySamplesAtOneTime) {
  ThinnedSeries series(4);
  for (int i = 0; i < 1000; ++i) series.append(5, i % 10);
  series.append(6, 3);
  const auto points = series.points();
  EXPECT_TRUE(holds(points, 5, 0));
  EXPECT_TRUE(holds(points, 5, 9));
  EXPECT_TRUE(holds(points, 6, 3));
}

TEST(ThinnedSeries, KeepsTheValueThatALongStepStartsFrom) {
  ThinnedSeries series(8);
  for (int i = 0; i < 1000; ++i) series.append(i * 1e-6, i % 10);
  series.append(1e-3, 5);
  series.append(4, 5);
  series.append(8, 5);
  const auto points = series.points();
  EXPECT_TRUE(holds(points, 1e-3, 5));
  EXPECT_TRUE(holds(points, 9e-6, 9));
}

TEST(ThinnedSeries, SurvivesExtremeTimes) {
  constexpr double largest = std::numeric_limits<double>::max();
  ThinnedSeries series(4);
  for (int i = 0; i < 20; ++i) series.append(-largest, i);
  for (int i = 0; i < 20; ++i) series.append(i * 1e-310, i);
  for (int i = 0; i < 20; ++i) series.append(largest, i);
  EXPECT_LE(series.points().x.size(), 16U);
  EXPECT_TRUE(holds(series.points(), largest, 19));
}

TEST(ThinnedSeries, RefusesTimeThatGoesBack) {
  ThinnedSeries series;
  series.append(2, 0);
  try {
    series.append(1.5, 0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a picture needs time to increase: 1.5 comes after 2");
  }
  const std::vector<double> x{3, 4};
  const std::vector<double> y{0};
  EXPECT_THROW(series.append(x, y), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn
