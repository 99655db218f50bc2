// The program as a user runs it to make a motion.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <tuple>
#include <utility>

#include "support/csv_columns.hpp"
#include "support/fewest_lanes.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

TEST(Trajectory, WritesTimePositionVelocityAndAcceleration) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn trajectory craig-rr --from 0,1 --to 1,-0.5 --duration 2 --rate 4");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(header(outcome), "t,q1,q2,qd1,qd2,qdd1,qdd2");
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(found.at("q1").front(), 0.0);
  EXPECT_EQ(found.at("q1").back(), 1.0);
  EXPECT_EQ(found.at("q2").back(), -0.5);
  EXPECT_EQ(found.at("q1")[4], 0.5);
  EXPECT_EQ(found.at("qd1")[4], 15.0 / 16);  // quintic: 15/8 of the mean velocity
}

TEST(Trajectory, TakesPosesDegreesAndLists) {
  const Shell shell;
  const auto end = [&](const std::string& options) {
    const Outcome outcome =
        shell.run("$armdyn trajectory puma560 --duration 1 --rate 1 " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return csv_columns(outcome.out)["q2"].back();
  };
  EXPECT_EQ(end("--from qz --to qr"), std::numbers::pi / 2);
  EXPECT_EQ(end("--from qz --to '0,90,0,0,0,0 deg'"), std::numbers::pi / 2);
  EXPECT_EQ(end("--from -0.1,0,0,0,0,0 --to 0,-0.25,0,0,0,0"), -0.25);
}

TEST(Trajectory, LandsOnTheKnotsOfTheTrapezoid) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 2 --rate 2 --profile trapezoid");
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t"), (std::vector<double>{0, 0.5, 2.0 / 3, 1, 2 - 2.0 / 3, 1.5, 2}));
  const double a = 9.0 / 8;
  const std::vector<double> steps{a, a, 0, 0, -a, -a, -a};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    EXPECT_NEAR(found.at("qdd1")[k], steps[k], 1e-15);
  }
}

TEST(Trajectory, IsAsFastAsTheLimitsAllow) {
  const Shell shell;
  const auto duration = [&](const std::string& options, const std::string& to = "1,0.5") {
    const Outcome outcome = shell.run("$armdyn trajectory craig-rr --from 0,0 --to " + to +
                                      " --profile lspb --rate 10 " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return csv_columns(outcome.out)["t"].back();
  };
  EXPECT_DOUBLE_EQ(duration("--limits 1,4"), 1.25);
  EXPECT_DOUBLE_EQ(duration("--limits '1,0.1;4,4'"), 5 + 0.2 / 4);
  EXPECT_DOUBLE_EQ(duration("--limits '9,9;2,8'", "0.1,2"), 1.0);  // elbow: 2 sqrt(2/8)
  EXPECT_DOUBLE_EQ(duration("--limits '9,9;8,2'", "2,0.1"), 1.0);
  EXPECT_DOUBLE_EQ(duration("--limits 4"), 1.0);
  EXPECT_NEAR(duration("--limits '57.29577951308232,229.1831180523293 deg'"), 1.25, 1e-15);
  EXPECT_EQ(duration("--limits 1,4 --duration 3"), 3.0);
}

TEST(Trajectory, CountsTheVelocityLimitsOfTheRobotAmongTheLimits) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory ur10e --from 0,0,0,0,0,0 --to 3,0,0,0,0,0 --limits 100 --rate 100");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<double> qd = csv_columns(outcome.out)["qd1"];
  EXPECT_NEAR(*std::max_element(qd.begin(), qd.end()), 2.0944, 1e-3);
}

TEST(Trajectory, BeyondALimitOfTheRobotIsWrittenAndExitsOne) {
  const Shell shell;
  const std::string verb = "$armdyn trajectory six-link-jaeri --rate 100 -o out.csv ";
  const Outcome position = shell.run(verb + "--from 0,0,0,0,0,0 --to 0,0,0,0,0,1.5 --duration 1");
  EXPECT_EQ(position.exit_code, 1);
  EXPECT_NE(position.err.find("warning: J6: q is 0.4528 rad outside its limits -1.047 to 1.047 rad "
                              "at t = 1 s\n"),
            std::string::npos)
      << position.err;
  EXPECT_EQ(csv_columns(shell.read("out.csv"))["q6"].size(), 101U);

  const Outcome velocity = shell.run(
      "$armdyn trajectory ur10e --rate 100 --from 0,0,0,0,0,0 --to 3,0,0,0,0,0 --duration 1 -o "
      "v.csv");
  EXPECT_EQ(velocity.exit_code, 1);
  EXPECT_NE(velocity.err.find("warning: shoulder_pan: |qd| reaches 5.625 rad/s at t = 0.5 s, its "
                              "limit is 2.094 rad/s\n"),
            std::string::npos)
      << velocity.err;
}

TEST(Trajectory, BreaksItsLimitsBetweenRowsAsWell) {
  const Shell shell;
  // In between, the spline swings beyond the joint's limit of 1.047 rad and comes back.
  shell.write("points.csv",
              "t,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n1,0,0,0,0,0,1\n2,0,0,0,0,0,0.9999\n");
  const Outcome position = shell.run(
      "$armdyn trajectory six-link-jaeri --via points.csv --profile cubic --rate 1 -o p.csv");
  EXPECT_EQ(position.exit_code, 1);
  EXPECT_NE(
      position.err.find("warning: J6: q is 0.06388 rad outside its limits -1.047 to 1.047 rad "
                        "at t = 1.33324 s; --profile monotone stays between them\n"),
      std::string::npos)
      << position.err;
  EXPECT_EQ(csv_columns(shell.read("p.csv"))["q6"], (std::vector<double>{0, 1, 0.9999}));

  for (const std::string rate : {"1", "3", "1000"}) {
    const Outcome velocity = shell.run(
        "$armdyn trajectory ur10e --from 0,0,0,0,0,0 --to 3,0,0,0,0,0 --duration 1 --json -o v.csv "
        "--rate " +
        rate);
    EXPECT_EQ(velocity.exit_code, 1) << rate;
    const auto summary = nlohmann::json::parse(velocity.out);
    EXPECT_EQ(summary["joints"][0]["peak_velocity"], 5.625) << rate;
    EXPECT_EQ(summary["joints"][0]["peak_velocity_time"], 0.5) << rate;
    EXPECT_NEAR(summary["joints"][0]["peak_acceleration"], 30 / std::sqrt(3.0), 1e-13) << rate;
    EXPECT_EQ(summary["warnings"].size(), 1U) << rate;
  }
}

/// The middle of the motion, where the TCP is farthest off, is between the rows.
TEST(PointToPoint, ReportsTheHandWhateverTheRate) {
  const Shell shell;
  const auto tcp = [&](const std::string& rate) {
    return nlohmann::json::parse(
        shell
            .run("$armdyn trajectory six-link-jaeri --from A --to B --duration 2 --json -o o.csv "
                 "--rate " +
                 rate)
            .out)["tcp"];
  };
  EXPECT_EQ(tcp("0.5"), tcp("1000"));
  EXPECT_NEAR(tcp("0.5")["off_line"], 10.9e-3, 0.05e-3);
}

TEST(Trajectory, SaysWhichWaypointIsBeyondALimit) {
  const Shell shell;
  shell.write("via.csv", "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0,0,0,0,0,0.9\n0,0,0,0,0,1.5\n");
  const Outcome outcome =
      shell.run("$armdyn trajectory six-link-jaeri --via via.csv --duration 3 -o p.csv");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("warning: J6: q is 0.4528 rad outside its limits -1.047 to 1.047 rad "
                             "at waypoint 3\n"),
            std::string::npos)
      << outcome.err;
}

TEST(Trajectory, FarBeyondALimitAsksForDegrees) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory puma560 --from 30,0,0,0,0,0 --to 45,0,0,0,0,0 --duration 9 -o d.csv "
      "--quiet 2>&1 | grep -v check");
  EXPECT_EQ(outcome.out,
            "armdyn: warning: waist: q is 42.21 rad outside its limits -2.793 to "
            "2.793 rad at t = 9 s; for degrees add ' deg' after the list\n");
}

TEST(Line, ReportsTheConditionOfTheRowsThatItFollows) {
  const Shell shell;
  const auto summary = [&](const std::string& orientation) {
    const Outcome outcome = shell.run(
        "$armdyn trajectory ur10e --from 0.2,-1.2,1.5,-0.4,0.0,0.1 --to "
        "0.4,-1.0,1.3,-0.5,0.1,0.1 --straight --duration 2 --rate 10 --json -o o.csv "
        "--orientation " +
        orientation);
    EXPECT_EQ(outcome.exit_code, orientation == "free" ? 0 : 5) << outcome.err;
    return orientation == "free" ? outcome.out : outcome.err;
  };
  EXPECT_NE(summary("interpolated").find("singular posture at 0 %"), std::string::npos);
  // The wrist is singular at the start (q5 = 0), the place of the TCP is not.
  const auto tcp = nlohmann::json::parse(summary("free"))["tcp"];
  EXPECT_GT(tcp["condition"], 1.0);
  EXPECT_LT(tcp["condition"], 10.0);
}

TEST(Line, ReportsWhereTheHandGoes) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory six-link-jaeri --from A --to B --straight --duration 2 --profile "
      "trapezoid "
      "-o out.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(
      outcome.out.find("TCP: straight from (-0.1, 0.35, 1.63) to (-0.1, 0.35, 1.83) m, 0.2 m, "
                       "orientation kept; condition number of J up to 17.59 at t = 0 s\n"),
      std::string::npos)
      << outcome.out;
}

TEST(PointToPoint, ReportsHowFarTheHandLeavesTheStraightLine) {
  const Shell shell;
  const std::string verb =
      "$armdyn trajectory six-link-jaeri --from A --to B --duration 2 --profile trapezoid -o "
      "out.csv ";
  const Outcome outcome = shell.run(verb);
  EXPECT_NE(outcome.out.find("TCP: from (-0.1, 0.35, 1.63) to (-0.1, 0.35, 1.83) m, up to "
                             "0.01093 m off the straight line at t = 0.982135 s, turned by up to "
                             "2.617 deg at t = 0.994729 s\n"),
            std::string::npos)
      << outcome.out;
  const auto tcp = nlohmann::json::parse(shell.run(verb + "--json").out)["tcp"];
  EXPECT_NEAR(tcp["off_line"], 10.9e-3, 0.05e-3);
  EXPECT_NEAR(tcp["largest_rotation"], 2.62 * std::numbers::pi / 180, 1e-4);
  const auto line = nlohmann::json::parse(shell.run(verb + "--json --straight").out)["tcp"];
  EXPECT_LT(line["off_line"], 1e-12);
  EXPECT_LT(line["largest_rotation"], 1e-12);
}

TEST(Line, ThatCannotBeGoneExitsFiveAndLeavesNoFile) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory puma560 --from 0.3,0.8,-2,0.4,0.9,-0.3 --to 0.3,0.8,-2,0.4,-0.9,-0.3 "
      "--straight --duration 2 -o out.csv 2>&1 >/dev/null | tail -n 1; test ! -e out.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(
      outcome.out,
      "armdyn: the straight line leads through a singular posture at 50 % of the path, where the "
      "TCP is at (0.7233, 0.0667, 0.4473) m; try other ends, --orientation free, or a motion "
      "without --straight\n");
}

TEST(Trajectory, ThatIsPlannedForTheLimitsOfAnArmPassesThem) {
  const Shell shell;
  for (const std::string arm : {"ur5e", "ur10", "staubli-tx40"}) {
    for (const std::string profile : {"trapezoid", "lspb", "cubic", "quintic", "septic"}) {
      for (const std::string limits : {"20", "3.141592653589793,7"}) {
        const std::string plan = "$armdyn trajectory " + arm +
                                 " --from 0.1,-0.3,0.4,0.1,0.3,0.2 --to -1.5,-0.9,1,0.3,0.1,-0.2 "
                                 "--rate 333 --quiet -o m.csv --limits " +
                                 limits + " --profile " + profile;
        const Outcome made = shell.run(plan);
        EXPECT_EQ(made.exit_code, 0) << plan << made.err;
        const Outcome held = shell.run("$armdyn torque " + arm + " m.csv --quiet -o /dev/null");
        EXPECT_EQ(held.err.find("|qd|"), std::string::npos) << plan << held.err;
      }
    }
  }
}

TEST(Trajectory, ThatNoDoubleCanHoldLeavesNoFile) {
  const Shell shell;
  for (const std::string line : {"", "--straight "}) {
    const Outcome outcome = shell.run(
        "$armdyn trajectory six-link-jaeri --from A --to B -o out.csv --duration 1e-200 " + line);
    EXPECT_EQ(outcome.exit_code, 5);
    EXPECT_EQ(
        outcome.err,
        "armdyn: at t = 0 s the motion of J1 is not a finite number: its path is too long, or its "
        "duration too short\n");
    EXPECT_FALSE(shell.exists("out.csv"));
  }
}

TEST(Line, ThatAnArmHasTooFewJointsForSaysWhatItWasToKeep) {
  const Shell shell;
  (void)shell.run("$armdyn robots show craig-rr | grep -v ^tool: >no-hand.yaml");
  const auto refusal = [&](const std::string& options) {
    const Outcome outcome = shell.run(
        "$armdyn trajectory no-hand.yaml --from 0,0.5 --to 1,1 --duration 1 --straight " + options);
    EXPECT_EQ(outcome.exit_code, 5);
    return outcome.err;
  };
  EXPECT_EQ(refusal(""),
            "armdyn: the arm has too few joints to keep its TCP on the straight line with this "
            "orientation at 0 % of the path, where the TCP is at (0.5000, 0.0000, 0.0000) m; try "
            "other ends, --orientation free, or a motion without --straight\n");
  // The TCP is at the elbow, which goes round the shoulder.
  EXPECT_EQ(refusal("--orientation free"),
            "armdyn: the arm has too few joints to keep its TCP on the straight line at 0 % of "
            "the path, where the TCP is at (0.5000, 0.0000, 0.0000) m; try other ends, or a motion "
            "without --straight\n");
}

TEST(Via, PassesThroughTheWaypoints) {
  const Shell shell;
  shell.write("points.csv", "t,q_shoulder[deg],q2\n0,0,0\n1,90,0.5\n1.5,45,1\n4,0,0\n");
  const Outcome outcome =
      shell.run("$armdyn trajectory craig-rr --via points.csv --profile cubic --rate 2");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t")[2], 1.0);
  EXPECT_EQ(found.at("q1")[2], std::numbers::pi / 2);
  EXPECT_EQ(found.at("q2")[3], 1.0);
  EXPECT_EQ(found.at("qd2").back(), 0.0);
}

TEST(Via, WithTimesKeepsTheLimitsThatItIsGiven) {
  const Shell shell;
  shell.write("points.csv", "t,q1,q2\n0,0,0\n1,1,0.5\n2,0,0\n");
  const std::string verb = "$armdyn trajectory craig-rr --via points.csv --rate 100 --quiet ";
  const Outcome within = shell.run(verb + "--limits 3,20");
  EXPECT_EQ(within.exit_code, 0) << within.err;
  EXPECT_EQ(within.out, shell.run(verb).out);
  EXPECT_EQ(shell.run(verb + "--limits 1,20").exit_code, 2);
}

TEST(Via, WithoutTimesTakesTheDurationAndReadsStandardInput) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "printf 'q1,q2\\n0,0\\n1,0.5\\n0,0\\n' | $armdyn trajectory craig-rr --via - --duration 3 "
      "--rate 10");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(csv_columns(outcome.out)["t"].back(), 3.0);
}

TEST(Via, StopsWhereARowRepeatsTheOneBeforeAsFarAsRoundingTells) {
  const Shell shell;
  const std::string arm = test_data() + "/arms/three.yaml";
  for (const auto& [rows, stops] :
       {std::pair{"joint,0.5,0.2,0.3\nline,0.5,0.2,0.3\njoint,0.6,0.3,0.2\n", "stops at 2"},
        {"joint,0.5,0.2,0.3\njoint,0.6,0.3,0.2\nline,0.6,0.3,0.2\n", "stops at 2"},
        {"joint,0.5,0.2,0.3\njoint,0.6,0.3,0.2\njoint,0.6000000000000001,0.3,0.2\n", "stops at 2"},
        {"joint,0.5,0.2,0.3\nline,0.62,0.3,0.2\njoint,0.62,0.3,0.2\n",
         "stops at 2; on a straight line to 2"}}) {
    shell.write("v.csv", "move,q1,q2,q3\n" + std::string(rows));
    const Outcome outcome = shell.run("$armdyn trajectory " + arm +
                                      " --via v.csv --rate 100 --orientation free -o o.csv");
    EXPECT_EQ(outcome.exit_code, 0) << rows << outcome.err;
    EXPECT_NE(outcome.out.find(stops), std::string::npos) << rows << outcome.out;
    const CsvColumns found = csv_columns(shell.read("o.csv"));
    for (const double qdd : found.at("qdd1")) EXPECT_LE(std::abs(qdd), 6.0 * (1 + 1e-9)) << rows;
  }
}

TEST(Excite, IsTheSameForTheSameSeed) {
  const Shell shell;
  const std::string verb =
      "$armdyn trajectory ur10e --excite --limits 1.5,3 --duration 5 --rate 50 ";
  const Outcome first = shell.run(verb);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, shell.run(verb + "--seed 1 --harmonics 5").out);
  EXPECT_NE(first.out, shell.run(verb + "--seed 2").out);
  EXPECT_NE(first.out, shell.run(verb + "--harmonics 7").out);
}

TEST(Optimize, SaysWhatItBroughtAndIdentifySaysTheSame) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-3r --excite --optimize --limits 2,6 --rate 200 --json -o best.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["options"]["optimize"], true);
  const auto& found = json["excitation"];
  EXPECT_EQ(found["least_excited"].size(), 3U);
  EXPECT_LT(found["condition"].get<double>(), found["condition_random"].get<double>() / 2);
  for (const auto& joint : json["joints"]) EXPECT_GT(joint["peak_torque"].get<double>(), 0.0);

  const Outcome fit = shell.run(
      "$armdyn torque craig-3r best.csv --keep-motion -o log.csv --quiet && "
      "$armdyn identify craig-3r log.csv --held-out log.csv --json");
  const auto fitted = nlohmann::json::parse(fit.out);
  EXPECT_EQ(fitted["base_parameters"].size(), found["base_parameter_count"]);
  EXPECT_LT(fitted["condition"].get<double>(), 3 * found["condition"].get<double>());
}

TEST(Optimize, GivesTheSameBytesForTheSameSeed) {
  const Shell shell;
  const std::string verb =
      "$armdyn trajectory craig-rr --excite --optimize --limits 2,6 --rate 20 ";
  const Outcome first = shell.run(verb);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, shell.run(with_fewest_lanes() + verb).out);
  EXPECT_NE(first.out, shell.run(verb + "--seed 2").out);
  EXPECT_NE(first.err.find("excitation: 13 base parameters, condition "), std::string::npos)
      << first.err;
}

TEST(Optimize, SaysWhereAMotionShowsLittle) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-rr --excite --optimize --limits 0.02,0.1 --quiet -o little.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("armdyn: warning: poor excitation: condition number "),
            std::string::npos)
      << outcome.err;
}

TEST(Pipe, FromTrajectoryToTorqueKeepsTheMotion) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory six-link-jaeri --from A --to B --straight --duration 2 --rate 100 "
      "--quiet | "
      "tee "
      "motion.csv | $armdyn torque six-link-jaeri --keep-motion --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns motion = csv_columns(shell.read("motion.csv"));
  const CsvColumns found = csv_columns(outcome.out);
  for (const auto& [name, values] : motion) EXPECT_EQ(found.at(name), values) << name;
  EXPECT_NEAR(found.at("tau2").front(), -58.9, 0.05);
}

/// The torques are straight lines between rows; nothing else keeps the simulation off the motion.
TEST(Pipe, FromTrajectoryThroughTorqueToSimulateFollowsTheMotion) {
  const Shell shell;
  std::vector<double> errors;
  for (const std::string rows : {"--rate 250 4", "--rate 500 2", "--rate 1000 1"}) {
    const std::string rate = rows.substr(0, rows.rfind(' ')), every = rows.substr(rate.size() + 1);
    const Outcome outcome = shell.run(
        "$armdyn trajectory puma560 --from qz --to 0.5,0.6,-0.5,0.3,0.4,-0.6 --duration 2 "
        "--quiet " +
        rate +
        " | tee motion.csv | $armdyn torque puma560 --keep-motion --quiet | "
        "$armdyn simulate puma560 - --quiet --every " +
        every);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const CsvColumns motion = csv_columns(shell.read("motion.csv"));
    const CsvColumns found = csv_columns(outcome.out);
    ASSERT_EQ(found.at("t").size(), motion.at("t").size());
    double error = 0.0;
    for (const std::string joint : {"q1", "q2", "q3", "q4", "q5", "q6"}) {
      for (std::size_t k = 0; k < motion.at("t").size(); ++k) {
        error = std::max(error, std::abs(found.at(joint)[k] - motion.at(joint)[k]));
      }
    }
    errors.push_back(error);
  }
  EXPECT_LT(errors[2], 1e-5);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.4);  // as the square of the time between rows
  EXPECT_NEAR(errors[1] / errors[2], 4.0, 0.4);
}

TEST(Summary, OfATrajectoryAsJsonCarriesItsOptionsKnotsAndPeaks) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory six-link-jaeri --from A --to B --straight --duration 3 --profile "
      "trapezoid "
      "--orientation constant --json -o out.csv");
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["robot"]["name"], "six-link-jaeri");
  EXPECT_EQ(summary["options"]["motion"], "line");
  EXPECT_EQ(summary["options"]["profile"], "trapezoid");
  EXPECT_EQ(summary["options"]["orientation"], "constant");
  EXPECT_EQ(summary["options"]["duration"], 3.0);
  EXPECT_EQ(summary["options"]["rate"], 1000.0);
  EXPECT_EQ(summary["options"]["ignore_extra"], false);
  for (const std::string end : {"from", "to"}) {
    ASSERT_EQ(summary["options"][end].size(), 6U) << end;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(summary["options"][end][i], summary["joints"][i][end], 1e-12) << end << i;
    }
  }
  EXPECT_EQ(summary["rows"], 3001);
  EXPECT_EQ(summary["t"], nlohmann::json({0, 3}));
  EXPECT_EQ(summary["knots"], nlohmann::json({0, 1, 2, 3}));
  ASSERT_EQ(summary["joints"].size(), 6U);
  EXPECT_EQ(summary["joints"][2]["name"], "J3");
  EXPECT_GT(summary["joints"][2]["peak_velocity"], 0.3);
  EXPECT_LE(summary["tcp"]["condition"], 17.6);
  EXPECT_EQ(summary["warnings"], nlohmann::json::array());
}

TEST(Summary, OfATrajectoryAsJsonCarriesTheOptionsOfItsKind) {
  const Shell shell;
  const auto options = [&](const std::string& arguments) {
    const Outcome outcome = shell.run("$armdyn trajectory " + arguments + " --json -o out.csv");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["options"];
  };
  const auto degrees = options("craig-rr --from -0,0.5 --to '0,180 deg' --limits '1,90 deg'");
  EXPECT_EQ(degrees["motion"], "point-to-point");
  EXPECT_EQ(degrees["from"], nlohmann::json({0.0, 0.5}));
  EXPECT_FALSE(std::signbit(degrees["from"][0].get<double>()));
  EXPECT_EQ(degrees["to"], nlohmann::json({0.0, std::numbers::pi}));
  EXPECT_EQ(degrees["limits"], "1,90 deg");
  for (const std::string key : {"duration", "via", "seed", "harmonics", "orientation"}) {
    EXPECT_FALSE(degrees.contains(key)) << key;
  }

  shell.write("via.csv", "q1,q2,note\n0,0,7\n1,2,7\n");
  const auto via = options("craig-rr --via via.csv --duration 2 --ignore-extra");
  EXPECT_EQ(via["motion"], "via");
  EXPECT_EQ(via["via"], "via.csv");
  EXPECT_EQ(via["duration"], 2.0);
  EXPECT_EQ(via["profile"], "monotone");
  EXPECT_EQ(via["ignore_extra"], true);
  EXPECT_FALSE(via.contains("from") || via.contains("to"));

  const auto excite = options("ur10e --excite --limits 1.5,3");
  EXPECT_EQ(excite["motion"], "excite");
  EXPECT_EQ(excite["from"], nlohmann::json({0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(excite["duration"], 10.0);
  EXPECT_EQ(excite["harmonics"], 5);
  EXPECT_EQ(excite["seed"], 1);
  EXPECT_EQ(excite["rate"], 1000.0);
  EXPECT_FALSE(excite.contains("profile"));
}

/// The curves of a picture are of the motion and not of few rows.
TEST(Trajectory, IsDrawnTheSameWhateverTheRate) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  const auto picture = [&](const std::string& rate) {
    EXPECT_EQ(shell
                  .run("$armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 2 --profile "
                       "trapezoid -o m.csv --plot m.svg --quiet --rate " +
                       rate)
                  .exit_code,
              0);
    return shell.read("m.svg");
  };
  const std::string few = picture("1");
  EXPECT_NE(few.find("qdd1"), std::string::npos);
  EXPECT_EQ(few, picture("500"));
}

/// The TCP arrives where it was wanted: forward kinematics of the last row.
TEST(Trajectory, BringsTheHandToAPlace) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory staubli-tx40 --from 0.2,0.3,0.9,0.1,0.5,0 --to-tcp "
      "\"0.3,0.1,0.2,180,10,90 deg\" --duration 2 --rate 10 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(outcome.err);
  EXPECT_EQ(summary["options"]["to_tcp"], "0.3,0.1,0.2,180,10,90 deg");
  const std::string to = summary["options"]["to"].dump();  // "[0.1,..]"
  const std::string q = to.substr(1, to.size() - 2);
  const auto T = nlohmann::json::parse(
      shell.run("$armdyn inspect staubli-tx40 --what T --json --q " + q).out)["T"];
  const double s = std::sin(10 * std::numbers::pi / 180), c = std::cos(10 * std::numbers::pi / 180);
  const double expected[3][4] = {{0, 1, 0, 0.3}, {c, 0, -s, 0.1}, {-s, 0, -c, 0.2}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(T[i][j], expected[i][j], 1e-9);
  }
  const Outcome far =
      shell.run("$armdyn trajectory staubli-tx40 --from 0,0,0,0,0,0 --to-tcp 2,0,0 --duration 1");
  EXPECT_EQ(far.exit_code, 5);
  EXPECT_EQ(far.err.rfind("armdyn: --to-tcp: no configuration found with the TCP at (2, 0, 0) m: "
                          "the nearest is off by ",
                          0),
            0U)
      << far.err;
}

TEST(Trajectory, ThroughWaypointsKeepsToTheRobotsVelocityLimits) {
  const Shell shell;
  shell.write("via.csv", "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n1,-1,1,0,0.5,0\n0,-2,0.5,1,0,2\n");
  const Outcome outcome = shell.run("$armdyn trajectory ur20 --via via.csv --json -o out.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  double largest = 0.0;
  const auto summary = nlohmann::json::parse(outcome.out);
  for (const auto& joint : summary["joints"]) {
    largest = std::max(
        largest, joint["peak_velocity"].get<double>() / joint["velocity_limit"].get<double>());
  }
  EXPECT_NEAR(largest, 1.0, 1e-6);
  EXPECT_LE(largest, 1.0);
}

TEST(Trajectory, DoesNotSayThatABlendedCornerSwings) {
  const Shell shell;
  const std::string joint = "mass: 1, com: [0.5, 0, 0], type: revolute, ";
  shell.write("arm.yaml", "armdyn: 1\nname: arm\nconvention: modified\njoints:\n  - {" + joint +
                              "dh: {}}\n  - {" + joint + "dh: {a: 1}}\n");
  shell.write("narrow.yaml",
              shell.read("arm.yaml")
                  .insert(shell.read("arm.yaml").size() - 2, ", limits: {position: [-3, 0.8]}"));
  shell.write("via.csv", "q1,q2,blend\n0,0,0\n1,1,0.1\n2,0,0\n");
  const std::string motion = " --via via.csv --limits 1,2 -o out.csv --quiet";
  const Outcome corner = shell.run("$armdyn trajectory arm.yaml" + motion);
  EXPECT_EQ(corner.exit_code, 0);
  EXPECT_EQ(corner.err, "");
  const Outcome outside = shell.run("$armdyn trajectory narrow.yaml" + motion);
  EXPECT_EQ(outside.exit_code, 1);
  EXPECT_NE(outside.err.find("j2: q is 0.1016 rad outside its limits"), std::string::npos)
      << outside.err;
  EXPECT_EQ(outside.err.find("monotone"), std::string::npos) << outside.err;
}

TEST(Trajectory, SaysWhereASplineSwingsAndThatMonotoneDoesNot) {
  const Shell shell;
  shell.write("via.csv",
              "q1[deg],q2[deg],q3[deg],q4[deg],q5[deg],q6[deg]\n0,-20,0,0,0,0\n"
              "60,35,20,10,40,-90\n-30,30,90,50,-20,45\n10,-10,30,0,0,0\n");
  const std::string verb = "$armdyn trajectory ur5e --via via.csv -o out.csv ";
  const Outcome quintic = shell.run(verb + "--quiet --profile quintic");
  EXPECT_NE(quintic.err.find("shoulder_lift: overshoots to 1.446 rad at t = 1.85"),
            std::string::npos)
      << quintic.err;
  EXPECT_NE(quintic.err.find("out of the range -0.3491 to 0.6109 rad of the waypoints; --profile "
                             "monotone stays within it"),
            std::string::npos);
  const Outcome monotone = shell.run(verb + "--json");
  EXPECT_EQ(monotone.exit_code, 0);
  const auto summary = nlohmann::json::parse(monotone.out);
  EXPECT_TRUE(summary["warnings"].empty());
  EXPECT_NEAR(summary["joints"][1]["lowest"], -20 * M_PI / 180, 1e-12);
  EXPECT_NEAR(summary["joints"][1]["highest"], 35 * M_PI / 180, 1e-12);
  EXPECT_NEAR(summary["waypoints"]["default_accelerations"][0], 2 * M_PI, 1e-12);
  // A limit that does not bind changes nothing.
  const auto end = [&](const std::string& limits) {
    return nlohmann::json::parse(shell.run(verb + "--json --limits '" + limits + "'").out)["t"][1]
        .get<double>();
  };
  EXPECT_NEAR(end("300,800 deg"), end("800 deg"), 1e-6);
}

TEST(Trajectory, ReadsWaypointsAsLogsAreRead) {
  const Shell shell;
  shell.write("named.csv", "q2,q1\n0.5,0\n1,2\n0,1\n");
  shell.write("plain.csv", "0,0.5\n2,1\n1,0\n");
  shell.write("other.csv", "elbow_pos_2,base_1\n0.5,0\n1,2\n0,1\n");
  const auto rows = [&](const std::string& options) {
    const Outcome outcome =
        shell.run("$armdyn trajectory craig-rr --quiet --duration 3 --rate 20 --via " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(rows("plain.csv --no-header --columns 'q={1..2}'"), rows("named.csv"));
  const std::string advice = shell.run("$armdyn trajectory craig-rr --via plain.csv").err;
  EXPECT_NE(advice.find("; --no-header reads a file without one"), advice.npos) << advice;
  EXPECT_EQ(rows("other.csv --columns q1=base_1,q2=elbow_pos_2"), rows("named.csv"));
}

TEST(Trajectory, StopsAndRestsAtWaypointsWithEveryProfile) {
  const Shell shell;
  shell.write("via.csv", "q1,q2,dwell\n0,0,0\n1,1,0.5\n2,1.5,0\n2,1.5,0\n3,3,0\n");
  for (const std::string profile :
       {"monotone", "cubic", "quintic", "septic", "lspb", "trapezoid"}) {
    const Outcome outcome = shell.run(
        "$armdyn trajectory craig-rr --via via.csv --limits 1,4 --json "
        "--rate 100 -o out.csv --profile " +
        profile);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto summary = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(summary["waypoints"]["stops"], nlohmann::json({2, 3, 4})) << profile;
    const CsvColumns rows = csv_columns(shell.read("out.csv"));
    std::size_t resting = 0;
    for (std::size_t n = 0; n < rows.at("t").size(); ++n) {
      const bool rests = rows.at("qd1")[n] == 0.0 && rows.at("qd2")[n] == 0.0;
      if (rests && rows.at("q1")[n] == 1.0 && rows.at("q2")[n] == 1.0) ++resting;
    }
    EXPECT_GE(resting, 50U) << profile;
    EXPECT_EQ(std::pair(rows.at("q1").back(), rows.at("q2").back()), std::pair(3.0, 3.0));
    // Alike, but for the speeds, where the duration is given: what rests does so as long.
    const Outcome longer = shell.run(
        "$armdyn trajectory craig-rr --via via.csv --rate 100 --quiet "
        "-o slow.csv --duration 20 --profile " +
        profile);
    ASSERT_EQ(longer.exit_code, 0) << longer.err;
    const CsvColumns slow = csv_columns(shell.read("slow.csv"));
    EXPECT_EQ(slow.at("t").back(), 20.0) << profile;
    EXPECT_EQ(slow.at("q1").back(), 3.0) << profile;
  }
}

TEST(Trajectory, KeepsAJerkLimitOfTheRobotAndSaysWhatItCosts) {
  const Shell shell;
  shell.write("via.csv", "q1,q2\n0,0\n1,0.5\n2,0\n");
  ASSERT_EQ(shell
                .run("$armdyn robots copy craig-rr arm.yaml && sed -i 's/^  - name: shoulder/&\\n"
                     "    limits: {velocity: 2, acceleration: 8, jerk: 60}/' arm.yaml")
                .exit_code,
            0);
  const Outcome outcome =
      shell.run("$armdyn trajectory arm.yaml --via via.csv --limits 2,8 --json -o out.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(nlohmann::json::parse(outcome.out)["waypoints"]["time_by_jerk"], 1.0);
  const CsvColumns rows = csv_columns(shell.read("out.csv"));
  for (std::size_t n = 1; n < rows.at("t").size(); ++n) {
    const double dt = rows.at("t")[n] - rows.at("t")[n - 1];
    EXPECT_LE(std::abs(rows.at("qdd1")[n] - rows.at("qdd1")[n - 1]), 60 * dt + 1e-6);
  }
}

TEST(Trajectory, ExcitesWithinPartOfTheVelocityLimits) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn trajectory ur16e --excite --duration 3 --json -o out.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns rows = csv_columns(shell.read("out.csv"));
  const auto joints = nlohmann::json::parse(outcome.out)["joints"];
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LE(joints[i]["peak_velocity"].get<double>(),
              0.8 * joints[i]["velocity_limit"].get<double>() * (1 + 1e-12));
    const auto [least, greatest] = std::ranges::minmax(rows.at("q" + std::to_string(i + 1)));
    EXPECT_NEAR(joints[i]["lowest"], least, 1e-4);
    EXPECT_NEAR(joints[i]["highest"], greatest, 1e-4);
  }
}

TEST(Trajectory, DrawsWhatMovesInTheUnitsAskedFor) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  const std::string verb =
      "$armdyn trajectory ur3 --from 0,0,0,0,0,0 --to 0,-1,0,0,0.5,0 --duration 2 --payload 1.5 "
      "--without friction -o m.csv --plot m.svg --plot-degrees ";
  ASSERT_EQ(shell.run(verb).exit_code, 0);
  const std::string moving = shell.read("m.svg");
  const auto has = [](const std::string& picture, const std::string& text) {
    return picture.find(">" + text + "<") != std::string::npos;
  };
  EXPECT_TRUE(has(moving, "q2 [deg]"));
  EXPECT_TRUE(has(moving, "qdd5 [deg/s²]"));
  EXPECT_TRUE(has(moving, "limit ±180 deg/s"));
  EXPECT_FALSE(has(moving, "q1 [deg]"));
  EXPECT_TRUE(has(moving,
                  "payload 1.5 kg; without friction; at rest and not drawn: shoulder_pan, elbow, "
                  "wrist_1, wrist_3"));
  ASSERT_EQ(shell.run(verb + "--plot-joints elbow,2").exit_code, 0);
  const std::string chosen = shell.read("m.svg");
  EXPECT_TRUE(has(chosen, "q3 [deg]"));
  EXPECT_TRUE(has(chosen, "q2 [deg]"));
  EXPECT_FALSE(has(chosen, "q5 [deg]"));
  EXPECT_EQ(shell.run(verb + "--plot-joints elbo").err,
            "armdyn: --plot-joints: found \"elbo\", expected joints out of 1 to 6 or "
            "shoulder_pan, shoulder_lift, elbow, wrist_1, wrist_2, wrist_3; did you mean "
            "'elbow'?\n");
}

/// The message of a command that must end with this exit code.
std::string message(const Shell& shell, const std::string& options, int exit_code) {
  const Outcome outcome = shell.run("$armdyn trajectory craig-rr " + options);
  EXPECT_EQ(outcome.exit_code, exit_code) << options << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "") << options;
  return outcome.err;
}

TEST(Mistakes, AreAnsweredAsJsonWhereJsonIsAskedFor) {
  const Shell shell;
  shell.write("bad.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,x\n");
  const std::vector<std::tuple<std::string, int, std::string>> cases{
      {"torque craig-rr bad.csv --json", 3,
       "bad.csv:2: column \"qdd2\": found \"x\", expected a number"},
      {"inspect nosuch --json", 4, "there is no file 'nosuch', and no shipped robot of that name"},
      {"compare craig-rr --json --nosuch", 2,
       "compare has no option --nosuch (armdyn compare --help lists them)"},
      {"compare craig-rr --samples 0.5 --json", 2,
       "--samples: found \"0.5\", expected a whole number of 1 or more"}};
  for (const auto& [arguments, exit_code, message] : cases) {
    const Outcome outcome = shell.run("$armdyn " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    const nlohmann::json answer = nlohmann::json::parse(outcome.err);
    EXPECT_EQ(answer["error"]["exit"], exit_code) << arguments;
    EXPECT_EQ(answer["error"]["message"], message) << arguments;
  }
}

TEST(Mistakes, OnTheCommandLineSayWhatToDo) {
  const Shell shell;
  shell.write("timed.csv", "t,q1,q2\n0,0,0\n1,1,1\n");
  shell.write("untimed.csv", "q1,q2\n0,0\n1,1\n");
  shell.write("dwells.csv", "q1,q2,dwell\n0,0,1\n1,1,2\n");
  shell.write("rest.csv", "q1,q2,dwell\n0,0,1\n1,1,0\n");
  shell.write("late.csv", "t,q1,q2,dwell\n0,0,0,2\n1,1,1,0\n");
  shell.write("blends.csv", "q1,q2,blend\n0,0,0\n1,0,0.1\n1,1,0\n");
  shell.write("same.csv", "q1,q2\n1,1\n1,1\n");
  ASSERT_EQ(shell.run("ln timed.csv timed.svg").exit_code, 0);
  const std::string ends = "--from 0,0 --to 1,1 ";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--from 0,0 --duration 1",
       "trajectory needs --from and --to, or --via, --along or --excite; --to is missing; armdyn "
       "trajectory --help shows examples"},
      {ends,
       "the duration is missing, and craig-rr has no limits of acceleration to compute it from; "
       "give --duration or --limits"},
      {ends + "--duration 0", "--duration: found \"0\", expected seconds greater than 0"},
      {ends + "--duration 1 --rate 0",
       "--rate: found \"0\", expected a number of Hz greater than 0"},
      {ends + "--duration 1e9",
       "1e+09 s at 1000 Hz are 1e+12 rows; lower --rate, or raise --max-rows above 1e+08"},
      {ends + "--duration 1 --profile quartic",
       "--profile: found \"quartic\", expected one of trapezoid, cubic, quintic, septic, lspb, "
       "monotone; did "
       "you mean 'quintic'?"},
      {ends + "--limits 1,2,3,4",
       "--limits: found \"1,2,3,4\", expected [V,]A[,J] for all joints, or "
       "\"v1,..;a1,..;j1,..\""},
      {ends + "--limits '1;2;3;4 deg'",
       "--limits: found \"1;2;3;4 deg\", expected [V,]A[,J] for all joints, or "
       "\"v1,..;a1,..;j1,..\""},
      {ends + "--limits 1,2,0", "--limits: found \"0\", expected numbers greater than 0"},
      {ends + "--limits '2 rad/s'", "--limits: found \"2 rad/s\", expected a number"},
      {ends + "--limits 1,0", "--limits: found \"0\", expected numbers greater than 0"},
      {ends + "--limits 1,2 --duration 0.1",
       "within these limits the motion takes at least 1.875 s, but 0.1 s are asked for"},
      {"--from 0,0 --to 0,0 --limits 1,2", "no joint moves, so limits set no duration; give one"},
      {ends + "--via untimed.csv --duration 1",
       "--via and --from do not go together; leave out one of them"},
      {"--via untimed.csv",
       "the duration is missing, and craig-rr has no limits of velocity or acceleration to compute "
       "it from; give --duration or --limits"},
      {"--via timed.csv --duration 1",
       "the waypoints have times t, which set its duration; leave out --duration"},
      {"--via timed.csv --limits 1.5,4",
       "in 1 s shoulder would reach 125 % of its velocity limit at t = 0.5 s; 1.25 times as long, "
       "1.25 s, is enough"},
      {"--via timed.csv --stop --profile cubic --limits 1.2,100",
       "in 1 s shoulder would reach 125 % of its velocity limit at t = 0.5 s; 1.25 times as long, "
       "1.25 s, is enough"},
      {"--via rest.csv --profile cubic --limits 1.2,100 --duration 2",
       "in 2 s shoulder would reach 125 % of its velocity limit at t = 1.5 s; 1.125 times as long, "
       "2.25 s, is enough"},
      {"--via dwells.csv --duration 2", "the waypoints' dwells take 3 s, all of the 2 s asked for"},
      {"--via late.csv",
       "waypoint 1 rests until t = 2 s, but waypoint 2 is due at t = 1 s; give a shorter dwell or "
       "later times"},
      {"--via blends.csv --duration 2 --profile cubic",
       "a blend needs --profile monotone without --stop; leave out the column blend, or change "
       "these options"},
      {"--via blends.csv --duration 2 --stop",
       "a blend needs --profile monotone without --stop; leave out the column blend, or change "
       "these options"},
      {"--via same.csv --duration 2", "all waypoints are the same, so no joint moves"},
      {"--via same.csv --duration 2 --profile cubic",
       "all waypoints are the same, so no joint moves"},
      {ends + "--duration 1 --straight --profile monotone",
       "--straight takes --profile trapezoid, cubic, quintic, septic or lspb"},
      {ends + "--duration 1 --stop", "--stop needs --via"},
      {"--via untimed.csv --duration 1 --straight",
       "--via and --straight do not go together; leave out one of them"},
      {"--excite --to 1,1", "--excite and --to do not go together; leave out one of them"},
      {ends + "--duration 1 --to-tcp 1,0,0",
       "--to and --to-tcp do not go together; leave out one of them"},
      {"--from 0,0 --duration 1 --to-tcp 1,0",
       "--to-tcp: found \"1,0\", expected x,y,z in m, or x,y,z,roll,pitch,yaw"},
      {ends + "--duration 1 --plot-degrees",
       "--plot-joints and --plot-degrees are for a picture; give --plot FILE or --report FILE too"},
      {"--excite --straight", "--excite and --straight do not go together; leave out one of them"},
      {"--excite --profile cubic",
       "--excite and --profile do not go together; leave out one of them"},
      {"--excite --limits 1,1 --harmonics 2",
       "--harmonics: found \"2\", expected a whole number from 3 to 1000"},
      {"--excite",
       "shoulder has no limit of position, velocity or acceleration, so its range is unknown; give "
       "--limits"},
      {ends + "--duration 1 --seed 3", "--seed needs --excite"},
      {ends + "--duration 1 --optimize", "--optimize needs --excite"},
      {"--excite --optimize",
       "shoulder has no limit of position, velocity or acceleration, so its range is unknown; give "
       "--limits"},
      {ends + "--duration 1 --orientation free", "--orientation needs --straight or --via"},
      {ends + "--duration 1 --topic /joints", "--topic needs --via or --along"},
      {ends + "--duration 1 --ignore-extra", "--ignore-extra needs --via or --along"},
      {ends + "--duration 1 --torque-share 0.5",
       "--torque-share needs limits of torque, and craig-rr has none; write them into its file"},
      {ends + "--limits 1,2 --time-optimal --torque-share 0.5",
       "--torque-share needs limits of torque, and craig-rr has none; write them into its file"},
      {"--via timed.csv -o timed.csv", "the output 'timed.csv' is an input; name another file"},
      {"--via timed.csv --plot ./timed.svg",
       "the output './timed.svg' is an input; name another file"},
  };
  for (const auto& [options, expected] : cases) {
    EXPECT_EQ(message(shell, options, 2), "armdyn: " + expected + "\n");
  }
}

TEST(Mistakes, InAFileOfWaypointsNameTheLine) {
  const Shell shell;
  shell.write("rest.csv", "q1,q2,dwell\n0,0,0\n\n1,1,-1\n");
  shell.write("both.csv", "q1,q2,dwell,blend\n0,0,0,0\n1,1,1,0.1\n0,1,0,0\n");
  shell.write("at.csv", "t,q1,q2,blend\n0,0,0,0\n1,1,1,0.1\n2,0,1,0\n");
  shell.write("back.csv", "t,q1,q2\n0,0,0\n1,1,1\n0.5,1,1\n");
  shell.write("single.csv", "q1,q2\n0,0\n");
  EXPECT_EQ(message(shell, "--via rest.csv --duration 1", 3),
            "rest.csv:4: dwell is -1, it cannot be below 0\n");
  EXPECT_EQ(message(shell, "--via both.csv --duration 9", 3),
            "both.csv:3: has a dwell and a blend; leave out one of them\n");
  EXPECT_EQ(message(shell, "--via at.csv", 3),
            "at.csv:3: a waypoint with a time t is passed at it; leave out its blend\n");
  EXPECT_EQ(message(shell, "--via back.csv", 3),
            "back.csv:4: t is 0.5 after 1, it must increase from row to row\n");
  EXPECT_EQ(message(shell, "--via single.csv --duration 1", 3),
            "single.csv: found 1 waypoint, expected at least 2\n");
}

TEST(Trajectory, DoesNotAskForDegreesWhereTheyAreGiven) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn trajectory puma560 --from '0,0,0,0,0,0 deg' --to '900,0,0,0,0,0 deg' --duration 99 "
      "-o d.csv --quiet 2>&1 | grep waist");
  EXPECT_EQ(outcome.out,
            "armdyn: warning: waist: q is 12.92 rad outside its limits -2.793 to 2.793 rad at t = "
            "99 s\n");
}

TEST(Trajectory, SaysThatTimesOfWaypointsCountFromTheFirst) {
  const Shell shell;
  shell.write("via.csv", "t,q1,q2\n1700000000,0,0\n1700000001,1,1\n");
  const std::string command = "$armdyn trajectory craig-rr --via via.csv --profile cubic -o m.csv ";
  EXPECT_EQ(shell.run(command).err.find("via.csv: t counts from the first stamp\n"), 0U);
  EXPECT_EQ(shell.run(command + "--quiet").err.find("stamp"), std::string::npos);
}

TEST(Excite, NamesTheJointWhoseCenterIsOutOfRange) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn trajectory puma560 --excite --limits 1,1 --from '200,0,0,0,0,0 deg'");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("the center of waist, 3.49066 rad, is not within its limits -2.79253 "
                             "to 2.79253 rad\n"),
            std::string::npos)
      << outcome.err;
}

// --- limits of acceleration and jerk in the robot file
// ------------------------------------------------------------------------------------

/// A slide with a mass of 1 kg and limits.
std::string limited_slide(const std::string& limits) {
  return "armdyn: 1\nname: slide\nconvention: modified\njoints:\n"
         "  - {name: slide, type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1, "
         "limits: {" +
         limits + "}}\n";
}

TEST(Optimize, RefusesACenterWhereTheArmCannotBeHeld) {
  const Shell shell;
  shell.write("slide.yaml", limited_slide("torque: 4"));  // of 9.81 N
  const Outcome outcome =
      shell.run("$armdyn trajectory slide.yaml --excite --optimize --limits 1,2");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("even a slow motion about the center takes 245 % of the torque that "
                             "slide may take, by gravity and dry friction; choose another center, "
                             "or check the limit\n"),
            std::string::npos)
      << outcome.err;
}

/// T = max(15/8 Δ/v, √(10/√3 Δ/a), ∛(60 Δ/j)) of the quintic, by (10.2).
TEST(TrajectoryWithinTheFilesLimits, TakesAsLongAsTheySay) {
  const Shell shell;
  const auto duration = [&](const std::string& limits, const std::string& options) {
    shell.write("slide.yaml", limited_slide(limits));
    const Outcome outcome =
        shell.run("$armdyn trajectory slide.yaml --from 0 --to 2 --json -o m.csv " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["t"][1].get<double>();
  };
  const std::string slow = "velocity: 0.5, acceleration: 100", weak = "acceleration: 3",
                    smooth = "velocity: 9, acceleration: 90, jerk: 15";
  EXPECT_NEAR(duration(slow, ""), 15.0 / 8 * 2 / 0.5, 1e-12);
  EXPECT_NEAR(duration(weak, ""), std::sqrt(10 / std::sqrt(3.0) * 2 / 3), 1e-12);
  EXPECT_NEAR(duration(weak, "--limits 50"), std::sqrt(10 / std::sqrt(3.0) * 2 / 3), 1e-12);
  EXPECT_NEAR(duration(smooth, ""), 2.0, 1e-12);
  EXPECT_NEAR(duration(smooth, "--profile septic"), std::cbrt(52.5 * 2 / 15), 1e-12);
  EXPECT_EQ(duration(smooth, "--duration 5"), 5.0);
}

/// The jerk of the quintic at its ends, from the accelerations of rows that are close together.
TEST(TrajectoryWithinTheFilesLimits, KeepsToTheJerk) {
  const Shell shell;
  shell.write("slide.yaml", limited_slide("velocity: 9, acceleration: 90, jerk: 15"));
  const CsvColumns found = csv_columns(
      shell.run("$armdyn trajectory slide.yaml --from 0 --to 2 --rate 10000 --quiet").out);
  const std::vector<double>&t = found.at("t"), &a = found.at("qdd1");
  double largest = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    largest = std::max(largest, std::abs(a[k] - a[k - 1]) / (t[k] - t[k - 1]));
  }
  EXPECT_LT(largest, 15.0);
  EXPECT_GT(largest, 14.98);
}

TEST(Trajectory, KeepsTheJerkOfLimits) {
  const Shell shell;
  shell.write("slide.yaml", limited_slide("velocity: 9, acceleration: 90, jerk: 40"));
  shell.write("via.csv", "q1\n0\n1\n2\n");
  const auto duration = [&](const std::string& options) {
    const Outcome outcome = shell.run("$armdyn trajectory slide.yaml --json -o m.csv " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("are ignored"), std::string::npos) << outcome.err;
    const auto answer = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(answer["acceleration_jumps"]["count"], 0) << options;
    return answer["t"][1].get<double>();
  };
  const std::string ends = "--from 0 --to 2 ";
  EXPECT_NEAR(duration(ends + "--limits 9,90,15"), 2.0, 1e-12);
  EXPECT_NEAR(duration(ends + "--limits ';90;15'"), 2.0, 1e-12);
  EXPECT_NEAR(duration(ends + "--limits 9,90,500"), std::cbrt(60.0 * 2 / 40), 1e-12);
  EXPECT_NEAR(duration(ends + "--limits 9,90,15 --profile septic"), std::cbrt(52.5 * 2 / 15),
              1e-12);
  // Seven stretches without a limit of velocity or acceleration that counts: 4 ∛(Δ/2j) at least.
  const double least = 4 * std::cbrt(2.0 / (2 * 15));
  for (const std::string motion : {"--via via.csv ", "--profile monotone --from 0 --to 2 "}) {
    const double found = duration(motion + "--limits 9,90,15");
    EXPECT_GE(found, least * (1 - 1e-9));
    EXPECT_LT(found, 1.1 * least);
    EXPECT_EQ(duration(motion + "--limits 9,90,15 --duration 5"), 5.0);
  }
  const Outcome short_one =
      shell.run("$armdyn trajectory slide.yaml --via via.csv --limits 9,90,15 --duration 1.5");
  EXPECT_EQ(short_one.exit_code, 2);
  EXPECT_EQ(short_one.err.find("armdyn: in 1.5 s it would go beyond limits of jerk; "), 0U)
      << short_one.err;
  for (const std::string other :
       {"--time-optimal --from 0 --to 2", "--straight --from 0 --to 2", "--excite",
        "--profile lspb --from 0 --to 2", "--via via.csv --profile quintic"}) {
    const Outcome refused = shell.run("$armdyn trajectory slide.yaml --limits 9,90,15 " + other);
    EXPECT_EQ(refused.exit_code, 2) << other;
    EXPECT_EQ(refused.err.find(
                  "armdyn: --limits has limits of jerk, which apply only to --profile monotone"),
              0U)
        << other << refused.err;
  }
}

TEST(Trajectory, SaysHowOftenAndByHowMuchTheAccelerationJumps) {
  const Shell shell;
  shell.write("via.csv", "q1,q2\n0,0\n1,0.5\n2,0\n");
  const auto run = [&](const std::string& options) {
    return shell.run("$armdyn trajectory craig-rr -o m.csv " + options).out;
  };
  const std::string trapezoid = "--from 0,0 --to 0.5,-1 --duration 2 --profile trapezoid ";
  EXPECT_NE(
      run(trapezoid).find("\nacceleration: 4 jumps, the largest by 1.125 rad/s² at elbow, t = "),
      std::string::npos)
      << run(trapezoid);
  const auto jumps = nlohmann::json::parse(run(trapezoid + "--json"))["acceleration_jumps"];
  EXPECT_EQ(jumps["count"], 4);
  EXPECT_NEAR(jumps["largest"].get<double>(), 1.125, 1e-12);
  EXPECT_EQ(jumps["unit"], "rad/s²");
  EXPECT_EQ(jumps["joint"], "elbow");
  // A motion that is monotone by acceleration alone, whose rows jump likewise.
  const std::string via = "--via via.csv --limits 1,4 --rate 20000 ";
  const auto fastest = nlohmann::json::parse(run(via + "--json"))["acceleration_jumps"];
  EXPECT_GE(fastest["count"], 4);
  const CsvColumns rows = csv_columns(shell.read("m.csv"));
  const std::vector<double>& qdd = rows.at(fastest["joint"] == "elbow" ? "qdd2" : "qdd1");
  double largest = std::max(std::abs(qdd.front()), std::abs(qdd.back()));
  for (std::size_t n = 1; n < qdd.size(); ++n) {
    largest = std::max(largest, std::abs(qdd[n] - qdd[n - 1]));
  }
  EXPECT_NEAR(fastest["largest"].get<double>(), largest, 0.01 * largest);
  EXPECT_NE(run(via).find("\nacceleration: "), std::string::npos);
  const std::string quintic = "--from 0,0 --to 0.5,-1 --duration 2 ";
  EXPECT_EQ(run(quintic).find("jump"), std::string::npos);
  const auto none = nlohmann::json::parse(run(quintic + "--json"))["acceleration_jumps"];
  EXPECT_EQ(none, nlohmann::json({{"count", 0}, {"largest", 0.0}}));
}

TEST(TrajectoryWithinTheFilesLimits, SaysWhereTheyAreExceededOrNotLookedAt) {
  const Shell shell;
  shell.write("slide.yaml", limited_slide("acceleration: 3, jerk: 15"));
  const Outcome fast =
      shell.run("$armdyn trajectory slide.yaml --from 0 --to 2 --duration 1 -o m.csv --quiet");
  EXPECT_EQ(fast.exit_code, 1);
  EXPECT_NE(fast.err.find("armdyn: warning: slide: |qdd| reaches 11.55 m/s² at t = 0.211325 s, its "
                          "limit is 3 m/s²\n"),
            std::string::npos)
      << fast.err;
  EXPECT_NE(fast.err.find("the robot file's limits of jerk are ignored"), std::string::npos);
  for (const std::string options : {"--from 0 --to 2", "--along m.csv"}) {
    const Outcome soon =
        shell.run("$armdyn trajectory slide.yaml --time-optimal -o fast.csv " + options);
    EXPECT_NE(soon.err.find("the robot file's limits of jerk are ignored"), std::string::npos)
        << options << soon.err;
  }
  const Outcome strict = shell.run("$armdyn torque slide.yaml m.csv --strict --quiet -o tau.csv");
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_NE(strict.err.find("slide: |qdd| reaches 11.55 m/s² at t = "), std::string::npos)
      << strict.err;
}

// --- --via with places of the TCP and straight lines

constexpr const char* mixed_waypoints =
    "move,q1,q2,q3,q4,q5,q6,x[mm],y,z,roll[deg],pitch,yaw,qx,qy,qz,qw,dwell\n"
    "joint,3.14,-1.2,1.2,-1.5,-1.5,0,,,,,,,,,,,\n"
    "line,,,,,,,400,0.2,0.3,,,,,,,,0.2\n"
    "line,,,,,,,400,0.3,0.3,,,,,,,,\n"
    "joint,,,,,,,300,0.3,0.5,180,0,1.5,,,,,\n"
    "line,,,,,,,300,0.1,0.5,,,,0.6,0.8,0,0,\n"
    ",3,-1.2,1.2,-1.5,-1.5,0,,,,,,,,,,,\n";

TEST(MixedWaypoints, LeadTheHandStraightWhereTheySayLine) {
  const Shell shell;
  shell.write("via.csv", mixed_waypoints);
  const Outcome planned = shell.run("$armdyn trajectory ur5e --via via.csv --json -o motion.csv");
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  const auto json = nlohmann::json::parse(planned.out);
  EXPECT_EQ(json["waypoints"]["lines"], (std::vector<int>{2, 3, 5}));
  EXPECT_EQ(json["waypoints"]["stops"], (std::vector<int>{2, 3, 4, 5}));
  const CsvColumns tcp =
      csv_columns(shell.run("$armdyn inspect ur5e motion.csv --what T --quiet").out);
  const CsvColumns motion = csv_columns(shell.run("cat motion.csv").out);
  std::vector<std::size_t> rests;  // where all joints stand still, and go on
  const std::size_t rows = motion.at("t").size();
  for (std::size_t row = 0; row < rows; ++row) {
    double speed = 0.0;
    for (int i = 1; i <= 6; ++i) speed += std::abs(motion.at("qd" + std::to_string(i))[row]);
    if (speed < 1e-12) rests.push_back(row);
  }
  const auto place = [&](std::size_t row) {
    return std::array{tcp.at("x")[row], tcp.at("y")[row], tcp.at("z")[row]};
  };
  const auto find = [&](double x, double y, double z) {
    for (const std::size_t row : rests) {
      const auto [px, py, pz] = place(row);
      if (std::hypot(px - x, py - y, pz - z) < 1e-9) return row;
    }
    ADD_FAILURE() << "never rests at " << x << ", " << y << ", " << z;
    return rows - 1;
  };
  const auto straight = [&](std::size_t from, std::size_t to) {
    const auto [ax, ay, az] = place(from);
    const auto [bx, by, bz] = place(to);
    const double ux = bx - ax, uy = by - ay, uz = bz - az, way = std::hypot(ux, uy, uz);
    double off = 0.0;
    for (std::size_t row = from; row <= to; ++row) {
      const auto [px, py, pz] = place(row);
      const double s = ((px - ax) * ux + (py - ay) * uy + (pz - az) * uz) / way / way;
      off = std::max(off, std::hypot(px - ax - s * ux, py - ay - s * uy, pz - az - s * uz));
    }
    return off;
  };
  const std::size_t second = find(0.4, 0.2, 0.3), third = find(0.4, 0.3, 0.3),
                    fourth = find(0.3, 0.3, 0.5), fifth = find(0.3, 0.1, 0.5);
  EXPECT_LT(straight(0, second), 1e-7);
  EXPECT_LT(straight(second, third), 1e-7);
  EXPECT_GT(straight(third, fourth), 1e-3);
  EXPECT_LT(straight(fourth, fifth), 1e-7);
  EXPECT_NEAR(tcp.at("R1_1")[fifth], 0.36 - 0.64, 1e-9);  // half a turn about (0.6, 0.8, 0)
  EXPECT_NEAR(tcp.at("R1_2")[fifth], 2 * 0.6 * 0.8, 1e-9);
  EXPECT_NEAR(tcp.at("R1_1")[third], tcp.at("R1_1")[0], 1e-9);  // places alone keep the axes
  EXPECT_NEAR(motion.at("q1").back(), 3.0, 1e-15);
}

TEST(MixedWaypoints, KeepTheLimitsAndTheFastestTimeBetweenTheirStops) {
  const Shell shell;
  shell.write("via.csv", mixed_waypoints);
  const auto summary = [&](const std::string& options) {
    const Outcome outcome =
        shell.run("$armdyn trajectory ur5e --via via.csv --json -o m.csv " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto limited = summary("--limits 1,2");
  for (const auto& joint : limited["joints"]) {
    EXPECT_LE(joint["peak_velocity"].get<double>(), 1.0 + 1e-9);
    EXPECT_LE(joint["peak_acceleration"].get<double>(), 2.0 + 1e-9);
  }
  shell.write("via.csv",
              "move,q1,q2,q3,q4,q5,q6,x,y,z\n,3.14,-1.2,1.2,-1.5,-1.5,0,,,\n"
              "line,,,,,,,0.4,0.2,0.3\n,3,-1.2,1.2,-1.5,-1.5,0,,,\n");
  const auto fastest = summary("--time-optimal")["time_optimal"];
  EXPECT_LT(fastest["gap"].get<double>(), 0.01);
  EXPECT_GE(fastest["gap"].get<double>(), 0.0);
}

TEST(MixedWaypoints, PassCornersOfLinesAtTheirBlend) {
  const Shell shell;
  const std::string rows =
      "move,q1,q2,q3,q4,q5,q6,x,y,z,blend\n,3.14,-1.2,1.2,-1.5,-1.5,0,,,,\n"
      "line,,,,,,,0.4,0.2,0.3,5e-3\nline,,,,,,,0.4,0.3,0.3,2e-3\nline,,,,,,,0.3,0.3,0.4,\n"
      ",3,-1.2,1.2,-1.5,-1.5,0,,,,\n";
  const auto summary = [&](const std::string& options) {
    shell.write("via.csv", rows);
    const Outcome outcome =
        shell.run("$armdyn trajectory ur5e --via via.csv --json --rate 4000 -o m.csv " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  for (const std::string options : {"--limits 1,2", "--time-optimal"}) {
    const auto json = summary(options);
    const CsvColumns tcp =
        csv_columns(shell.run("$armdyn inspect ur5e m.csv --what T --quiet").out);
    const auto nearest = [&](double x, double y, double z) {
      double least = 1.0;
      for (std::size_t row = 0; row < tcp.at("x").size(); ++row) {
        least = std::min(
            least, std::hypot(tcp.at("x")[row] - x, tcp.at("y")[row] - y, tcp.at("z")[row] - z));
      }
      return least;
    };
    EXPECT_NEAR(nearest(0.4, 0.2, 0.3), 5e-3, 2e-5) << options;
    EXPECT_NEAR(nearest(0.4, 0.3, 0.3), 2e-3, 2e-5) << options;
    EXPECT_LT(nearest(0.3, 0.3, 0.4), 1e-9) << options;
    if (options == "--time-optimal") continue;
    EXPECT_EQ(json["waypoints"]["lines"], (std::vector<int>{2, 3, 4}));
    EXPECT_EQ(json["waypoints"]["stops"], (std::vector<int>{4}));
    EXPECT_LE(json["joints"][2]["peak_acceleration"].get<double>(), 2.0 + 1e-9);
  }
}

TEST(MixedWaypoints, SayWhichRowCannotBe) {
  const Shell shell;
  const auto said = [&](const std::string& rows) {
    shell.write("via.csv", rows);
    const Outcome outcome = shell.run("$armdyn trajectory ur5e --via via.csv -o out.csv");
    EXPECT_NE(outcome.exit_code, 0);
    return outcome.err;
  };
  const std::string head = "move,q1,q2,q3,q4,q5,q6,x,y,z,blend\n,3.14,-1.2,1.2,-1.5,-1.5,0,,,,\n";
  for (const auto& [row, message] : std::vector<std::pair<std::string, std::string>>{
           {"line,,,,,,,0.4,0.2,3,", "via.csv:3: the straight line leads out of reach at"},
           {"joint,,,,,,,0.4,0.2,3,", "via.csv:3: "},
           {"arc,,,,,,,0.4,0.2,0.3,", "via.csv:3: move is \"arc\", expected joint or line"},
           {"line,,,,,,,0.4,0.2,,", "via.csv:3: z is empty, x..z must all be there or none"},
           {"line,0,,,,,,,,,", "via.csv:3: q2 is empty, q1..q6 must all be there or none"},
           {"line,,,,,,,,,,", "via.csv:3: has neither joint positions nor a TCP position"},
           {"line,0,-1,1,-1,-1,0,0.4,0.2,0.3,",
            "via.csv:3: has joint positions and a TCP position; leave one of them empty"},
           {"line,,,,,,,0.4,0.2,0.3,0.1",
            "via.csv:3: the motion stops where a line begins and ends; leave out the blend "
            "there"},
           {"line,,,,,,,0.4,0.2,0.3,0.1\njoint,3,-1.2,1.2,-1.5,-1.5,0,,,,",
            "via.csv:4: the motion stops where a line begins and ends"},
           {"line,,,,,,,0.4,0.2,0.3,0.1\nline,3.14,-1.2,1.2,-1.5,-1.5,0,,,,",
            "via.csv: waypoints 1 to 3: the TCP has a blend at (0.4000, 0.2000, 0.3000) m, but "
            "stands still or turns back there"}}) {
    EXPECT_NE(said(head + row + "\n").find(message), std::string::npos) << said(head + row + "\n");
  }
  EXPECT_NE(
      said("t,x,y,z,move\n0,0.4,0.2,0.3,\n1,0.4,0.3,0.3,line\n").find("via.csv:3: a line finds "),
      std::string::npos);
  EXPECT_NE(said("x,y,z,qx,qy,qz,qw\n0.4,0.2,0.3,1,1,0,0\n").find("has the length 1.41421"),
            std::string::npos);
  EXPECT_NE(
      said("x,y,z,roll,pitch,yaw,qx,qy,qz,qw\n0.4,0.2,0.3,1,1,0,0,0,0,1\n").find("via.csv:2: "),
      std::string::npos);
}

}  // namespace
}  // namespace armdyn::testing
