// identify as a user runs it: logs that armdyn makes itself, from an arm that the file does not know.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "support/csv_columns.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

const std::string arm = R"(armdyn: 1
name: arm
convention: modified
joints:
  - {name: shoulder, type: revolute, dh: {a: 0, alpha: 0, d: 0.3, theta: 0}, mass: M1,
     com: [0, 0.02, -0.1], inertia: {xx: 0.05, yy: 0.05, zz: 0.02},
     friction: {viscous: B, coulomb: 1}, motor: {rotor_inertia: 1.0e-4, gear_ratio: 80}}
  - {name: arm, type: revolute, dh: {a: 0, alpha: -pi/2, d: 0, theta: 0}, mass: M2,
     com: [0.2, 0, 0.05], inertia: {xx: 0.02, yy: 0.1, zz: 0.1},
     friction: {viscous: B, coulomb: 1}, motor: {rotor_inertia: 1.0e-4, gear_ratio: 80}}
  - {name: forearm, type: revolute, dh: {a: 0.4, alpha: 0, d: 0, theta: 0}, mass: 2,
     com: [0.15, 0.01, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03},
     friction: {viscous: B, coulomb: 0.5}}
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from)) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The true arm, one whose file is wrong, and a log of the true one.
void prepare(const Shell& shell) {
  shell.write("truth.yaml", with(with(with(arm, "M1", "6"), "M2", "5"), "B", "2"));
  shell.write("prior.yaml", with(with(with(arm, "M1", "4"), "M2", "3.5"), "B", "0.5"));
  const Outcome made = shell.run(
      "$armdyn trajectory truth.yaml --excite --from 0,0,0 --limits 2,6 --duration 12 "
      "--rate 200 --seed 4 -o motion.csv --quiet && "
      "$armdyn torque truth.yaml motion.csv --keep-motion -o log.csv --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
}

TEST(Identify, MakesAFileThatPredictsTheArm) {
  const Shell shell;
  prepare(shell);
  const Outcome found = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 -o new.yaml");
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("new robot file: new.yaml"), std::string::npos) << found.out;
  const Outcome check = shell.run("$armdyn check new.yaml --strict --quiet");
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;

  const auto rms = [&](const std::string& robot) {
    const Outcome outcome = shell.run("$armdyn torque " + robot + " log.csv --json -o tau.csv");
    std::vector<double> left;
    const auto summary = nlohmann::json::parse(outcome.out);
    for (const auto& joint : summary["joints"]) {
      left.push_back(joint["residual_rms"].get<double>());
    }
    return left;
  };
  const std::vector<double> before = rms("prior.yaml"), after = rms("new.yaml");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(after[i], 0.05 * before[i]) << i;
  const std::string text = shell.run("cat new.yaml").out;
  EXPECT_NE(text.find("Identified by armdyn identify from log.csv; what the logs do not determine "
                      "is from prior.yaml."),
            std::string::npos);
  EXPECT_NE(text.find("#   viscous1"), std::string::npos);
  EXPECT_EQ(text.find("#   offset1"), std::string::npos);  // is no part of the robot
  EXPECT_EQ(found.err.find("does not excite"), std::string::npos) << found.err;
}

const std::string five_bar = R"(armdyn: 1
name: five-bar
convention: modified
gravity: [0, -9.81, 0]
joints:
  - {name: j1, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: M1, com: [0.4, 0, 0],
     inertia: {xx: 0.01, yy: 0.3, zz: 0.3}, friction: {viscous: 1, coulomb: 2}}
  - {name: j2, type: revolute, parent: base, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 3,
     com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}, friction: {viscous: 1, coulomb: 1}}
  - {name: upper, type: revolute, parent: j2, follows: {row: {j1: 1, j2: -1}},
     dh: {a: 0.5, alpha: 0, d: 0, theta: 0}, mass: M3, com: [0.35, 0, 0],
     inertia: {xx: 0.01, yy: 0.08, zz: 0.08}}
  - {name: lower, type: revolute, parent: j1, follows: {row: {j2: 1, j1: -1}, offset: pi},
     dh: {a: 0.8, alpha: 0, d: 0, theta: 0}, mass: 4, com: [0.3, 0, 0],
     inertia: {xx: 0.01, yy: 0.2, zz: 0.2}, friction: {viscous: B4}}
  - {name: gear, type: revolute, parent: base, follows: {row: {j2: -2}}, dh: {}, mass: 0.1,
     inertia: {xx: 0.001, yy: 0.001, zz: 0.001}, friction: {viscous: 0.25, coulomb: 0.2}}
springs:
  - {name: torsion, row: {j1: 1}, stiffness: K1, rest: 0.4}
  - {name: gas, row: {j2: 1}, table: [[-1, -12], [0, 3], [2, 20]]}
)";

TEST(Identify, FindsTheParametersOfAMechanism) {
  const Shell shell;
  const auto write = [&](const char* file, const char* M1, const char* M3, const char* K1,
                         const char* B4) {
    shell.write(file, with(with(with(with(five_bar, "M1", M1), "M3", M3), "K1", K1), "B4", B4));
  };
  write("truth.yaml", "5", "2", "30", "0.7");
  write("prior.yaml", "4", "2.6", "20", "0.3");
  const Outcome made = shell.run(
      "$armdyn trajectory truth.yaml --excite --from 0,1.5 --limits 2,6 --duration 12 --rate 200 "
      "--seed 4 -o motion.csv --quiet && "
      "$armdyn torque truth.yaml motion.csv --keep-motion -o log.csv --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome found =
      shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --json -o new.yaml");
  ASSERT_EQ(found.exit_code, 0) << found.out << found.err;
  const auto answer = nlohmann::json::parse(found.out);
  for (const auto& joint : answer["joints"]) {
    EXPECT_LT(joint["held_out_after"].get<double>(), 0.05 * joint["held_out_before"].get<double>());
  }
  std::map<std::string, double> values;
  for (const auto& one : answer["parameters"]) {
    values[one["name"].get<std::string>()] = one["value"].get<double>();
  }
  EXPECT_NEAR(values["stiffness1"], 30.0, 0.3);
  EXPECT_NEAR(values["viscous2"], 2.0, 0.02);
  EXPECT_NEAR(values["viscous4"], 0.7, 0.02);  // of a joint that follows two
  const std::string warnings = answer["warnings"].dump();
  EXPECT_NE(warnings.find("the new file has the friction of gear at the joints that they follow"),
            warnings.npos)
      << warnings;
  const Outcome people = shell.run("$armdyn identify prior.yaml log.csv --window 0.1");
  EXPECT_NE(people.out.find("joints that follow others: 3 upper, 4 lower, 5 gear"), people.out.npos)
      << people.out;
  EXPECT_EQ(shell.run("$armdyn check new.yaml --quiet").exit_code, 0);
}

TEST(Identify, FitsTheLawOfFrictionThatIsAskedFor) {
  const Shell shell;
  prepare(shell);
  const auto names = [&shell](const std::string& law) {
    const Outcome found = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --friction " +
                                    law + " -o " + law + ".yaml; cat " + law + ".yaml");
    return found.out;
  };
  const std::string viscous = names("viscous"), coulomb = names("coulomb");
  EXPECT_NE(viscous.find("#   viscous1"), std::string::npos) << viscous;
  EXPECT_EQ(viscous.find("#   coulomb1"), std::string::npos) << viscous;
  EXPECT_NE(coulomb.find("#   coulomb1"), std::string::npos) << coulomb;
}

TEST(Identify, DrawsWhatWasHeldOut) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  prepare(shell);
  const Outcome found = shell.run(
      "$armdyn identify prior.yaml log.csv --window 0.1 --plot tail.svg; "
      "$armdyn identify prior.yaml log.csv --held-out log.csv log.csv --window 0.1 --plot two.svg; "
      "cat tail.svg");
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.err.find("picture: tail.svg"), std::string::npos) << found.err;
  EXPECT_NE(found.err.find("picture: two.svg"), std::string::npos) << found.err;
  // The last fifth of 12 s begins at 9.6 s.
  for (const char* const text :
       {"measured", "new file", "file before", "shoulder", "last fifth", "<text>10.5</text>"}) {
    EXPECT_NE(found.out.find(text), std::string::npos) << text;
  }
}

TEST(Identify, GivesTheNewFileAloneOnStandardOutput) {
  const Shell shell;
  prepare(shell);
  const std::string identify = "$armdyn identify prior.yaml log.csv --window 0.1 ";
  ASSERT_EQ(shell.run(identify + "-o new.yaml").exit_code, 0);
  for (const std::string json : {"", " --json"}) {
    const Outcome found = shell.run(identify + "-o -" + json);
    EXPECT_EQ(found.out, shell.read("new.yaml"));
    EXPECT_NE(found.err.find("held"), std::string::npos) << found.err;
  }
}

TEST(Identify, AnswersInJson) {
  const Shell shell;
  prepare(shell);
  const Outcome found = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto json = nlohmann::json::parse(found.out);
  EXPECT_TRUE(json["better"].get<bool>());
  EXPECT_LT(std::abs(json["delay"].get<double>()), 1e-4);
  for (const auto& joint : json["joints"]) {
    EXPECT_LT(joint["held_out_unfiltered"].get<double>(), 0.02) << joint;
    EXPECT_TRUE(joint.contains("held_out_at_ends")) << joint;
  }
  EXPECT_EQ(json["joints"].size(), 3U);
  const std::size_t held_out = json["held_out_rows"], rows = json["rows"];
  EXPECT_GT(rows + held_out, 2350U);  // of 2401, less what the window takes at the ends
  EXPECT_LE(rows + held_out, 2401U);
  EXPECT_EQ(held_out, (rows + held_out) / 5);
  EXPECT_EQ(json["base_parameters"].size(), 25U);
  for (const auto& base : json["base_parameters"]) {
    if (base["combination"] != "viscous1") continue;
    EXPECT_NEAR(base["value"].get<double>(), 2.0, 0.02);
  }
}

// Each row has the torques of the row before: at 200 Hz, 5 ms.
TEST(Identify, SaysHowLateTorquesCome) {
  const Shell shell;
  prepare(shell);
  const Outcome found = shell.run(
      "awk -F, -v OFS=, 'NR > 1 {a = $(NF - 2); b = $(NF - 1); c = $NF; if (NR > 2) {$(NF - 2) = "
      "x; "
      "$(NF - 1) = y; $NF = z} x = a; y = b; z = c} {print}' log.csv > late.csv; "
      "$armdyn identify prior.yaml late.csv --window 0.1; "
      "$armdyn identify prior.yaml late.csv --window 0.1 --fix delay");
  const std::size_t said = found.out.find("; the torques come 5 ± ");
  EXPECT_NE(said, std::string::npos) << found.out << found.err;
  EXPECT_NE(found.out.find(" ms after the motion, taken into account\n", said), std::string::npos)
      << found.out;
  EXPECT_EQ(found.out.find("the torques come", said + 10), std::string::npos);
}

// Exact positions beside noisy torques: a window of a few rows, which positions alone would do with,
// makes noise of dτ/dt.
TEST(Identify, FindsADelayBesideNoisyTorques) {
  const Shell shell;
  prepare(shell);
  const Outcome made = shell.run(
      "awk -F, -v OFS=, 'BEGIN {srand(5)} NR == 1 {print; next} "
      "{for (i = 1; i <= NF; ++i) if (i > NF - 3) {now = $i; $i = last[i] + 0.3 * (rand() - 0.5); "
      "last[i] = now} if (NR > 2) print}' log.csv > late.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const std::string window : {"", " --window 0.05"}) {
    const Outcome found = shell.run("$armdyn identify truth.yaml late.csv --json" + window);
    const auto json = nlohmann::json::parse(found.out);
    const auto delay = json["delay"].get<double>(), error = json["delay_error"].get<double>();
    EXPECT_NEAR(delay, 0.005, 2.5 * error) << window;
    EXPECT_LT(error, 0.0015) << window;
    const std::string warnings = json["warnings"].dump();
    EXPECT_EQ(warnings.find("is narrower than the 0.") == std::string::npos, window.empty())
        << warnings;
    EXPECT_EQ(warnings.find("standard errors are not reported") == std::string::npos,
              window.empty());
    for (const auto& base : json["base_parameters"]) {
      EXPECT_EQ(base["error"].is_null(), !window.empty()) << base;
      EXPECT_EQ(base["significant"].is_null(), !window.empty()) << base;
    }
  }
}

// A few degrees of motion, or a slow one: what the fits leave is no noise, and no spread of residuals
// shows it. Of the slow log parameters are up to 28 of their standard errors off.
TEST(Identify, GivesNoErrorWhereTheExcitationIsTooPoor) {
  const Shell shell;
  prepare(shell);
  const Outcome made = shell.run(
      "$armdyn trajectory truth.yaml --from 0,0,0 --to 0.05,0.04,0.06 --duration 4 --rate 200 -o "
      "short.csv --quiet && "
      "$armdyn torque truth.yaml short.csv --keep-motion -o short-log.csv --quiet && "
      "$armdyn trajectory truth.yaml --excite --from 0,0,0 --limits 0.1,0.3 --duration 20 "
      "--rate 200 --seed 1 -o slow.csv --quiet && "
      "$armdyn torque truth.yaml slow.csv --keep-motion -o exact.csv --quiet && "
      "awk -F, -v OFS=, 'BEGIN {srand(1)} NR > 1 {for (i = 2; i <= 4; ++i) $i = "
      "sprintf(\"%.0f\", $i * 20861) / 20861; for (i = NF - 2; i <= NF; ++i) $i += 0.2 * "
      "(rand() + rand() + rand() - 1.5)} {print}' exact.csv > slow-log.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const std::string log : {"short-log.csv", "slow-log.csv"}) {
    const Outcome found = shell.run("$armdyn identify truth.yaml --json " + log);
    const auto json = nlohmann::json::parse(found.out);
    ASSERT_GT(json["condition"].get<double>(), 1e3);
    for (const auto& base : json["base_parameters"]) EXPECT_TRUE(base["error"].is_null()) << base;
    for (const auto& parameter : json["parameters"]) {
      EXPECT_TRUE(parameter["error"].is_null()) << parameter;
    }
    EXPECT_FALSE(json.contains("delay_error"));
    EXPECT_NE(json["warnings"].dump().find("standard errors are not reported, since they would"),
              std::string::npos)
        << found.out;
  }
}

// The noise of a small joint's torque is above the torque, and friction that the file lacks at
// another looks like that small joint's: columns are in order. Exchanged ones are not.
TEST(Identify, BlamesTheOrderOfJointsOnlyWhereTorquesAreExchanged) {
  const Shell shell;
  const std::string flat = R"(armdyn: 1
name: flat
convention: modified
joints:
  - {name: shoulder, type: revolute, dh: {d: 0.3}, mass: 2,
     inertia: {xx: 0.05, yy: 0.05, zz: 0.02}, friction: {viscous: 1, coulomb: 6}}
  - {name: elbow, type: revolute, dh: {a: 0.3}, mass: 1, com: [0.1, 0, 0],
     inertia: {xx: 0.01, yy: 0.02, zz: 0.02}, friction: {FRICTION}}
  - {name: wrist, type: revolute, dh: {a: 0.3}, mass: 0.05,
     inertia: {xx: 1.0e-4, yy: 1.0e-4, zz: 1.0e-4}, friction: {viscous: 0.001, coulomb: 0.05}}
)";
  shell.write("truth.yaml", with(flat, "FRICTION", "viscous: 1, coulomb: 4"));
  shell.write("prior.yaml", with(flat, "FRICTION", "viscous: 0"));
  std::ostringstream motion;
  motion << "t,q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n";
  for (int k = 0; k <= 4000; ++k) {
    const double t = 0.005 * k, w = 1.3;
    motion << t;
    for (const double x :
         {0.6 * (1 - std::cos(w * t)), 0.6 * w * std::sin(w * t), 0.6 * w * w * std::cos(w * t)}) {
      motion << ',' << x << ',' << x << ',' << x;
    }
    motion << '\n';
  }
  shell.write("m.csv", motion.str());
  const Outcome made = shell.run(
      "$armdyn torque truth.yaml m.csv --keep-motion -o exact.csv --quiet && awk -F, -v OFS=, "
      "'BEGIN {srand(7)} NR > 1 {for (i = NF - 2; i <= NF; ++i) $i += 0.6 * (rand() + rand() + "
      "rand() - 1.5)} {print}' exact.csv > log.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string err = shell.run("$armdyn identify prior.yaml log.csv").err;
  EXPECT_EQ(err.find("so read"), std::string::npos) << err;

  prepare(shell);
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {x = $(NF - 1); $(NF - 1) = $(NF - 2); $(NF - 2) = x} {print}' "
      "log.csv > exchanged.csv");
  const std::string exchanged = shell.run("$armdyn identify truth.yaml exchanged.csv").err;
  EXPECT_NE(
      exchanged.find("the torques seem to be of arm, shoulder, forearm: the residual is then "),
      std::string::npos)
      << exchanged;
}

TEST(Identify, SaysTheUnitsOfNoiseAndFoldsCombinations) {
  const Shell shell;
  const Outcome made = shell.run(
      "$armdyn trajectory ur5e --excite --limits 1,3 --duration 6 --rate 100 -o m.csv --quiet && "
      "$armdyn torque ur5e m.csv --keep-motion -o log.csv --quiet && $armdyn identify ur5e "
      "log.csv --all");
  EXPECT_NE(made.out.find("noise of q       qd ± [/s]  qdd ± [/s²]"), std::string::npos)
      << made.out;
  EXPECT_NE(made.out.find("residual / torque  torque RMS  "), std::string::npos);
  EXPECT_NE(made.out.find("\nrotor1          rotor1 + "), std::string::npos);
  const std::size_t tables = made.out.find("\nresidual / torque");
  std::istringstream lines(made.out.substr(tables, made.out.find("\nlog.csv: ") - tables));
  for (std::string line; std::getline(lines, line);) {
    const auto continued = [](unsigned char byte) { return (byte & 0xC0U) == 0x80U; };
    EXPECT_LE(line.size() - static_cast<std::size_t>(std::ranges::count_if(line, continued)), 100U)
        << line;
  }
}

TEST(Identify, ExitsWith1WhereThePriorIsAsGood) {
  const Shell shell;
  prepare(shell);
  const Outcome found = shell.run(
      "awk -F, 'NR == 1 {print; next} {srand(NR); for (i = NF - 2; i <= NF; ++i) $i += 40 * "
      "(rand() "
      "- 0.5); print}' OFS=, log.csv | head -400 > noise.csv; "
      "$armdyn identify truth.yaml noise.csv --held-out log.csv --window 0.02 --prior 1e-6 -o "
      "new.yaml; echo $?; ls");
  EXPECT_EQ(
      found.out.find("arm: not identified: on the held-out data the fit is no better than the "
                     "robot file; residual"),
      0U)
      << found.out;
  EXPECT_NE(found.out.find("\nnew.yaml is not written\n"), std::string::npos);
  EXPECT_NE(found.out.find("\n1\n"), std::string::npos);
  EXPECT_EQ(found.out.find("\nnew.yaml\n"), std::string::npos);
}

TEST(Identify, SaysWhatIsWrongWithALog) {
  const Shell shell;
  prepare(shell);
  const auto said = [&](const std::string& arguments) {
    const Outcome outcome = shell.run("$armdyn identify " + arguments);
    return std::to_string(outcome.exit_code) + " " + outcome.err;
  };
  EXPECT_NE(said("prior.yaml motion.csv").find("3 motion.csv: has no measured torques"),
            std::string::npos)
      << said("prior.yaml motion.csv");
  EXPECT_NE(said("prior.yaml log.csv --free elbow")
                .find("2 armdyn: --free: found \"elbow\", expected names out of payload, "
                      "rotors, friction, offsets, delay, shoulder, arm, forearm"),
            std::string::npos)
      << said("prior.yaml log.csv --free elbow");
  (void)shell.run(
      "awk -F, 'NR > 1 {srand(NR); $(NF - 2) = 20 * (rand() - 0.5)} {print}' OFS=, log.csv > "
      "noisy.csv");
  const std::string noisy = said("prior.yaml noisy.csv --window 0.1");
  EXPECT_NE(noisy.find(
                "no parameters explain these torques; residual of the held-out torques: shoulder "),
            std::string::npos)
      << noisy;
  (void)shell.run(
      "awk -F, 'NR > 1 {for (i = NF - 2; i <= NF; ++i) $i = -$i} {print}' OFS=, log.csv > "
      "turned.csv");
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {q = $2; $2 = $3; $3 = q} {print}' log.csv > swapped.csv");
  EXPECT_NE(said("prior.yaml swapped.csv").find("--columns \"q1=q2,q2=q1\" reads them so"),
            std::string::npos)
      << said("prior.yaml swapped.csv");
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {for (i = 2; i <= 4; ++i) $i *= 57.3} {print}' log.csv > deg.csv");
  EXPECT_NE(said("prior.yaml deg.csv").find("q=q{1..3}[deg]"), std::string::npos)
      << said("prior.yaml deg.csv");
  EXPECT_NE(said("prior.yaml turned.csv").find("the torques seem to have the other sign"),
            std::string::npos)
      << said("prior.yaml turned.csv");
}

TEST(Identify, ReadsFilesWithOneNumberPerLineAtARate) {
  const Shell shell;
  prepare(shell);
  (void)shell.run(
      "tail -n +2 log.csv | cut -d, -f2-4 | tr , '\\n' > q.txt; "
      "tail -n +2 log.csv | awk -F, '{print $(NF-2); print $(NF-1); print $NF}' > tau.txt");
  const Outcome found = shell.run(
      "$armdyn identify prior.yaml q=q.txt,tau=tau.txt --log-rate 200 --window 0.1 --json");
  const Outcome whole = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto base = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["base_parameters"];
  };
  for (std::size_t b = 0; b < base(whole).size(); ++b) {
    EXPECT_NEAR(base(found)[b]["value"].get<double>(), base(whole)[b]["value"].get<double>(), 1e-6);
  }
}

// --- logs with noise, of rests and of arms that are not the same

/// A log of `robot` in noise of 2e-5 rad and 0.2 N·m, and at its end two seconds at rest, in which
/// static friction takes up 0.4 N·m.
void write_noisy_log(const Shell& shell, const std::string& robot, unsigned seed,
                     const std::string& file) {
  const Outcome made =
      shell.run("$armdyn trajectory " + robot +
                " --excite --from 0,0,0 --limits 2,6 --duration 12 --rate 200 "
                "--seed " +
                std::to_string(seed) + " -o motion.csv --quiet && $armdyn torque " + robot +
                " motion.csv --keep-motion --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  CsvColumns motion = csv_columns(made.out);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> error;
  std::ostringstream text;
  text.precision(10);
  text << "t,q1,q2,q3,tau1,tau2,tau3\n";
  const std::size_t moving = motion["t"].size();
  for (std::size_t k = 0; k < moving + 400; ++k) {
    const bool rests = k >= moving;
    const std::size_t row = rests ? moving - 1 : k;
    text << static_cast<double>(k) / 200.0;
    for (int j = 1; j <= 3; ++j) {
      text << ',' << motion["q" + std::to_string(j)][row] + 2e-5 * error(random);
    }
    for (int j = 1; j <= 3; ++j) {
      const double held = rests ? 0.4 : 0.0;
      text << ',' << motion["tau" + std::to_string(j)][row] + held + 0.2 * error(random);
    }
    text << '\n';
  }
  shell.write(file, text.str());
}

TEST(Identify, SaysWhatItJudgedAndHowFarItIsOffElsewhere) {
  const Shell shell;
  prepare(shell);
  write_noisy_log(shell, "truth.yaml", 4, "fitted.csv");
  write_noisy_log(shell, "truth.yaml", 5, "other.csv");
  const Outcome found =
      shell.run("$armdyn identify prior.yaml fitted.csv --held-out other.csv --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto json = nlohmann::json::parse(found.out);
  ASSERT_EQ(json["joints"].size(), 3U);
  for (const auto& joint : json["joints"]) {
    const double judged = joint["held_out_judged"], moving = joint["held_out_moving"],
                 all = joint["held_out_all"];
    EXPECT_GT(judged, 0.4) << joint;
    EXPECT_LT(judged, 0.87) << joint;  // 2 of 14 s are rests, and turns are left out
    EXPECT_LT(all, 1.3 * moving) << joint;
    EXPECT_LT(all, 0.06) << joint;
    EXPECT_GT(joint["held_out_all_before"].get<double>(), 2.0 * all) << joint;
    EXPECT_GT(joint["held_out_moving_before"].get<double>(), 2.0 * moving) << joint;
  }
}

/// A noise-free log of 20 s of two joints with that friction, by that motion, and their file.
void write_exact_log(const Shell& shell, const std::string& shoulder, const std::string& elbow,
                     const std::string& motion = "--limits 2,6") {
  const std::string two = R"(armdyn: 1
name: two
convention: modified
joints:
  - {name: shoulder, type: revolute, dh: {alpha: pi/2}, mass: 5, com: [0.2, 0, 0],
     inertia: {xx: 0.02, yy: 0.1, zz: 0.1}, friction: {viscous: 2, SHOULDER}}
  - {name: elbow, type: revolute, dh: {a: 0.4}, mass: 3, com: [0.15, 0.01, 0],
     inertia: {xx: 0.01, yy: 0.05, zz: 0.05}, friction: {viscous: 1, ELBOW}}
)";
  shell.write("two.yaml", with(with(two, "SHOULDER", shoulder), "ELBOW", elbow));
  const Outcome made = shell.run(
      "$armdyn trajectory two.yaml --excite --from 0,0 --duration 20 --rate 200 --seed 3 -o "
      "motion.csv --quiet " +
      motion +
      " && "
      "$armdyn torque two.yaml motion.csv --keep-motion -o exact.csv --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
}

// Measured and computed torque go through the same fits, however wide, also where friction turns.
TEST(Identify, LeavesNothingOfTorquesThatTheFileMakes) {
  const Shell shell;
  for (const std::string law :
       {"coulomb: LEVEL", "coulomb: LEVEL, static: 12, stribeck_velocity: 0.1",
        "sigmoid: {amplitude: LEVEL, slope: 60}"}) {
    write_exact_log(shell, with(law, "LEVEL", "8"), with(law, "LEVEL", "4"));
    for (const std::string options :
         {"", " --window 0.2", " --window 0.4", " --held-out exact.csv"}) {
      const Outcome found = shell.run("$armdyn identify two.yaml exact.csv --json" + options);
      const auto json = nlohmann::json::parse(found.out);
      ASSERT_EQ(json["joints"].size(), 2U);
      for (const auto& joint : json["joints"]) {
        for (const std::string column :
             {"fitted_before", "held_out_before", "held_out_after", "held_out_moving_before",
              "held_out_moving", "held_out_all_before", "held_out_all", "held_out_unfiltered"}) {
          ASSERT_TRUE(joint[column].is_number()) << column << options << joint;
          EXPECT_LT(joint[column].get<double>(), 0.002) << law << options << ' ' << column << joint;
        }
      }
    }
  }
}

// Between close reversals a joint may be fast and not accelerate. What the fits miss of a motion
// without dry friction is the measure.
TEST(Identify, JudgesNoRowWithAReversalInItsWindow) {
  const Shell shell;
  const auto residuals = [&](const std::string& shoulder, const std::string& elbow) {
    write_exact_log(shell, shoulder, elbow, "--limits 3,30 --harmonics 20");
    std::vector<double> found;
    for (const std::string window : {"0.2", "0.3", "0.4"}) {
      const auto json = nlohmann::json::parse(
          shell.run("$armdyn identify two.yaml exact.csv --json --window " + window).out);
      for (const auto& joint : json["joints"]) {
        for (const std::string column : {"fitted_before", "held_out_before"}) {
          found.push_back(joint[column].is_number() ? joint[column].get<double>() : -1.0);
        }
      }
    }
    return found;
  };
  const std::vector<double> smooth = residuals("coulomb: 0", "coulomb: 0");
  const std::vector<double> dry = residuals("coulomb: 8", "coulomb: 4");
  ASSERT_EQ(dry.size(), 12U);
  for (std::size_t k = 0; k < dry.size(); ++k) {
    EXPECT_GE(dry[k], 0.0) << k;
    EXPECT_LT(dry[k], 1.5 * smooth[k] + 2e-4) << k;
  }
}

// A file that is wrong shows it in all rows, and in those where friction turns.
TEST(Identify, CountsFrictionThatTheFileLacks) {
  const Shell shell;
  write_exact_log(shell, "coulomb: 8", "coulomb: 4");
  shell.write("less.yaml", with(shell.read("two.yaml"), "coulomb: 8", "coulomb: 7"));
  const auto json = nlohmann::json::parse(
      shell.run("$armdyn identify less.yaml exact.csv --held-out exact.csv --json").out);
  const std::vector<double> tau = csv_columns(shell.read("exact.csv"))["tau1"];
  double sum = 0.0, squares = 0.0;
  for (const double x : tau) {
    sum += x;
    squares += x * x;
  }
  const double rows = static_cast<double>(tau.size()), mean = sum / rows;
  const double missing = 1.0 / std::sqrt(squares / rows - mean * mean);  // 1 N·m
  for (const std::string column : {"held_out_moving_before", "held_out_all_before"}) {
    EXPECT_NEAR(json["joints"][0][column].get<double>() / missing, 1.0, 0.1) << column;
    EXPECT_LT(json["joints"][1][column].get<double>(), 0.002) << column;
  }
}

TEST(Identify, WritesNoFileWhereNoParametersMakeTheTorques) {
  const Shell shell;
  prepare(shell);
  const Outcome made = shell.run(
      "awk -F, -v OFS=, 'NR > 1 {q = $2; $2 = $3; $3 = q} {print}' log.csv > swapped.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  shell.write("prior.yaml", with(with(with(arm, "M1", "40"), "M2", "35"), "B", "0.5"));
  const std::string identify = "$armdyn identify prior.yaml swapped.csv --window 0.1 -o new.yaml";
  const Outcome refused = shell.run(identify);
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  EXPECT_NE(refused.out.find(
                "not identified: no parameters explain the torques of shoulder, arm, forearm; "),
            std::string::npos);
  EXPECT_NE(refused.out.find("\nnew.yaml is not written; --force writes it\n"), std::string::npos)
      << refused.out;
  EXPECT_NE(shell.run("ls new.yaml").exit_code, 0);
  const auto json = nlohmann::json::parse(shell.run(identify + " --json").out);
  EXPECT_FALSE(json["unexplained"].empty()) << json["unexplained"];
  EXPECT_TRUE(json["better"].get<bool>());
  const Outcome forced = shell.run(identify + " --force");
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_NE(forced.out.find("new robot file: new.yaml"), std::string::npos) << forced.out;
  EXPECT_EQ(shell.run("ls new.yaml").exit_code, 0);
  // Negative masses would explain torques of the other sign.
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {for (i = NF - 2; i <= NF; ++i) $i = -$i} {print}' log.csv > "
      "turned.csv");
  const Outcome turned = shell.run("$armdyn identify prior.yaml turned.csv --window 0.1 -o t.yaml");
  EXPECT_EQ(turned.exit_code, 1) << turned.out;
  EXPECT_NE(turned.out.find("no physically consistent parameters explain the torques"),
            std::string::npos)
      << turned.out;
  EXPECT_NE(shell.run("ls t.yaml").exit_code, 0);
  // Where only some parameters are fitted, others may be what makes the torques.
  const Outcome some =
      shell.run("$armdyn identify prior.yaml swapped.csv --window 0.1 --free shoulder");
  EXPECT_EQ(some.out.find("No parameters make"), std::string::npos) << some.out;
  EXPECT_NE(some.err.find("the parameters that are fitted do not explain these torques"),
            std::string::npos)
      << some.err;
}

// Velocities of a log are looked at, not used: it may lack some.
TEST(Identify, ReadsALogWhateverItsVelocitiesAre) {
  const Shell shell;
  prepare(shell);
  const auto base = [&](const std::string& change) {
    const Outcome found = shell.run("awk -F, -v OFS=, 'NR > 1 {" + change +
                                    "} {print}' log.csv > other.csv; "
                                    "$armdyn identify prior.yaml other.csv --window 0.1 --json");
    EXPECT_EQ(found.exit_code, 0) << found.out << found.err;
    return nlohmann::json::parse(found.out)["base_parameters"];
  };
  const auto as_they_are = base("");
  for (const std::string change :
       {"$5 = \"nan\"", "if (NR % 7 == 0) $6 = \"\"", "$5 = 1e300", "if (NR > 2) $7 = \"none\""}) {
    EXPECT_EQ(base(change), as_they_are) << change;
  }
  const Outcome unit = shell.run(
      "sed '1s/qd1/qd1[foo]/' log.csv > unit.csv; "
      "$armdyn identify prior.yaml unit.csv --window 0.1 --json");
  ASSERT_EQ(unit.exit_code, 0) << unit.err;
  EXPECT_EQ(nlohmann::json::parse(unit.out)["base_parameters"], as_they_are);
}

TEST(Identify, CallsTorquesNonsenseThatLookLikeNoise) {
  const Shell shell;
  prepare(shell);
  const Outcome made = shell.run(
      "awk -F, 'NR == 1 {print \"t,q1,q2,q3,tau1,tau2,tau3\"} NR > 1 {printf "
      "\"%s,%s,%s,%s,%.9f,%.9f,%.9f\\n\", $1, $2, $3, $4, 30 * sin(195 * $1), 20 * sin(170 * $1), "
      "9 * sin(150 * $1)}' log.csv > fast.csv");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome refused =
      shell.run("$armdyn identify prior.yaml fast.csv --as-given --window 0.1 -o new.yaml");
  EXPECT_EQ(refused.exit_code, 1) << refused.out;
  EXPECT_NE(refused.err.find("no parameters explain these torques"), std::string::npos)
      << refused.err;
  EXPECT_NE(shell.run("ls new.yaml").exit_code, 0);
}

TEST(Identify, WidensErrorsWhereLogsContradictOneAnother) {
  const Shell shell;
  prepare(shell);
  shell.write("heavy.yaml", with(with(with(arm, "M1", "6"), "M2", "5.5"), "B", "2"));
  write_noisy_log(shell, "truth.yaml", 4, "one.csv");
  write_noisy_log(shell, "truth.yaml", 5, "two.csv");
  write_noisy_log(shell, "heavy.yaml", 6, "heavy.csv");
  const std::string identify = "$armdyn identify prior.yaml one.csv ";
  const Outcome alike = shell.run(identify + "two.csv --json");
  const Outcome unlike = shell.run(identify + "heavy.csv --json");
  const auto same = nlohmann::json::parse(alike.out), other = nlohmann::json::parse(unlike.out);
  EXPECT_LT(same["between_logs"].get<double>(), 1.6);
  EXPECT_EQ(alike.out.find("contradict"), std::string::npos);
  const double z = other["between_logs"];
  EXPECT_GT(z, 2.5);
  EXPECT_NE(
      unlike.out.find("the logs contradict one another: the estimates of single logs differ by "),
      std::string::npos)
      << other["warnings"];
  EXPECT_NE(unlike.out.find(" in one.csv, "), std::string::npos) << other["warnings"];
  const std::size_t named = unlike.out.find("standard errors (RMS), most ");
  ASSERT_NE(named, std::string::npos) << other["warnings"];
  const std::string most = unlike.out.substr(named + 28, unlike.out.find(": ", named) - named - 28);
  EXPECT_TRUE(std::ranges::any_of(other["base_parameters"], [&most](const nlohmann::json& base) {
    const std::string combination = base["combination"];
    return combination.substr(0, combination.find(' ')) == most;
  })) << most;
  double wider = 0.0;
  for (std::size_t b = 0; b < same["base_parameters"].size(); ++b) {
    wider += std::log(other["base_parameters"][b]["error"].get<double>() /
                      same["base_parameters"][b]["error"].get<double>()) /
             static_cast<double>(same["base_parameters"].size());
  }
  EXPECT_GT(std::exp(wider), 0.7 * z);
  EXPECT_TRUE(nlohmann::json::parse(shell.run(identify + "--json").out)["between_logs"].is_null());
}

// The slide's weight and an offset of its torque look the same; the file's slide is right.
TEST(Identify, TakesNoWeightForAnOffset) {
  const Shell shell;
  const std::string crane = R"(armdyn: 1
name: crane
convention: modified
joints:
  - {type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: M1, com: [0.3, 0, 0],
     inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, friction: {viscous: 2, coulomb: 1}}
  - {type: prismatic, dh: {a: 0.5, alpha: 0, d: 0, theta: 0}, mass: 3, com: [0, 0, 0.1],
     inertia: {xx: 0.02, yy: 0.02, zz: 0.02}, friction: {viscous: 20, coulomb: 5},
     motor: {rotor_inertia: 1.0e-4, gear_ratio: 100}}
)";
  shell.write("truth.yaml", with(crane, "M1", "9"));
  shell.write("prior.yaml", with(crane, "M1", "14"));
  const Outcome found = shell.run(
      "$armdyn trajectory truth.yaml --excite --from 0,0 --limits 2,6 --duration 12 --rate 200 "
      "-o motion.csv --quiet && "
      "$armdyn torque truth.yaml motion.csv --keep-motion -o log.csv --quiet && "
      "$armdyn identify prior.yaml log.csv --json");
  ASSERT_EQ(found.exit_code, 0) << found.out << found.err;
  const auto slide = nlohmann::json::parse(found.out)["joints"][1];
  EXPECT_LT(std::abs(slide["offset"].get<double>()), 0.3) << "of 29 N";
  EXPECT_LT(slide["held_out_after"].get<double>(), 0.01);
}

// Two joints of a wrist with a load heavier than they are: as if one's zero were elsewhere.
TEST(Identify, FindsALoadThatLooksLikeAnotherZero) {
  const Shell shell;
  shell.write("wrist.yaml", R"(armdyn: 1
name: wrist
convention: modified
joints:
  - {type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 12,
     friction: {viscous: 40, coulomb: 20}, limits: {position: [-0.5, 0.5]}}
  - {type: revolute, dh: {a: 0, alpha: -pi/2, d: 0, theta: 0}, mass: 4, com: [-0.03, -0.01, 0.09],
     inertia: {xx: 0.02, yy: 0.02, zz: 0.01}, friction: {viscous: 0.5, coulomb: 0.8}}
  - {type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2, com: [0.09, -0.08, -0.1],
     inertia: {xx: 0.005, yy: 0.005, zz: 0.004}, friction: {viscous: 0.3, coulomb: 0.4}}
)");
  const Outcome made = shell.run(
      "$armdyn trajectory wrist.yaml --excite --from 0,0,0 --limits 2,6 --duration 12 --rate 100 "
      "-o motion.csv --quiet && $armdyn torque wrist.yaml motion.csv --keep-motion "
      "--payload 3,-0.01,0.12,0.09 -o log.csv --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(shell.run("$armdyn identify wrist.yaml log.csv").exit_code, 3);
  const Outcome found =
      shell.run("$armdyn identify wrist.yaml log.csv --free payload -o loaded.yaml --json");
  ASSERT_EQ(found.exit_code, 0) << found.out << found.err;
  EXPECT_NE(found.out.find("q: the residual is then"), std::string::npos) << "as a warning";
  std::size_t masses = 0;
  const auto answer = nlohmann::json::parse(found.out);
  for (const auto& parameter : answer["parameters"]) {
    if (parameter["name"] != "payload_m") continue;
    ++masses;
    EXPECT_NEAR(parameter["value"].get<double>(), 3.0, 0.01);
  }
  EXPECT_EQ(masses, 1U);
  // Columns in another order look like no load, and where none is fitted nothing does.
  const std::string exchanged =
      "$armdyn torque wrist.yaml motion.csv --keep-motion -o empty.csv --quiet && $armdyn identify "
      "wrist.yaml empty.csv --free payload --columns \"q2=q3,q3=q2,qd2=qd3,qd3=qd2,qdd2=qdd3,"
      "qdd3=qdd2,tau2=tau3,tau3=tau2\"";
  EXPECT_EQ(shell.run(exchanged).exit_code, 3);
  EXPECT_EQ(shell.run("$armdyn identify wrist.yaml log.csv --free payload,rotors --fix payload")
                .exit_code,
            3);
}

// Joint 3 turns about a line through all centers of mass: its torque is noise, as large as that of
// the others, which show the load.
TEST(Identify, WeighsThoughAWristsTorqueIsBelowItsNoise) {
  const Shell shell;
  shell.write("arm.yaml", R"(armdyn: 1
name: arm
convention: modified
joints:
  - {type: revolute, dh: {alpha: -pi/2}, mass: 6, com: [0.2, 0, 0],
     inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}
  - {type: revolute, dh: {a: 0.5}, mass: 4, com: [0.2, 0, 0.01],
     inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
  - {type: revolute, dh: {a: 0.4, alpha: pi/2}, mass: 1, com: [0, 0, 0.05],
     inertia: {xx: 0.002, yy: 0.002, zz: 0.001}}
)");
  const auto weighed = [&shell](const std::string& of_the_wrist) {
    return shell.run(
        "$armdyn trajectory arm.yaml --excite --from 0,0,0 --limits 2,6 --duration 12 --rate 100 "
        "-o motion.csv --quiet && $armdyn torque arm.yaml motion.csv --keep-motion "
        "--payload 3,0,0,0.15 -o exact.csv --quiet && awk -F, -v OFS=, 'NR==1 "
        "{print \"t,q1,q2,q3,tau1,tau2,tau3\"; next} {print $1,$2,$3,$4,$11+sin(11.3*$1),"
        "$12+0.6*sin(13.7*$1+1),$13+" +
        of_the_wrist + "}' exact.csv >log.csv && $armdyn identify arm.yaml log.csv --free payload");
  };
  const std::string alarm = "do not explain these torques";
  const Outcome quiet = weighed("0.5*sin(9.1*$1+2)"), loud = weighed("8*sin(9.1*$1+2)");
  ASSERT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_EQ(quiet.err.find(alarm), std::string::npos) << quiet.err;
  EXPECT_NE(loud.err.find(alarm), std::string::npos) << loud.err;
}

// What torques say of the load and the load of the new file are one answer.
TEST(Identify, GivesThePayloadOnce) {
  const Shell shell;
  prepare(shell);
  shell.write("loaded.yaml", shell.read("truth.yaml") +
                                 "payload: {mass: 3, com: [0.05, 0.15, 0.04], inertia: {xx: 0.02, "
                                 "yy: 0.02, zz: 0.02}}\n");
  write_noisy_log(shell, "loaded.yaml", 4, "log.csv");
  const Outcome found = shell.run("$armdyn identify truth.yaml log.csv --free payload --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  std::size_t compared = 0;
  const auto json = nlohmann::json::parse(found.out);
  for (const auto& base : json["base_parameters"]) {
    if (base["combination"].get<std::string>().substr(0, 8) != "payload_") continue;
    ++compared;
    const double error = base["error"];
    EXPECT_NEAR(base["fitted"].get<double>(), base["value"].get<double>(), error) << base;
  }
  EXPECT_GT(compared, 3U);
}

}  // namespace
}  // namespace armdyn::testing
