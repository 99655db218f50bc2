// The fastest motion on a path, as a user asks for it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class TimeOptimalVerb : public ::testing::Test {
 protected:
  [[nodiscard]] Outcome run(const std::string& options) const {
    return shell.run("$armdyn trajectory puma560 --quiet -o m.csv " + options);
  }
  [[nodiscard]] nlohmann::json answer(const std::string& options) const {
    const Outcome outcome =
        shell.run("$armdyn trajectory puma560 --json --rate 500 -o m.csv " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }

  const Shell shell;
};

TEST_F(TimeOptimalVerb, KeepsAllLimitsAndIsCloseToItsBound) {
  for (const std::string path : {"--from qz --to qr", "--via via.csv", "--along slow.csv"}) {
    shell.write("via.csv",
                "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0.5,0.3,-0.5,0.1,0.2,0\n1,1,-1,0,0,0\n");
    ASSERT_EQ(run("--from qz --to qr --duration 3 --rate 50").exit_code, 0);
    ASSERT_EQ(shell.run("mv m.csv slow.csv").exit_code, 0);
    const auto fastest = answer(path + " --time-optimal");
    const auto& found = fastest["time_optimal"];
    EXPECT_EQ(found["duration"], fastest["t"][1]) << path;
    EXPECT_LE(found["lower_bound"], found["duration"]);
    EXPECT_LT(found["gap"], 0.01);
    EXPECT_EQ(shell.run("$armdyn torque puma560 m.csv --strict -o t.csv").exit_code, 0) << path;
    // Twice the torque is faster.
    EXPECT_LT(answer(path + " --time-optimal --torque-share 2")["t"][1], fastest["t"][1]);
  }
  // The path of --from and --to and that of a motion along it are the same.
  const double straight = answer("--from qz --to qr --time-optimal")["t"][1];
  EXPECT_NEAR(answer("--along slow.csv --time-optimal")["t"][1], straight, 1e-4 * straight);
}

TEST_F(TimeOptimalVerb, SlowsMotionsDownToTorqueLimits) {
  const auto slower = answer("--from qz --to qr --duration 0.4 --torque-share 0.9");
  const double factor = slower["slow_down"]["factor"];
  EXPECT_LT(factor, 1.0);
  EXPECT_NEAR(slower["t"][1], 0.4 / factor, 1e-12);
  const auto torque =
      nlohmann::json::parse(shell.run("$armdyn torque puma560 m.csv --json -o t.csv").out);
  double most = 0.0;
  for (const auto& joint : torque["joints"]) most = std::max<double>(most, joint["share"]);
  EXPECT_LE(most, 0.9);
  EXPECT_GT(most, 0.899);
}

TEST_F(TimeOptimalVerb, CarriesAWeakPendulumThroughAndProvesWhereItStops) {
  const auto pendulum = [&](double limit) {
    shell.write("bar.yaml",
                fmt::format("armdyn: 1\nname: bar\nconvention: modified\ngravity: [0, -9.81, 0]\n"
                            "joints:\n  - {{name: swing, type: revolute, mass: 1, com: [1, 0, 0], "
                            "dh: {{a: 0, alpha: 0, d: 0, theta: 0}}, "
                            "friction: {{viscous: 0.2, coulomb: 0.3}}, limits: {{torque: {}}}}}\n",
                            limit));
    return shell.run("$armdyn trajectory bar.yaml --from -1.2 --to 1.2 --time-optimal -o m.csv");
  };
  const Outcome through = pendulum(9.4);
  EXPECT_EQ(through.exit_code, 0);
  EXPECT_NE(through.out.find("time-optimal: 1.6605"), std::string::npos) << through.out;
  EXPECT_EQ(shell.run("$armdyn torque bar.yaml m.csv --strict -o t.csv").exit_code, 0);
  const Outcome none = pendulum(8.4);
  EXPECT_EQ(none.exit_code, 5);
  EXPECT_NE(none.err.find("no motion on this path keeps the limits: none gets past 57."),
            std::string::npos)
      << none.err;
}

TEST_F(TimeOptimalVerb, ShowsThePhasePlaneAndSharesOfTorques) {
  const Outcome outcome = run("--from qz --to qr --time-optimal --rate 100 --report page.html");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string page = shell.read("page.html");
  for (const char* words : {"TCP", "phase plane", "fastest possible", "ds/dt", "share of the limit",
                            "torque of waist"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
}

TEST_F(TimeOptimalVerb, RefusesWhatDoesNotGoTogether) {
  for (const std::string options :
       {"--from qz --to qr --time-optimal --duration 2",
        "--from qz --to qr --time-optimal --straight",
        "--from qz --to qr --time-optimal --profile cubic", "--excite --time-optimal",
        "--along m.csv", "--along m.csv --time-optimal --from qz", "--excite --torque-share 1"}) {
    EXPECT_EQ(run(options).exit_code, 2) << options;
  }
  const Outcome none = shell.run(
      "$armdyn trajectory stanford --from 0,0,1,0,0,0 --to 1,0,1,0,0,0 --time-optimal -o m.csv");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("--time-optimal needs a limit of torque or acceleration"),
            std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace armdyn::testing
