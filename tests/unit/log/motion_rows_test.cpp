#include "log/motion_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

namespace armdyn::testing {
namespace {

// A torque of degree 4, which fits follow exactly, but for one jolt, which they smooth.
TEST(MotionRows, TellsBesideSmoothedTorques) {
  constexpr std::size_t count = 301;  // 3 s
  Robot robot;
  robot.joints.resize(1);
  LogOptions options;
  options.derive = options.smooth = true;
  options.window = 0.3;
  ColumnPlan plan;
  plan.columns.resize(3);
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}, {Quantity::torque, 2}};
  const auto motion = make_motion_rows(options, plan, robot, "log");
  Table table, rows;
  table.resize(3, count);
  const auto torque = [](double t) { return 2.0 - t + 0.5 * t * t * t * t; };
  for (std::size_t k = 0; k < count; ++k) {
    const double t = 0.01 * static_cast<double>(k);
    table.lines.push_back(k + 1);
    table.columns[0][k] = t;
    table.columns[1][k] = std::sin(t);
    table.columns[2][k] = torque(t);
  }
  table.columns[2][150] += 1.0;  // at 1.5 s
  motion->pass(table, true, rows);
  const std::size_t beside = motion->beside_smoothed();
  ASSERT_EQ(rows.columns.size(), beside + 5);
  ASSERT_EQ(rows.rows, count - 30);  // half a window is missing on either side
  for (std::size_t k = 0; k < rows.rows; ++k) {
    const double t = rows.columns[0][k];
    const bool is_jolted = std::abs(t - 1.5) < 0.155;
    EXPECT_EQ(rows.columns[beside][k], torque(t) + (std::abs(t - 1.5) < 1e-9 ? 1.0 : 0.0)) << t;
    if (std::abs(t - 1.5) < 0.02) {
      EXPECT_GT(rows.columns[2][k], torque(t) + 0.05) << t;
      EXPECT_LT(rows.columns[2][k], torque(t) + 0.3) << t;
    }
    if (!is_jolted) {
      EXPECT_NEAR(rows.columns[2][k], torque(t), 1e-9) << t;
      EXPECT_NEAR(rows.columns[beside + 1][k], 2.0 * t * t * t - 1.0, 1e-9) << t;
    }
    EXPECT_EQ(rows.columns[beside + 3][k], 0.3);
    EXPECT_EQ(rows.columns[beside + 4][k] == 1.0, t < 0.4999 || t > 2.5001) << t;
  }
}

// Exact positions beside noisy torques: the variance that is told is that about the true slope, and
// the window is one in which the slope stands out, however narrow positions alone would have it.
TEST(MotionRows, TellsTheNoiseOfSlopesAndChoosesAWindowForIt) {
  constexpr std::size_t count = 6001;
  constexpr double step = 0.004, sigma = 0.05;  // s, N·m
  Robot robot;
  robot.joints.resize(1);
  ColumnPlan plan;
  plan.columns.resize(3);
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}, {Quantity::torque, 2}};
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0.0, sigma);
  Table table;
  table.resize(3, count);
  for (std::size_t k = 0; k < count; ++k) {
    const double t = step * static_cast<double>(k);
    table.lines.push_back(k + 1);
    table.columns[0][k] = t;
    table.columns[1][k] = std::sin(2.0 * t);
    table.columns[2][k] = 4.0 * std::cos(2.0 * t) + normal(random);
  }
  for (const std::optional<double> window : {std::optional<double>(), std::optional(0.08)}) {
    LogOptions options;
    options.derive = options.smooth = true;
    options.window = window;
    const auto motion = make_motion_rows(options, plan, robot, "log");
    Table rows, samples = table;
    motion->pass(samples, true, rows);
    const std::size_t beside = motion->beside_smoothed();
    double squares = 0.0, slopes = 0.0, told = 0.0;
    for (std::size_t k = 0; k < rows.rows; ++k) {
      const double slope = -8.0 * std::sin(2.0 * rows.columns[0][k]);
      squares += std::pow(rows.columns[beside + 1][k] - slope, 2);
      slopes += slope * slope;
      told += rows.columns[beside + 2][k];
    }
    EXPECT_NEAR(told, squares, 0.15 * squares);
    EXPECT_LT(squares, (window ? 2.0 : 0.06) * slopes);
    const std::optional<LogReport::Derived> derived = motion->report().derived;
    ASSERT_TRUE(derived.has_value());
    EXPECT_GT(derived->best_window, 0.05);
    EXPECT_EQ(derived->window, window.value_or(derived->best_window));
  }
}

}  // namespace
}  // namespace armdyn::testing
