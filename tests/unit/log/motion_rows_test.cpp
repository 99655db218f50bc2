#include "log/motion_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

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
  plan.header = {"t", "q1", "tau1"};
  plan.columns.resize(3);
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}, {Quantity::torque, 2}};
  MotionRows motion(options, plan, robot, "log", "log");
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
  motion.pass(table, true, rows);
  const std::size_t beside = motion.beside_smoothed();
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

// Errors that are told as well are columns of the plan, in front of those beside it.
TEST(MotionRows, TellErrorsInFrontOfWhatIsBesideSmoothedTorques) {
  constexpr std::size_t count = 201;  // 2 s
  Robot robot;
  robot.joints.resize(1);
  LogOptions options;
  options.derive = options.smooth = options.derive_errors = true;
  options.window = 0.3;
  ColumnPlan plan;
  plan.header = {"t", "q1", "tau1"};
  plan.columns.resize(3);
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}, {Quantity::torque, 2}};
  MotionRows motion(options, plan, robot, "log", "log");
  Table table, rows;
  table.resize(3, count);
  for (std::size_t k = 0; k < count; ++k) {
    const double t = 0.01 * static_cast<double>(k);
    table.lines.push_back(k + 1);
    table.columns[0][k] = t;
    table.columns[1][k] = std::sin(t);
    table.columns[2][k] = 2.0 + t * t;
  }
  motion.pass(table, true, rows);
  const std::size_t beside = motion.beside_smoothed();
  EXPECT_EQ(*motion.plan().first(Quantity::acceleration_uncertainty) + 1, beside);
  ASSERT_EQ(rows.columns.size(), beside + 5);
  ASSERT_EQ(rows.rows, count - 30);
  for (std::size_t k = 0; k < rows.rows; ++k) {
    const double t = rows.columns[0][k];
    EXPECT_LT(rows.columns[*motion.plan().first(Quantity::velocity_uncertainty)][k], 1e-3);
    EXPECT_EQ(rows.columns[beside][k], 2.0 + t * t);
    EXPECT_NEAR(rows.columns[beside + 1][k], 2.0 * t, 1e-9);
    EXPECT_EQ(rows.columns[beside + 3][k], 0.3);
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
  plan.header = {"t", "q1", "tau1"};
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
    MotionRows motion(options, plan, robot, "log", "log");
    Table rows, samples = table;
    motion.pass(samples, true, rows);
    const std::size_t beside = motion.beside_smoothed();
    double squares = 0.0, slopes = 0.0, told = 0.0;
    for (std::size_t k = 0; k < rows.rows; ++k) {
      const double slope = -8.0 * std::sin(2.0 * rows.columns[0][k]);
      squares += std::pow(rows.columns[beside + 1][k] - slope, 2);
      slopes += slope * slope;
      told += rows.columns[beside + 2][k];
    }
    EXPECT_NEAR(told, squares, 0.15 * squares);
    EXPECT_LT(squares, (window ? 2.0 : 0.06) * slopes);
    const std::optional<LogReport::Derived> derived = motion.report().derived;
    ASSERT_TRUE(derived.has_value());
    EXPECT_GT(derived->best_window, 0.05);
    EXPECT_EQ(derived->window, window.value_or(derived->best_window));
  }
}

// What is kept of stamps that arrive in blocks of so many rows.
struct Stamps {
  std::vector<double> kept;
  LogReport report;
};
Stamps passed(const std::vector<double>& t, std::size_t block) {
  Robot robot;
  robot.joints.resize(1);
  ColumnPlan plan;
  plan.header = {"t", "q1"};
  plan.columns.resize(2);
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}};
  const LogOptions options;
  MotionRows motion(options, plan, robot, "log", "log");
  Stamps stamps;
  for (std::size_t first = 0; first <= t.size(); first += block) {
    Table parsed, rows;
    parsed.resize(2, std::min(block, t.size() - first));
    for (std::size_t k = 0; k < parsed.rows; ++k) {
      parsed.lines.push_back(first + k + 1);
      parsed.columns[0][k] = t[first + k];
    }
    motion.pass(parsed, first + block > t.size(), rows);
    stamps.kept.insert(stamps.kept.end(), rows.columns[0].begin(), rows.columns[0].end());
  }
  stamps.report = motion.report();
  return stamps;
}

// Wherever it stands, within blocks and between them; but not the first stamp, too early.
TEST(MotionRows, LeaveOutAStampThatIsFarFromTheOthers) {
  std::vector<double> all(24);
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = 0.01 * static_cast<double>(row);
  for (const std::size_t block : {3U, 4U, 7U, 24U}) {
    for (std::size_t row = 0; row < all.size(); ++row) {
      for (const double off : {1e9, -1e9, 1e3, -1e3, 50.0, -50.0, 0.5, -0.5}) {
        std::vector<double> given = all;
        given[row] += off;
        const auto [kept, report] = passed(given, block);
        const bool is_strange =
            std::abs(off) > (row + 1 == all.size() ? 1e4 : 100.0) && (row > 0 || off > 0.0);
        std::vector<double> expected = given;
        if (is_strange) expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(row));
        EXPECT_EQ(kept, expected) << block << " " << row << " " << off;
        EXPECT_EQ(report.strange.count(), is_strange ? 1U : 0U)
            << block << " " << row << " " << off;
        EXPECT_EQ(report.rows_in, all.size());
        EXPECT_EQ(report.rows_out, kept.size());
        if (!is_strange) continue;
        EXPECT_EQ(report.first_strange, given[row]);
        EXPECT_EQ(report.strange.places(), "line " + std::to_string(row + 1));
      }
    }
  }
}

// A step that is tiny is no measure of the others.
TEST(MotionRows, KeepAllStampsBehindATinyStep) {
  for (const std::size_t block : {2U, 3U, 8U}) {
    for (std::size_t tiny = 1; tiny < 8; ++tiny) {
      std::vector<double> t{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
      t.insert(t.begin() + static_cast<std::ptrdiff_t>(tiny), t[tiny - 1] + 1e-9);
      EXPECT_EQ(passed(t, block).kept, t) << block << " " << tiny;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
