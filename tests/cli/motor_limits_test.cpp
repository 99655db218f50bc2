// Limits of motors that turn with several joints, in every verb that looks at limits: against the
// TX40's wrist written out, motor speeds 45 q̇5 and 32 (q̇5 + q̇6), torques (τ5 − τ6)/45 and τ6/32.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class MotorLimits : public ::testing::Test {
 protected:
  /// The shipped arm with these limits, as tx40.yaml.
  void limit(const std::string& limits) {
    const std::string matrix = "matrix: [[45, 0], [32, 32]]";
    std::string file = shell.run("$armdyn robots show staubli-tx40").out;
    const std::size_t at = file.find(matrix);
    ASSERT_NE(at, std::string::npos);
    file.insert(at + matrix.size(), "\n    limits: {" + limits + "}");
    shell.write("tx40.yaml", file);
  }

  struct Peaks {
    double speed5 = 0.0, speed6 = 0.0, torque5 = 0.0, torque6 = 0.0;
  };
  /// By hand, of rows with qd and, if there, tau.
  static Peaks peaks(CsvColumns rows) {
    Peaks most;
    const auto raise = [](double& peak, double value) { peak = std::max(peak, std::abs(value)); };
    const bool has_torque = rows.contains("tau5");
    for (std::size_t k = 0; k < rows.at("qd5").size(); ++k) {
      raise(most.speed5, 45.0 * rows["qd5"][k]);
      raise(most.speed6, 32.0 * (rows["qd5"][k] + rows["qd6"][k]));
      if (!has_torque) continue;
      raise(most.torque5, (rows["tau5"][k] - rows["tau6"][k]) / 45.0);
      raise(most.torque6, rows["tau6"][k] / 32.0);
    }
    return most;
  }
  [[nodiscard]] Peaks peaks_of(const std::string& file) const {
    return peaks(csv_columns(shell.read(file)));
  }

  const Shell shell;
  const std::string ends = "--from 0,0,0,0,0,0 --to 1,0.5,0.5,1,1,2 ";
};

TEST_F(MotorLimits, TorqueReportsWhatTheMotionAsksOfThem) {
  limit("velocity: [150, 200], torque: [0.12, 0.15]");
  ASSERT_EQ(shell.run("$armdyn trajectory tx40.yaml " + ends + "--duration 0.6 -o m.csv").exit_code,
            1);
  const Outcome outcome = shell.run("$armdyn torque tx40.yaml m.csv -o tau.csv --strict --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto motors = nlohmann::json::parse(outcome.out)["motors"];
  CsvColumns rows = csv_columns(shell.read("m.csv"));
  rows.merge(csv_columns(shell.read("tau.csv")));
  const Peaks expected = peaks(std::move(rows));
  ASSERT_EQ(motors.size(), 4U);
  const double by_hand[] = {expected.speed5, expected.speed6, expected.torque5, expected.torque6};
  const double limits[] = {150.0, 200.0, 0.12, 0.15};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(motors[k]["name"], k % 2 == 0 ? "J5" : "J6");
    EXPECT_EQ(motors[k]["quantity"], k < 2 ? "velocity" : "torque");
    EXPECT_NEAR(motors[k]["peak"], by_hand[k], 1e-12 * by_hand[k]);
    EXPECT_EQ(motors[k]["limit"], limits[k]);
  }
  const Outcome text = shell.run("$armdyn torque tx40.yaml m.csv -o tau.csv");
  EXPECT_NE(text.err.find("motor of J6: |τ| reaches 0.2604 N·m at t = 0.283 s, its limit is 0.15"),
            std::string::npos)
      << text.err;
  EXPECT_EQ(text.err.find("motor of J5: speed"), std::string::npos);  // 94 %
}

TEST_F(MotorLimits, TrajectoriesTakeAsLongAsTheyAskFor) {
  const auto duration = [&](const std::string& options) {
    const Outcome outcome =
        shell.run("$armdyn trajectory tx40.yaml " + options + " --rate 1000 -o m.csv --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto summary = nlohmann::json::parse(outcome.out);
    EXPECT_NEAR(peaks_of("m.csv").speed6, summary["motors"][1]["peak"], 0.5);
    return summary["t"][1].get<double>();
  };
  for (const std::string profile : {"trapezoid", "quintic", "lspb"}) {
    const std::string options = ends + "--limits 5,40 --profile " + profile;
    limit("velocity: [1000, 1000]");
    const double unlimited = duration(options);
    const double speed = peaks_of("m.csv").speed6;
    limit("velocity: [1000, 120]");
    const double limited = duration(options);
    if (profile != "lspb") {  // which keeps its acceleration
      EXPECT_NEAR(limited, unlimited * speed / 120.0, 2e-3) << profile;
    }
    EXPECT_GT(limited, unlimited);
    EXPECT_LE(peaks_of("m.csv").speed6, 120.0);
    EXPECT_GT(peaks_of("m.csv").speed6, 119.0);
  }
  limit("velocity: [1000, 50]");
  duration("--from 0,0.2,1.2,0,0.8,0 --to 0.4,0.3,1.3,0.2,0.5,0.4 --straight --limits 2,9");
  EXPECT_LE(peaks_of("m.csv").speed6, 50.0);
  shell.write("via.csv", "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n1,0,0,1,1,2\n0,1,1,0,0.5,-1\n");
  duration("--via via.csv --limits 5,40");
  EXPECT_LE(peaks_of("m.csv").speed6, 50.0);
  EXPECT_GT(peaks_of("m.csv").speed6, 49.0);

  const Outcome fixed = shell.run("$armdyn trajectory tx40.yaml " + ends + "--duration 1 -o m.csv");
  EXPECT_EQ(fixed.exit_code, 1);
  EXPECT_NE(fixed.err.find("motor of J6: speed reaches 180 rad/s at t = 0.5 s, its limit is 50"),
            std::string::npos)
      << fixed.err;
}

TEST_F(MotorLimits, AskForNoLongerDwells) {
  limit("velocity: [520, 48]");
  shell.write("rest.csv", "q1,q2,q3,q4,q5,q6,dwell\n0,0,0,0,0,0,0.5\n0,0,0,0,1,1,0\n");
  const std::string command =
      "$armdyn trajectory tx40.yaml --via rest.csv --profile cubic --limits 100,1000 -o m.csv ";
  const Outcome fast = shell.run(command + "--duration 1.5");
  EXPECT_EQ(fast.exit_code, 2);
  EXPECT_NE(fast.err.find("would reach 200 % of its velocity limit; 2.5 s are enough\n"),
            std::string::npos)
      << fast.err;
  EXPECT_EQ(shell.run(command + "--duration 2.5").exit_code, 0);
}

TEST_F(MotorLimits, ExcitationsKeepThem) {
  limit("velocity: [60, 50], torque: [0.09, 0.08]");
  const std::string excite = "$armdyn trajectory tx40.yaml --excite --limits 3,10 -o m.csv ";
  const Outcome plain = shell.run(excite);
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_LE(peaks_of("m.csv").speed5, 60.0);
  EXPECT_LE(peaks_of("m.csv").speed6, 50.0);
  EXPECT_GT(std::max(peaks_of("m.csv").speed5 / 60.0, peaks_of("m.csv").speed6 / 50.0), 0.999);

  const Outcome best = shell.run(excite + "--optimize --json");
  EXPECT_EQ(best.exit_code, 0) << best.err;
  const auto motors = nlohmann::json::parse(best.out)["motors"];
  ASSERT_EQ(motors.size(), 4U);
  (void)shell.run("$armdyn torque tx40.yaml m.csv -o tau.csv");
  CsvColumns rows = csv_columns(shell.read("m.csv"));
  rows.merge(csv_columns(shell.read("tau.csv")));
  const Peaks peak = peaks(std::move(rows));
  EXPECT_LE(peak.speed5, 60.0);
  EXPECT_LE(peak.speed6, 50.0);
  EXPECT_LE(peak.torque5, 0.09);
  EXPECT_LE(peak.torque6, 0.08);
  EXPECT_NEAR(motors[2]["peak"], peak.torque5, 0.01 * peak.torque5);
}

TEST_F(MotorLimits, TrackCutsThere) {
  limit("torque: [0.07, 0.1]");
  const std::string track =
      "$armdyn trajectory tx40.yaml " + ends +
      "--duration 1 --quiet | $armdyn track tx40.yaml - --kp 400 -o track.csv --json ";
  const auto summary = nlohmann::json::parse(shell.run(track).out);
  EXPECT_GT(summary["motors"][1]["peak"], 0.1);
  EXPECT_NE(summary["warnings"].dump().find("--saturate clips it"), std::string::npos);

  const Outcome cut = shell.run(track + "--saturate");
  EXPECT_EQ(cut.exit_code, 0) << cut.err;
  const Peaks peak = peaks_of("track.csv");
  EXPECT_NEAR(peak.torque5, 0.07, 1e-12);
  EXPECT_NEAR(peak.torque6, 0.1, 1e-12);
  const auto joints = nlohmann::json::parse(cut.out)["joints"];
  EXPECT_EQ(joints[3]["saturated"], 0);
  EXPECT_GT(joints[4]["saturated"], 0);
  EXPECT_GT(joints[5]["saturated"], 0);
  EXPECT_GE(joints[4]["saturated"],
            joints[5]["saturated"]);  // by either motor, the other by its own alone
}

/// An arm whose motors each turn with one joint, by a coupling (`arm.yaml`) or by gears
/// (`twin.yaml`), with the limits of the motors or those of the joints.
class DiagonalCoupling : public ::testing::Test {
 protected:
  DiagonalCoupling() {
    const auto joints = [](const std::string& a, const std::string& b) {
      const std::string body =
          ", mass: 1, com: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}";
      return "armdyn: 1\nname: arm\nconvention: modified\njoints:\n"
             "  - {name: a, type: revolute, dh: {}" +
             body + ", motor: {rotor_inertia: 1.0e-4" + a +
             "}}\n  - {name: b, type: prismatic, dh: {a: 0.5, alpha: 1}" + body +
             ", motor: {rotor_inertia: 1.0e-4" + b + "}}\n";
    };
    shell.write("arm.yaml", joints("}, limits: {acceleration: 30", "}, limits: {acceleration: 30") +
                                "couplings:\n  - motors: [1, 2]\n    matrix: [[10, 0], [0, 64]]\n"
                                "    limits: {velocity: [12.5, 64], torque: [0.05, 1]}\n");
    shell.write("twin.yaml",
                joints(", gear_ratio: 10}, limits: {acceleration: 30, velocity: 1.25, torque: 0.5",
                       ", gear_ratio: 64}, limits: {acceleration: 30, velocity: 1, torque: 64"));
  }
  /// What both arms answer to a command line, which has ARM in place of the file.
  void expect_same(const std::string& command, int exit_code) const {
    Outcome outcomes[2];
    for (std::size_t k = 0; k < 2; ++k) {
      std::string line = "$armdyn " + command;
      line.replace(line.find("ARM"), 3, k == 0 ? "arm" : "twin");
      outcomes[k] = shell.run(line + " --quiet");
      EXPECT_EQ(outcomes[k].exit_code, exit_code) << line << outcomes[k].err;
    }
    EXPECT_EQ(outcomes[0].out, outcomes[1].out) << command;
    if (exit_code == 0) return;
    EXPECT_EQ(outcomes[0].err, outcomes[1].err) << command;
  }

  const Shell shell;
};

TEST_F(DiagonalCoupling, PlansTheSameMotions) {
  const std::string ends = "trajectory ARM.yaml --from 0,0 --to 1,2 ";
  for (const std::string profile : {"trapezoid", "cubic", "quintic", "septic", "lspb"}) {
    expect_same(ends + "--profile " + profile, 0);
    expect_same(ends + "--limits 0.8,4 --profile " + profile, 0);
  }
  expect_same(ends + "--limits 100,1000 --duration 1", 2);
  expect_same(ends + "--limits 100,1000 --duration 5", 0);
  shell.write("via.csv", "q1,q2\n0,0\n1,0.5\n0.2,1\n");
  expect_same("trajectory ARM.yaml --via via.csv", 0);
  shell.write("timed.csv", "t,q1,q2\n0,0,0\n1,1,0.5\n2,0.2,1\n");
  expect_same("trajectory ARM.yaml --via timed.csv --limits 100,1000", 2);
  expect_same("trajectory ARM.yaml --excite --from 0,0", 0);
}

TEST_F(DiagonalCoupling, IsTrackedAlike) {
  (void)shell.run(
      "$armdyn trajectory twin.yaml --from 0,0 --to 3,0.5 --duration 1 -o m.csv --quiet");
  const auto joints = [&](const std::string& arm) {
    const Outcome outcome = shell.run("$armdyn track " + arm +
                                      ".yaml m.csv --saturate --controller pd --kp 10,200 "
                                      "--kv 1,60 --ki 1,800 --hold 2 -o /dev/null --json");
    return nlohmann::json::parse(outcome.out)["joints"];
  };
  const auto here = joints("arm"), there = joints("twin");
  EXPECT_GT(there[0]["saturated"], 100);
  EXPECT_EQ(there[1]["saturated"], 0);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(here[i]["saturated"], there[i]["saturated"]);
    EXPECT_NEAR(here[i]["last_error"], there[i]["last_error"], 1e-9);
  }
}

// Where a motor is cut, another joint may get more than it was asked for.
TEST_F(MotorLimits, HoldBesideThoseOfJoints) {
  shell.write("wrist.yaml", R"(
armdyn: 1
name: wrist
convention: standard
gravity: [0, 0, 0]
joints:
  - {type: revolute, dh: {a: 0.5}, mass: 2, com: [-0.25, 0, 0], inertia: {xx: 0.01, yy: 0.04, zz: 0.04},
     limits: {torque: 12}}
  - {type: revolute, dh: {a: 0.4}, mass: 1, com: [-0.2, 0, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.02},
     limits: {torque: 3}}
couplings:
  - {motors: [1, 2], matrix: [[30, 30], [30, -30]], limits: {torque: [0.25, 0.05]}}
)");
  (void)shell.run("$armdyn trajectory wrist.yaml --from 0,0 --to 1.5,0.1 --duration 0.9 -o m.csv");
  const Outcome outcome = shell.run("$armdyn track wrist.yaml m.csv --saturate -o t.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err.find("warning: joint"), std::string::npos) << outcome.err;
  const CsvColumns rows = csv_columns(shell.read("t.csv"));
  double first = 0.0, second = 0.0;
  for (std::size_t k = 0; k < rows.at("tau1").size(); ++k) {
    const double tau1 = rows.at("tau1")[k], tau2 = rows.at("tau2")[k];
    EXPECT_LE(std::abs(tau1), 12.0);
    EXPECT_LE(std::abs(tau2), 3.0);
    first = std::max(first, std::abs(tau1 + tau2) / 60.0);
    second = std::max(second, std::abs(tau1 - tau2) / 60.0);
  }
  EXPECT_LE(first, 0.25 * (1.0 + 1e-12));
  EXPECT_NEAR(second, 0.05, 1e-12);
}

TEST_F(MotorLimits, VaryCountsTheArmsBeyond) {
  limit("torque: [1, 1]");
  const std::string vary =
      "$armdyn trajectory tx40.yaml " + ends +
      "--duration 1 --quiet | $armdyn vary tx40.yaml - --uncertainty mass=20%,friction=20% "
      "--samples 200 -o arms.csv --json ";
  const auto none = nlohmann::json::parse(shell.run(vary).out);
  EXPECT_EQ(none["exceeded"]["count"], 0);
  // Half of the arms ask for more than the arm of the file.
  ASSERT_EQ(shell.run("$armdyn trajectory tx40.yaml " + ends + "--duration 1 -o m.csv").exit_code,
            0);
  const auto motors =
      nlohmann::json::parse(shell.run("$armdyn torque tx40.yaml m.csv -o tau.csv --json").out);
  limit("torque: [1, " + motors["motors"][1]["peak"].dump() + "]");
  const auto half = nlohmann::json::parse(shell.run(vary).out);
  EXPECT_GT(half["exceeded"]["count"], 60);
  EXPECT_LT(half["exceeded"]["count"], 140);
  const std::vector<double> shares = csv_columns(shell.read("arms.csv")).at("share");
  EXPECT_EQ(std::ranges::count_if(shares, [](double share) { return share > 1.0; }),
            half["exceeded"]["count"]);
  const CsvColumns arms = csv_columns(shell.read("arms.csv"));
  ASSERT_EQ(half["motors"].size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    const double limit = half["motors"][m]["limit"];
    const auto& peaks = arms.at("motor_peak" + std::to_string(m + 5));
    EXPECT_EQ(half["motors"][m]["name"], m == 0 ? "motor of J5" : "motor of J6");
    EXPECT_EQ(std::ranges::count_if(peaks, [&](double peak) { return peak > limit; }),
              half["motors"][m]["exceeded"]);
  }
  EXPECT_EQ(half["motors"][0]["exceeded"], 0);
  EXPECT_EQ(half["motors"][1]["exceeded"], half["exceeded"]["count"]);
  EXPECT_EQ(half["worst"]["where"], "motor of J6");
}

TEST_F(MotorLimits, CheckKnowsThem) {
  limit("velocity: [150, 200], torque: [0.12, 0.15]");
  const Outcome sound = shell.run("$armdyn check tx40.yaml");
  EXPECT_EQ(sound.exit_code, 0);
  EXPECT_NE(sound.out.find("\ncoupling     the motor of J6 is limited to 0.15 N·m\n"),
            std::string::npos)
      << sound.out;
  // Gravity at joint 5 alone, over its gear.
  const auto arm = nlohmann::json::parse(shell.run("$armdyn check tx40.yaml --json").out);
  const double gravity = arm["joints"][4]["largest_gravity"]["value"];
  const auto warned = [&](double of_gravity) {
    limit("torque: [" + std::to_string(of_gravity * gravity / 45.0) + ", 0.15]");
    return shell.run("$armdyn check tx40.yaml").out.find("gravity alone asks the motor of J5") !=
           std::string::npos;
  };
  EXPECT_TRUE(warned(0.99));
  EXPECT_FALSE(warned(1.01));

  ASSERT_EQ(shell.run("$armdyn convert tx40.yaml -o again.yaml").exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(shell.run("$armdyn check again.yaml --json").out)["couplings"],
            nlohmann::json::parse(shell.run("$armdyn check tx40.yaml --json").out)["couplings"]);
}

TEST_F(MotorLimits, AreComparedByCheck) {
  limit("velocity: [150, 200], torque: [0.12, 0.15]");
  const std::string other = shell.read("tx40.yaml");
  shell.write("other.yaml", other);
  limit("velocity: [150, 210], torque: [0.12, 0.15]");
  const Outcome outcome = shell.run("$armdyn check tx40.yaml --against other.yaml --json");
  const auto numbers = nlohmann::json::parse(outcome.out)["difference"]["numbers"];
  ASSERT_EQ(numbers.size(), 1U);
  EXPECT_EQ(numbers[0]["joint"], "J6");
  EXPECT_EQ(numbers[0]["here"], 210.0);
  EXPECT_EQ(numbers[0]["there"], 200.0);
}

// Motor 6 stands still where q̇5 = −q̇6, and motor 5 does not.
TEST_F(MotorLimits, TheNoteOnRestIsOfMotors) {
  std::string rows = "t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n";
  rows += "0,0,0,0,0,0,0,0,0,0,0,1,-1,0,0,0,0,0,0\n0.1,0,0,0,0,0,0,1,1,1,1,1,-1,0,0,0,0,0,0\n";
  shell.write("m.csv", rows);
  const Outcome outcome = shell.run("$armdyn torque staubli-tx40 m.csv -o tau.csv");
  EXPECT_NE(
      outcome.out.find("(share of rows: J1 50 %, J2 50 %, J3 50 %, J4 50 %, motor of J6 100 %)"),
      std::string::npos)
      << outcome.out;
}

// Motor 6 sticks at once, and joint 6 turns with joint 5.
TEST_F(MotorLimits, AJointThatAnotherMotorTurnsDoesNotRest) {
  const Outcome outcome = shell.run(
      "$armdyn simulate staubli-tx40 --gravity 0,0,0 --qd0 0,0,0,0,3,-3 --duration 0.02 "
      "-o s.csv --json");
  const auto joints = nlohmann::json::parse(outcome.out)["joints"];
  EXPECT_LT(joints[5]["qd_last"], -0.1);
  EXPECT_EQ(joints[5]["qd_last"], -joints[4]["qd_last"].get<double>());
  EXPECT_FALSE(joints[5]["at_rest"].get<bool>());
  EXPECT_FALSE(joints[4]["at_rest"].get<bool>());
  EXPECT_TRUE(joints[3]["at_rest"].get<bool>());
}

TEST_F(MotorLimits, AreRefusedWhereWrong) {
  const auto errors = [&](const std::string& limits) {
    limit(limits);
    const Outcome outcome = shell.run("$armdyn check tx40.yaml");
    EXPECT_EQ(outcome.exit_code, 1);
    return outcome.out;
  };
  const std::string one = errors("velocity: [150]");
  EXPECT_NE(one.find("found 1 entry; expected a list of numbers in rad/s, one per motor"),
            std::string::npos)
      << one;
  EXPECT_NE(one.find(": 1 error;"), std::string::npos);
  EXPECT_NE(
      errors("torque: [0, 1]").find("limits.torque[0]: found 0; expected more than 0, in N·m"),
      std::string::npos);
  EXPECT_NE(errors("speed: [1, 1]").find("speed"), std::string::npos);
}

}  // namespace
}  // namespace armdyn::testing
