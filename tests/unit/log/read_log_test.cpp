#include <gtest/gtest.h>
#include <unistd.h>
#include <armdyn/error.hpp>
#include <armdyn/identification.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>

#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

/// A file that goes with this.
struct LogFile {
  explicit LogFile(const std::string& text) { std::ofstream(path) << text; }
  ~LogFile() { std::filesystem::remove(path); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("log-" + std::to_string(::getpid()) + ".csv");
};

LogRows read(const std::string& text, const LogOptions& options = {}) {
  const LogFile file(text);
  return read_log(file.path.string(), RandomArm(5).robot(2), options);
}

TEST(ReadLog, GivesColumnsInSi) {
  const LogRows log = read("t,tau2,q2 [deg],q1,tau1\n0,1,90,0.5,3\n0.1,2,180,0.25,4\n");
  EXPECT_EQ(log.t, (std::vector{0.0, 0.1}));
  ASSERT_EQ(log.q.size(), 2U);
  EXPECT_EQ(log.q[0], (std::vector{0.5, 0.25}));
  EXPECT_NEAR(log.q[1][1], std::numbers::pi, 1e-15);
  EXPECT_EQ(log.tau[0], (std::vector{3.0, 4.0}));
  EXPECT_TRUE(log.qd.empty() && log.qdd.empty() && log.hand.empty());
  EXPECT_FALSE(log.smoothing);
  EXPECT_EQ(log.report.rows_out, 2U);
}

TEST(ReadLog, DerivesAndSmooths) {
  std::string text = "t,q1,q2,tau1,tau2\n";
  const double step = 0.01;
  const auto noisy = [&](double t) { return t + (std::lround(t / step) % 2 == 0 ? 1e-5 : -1e-5); };
  for (int k = 0; k < 300; ++k) {
    const double t = k * step;
    char row[200];
    (void)std::snprintf(row, sizeof row, "%.17g,%.17g,%.17g,%.17g,%.17g\n", t, std::sin(t),
                        std::cos(2 * t), std::sin(3 * t), noisy(t));
    text += row;
  }
  LogOptions options;
  options.derive = options.smooth = true;
  const LogRows log = read(text, options);
  ASSERT_TRUE(log.smoothing);
  ASSERT_GT(log.t.size(), 200U);
  for (std::size_t k = 0; k < log.t.size(); ++k) {
    const double t = log.t[k];
    EXPECT_NEAR(log.qd[1][k], -2 * std::sin(2 * t), 1e-5);
    EXPECT_NEAR(log.qdd[0][k], -std::sin(t), 1e-4);
    EXPECT_NEAR(log.smoothing->tau_rate[0][k], 3 * std::cos(3 * t), 1e-4);
    EXPECT_EQ(log.smoothing->measured_tau[1][k], noisy(t));
    EXPECT_NEAR(log.smoothing->tau_rate[1][k], 1.0, 1e-4);
    EXPECT_GT(log.smoothing->rate_variance[1][k], 10.0 * log.smoothing->rate_variance[0][k]);
    EXPECT_EQ(log.smoothing->is_at_end[k], t < 0.5 || t > 299 * step - 0.5 ? 1.0 : 0.0) << t;
  }
  EXPECT_GT(log.smoothing->window, 0.0);
}

TEST(ReadLog, RefusesWhatIsNoNumber) {
  EXPECT_THROW((void)read("t,q1,q2\n0,1,x\n"), InputError);
  EXPECT_THROW((void)read_log("nothing.csv", RandomArm(5).robot(2)), FileError);
}

TEST(ReadLog, RefusesOptionsOutOfTheirRanges) {
  const auto is_refused = [](auto&& change, bool derive = true) {
    LogOptions options;
    options.derive = derive;
    change(options);
    try {
      (void)read("t,q1,q2,tau1,tau2\n0,1,2,3,4\n0.1,1,2,3,4\n", options);
    } catch (const std::invalid_argument&) {
      return true;
    } catch (const InputError&) {  // too short, or has t and a rate
    }
    return false;
  };
  const double nan = std::nan("");
  for (const double x : {0.0, -1.0, nan, HUGE_VAL}) {
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.rate = x; })) << x;
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.resample = x; })) << x;
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.window = x; })) << x;
  }
  for (const double x : {-1.0, nan, HUGE_VAL}) {
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.dead_zone = x; })) << x;
  }
  for (const double x : {nan, HUGE_VAL}) {
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.from_time = x; })) << x;
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.to_time = x; })) << x;
  }
  for (const double x : {0.0, -1.0, nan}) {
    EXPECT_TRUE(is_refused([x](LogOptions& options) { options.max_rows = x; })) << x;
  }
  EXPECT_TRUE(is_refused([](LogOptions& options) { options.smooth = true; }, false));
  EXPECT_TRUE(is_refused([](LogOptions& options) { options.window = 0.1; }, false));
  EXPECT_TRUE(is_refused([](LogOptions& options) { options.derive_errors = true; }, false));
  EXPECT_FALSE(is_refused([](LogOptions& options) {
    options.window = options.resample = options.rate = 1.0;
    options.dead_zone = options.from_time = 0.0;
  }));
}

}  // namespace
}  // namespace armdyn::testing
