// armdyn equations --verify, as a user runs it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

TEST(VerifyVerb, FindsTheMisprintOfPaper000) {
  const Shell shell;
  shell.write("exercise.tex",
              "% exercise 3, solution\n"
              "M_{11} &= l_2^2 + 2 l_1 l_2 m_2 c_2 + l_1^2 (m_1 + m_2) \\\\\n"
              "M_{12} &= m_2 l_2^2 + m_2 l_1 l_2 \\cos\\theta_2 \\\\\n"
              "V_2 &= m_2 l_1 l_2 s_2 \\dot\\theta_1^2\n");
  const Outcome outcome = shell.run("$armdyn equations craig-rr --verify exercise.tex");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(outcome.out,
            "craig-rr: formulas of exercise.tex\n\n"
            "  M11  different, proved\n"
            "      missing: m2 l2²\n"
            "      surplus: l2²\n"
            "  M12  equal, proved\n"
            "  V2  equal, proved\n");
  const auto json = nlohmann::json::parse(
      shell.run("$armdyn equations craig-rr --verify exercise.tex --json").out);
  EXPECT_EQ(json["verdicts"][0]["verdict"], "different");
  EXPECT_EQ(json["verdicts"][0]["missing"], "m2 l2²");
  EXPECT_EQ(json["verdicts"][2]["place"], "exercise.tex:4:7");
}

TEST(VerifyVerb, ReadsWhatTheVerbPrints) {
  const Shell shell;
  for (const std::string arm : {"craig-rp", "two-link-rods", "puma560 --terms-limit 60"}) {
    for (const std::string what : {"M", "G", "potential", "jacobian"}) {
      for (const std::string form : {"text", "latex"}) {
        const std::string printed = arm + " --what " + what + " --form " + form + " -o sheet.txt";
        EXPECT_EQ(shell.run("$armdyn equations " + printed).exit_code, 0) << printed;
        const std::string robot = arm.substr(0, arm.find(' '));
        const Outcome outcome =
            shell.run("$armdyn equations " + robot + " --what " + what + " --verify sheet.txt");
        EXPECT_EQ(outcome.exit_code, 0) << printed << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("equal, proved"), std::string::npos) << printed;
        EXPECT_EQ(outcome.out.find("within"), std::string::npos) << printed << outcome.out;
      }
    }
  }
}

TEST(VerifyVerb, SaysWhatItCannotRead) {
  const Shell shell;
  shell.write("sheet", "M22 = m2 L2^2\n");
  const Outcome unknown = shell.run("$armdyn equations craig-rr --verify sheet");
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_EQ(unknown.err.find("sheet:1:6: there is no L2; did you mean 'l2'?"), 0U) << unknown.err;
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify sheet --names L2=l2").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify none").exit_code, 4);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --names L2=l2").exit_code, 2);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify sheet --form c").exit_code, 2);
  EXPECT_EQ(
      shell.run("echo '0.575' | $armdyn equations craig-rr --verify - --entry M22 --symbols none")
          .out,
      "craig-rr: formulas of standard input\n\n  M22  equal, proved\n");
}

TEST(ClosedForms, KeepViscousFriction) {
  const Shell shell;
  shell.write("a.yaml",
              "armdyn: 1\nname: a\nconvention: modified\ngravity: [0, 0, 0]\nparameters: {b: 0.3}\n"
              "joints: [{type: revolute, dh: {}, mass: 1, inertia: {zz: 2},\n"
              "  friction: {viscous: b}, motor: {viscous: 0.001, gear_ratio: 10}}]\n");
  const Outcome outcome = shell.run("$armdyn equations a.yaml");
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("τ1 = (0.1 + b) q̇1 + 2 q̈1\n"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace armdyn::testing
