// How far a motion must be slowed down until the robot's limits hold, as a user reads it.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class SlowDownVerb : public ::testing::Test {
 protected:
  /// A bar of 1 kg m² about a level axis, G = 9.81 cos q, with these further keys of its joint.
  void arm(const std::string& keys) {
    shell.write("bar.yaml",
                "armdyn: 1\nname: bar\nconvention: modified\ngravity: [0, -9.81, 0]\n"
                "joints:\n  - {name: swing, type: revolute, mass: 1, com: [1, 0, 0], "
                "dh: {a: 0, alpha: 0, d: 0, theta: 0}, " +
                    keys + "}\n");
  }
  [[nodiscard]] Outcome run(const std::string& options) const {
    return shell.run("$armdyn torque bar.yaml m.csv -o tau.csv --slow-down " + options);
  }
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  const Shell shell;
};

TEST_F(SlowDownVerb, SaysTheFactorAndWhatBinds) {
  arm("limits: {velocity: 0.75}");
  ASSERT_EQ(shell.run("$armdyn trajectory bar.yaml --from 0 --to 1 --duration 1 --rate 7 -o m.csv")
                .exit_code,
            1);
  const Outcome text = run("");
  EXPECT_EQ(text.exit_code, 0);
  // 15/8 at the middle, where no row is.
  expect_in(text.out,
            "slow down: 0.4 of the speed keeps all limits, in 2.5 s; the velocity of "
            "swing limits it at t = 0.5 s\n");
  const auto slow = nlohmann::json::parse(run("--json").out)["slow_down"];
  EXPECT_NEAR(slow["factor"], 0.4, 1e-11);
  EXPECT_NEAR(slow["duration"], 2.5, 1e-10);
  EXPECT_EQ(slow["binding"]["name"], "swing");
  EXPECT_EQ(slow["binding"]["quantity"], "velocity");
  EXPECT_EQ(slow["binding"]["of_motor"], false);
  EXPECT_NEAR(slow["binding"]["time"], 0.5, 1e-6);
  EXPECT_EQ(slow["numeric"], false);
  ASSERT_EQ(slow["feasible"].size(), 1U);

  // The motion in that time keeps the limit, in less it does not.
  for (const auto& [duration, exit_code] : {std::pair{2.5 * (1 + 1e-9), 0}, {2.499, 1}}) {
    EXPECT_EQ(shell
                  .run(fmt::format("$armdyn trajectory bar.yaml --from 0 --to 1 --duration {} -o "
                                   "slow.csv",
                                   duration))
                  .exit_code,
              exit_code);
  }
}

TEST_F(SlowDownVerb, SaysThatNothingIsToBeSlowed) {
  arm("limits: {torque: 100}");
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,0,0,0\n1,1,0,0\n");
  const Outcome fine = run("");
  EXPECT_EQ(fine.exit_code, 0);
  expect_in(fine.out, "slow down: the motion keeps all limits at its own speed\n");
  EXPECT_EQ(nlohmann::json::parse(run("--json").out)["slow_down"]["factor"], 1.0);
}

TEST_F(SlowDownVerb, SaysWhereNoSpeedHelps) {
  arm("limits: {torque: 10}, friction: {coulomb: 1}");
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,-0.5,1,0\n1,0.5,1,0\n");
  const Outcome none = run("");
  EXPECT_EQ(none.exit_code, 1);
  expect_in(none.err,
            "no speed keeps the limits: gravity takes 9.81 and friction 1 of the 10 N·m of swing "
            "at t = 0.5 s");
  const auto json = nlohmann::json::parse(run("--json").out);
  EXPECT_EQ(json["slow_down"].size(), 1U);
  EXPECT_EQ(json["slow_down"]["obstacle"], json["warnings"].back());
}

TEST_F(SlowDownVerb, SaysWhereSlowerIsNotWithinTheLimits) {
  arm("limits: {torque: 4}, friction: {viscous: 10}");
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,0.001,-1,0\n0.002,-0.001,-1,0\n");
  expect_in(run("").out,
            "some lower speeds exceed a limit; within the limits are 0.581 to 1 of the speed");

  // Two states, one of which needs the speed that the other has no torque for.
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,0.001,-1,0\n0.002,-0.001,-1,0\n0.5,-0.8,-3,0\n");
  const Outcome both = run("");
  EXPECT_EQ(both.exit_code, 1);
  expect_in(both.err, "no speed keeps the limits: at t = ");
  expect_in(both.err, " of the speed, other limits ");
}

TEST_F(SlowDownVerb, SaysWhatIsMissing) {
  arm("limits: {torque: 10}");
  shell.write("m.csv", "q1,qd1,qdd1\n0,0,0\n");
  const Outcome no_times = run("");
  EXPECT_EQ(no_times.exit_code, 2);
  expect_in(no_times.err, "--slow-down needs the times t of the rows; --log-rate gives them");
  EXPECT_EQ(run("--log-rate 10").exit_code, 3);
  expect_in(run("--log-rate 10").err, "--slow-down needs a motion of two rows or more");
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,0,0,0\n1,1,0,0\n");
  EXPECT_EQ(run("--part 1/2").exit_code, 2);
  arm("friction: {viscous: 1}");
  const Outcome no_limits = run("");
  EXPECT_EQ(no_limits.exit_code, 2);
  expect_in(no_limits.err, "--slow-down needs limits, and bar has none of torque, velocity or");
}

TEST_F(SlowDownVerb, SaysWhereTheFirstGapIs) {
  arm("limits: {velocity: 0.75}");
  std::string rows = "t,q1,qd1,qdd1\n";
  for (const int first : {1, 31, 61}) {
    for (int k = 0; k < 20; ++k) rows += fmt::format("{}.5,0,0,0\n", first + k);
  }
  shell.write("m.csv", rows);
  const Outcome outcome = run("--gaps skip");
  EXPECT_EQ(outcome.exit_code, 3);
  expect_in(outcome.err,
            "--slow-down slows one motion, and there is a gap before t = 31.5 s; give");
  EXPECT_EQ(run("--gaps bridge").exit_code, 0);
  expect_in(run("--part 1/2").err, "--slow-down needs the whole motion; leave out --part");
}

TEST_F(SlowDownVerb, TakesTheWrenchOfTheHandAlong) {
  // 1 N m of n_z at the TCP adds to gravity; between the rows it changes evenly.
  arm("limits: {torque: 12}");
  shell.write("m.csv",
              "t,q1,qd1,qdd1,fx,fy,fz,nx,ny,nz\n0,0,0,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0,0,3\n");
  const Outcome none = run("");
  EXPECT_EQ(none.exit_code, 1);
  expect_in(none.err, "no speed keeps the limits: gravity and contact wrench take 12.81 of the 12");
}

}  // namespace
}  // namespace armdyn::testing
