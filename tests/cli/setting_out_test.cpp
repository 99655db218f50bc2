// Drives that cannot start, as a user meets them: an arm of 5 kg at 0.6 m, whose joint takes
// 29.43 N·m of gravity and 5 N·m of static friction to set out, and gives 32.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class SettingOutVerbs : public ::testing::Test {
 protected:
  SettingOutVerbs() { arm("32"); }

  void arm(const std::string& limit, const std::string& more = "") const {
    shell.write("arm.yaml",
                "armdyn: 1\nname: arm\nconvention: modified\ngravity: [0, -9.81, 0]\njoints:\n"
                "  - {name: lift, type: revolute, mass: 5, com: [0.6, 0, 0],\n"
                "     dh: {a: 0, alpha: 0, d: 0, theta: 0}, friction: {coulomb: 1, static: 5},\n"
                "     motor: {gear_ratio: 100, peak_torque: 0.32},\n"
                "     limits: {velocity: 2, acceleration: 9, torque: " +
                    limit + "}}\n" + more);
  }
  [[nodiscard]] Outcome run(const std::string& command) const {
    return shell.run("$armdyn " + command);
  }
  /// Writes a slow motion.
  void motion(const std::string& options) const {
    ASSERT_EQ(run("trajectory arm.yaml --duration 8 --rate 50 -o m.csv " + options).exit_code, 0);
  }
  /// Whether the arm has moved from q = 0 after half a second of that torque.
  [[nodiscard]] bool moves_at(double torque) const {
    shell.write("tau.csv", fmt::format("t,tau1\n0,{0}\n0.5,{0}\n", torque));
    EXPECT_EQ(run("simulate arm.yaml tau.csv --q0 0 --json -o moved.csv").exit_code, 0);
    return shell.run("tail -n 1 moved.csv").out.find("0.5,0,0,") != 0;
  }

  const Shell shell;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(SettingOutVerbs, AgreeWithASimulation) {
  EXPECT_FALSE(moves_at(32.0));
  EXPECT_FALSE(moves_at(34.4299));
  EXPECT_TRUE(moves_at(34.4301));
  EXPECT_FALSE(moves_at(24.4301));
  EXPECT_TRUE(moves_at(24.4299));
}

TEST_F(SettingOutVerbs, FailWhereTheMotionCannotStart) {
  for (const char* const profile : {"quintic", "cubic"}) {
    motion(std::string("--from 0 --to 0.3 --profile ") + profile);
    const Outcome size = run("size arm.yaml m.csv");
    EXPECT_EQ(size.exit_code, 1);
    expect_in(size.out,
              "motor.peak_torque at breakaway  0.3443   0.32  N·m           108 %         0  FAIL");
    const Outcome slow = run("torque arm.yaml m.csv -o tau.csv --slow-down");
    EXPECT_EQ(slow.exit_code, 1);
    expect_in(slow.err,
              "no speed keeps the limits: gravity takes 29.43 and friction 5 of the 32 N·m of lift "
              "at t = 0 s");
    const Outcome strict = run("torque arm.yaml m.csv -o tau.csv --strict");
    EXPECT_EQ(strict.exit_code, 1);
    expect_in(strict.err, "lift: breakaway |τ| reaches 34.43 N·m at t = 0 s, its limit is 32 N·m");
    const Outcome limited =
        run(std::string("trajectory arm.yaml --from 0 --to 0.3 --duration 8 --torque-share 1 ") +
            "-o slow.csv --profile " + profile);
    EXPECT_EQ(limited.exit_code, 5);
    expect_in(
        limited.err,
        "no speed keeps the limits: gravity takes 29.43 and friction 5 of the 32 N·m of lift");
  }
  EXPECT_EQ(run("trajectory arm.yaml --from 0 --to 0.3 --time-optimal -o fast.csv").exit_code, 5);
}

TEST_F(SettingOutVerbs, PassWhereItCan) {
  const auto all_pass = [&](const std::string& ends) {
    motion(ends);
    EXPECT_EQ(run("torque arm.yaml m.csv -o tau.csv --slow-down --strict").exit_code, 0) << ends;
    EXPECT_EQ(run("trajectory arm.yaml -o m.csv --duration 8 --torque-share 1 " + ends).exit_code,
              0);
    EXPECT_EQ(run("trajectory arm.yaml -o m.csv --time-optimal " + ends).exit_code, 0) << ends;
    EXPECT_EQ(run("torque arm.yaml m.csv -o tau.csv --strict").exit_code, 0) << ends;
  };
  all_pass("--from 0 --to -0.3");   // gravity helps
  all_pass("--from 0.6 --to 0.9");  // there it is 24.29
  motion("--from 0.6 --to 0.9");
  EXPECT_EQ(run("size arm.yaml m.csv").exit_code, 0);
  arm("34.44");
  all_pass("--from 0 --to 0.3");
}

TEST_F(SettingOutVerbs, CountPayloadAndWrench) {
  arm("36");
  motion("--from 0 --to 0.3");
  EXPECT_EQ(run("torque arm.yaml m.csv -o tau.csv --strict").exit_code, 0);
  // 0.3 kg at 0.6 m take 1.77 N·m more.
  const Outcome loaded = run("torque arm.yaml m.csv -o t.csv --strict --payload 0.3,0.6,0,0");
  EXPECT_EQ(loaded.exit_code, 1);
  expect_in(loaded.err, "lift: breakaway |τ| reaches 36.2 N·m at t = 0 s");
  shell.write("pushed.csv", shell
                                .run("awk -F, 'BEGIN {OFS = \",\"} {print $0, NR == 1 ? "
                                     "\"fx,fy,fz,nx,ny,nz\" : \"0,0,0,0,0,2\"}' m.csv")
                                .out);
  const Outcome pushed = run("torque arm.yaml pushed.csv -o t.csv --slow-down");
  EXPECT_EQ(pushed.exit_code, 1);
  expect_in(
      pushed.err,
      "gravity and contact wrench take 31.43 and friction 5 of the 36 N·m of lift at t = 0 s");
  expect_in(pushed.err, "lift: breakaway |τ| reaches 36.43 N·m at t = 0 s");
}

TEST_F(SettingOutVerbs, LookAtTheRowsOfAFile) {
  // It waits, rises, rests and rises on: from rest at q = 0.3 29.43 cos 0.3 + 5 = 33.12 N·m.
  arm("34");
  shell.write("m.csv",
              "t,q1,qd1,qdd1\n0,-0.9,0,0\n1,-0.9,0,0\n3,-0.3,0.45,0\n5,0.3,0,0\n6,0.3,0,0\n"
              "8,0.6,0.2,0\n10,0.8,0,0\n");
  EXPECT_EQ(run("torque arm.yaml m.csv -o tau.csv --strict").exit_code, 0);
  arm("33");
  const Outcome strict = run("torque arm.yaml m.csv -o tau.csv --strict");
  EXPECT_EQ(strict.exit_code, 1);
  expect_in(strict.err, "lift: breakaway |τ| reaches 33.12 N·m at t = 6 s, its limit is 33 N·m");
  expect_in(run("torque arm.yaml m.csv -o tau.csv --slow-down").err,
            "no speed keeps the limits: gravity takes 28.12 and friction 5 of the 33 N·m of lift "
            "at t = 6 s");
  const auto sized = nlohmann::json::parse(run("size arm.yaml m.csv --json").out)["joints"][0];
  EXPECT_NEAR(sized["breakaway"], 0.3311555, 1e-6);
  EXPECT_EQ(sized["breakaway_time"], 6.0);
  // A joint that rests all the time does not set out.
  shell.write("m.csv", "t,q1,qd1,qdd1\n0,0.3,0,0\n1,0.3,0,0\n2,0.3,0,0\n");
  EXPECT_EQ(run("torque arm.yaml m.csv -o tau.csv --strict --slow-down").exit_code, 0);
  const auto still = nlohmann::json::parse(run("size arm.yaml m.csv --json").out)["joints"][0];
  EXPECT_FALSE(still.contains("breakaway"));
}

TEST_F(SettingOutVerbs, JudgeCoupledMotors) {
  // A shoulder and an elbow without gravity, by motors that turn with the sum and the difference.
  shell.write("pair.yaml",
              "armdyn: 1\nname: pair\nconvention: modified\ngravity: [0, 0, 0]\njoints:\n"
              "  - {name: one, type: revolute, mass: 1, com: [0.1, 0, 0], dh: {},\n"
              "     motor: {coulomb: [0.3, 0.2], peak_torque: 0.25}}\n"
              "  - {name: two, type: revolute, mass: 1, com: [0.1, 0, 0], dh: {},\n"
              "     motor: {coulomb: [0.3, 0.2], peak_torque: 0.25}}\n"
              "couplings:\n  - {motors: [1, 2], matrix: [[50, 50], [50, -50]],\n"
              "     limits: {torque: [0.25, 0.25]}}\n");
  const auto judged = [&](double one, double two) {
    const std::string options = fmt::format(
        "trajectory pair.yaml --from 0,0 --to {},{} --duration 20 --rate 10 -o m.csv", one, two);
    EXPECT_EQ(run(options).exit_code, 0);
    const Outcome size = run("size pair.yaml m.csv");
    const Outcome slow = run("torque pair.yaml m.csv -o tau.csv --slow-down");
    EXPECT_EQ(size.exit_code, slow.exit_code) << size.out << slow.err;
    return size;
  };
  const Outcome forwards = judged(0.1, 0.1);
  EXPECT_EQ(forwards.exit_code, 1);
  expect_in(forwards.out, "one    motor.peak_torque at breakaway");
  EXPECT_EQ(forwards.out.find("two    motor.peak_torque at breakaway"), std::string::npos);
  EXPECT_EQ(judged(-0.1, -0.1).exit_code, 0);
  EXPECT_EQ(judged(-0.1, 0.1).exit_code, 0);
  EXPECT_EQ(judged(0.1, -0.1).exit_code, 1);
}

}  // namespace
}  // namespace armdyn::testing
