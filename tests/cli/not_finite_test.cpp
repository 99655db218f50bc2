// Every verb ends with exit 5 where a result is no finite number: it names the place, the joint and
// the input that is too large, and nothing is written.

#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class NotFiniteOutput : public ::testing::Test {
 protected:
  /// Nothing but the message, which has all these parts.
  void expect_refusal(const std::string& command, const std::vector<std::string>& parts) const {
    const std::string before = shell.list();
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, 5) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(shell.list(), before) << command;
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.err.find(part), std::string::npos) << command << "\n" << outcome.err;
    }
  }

  Shell shell;
};

TEST_F(NotFiniteOutput, OfTorqueAndCompareNamesFileLineJointAndInput) {
  shell.write("m.csv", "# by hand\nq1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n\n0,1,1e160,0,0,0\n");
  const std::vector<std::string> parts{"armdyn: m.csv:5: ", " is not a finite number: ",
                                       "qd of shoulder, 1e+160 rad/s, is too large\n"};
  for (const std::string verb : {"torque", "compare"}) {
    for (const std::string options : {"", " -o out.csv"}) {
      expect_refusal("$armdyn " + verb + " craig-rr m.csv" + options, parts);
    }
    expect_refusal("$armdyn " + verb + " craig-rr m.csv --json",
                   {"\"exit\": 5", "\"m.csv:5: ", "1e+160 rad/s, is too large\""});
  }
  for (const std::string options :
       {"--terms", "--reactions", "--keep-motion -o out.npy", "--method lagrange", "--threads 1"}) {
    expect_refusal("$armdyn torque craig-rr m.csv " + options, parts);
  }
  expect_refusal("$armdyn compare craig-rr m.csv --differences d.csv -o out.txt", parts);
}

TEST_F(NotFiniteOutput, NamesTheLineOfARowThatIsDerivedOrDrawnBetween) {
  std::string rows = "t,q1,q2\n";
  for (int k = 0; k < 40; ++k) {
    rows += std::to_string(k) + "e-2,0," + (k == 25 ? "1e300" : "0") + "\n";
  }
  shell.write("log.csv", rows);
  expect_refusal("$armdyn torque craig-rr log.csv --derive --window 0.06",
                 {"armdyn: log.csv:2", ": the torque of shoulder", "is too large\n"});
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,1e170,0,0\n");
  expect_refusal("$armdyn torque craig-rr m.csv --resample 10", {"armdyn: m.csv:3: "});
}

TEST_F(NotFiniteOutput, OfAModelThatIsTooLargeNamesIt) {
  for (const std::string& verb :
       {std::string("check puma560"), std::string("inspect puma560 --q qr"),
        std::string("compare puma560 --random 5"),
        std::string("simulate puma560 --duration 0.01")}) {
    expect_refusal("$armdyn " + verb + " --gravity 0,0,-1e308", {"gravity, 1e+308 m/s², "});
    expect_refusal("$armdyn " + verb + " --payload 1e308,1,1,1",
                   {"the mass of link 6 with its payload, 1e+308 kg"});
  }
}

TEST_F(NotFiniteOutput, OfSimulateTrackTrajectoryAndInspect) {
  shell.write("tau.csv", "t,tau1,tau2\n0,1.7e308,0\n1,0,0\n");
  expect_refusal("$armdyn simulate two-link-spong --duration 1 --qd0 1e160,0",
                 {"at t = 0 s", "qd of shoulder, 1e+160 rad/s, is too large"});
  expect_refusal("$armdyn simulate craig-rr tau.csv -o out.csv",
                 {"at t = 0 s", "tau of shoulder, 1.7e+308 N·m, is too large"});
  expect_refusal("$armdyn inspect craig-rr --qd 0,1e200", {"qd of elbow, 1e+200 rad/s"});
  expect_refusal("$armdyn trajectory craig-rr --from 0,0 --to 1e308,1 --duration 1e-3 -o out.csv",
                 {"the motion of shoulder is not a finite number"});
  expect_refusal("$armdyn trajectory craig-rr --from 0,-1.7e308 --to 0,1.7e308 --duration 1",
                 {"the motion of elbow is not a finite number"});
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n");
  expect_refusal("$armdyn track craig-rr m.csv --controller pd --kp 1e308 --kv 1e308 --q0 100,0",
                 {"at t = 0 s", "the controller's torque of shoulder is not a finite number"});
}

TEST_F(NotFiniteOutput, OfARunOfABatchLeavesItsCellsEmpty) {
  shell.write("b.csv", "q1,q2,qd1,qd2\n0,0,0,0\n0,0,1e160,0\n");
  const Outcome outcome = shell.run("$armdyn simulate two-link-spong --batch b.csv --duration 0.1");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("inf"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n2,5,0,0,0,0,1e+160,0,,,0,0,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("run 2 (b.csv:3): at t = 0 s"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("qd of shoulder, 1e+160 rad/s"), std::string::npos) << outcome.err;
}

TEST_F(NotFiniteOutput, OfAResidualNamesBothTorques) {
  shell.write("m.csv", "q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n0,0,0,0,5e307,0,-1.7e308,0\n");
  expect_refusal("$armdyn torque two-link-spong m.csv",
                 {"m.csv:2: measured less computed torque of shoulder is not a finite number"});
}

TEST_F(NotFiniteOutput, IsNotThatOfTorquesWhoseSquaresAreTooLarge) {
  shell.write("m.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,1e200,0\n1,0,0,0,0,1e200,0\n");
  const Outcome outcome = shell.run("$armdyn torque two-link-spong m.csv --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("null"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace armdyn::testing
