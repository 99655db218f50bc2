#include <gtest/gtest.h>
#include <unistd.h>
#include <armdyn/error.hpp>
#include <armdyn/identification.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_TRUE(log.qd.empty() && log.qdd.empty() && log.wrench.empty());
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

/// Two joints that turn; the first has limits.
LogRows read_turning(const std::string& text, const std::vector<ColumnChoice>& columns,
                     bool derive = false) {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[0].limits.position = Range{-2.0, 3.0};
  LogOptions options;
  options.columns = columns;
  options.derive = derive;
  const LogFile file(text);
  return read_log(file.path.string(), robot, options);
}

TEST(ReadLog, AddsColumnsOfOtherJoints) {
  const std::string text = "t,q1,q2 [deg],qd1,qd2,tau1,tau2\n0,1,90,3,4,5,6\n1,2,180,5,6,7,8\n";
  const LogRows log = read_turning(text, {{"q1", "-q1+1"}, {"q2", "q2-q1"}, {"qd2", "2*qd2+qd1"}});
  EXPECT_EQ(log.q[0], (std::vector{0.0, -1.0}));  // the file's q1 is added, not the joint's
  EXPECT_NEAR(log.q[1][0], std::numbers::pi / 2.0 - 1.0, 1e-15);
  EXPECT_NEAR(log.q[1][1], std::numbers::pi - 2.0, 1e-15);
  EXPECT_EQ(log.qd[1], (std::vector{11.0, 17.0}));
  // What is added has the unit in which it is read for its own joint.
  const LogRows degrees = read_turning("t,a,b\n0,10,20\n", {{"q1", "a[deg]"}, {"q2", "b[deg]+a"}});
  EXPECT_NEAR(degrees.q[1][0], std::numbers::pi / 6.0, 1e-15);
  const std::string extra = "t,q1,q2,x\n0,1,90,3\n";
  EXPECT_THROW((void)read_turning(extra, {{"q2", "q2+x"}}), InputError);
  EXPECT_THROW((void)read_turning(extra, {{"q2", "q2+q2"}}), InputError);
}

TEST(ReadLog, UnwrapsAnglesThatAreKeptWithinATurn) {
  const std::string text = "t,q1,q2,tau1,tau2\n0,3,350,0,0\n1,3.1,10,0,0\n2,-3.1,30,0,0\n";
  const LogRows log =
      read_turning(text, {{"q1", "unwrap(q1)-1"}, {"q2", "2*unwrap(q2[deg])+90deg"}});
  EXPECT_NEAR(log.q[0][1], 2.1, 1e-15);
  EXPECT_NEAR(log.q[0][2], 2.0 * std::numbers::pi - 4.1, 1e-15);
  EXPECT_NEAR(log.q[1][1], (2.0 * 370.0 + 90.0) * std::numbers::pi / 180.0, 1e-14);
  EXPECT_NEAR(log.q[1][2], (2.0 * 390.0 + 90.0) * std::numbers::pi / 180.0, 1e-14);
  EXPECT_THROW((void)read_turning(text, {{"tau1", "unwrap(tau1)"}}), InputError);
}

// Where rates are taken from them; the first joint begins a turn beyond its limits, too.
TEST(ReadLog, UnwrapsByItselfWhereAnglesJumpByATurn) {
  std::string text = "t,q1,q2,tau1,tau2\n";
  const double turn = 2.0 * std::numbers::pi;
  const auto q1 = [](double t) { return -1.0 + 0.3 * t; };
  const auto q2 = [](double t) { return 3.0 + 2.0 * std::sin(t); };
  for (int k = 0; k < 300; ++k) {
    const double t = 0.01 * k;
    char row[200];
    (void)std::snprintf(row, sizeof row, "%.17g,%.17g,%.17g,0,0\n", t,
                        std::fmod(q1(t) + turn, turn), std::remainder(q2(t), turn));
    text += row;
  }
  const LogRows log = read_turning(text, {}, true);
  EXPECT_EQ(log.report.unwrapped, (std::set<std::size_t>{0, 1}));
  EXPECT_TRUE(log.report.disagreements.empty());
  for (std::size_t k = 0; k < log.t.size(); ++k) {
    EXPECT_NEAR(log.q[0][k], q1(log.t[k]), 1e-14);
    EXPECT_NEAR(log.q[1][k], q2(log.t[k]), 1e-14);
    EXPECT_NEAR(log.qd[1][k], 2.0 * std::cos(log.t[k]), 1e-4);
  }
}

TEST(ReadLog, UnwrapsTheFirstStep) {
  const double pi = std::numbers::pi;
  std::string text = "t,q1,q2,tau1,tau2\n";
  for (int k = 0; k < 300; ++k) {
    char row[200];
    (void)std::snprintf(row, sizeof row, "%.17g,0,%.17g,0,0\n", 0.01 * k,
                        std::remainder(pi - 0.001 + 0.003 * k, 2.0 * pi));
    text += row;
  }
  const LogRows log = read_turning(text, {}, true);
  EXPECT_EQ(log.report.unwrapped, std::set<std::size_t>{1});
  for (const double qd : log.qd[1]) EXPECT_NEAR(qd, 0.3, 1e-9);
}

TEST(ReadLog, TakesColumnsAtAnotherTime) {
  std::string text = "t,q1,q2,tau1,tau2\n";
  for (int k = 0; k < 20; ++k) {
    text += std::to_string(k) + "e-1,0,0," + std::to_string(k) + "," + std::to_string(k * k) + "\n";
  }
  const LogRows log = read_turning(text, {{"tau1", "tau1@50ms"}, {"tau2", "-tau2@-0.2"}});
  ASSERT_EQ(log.t.size(), 17U);  // from 0.2 to 1.8 s
  for (std::size_t k = 0; k < log.t.size(); ++k) {
    const double row = 10.0 * log.t[k];
    EXPECT_NEAR(log.tau[0][k], row + 0.5, 1e-12);
    EXPECT_NEAR(log.tau[1][k], -(row - 2.0) * (row - 2.0), 1e-12);
  }
  EXPECT_EQ(log.report.outside, 3U);
}

TEST(ReadLog, TakesNoColumnInPerCentForATorque) {
  const std::string text = "t,q1,q2,Trq1(%),Trq2(%)\n0,1,2,3,40\n";
  const auto refusal = [&](const std::vector<ColumnChoice>& columns) -> std::string {
    try {
      (void)read_turning(text, columns);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string columns : {"Trq{1..2}(%)", "-Trq{1..2}(%)"}) {
    EXPECT_NE(refusal({{"tau", columns}})
                  .find("\"Trq1(%)\"..\"Trq2(%)\" are in per cent, and no torques: --columns "
                        "\"tau1=1.5*Trq1(%),tau2=1.5*Trq2(%)\" takes them for per cent of a rated "
                        "torque of 150 N·m"),
              std::string::npos)
        << refusal({{"tau", columns}});
  }
  EXPECT_EQ(read_turning(text, {{"tau1", "1.5*Trq1(%)"}, {"tau2", "0.5*Trq2(%)"}}).tau[1],
            std::vector{20.0});
  const std::string line = "--columns \"tau1=1.5*Trq1(%),tau2=1.5*Trq2(%)\"";
  EXPECT_NE(refusal({}).find(line), std::string::npos) << refusal({});
  EXPECT_EQ(refusal({}).find("tau="), std::string::npos) << refusal({});
  // half a line is answered by the whole
  EXPECT_NE(refusal({{"tau1", "2*Trq1(%)"}}).find(line), std::string::npos)
      << refusal({{"tau1", "2*Trq1(%)"}});
}

// Wherever torques could be read, in every spelling, and of nothing else that is in per cent.
TEST(ReadLog, SaysThatTorquesInPerCentAreNotRead) {
  const auto said = [](const std::string& header) {
    std::string text = "t,q1,q2," + header + "\n";
    for (int k = 0; k < 40; ++k) text += std::to_string(k) + "e-2,1,2,3,40\n";
    return read(text, {.ignore_extra = true}).report.recognized;
  };
  for (const std::string name : {"Trq#(%)", "torque#[%]", "effort_pct_#", "LoadPercent#",
                                 "current # (% of rated)", "% torque #"}) {
    std::string header = name + "," + name;
    header.replace(header.find('#'), 1, "1").replace(header.find('#'), 1, "2");
    const std::size_t comma = header.find(',');
    EXPECT_NE(said(header).find("in per cent, and no torques: --columns \"tau1=1.5*" +
                                header.substr(0, comma) + ",tau2=1.5*" + header.substr(comma + 1)),
              std::string::npos)
        << said(header);
  }
  EXPECT_NE(said("torque_1[‰],torque_2[‰]")
                .find("are in per mille, and no torques: --columns \"tau1=0.15*torque_1[‰]"),
            std::string::npos);
  for (const std::string header : {"speed_1 [%],speed_2 [%]", "battery_pct,cpu_pct", "x1,x2"}) {
    EXPECT_EQ(said(header).find("per cent"), std::string::npos) << said(header);
  }
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
