#include "math/motion_tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace armdyn {
namespace {

using Series = std::vector<double>;

/// A tally of torque and speed over rows that come in blocks of `size`.
struct Tallied {
  MotionTally rows;
  DriveTally drive;

  Tallied(const Series& t, const Series& torque, const Series& speed, std::size_t size,
          const std::vector<std::size_t>& gaps = {}) {
    for (std::size_t first = 0; first < torque.size(); first += size) {
      const std::size_t count = std::min(size, torque.size() - first);
      const auto block = [&](const Series& column) {
        return std::span(column).subspan(first, count);
      };
      std::vector<std::size_t> here;
      for (const std::size_t gap : gaps) {
        if (gap >= first && gap < first + count) here.push_back(gap - first);
      }
      rows.next(count, t.empty() ? std::span<const double>() : block(t), here);
      rows.add(drive, block(torque), block(speed));
    }
  }
  [[nodiscard]] double rms() const { return rows.rms(drive.torque); }
  [[nodiscard]] double driven() const { return drive.power.driven; }
  [[nodiscard]] double braked() const { return drive.power.braked; }
};

TEST(MotionTally, HasTheRmsAndTheWorkOfASineInBlocksOfAnySize) {
  constexpr std::size_t n = 1000;  // steps of one period
  Series t, torque, speed;
  for (std::size_t row = 0; row <= n; ++row) {
    const double phase = 2.0 * std::numbers::pi * static_cast<double>(row) / n;
    t.push_back(5.0 + 2.0 * static_cast<double>(row) / n);
    torque.push_back(3.0 * std::sin(phase));
    speed.push_back(std::cos(phase));
  }
  for (const std::size_t size : {1UL, 7UL, 64UL, n + 1}) {
    const Tallied tallied(t, torque, speed, size);
    EXPECT_EQ(tallied.rows.rows(), n + 1);
    EXPECT_EQ(tallied.rows.begin(), 5.0);
    EXPECT_EQ(tallied.rows.end(), 7.0);
    EXPECT_NEAR(tallied.rows.duration(), 2.0, 1e-12);
    // The trapezoid rule is exact for sines over whole periods.
    EXPECT_NEAR(tallied.rms(), 3.0 / std::numbers::sqrt2, 1e-12);
    EXPECT_EQ(tallied.drive.torque.peak.value, 3.0);
    EXPECT_NEAR(tallied.drive.torque.peak.t, 5.5, 1e-12);
    EXPECT_EQ(tallied.drive.speed.value, 1.0);
    EXPECT_EQ(tallied.drive.speed.t, 5.0);
    // P = 1.5 sin 2φ; its halves have 1.5 · 2 / π s each, by the rule but for its error h² / 12.
    EXPECT_NEAR(tallied.drive.power.peak.value, 1.5, 1e-12);
    EXPECT_NEAR(tallied.driven(), 3.0 / std::numbers::pi, 1e-4);
    EXPECT_NEAR(tallied.driven() + tallied.braked(), 0.0, 1e-12);
  }
}

TEST(MotionTally, TakesTrapezoidsOfSquaresAndPowerWithoutGapsAndTimeThatFalls) {
  // From 2 to 4 in 2 s, a gap of 10 s, from 1 to 3 in 1 s, back in time, and 6 at once.
  const Series t{0, 2, 12, 13, 11, 11}, torque{2, 4, 1, 3, 5, 6}, speed{1, 1, -1, -1, 1, 1};
  for (const std::size_t size : {1UL, 2UL, 3UL, 6UL}) {
    const Tallied tallied(t, torque, speed, size, {2});
    EXPECT_EQ(tallied.rows.duration(), 3.0);
    EXPECT_DOUBLE_EQ(tallied.rms(), std::sqrt((2.0 * (4 + 16) / 2 + (1.0 + 9) / 2) / 3.0));
    EXPECT_DOUBLE_EQ(tallied.driven(), 2.0 * (2 + 4) / 2);
    EXPECT_DOUBLE_EQ(tallied.braked(), -(1.0 + 3) / 2);
    EXPECT_EQ(tallied.drive.torque.peak.value, 6.0);
    EXPECT_EQ(tallied.drive.torque.peak.t, 11.0);
  }
}

TEST(MotionTally, TakesMeansOverRowsUntilTimePasses) {
  const Series torque{3, -5, 4}, speed{0, 0, 0};
  for (const std::size_t size : {1UL, 2UL, 3UL}) {
    const Tallied without({}, torque, speed, size), still({7, 7, 7}, torque, speed, size);
    for (const Tallied* const tallied : {&without, &still}) {
      EXPECT_FALSE(tallied->rows.is_over_time());
      EXPECT_DOUBLE_EQ(tallied->rms(), std::sqrt(50.0 / 3));
      EXPECT_EQ(tallied->drive.torque.peak.value, 5.0);
    }
    EXPECT_EQ(without.drive.torque.peak.t, 2.0);  // the row, from 1
    EXPECT_EQ(still.drive.torque.peak.t, 7.0);
    EXPECT_FALSE(without.rows.has_time());
    const Tallied late({7, 7, 9}, torque, speed, size);
    EXPECT_DOUBLE_EQ(late.rms(), std::sqrt((25.0 + 16) / 2));
  }
}

TEST(MotionTally, HasMeansOfTorquesWhoseSquaresNoDoubleHolds) {
  const Series torque{1e300, -1e300}, speed{0, 0};
  EXPECT_DOUBLE_EQ(Tallied({0, 1}, torque, speed, 1).rms(), 1e300);
  EXPECT_DOUBLE_EQ(Tallied({}, torque, speed, 2).rms(), 1e300);
}

TEST(MotionTally, PutsPeaksThatNothingRaisesWhereItIsTold) {
  MotionTally rows;
  const Series t{4, 5}, zero{0, 0};
  rows.next(2, t);
  DriveTally drive(t.front());
  rows.add(drive, zero, zero);
  for (const Extreme& peak : {drive.torque.peak, drive.speed, drive.power.peak}) {
    EXPECT_EQ(peak.value, 0.0);
    EXPECT_EQ(peak.t, 4.0);
  }
}

TEST(Trapezoid, IntegratesWhatIsLinearOverAStep) {
  EXPECT_EQ(trapezoid(2.0, 1.0, 4.0), 5.0);
  EXPECT_EQ(square_integral(2.0, 0.0, 3.0), 6.0);  // ∫ (1.5 t)² dt from 0 to 2
  EXPECT_EQ(square_integral(2.0, -3.0, 3.0), 6.0);
  EXPECT_EQ(time_step(3.0, 2.0), 0.0);
}

TEST(TimeWeights, AreThoseOfTrapezoidsAcrossBlocksWithoutGaps) {
  TimeWeights weights;
  weights.add(std::vector<double>{10, 11, 13}, {});
  EXPECT_EQ(weights.of_last, 0.0);
  EXPECT_EQ(weights.of_rows, (std::vector<double>{0.5, 1.5, 1}));
  EXPECT_EQ(weights.duration, 3.0);
  // The last row of the block before has its share of the step; t falls; a gap has no step.
  weights.add(std::vector<double>{17, 16, 18, 30, 32}, std::vector<std::size_t>{3});
  EXPECT_EQ(weights.of_last, 2.0);
  EXPECT_EQ(weights.of_rows, (std::vector<double>{2, 1, 1, 1, 1}));
  EXPECT_EQ(weights.duration, 3.0 + 4.0 + 2.0 + 2.0);
  weights.add(std::vector<double>{40, 41}, std::vector<std::size_t>{0});
  EXPECT_EQ(weights.of_last, 0.0);
  EXPECT_EQ(weights.of_rows, (std::vector<double>{0.5, 0.5}));
  EXPECT_THROW(weights.add(std::vector<double>{1e308, -1e308, 1e308}, {}), NotFinite);
}

}  // namespace
}  // namespace armdyn
