// Logs as robots write them: each dialect of one motion gives the same torques, and what is wrong
// with a log is said and handled by the rule that the user chose.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "log/motion_rows.hpp"
#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::string log(const std::string& name) {
  return test_data() + "/logs/" + name + " ";
}

struct DialectCase {
  std::string arguments;
  std::string said;  // by the line that reports what was recognized
};

class Dialect : public ::testing::Test {
 protected:
  // The torques of the log and of the plain one, both under the same options.
  void expect_same(const std::string& arguments, const std::string& options,
                   double tolerance = 0.0) const {
    const Outcome plain = shell.run("$armdyn torque ur5e plain.csv " + options);
    const Outcome outcome = shell.run("$armdyn torque ur5e " + arguments + " " + options);
    ASSERT_EQ(plain.exit_code, 0) << plain.err;
    ASSERT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
    CsvColumns expected = csv_columns(plain.out);
    CsvColumns found = csv_columns(outcome.out);
    for (int joint = 1; joint <= 6; ++joint) {
      const std::string tau = "tau" + std::to_string(joint);
      ASSERT_EQ(found[tau].size(), expected[tau].size()) << arguments;
      for (std::size_t row = 0; row < expected[tau].size(); ++row) {
        EXPECT_NEAR(found[tau][row], expected[tau][row], tolerance) << arguments << tau << row;
      }
    }
  }
  void expect_said(const std::string& arguments, const std::string& text) const {
    const Outcome outcome = shell.run("$armdyn torque ur5e " + arguments);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << arguments << "\n" << outcome.err;
  }
  void SetUp() override {
    ASSERT_EQ(shell.run("cp " + log("plain.csv") + "plain.csv").exit_code, 0);
  }

  Shell shell;
};

TEST_F(Dialect, OfTheSameMotionGivesTheSameTorques) {
  for (const std::string name :
       {"plain_from_zero.csv", "semicolons_decimal_commas.csv", "tabs_decimal_commas.csv",
        "blanks.csv", "pos_vel_acc.csv", "position_of_joints.csv", "ur_rtde.csv"}) {
    expect_same(log(name), "");
  }
  expect_same(log("no_header.csv") + "--no-header", "");
  expect_same(log("own_words.csv") +
                  "--columns 't=clock,q=enc_{11..16},qd=rate_{11..16},qdd=jerk_free_acc_{11..16}'",
              "");
}

// What has no accelerations is held against the plain log with its accelerations withheld. Stamps
// that count from elsewhere differ in their last bits: 1e-13 s of a window's 0.06 s, twice.
/// As databases, pandas and Markdown write the plain log.
TEST_F(Dialect, BarsSeparate) {
  ASSERT_EQ(shell.run("sed 's/,/|/g' plain.csv > bars.csv").exit_code, 0);
  ASSERT_EQ(shell.run("sed 's/,/ | /g; 1a---+---' plain.csv > psql.txt").exit_code, 0);
  ASSERT_EQ(shell.run("sed 's/,/|/g; s/[.]/,/g' plain.csv > commas.csv").exit_code, 0);
  ASSERT_EQ(shell.run("sed 's/,/|/g; 1s/^/|/; 2,$s/^/7|/' plain.csv > pandas.csv").exit_code, 0);
  shell.write("markdown",
              "sed 's/,/ | /g; s/^/| /; s/$/ |/' plain.csv > log.md; sed -i '1a| "
              "---: | --- |' log.md");
  ASSERT_EQ(shell.run("sh markdown").exit_code, 0);
  for (const char* const name : {"bars.csv", "psql.txt", "commas.csv", "pandas.csv", "log.md"}) {
    expect_same(name, "");
  }
  ASSERT_EQ(shell.run("sed -i '5s/$/ 9 |/' log.md").exit_code, 0);
  const Outcome outcome = shell.run("$armdyn torque ur5e log.md --quiet");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("log.md:5: found "), std::string::npos) << outcome.err;
}

TEST_F(Dialect, OfPositionsGivesTheSameTorquesWhenDerived) {
  const std::string derive = "--derive --window 0.1";
  shell.write("cut", "cut -d, -f1-13,20-25 plain.csv > t; mv t plain.csv");
  ASSERT_EQ(shell.run("sh cut").exit_code, 0);
  for (const std::string name : {"rostopic_echo.csv", "plotjuggler.csv", "libfranka.csv"}) {
    expect_same(log(name), derive, 1e-9);
  }
  shell.write("cut", "cut -d, -f1-7,14-19 plain.csv > t; mv t plain.csv");
  ASSERT_EQ(shell.run("sh cut").exit_code, 0);
  expect_same(log("kuka_sunrise.csv"), derive, 1e-9);
  expect_same(log("kuka_axes.csv"), derive, 1e-9);
}

TEST_F(Dialect, IsReportedWithWhatBecameWhat) {
  expect_said(log("ur_rtde.csv"),
              "ur_rtde.csv: a UR RTDE log: t = timestamp, q1..q6 = actual_q_0..actual_q_5, "
              "qd1..qd6 = actual_qd_0..actual_qd_5, qdd1..qdd6 = target_qdd_0..target_qdd_5, "
              "tau1..tau6 = target_moment_0..target_moment_5; 12 other columns are ignored; "
              "target_moment_0 is the controller's own model, not measured; actual_current_0 is a "
              "current, not a torque\n");
  expect_said(log("rostopic_echo.csv") + "--derive",
              "a ROS log (rostopic echo -p): t = %time in ns");
  expect_said(log("plotjuggler.csv") + "--derive", "; t counts from the first stamp\n");
  expect_said(log("kuka_axes.csv") + "--derive", "t = time, q1..q6 = A1..A6 in deg\n");
  expect_said(log("no_header.csv") + "--no-header", "no header: t = 1, q1..q6 = 2..7");
}

TEST_F(Dialect, NamesThatChangeWithinALogAreRefused) {
  shell.write("cut", "sed '20s/elbow_joint/finger/' " + log("rostopic_echo.csv") + "> ros.csv");
  ASSERT_EQ(shell.run("sh cut").exit_code, 0);
  const Outcome outcome = shell.run("$armdyn torque ur5e ros.csv --derive --quiet");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "ros.csv:20: column \"field.name0\": found \"finger\", expected "
            "\"elbow_joint\" as in the first row\n");
}

// --- a log of one pendulum-like joint, made here

class PositionLog : public ::testing::Test {
 protected:
  static constexpr double amplitude = 0.6, frequency = 2.0;

  static std::string line(double t, double noise = 0.0) {
    std::ostringstream text;
    text.precision(17);
    text << t << ',' << amplitude * std::sin(frequency * t) + noise << ',' << 0.5 * t * t << '\n';
    return text.str();
  }
  /// Rows 0, 1, .. of 10 ms, without those of the list.
  void write_rows(int count, const std::vector<int>& without, const std::string& extra = "") {
    std::string text = "t,q1,q2\n";
    for (int k = 0; k < count; ++k) {
      if (std::find(without.begin(), without.end(), k) == without.end()) text += line(k / 100.0);
      if (k == 50) text += extra;
    }
    shell.write("log.csv", text);
  }
  [[nodiscard]] Outcome derive(const std::string& options = "") const {
    return shell.run("$armdyn torque craig-rr log.csv --derive --keep-motion " + options);
  }
  void expect_accelerations(const Outcome& outcome, std::size_t rows, double tolerance) const {
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    CsvColumns found = csv_columns(outcome.out);
    EXPECT_EQ(found["t"].size(), rows);
    for (std::size_t k = 0; k < found["t"].size(); ++k) {
      const double expected =
          -amplitude * frequency * frequency * std::sin(frequency * found["t"][k]);
      EXPECT_NEAR(found["qdd1"][k], expected, tolerance) << found["t"][k];
      EXPECT_NEAR(found["qdd2"][k], 1.0, 1e-6) << found["t"][k];
    }
  }
  static std::vector<int> range(int first, int last) {
    std::vector<int> numbers;
    for (int k = first; k <= last; ++k) numbers.push_back(k);
    return numbers;
  }

  Shell shell;
};

TEST_F(PositionLog, GetsItsVelocitiesAndAccelerations) {
  write_rows(200, {});
  expect_accelerations(derive("--window 0.2"), 200, 5e-3);
}

TEST_F(PositionLog, WithoutDeriveSaysThatItIsThere) {
  write_rows(20, {});
  EXPECT_EQ(shell.run("$armdyn torque craig-rr log.csv").err,
            "log.csv:1: missing columns qd1..qd2, qdd1..qdd2; the file has t, q1, q2; --derive "
            "computes qd and qdd from q\n");
}

TEST_F(PositionLog, WithFewRowsMissingIsDerivedAcross) {
  write_rows(200, {60, 61, 90});
  const Outcome outcome = derive("--window 0.2");
  expect_accelerations(outcome, 197, 5e-3);
  EXPECT_NE(outcome.err.find("warning: 3 rows missing, a few at a time: lines 62, 90\n"),
            std::string::npos)
      << outcome.err;
}

TEST_F(PositionLog, WithAGapIsRefusedSkippedOrBridged) {
  write_rows(200, range(100, 119));
  const Outcome refused = derive();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_EQ(refused.err,
            "log.csv:102: a gap of 0.21 s, 21 times the usual step, comes before this row (--gaps "
            "skip works on either side of it, --gaps bridge across it)\n");
  const Outcome skipped = derive("--gaps skip --window 0.2");
  expect_accelerations(skipped, 180, 5e-3);
  EXPECT_NE(skipped.err.find("1 gap of more than 5 usual steps, skipped: before line 102\n"),
            std::string::npos)
      << skipped.err;
  expect_accelerations(derive("--gaps bridge --window 0.2"), 180, 2e-2);
}

// What stands between two curves in the script that gnuplot gets is a gap in them.
TEST_F(PositionLog, WithAGapIsDrawnAndSummedUpWithoutIt) {
  shell.write("gnuplot", "#!/bin/sh\ncat >script.gp\necho '</svg>'\n");
  ASSERT_EQ(shell.run("chmod +x gnuplot").exit_code, 0);
  std::string log = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n";
  for (int k = 0; k < 60; ++k) {
    if (k >= 20 && k < 40) continue;
    log += std::to_string(0.01 * k) + ",0,0,0,0,0,0," + (k < 20 ? "30" : "50") + ",1\n";
  }
  shell.write("measured.csv", log);
  const auto run = [&](const std::string& options) {
    const Outcome outcome = shell.run(
        "PATH=$PWD:$PATH $armdyn torque craig-rr measured.csv -o out.csv --plot p.svg "
        "--json " +
        options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto gaps_in_first_curve = [&] {
    const std::string script = shell.read("script.gp");
    const std::size_t begin = script.find("$p0c0 << END\n");
    const std::string block = script.substr(begin, script.find("\nEND", begin) - begin);
    std::size_t gaps = 0;
    for (auto at = block.find("\n\n"); at != block.npos; at = block.find("\n\n", at + 1)) ++gaps;
    return gaps;
  };
  const double tau1 = run("--gaps bridge")["joints"][0]["peak"];
  EXPECT_EQ(gaps_in_first_curve(), 0U);
  run("--gaps skip");
  EXPECT_EQ(gaps_in_first_curve(), 1U);

  // Nothing of the gap is in the residual, however finely rows are asked for: half 30, half 50.
  const auto resampled = run("--gaps skip --resample 1000");
  EXPECT_EQ(gaps_in_first_curve(), 1U);
  EXPECT_EQ(resampled["rows"], 2 * 191);
  const double squares = (30 - tau1) * (30 - tau1) + (50 - tau1) * (50 - tau1);
  EXPECT_NEAR(resampled["joints"][0]["residual_rms"], std::sqrt(squares / 2), 1e-9);
}

TEST_F(PositionLog, WithRepeatedAndFallingStampsIsRefusedUnlessTheyAreLeftOut) {
  write_rows(200, {}, "0.5,9,9\n0.2,9,9\n");
  const Outcome refused = derive();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_EQ(refused.err,
            "log.csv:53: t does not increase: 0.5 after 0.5 (--gaps skip leaves such "
            "rows out)\n");
  const Outcome skipped = derive("--gaps skip --window 0.2");
  expect_accelerations(skipped, 200, 5e-3);
  EXPECT_NE(skipped.err.find("warning: 1 row left out with the t of the row before: line 53\n"
                             "armdyn: warning: 1 row left out with a t before that of the last row "
                             "kept: line 54\n"),
            std::string::npos)
      << skipped.err;
}

TEST_F(PositionLog, WithUnreadableRowsIsRefusedUnlessTheyAreLeftOut) {
  write_rows(200, {}, "0.501,nan,1\n0.502,,1\n0.503,1\n");
  EXPECT_EQ(
      derive().err,
      "log.csv:53: column \"q1\": found \"nan\", expected a finite number (--gaps skip leaves "
      "such rows out)\n");
  const Outcome skipped = derive("--gaps skip --window 0.2");
  expect_accelerations(skipped, 200, 5e-3);
  EXPECT_NE(
      skipped.err.find("warning: 3 rows left out that could not be read, the first: "
                       "log.csv:53: column \"q1\": found \"nan\", expected a finite number\n"),
      std::string::npos)
      << skipped.err;
}

// With one thread a row that was left out of the last block was counted again at the end.
TEST_F(PositionLog, WithUnreadableRowsIsSummedUpAlikeByAnyNumberOfThreads) {
  for (const int rows : {60, 40000}) {
    write_rows(rows, {}, "0.501,nan,1\n");
    const std::string json = derive("--gaps skip --window 0.2 --json --threads 1").err;
    EXPECT_EQ(nlohmann::json::parse(json)["input"]["unreadable"], 1) << json;
    for (const char* const threads : {"2", "3"}) {
      EXPECT_EQ(derive(std::string("--gaps skip --window 0.2 --json --threads ") + threads).err,
                json)
          << rows << " rows, threads " << threads;
    }
  }
}

// Rows that cannot be read at the begin, one by one, side by side, as more than a gap, and at the
// end: as with stamps in the file.
TEST_F(PositionLog, WithoutStampsHasTheTimesOfRowsThatCannotBeRead) {
  std::string text, rows_alone = "q1,q2\n";
  std::size_t kept = 0;
  for (int k = 0; k < 9000; ++k) {
    const std::string of_row = line(k / 100.0);
    const bool is_bad = k < 2 || k == 40 || k == 70 || k == 71 || (k > 99 && k < 120) ||
                        k == 5000 || (k > 7000 && k % 3 == 0) || k == 8999;
    const std::string numbers =
        is_bad ? std::string("nan,0\n") : of_row.substr(of_row.find(',') + 1);
    text += of_row.substr(0, of_row.find(',') + 1) + numbers;
    rows_alone += numbers;
    kept += is_bad ? 0 : 1;
  }
  shell.write("log.csv", "t,q1,q2\n" + text);
  shell.write("without.csv", rows_alone);
  for (const std::string how :
       {" --derive --window 0.2", " --derive --window 0.2 --resample 130"}) {
    const std::string options = how + " --keep-motion --quiet --gaps skip";
    const Outcome stamped = shell.run("$armdyn torque craig-rr log.csv" + options);
    ASSERT_EQ(stamped.exit_code, 0) << stamped.err;
    for (const std::string log : {"without.csv", "q=without.csv"}) {
      const Outcome of_rate =
          shell.run("$armdyn torque craig-rr " + log + options + " --log-rate 100");
      ASSERT_EQ(of_rate.exit_code, 0) << of_rate.err;
      CsvColumns expected = csv_columns(stamped.out), found = csv_columns(of_rate.out);
      ASSERT_EQ(found["t"].size(), expected["t"].size()) << log << how;
      for (std::size_t k = 0; k < found["t"].size(); ++k) {
        ASSERT_NEAR(found["t"][k], expected["t"][k], 1e-12) << log << how << k;
        ASSERT_NEAR(found["qdd1"][k], expected["qdd1"][k], 1e-6) << log << how << k;
      }
    }
  }
  EXPECT_EQ(
      csv_columns(shell
                      .run("$armdyn torque craig-rr without.csv --derive --log-rate 100 --gaps "
                           "skip")
                      .out)["t"]
          .size(),
      kept);
}

TEST_F(PositionLog, OfWhichNoRowIsLeftIsRefused) {
  shell.write("log.csv", "t,q1,q2\n0,nan,0\n1,nan,0\n");
  const Outcome outcome = derive("--gaps skip");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "log.csv: of 2 rows none is left; the first: log.csv:2: column \"q1\": "
            "found \"nan\", expected a finite number\n");
}

TEST_F(PositionLog, OfTooFewRowsIsRefused) {
  write_rows(5, {});
  const Outcome outcome = derive();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "log.csv: 5 rows are too few to derive from; at least 8 are needed\n");
}

TEST_F(PositionLog, IsCutInTime) {
  write_rows(200, {});
  const Outcome outcome = derive("--window 0.2 --from-time 0.5 --to-time 1.2");
  expect_accelerations(outcome, 71, 5e-3);
  EXPECT_NE(outcome.err.find("129 rows outside the time asked for\n"), std::string::npos);
}

TEST_F(PositionLog, IsResampledOnAGrid) {
  write_rows(200, {});
  const Outcome outcome = derive("--window 0.2 --resample 250");
  expect_accelerations(outcome, 498, 5e-3);
  EXPECT_EQ(csv_columns(outcome.out)["t"].at(3), 3.0 / 250);
}

TEST_F(PositionLog, TellsTheErrorsOfWhatIsDerived) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> error(0.0, 1e-4);
  std::string text = "t,q1,q2\n";
  for (int k = 0; k < 600; ++k) text += line(k / 100.0, error(random));
  shell.write("log.csv", text);
  const Outcome outcome = derive("--derive-errors --window 0.4 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string header = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_EQ(header,
            "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2,qd_uncertainty1,qd_uncertainty2,qdd_uncertainty1,"
            "qdd_uncertainty2");
  const auto summary = nlohmann::json::parse(outcome.err);
  EXPECT_EQ(summary["options"]["derive_errors"], true);
  const auto joint = summary["input"]["derived"]["joints"][0];
  CsvColumns found = csv_columns(outcome.out);
  double qd = 0.0, qdd = 0.0, count = 0.0;
  for (std::size_t k = 0; k < found["t"].size(); ++k) {
    if (found["t"][k] >= 0.2 - 1e-9 && found["t"][k] <= 5.79 + 1e-9) continue;
    qd += std::pow(found["qd_uncertainty1"][k], 2);
    qdd += std::pow(found["qdd_uncertainty1"][k], 2);
    count += 1.0;
  }
  EXPECT_EQ(count, 40.0);
  EXPECT_NEAR(std::sqrt(qd / count) / joint["qd_uncertainty_at_ends"].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(std::sqrt(qdd / count) / joint["qdd_uncertainty_at_ends"].get<double>(), 1.0, 1e-9);

  // The columns are known and of no consequence.
  shell.write("derived.csv", outcome.out);
  const Outcome again = shell.run("$armdyn torque craig-rr derived.csv --quiet");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(csv_columns(again.out)["tau1"], found["tau1"]);

  EXPECT_EQ(shell.run("$armdyn torque craig-rr derived.csv --derive-errors").err,
            "armdyn: --derive-errors needs --derive; give both\n");
  const Outcome nothing = shell.run("$armdyn torque craig-rr derived.csv --derive --derive-errors");
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(nothing.err,
            "derived.csv: has qd and qdd, so that nothing is derived, and --derive-errors has "
            "nothing to add\n");
}

TEST_F(PositionLog, GivesTheSameBytesForAnyNumberOfThreads) {
  std::string text = "t,q1,q2\n";
  for (int k = 0; k < 30000; ++k) text += line(k / 1000.0);
  shell.write("log.csv", text);
  const Outcome one = derive("--threads 1");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const Outcome more = derive("--threads 4");
  EXPECT_EQ(more.out, one.out);
  EXPECT_EQ(more.err, one.err);
}

// --- a noisy log of a whole arm

TEST(NoisyLog, OfAPumaHasAccelerationsWithinTheReportedUncertainty) {
  constexpr double noise = 1e-5;  // rad
  constexpr int rows = 20000;     // at 1 kHz
  std::mt19937_64 random(3);
  std::normal_distribution<double> error(0.0, noise);
  const auto frequency = [](int joint) { return 1.5 + 0.5 * joint; };
  std::ostringstream text;
  text.precision(17);
  text << "t,q1,q2,q3,q4,q5,q6\n";
  for (int k = 0; k < rows; ++k) {
    const double t = k / 1000.0;
    text << t;
    for (int j = 0; j < 6; ++j) text << ',' << 0.4 * std::sin(frequency(j) * t) + error(random);
    text << '\n';
  }
  const Shell shell;
  shell.write("log.csv", text.str());
  const Outcome outcome = shell.run("$armdyn torque puma560 log.csv --derive --keep-motion --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto derived = nlohmann::json::parse(outcome.err)["input"]["derived"];
  const double window = derived["window"];
  CsvColumns found = csv_columns(outcome.out);
  ASSERT_EQ(found["t"].size(), std::size_t{rows});
  for (int j = 0; j < 6; ++j) {
    const double w = frequency(j);
    const auto joint = derived["joints"][static_cast<std::size_t>(j)];
    const double uncertainty = joint["qdd_uncertainty"];
    EXPECT_NEAR(joint["noise"].get<double>() / noise, 1.0, 0.05);
    double squares = 0.0, count = 0.0, within = 0.0;
    for (std::size_t k = 0; k < rows; ++k) {
      const double t = found["t"][k];
      if (t < window / 2 || t > 19.999 - window / 2) continue;
      const double expected = -0.4 * w * w * std::sin(w * t);
      const double off = found["qdd" + std::to_string(j + 1)][k] - expected;
      squares += off * off;
      count += 1.0;
      if (std::abs(off) < 2.0 * uncertainty) within += 1.0;
    }
    const double rms = std::sqrt(squares / count);
    EXPECT_GT(within / count, 0.93) << "joint " << j + 1;  // 95 % of a normal error, 20 s long
    EXPECT_LT(rms, 1.15 * uncertainty) << "joint " << j + 1;
    EXPECT_GT(rms, 0.5 * uncertainty) << "joint " << j + 1;
  }
}

// --- a log of an arm that moves between rests

/// Of a link that friction of 3 N·m holds at an angle for a second, 0.5 N·m above what gravity asks
/// for, that turns to 1.4 rad and back in 2 s each, and rests again; 500 rows a second.
void write_rests(const Shell& shell) {
  constexpr double noise = 2e-5, pi = 3.14159265358979;
  shell.write("link.yaml",
              "armdyn: 1\nname: link\nconvention: modified\njoints:\n"
              "  - {name: link, type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2, "
              "com: [0.5, 0, 0], inertia: {zz: 0.1}, friction: {coulomb: 3, viscous: 0.5}}\n");
  std::mt19937_64 random(5);
  std::normal_distribution<double> error(0.0, noise);
  std::ostringstream text;
  text.precision(12);
  text << "t,q1,tau1\n";
  for (int k = 0; k <= 3000; ++k) {
    const double t = k / 500.0;
    const double x = t < 1 ? 0.0 : t > 5 ? 2.0 : (t - 1.0) / 2.0;  // there, and back from 1 on
    const double w = pi, way = x < 1 ? 1.0 : -1.0;
    const double there = x < 1 ? x : 2.0 - x;
    const double q = 0.4 + there - std::sin(2.0 * w * there) / (2.0 * w);
    const double qd = way * 0.5 * (1.0 - std::cos(2.0 * w * x));
    const bool rests = t < 1.0 || t > 5.0;
    const double qdd = rests ? 0.0 : way * 0.5 * w * std::sin(2.0 * w * x);
    const double friction = rests ? 0.5 : (qd > 0 ? 3.0 : -3.0) + 0.5 * qd;
    const double tau = 0.6 * qdd + 2.0 * 9.81 * 0.5 * std::cos(q) + friction;
    text << t << ',' << q + error(random) << ',' << tau << '\n';
  }
  shell.write("log.csv", text.str());
}

TEST(RestingLog, LeavesStaticFrictionOpenWhereTheSpeedIsBelowWhatTheLogTells) {
  const Shell shell;
  write_rests(shell);
  const Outcome found =
      shell.run("$armdyn torque link.yaml log.csv --derive --json --keep-motion -o tau.csv");
  const auto joint = nlohmann::json::parse(found.out)["joints"][0];
  EXPECT_NEAR(joint["share_at_rest"].get<double>(), 1.0 / 3.0, 0.03);
  CsvColumns columns = csv_columns(shell.read("tau.csv"));
  std::size_t chattering = 0;
  for (std::size_t k = 50; k < 450; ++k) {
    if (columns["qd1"][k] != 0.0) ++chattering;
    if (columns["qd1"][k] == 0.0) {
      EXPECT_NEAR(columns["tau1"][k], 9.81 * std::cos(0.4), 0.1) << k;
    }
  }
  EXPECT_LT(chattering, 8U);  // of 400: beyond three standard deviations
  // The residual is what static friction cannot have taken up; where the link turns, little.
  EXPECT_LT(joint["residual_rms"].get<double>(), 0.35);
}

TEST(RestingLog, FitsTheHintOnMovingRows) {
  const Shell shell;
  write_rests(shell);
  const auto fit = [&shell](const std::string& options) {
    const Outcome found = shell.run(
        "sed 's/coulomb: 3, viscous: 0.5/coulomb: 0/' link.yaml > bare.yaml; "
        "$armdyn torque bare.yaml log.csv --derive --json -o tau.csv " +
        options);
    return nlohmann::json::parse(found.out)["joints"][0]["residual_fit"];
  };
  const auto told = fit("");
  EXPECT_NEAR(told["coulomb"].get<double>(), 3.0, 0.1) << told;
  EXPECT_NEAR(told["viscous"].get<double>(), 0.5, 0.15) << told;
  EXPECT_GT(std::abs(fit("--dead-zone 0")["coulomb"].get<double>() - 3.0), 0.2);
}

// Static friction of 3 N·m is half as much where the ripple is lowest, and then half again as much.
TEST(RestingLog, LeavesOpenWhatARippleHoldsWhereTheJointRests) {
  const Shell shell;
  write_rests(shell);
  const Outcome found = shell.run(
      "sed 's/coulomb: 3,/coulomb: 3, ripple: {amplitude: 0.5, harmonic: 1, phase: pi},/' "
      "link.yaml > ripple.yaml; printf 't,q1,qd1,qdd1,tau1\\n0,0,0,0,11.81\\n1,0,0,0,11.81\\n' > "
      "rest.csv; printf 't,q1,qd1,qdd1,tau1\\n0,3.141592653589793,0,0,-5.81\\n1,"
      "3.141592653589793,0,0,-5.81\\n' > other.csv; for log in rest other; do $armdyn torque "
      "ripple.yaml $log.csv --json -o tau.csv; done");
  const std::size_t next = found.out.find("\n}\n") + 3;
  const auto peak = [&](const std::string& answer) {
    return nlohmann::json::parse(answer)["joints"][0]["residual_peak"].get<double>();
  };
  EXPECT_NEAR(peak(found.out.substr(0, next)), 0.5, 1e-9);
  EXPECT_EQ(peak(found.out.substr(next)), 0.0);
}

// Speeds that are in the file are at rest where the user says so.
TEST(RestingLog, HasTheDeadZoneThatIsAskedFor) {
  const Shell shell;
  write_rests(shell);
  const Outcome found = shell.run(
      "printf 't,q1,qd1,qdd1,tau1\\n0,0,1e-3,0,9\\n1,0,1e-2,0,9\\n' > rates.csv; "
      "$armdyn torque link.yaml rates.csv --dead-zone 0.005 --json -o tau.csv");
  EXPECT_EQ(nlohmann::json::parse(found.out)["joints"][0]["share_at_rest"], 0.5);
  EXPECT_EQ(nlohmann::json::parse(found.out)["options"]["dead_zone"], 0.005);
  const std::vector<double> tau = csv_columns(shell.read("tau.csv"))["tau1"];
  EXPECT_NEAR(tau[0], 9.81, 1e-12);
  EXPECT_NEAR(tau[1], 9.81 + 3.005, 1e-12);
}

/// A log of a TX40 at its motors: positions 32 q1, 32 q2, 45 q3, −48 q4, 45 q5, 32 (q5 + q6), rates
/// alike, and torques whose joints' are their sums by the same numbers.
std::string at_the_motors(CsvColumns joints) {
  std::ostringstream text;
  text.precision(17);
  text << "t";
  for (const char* const name : {"q", "qd", "qdd", "tau"}) {
    for (int i = 1; i <= 6; ++i) text << "," << name << i;
  }
  text << "\n";
  for (std::size_t row = 0; row < joints["t"].size(); ++row) {
    const auto at = [&](const std::string& name, int i) {
      return joints[name + std::to_string(i)][row];
    };
    text << joints["t"][row];
    for (const char* const name : {"q", "qd", "qdd"}) {
      text << "," << 32 * at(name, 1) << "," << 32 * at(name, 2) << "," << 45 * at(name, 3) << ","
           << -48 * at(name, 4) << "," << 45 * at(name, 5) << ","
           << 32 * (at(name, 5) + at(name, 6));
    }
    text << "," << at("tau", 1) / 32 << "," << at("tau", 2) / 32 << "," << at("tau", 3) / 45 << ","
         << at("tau", 4) / -48 << "," << (at("tau", 5) - at("tau", 6)) / 45 << ","
         << at("tau", 6) / 32 << "\n";
  }
  return text.str();
}

TEST(NamedColumns, HaveTheUnitsOfTheirNames) {
  const Shell shell;
  const auto write = [&](const std::string& file, const std::string& header, double per_second,
                         double per_radian) {
    std::ostringstream rows;
    rows.precision(17);
    rows << header << "\n";
    for (int k = 0; k < 60; ++k) {
      const double t = 0.01 * k;
      rows << per_second * t << "," << per_radian * std::sin(2.0 * t) << ","
           << per_radian * std::cos(3.0 * t) << "\n";
    }
    shell.write(file, rows.str());
  };
  const auto torques = [&](const std::string& log) {
    const Outcome outcome = shell.run("$armdyn torque craig-rr " + log + " --derive --window 0.2");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return csv_columns(outcome.out).at("tau1");
  };
  write("plain.csv", "t,q1,q2", 1.0, 1.0);
  const std::vector<double> expected = torques("plain.csv");
  constexpr double degrees = 57.29577951308232;
  const struct {
    std::string header, columns;
    double per_second, per_radian;
  } logs[] = {
      {"Stamp_ms,j1_deg,j2_deg", "t=Stamp_ms,q=j{1..2}_deg", 1e3, degrees},
      {"clock_us,a,b", "t=clock_us,q={a,b}", 1e6, 1.0},
      {"Time (s),Joint 1 (deg),Joint 2 (deg)", "t=Time (s),q=Joint {1..2} (deg)", 1.0, degrees},
      {"Time (ms),Joint 1 (main),Joint 2 (main)", "t=Time (ms),q=Joint {1..2} (main)", 1e3, 1.0}};
  for (const auto& [header, columns, per_second, per_radian] : logs) {
    write("log.csv", header, per_second, per_radian);
    const std::vector<double> found = torques("log.csv --columns \"" + columns + "\"");
    ASSERT_EQ(found.size(), expected.size()) << header;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], expected[k], 1e-6 * std::abs(expected[k])) << header;
    }
  }
}

TEST(MotorSideLog, IsTakenToTheJoints) {
  const Shell shell;
  const Outcome joints = shell.run(
      "$armdyn trajectory staubli-tx40 --excite --limits 2,6 --duration 5 --rate 50 "
      "| $armdyn torque staubli-tx40 - --keep-motion");
  ASSERT_EQ(joints.exit_code, 0) << joints.err;
  CsvColumns expected = csv_columns(joints.out);
  shell.write("motors.csv", at_the_motors(expected));
  const Outcome motors =
      shell.run("$armdyn torque staubli-tx40 motors.csv --motor-side --keep-motion");
  ASSERT_EQ(motors.exit_code, 0) << motors.err;
  CsvColumns found = csv_columns(motors.out);
  for (const std::string name : {"q", "qd", "qdd", "tau"}) {
    for (int i = 1; i <= 6; ++i) {
      const std::string column = name + std::to_string(i);
      ASSERT_EQ(found[column].size(), expected[column].size());
      for (std::size_t row = 0; row < found[column].size(); ++row) {
        EXPECT_NEAR(found[column][row], expected[column][row], 1e-10) << column << " " << row;
      }
    }
  }
  const Outcome summary =
      shell.run("$armdyn torque staubli-tx40 motors.csv --motor-side -o torques.csv --json");
  const auto said = nlohmann::json::parse(summary.out);
  for (const auto& joint : said["joints"]) {
    EXPECT_LT(joint["residual_rms"].get<double>(), 1e-10) << joint["name"];
  }
}

TEST(MotorSideLog, NeedsGearsOrCouplings) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn torque craig-rr --motor-side < /dev/null");
  EXPECT_EQ(outcome.exit_code, 3);
  const Outcome direct = shell.run(
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 1 > m.csv; "
      "$armdyn torque craig-rr m.csv --motor-side");
  EXPECT_EQ(direct.exit_code, 3);
  EXPECT_NE(direct.err.find("and craig-rr has neither"), std::string::npos) << direct.err;
}

TEST(LogOptions, StandInTheSummariesOfTorqueAndCompare) {
  const Shell shell;
  const auto options = [&](const std::string& verb, const std::string& arguments) {
    const Outcome outcome =
        shell.run("$armdyn " + verb + " craig-rr log.csv --json " + arguments + " 2>&1 >out.csv");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    const std::string summary = verb == "torque" ? outcome.out : shell.read("out.csv");
    return nlohmann::json::parse(summary)["options"];
  };
  std::string rows;
  for (int k = 0; k < 100; ++k) rows += std::to_string(0.01 * k) + ",0.5,0.25,7\n";
  for (const std::string verb : {"torque", "compare"}) {
    shell.write("log.csv", rows);
    const auto given =
        options(verb,
                "--no-header --columns 't=1,q={2..3}' --ignore-extra --derive --window 0.2 "
                "--gaps skip --from-time 0.1 --to-time 0.8 --resample 50");
    EXPECT_EQ(given["motion"], "log.csv");
    EXPECT_EQ(given["no_header"], true);
    EXPECT_EQ(given["columns"], nlohmann::json({{"t", "1"}, {"q", "{2..3}"}}));
    EXPECT_EQ(given["ignore_extra"], true);
    EXPECT_EQ(given["derive"], true);
    EXPECT_EQ(given["window"], 0.2);
    EXPECT_EQ(given["gaps"], "skip");
    EXPECT_EQ(given["from_time"], 0.1);
    EXPECT_EQ(given["to_time"], 0.8);
    EXPECT_EQ(given["resample"], 50.0);

    shell.write("log.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n");
    const auto usual = options(verb, "");
    for (const std::string flag : {"no_header", "ignore_extra", "derive"}) {
      EXPECT_EQ(usual[flag], false) << verb << " " << flag;
    }
    for (const std::string key :
         {"columns", "window", "gaps", "from_time", "to_time", "resample"}) {
      EXPECT_FALSE(usual.contains(key)) << verb << " " << key;
    }
  }
}

// --- q, qd and qdd of different motions

class MixedMotion : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(shell
                  .run("$armdyn trajectory stanford --from 0,-1.5,0.5,0.2,0.3,0.1 --to "
                       "0.9,-1,0.7,0.7,-0.8,1.1 --rate 100 "
                       "--duration 2 --quiet -o right.csv")
                  .exit_code,
              0);
  }
  /// The motion with columns rewritten by awk: "$2*=57.29578".
  void rewrite(const std::string& columns) {
    shell.write("rewrite", "awk -F, -v OFS=, 'NR==1 {print} NR>1 {" + columns +
                               "; print}' right.csv >wrong.csv\n");
    ASSERT_EQ(shell.run("sh rewrite").exit_code, 0);
  }
  [[nodiscard]] std::string warnings(const std::string& arguments) const {
    const Outcome outcome = shell.run("$armdyn " + arguments + " --quiet");
    EXPECT_NE(outcome.exit_code, 2) << outcome.err;
    return outcome.err;
  }
  static bool tells(const std::string& text) {
    return text.find("the slope of q") != std::string::npos;
  }

  Shell shell;
};

TEST_F(MixedMotion, IsToldByEveryVerbThatReadsIt) {
  rewrite("$9=-$9");  // t, q1..q6, qd1, qd2
  for (const std::string verb : {"torque", "compare", "track"}) {
    const std::string said = warnings(verb + " stanford wrong.csv");
    const std::string mended = "; --columns \"qd2=-qd2\" reads it so";  // which track has not
    EXPECT_NE(said.find(": the slope of q is about -1 times qd; one of the two has the opposite "
                        "sign; the slope of qd is about -1 times qdd; one of the two has the "
                        "opposite sign" +
                        (verb == "track" ? "" : mended) + "\n"),
              std::string::npos)
        << verb << ": " << said;
    EXPECT_FALSE(tells(warnings(verb + " stanford right.csv"))) << verb;
  }
}

TEST_F(MixedMotion, IsToldWhereItMakesTheSimulationFail) {
  rewrite("$9=-$9");
  const Outcome outcome = shell.run(
      "$armdyn track stanford wrong.csv --kp 1e7 --kv 1e4 --sample-time 0.02 "
      "--at-limit ignore -o x.csv");
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_TRUE(tells(outcome.err)) << outcome.err;
}

TEST_F(MixedMotion, IsMendedByTheColumnsThatAreSaid) {
  rewrite("$2*=57.29577951308232; $3*=57.29577951308232");
  const std::string said = warnings("torque stanford wrong.csv");
  const std::size_t line = said.find("--columns \"");
  ASSERT_NE(line, std::string::npos) << said;
  const std::string mending = said.substr(line, said.find('"', line + 11) + 1 - line);
  EXPECT_EQ(mending, "--columns \"q1=q1[deg],q2=q2[deg]\"");
  const Outcome mended = shell.run("$armdyn torque stanford wrong.csv " + mending);
  EXPECT_EQ(mended.exit_code, 0);
  EXPECT_FALSE(tells(mended.err)) << mended.err;
  CsvColumns found = csv_columns(mended.out);
  CsvColumns expected = csv_columns(shell.run("$armdyn torque stanford right.csv").out);
  for (std::size_t k = 0; k < expected["tau2"].size(); ++k) {
    EXPECT_NEAR(found["tau2"][k], expected["tau2"][k], 1e-3);  // awk prints 6 digits
  }
}

// What was derived from q says nothing of its own.
TEST_F(MixedMotion, IsToldOfTheColumnsThatAreThere) {
  rewrite("$2*=57.29577951308232; NF=13");
  shell.write("cut", "sed -i '1s/,qdd.*//' wrong.csv\n");
  ASSERT_EQ(shell.run("sh cut").exit_code, 0);
  const std::string said = warnings("torque stanford wrong.csv --derive");
  EXPECT_NE(
      said.find(": the slope of q is about 57.3 times qd, as if q were in degrees and qd were "
                "not; --columns \"q1=q1[deg]\" reads it so\n"),
      std::string::npos)
      << said;
  rewrite("$2*=57.29577951308232; NF=7");
  shell.write("cut", "sed -i '1s/,qd1.*//' wrong.csv\n");
  ASSERT_EQ(shell.run("sh cut").exit_code, 0);
  EXPECT_FALSE(tells(warnings("torque stanford wrong.csv --derive")));
}

/// The cause comes first, and what follows from it is a number, in each verb that takes a motion.
TEST(DegreesOfALog, AreOneWarningInEachVerb) {
  const Shell shell;
  const Outcome made = shell.run(
      "$armdyn trajectory ur5e --excite --limits 1.5,3 --duration 10 --rate 50 -o m.csv --quiet && "
      "$armdyn torque ur5e m.csv --keep-motion -o log.csv --quiet && awk -F, -v OFS=, 'NR > 1 { "
      "for "
      "(i = 2; i < 8; i++) $i *= 57.29577951308232 } 1' log.csv > deg.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const std::string verb :
       {"torque ur5e deg.csv", "track ur5e deg.csv", "identify ur5e deg.csv",
        "trajectory ur5e --along deg.csv --torque-share 1 --rate 5"}) {
    const std::string said = shell.run("$armdyn " + verb + " >rows").err;
    const std::size_t cause = said.find("as if q were in degrees");
    const std::size_t count = said.find(" more warnings follow from this\n");
    EXPECT_NE(count, std::string::npos) << verb << "\n" << said;
    EXPECT_LT(cause, count) << verb << "\n" << said;
    EXPECT_EQ(said.find(", its limit is"), std::string::npos) << verb << "\n" << said;
  }
}

/// A file may have any name: what it is called is no doubt about its columns.
TEST(DegreesOfALog, AreNotReadFromItsName) {
  const Shell shell;
  const Outcome made = shell.run(
      "$armdyn trajectory ur5e --from 0,-1,1,0,0,0 --to 0.5,-1.5,1.5,0.3,0.2,0 --duration 4 --rate "
      "100 -o p.csv --quiet && $armdyn torque ur5e p.csv --keep-motion -o log.csv --quiet && "
      "awk 'NR < 200 || NR > 215' log.csv > 'in degrees.csv'");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string said =
      shell.run("$armdyn identify ur5e 'in degrees.csv' --gaps skip --quiet >answer").err;
  EXPECT_NE(said.find("in degrees.csv: 1 gap"), std::string::npos) << said;
  EXPECT_NE(said.find("poor excitation"), std::string::npos) << said;
  EXPECT_EQ(said.find("follow from this"), std::string::npos) << said;
}

TEST_F(MixedMotion, IsNotSuspectedInWhatArmdynMakes) {
  for (const std::string motion : {"--profile trapezoid --rate 7", "--profile lspb --rate 1000",
                                   "--profile septic --rate 20", "--profile cubic --rate 3"}) {
    const Outcome made = shell.run(
        "$armdyn trajectory stanford --from 0,-1.5,0.5,0.2,0.3,0.1 --to 0.9,-1,0.7,0.7,-0.8,1.1 "
        "--duration 3 --quiet "
        "-o made.csv " +
        motion);
    ASSERT_EQ(made.exit_code, 0) << motion << made.err;
    EXPECT_FALSE(tells(warnings("torque stanford made.csv"))) << motion;
  }
  for (const std::string rate : {"2", "11", "400"}) {
    const Outcome made =
        shell.run("$armdyn trajectory ur10e --excite --seed 3 --quiet -o made.csv --rate " + rate);
    ASSERT_TRUE(made.exit_code == 0 || made.exit_code == 1) << made.err;
    EXPECT_FALSE(tells(warnings("torque ur10e made.csv"))) << rate;
  }
  for (const std::string motion : {"puma560-pick-and-place", "puma560-welding-weave"}) {
    EXPECT_FALSE(tells(warnings("torque puma560 " + motion))) << motion;
  }
}

TEST(MeasuredTorque, IsCorrelatedAndItsFrictionIsHintedAt) {
  const Shell shell;
  const Outcome computed = shell.run(
      "$armdyn torque craig-rr " + test_data() +
      "/cases/rr_craig.csv --keep-motion --quiet >motion.csv; awk -F, 'NR==1 {print} NR>1 "
      "{s=$4>0?1:-1; printf \"%s,%s,%s,%s,%s,%s,%s,%.15g,%s\\n\",$1,$2,$3,$4,$5,$6,$7,"
      "$8+0.25+1.5*s+0.5*$4,$9}' motion.csv >measured.csv; $armdyn torque craig-rr measured.csv "
      "--json -o out.csv");
  const auto joints = nlohmann::json::parse(computed.out)["joints"];
  EXPECT_NEAR(joints[0]["residual_fit"]["offset"].get<double>(), 0.25, 1e-9);
  EXPECT_NEAR(joints[0]["residual_fit"]["coulomb"].get<double>(), 1.5, 1e-9);
  EXPECT_NEAR(joints[0]["residual_fit"]["viscous"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(joints[1]["correlation"].get<double>(), 1.0, 1e-12);
  const Outcome text = shell.run("$armdyn torque craig-rr measured.csv -o out.csv");
  EXPECT_NE(
      text.out.find("hint: shoulder: measured − computed is about 0.25 +1.5 sign(qd) +0.5 qd, "
                    "with standard errors "),
      std::string::npos)
      << text.out;
  EXPECT_EQ(text.out.find("hint: elbow"), std::string::npos) << text.out;
  for (const std::string term : {"offset", "coulomb", "viscous"}) {
    EXPECT_LT(joints[0]["residual_fit"][term + "_error"].get<double>(), 1e-9);
  }
}

// At rest, static friction explains what the correlation compares, as in the residual.
TEST(MeasuredTorque, AtRestIsCorrelatedWithinStaticFriction) {
  const Shell shell;
  shell.write("arm.yaml",
              "armdyn: 1\nname: slide\nconvention: modified\ngravity: [0, 0, 0]\njoints:\n"
              "  - {type: prismatic, dh: {}, mass: 2, friction: {coulomb: 4, static: 6}}\n");
  shell.write("held.csv",
              "t,q1,qd1,qdd1,tau1\n0,0,0,0,5\n1,0,0,0,-3\n2,0,0,0,1\n3,0,0.5,0.5,5\n4,0,1,0.5,5\n");
  const Outcome outcome = shell.run("$armdyn torque arm.yaml held.csv --json -o out.csv");
  const auto joint = nlohmann::json::parse(outcome.out)["joints"][0];
  EXPECT_EQ(joint["residual_rms"].get<double>(), 0.0);
  EXPECT_EQ(joint["correlation"].get<double>(), 1.0);
}

TEST(LongLog, PassesInBoundedMemory) {
  const Shell shell;
  shell.write("rows",
              "awk 'BEGIN { print \"t,q1,q2\"; for (k = 0; k < ARGV[1]; ++k) "
              "printf \"%.3f,%.9f,%.9f\\n\", k / 1000, sin(k / 500), cos(k / 700) }' \"$1\"\n");
  const auto peak = [&](const std::string& count) {
    long kilobytes = 0;
    const Outcome outcome =
        shell.run("rm -f log; mkfifo log; sh rows " + count +
                      " >log & \"$armdyn\" torque craig-rr log --derive --threads 2 -o out.csv",
                  kilobytes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("craig-rr: " + count + " rows"), std::string::npos) << outcome.out;
    return kilobytes;
  };
  const long small = peak("100000");
  const long large = peak("600000");
  EXPECT_GT(small, 1000);
  EXPECT_LT(large, small + 20000) << "kB";
}

// --- dates, permuted joints, files side by side
// ------------------------------------------------------------------------------------

/// The same pendulum by seconds and by dates, across a midnight.
TEST(Dates, AreTimesFromTheFirstRow) {
  const Shell shell;
  shell.write("s.csv",
              "t,q1,q2\n0,0,0\n0.25,0.1,0\n0.5,0.2,0\n0.75,0.4,0.1\n1,0.5,0.1\n1.25,0.6,"
              "0.3\n1.5,0.7,0.4\n1.75,0.8,0.4\n2,0.9,0.5\n");
  shell.write("d.csv",
              "timestamp,q1,q2\n2024-12-31T23:59:59Z,0,0\n2024-12-31T23:59:59.25Z,0.1,0\n"
              "2024-12-31T23:59:59.5Z,0.2,0\n2025-01-01T00:59:59.75+01:00,0.4,0.1\n"
              "2025-01-01T00:00:00Z,0.5,0.1\n2025-01-01T00:00:00.250Z,0.6,0.3\n"
              "2025-01-01 00:00:00.5,0.7,0.4\n2025-01-01T00:00:00.75Z,0.8,0.4\n"
              "2025-01-01T00:00:01Z,0.9,0.5\n");
  const Outcome seconds = shell.run("$armdyn torque craig-rr s.csv --derive --quiet");
  const Outcome dates = shell.run("$armdyn torque craig-rr d.csv --derive --quiet");
  EXPECT_EQ(seconds.exit_code, 0) << seconds.err;
  EXPECT_EQ(dates.out, seconds.out) << dates.err;
  shell.write("bad.csv", "t,q1,q2\n2024-12-31T23:59:59Z,0,0\n2024-12-32T00:00:00Z,0.1,0\n");
  const Outcome bad = shell.run("$armdyn torque craig-rr bad.csv --derive");
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_NE(bad.err.find("bad.csv:3: column \"t\": found \"2024-12-32T00:00:00Z\""),
            std::string::npos)
      << bad.err;
}

TEST(PermutedJoints, AreAllNamed) {
  const Shell shell;
  shell.write("m.csv",
              "time,position_elbow,position_shoulder,velocity_elbow,velocity_shoulder,"
              "acceleration_elbow,acceleration_shoulder\n0,1,2,3,4,5,6\n");
  const Outcome outcome = shell.run("$armdyn torque craig-rr m.csv -o out.csv");
  EXPECT_NE(outcome.err.find("q1..q2 = position_shoulder, position_elbow"), std::string::npos)
      << outcome.err;
}

class SideBySide : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(shell
                  .run("$armdyn trajectory craig-rr --from 0,0.5 --to 1,-1 --duration 1 --rate 50 "
                       "--quiet -o m.csv && $armdyn torque craig-rr m.csv --keep-motion --quiet "
                       "-o all.csv && for i in t:1 q:2,3 qd:4,5 qdd:6,7 tau:8,9; do cut -d, -f "
                       "${i#*:} all.csv > ${i%:*}.csv; done")
                  .exit_code,
              0);
  }
  void expect_refusal(const std::string& log, const std::string& message) const {
    const Outcome outcome = shell.run("$armdyn torque craig-rr " + log + " -o out.csv");
    EXPECT_EQ(outcome.exit_code, 3) << log;
    EXPECT_EQ(outcome.err, message + "\n") << log;
  }

  const Shell shell;
  const std::string motion = "q=q.csv,qd=qd.csv,qdd=qdd.csv,t=t.csv";
};

TEST_F(SideBySide, FilesAreOneLogInEveryVerb) {
  const auto out = [&](const std::string& arguments) {
    const Outcome outcome = shell.run("$armdyn " + arguments + " --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << outcome.err;
    EXPECT_NE(outcome.out, "") << arguments;
    return outcome.out;
  };
  EXPECT_EQ(out("torque craig-rr " + motion), out("torque craig-rr m.csv"));
  EXPECT_EQ(out("track craig-rr " + motion), out("track craig-rr m.csv"));
  EXPECT_EQ(out("inspect craig-rr " + motion + " --what M"),
            out("inspect craig-rr m.csv --what M"));
  EXPECT_EQ(out("simulate craig-rr tau=tau.csv,t=t.csv,q=q.csv,qd=qd.csv"),
            out("simulate craig-rr all.csv"));
  EXPECT_EQ(out("trajectory craig-rr --via t=t.csv,q=q.csv"),
            out("trajectory craig-rr --via m.csv"));
  EXPECT_EQ(shell.run("$armdyn compare craig-rr " + motion + " | grep -c agree").out,
            shell.run("$armdyn compare craig-rr m.csv | grep -c agree").out);
}

/// Without headers, with semicolons and decimal commas, degrees, names of joints, arrays.
TEST_F(SideBySide, FilesMayBeWrittenInTheirOwnWays) {
  ASSERT_EQ(shell
                .run("tail -n +2 qd.csv | tr ,. ';,' > qd2.csv && sed '1s/.*/a_1,a_2/' qdd.csv | "
                     "sed 's/$/\\r/' > qdd2.csv && (echo '# clock'; echo 'time[ms]'; awk 'NR > 1 "
                     "{ printf \"%.17g\\n\", $1 * 1000 }' t.csv) > t2.csv && (echo "
                     "'pos_shoulder[deg],pos_elbow[deg]'; awk -F, 'NR > 1 { printf "
                     "\"%.17g,%.17g\\n\", $1 * 57.29577951308232, $2 * 57.29577951308232 }' q.csv) "
                     "> q2.csv")
                .exit_code,
            0);
  CsvColumns expected = csv_columns(shell.run("$armdyn torque craig-rr m.csv --quiet").out);
  const Outcome outcome =
      shell.run("$armdyn torque craig-rr t=t2.csv,q=q2.csv,qd=qd2.csv,qdd=qdd2.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  CsvColumns found = csv_columns(outcome.out);
  ASSERT_EQ(found["tau1"].size(), 51U);
  for (const std::string column : {"t", "tau1", "tau2"}) {
    for (std::size_t row = 0; row < 51; ++row) {
      EXPECT_NEAR(found[column][row], expected[column][row], 1e-11) << column << row;
    }
  }
}

TEST_F(SideBySide, UnitsMayStandAtTheEndsOfNames) {
  const std::string expected = shell.run("$armdyn torque craig-rr " + motion + " --quiet").out;
  const auto expect_read = [&](const std::string& file, const std::string& header,
                               const std::string& factor) {
    ASSERT_EQ(shell
                  .run("{ echo '" + header +
                       "'; awk -F, 'NR > 1 { for (i = 1; i <= NF; ++i) printf "
                       "\"%.17g%s\", $i * " +
                       factor + ", i < NF ? \",\" : \"\\n\" }' " + file + ".csv; } > named.csv")
                  .exit_code,
              0);
    std::string log = motion;
    log.replace(log.find(file + "=" + file), 2 * file.size() + 1, file + "=named");
    const Outcome outcome = shell.run("$armdyn torque craig-rr " + log + " --quiet");
    ASSERT_EQ(outcome.exit_code, 0) << header << outcome.err;
    CsvColumns found = csv_columns(outcome.out), wanted = csv_columns(expected);
    for (const std::string column : {"t", "tau1", "tau2"}) {
      for (std::size_t row = 0; row < 51; ++row) {
        EXPECT_NEAR(found[column][row], wanted[column][row], 1e-6) << header << column << row;
      }
    }
  };
  expect_read("t", "time_ms", "1e3");
  expect_read("t", "clock(us)", "1e6");
  expect_read("t", "stamp_ns", "1e9");
  expect_read("t", "stamp[ms]", "1e3");
  const std::string degree = "57.29577951308232";
  expect_read("q", "a (deg),b (deg)", degree);
  expect_read("q", "pos_1_deg,pos_2_deg", degree);
  expect_read("q", "q[0][deg],q[1][deg]", degree);
  expect_read("q", "a (rad),b (rad)", "1");
  expect_read("q", "a (left),b (right)", "1");
  expect_read("qd", "v1 (deg/s),v2 (deg/s)", degree);
  expect_read("qdd", "a1 (deg/s^2),a2 (deg/s^2)", degree);
}

TEST_F(SideBySide, AColumnOfAJointWhoseNameEndsInAnothersIsItsOwn) {
  ASSERT_EQ(shell
                .run("$armdyn robots show craig-rr | sed 's/name: shoulder/name: pan/; s/name: "
                     "elbow/name: shoulder_pan/' > pan.yaml; sed '1s/.*/pan,shoulder_pan/' q.csv > "
                     "names.csv")
                .exit_code,
            0);
  const Outcome outcome =
      shell.run("$armdyn torque pan.yaml q=names.csv,qd=qd.csv,qdd=qdd.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

/// Names or numbers of joints, wherever they stand, order the columns.
TEST_F(SideBySide, ColumnsAreOrderedByTheirNames) {
  const std::string expected = shell.run("$armdyn torque craig-rr " + motion + " --quiet").out;
  for (const std::string names :
       {"x_elbow,x_shoulder", "q2,q1", "q[2],q[1]", "q[1],q[0]", "q(2),q(1)",
        "joint2_pos,joint1_pos", "q2[rad],q1[rad]", "m2_q2_raw,m2_q1_raw",
        "elbow (rad),shoulder (rad)", "elbow_joint,shoulder_joint", "elbow_9,shoulder_9"}) {
    (void)shell.run("awk -F, 'NR == 1 { print \"" + names +
                    "\" } NR > 1 { print $2 \",\" $1 }' q.csv > turned.csv");
    const Outcome found =
        shell.run("$armdyn torque craig-rr q=turned.csv,qd=qd.csv,qdd=qdd.csv,t=t.csv --quiet");
    EXPECT_EQ(found.out, expected) << names << found.err;
  }
}

/// The times of the file of t, else of q, count; other files are joined to it.
TEST_F(SideBySide, FilesMayHaveTimesOfTheirOwn) {
  const std::string expected = shell.run("$armdyn torque craig-rr m.csv --quiet").out;
  (void)shell.run(
      "for i in q qd qdd; do paste -d, t.csv $i.csv > own_$i.csv; done; "
      "sed '1s/^t/header.stamp.sec/' own_qd.csv | awk -F, 'NR == 1 { print $1 \",mode,\" $2 \",\" "
      "$3 "
      "} NR > 1 { print $1 \",7,\" $2 \",\" $3 }' > mode.csv");
  const auto torque = [&](const std::string& log) {
    return shell.run("$armdyn torque craig-rr " + log + " --quiet");
  };
  for (const std::string log :
       {"q=own_q.csv,qd=own_qd.csv,qdd=own_qdd.csv", "qd=own_qd.csv,q=own_q.csv,qdd=qdd.csv",
        "q=q.csv,qd=own_qd.csv,qdd=qdd.csv", "q=own_q.csv,qd=mode.csv,qdd=own_qdd.csv",
        "q=own_q.csv,qd=own_qd.csv,qdd=qdd.csv,t=t.csv"}) {
    const Outcome found = torque(log);
    EXPECT_EQ(found.out, expected) << log << found.err;
    EXPECT_EQ(found.err, "") << log;
  }
  // Twice as many rows, half as many, and from 0.1 s on: the others are linear between their rows.
  (void)shell.run(
      "awk -F, 'NR == 1 { print } NR > 1 { print $1 \",\" (2 * $1) \",\" (1 - $1) }' own_qd.csv > "
      "line.csv; awk 'NR == 1 || (NR % 2 == 0 && NR > 6)' line.csv > sparse.csv");
  CsvColumns all = csv_columns(torque("q=own_q.csv,qd=line.csv,qdd=own_qdd.csv --keep-motion").out);
  const Outcome joined =
      shell.run("$armdyn torque craig-rr q=own_q.csv,qd=sparse.csv,qdd=own_qdd.csv --keep-motion");
  CsvColumns found = csv_columns(joined.out);
  ASSERT_EQ(found["t"].size(), 45U) << joined.err;
  for (std::size_t row = 0; row < 45; ++row) {
    EXPECT_EQ(found["t"][row], all["t"][row + 6]);
    EXPECT_NEAR(found["qd1"][row], all["qd1"][row + 6], 1e-12);
    EXPECT_NEAR(found["tau2"][row], all["tau2"][row + 6], 1e-9);
  }
  EXPECT_NE(joined.err.find("22 rows are not at times of sparse.csv, but between its rows (linear "
                            "interpolation, up to 0.02 s from one)"),
            std::string::npos)
      << joined.err;
  EXPECT_NE(joined.err.find("6 rows at times that not all files reach left out"),
            std::string::npos);
  (void)shell.run(
      "awk -F, 'NR == 1 { print } NR > 1 { print ($1 + 9) \",\" $2 \",\" $3 }' own_qd.csv > "
      "late.csv");
  const Outcome apart = torque("q=own_q.csv,qd=late.csv,qdd=own_qdd.csv");
  EXPECT_EQ(apart.exit_code, 3);
  EXPECT_NE(apart.err.find("the files have no times in common"), std::string::npos) << apart.err;
}

TEST_F(SideBySide, FilesThatDoNotFitAreRefused) {
  expect_refusal("q=m.csv,qd=qd.csv,qdd=qdd.csv",
                 "m.csv:1: found 7 columns, expected 2, which are q1..q2; other quantities have "
                 "files of their own, as in q=q.csv,t=t.csv");
  ASSERT_EQ(shell.run("head -n 30 qd.csv > short.csv").exit_code, 0);
  expect_refusal("q=q.csv,qd=short.csv,qdd=qdd.csv",
                 "short.csv ends after 29 rows, but qdd.csv goes on; rows side by side must be "
                 "equally many");
  // Numbers that are not those of the joints.
  for (const std::string names : {"q1,q3", "q1,q1", "q[1],q[1]", "pos1,vel1", "a_1,b_1"}) {
    ASSERT_EQ(shell.run("sed '1s/.*/" + names + "/' q.csv > named.csv").exit_code, 0);
    const std::string second = names.substr(names.find(',') + 1);
    expect_refusal("q=named.csv,qd=qd.csv,qdd=qdd.csv",
                   "named.csv:1: column 2 is \"" + second +
                       "\", expected that of joint 2, elbow; " +
                       "put the columns in the order of the joints");
  }
  for (const std::string names :
       {"q[1],q[2]", "q[0],q[1]", "joint1_pos,joint2_pos", "m2_q1,m2_q2",
        "shoulder (rad),elbow (rad)", "shoulder_joint,elbow_joint", "a1b,a", "x,y", "x,x", "x,"}) {
    ASSERT_EQ(shell.run("sed '1s/.*/" + names + "/' q.csv > named.csv").exit_code, 0);
    const Outcome read =
        shell.run("$armdyn torque craig-rr q=named.csv,qd=qd.csv,qdd=qdd.csv -o out.csv --quiet");
    EXPECT_EQ(read.exit_code, 0) << names << read.err;
  }
  expect_refusal("q=q.csv,speed=qd.csv",
                 "q=q.csv,speed=qd.csv: found \"speed=qd.csv\", expected t=FILE, q=FILE, qd=FILE, "
                 "qdd=FILE, tau=FILE or wrench=FILE");
  expect_refusal("q=q.csv,q=qd.csv",
                 "q=q.csv,q=qd.csv: \"q\" comes twice; give each quantity one file");
  const Outcome output = shell.run("$armdyn torque craig-rr " + motion + " -o qd.csv");
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_EQ(output.err, "armdyn: the output 'qd.csv' is an input; name another file\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr q=none.csv,qd=qd.csv").exit_code, 4);
}

TEST_F(SideBySide, RefusedRowsAreLinesOfTheFileOfTimes) {
  ASSERT_EQ(shell
                .run("sed '20s/.*/0/' t.csv > back.csv; paste -d, back.csv q.csv > own.csv; "
                     "sed 1d back.csv > bare.csv")
                .exit_code,
            0);
  for (const auto& [log, place] : {std::pair("t=back.csv,q=q.csv", "back.csv:20"),
                                   {"q=own.csv", "own.csv:20"},
                                   {"q=q.csv,t=bare.csv", "bare.csv:19"}}) {
    const std::string files = log + std::string(",qd=qd.csv,qdd=qdd.csv");
    for (const std::string& verb :
         {"torque craig-rr " + files + " --gaps refuse", "track craig-rr " + files}) {
      const Outcome outcome = shell.run("$armdyn " + verb);
      EXPECT_EQ(outcome.exit_code, 3) << verb;
      EXPECT_EQ(outcome.err.substr(0, outcome.err.find(": t ")), place) << verb << outcome.err;
    }
  }
}

TEST(Logs, OfFewRowsAreResampledToMany) {
  const Shell shell;
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1e4,1,2,0,0,0,0\n");
  const std::string verb = "$armdyn torque craig-rr m.csv --resample 5 --keep-motion --json -o ";
  const Outcome alone = shell.run(verb + "one.csv --threads 1");
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(shell.run(verb + "three.csv --threads 3").err, alone.err);
  EXPECT_TRUE(shell.read("one.csv") == shell.read("three.csv"));
  const CsvColumns rows = csv_columns(shell.read("one.csv"));
  ASSERT_EQ(rows.at("t").size(), 50001U);
  for (const std::size_t k : {0U, 4095U, 4096U, 20000U, 50000U}) {
    EXPECT_DOUBLE_EQ(rows.at("t")[k], 0.2 * static_cast<double>(k));
    EXPECT_NEAR(rows.at("q2")[k], 2.0 * static_cast<double>(k) / 50000.0, 1e-15);
  }
}

TEST(Logs, AreNotResampledToRowsWithoutEnd) {
  const Shell shell;
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,1,2,0,0,0,0\n2,1,2,0,0,0,0\n");
  const Outcome fast = shell.run("$armdyn torque craig-rr m.csv --resample 1e308 -o tau.csv");
  EXPECT_EQ(fast.exit_code, 3);
  EXPECT_NE(fast.err.find("m.csv:3: 1e+308 rows at 1e+308 Hz would come before this row and after "
                          "the one before; lower --resample"),
            std::string::npos)
      << fast.err;
  shell.write("gap.csv",
              "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,1,2,0,0,0,0\n1e300,1,2,0,0,0,0\n"
              "2e300,1,2,0,0,0,0\n");
  for (const std::string gaps : {"skip", "bridge"}) {
    const Outcome far =
        shell.run("$armdyn torque craig-rr gap.csv --resample 7 -o tau.csv --gaps " + gaps);
    EXPECT_EQ(far.exit_code, 3);
    EXPECT_NE(far.err.find("gap.csv:4: 7e+300 rows at 7 Hz would come before this row"),
              std::string::npos)
        << far.err;
  }
  EXPECT_EQ(shell.list(), "gap.csv m.csv ");
}

TEST(Logs, WhoseColumnsAreExchangedAreFoundAndShippedMotionsAreNot) {
  const Shell shell;
  for (const std::string motion : {"puma560-pick-and-place", "puma560-welding-weave"}) {
    const std::string torque = "$armdyn torque puma560 ", quiet = " -o /dev/null --quiet";
    EXPECT_EQ(shell.run(torque + motion + quiet).err.find("is like"), std::string::npos);
    (void)shell.run("$armdyn robots copy --force " + motion +
                    " m.csv; sed 's/qd1,/x,/; s/qd5,/qd1,/; s/x,/qd5,/; s/qdd1,/x,/; "
                    "s/qdd5,/qdd1,/; s/x,/qdd5,/' m.csv >exchanged.csv");
    const std::string err = shell.run(torque + "exchanged.csv" + quiet).err;
    EXPECT_NE(err.find("waist, wrist: the slope of q is like qd of wrist, waist (correlation "
                       "above 0.9) and not like their own (below 0.8)"),
              std::string::npos)
        << err;
    const std::string rates = "qd1=qd5,qd5=qd1,qdd1=qdd5,qdd5=qdd1";
    EXPECT_NE(err.find("--columns \"q1=q5,q5=q1\", or \"" + rates + "\", reads it so"),
              std::string::npos)
        << err;
    EXPECT_EQ(err.find("the slope of qd is"), std::string::npos) << err;
    for (const std::string& choices : {std::string("q1=q5,q5=q1"), rates}) {
      EXPECT_EQ(
          shell.run(torque + "exchanged.csv --columns " + choices + quiet).err.find("is like"),
          std::string::npos);
    }
    // The other way round: q exchanged, its derivatives right. The line gives the torques back.
    (void)shell.run("sed 's/q1,/x,/; s/q5,/q1,/; s/x,/q5,/' m.csv >of_q.csv");
    EXPECT_NE(shell.run(torque + "of_q.csv" + quiet).err.find("--columns \"q1=q5,q5=q1\", or"),
              std::string::npos);
    EXPECT_EQ(shell.run(torque + "of_q.csv --columns q1=q5,q5=q1 --quiet").out,
              shell.run(torque + "m.csv --quiet").out);
  }
}

// A UR-like log whose columns have no names of RTDE: nothing is lost without a word.
TEST(LogOptions, AreSuggestedBehindWhatIsNamed) {
  const Shell shell;
  shell.write("ur.csv",
              "time,actual_q_0,actual_q_1,speed_0,speed_1,target_qdd_0,target_qdd_1\n"
              "0,0,0,0,0,1,1\n0.5,0.125,0.125,0.5,0.5,1,1\n1,0.5,0.5,1,1,1,1\n");
  const std::string torque = "$armdyn torque craig-rr ur.csv -o tau.csv";
  const std::string named = " --columns \"t=time,q=actual_q_{0..1}", qd = ",qd=speed_{0..1}\"";
  const std::string err = shell.run(torque + named + "\"").err;
  EXPECT_NE(err.find("perhaps" + named + qd), std::string::npos) << err;
  const Outcome all = shell.run(torque + named + qd);
  EXPECT_EQ(all.exit_code, 0) << all.err;
  const std::string timed = shell.run(torque + " --columns qd=speed_{0..1}").err;
  EXPECT_NE(timed.find("a UR RTDE log: t = time, "), std::string::npos) << timed;
  (void)shell.run("sed 's/^time/Clock/' ur.csv >clock.csv");
  const std::string clock =
      shell.run("$armdyn torque craig-rr clock.csv -o tau.csv --columns qd=speed_{0..1}").err;
  EXPECT_NE(clock.find("\"Clock\" is not read; if it is the time, --columns \"t=Clock\" reads it"),
            std::string::npos)
      << clock;
  const Outcome timed_by_clock = shell.run(
      "$armdyn torque craig-rr clock.csv -o tau.csv --columns 'qd = speed_{0..1}, t = Clock'");
  EXPECT_EQ(timed_by_clock.exit_code, 0) << timed_by_clock.err;
  EXPECT_EQ(timed_by_clock.err.find("is not read"), std::string::npos);
}

// Sign, factor, offset and unit of columns: the same bytes as of columns that have them applied.
TEST(LogOptions, ComputeColumns) {
  const Shell shell;
  shell.write("log.csv",
              "clock,a-1,b,c,d,i_1,i_2,e,f\n"
              "0,90,0.25,1,2,0.5,-0.25,0,1\n250,180,0.5,2,1,1.5,0.25,1,0\n");
  shell.write("plain.csv",
              "t,q1[deg],q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n"
              "0,0,0.5,-1,2,0,1,1,-0.5\n0.25,90,0.75,-2,1,-1,0,3,0.5\n");
  const auto torque = [&shell](const std::string& arguments) {
    return shell.run("$armdyn torque craig-rr " + arguments);
  };
  const Outcome plain = torque("plain.csv --json");
  const Outcome found = torque(
      "log.csv --json --columns \"t=0.001*clock,q1=a-1[deg]-90deg, q2=b+0.25 ,qd1=-c,qd2=d, "
      "tau=2*i_{1..2},qdd1 = - 1 * e,qdd2=f\"");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  CsvColumns expected = csv_columns(plain.out), columns = csv_columns(found.out);
  EXPECT_EQ(columns["t"], expected["t"]);
  for (const std::string tau : {"tau1", "tau2"}) {
    ASSERT_EQ(columns[tau].size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(columns[tau][k], expected[tau][k], 1e-12);
  }
  const auto residual = [](const Outcome& outcome, std::size_t joint) {
    const auto summary = nlohmann::json::parse(outcome.err);
    return summary["joints"][joint]["residual_rms"].get<double>();
  };
  for (const std::size_t joint : {0U, 1U}) {
    EXPECT_NEAR(residual(found, joint), residual(plain, joint), 1e-12);
  }
  EXPECT_NE(found.err.find("q1..q2 = a-1[deg]-90deg, b+0.25, qd1..qd2 = -c, d"), std::string::npos)
      << found.err;
  EXPECT_NE(
      torque("log.csv --columns \"q1=b-90N\"")
          .err.find("log.csv:1: --columns: found \"b-90N\", expected behind the number rad or "
                    "deg"),
      std::string::npos);
  const Outcome twice = torque("log.csv --columns \"q1=b,q2=b, q1=a-1[deg]\"");
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_NE(twice.err.find("--columns: \"q1\" is given twice"), std::string::npos) << twice.err;
  EXPECT_NE(torque("log.csv --columns \"q1=2*g\"")
                .err.find("there is no column \"2*g\"; arithmetic is -NAME, 2*NAME, NAME-90deg"),
            std::string::npos);
}

// Names that were given, and two columns whose units are wrong in different ways: one line to copy.
TEST(LogOptions, AreSuggestedAsAWholeLine) {
  const Shell shell;
  std::ostringstream log;
  log << "Time,A,B,C,D,E,F\n";
  for (int row = 0; row < 200; ++row) {
    const double t = 0.01 * row, s = std::sin(t), c = std::cos(t), degree = 57.29577951308232;
    log << t << ',' << degree * s << ',' << c << ',' << c << ',' << -degree * s << ',' << -s << ','
        << -c << '\n';
  }
  shell.write("log.csv", log.str());
  const std::string torque = "$armdyn torque craig-rr log.csv -o tau.csv --columns \"";
  const Outcome wrong = shell.run(torque + "t=Time,q={A,B},qd={C,D},qdd={E,F}\"");
  const std::string before = "--columns \"";
  const std::size_t at = wrong.err.find(before);
  ASSERT_NE(at, std::string::npos) << wrong.err;
  const std::string line = wrong.err.substr(
      at + before.size(), wrong.err.find('"', at + before.size()) - at - before.size());
  EXPECT_EQ(line, "t=Time,q={A,B},qd={C,D},qdd={E,F},q1=A[deg],qd2=D[deg/s]");
  const Outcome right = shell.run(torque + line + "\"");
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_EQ(right.err.find("--columns"), std::string::npos) << right.err;
}

}  // namespace
}  // namespace armdyn::testing
