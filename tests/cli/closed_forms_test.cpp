// armdyn equations as text and LaTeX, and --set, as a user runs them.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

constexpr const char* textbook_arms[] = {"craig-rr", "craig-rp", "craig-3r", "two-link-rods",
                                         "two-link-spong"};
constexpr const char* all_forms[] = {"torque",     "M",
                                     "V",          "G",
                                     "C",          "craig",
                                     "cartesian",  "jacobian",
                                     "regressor",  "recursion",
                                     "frames",     "forward-kinematics",
                                     "lagrangian", "link-jacobian"};

/// Columns of a terminal: bytes that begin a character, less accents that stand on one.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte & 0xC0U) != 0x80U && byte != 0xCCU;
  }));
}

TEST(ClosedForms, FitATerminalOf100Columns) {
  const Shell shell;
  for (const std::string arm : textbook_arms) {
    for (const std::string what : all_forms) {
      for (const char* symbols : {"all", "none"}) {
        const Outcome outcome =
            shell.run("$armdyn equations " + arm + " --what " + what + " --symbols " + symbols);
        const std::string shown = arm + " " + what + " " + symbols;
        EXPECT_EQ(outcome.exit_code, 0) << shown << outcome.err;
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);) {
          EXPECT_LE(columns(line), 100U) << shown << "\n" << line;
        }
      }
    }
  }
}

TEST(ClosedForms, HaveTheValuesOfInspectAtAState) {
  const Shell shell;
  const std::string state = " --q 0.3,0.7 --qd 1,-2 --qdd 0.5,3";
  const Outcome outcome =
      shell.run("$armdyn equations craig-rr --what recursion --json -o x" + state);
  const auto equations = nlohmann::json::parse(outcome.out)["equations"];
  const auto links =
      nlohmann::json::parse(shell.run("$armdyn inspect craig-rr --json --what links" + state).out);
  EXPECT_EQ(equations[6]["left"], "v̇[1,x]");
  EXPECT_NEAR(equations[6]["value"], links["links"][0]["v_dot"][0], 1e-12);
  EXPECT_EQ(equations[31]["left"], "F[2,y]");
  EXPECT_NEAR(equations[31]["value"], links["links"][1]["F"][1], 1e-12);
  EXPECT_NE(shell.run("$armdyn equations craig-rr --what G --q 0.3,0.7").out.find("  G2 = 6.09542"),
            std::string::npos);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --format c --q 0,0").exit_code, 2);
}

TEST(ClosedForms, HaveNoValueWhereTheJacobianIsSingular) {
  const Shell shell;
  for (const std::string q : {"0,0", "0.3,pi"}) {
    const Outcome outcome = shell.run("$armdyn equations craig-rr --what cartesian --q " + q);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("inf"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("  Mx[vx,vx]: none\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("  Cx21 = 0\n"), std::string::npos) << outcome.out;
    EXPECT_NE(
        outcome.err.find("J is singular in this state, so that these have no value: Mx[vx,vx], "),
        std::string::npos)
        << outcome.err;
  }
}

TEST(ClosedForms, SayInWhoseAxesTheyAre) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --what jacobian --axes tool").out,
            "craig-rr: J of the tool in axes of the tool; rows that are not listed are zero\n\n"
            "J = [l1 s2,      0;\n     l2 + l1 c2, l2;\n     0,          0;\n     0,          0;\n"
            "     0,          0;\n     1,          1]\n\nwhere l1 = 0.5, l2 = 0.5\n");
  shell.write("tcp.txt", "Mx[vx,vx] = m2 + m1/s2^2\nMx[vx,vy] = 0\n");
  const std::string verify = "$armdyn equations craig-rr --verify tcp.txt --what cartesian";
  EXPECT_EQ(shell.run(verify + " --axes tool").exit_code, 0);
  EXPECT_EQ(shell.run(verify).exit_code, 1);
}

TEST(ClosedForms, CompileAsLatex) {
  const Shell shell;
  if (shell.run("command -v pdflatex").exit_code != 0) GTEST_SKIP() << "there is no pdflatex here";
  std::string document = "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n";
  for (const std::string arm : textbook_arms) {
    for (const std::string what : all_forms) {
      document += shell.run("$armdyn equations " + arm + " --format latex --what " + what).out;
    }
  }
  document += shell.run("$armdyn equations puma560 --what G --format latex --symbols all").out;
  shell.write("forms.tex", document + "\\end{document}\n");
  const Outcome outcome = shell.run("pdflatex -halt-on-error -interaction=nonstopmode forms.tex");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
}

TEST(ClosedForms, TooLongForPaperAreRefusedWithTheirLength) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn equations kuka-iiwa14");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  for (const char* words : {"the closed form has ", " terms", "the limit is 200",
                            "--format listing and --format c", "--terms-limit"}) {
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
  }
  const Outcome some = shell.run("$armdyn equations puma560 --what M --terms-limit 5");
  EXPECT_EQ(some.exit_code, 0);
  EXPECT_EQ(some.out.find("M11 ="), std::string::npos);
  EXPECT_NE(some.out.find("M66 = 0.1941"), std::string::npos) << some.out;
  EXPECT_NE(some.err.find("left out, above --terms-limit 5: M11 has "), std::string::npos)
      << some.err;
}

TEST(ClosedForms, ProveThatNewtonEulerAndLagrangeAreOne) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn equations craig-3r --prove");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("126 terms cancel one by one: the torques are identically equal"),
            std::string::npos)
      << outcome.out;
  const auto json =
      nlohmann::json::parse(shell.run("$armdyn equations puma560 --prove --json").out);
  EXPECT_EQ(json["left"], 0);
  EXPECT_EQ(json["terms"].size(), 6U);
}

// One joint, one term.
TEST(ClosedForms, CountInWords) {
  const Shell shell;
  shell.write("rail.yaml",
              "armdyn: 1\nname: rail\nconvention: modified\njoints:\n"
              "  - {type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2}\n");
  EXPECT_EQ(shell.run("$armdyn equations rail.yaml --prove").out,
            "rail: Newton-Euler minus Lagrange, 4 symbols for numbers and the whole state\n\n"
            "  τ1: 1 term on either side\n\n"
            "1 term cancels one by one: the torques are identically equal\n");
  const std::string costs = shell.run("$armdyn compare rail.yaml --costs").out;
  EXPECT_NE(costs.find("1 of this arm's 1 joint is prismatic"), std::string::npos) << costs;
  EXPECT_EQ(shell.run("$armdyn check rail.yaml --against ur5").err,
            "--against: rail has 1 joint, ur5 has 6; arms are compared joint for joint\n");
  EXPECT_EQ(shell.run("$armdyn check craig-rr --against balanced-link").err,
            "--against: craig-rr has 0 followers, balanced-link has 1; arms are compared joint for "
            "joint\n");
}

TEST(ClosedForms, RefuseWhatDoesNotGoTogether) {
  const Shell shell;
  const auto refused = [&](const std::string& options) {
    const Outcome outcome = shell.run("$armdyn equations craig-rr " + options);
    EXPECT_EQ(outcome.exit_code, 2) << options;
    return outcome.err;
  };
  for (const char* options : {"--format c", "--format listing", "--prove", "--verify x",
                              "--format listing --as paper-004"}) {
    EXPECT_EQ(refused(std::string("--terms-limit 5 ") + options),
              "armdyn: --terms-limit applies to printed closed forms; leave it out\n");
  }
  EXPECT_EQ(refused("--what forward"),
            "armdyn: --what forward has no closed form; --format c writes it as code\n");
  EXPECT_EQ(refused("--what craig --format c"),
            "armdyn: --what craig is for --format text and latex alone\n");
  EXPECT_EQ(refused("--precision float"),
            "armdyn: --check and --precision need code; give --format c or another too\n");
  EXPECT_EQ(refused("--prove --what M"),
            "armdyn: --prove is about all torques and writes no equations; leave out --what and "
            "--format\n");
  EXPECT_EQ(refused("--axes tool"),
            "armdyn: --axes applies to closed forms of --what jacobian, link-jacobian, cartesian "
            "and recursion\n");
  EXPECT_EQ(refused("--what jacobian --point origin"),
            "armdyn: --point is of --what link-jacobian\n");
  EXPECT_EQ(refused("--symbols m9"),
            "armdyn: --symbols: there is no number m9; expected parameters of the file (m1, m2, "
            "l1, l2) or names as m1, Ixx1, cx1, a1 or g\n");
}

TEST(Set, ReplacesParametersInEveryVerb) {
  const Shell shell;
  shell.write("m.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n");
  // m2 g l2 holds joint 2, (m1 + m2) g l1 more joint 1.
  EXPECT_EQ(shell.run("$armdyn torque craig-rr m.csv --set m2=3,l2=0.25 --gravity 0,-10,0").out,
            "tau1,tau2\n45.5,7.5\n");
  const auto json =
      nlohmann::json::parse(shell.run("$armdyn inspect craig-rr --set m2=3,l1=pi/4 --json").out);
  EXPECT_EQ(json["options"]["set"]["m2"], 3.0);
  EXPECT_DOUBLE_EQ(json["options"]["set"]["l1"], 0.7853981633974483);
  EXPECT_EQ(shell.run("$armdyn convert craig-rr --set m1=7 -o rr.yaml").exit_code, 0);
  EXPECT_NE(shell.read("rr.yaml").find("mass: 7"), std::string::npos);
  for (const char* verb : {"check", "simulate --duration 0.01", "compare --costs"}) {
    EXPECT_EQ(shell.run(std::string("$armdyn ") + verb + " craig-rr --set m1=1").exit_code, 0)
        << verb;
  }
}

TEST(Set, RefusesWhatTheFileDoesNotHave) {
  const Shell shell;
  const auto refused = [&](const std::string& command) {
    const Outcome outcome = shell.run("$armdyn " + command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    return outcome.err;
  };
  shell.write("a.yaml",
              "armdyn: 1\nname: a\nconvention: modified\nparameters: {l1: 1}\n"
              "joints: [{type: revolute, dh: {a: l1}, mass: 1}]\n");
  EXPECT_EQ(refused("inspect a.yaml --set l2=1"),
            "armdyn: --set: a.yaml has no parameter l2; did you mean 'l1'?; it has l1\n");
  EXPECT_NE(refused("inspect puma560 --set l2=1").find("puma560.yaml has no parameters"),
            std::string::npos);
  EXPECT_EQ(refused("inspect a.yaml --set l1"),
            "armdyn: --set: found \"l1\" in \"l1\", expected NAME=VALUE, as in m2=3\n");
  EXPECT_EQ(refused("inspect a.yaml --set l1=x"),
            "armdyn: --set: found \"l1=x\": no parameter x is known here; VALUE is a formula of "
            "numbers\n");
}

}  // namespace
}  // namespace armdyn::testing
