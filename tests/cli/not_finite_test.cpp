// Numbers beyond the limits of input are refused when they are read, with file, line and column
// (exit 3) or with their option (exit 2). Where a result is no finite number after all, every verb
// ends with exit 5 and names the place and the joint. Nothing is written.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/csv_columns.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class NotFiniteOutput : public ::testing::Test {
 protected:
  /// Nothing but the message, which has all these parts.
  void expect_refusal(int exit_code, const std::string& command,
                      const std::vector<std::string>& parts) const {
    const std::string before = shell.list();
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, exit_code) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(shell.list(), before) << command;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << command << "\n" << outcome.err;
    }
  }

  Shell shell;
};

TEST_F(NotFiniteOutput, IsPreventedByTheLimitsOfATablesNumbers) {
  shell.write("m.csv", "# by hand\nq1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n\n0,1,1e160,0,0,0\n");
  const std::vector<std::string> parts{
      "m.csv:5: column \"qd1\": found \"1e+160\", expected magnitudes of at most 1e+15 in "
      "SI units\n"};
  for (const std::string verb : {"torque", "compare"}) {
    for (const std::string options : {"", " -o out.csv"}) {
      expect_refusal(3, "$armdyn " + verb + " craig-rr m.csv" + options, parts);
    }
    expect_refusal(3, "$armdyn " + verb + " craig-rr m.csv --json", {"\"exit\": 3", "\"m.csv:5: "});
  }
  shell.write("far.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,-1.1e9,0,0,0,0\n");
  expect_refusal(3, "$armdyn torque craig-rr far.csv",
                 {"far.csv:2: column \"q2\"", "at most 1e+09 in SI units"});
  shell.write("degrees.csv", "q1[deg],q2[deg],qd1,qd2,qdd1,qdd2\n0,5e10,1e15,-1e15,0,0\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr degrees.csv").exit_code, 0);
  shell.write("tau.csv", "t,tau1,tau2\n0,1.7e308,0\n1,0,0\n");
  expect_refusal(3, "$armdyn simulate craig-rr tau.csv -o out.csv", {"tau.csv:2: column \"tau1\""});
  shell.write("b.csv", "q1,q2,qd1,qd2\n0,0,0,0\n0,0,1e160,0\n");
  expect_refusal(3, "$armdyn simulate two-link-spong --batch b.csv --duration 0.1",
                 {"b.csv:3: column \"qd1\""});
}

TEST_F(NotFiniteOutput, IsPreventedByTheLimitsOfOptions) {
  for (const std::string& verb :
       {std::string("check puma560"), std::string("inspect puma560 --q qr"),
        std::string("compare puma560 --samples 5"),
        std::string("simulate puma560 --duration 0.01")}) {
    expect_refusal(2, "$armdyn " + verb + " --gravity 0,0,-1e308",
                   {"--gravity: found \"0,0,-1e308\"", "at most 1e+15"});
    expect_refusal(2, "$armdyn " + verb + " --payload 1e308,1,1,1",
                   {"--payload: found \"1e308,1,1,1\"", "at most 1e+09"});
  }
  expect_refusal(2, "$armdyn simulate two-link-spong --duration 1 --qd0 1e160,0", {"--qd0"});
  expect_refusal(2, "$armdyn inspect craig-rr --qd 0,1e200", {"--qd: found \"0,1e200\""});
  expect_refusal(2, "$armdyn trajectory craig-rr --from 0,0 --to 1e308,1 --duration 1", {"--to"});
}

TEST_F(NotFiniteOutput, OfTheLargestNumbersIsNone) {
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,1e9,1e9,1e15,1e15,1e15,1e15\n");
  for (const std::string command :
       {"torque two-link-spong m.csv --terms --payload 1e9,1e9,1e9,1e9 --gravity 1e15,1e15,1e15",
        "inspect two-link-spong --q 1e9,1e9 --qd 1e15,1e15 --qdd 1e15,1e15"}) {
    const Outcome outcome = shell.run("$armdyn " + command);
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
  }
}

/// A slide of a mass within the limits, and a log whose rows are so near in time that the rates
/// derived from it are beyond what a double holds.
class NotFiniteOutputOfASlide : public NotFiniteOutput {
 protected:
  void write_slide(const std::string& name, const std::string& mass) const {
    shell.write(
        name,
        "armdyn: 1\nname: slide\nconvention: modified\ngravity: [0, 0, 0]\njoints:\n"
        "  - {name: rail, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: " +
            mass + "}\n");
  }
  void write_log(const std::string& name, const std::string& exponent) const {
    std::string rows = "t,q1\n";
    for (int k = 0; k < 40; ++k) {
      rows += std::to_string(k) + exponent + "," + (k == 25 ? "1e9" : "0") + "\n";
    }
    shell.write(name, rows);
  }
};

TEST_F(NotFiniteOutputOfASlide, IsPreventedByTheLimitsOfARobotFile) {
  write_slide("heavy.yaml", "1.1e+9");
  shell.write("m.csv", "q1,qd1,qdd1\n0,0,0\n0,0,1e10\n");
  for (const std::string verb : {"torque", "compare"}) {
    expect_refusal(3, "$armdyn " + verb + " heavy.yaml m.csv",
                   {"heavy.yaml:6:82: error: joints[0].mass: found 1100000000; expected magnitudes "
                    "of at most 1e+09 in SI units\n"});
  }
}

TEST_F(NotFiniteOutputOfASlide, NamesTheLineAndTheJoint) {
  write_slide("heavy.yaml", "1.0e+9");
  write_log("log.csv", "e-147");
  for (const std::string options : {"", "--terms", "--reactions", "--keep-motion -o out.npy",
                                    "--method lagrange", "--threads 1", "--resample 1.5e147"}) {
    expect_refusal(
        5, "$armdyn torque heavy.yaml log.csv --derive --window 6e-147 " + options,
        {"armdyn: log.csv:24: ", " of rail is not a finite number: an input is too large\n"});
  }
}

TEST_F(NotFiniteOutputOfASlide, OfARunOfABatchLeavesItsCellsEmpty) {
  write_slide("light.yaml", "1.0e-300");
  shell.write("b.csv", "q1,qd1,tau1\n0,0,0\n0,1,1e10\n");
  const Outcome outcome = shell.run("$armdyn simulate light.yaml --batch b.csv --duration 0.1");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("inf"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n2,5,0,0,0,1,,1e+10,0,0,0\n"), std::string::npos) << outcome.out;
  EXPECT_NE(
      outcome.err.find("run 2 (b.csv:3): at t = 0 s the acceleration of rail is not a finite"),
      std::string::npos)
      << outcome.err;
}

TEST_F(NotFiniteOutputOfASlide, IsNotThatOfTorquesWhoseSquaresAreTooLarge) {
  write_slide("heavy.yaml", "1.0e+9");
  write_log("log.csv", "e-142");
  const Outcome outcome =
      shell.run("$armdyn torque heavy.yaml log.csv --derive --window 6e-142 --json -o tau.csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"rms\": 9.1328996565"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("e+300,\n"), std::string::npos) << outcome.out;
  // Over time: rows are evenly apart, and the first and the last, without a torque, count half.
  const std::vector<double> tau = csv_columns(shell.read("tau.csv"))["tau1"];
  double squares = 0.0;
  for (const double x : tau) squares += x / 1e300 * (x / 1e300);
  EXPECT_EQ(tau.front(), 0.0);
  EXPECT_EQ(tau.back(), 0.0);
  EXPECT_NEAR(nlohmann::json::parse(outcome.out)["joints"][0]["rms"].get<double>() / 1e300,
              std::sqrt(squares / static_cast<double>(tau.size() - 1)), 1e-9);
}

TEST_F(NotFiniteOutput, OfAController) {
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n");
  expect_refusal(5, "$armdyn track craig-rr m.csv --controller pd --kp 1e308 --kv 1e308 --q0 100,0",
                 {"at t = 0 s", "the controller's torque of shoulder is not a finite number"});
}

}  // namespace
}  // namespace armdyn::testing
