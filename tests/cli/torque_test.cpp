// The program as a user runs it: columns in, columns out, summary beside.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "program/program.hpp"
#include "support/case_table.hpp"
#include "support/csv_columns.hpp"
#include "support/fewest_lanes.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::string shared_case(const std::string& name) {
  return test_data() + "/cases/" + name;
}

const std::string still_rr = "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n";

TEST(Torque, OfTheReferenceCaseIsRightToTwelveDigits) {
  const Shell shell;
  for (const std::string name : {"puma560_standard", "cart_pole", "rr_craig"}) {
    for (const std::string kind : {"", "_corner", "_wrench"}) {
      const Outcome outcome =
          shell.run("$armdyn torque " + shared_case("robots/" + name + ".yaml") + " " +
                    shared_case(name + kind + ".csv"));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      auto found = csv_columns(outcome.out);
      const CaseTable expected(name + kind + ".csv");
      const std::size_t n = name == "puma560_standard" ? 6 : 2;
      for (std::size_t row = 0; row < expected.rows(); ++row) {
        const auto tau = expected.joints("tau", n, row);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_NEAR(found["tau" + std::to_string(i + 1)].at(row), tau[i], 1e-12 * scale_of(tau));
        }
      }
    }
  }
}

TEST(Torque, FindsThePeakInWhateverRowItStands) {
  const Shell shell;
  for (const std::size_t peak : {1U, 2U, 8U, 9U, 15U, 17U, 20U}) {
    std::string rows = "q1,q2,qd1,qd2,qdd1,qdd2\n";
    for (std::size_t row = 1; row <= 20; ++row) {
      rows += row == peak ? "0,0,0,0,0,-90\n" : "0,0,0,0,0,1\n";
    }
    shell.write("motion.csv", rows);
    const Outcome outcome = shell.run("$armdyn torque craig-rr motion.csv --json");
    const auto tau = csv_columns(outcome.out)["tau2"];
    double squares = 0.0;
    for (const double value : tau) squares += value * value;
    const auto summary = nlohmann::json::parse(outcome.err);
    const auto& elbow = summary["joints"][1];
    EXPECT_EQ(elbow["peak_row"], peak);
    EXPECT_EQ(elbow["peak"], std::abs(tau.at(peak - 1)));
    EXPECT_NEAR(elbow["rms"].get<double>(), std::sqrt(squares / 20.0), 1e-13 * std::sqrt(squares));
  }
}

TEST(Torque, IsWrittenThoughNobodyReadsTheSummary) {
  const Shell shell;
  const std::string torque = "$armdyn torque puma560 puma560-pick-and-place";
  const std::string expected = shell.run(torque + " --quiet").out;
  for (const std::string json : {"", " --json"}) {
    EXPECT_EQ(shell
                  .run("{ sleep 0.3; " + torque + json +
                       " -o a.csv; echo $? >code; } 2>&1 | true; cat code")
                  .out,
              "0\n");
    EXPECT_EQ(shell.read("a.csv"), expected);
    EXPECT_EQ(shell.run(torque + json + " -o b.csv 2>&-").exit_code, 0);
    EXPECT_EQ(shell.read("b.csv"), expected);
  }
  EXPECT_EQ(shell.run("$armdyn torqe 2>&-").exit_code, 2);
}

TEST(Torque, DoesNotTakeAFileOfItsOwnForAClosedStream) {
  const Shell shell;
  const std::string torque = "timeout 20 $armdyn torque puma560 puma560-pick-and-place --quiet ";
  for (const std::string& command : {torque + ">&-", torque + "--threads 1 >&-",
                                     std::string("timeout 20 $armdyn check puma560 >&-")}) {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, 4) << command;
    EXPECT_NE(outcome.err.find("cannot write standard output: Bad file descriptor"),
              std::string::npos)
        << outcome.err;
  }
  const Outcome no_input = shell.run("timeout 20 $armdyn torque puma560 - -o a.csv <&-");
  EXPECT_EQ(no_input.exit_code, 4);
  EXPECT_NE(no_input.err.find("Bad file descriptor"), std::string::npos) << no_input.err;
  EXPECT_FALSE(shell.exists("a.csv"));
}

TEST(Torque, IsTheSameByEveryMethod) {
  const Shell shell;
  const auto torques = [&](const std::string& method) {
    const Outcome outcome = shell.run("$armdyn torque puma560 puma560-pick-and-place --method " +
                                      method + " --terms --json");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(nlohmann::json::parse(outcome.err)["options"]["method"], method);
    return csv_columns(outcome.out);
  };
  const auto expected = torques("newton-euler");
  for (const std::string method : {"modified-newton-euler", "lagrange", "newton-euler-in-base"}) {
    const auto found = torques(method);
    EXPECT_NE(found, expected);  // another text: other roundings
    for (const auto& [column, values] : expected) {
      for (std::size_t row = 0; row < values.size(); ++row) {
        EXPECT_NEAR(found.at(column).at(row), values[row], 1e-12 * 100) << method << " " << column;
      }
    }
  }
}

TEST(Torque, IsMeanOverTimeWhereRowsHaveTimeAndOverRowsElse) {
  const Shell shell;
  std::string timed = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n", untimed = timed.substr(2);
  double t = 3.0;
  for (int k = 0; k < 9000; ++k) {  // several blocks
    std::ostringstream row;
    row.precision(17);
    row << std::sin(0.01 * k) << "," << 0.001 * k << "," << std::cos(0.02 * k) << ",1," << (k % 7)
        << ",-2," << 5.0 * std::sin(k) << ",0\n";
    t += k % 100 == 0 ? 0.5 : 0.001 * (1 + k % 3);
    timed += std::to_string(t) + "," + row.str();
    untimed += row.str();
  }
  shell.write("timed.csv", timed);
  shell.write("untimed.csv", untimed);
  for (const std::string file : {"timed", "untimed"}) {
    const std::string torque = "$armdyn torque two-link-spong " + file + ".csv ";
    const Outcome outcome = shell.run(torque + "--keep-motion --json");
    const auto summary = nlohmann::json::parse(outcome.err);
    const CsvColumns found = csv_columns(outcome.out);
    const bool has_time = file == "timed";
    const auto mean = [&](const std::vector<double>& x) {
      double squares = 0.0, weight = 0.0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (!has_time) {
          squares += x[k] * x[k];
          weight += 1.0;
        } else if (k > 0) {
          const double step = found.at("t")[k] - found.at("t")[k - 1];
          squares += step * (x[k] * x[k] + x[k - 1] * x[k - 1]) / 2;
          weight += step;
        }
      }
      return std::sqrt(squares / weight);
    };
    EXPECT_EQ(summary["rms_over"], has_time ? "time" : "rows");
    std::vector<double> residual = found.at("tau1");
    for (std::size_t k = 0; k < residual.size(); ++k) residual[k] -= 5.0 * std::sin(k);
    const auto& shoulder = summary["joints"][0];
    const double rms = mean(found.at("tau1"));
    EXPECT_NEAR(shoulder["rms"].get<double>(), rms, 1e-12 * rms);
    EXPECT_NEAR(shoulder["residual_rms"].get<double>(), mean(residual), 1e-12 * rms);
    const std::string heading = has_time ? "RMS over time" : "RMS over rows";
    EXPECT_NE(shell.run(torque + "-o /dev/null").out.find(heading), std::string::npos);
  }
}

TEST(Torque, IsMeanOverRowsWhereTimeStandsStill) {
  const Shell shell;
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n2,0,0,0,0,3,0\n");
  const Outcome outcome = shell.run("$armdyn torque two-link-spong m.csv --json");
  const auto summary = nlohmann::json::parse(outcome.err);
  EXPECT_EQ(summary["rms_over"], "rows");
  EXPECT_EQ(summary["joints"][0]["rms"], csv_columns(outcome.out).at("tau1").front());
}

TEST(Torque, WritesNoMinusZero) {
  const Shell shell;
  shell.write("m.csv",
              "q1,q2,qd1,qd2,qdd1,qdd2,fx,fy,fz,nx,ny,nz\n-0,0,-0,-0.0,-0,-0,-0,0,0,0,0,-0\n");
  const std::string torque =
      "$armdyn torque two-link-spong m.csv --without gravity --keep-motion --terms --reactions ";
  const std::string printed = shell.run(torque + "--quiet").out;
  EXPECT_EQ(printed.find("-0,"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("-0\n"), std::string::npos) << printed;
  EXPECT_EQ(shell.run(torque + "--quiet -o out.npy").exit_code, 0);
  const std::string array = shell.read("out.npy");
  EXPECT_EQ(array.find('\x80', array.find('\n')), std::string::npos);
}

TEST(Torque, HintsAtNoOffsetWhereItIsRounding) {
  const Shell shell;
  std::string rows = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k < 400; ++k) {
    std::ostringstream row;
    row.precision(17);
    row << 0.01 * k << "," << std::sin(0.05 * k) << ",0.3," << 5 * std::cos(0.05 * k) << ",0,"
        << -25 * std::sin(0.05 * k) << ",0\n";
    rows += row.str();
  }
  shell.write("m.csv", rows);
  const Outcome made = shell.run(
      "$armdyn torque two-link-spong m.csv --keep-motion --quiet | awk -F, 'NR == 1 { print; "
      "next } { printf \"%s,%s,%s,%s,%s,%s,%s,%.17g,%s\\n\", $1, $2, $3, $4, $5, $6, $7, $8 + "
      "0.7 * $4, $9 }' >measured.csv");
  EXPECT_EQ(made.exit_code, 0);
  const auto summary =
      nlohmann::json::parse(shell.run("$armdyn torque two-link-spong measured.csv --json").err);
  const auto& fit = summary["joints"][0]["residual_fit"];
  EXPECT_EQ(fit["offset"], 0.0);
  EXPECT_NEAR(fit["viscous"].get<double>(), 0.7, 1e-12);
}

/// Within half a unit in the last place of the largest term: also in motions without torques, in
/// which all terms cancel.
TEST(Torque, IsTheSumOfItsTerms) {
  const Shell shell;
  const auto expect_sums = [&shell](const std::string& robot, const std::string& motion) {
    const Outcome outcome = shell.run("$armdyn torque " + robot + " " + motion + " --terms");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    auto found = csv_columns(outcome.out);
    for (std::size_t row = 0; row < found["t"].size(); ++row) {
      for (int joint = 1; found.count("tau" + std::to_string(joint)) != 0; ++joint) {
        const auto at = [&](const std::string& name) {
          return found[name + std::to_string(joint)].at(row);
        };
        long double sum = 0.0L;
        double largest = 0.0;
        for (const std::string part : {"tau_inertia", "tau_velocity", "tau_gravity", "tau_friction",
                                       "tau_rotor", "tau_wrench"}) {
          sum += at(part);
          largest = std::max(largest, std::abs(at(part)));
        }
        const double unit = std::nextafter(largest, 2 * largest + 1.0) - largest;
        EXPECT_LE(std::abs(static_cast<double>(sum - at("tau"))), 0.501 * unit)
            << robot << ", row " << row + 1 << ", joint " << joint;
      }
    }
  };
  const std::string puma = shared_case("robots/puma560_standard.yaml");
  expect_sums(puma, shared_case("puma560_standard_wrench.csv"));
  for (const std::string robot : {"stanford", "kuka-iiwa14", "ur10e", "franka-panda"}) {
    ASSERT_EQ(
        shell
            .run("$armdyn simulate " + robot +
                 " --duration 0.3 --step 0.001 --without friction --at-limit ignore -o free.csv")
            .exit_code,
        0);
    expect_sums(robot, "free.csv --without friction");
  }
}

/// Of an arm with friction at its joints and at its motors, and rotors.
TEST(Torque, LosesAllFrictionWithoutFrictionAndRotorsWithoutRotors) {
  const Shell shell;
  const std::string torque = "$armdyn torque " + shared_case("robots/puma560_standard.yaml") + " " +
                             shared_case("puma560_standard.csv");
  auto whole = csv_columns(shell.run(torque + " --terms").out);
  auto without_friction = csv_columns(shell.run(torque + " --without friction").out);
  auto without_rotors = csv_columns(shell.run(torque + " --without rotors").out);
  ASSERT_GT(whole["t"].size(), 0U);
  double friction = 0.0, rotor = 0.0;
  for (std::size_t row = 0; row < whole["t"].size(); ++row) {
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      const double tau = whole["tau" + joint].at(row);
      friction = std::max(friction, std::abs(whole["tau_friction" + joint].at(row)));
      rotor = std::max(rotor, std::abs(whole["tau_rotor" + joint].at(row)));
      EXPECT_NEAR(without_friction["tau" + joint].at(row),
                  tau - whole["tau_friction" + joint].at(row), 1e-12 * 200);
      EXPECT_NEAR(without_rotors["tau" + joint].at(row), tau - whole["tau_rotor" + joint].at(row),
                  1e-12 * 200);
    }
  }
  EXPECT_GT(friction, 0.1);
  EXPECT_GT(rotor, 0.01);
}

TEST(Torque, KeepsTheMotionBitForBit) {
  const Shell shell;
  shell.write("in.csv",
              "qdd2,q1,qd1,qd2,q2,qdd1,nz,t,fx,fy,fz,nx,ny\n"
              "0.1,1e-3,-2.5,0.30000000000000004,4,5,9,0.5,6,7,8,1,2\n");
  const Outcome outcome = shell.run("$armdyn torque craig-rr in.csv --keep-motion");
  EXPECT_EQ(outcome.out.substr(0, outcome.out.rfind(',')).substr(0, 150),
            "t,q1,q2,qd1,qd2,qdd1,qdd2,fx,fy,fz,nx,ny,nz,tau1,tau2\n"
            "0.5,0.001,4,-2.5,0.30000000000000004,5,0.1,6,7,8,1,2,9," +
                outcome.out.substr(109, outcome.out.rfind(',') - 109));
}

TEST(Torque, IsDrawnWithItsTerms) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  shell.write("motion.csv",
              "t,q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n"
              "0,0.1,0.5,1,0,0.3,0.4,0,1,2\n0.1,0.1,0.6,1.1,0,0.4,0.3,0,-1,2\n");
  const std::string verb =
      "$armdyn torque craig-3r motion.csv -o out.csv --quiet --payload 2 --plot p.svg ";
  ASSERT_EQ(shell.run(verb + "--terms").exit_code, 0);
  const std::string terms = shell.read("p.svg");
  const auto has = [](const std::string& picture, const std::string& text) {
    return picture.find(">" + text + "<") != std::string::npos;
  };
  EXPECT_TRUE(has(terms, "craig-3r: joint torques, motion.csv"));
  EXPECT_TRUE(has(terms, "payload 2 kg"));
  for (const std::string part : {"τ", "inertia", "velocity", "gravity"}) {
    EXPECT_TRUE(has(terms, part)) << part;
  }
  EXPECT_FALSE(has(terms, "wrench")) << "there is none";
  ASSERT_EQ(shell.run(verb + "--without gravity").exit_code, 0);
  EXPECT_FALSE(has(shell.read("p.svg"), "inertia"));
  EXPECT_TRUE(has(shell.read("p.svg"), "payload 2 kg; without gravity"));
}

TEST(Torque, HasNoTimeColumnIfNoneCameIn) {
  const Shell shell;
  shell.write("in.csv", still_rr);
  EXPECT_EQ(header(shell.run("$armdyn torque craig-rr in.csv")), "tau1,tau2");
}

TEST(Torque, ReadsStandardInputAndPipes) {
  const Shell shell;
  shell.write("in.csv", still_rr);
  const std::string from_file = shell.run("$armdyn torque craig-rr in.csv").out;
  EXPECT_EQ(shell.run("cat in.csv | $armdyn torque craig-rr").out, from_file);
  EXPECT_EQ(shell.run("cat in.csv | $armdyn torque craig-rr - -o -").out, from_file);
  EXPECT_EQ(shell.run("$armdyn torque craig-rr --keep-motion in.csv | $armdyn torque craig-rr").out,
            from_file);
}

TEST(Torque, ConvertsUnitsInTheHeader) {
  const Shell shell;
  shell.write("rad.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0.25,0,1.5707963267948966,0,0,0,0\n");
  shell.write("deg.csv",
              "t[ms],q1[deg],q2[deg],qd1[deg/s],qd2[deg/s],qdd1,qdd2\n250,0,90,0,0,0,0\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr deg.csv").out,
            shell.run("$armdyn torque craig-rr rad.csv").out);
}

TEST(Torque, ShowsJointReactions) {
  const Shell shell;
  shell.write("in.csv", still_rr);
  const Outcome outcome = shell.run("$armdyn torque craig-rr in.csv --reactions");
  EXPECT_EQ(header(outcome), "tau1,tau2,f1x,f1y,f1z,n1x,n1y,n1z,f2x,f2y,f2z,n2x,n2y,n2z");
  auto found = csv_columns(outcome.out);
  EXPECT_NEAR(found["f1y"].at(0), (4.6 + 2.3) * 9.81, 1e-12);
  EXPECT_NEAR(found["n1z"].at(0), found["tau1"].at(0), 1e-12);
}

TEST(Torque, GivesTheSameBytesOnAnyInstructionSet) {
  const Shell shell;
  const std::string verb =
      "$armdyn torque puma560 puma560-pick-and-place --terms --reactions --quiet";
  const Outcome fewest = shell.run(with_fewest_lanes() + verb);
  ASSERT_EQ(fewest.exit_code, 0) << fewest.err;
  EXPECT_EQ(shell.run(verb).out, fewest.out);  // on the best that this machine has
}

TEST(Torque, RefusesAnInstructionSetThatThereIsNot) {
  const Shell shell;
  const Outcome outcome =
      shell.run("ARMDYN_SIMD=mmx $armdyn torque puma560 puma560-pick-and-place");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  const std::string fewest(name(InstructionSet::baseline));
  EXPECT_NE(outcome.err.find("ARMDYN_SIMD: found 'mmx', this machine has " + fewest),
            std::string::npos)
      << outcome.err;
  for (const std::string verb : {"check", "simulate", "inspect", "equations"}) {
    const Outcome other = shell.run("ARMDYN_SIMD=mmx $armdyn " + verb + " craig-rr");
    EXPECT_EQ(other.exit_code, 2) << verb;
    EXPECT_EQ(other.err, outcome.err) << verb;
  }
}

TEST(Torque, GivesTheSameBytesForAnyNumberOfThreads) {
  const Shell shell;
  const std::string verb = "$armdyn torque puma560 puma560-pick-and-place --terms --threads ";
  const Outcome one = shell.run(verb + "1");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 2802);
  for (const std::string threads : {"2", "5"}) {
    const Outcome more = shell.run(verb + threads);
    EXPECT_EQ(more.out, one.out);
    EXPECT_EQ(more.err, one.err);
  }
}

TEST(Torque, EditsTheRobotBeforeComputing) {
  const Shell shell;
  shell.write("in.csv", still_rr);
  const auto tau1 = [&](const std::string& options) {
    return csv_columns(shell.run("$armdyn torque craig-rr in.csv " + options).out)["tau1"].at(0);
  };
  EXPECT_NEAR(tau1(""), 9.81 * (4.6 * 0.5 + 2.3 * 1.0), 1e-12);
  EXPECT_EQ(tau1("--without gravity"), 0.0);
  EXPECT_EQ(tau1("--gravity 0,0,-9.81"), 0.0);
  EXPECT_NEAR(tau1("--gravity 0,-1,0"), 4.6 * 0.5 + 2.3 * 1.0, 1e-14);
  EXPECT_NEAR(tau1("--gravity -1,-1,0"), 4.6 * 0.5 + 2.3 * 1.0, 1e-14);
  EXPECT_NEAR(tau1("--gravity=0,-1,0 --payload 10"), 4.6 * 0.5 + (2.3 + 10) * 1.0, 1e-13);
  EXPECT_NEAR(tau1("--gravity=0,-1,0 --payload 10,-0.5,0,0"), 4.6 * 0.5 + 2.3 * 1.0 + 10 * 0.5,
              1e-13);
}

TEST(Summary, NamesPeakTimeRmsAndShareOfTheLimit) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn torque puma560 puma560-pick-and-place -o out.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("puma560: 2801 rows, t = 0 to 7 s"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("share"), std::string::npos) << outcome.out;
}

TEST(Summary, AsJsonCarriesVersionRobotDigestAndOptions) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn torque puma560 puma560-pick-and-place -o out.csv --json --gravity 0,0,-1.6");
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["version"], ARMDYN_VERSION);
  EXPECT_EQ(summary["robot"]["name"], "puma560");
  EXPECT_EQ(summary["robot"]["digest"].get<std::string>().substr(0, 8), "fnv1a64:");
  EXPECT_EQ(summary["options"]["gravity"], nlohmann::json({0, 0, -1.6}));
  EXPECT_EQ(summary["options"]["method"], "newton-euler");
  EXPECT_EQ(summary["options"]["motion"], "puma560-pick-and-place");
  EXPECT_EQ(summary["rows"], 2801);
  EXPECT_EQ(summary["t"], nlohmann::json({0, 7}));
  ASSERT_EQ(summary["joints"].size(), 6U);
  auto tau = csv_columns(shell.read("out.csv"))["tau2"];
  const auto peak = std::max_element(tau.begin(), tau.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); });
  EXPECT_EQ(summary["joints"][1]["peak"], std::abs(*peak));
}

TEST(Summary, HoldsMeasuredTorqueAgainstTheComputedOne) {
  const Shell shell;
  shell.write("in.csv", "q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n0,0,0,0,0,0,45.126,11.2815\n");
  const auto summary = nlohmann::json::parse(
      shell.run("$armdyn torque craig-rr in.csv --json -o out.csv --gravity 0,-9.81,0").out);
  EXPECT_NEAR(summary["joints"][0]["residual_peak"].get<double>(), 0.0, 1e-12);
  const auto off = nlohmann::json::parse(
      shell.run("$armdyn torque craig-rr in.csv --json -o out.csv --without gravity").out);
  EXPECT_NEAR(off["joints"][0]["residual_peak"].get<double>(), 45.126, 1e-12);
  EXPECT_NEAR(off["joints"][1]["residual_rms"].get<double>(), 11.2815, 1e-12);
}

TEST(Limits, ExceededWarnAndWithStrictExitOne) {
  const Shell shell;
  shell.write("in.csv",
              "q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n"
              "0,0,0,0,0,0,0,0,0,0,0,0,0,90,0,0,0,0\n");
  const Outcome warned = shell.run("$armdyn torque puma560 in.csv -o out.csv");
  EXPECT_EQ(warned.exit_code, 0);
  EXPECT_NE(warned.err.find("warning: "), std::string::npos) << warned.err;
  EXPECT_NE(warned.err.find("|τ| reaches"), std::string::npos) << warned.err;
  const Outcome strict = shell.run("$armdyn torque puma560 in.csv --strict -o strict.csv");
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_EQ(shell.read("strict.csv"), shell.read("out.csv"));
}

TEST(Version, IsPrintedOnStandardOutput) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn --version").out, "armdyn " ARMDYN_VERSION "\n");
  EXPECT_EQ(shell.run("$armdyn torque --version").out, "armdyn " ARMDYN_VERSION "\n");
}

// --- power and energy
// ---------------------------------------------------------------------------------------------

/// 2 kg on level rails from rest to rest in 2 s, by 1 m/s² and −1 m/s²: P = ±2 t W, up to 2 W; 1 J
/// to drive it, which braking takes back.
TEST(Power, AndEnergyAreThoseOfAMassThatStartsAndStops) {
  const Shell shell;
  shell.write("cart.yaml",
              "armdyn: 1\nname: cart\nconvention: modified\njoints:\n"
              "  - {name: rail, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0}, mass: 2}\n");
  std::string rows = "t,q1,qd1,qdd1\n";
  for (int k = 0; k <= 2000; ++k) {
    const double t = k / 1000.0, back = 2.0 - t;
    char row[128];
    std::snprintf(row, sizeof row, "%.17g,%.17g,%.17g,%d\n", t,
                  k <= 1000 ? t * t / 2 : 1.0 - back * back / 2, k <= 1000 ? t : back,
                  k < 1000 ? 1 : -1);
    rows += row;
  }
  shell.write("m.csv", rows);
  const auto summary =
      nlohmann::json::parse(shell.run("$armdyn torque cart.yaml m.csv --json -o tau.csv").out);
  const auto& rail = summary["joints"][0];
  EXPECT_NEAR(rail["peak_power"], 2.0, 1e-9);
  EXPECT_NEAR(rail["peak_power_time"], 1.0, 1e-9);
  EXPECT_NEAR(rail["energy_driven"], 0.999, 1e-5);  // half a step of 2 W is lost at the jump
  EXPECT_NEAR(rail["energy_braked"], -1.001, 1e-5);
  EXPECT_NEAR(summary["energy"]["net"], -0.002, 1e-5);
  const std::string said = shell.run("$armdyn torque cart.yaml m.csv -o tau.csv").out;
  EXPECT_NE(said.find("peak power [W]"), std::string::npos) << said;
  EXPECT_NE(said.find(" (motoring "), std::string::npos) << said;
}

/// Without losses the energy of a motion is what kinetic and potential energy gain (8.9).
TEST(Power, IsWhatTheEnergyOfTheArmGainsWithoutLosses) {
  const Shell shell;
  ASSERT_EQ(shell
                .run("$armdyn trajectory stanford --from 0,0,0.5,0,0,0 --to 1,1,0.9,2,1,1 "
                     "--duration 2 --quiet -o m.csv")
                .exit_code,
            0);
  const auto summary = nlohmann::json::parse(
      shell.run("$armdyn torque stanford m.csv --without friction --json -o tau.csv").out);
  const auto potential = [&](const std::string& q) {
    return nlohmann::json::parse(
               shell.run("$armdyn inspect stanford --json --what potential --q " + q).out)
        .at("potential")
        .get<double>();
  };
  const double gain = potential("1,1,0.9,2,1,1") - potential("0,0,0.5,0,0,0");
  EXPECT_GT(std::abs(gain), 1.0);
  EXPECT_NEAR(summary["energy"]["net"], gain, 1e-4 * std::abs(gain));
  EXPECT_EQ(shell.run("$armdyn torque craig-rr - -o tau.csv <<'END'\n" + still_rr + "END\n")
                .out.find("energy"),
            std::string::npos);
}

// A pendulum held level: τ = m g c, and only m is not known to many decimals.
TEST(Bounds, TakeDecimalsAsTheyAreWritten) {
  const Shell shell;
  const auto error_with = [&shell](const std::string& mass, const std::string& input) {
    shell.write("arm.yaml",
                "armdyn: 1\nname: arm\nconvention: modified\n"
                "parameters: {m: 7.5}\n"
                "gravity: [0, -10.00000000, 0]\njoints:\n  - type: revolute\n"
                "    dh: {a: 0, alpha: 0, d: 0, theta: 0}\n    mass: " +
                    mass + "\n    com: [1.00000000, 0, 0]\n    inertia: {zz: 0}\n");
    shell.write("still.csv", "q1,qd1,qdd1\n0,0,0\n");
    const Outcome outcome =
        shell.run("$armdyn torque arm.yaml still.csv --bounds --input-error " + input + " --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string row = outcome.out.substr(outcome.out.find('\n') + 1);
    return std::stod(row.substr(row.rfind(',') + 1));
  };
  const double rest = 2.5 * (1.0 * 5e-9 + 10.0 * 5e-9);  // of c and g
  EXPECT_NEAR(error_with("2.5", "decimal"), 10.0 * 0.05 + rest, 1e-8);
  EXPECT_NEAR(error_with("2.50", "decimal"), 10.0 * 0.005 + rest, 1e-9);
  EXPECT_NEAR(error_with("250e-2", "decimal"), 10.0 * 0.005 + rest, 1e-9);
  EXPECT_NEAR(error_with("25.0e-1", "decimal"), 10.0 * 0.005 + rest, 1e-9);
  EXPECT_LT(error_with("2.50", "file"), 1e-40);  // roundings of the 50-digit reference
  // A formula's number may be short by chance: it is a few roundings off, or may be.
  EXPECT_GT(error_with("m/3", "file"), 0.0);
  EXPECT_LT(error_with("m/3", "file"), 25.0 * 1e-15);
  // Decimals of a parameter go through the formula; numbers within it are exact.
  EXPECT_NEAR(error_with("m/3", "decimal"), 10.0 * 0.05 / 3.0 + rest, 1e-8);
  EXPECT_NEAR(error_with("m^2/22.5", "decimal"), 10.0 * 2.0 * 0.05 * 7.5 / 22.5 + rest, 2e-3);
}

// The same pendulum: each number has the decimals that stand at its own place, and what stands in no
// file is exact.
TEST(Bounds, KnowHowANumberIsWrittenByItsPlace) {
  const Shell shell;
  const auto error_of = [&shell](const std::string& gravity, const std::string& link,
                                 const std::string& options = "decimal",
                                 const std::string& state = "0,0,0") {
    shell.write("arm.yaml", "armdyn: 1\nname: arm\nconvention: modified\nparameters: {m: 7.5}\n" +
                                gravity + "joints:\n  - {type: revolute, " + link + "}\n");
    shell.write("motion.csv", "q1,qd1,qdd1\n" + state + "\n");
    const Outcome outcome =
        shell.run("$armdyn torque arm.yaml motion.csv --bounds --quiet --input-error " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::stod(outcome.out.substr(outcome.out.rfind(',') + 1));
  };
  const std::string gravity = "gravity: [0, -10.00000000, 0]\n";
  const std::string flat = "dh: {a: 0, alpha: 0, d: 0, theta: 0}, ";
  const std::string upright = "dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, ";
  // One number, with other decimals at each of its places; with those of m and c for the rest.
  EXPECT_NEAR(error_of(gravity, flat + "mass: 2.5, com: [2.50, 0, 0]"), 1.375, 0.003);
  EXPECT_NEAR(error_of(gravity, flat + "mass: 2.50, com: [2.5, 0, 0]"), 1.375, 0.003);
  // Defaults: gravity, and the gear ratio.
  const std::string link = "mass: 2.5, com: [1.000000000000, 0, 0]";
  EXPECT_NEAR(error_of("", upright + link), 9.81 * 0.05, 1e-10);
  EXPECT_NEAR(
      error_of("", upright + "mass: 0, motor: {rotor_inertia: 0.001}", "decimal", "0,0,100"),
      100.0 * 0.0005, 1e-10);
  // Options, even with a number of the file.
  EXPECT_NEAR(error_of("gravity: [0, -10, 0]\n", flat + link, "decimal --gravity 0,-10,0"), 0.5,
              1e-10);
  EXPECT_NEAR(error_of("gravity: [0, -10, 0]\n", flat + link), 0.5 + 2.5 * 0.5, 0.03);
  EXPECT_NEAR(error_of(gravity, flat + link, "decimal --payload 1.5,0.5,0,0"), 0.5, 0.01);
  EXPECT_LT(error_of(gravity, flat + "mass: m, com: [1.00000000, 0, 0]", "decimal --set m=7.5"),
            1e-6);
  // One level for both directions, or two; zeros before a number are no decimals of it.
  for (const std::string speed : {"1", "-1"}) {
    EXPECT_NEAR(
        error_of("", flat + "mass: 0, friction: {coulomb: 0.3}", "decimal", "0," + speed + ",0"),
        0.05, 1e-10);
  }
  EXPECT_NEAR(error_of("", flat + "mass: 0, friction: {coulomb: [0.3, 0.30]}", "decimal", "0,-1,0"),
              0.005, 1e-10);
  // Taken for computed, it would be off by 4e-18.
  EXPECT_LT(error_of(gravity, flat + "mass: 0.000500230033893, com: [1.00000000, 0, 0]", "file"),
            1e-18);
}

// A Stribeck curve between its levels, however little its velocity is known: 0.1 is 0.05 to 0.15.
TEST(Bounds, OfStribeckFrictionAreWithinItsLevels) {
  const Shell shell;
  const auto arm = [](double velocity, double level) {
    std::ostringstream text;
    text << "armdyn: 1\nname: arm\nconvention: modified\njoints:\n  - {type: revolute, mass: 0,\n"
            "     dh: {a: 0, alpha: 0, d: 0, theta: 0},\n     friction: {coulomb: 2.00, static: "
         << level << ", stribeck_velocity: " << velocity << "}}\n";
    return text.str();
  };
  shell.write("motion.csv", "q1,qd1,qdd1\n0,0.02,0\n0,0.08,0\n0,0.1,0\n0,0.3,0\n0,3,0\n0,60,0\n");
  shell.write("arm.yaml", arm(0.1, 3.5));
  const Outcome outcome =
      shell.run("$armdyn torque arm.yaml motion.csv --bounds --quiet --input-error decimal");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns nominal = csv_columns(outcome.out);
  const std::vector<double>& bounds = nominal.at("tau_error1");
  for (const double bound : bounds) EXPECT_LT(bound, 1.7);  // 3.55 - 1.995, and more
  for (const double velocity : {0.05, 0.07, 0.1, 0.13, 0.15}) {
    for (const double level : {3.45, 3.5, 3.55}) {
      shell.write("other.yaml", arm(velocity, level));
      const CsvColumns other =
          csv_columns(shell.run("$armdyn torque other.yaml motion.csv --quiet").out);
      for (std::size_t row = 0; row < bounds.size(); ++row) {
        EXPECT_LE(std::abs(other.at("tau1")[row] - nominal.at("tau1")[row]), bounds[row]) << row;
      }
    }
  }
}

// What a shape, formulas and a moved tensor make of their decimals: arms of other numbers with the
// same decimals need torques within the bounds.
TEST(Bounds, TakeDecimalsThroughShapesAndFormulas) {
  const Shell shell;
  // Numbers in <> are varied within their decimals.
  const std::string arm =
      "armdyn: 1\nname: arm\nconvention: standard\nangle_unit: deg\n"
      "parameters: {l: <0.52>, m: <3.1>, k: m*l^2/12, w: sqrt(l)/(l+m)}\njoints:\n"
      "  - {type: revolute, dh: {a: l, alpha: <37.0>, d: w, theta: 0},\n"
      "     shape: {box: [<0.31>, <0.22>, <0.1>], density: <800.0>, com: [-l/2, 0, 0],\n"
      "             rpy: [<20.0>, <-35.0>, 0]}}\n"
      "  - {type: revolute, dh: {a: l, alpha: 0, d: 0, theta: 0}, mass: m, com: [-l/2, <0.05>, "
      "0],\n"
      "     inertia_about: origin, inertia: {xx: <0.11>, yy: <0.43>, zz: k+m*l^2/2}}\n"
      "  - {type: revolute, dh: {a: <0.3>, alpha: 0, d: 0, theta: 0},\n"
      "     shape: {cylinder: [<0.05>, <0.31>], mass: <2.5>}}\n";
  std::mt19937 random(5);
  const auto write = [&](const std::string& file, bool is_varied) {
    std::string text = arm;
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at)) {
      const std::size_t end = text.find('>', at);
      std::string number = text.substr(at + 1, end - at - 1);
      if (is_varied) {
        const auto decimals = static_cast<double>(number.size() - number.find('.') - 1);
        const double u = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
        const double share = random() % 2 == 0 ? u : std::copysign(1.0, u);
        std::ostringstream varied;
        varied.precision(17);
        varied << std::stod(number) + share * 0.5 * std::pow(10.0, -decimals);
        number = varied.str();
      }
      text.replace(at, end + 1 - at, number);
    }
    shell.write(file, text);
  };
  write("arm.yaml", false);
  shell.write("motion.csv",
              "q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n0.3,0.2,-0.7,1.5,-0.4,2,-3,2,5\n"
              "1.3,-0.9,0.4,-2,3,1,4,-2,1\n");
  const Outcome bounds =
      shell.run("$armdyn torque arm.yaml motion.csv --bounds --input-error decimal --quiet");
  ASSERT_EQ(bounds.exit_code, 0) << bounds.err;
  const CsvColumns nominal = csv_columns(bounds.out);
  double closest = 0.0;
  for (int k = 0; k < 60; ++k) {
    write("other.yaml", true);
    const Outcome other = shell.run("$armdyn torque other.yaml motion.csv --quiet");
    ASSERT_EQ(other.exit_code, 0) << other.err;
    const CsvColumns found = csv_columns(other.out);
    for (const char* const joint : {"1", "2", "3"}) {
      for (std::size_t row = 0; row < 2; ++row) {
        const double off = std::abs(found.at("tau" + std::string(joint))[row] -
                                    nominal.at("tau" + std::string(joint))[row]);
        const double bound = nominal.at("tau_error" + std::string(joint))[row];
        EXPECT_LE(off, bound) << "joint " << joint << " of arm " << k;
        closest = std::max(closest, off / bound);
      }
    }
  }
  EXPECT_GT(closest, 0.3);
}

// Friction takes power: a residual along the motion is none, whatever a fit says.
TEST(Torque, HintsAtNoFrictionBelowZero) {
  const Shell shell;
  const auto hint = [&shell](const std::string& arm, const std::string& residual) {
    return shell
        .run("$armdyn torque " + arm + " " + test_data() +
             "/cases/rr_craig.csv --keep-motion --quiet >m.csv; awk -F, -v OFS=, 'NR>1 "
             "{s=$4>0?1:-1; n=((NR*7919)%101-50)/500; $8+=" +
             residual + "}1' m.csv >n.csv; $armdyn torque " + arm + " n.csv -o out.csv")
        .out;
  };
  const std::string found = "hint: shoulder: measured − computed is about ";
  EXPECT_NE(hint("craig-rr", "1.5*s+0.5*$4").find(found), std::string::npos);
  for (const char* const driving : {"-1.5*s", "-0.5*$4", "1.5*s-0.5*$4", "-1.5*s+0.5*$4"}) {
    EXPECT_EQ(hint("craig-rr", driving).find("hint"), std::string::npos) << driving;
  }
  // Below zero by chance: without that term.
  const std::string coulomb = hint("craig-rr", "1.5*s-0.03*$4+n");
  EXPECT_NE(coulomb.find(" sign(qd), with standard errors "), std::string::npos) << coulomb;
  // Less than the robot's own friction is friction.
  shell.write("rubbed.yaml", R"(armdyn: 1
name: rubbed
convention: modified
joints:
  - {name: shoulder, type: revolute, dh: {}, mass: 2, com: [0.2, 0, 0], inertia: {zz: 0.1},
     friction: {viscous: 2, coulomb: 3}}
  - {name: elbow, type: revolute, dh: {a: 0.5}, mass: 1, com: [0.2, 0, 0], inertia: {zz: 0.1}}
)");
  EXPECT_NE(hint("rubbed.yaml", "-1*s-0.5*$4").find(found), std::string::npos);
  EXPECT_EQ(hint("rubbed.yaml", "-4*s-0.5*$4").find("hint"), std::string::npos);
}

TEST(Torque, DrawsEachJointsTorquesOverTheNumbersOfItsRows) {
  const Shell shell;
  // Stretched and at rest without gravity: tau1 = (m2 l2^2 + m2 l1 l2) qdd2, tau2 = m2 l2^2 qdd2.
  shell.write("m.csv",
              "q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n"
              "0,0,0,0,0,8,1.25,2.5\n0,0,0,0,0,16,1.375,2.625\n0,0,0,0,0,24,1.5,2.75\n");
  (void)shell.run("mkdir bin");
  shell.write("bin/gnuplot", "#!/bin/sh\ncat >drawn\n");
  (void)shell.run("chmod +x bin/gnuplot");
  EXPECT_EQ(shell
                .run("env PATH=$PWD/bin:$PATH $armdyn torque craig-rr --set m2=2 --gravity 0,0,0 "
                     "m.csv --plot p.svg")
                .exit_code,
            4);
  const std::string drawn = shell.read("drawn");
  for (const char* curve : {"\n1 8\n2 16\n3 24\n", "\n1 4\n2 8\n3 12\n",  // computed
                            "\n1 1.25\n2 1.375\n3 1.5\n", "\n1 2.5\n2 2.625\n3 2.75\n"}) {
    EXPECT_NE(drawn.find(curve), std::string::npos) << curve << drawn;
  }
}

}  // namespace
}  // namespace armdyn::testing
