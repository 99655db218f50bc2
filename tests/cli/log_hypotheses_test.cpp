// What a log's columns seem to be, in words: each sentence on a log that shows it, and none on others.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

/// The log of an arm in a motion that excites it, with friction that its file does not know, noise,
/// and what an awk program makes of its columns: q(i), qd(i), qdd(i), tau(i) are their numbers.
class SeemingLog : public ::testing::Test {
 protected:
  void make(const std::string& robot, int joints) {
    robot_ = robot;
    joints_ = joints;
    const Outcome made = shell.run("$armdyn trajectory " + robot +
                                   " --excite --limits 2,6 --duration 10 --rate 100 --seed 3 "
                                   "-o motion.csv --quiet && $armdyn torque " +
                                   robot + " motion.csv --keep-motion -o exact.csv --quiet");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  /// Writes log.csv; `change` is what is done in each row, `noise` in N·m.
  void spoil(const std::string& change, const std::string& noise = "0.02") const {
    const std::string n = std::to_string(joints_);
    shell.write("spoil.awk",
                "function q(i) {return 1 + i} function qd(i) {return 1 + N + i} "
                "function qdd(i) {return 1 + 2 * N + i} function tau(i) {return 1 + 3 * N + i} "
                "function exchange(a, b,  x) {x = $a; $a = $b; $b = x} "
                "function exchange_joints(i, j) {exchange(q(i), q(j)); exchange(qd(i), qd(j)); "
                "exchange(qdd(i), qdd(j)); exchange(tau(i), tau(j))} "
                "BEGIN {FS = OFS = \",\"; srand(7); N = " +
                    n +
                    "} NR == 1 {print; next} "
                    "{for (i = 1; i <= N; ++i) $tau(i) += 0.3 * ($qd(i) > 0 ? 1 : -1) + " +
                    noise + " * (rand() + rand() - 1); " + change + " print}");
    const Outcome spoilt = shell.run("awk -f spoil.awk exact.csv > log.csv");
    ASSERT_EQ(spoilt.exit_code, 0) << spoilt.err;
  }
  [[nodiscard]] std::string warnings(const std::string& verb,
                                     const std::string& options = "") const {
    const Outcome found = shell.run("$armdyn " + verb + " " + robot_ + " log.csv " + options +
                                    (verb == "torque" ? " -o out.csv" : "") + " --quiet");
    return std::to_string(found.exit_code) + " " + found.err;
  }
  /// In torque and identify, which reads neither qd nor qdd; with the line that the sentence says to
  /// write there is no such sentence.
  void expect_said(const std::string& words, const std::string& cure) const {
    for (const std::string verb : {"torque", "identify"}) {
      const std::string said = warnings(verb);
      EXPECT_NE(said.find(words), std::string::npos) << verb << ": " << said;
      EXPECT_TRUE(verb == "identify" || said.find(cure) != said.npos) << said;
      EXPECT_EQ(warnings(verb, "--as-given").find(words), std::string::npos) << verb;
      if (cure == "--without gravity") continue;
      const std::size_t at = said.find("; --");
      ASSERT_NE(at, std::string::npos) << said;
      const std::size_t quote = said.find('"', at);
      const std::string line =
          cure == "--motor-side" ? cure : said.substr(at + 2, said.find('"', quote + 1) - at - 1);
      EXPECT_EQ(warnings(verb, line).find(words), std::string::npos)
          << line << warnings(verb, line);
    }
  }

  Shell shell;
  std::string robot_;
  int joints_ = 0;
};

// The motors' torques would leave little, too.
TEST_F(SeemingLog, OfAMotionFromPointToPointNamesExchangedJoints) {
  robot_ = "puma560";
  joints_ = 6;
  ASSERT_EQ(shell
                .run("$armdyn trajectory puma560 --from '4,32,-29,-5,34,1 deg' --to "
                     "'35,39,-32,-46,-44,-4 deg' --duration 2 --rate 100 -o motion.csv --quiet && "
                     "$armdyn torque puma560 motion.csv --keep-motion -o exact.csv --quiet")
                .exit_code,
            0);
  spoil("exchange_joints(1, 2);");
  expect_said("the columns seem to be of shoulder, waist, elbow, forearm, wrist, flange",
              "--columns \"q1=q2,qd1=qd2,qdd1=qdd2,tau1=tau2,q2=q1,");
  spoil("");
  EXPECT_EQ(warnings("torque").find("seem"), std::string::npos) << warnings("torque");
}

TEST_F(SeemingLog, OfArmsAsTheyAreSaysNothing) {
  for (const auto& [robot, joints] : std::vector<std::pair<std::string, int>>{
           {"puma560", 6}, {"ur5e", 6}, {"kuka-iiwa14", 7}, {"craig-rr", 2}, {"stanford", 6}}) {
    make(robot, joints);
    for (const std::string noise : {"0.02", "0.5", "20"}) {
      spoil("", noise);
      for (const std::string verb : {"torque", "identify"}) {
        const std::string said = warnings(verb);
        EXPECT_EQ(said.find("so read"), std::string::npos) << robot << " " << verb << said;
      }
    }
  }
}

TEST_F(SeemingLog, HasTorquesOfTheOtherSign) {
  make("ur5e", 6);
  spoil("for (i = 1; i <= N; ++i) $tau(i) = -$tau(i);");
  expect_said("the torques seem to have the other sign: the residual is then ",
              "--columns \"tau=-tau{1..6}\"");
  const auto answer = nlohmann::json::parse(shell.run("$armdyn identify ur5e log.csv --json").out);
  EXPECT_NE(answer["warnings"].dump().find("the torques seem to have the other sign"),
            std::string::npos)
      << answer["warnings"];
}

TEST_F(SeemingLog, HasTorquesWithoutGravity) {
  make("ur5e", 6);
  const Outcome parts = shell.run(
      "$armdyn torque ur5e motion.csv --without gravity --keep-motion -o exact.csv --quiet");
  ASSERT_EQ(parts.exit_code, 0) << parts.err;
  spoil("");
  expect_said("the torques seem to have gravity removed: the residual is then ",
              "--without gravity");
  EXPECT_EQ(warnings("torque", "--without gravity").find("so read"), std::string::npos)
      << warnings("torque", "--without gravity");
}

TEST_F(SeemingLog, HasCurrents) {
  make("ur5e", 6);
  spoil("for (i = 1; i <= N; ++i) $tau(i) *= 0.08 + 0.01 * i;");
  expect_said(
      "the torques seem to be currents, percent, in another unit or of other masses; factors "
      "relative to the robot file: shoulder_pan 0.09",
      "--columns \"tau1=11.1*tau1,tau2=10*tau2,");
}

TEST_F(SeemingLog, HasTorquesOfTheMotors) {
  make("puma560-akb", 6);
  spoil(
      "$tau(1) /= -62.6111; $tau(2) /= 107.815; $tau(3) /= -53.7063; $tau(4) /= 76.0364; "
      "$tau(5) /= 71.923; $tau(6) /= 76.686;");
  expect_said("the torques seem to be those of the motors: the residual is then ",
              "--columns \"tau1=-62.6111*tau1,tau2=107.815*tau2,");
}

// An arm a quarter heavier than its file: a scale of each joint's own fits better, but it is that of
// the gears.
TEST_F(SeemingLog, HasTorquesOfTheMotorsOfAHeavierArm) {
  make("puma560-akb", 6);
  spoil(
      "split(\"-62.6111 107.815 -53.7063 76.0364 71.923 76.686\", g, \" \"); "
      "for (i = 1; i <= N; ++i) $tau(i) *= 1.25 / g[i];");
  expect_said("the torques seem to be those of the motors: the residual is then ",
              "--columns \"tau1=-62.6111*tau1,tau2=107.815*tau2,");
  // where the file has constants, the same scale may be that of currents
  const Outcome told = shell.run(
      "$armdyn robots show puma560-akb | sed 's/gear_ratio:/torque_constant: 0.8, gear_ratio:/' > "
      "arm.yaml; $armdyn identify arm.yaml log.csv");
  EXPECT_NE(told.err.find("seem to be currents"), std::string::npos) << told.err;
}

TEST_F(SeemingLog, IsOfTheMotors) {
  make("puma560-akb", 6);
  spoil(
      "split(\"-62.6111 107.815 -53.7063 76.0364 71.923 76.686\", g, \" \"); "
      "for (i = 1; i <= N; ++i) {$q(i) *= g[i]; $qd(i) *= g[i]; $qdd(i) *= g[i]; $tau(i) /= g[i]}");
  expect_said("motion and torques seem to be those of the motors: the residual is then ",
              "--motor-side");
  for (const std::string verb : {"torque", "identify"}) {
    EXPECT_EQ(warnings(verb).find("in degrees"), std::string::npos) << warnings(verb);
  }
}

TEST_F(SeemingLog, HasJointsInAnotherOrder) {
  make("ur5e", 6);
  spoil("exchange_joints(1, 3);");
  expect_said(
      "the columns seem to be of elbow, shoulder_lift, shoulder_pan, wrist_1, wrist_2, "
      "wrist_3, as ROS sorts joints, by their names: the residual is then ",
      "--columns \"q1=q3,qd1=qd3,qdd1=qdd3,tau1=tau3,q3=q1,qd3=qd1,qdd3=qdd1,tau3=tau1\"");
  EXPECT_NE(warnings("torque").find("torques do not determine the zero of shoulder_pan"),
            std::string::npos)
      << warnings("torque");
  EXPECT_TRUE(warnings("torque").starts_with("0 "));
  EXPECT_TRUE(warnings("identify").starts_with("3 ")) << warnings("identify");
  spoil("exchange_joints(2, 4);");
  expect_said(
      "the columns seem to be of shoulder_pan, wrist_1, elbow, shoulder_lift, wrist_2, "
      "wrist_3: the residual is then ",
      "--columns \"q2=q4,qd2=qd4,qdd2=qdd4,tau2=tau4,q4=q2,qd4=qd2,qdd4=qdd2,tau4=tau2\"");
}

TEST_F(SeemingLog, HasAJointWithAnotherSignOrZero) {
  make("ur5e", 6);
  spoil("$q(2) -= 1.5707963267948966;");
  expect_said("shoulder_lift needs +90° in q: the residual is then ", "--columns \"q2=q2+90deg\"");
  spoil("$q(3) = -$q(3); $qd(3) = -$qd(3); $qdd(3) = -$qdd(3); $tau(3) = -$tau(3);");
  expect_said("elbow needs the other sign: the residual is then ",
              "--columns \"q3=-q3,qd3=-qd3,qdd3=-qdd3,tau3=-tau3\"");
  spoil("$tau(2) = -$tau(2);");
  expect_said("shoulder_lift needs a torque of the other sign: the residual is then ",
              "--columns \"tau2=-tau2\"");
}

// As pendants show it; the motion of the arm is a sum.
TEST_F(SeemingLog, HasAnAxisAgainstTheHorizon) {
  make("ur5e", 6);
  spoil("$q(3) -= $q(2); $qd(3) -= $qd(2); $qdd(3) -= $qdd(2);");
  expect_said("elbow needs the motion of shoulder_lift added: the residual is then ",
              "--columns \"q3=q3+q2,qd3=qd3+qd2,qdd3=qdd3+qdd2\"");
  EXPECT_TRUE(warnings("identify").starts_with("3 ")) << warnings("identify");
  spoil("$q(3) += $q(2); $qd(3) += $qd(2); $qdd(3) += $qdd(2);");
  expect_said("elbow needs the motion of shoulder_lift taken off: the residual is then ",
              "--columns \"q3=q3-q2,qd3=qd3-qd2,qdd3=qdd3-qdd2\"");
}

TEST_F(SeemingLog, HasTorquesThatComeLater) {
  make("ur5e", 6);
  spoil("for (i = 1; i <= N; ++i) {h[NR, i] = $tau(i); if (NR > 12) $tau(i) = h[NR - 10, i]}");
  expect_said("ms after the motion: the residual is then ", "--columns \"tau=tau{1..6}@");
}

TEST_F(SeemingLog, HasAFactorInOneTorque) {
  make("ur5e", 6);
  spoil("$tau(3) *= 1.3;");
  expect_said("factors relative to the robot file: elbow 1.3", "--columns \"tau3=0.7");
}

// No columns read torques that the model cannot have.
TEST_F(SeemingLog, HasTorquesOfASpring) {
  make("ur5e", 6);
  spoil("$tau(2) += 60 * ($q(2) + 1);");
  for (const std::string verb : {"torque", "identify"}) {
    EXPECT_NE(warnings(verb).find("a spring, which a robot file has in springs: "
                                  "shoulder_lift 60 N·m/rad"),
              std::string::npos)
        << warnings(verb);
  }
}

TEST_F(SeemingLog, IsOfAPayloadThatNobodyToldOf) {
  make("ur5e", 6);
  const Outcome loaded = shell.run(
      "$armdyn torque ur5e motion.csv --payload 3,0,0.02,0.1 --keep-motion -o exact.csv --quiet");
  ASSERT_EQ(loaded.exit_code, 0) << loaded.err;
  spoil("");
  for (const std::string verb : {"torque", "identify"}) {
    const std::string said = warnings(verb);
    const std::size_t at = said.find("the torques seem to be for a payload of ");
    ASSERT_NE(at, std::string::npos) << said;
    const std::size_t line = said.find("--payload ", at);
    const std::string option = said.substr(line, said.find(" compares", line) - line);
    EXPECT_TRUE(option.starts_with("--payload 3") || option.starts_with("--payload 2.9")) << said;
    EXPECT_EQ(warnings(verb, option).find("so read"), std::string::npos) << option;
  }
  EXPECT_EQ(warnings("identify", "--free payload").find("so read"), std::string::npos);
}

// The line goes on from the arithmetic that the user has.
TEST_F(SeemingLog, HasAZeroAndAFactorBehindArithmetic) {
  make("ur5e", 6);
  const auto line_of = [&](const std::string& verb, const std::string& own) {
    return warnings(verb, "--columns " + own);
  };
  for (const std::string verb : {"torque", "identify"}) {
    spoil("$q(2) = 1000 * $q(2) - 1570.7963267948966;");
    EXPECT_NE(line_of(verb, "q2=0.001*q2").find("--columns \"q2=0.001*q2+90deg\""),
              std::string::npos)
        << line_of(verb, "q2=0.001*q2");
    spoil("$tau(3) *= 2;");
    EXPECT_NE(line_of(verb, "tau3=0.25*tau3").find("--columns \"tau3=0.5*tau3\""),
              std::string::npos)
        << line_of(verb, "tau3=0.25*tau3");
  }
}

TEST_F(SeemingLog, IsOfAnArmOnAWall) {
  make("ur5e", 6);
  const Outcome wall = shell.run(
      "$armdyn torque ur5e motion.csv --gravity 0,-9.81,0 --keep-motion -o exact.csv --quiet");
  ASSERT_EQ(wall.exit_code, 0) << wall.err;
  spoil("");
  for (const std::string verb : {"torque", "identify"}) {
    const std::string said = warnings(verb);
    EXPECT_NE(said.find("the torques seem to be for the gravity 0, -9.81, 0 m/s²: "),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("; --gravity 0,-9.81,0 reads them so"), std::string::npos) << said;
    EXPECT_EQ(said.find("Do positions and torques belong"), std::string::npos) << said;
  }
  EXPECT_EQ(warnings("torque", "--gravity 0,-9.81,0").find("so read"), std::string::npos);
}

// Nothing but noise is in the torque of the last joint, which has next to none.
TEST_F(SeemingLog, IsIdentifiedThoughAWristIsBelowItsNoise) {
  make("ur5e", 6);
  for (const std::string noise : {"0.1", "0.4", "2"}) {
    spoil("for (i = 1; i <= N; ++i) $tau(i) -= 0.3 * ($qd(i) > 0 ? 1 : -1);", noise);
    EXPECT_EQ(warnings("identify").find("no parameters"), std::string::npos)
        << noise << warnings("identify");
  }
}

// Its two last joints are alike in torque, but each is its own.
TEST_F(SeemingLog, IsNotRefusedForOneJointThatIsLikeAnother) {
  make("kuka-iiwa14", 7);
  spoil("$tau(6) = $tau(5) + 0.3 * $tau(6);");
  EXPECT_EQ(warnings("identify").find("so read"), std::string::npos) << warnings("identify");
  EXPECT_FALSE(warnings("identify").starts_with("3 ")) << warnings("identify");
}

// Currents of motors behind gears of both signs: the torques of the joints are those predicted.
TEST(LogOfCurrents, BecomesTorquesByTheTorqueConstants) {
  const Shell shell;
  const auto arm = [](const std::string& of_first, const std::string& of_second) {
    return "armdyn: 1\nname: arm\nconvention: modified\njoints:\n"
           "  - {name: lower, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 3, "
           "com: [0.2, 0, 0], inertia: {zz: 0.1}, motor: {gear_ratio: 100" +
           of_first +
           "}}\n"
           "  - {name: upper, type: revolute, dh: {a: 0.4, alpha: 0, d: 0, theta: 0}, mass: 2, "
           "com: [0.1, 0, 0], inertia: {zz: 0.1}, motor: {gear_ratio: -50" +
           of_second + "}}\n";
  };
  shell.write("arm.yaml", arm(", torque_constant: 0.08", ", torque_constant: 0.05"));
  shell.write("half.yaml", arm(", torque_constant: 0.08", ""));
  const Outcome made = shell.run(
      "$armdyn trajectory arm.yaml --from 0,0 --to 1,-1 --duration 2 --rate 100 -o m.csv --quiet "
      "&& $armdyn torque arm.yaml m.csv --keep-motion -o exact.csv --quiet && awk -F, -v OFS=, "
      "-v OFMT=%.15g -v CONVFMT=%.15g 'NR == 1 {$8 = \"i1[mA]\"; $9 = \"i2[mA]\"} NR > 1 "
      "{$8 /= 100 * 0.08 / 1000; $9 /= -50 * 0.05 / 1000} {print}' exact.csv > log.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome found = shell.run("$armdyn torque arm.yaml log.csv -o t.csv --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto answer = nlohmann::json::parse(found.out);
  for (const auto& joint : answer["joints"]) {
    ASSERT_TRUE(joint.contains("residual_rms")) << found.err;
    EXPECT_LT(joint["residual_rms"].get<double>(), 1e-9 * joint["rms"].get<double>());
  }
  EXPECT_NE(answer["input"]["recognized"].get<std::string>().find(
                "currents, by motor.torque_constant and the gears torques"),
            std::string::npos)
      << answer["input"];
  const Outcome without = shell.run("$armdyn torque half.yaml log.csv -o t.csv");
  EXPECT_NE(without.err.find("i1[mA] is a current, not a torque"), std::string::npos)
      << without.err;
  const Outcome asked = shell.run("$armdyn torque half.yaml log.csv --columns \"i=i{1..2}\"");
  EXPECT_EQ(asked.exit_code, 3);
  EXPECT_NE(asked.err.find("torque_constant of the robot file, which has none of upper"),
            std::string::npos)
      << asked.err;
}

// What is off in a log of craig-rr, and one line that reads all of it.
class WrongLog : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome made = shell.run(
        "$armdyn trajectory craig-rr --excite --limits 2,6 --duration 5 --rate 100 -o right.csv "
        "--quiet");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  [[nodiscard]] std::string said(const std::string& change, const std::string& options = "") const {
    const Outcome outcome = shell.run("awk -F, -v OFS=, -v CONVFMT=%.15g 'NR > 1 {" + change +
                                      "} {print}' right.csv > log.csv; $armdyn torque craig-rr "
                                      "log.csv -o out.csv --quiet " +
                                      options);
    return std::to_string(outcome.exit_code) + " " + outcome.err;
  }
  Shell shell;
};

TEST_F(WrongLog, LosesOnlyTheRowOfANonsenseStamp) {
  for (const std::string row : {"2", "3", "5", "300", "501"}) {
    const std::string change = "if (NR == " + row + ") $1 = \"2.7e154\"";
    const std::string remark =
        "0 armdyn: warning: 1 row left out with a t far from those before and after, 2.7e+154 s: "
        "line " +
        row + "\n";
    EXPECT_EQ(said(change), remark);
    EXPECT_TRUE(said(change, "--gaps refuse").starts_with(remark)) << said(change, "--gaps refuse");
  }
  EXPECT_EQ(said("", "--gaps refuse"), "0 ");
}

TEST_F(WrongLog, SaysThatTimeIsInMilliseconds) {
  const std::string remark = said("$1 *= 1000");
  EXPECT_EQ(remark,
            "0 armdyn: warning: the slopes of q and qd are about 1/1000 of qd and qdd at all "
            "joints, as if t were in ms; --columns \"t=t[ms]\" reads it so\n");
  EXPECT_EQ(said("$1 *= 1000", "--columns \"t=t[ms]\""), "0 ");
  // Without rates the step says it.
  for (const std::string unit : {"ms", "us", "ns"}) {
    const std::string longer = unit == "ms" ? "1e3" : unit == "us" ? "1e6" : "1e9";
    const std::string stamps =
        "awk -F, -v OFS=, -v CONVFMT=%.15g 'NR > 1 {$1 *= " + longer +
        "} {print $1, $2, $3}' right.csv | $armdyn torque craig-rr - --derive -o out.csv --quiet";
    const Outcome found = shell.run(stamps);
    const std::string line = "--columns \"t=t[" + unit + "]\"";
    EXPECT_NE(found.err.find("as if t were in " + unit + "; " + line + " reads it so"),
              std::string::npos)
        << found.err;
    EXPECT_EQ(shell.run(stamps + " " + line).err, "");
  }
}

TEST_F(WrongLog, SaysThatTimeRunsTooSlowly) {
  const std::string remark =
      "0 armdyn: warning: the slopes of q and qd are about 0.4 times qd and "
      "qdd at all joints, as if rows were 0.01 s apart, not 0.025";
  EXPECT_EQ(said("$1 *= 2.5", "--columns \"t=0.4*t\""), "0 ");
  EXPECT_EQ(said("$1 *= 2.5"), remark + "; --columns \"t=0.4*t\" reads it so\n");
  // Without accelerations it may be qd that is another.
  const std::string one =
      shell.run("cut -d, -f1-5 log.csv | $armdyn torque craig-rr - --derive -o out.csv --quiet")
          .err;
  EXPECT_NE(one.find("the slope of q is about 0.4 times qd at all joints, as if rows were 0.01 s "
                     "apart, not 0.025, or qd is in another unit; --columns \"t=0.4*t\""),
            std::string::npos)
      << one;
}

// A rate that is given says as little of whether it is right as stamps do.
TEST_F(WrongLog, SaysWhichRateItsRowsHave) {
  const auto at = [&](const std::string& verb, const std::string& rate) {
    return shell.run("$armdyn " + verb + " --quiet --log-rate " + rate).err;
  };
  ASSERT_EQ(shell
                .run("$armdyn torque craig-rr right.csv --keep-motion -o full.csv --quiet && "
                     "cut -d, -f2- full.csv > whole.csv && cut -d, -f2-5,8- full.csv > log.csv && "
                     "cut -d, -f2-5 full.csv > rates.csv")
                .exit_code,
            0);
  const std::string both =
      "the slopes of q and qd are about 2.5 times qd and qdd at all joints, as "
      "if rows were 0.01 s apart, not 0.004; --log-rate 100 reads them so\n";
  const std::string one =
      "the slope of q is about 2.5 times qd at all joints, as if rows were "
      "0.01 s apart, not 0.004, or qd is in another unit; --log-rate 100 reads them "
      "so\n";
  for (const auto& [verb, remark] :
       {std::pair<std::string, std::string>{"torque craig-rr whole.csv -o t.csv", both},
        {"torque craig-rr rates.csv --derive -o t.csv", one},
        {"identify craig-rr log.csv", one},
        {"identify craig-rr whole.csv", both}}) {
    EXPECT_NE(at(verb, "250").find(remark), std::string::npos) << at(verb, "250");
    EXPECT_EQ(at(verb, "100").find("the slope"), std::string::npos) << at(verb, "100");
  }
}

TEST_F(WrongLog, SaysOnceThatAllJointsAreInDegrees) {
  const std::string degrees = "for (i = 2; i <= 7; ++i) $i *= 57.29577951308232";
  const std::string line = "--columns \"q=q{1..2}[deg],qd=qd{1..2}[deg/s],qdd=qdd{1..2}[deg/s^2]\"";
  const std::string remark = said(degrees);
  EXPECT_NE(remark.find(line + " reads it so\n"), std::string::npos) << remark;
  EXPECT_EQ(remark.find("warning", remark.find("warning") + 1), std::string::npos) << remark;
  EXPECT_EQ(said(degrees, line), "0 ");
}

TEST_F(WrongLog, IsOfferedARateWhereItHasNoTime) {
  const Outcome outcome = shell.run("cut -d, -f2- right.csv | $armdyn torque craig-rr - --derive");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("--log-rate HZ"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace armdyn::testing
