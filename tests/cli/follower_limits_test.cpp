// Limits of a joint that follows several, in every verb that looks at limits: against its position
// 0.4 − q1 − q2 written out.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/csv_columns.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

constexpr double lower = -0.8, upper = 1.2, fastest = 1.5, briskest = 6.0;

class FollowerLimits : public ::testing::Test {
 protected:
  FollowerLimits() {
    shell.write("level.yaml", R"(armdyn: 1
name: level
convention: modified
gravity: [0, -9.81, 0]
joints:
  - {name: shoulder, type: revolute, dh: {a: 0}, mass: 4, com: [0.2, 0.01, 0],
     inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, friction: {viscous: 0.5},
     limits: {velocity: 3, acceleration: 30, torque: 90}}
  - {name: elbow, type: revolute, dh: {a: 0.5}, mass: 3, com: [0.2, -0.02, 0],
     inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, limits: {velocity: 3, acceleration: 30, torque: 40}}
  - {name: hand, type: revolute, dh: {a: 0.4}, mass: 2, com: [0.1, 0, 0],
     inertia: {xx: 0.01, yy: 0.02, zz: 0.02},
     follows: {row: {shoulder: -1, elbow: -1}, offset: 0.4}, friction: {viscous: 0.2},
     limits: {position: [-0.8, 1.2], velocity: 1.5, acceleration: 6}}
)");
  }

  struct Reach {
    double lowest = upper, highest = lower, velocity = 0.0, acceleration = 0.0;
  };
  /// By hand, of the rows of a file.
  [[nodiscard]] Reach reach_of(const std::string& file) const {
    CsvColumns rows = csv_columns(shell.read(file));
    Reach found;
    for (std::size_t k = 0; k < rows.at("q1").size(); ++k) {
      const double x = 0.4 - rows["q1"][k] - rows["q2"][k];
      found.lowest = std::min(found.lowest, x);
      found.highest = std::max(found.highest, x);
      found.velocity = std::max(found.velocity, std::abs(rows["qd1"][k] + rows["qd2"][k]));
      found.acceleration =
          std::max(found.acceleration, std::abs(rows["qdd1"][k] + rows["qdd2"][k]));
    }
    return found;
  }
  /// Plans a motion, and expects it to keep all limits and to come near one of them.
  void expect_kept(const std::string& options) const {
    const Outcome outcome = shell.run("$armdyn trajectory level.yaml " + options + " -o m.csv");
    EXPECT_EQ(outcome.exit_code, 0) << options << "\n" << outcome.err;
    const Reach reach = reach_of("m.csv");
    EXPECT_GE(reach.lowest, lower) << options;
    EXPECT_LE(reach.highest, upper) << options;
    EXPECT_LE(reach.velocity, fastest * (1 + 1e-9)) << options;
    EXPECT_LE(reach.acceleration, briskest * (1 + 1e-9)) << options;
    EXPECT_GT(std::max({reach.velocity / fastest, reach.acceleration / briskest,
                        (0.4 - reach.lowest) / 1.2, (reach.highest - 0.4) / 0.8}),
              0.94)
        << options;
  }

  const Shell shell;
};

TEST_F(FollowerLimits, TrackSaysHowFarFromTheMotionTheLimitIs) {
  ASSERT_EQ(
      shell
          .run("$armdyn trajectory level.yaml --from 0,0 --to 0.6,0.4 --duration 1.5 -o m.csv "
               "--quiet")
          .exit_code,
      0);
  const Outcome outcome =
      shell.run("$armdyn track level.yaml m.csv --controller pd --kp 40 --kv 2 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  CsvColumns rows = csv_columns(shell.read("out.csv"));
  const double away = std::abs(rows["e1"].back() + rows["e2"].back());
  EXPECT_NE(outcome.err.find(
                fmt::format("hand runs into its limit {:.3g} rad away from the motion", away)),
            std::string::npos)
      << outcome.err;
}

TEST_F(FollowerLimits, TorqueReportsWhatTheMotionAsks) {
  EXPECT_EQ(shell
                .run("$armdyn trajectory level.yaml --from 0,0 --to 0.9,0.6 --duration 0.8 -o "
                     "m.csv --quiet")
                .exit_code,
            1);
  const Outcome outcome = shell.run("$armdyn torque level.yaml m.csv -o tau.csv --strict --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto summary = nlohmann::json::parse(outcome.out);
  const Reach reach = reach_of("m.csv");
  ASSERT_EQ(summary["followers"].size(), 2U);
  const double peaks[] = {reach.velocity, reach.acceleration}, limits[] = {fastest, briskest};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(summary["followers"][k]["name"], "hand");
    EXPECT_NEAR(summary["followers"][k]["peak"], peaks[k], 1e-12);
    EXPECT_EQ(summary["followers"][k]["limit"], limits[k]);
  }
  EXPECT_FALSE(summary.contains("motors"));
  const std::string text = shell.run("$armdyn torque level.yaml m.csv -o tau.csv").err;
  for (const char* const words :
       {"hand: |qd| reaches", "its limit is 1.5 rad/s", "hand: |qdd| reaches",
        "hand: q is 0.3 rad outside its limits -0.8 to 1.2 rad at t = 0.8 s"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

TEST_F(FollowerLimits, TrajectoriesKeepThem) {
  const std::string ends = "--from 0,0 --to 0.7,0.4 --rate 1000 ";
  for (const char* const profile : {"trapezoid", "lspb", "cubic", "quintic", "septic"}) {
    expect_kept(ends + "--profile " + profile);
  }
  expect_kept("--from -0.3,0.4 --to 0.3,0.8 --rate 1000 --straight");
  expect_kept(ends + "--time-optimal");
  shell.write("via.csv", "q1,q2\n0,0\n0.7,0.4\n-0.3,0.5\n0.2,-0.9\n");
  expect_kept("--via via.csv --rate 1000");
  shell.write("via.csv", "q1,q2\n0,0\n0.4,0.2\n-0.2,0.3\n0.1,-0.4\n");
  expect_kept("--via via.csv --rate 1000 --profile cubic");
  expect_kept("--excite --limits 5,50 --from 0.1,0.1");
  expect_kept("--excite --optimize --limits 5,50 --from 0.1,0.1");
  const Outcome center = shell.run("$armdyn trajectory level.yaml --excite --from 1,1 -o m.csv");
  EXPECT_EQ(center.exit_code, 2);
  EXPECT_NE(center.err.find("at the center, hand is not within its limits of position; give "
                            "another one with --from"),
            std::string::npos)
      << center.err;
}

TEST_F(FollowerLimits, TrajectoriesThatLeaveThemAreNamed) {
  shell.write("via.csv", "q1,q2\n0,0\n0.9,0.6\n0.2,0.2\n");
  const Outcome via = shell.run("$armdyn trajectory level.yaml --via via.csv -o m.csv");
  EXPECT_EQ(via.exit_code, 1);
  EXPECT_NE(via.err.find("hand: q is 0.3 rad outside its limits -0.8 to 1.2 rad at waypoint 2"),
            std::string::npos)
      << via.err;
  const Outcome state = shell.run("$armdyn inspect level.yaml --q 0.9,0.6");
  EXPECT_NE(state.err.find("hand: q is 0.3 rad outside its limits -0.8 to 1.2 rad at -1.1 rad"),
            std::string::npos)
      << state.err;
}

TEST_F(FollowerLimits, SimulationsEndThere) {
  for (const char* const integrator : {"rk4", "rkf78"}) {
    const Outcome outcome = shell.run(
        "$armdyn simulate level.yaml --duration 2 --without friction --json -o fall.csv "
        "--integrator " +
        std::string(integrator));
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    const auto limit = nlohmann::json::parse(outcome.out)["limit"];
    EXPECT_EQ(limit["joint"], "hand");
    EXPECT_EQ(limit["limit"], upper);
    const CsvColumns rows = csv_columns(shell.read("fall.csv"));
    EXPECT_NEAR(0.4 - rows.at("q1").back() - rows.at("q2").back(), upper, 1e-9);
    EXPECT_NEAR(limit["time"], rows.at("t").back(), 1e-12);
    for (std::size_t k = 0; k + 1 < rows.at("q1").size(); ++k) {
      EXPECT_LT(0.4 - rows.at("q1")[k] - rows.at("q2")[k], upper);
    }
  }
  EXPECT_EQ(
      shell.run("$armdyn simulate level.yaml --duration 2 --at-limit ignore -o fall.csv").exit_code,
      0);
  const Outcome outside = shell.run("$armdyn simulate level.yaml --duration 1 --q0 1,0.5");
  EXPECT_NE(outside.err.find("hand starts at -1.1 rad, beyond its limit -0.8 rad"),
            std::string::npos)
      << outside.err;
  shell.write("starts.csv", "q1,q2\n0,0\n-0.3,0.1\n");
  const Outcome batch =
      shell.run("$armdyn simulate level.yaml --batch starts.csv --duration 2 -o ends.csv");
  EXPECT_EQ(batch.exit_code, 1);
  EXPECT_EQ(csv_columns(shell.read("ends.csv")).at("joint"), (std::vector<double>{3.0, 3.0}));
  EXPECT_NE(batch.err.find("2 runs ended at a limit of hand, which follows other joints"),
            std::string::npos)
      << batch.err;
  // At its limit, moving away from it.
  EXPECT_EQ(shell
                .run("$armdyn simulate level.yaml --duration 0.05 --q0 0.5,0.7 --qd0 -1,0 -o "
                     "fall.csv")
                .exit_code,
            0);
}

}  // namespace
}  // namespace armdyn::testing
