// identify as a user runs it: logs that armdyn makes itself, from an arm that the file does not know.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
    const auto summary = nlohmann::json::parse(outcome.err);
    for (const auto& joint : summary["joints"]) {
      left.push_back(joint["residual_rms"].get<double>());
    }
    return left;
  };
  const std::vector<double> before = rms("prior.yaml"), after = rms("new.yaml");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(after[i], 0.05 * before[i]) << i;
  const std::string text = shell.run("cat new.yaml").out;
  EXPECT_NE(text.find("By armdyn identify from log.csv and, where that is silent, prior.yaml."),
            std::string::npos);
  EXPECT_NE(text.find("#   viscous1"), std::string::npos);
  EXPECT_EQ(text.find("#   offset1"), std::string::npos);  // is no part of the robot
  EXPECT_EQ(found.err.find("shows nothing of"), std::string::npos) << found.err;
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

TEST(Identify, AnswersInJson) {
  const Shell shell;
  prepare(shell);
  const Outcome found = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto json = nlohmann::json::parse(found.out);
  EXPECT_TRUE(json["is_better"].get<bool>());
  EXPECT_LT(std::abs(json["delay"].get<double>()), 1e-4);
  for (const auto& joint : json["joints"]) {
    EXPECT_LT(joint["held_out_unfiltered"].get<double>(), 0.02) << joint;
    EXPECT_TRUE(joint.contains("held_out_at_ends")) << joint;
  }
  EXPECT_EQ(json["joints"].size(), 3U);
  EXPECT_GT(json["rows"], 2350U);  // of 2401, less what the window takes at the ends
  EXPECT_LE(json["rows"], 2401U);
  EXPECT_EQ(json["base"].size(), json["base_parameters"].get<std::size_t>());
  for (const auto& base : json["base"]) {
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
    EXPECT_EQ(warnings.find("no errors of parameters are given") == std::string::npos,
              window.empty());
    for (const auto& base : json["base"]) {
      EXPECT_EQ(base["error"].is_null(), !window.empty()) << base;
      EXPECT_EQ(base["significant"].is_null(), !window.empty()) << base;
    }
  }
}

// A few degrees of motion: some combinations have an error that no spread of residuals shows.
TEST(Identify, GivesNoErrorWhereTheExcitationIsTooPoor) {
  const Shell shell;
  prepare(shell);
  const Outcome made = shell.run(
      "$armdyn trajectory truth.yaml --from 0,0,0 --to 0.05,0.04,0.06 --duration 4 --rate 200 -o "
      "short.csv "
      "--quiet && $armdyn torque truth.yaml short.csv --keep-motion -o short-log.csv --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome found = shell.run("$armdyn identify prior.yaml short-log.csv --json");
  const auto json = nlohmann::json::parse(found.out);
  ASSERT_GT(json["condition"].get<double>(), 1e3);
  std::size_t untold = 0;
  for (const auto& base : json["base"])
    untold += base.value("error", nlohmann::json()).is_null() ? 1U : 0U;
  EXPECT_GT(untold, 0U);
  EXPECT_NE(json["warnings"].dump().find("excites too poorly"), std::string::npos) << found.out;
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
  EXPECT_NE(found.out.find("no better than the robot file; new.yaml is not written"),
            std::string::npos)
      << found.out;
  EXPECT_NE(found.out.find("\n1\n"), std::string::npos);
  EXPECT_EQ(found.out.find("\nnew.yaml"), std::string::npos);
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
  EXPECT_NE(noisy.find("no parameters make these torques from this motion; of what was held out "
                       "shoulder "),
            std::string::npos)
      << noisy;
  (void)shell.run(
      "awk -F, 'NR > 1 {for (i = NF - 2; i <= NF; ++i) $i = -$i} {print}' OFS=, log.csv > "
      "turned.csv");
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {q = $2; $2 = $3; $3 = q} {print}' log.csv > swapped.csv");
  EXPECT_NE(
      said("prior.yaml swapped.csv").find("no parameters make these torques from this motion"),
      std::string::npos)
      << said("prior.yaml swapped.csv");
  (void)shell.run(
      "awk -F, -v OFS=, 'NR > 1 {for (i = 2; i <= 4; ++i) $i *= 57.3} {print}' log.csv > deg.csv");
  EXPECT_NE(said("prior.yaml deg.csv").find(" turns; if the column is in degrees, name it q1[deg]"),
            std::string::npos)
      << said("prior.yaml deg.csv");
  EXPECT_NE(said("prior.yaml turned.csv").find("has the opposite sign of the predicted one"),
            std::string::npos)
      << said("prior.yaml turned.csv");
}

TEST(Identify, ReadsFilesWithOneNumberPerLineAtARate) {
  const Shell shell;
  prepare(shell);
  (void)shell.run(
      "tail -n +2 log.csv | cut -d, -f2-4 | tr , '\\n' > q.txt; "
      "tail -n +2 log.csv | awk -F, '{print $(NF-2); print $(NF-1); print $NF}' > tau.txt");
  const Outcome found =
      shell.run("$armdyn identify prior.yaml q=q.txt,tau=tau.txt --rate 200 --window 0.1 --json");
  const Outcome whole = shell.run("$armdyn identify prior.yaml log.csv --window 0.1 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto base = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["base"];
  };
  for (std::size_t b = 0; b < base(whole).size(); ++b) {
    EXPECT_NEAR(base(found)[b]["value"].get<double>(), base(whole)[b]["value"].get<double>(), 1e-6);
  }
}

}  // namespace
}  // namespace armdyn::testing
