// armdyn equations --verify, as a user runs it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "support/paths.hpp"
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

// Rz(90°) Rx(90°) turns (x, y, 0) to (0, x, y), and the axes of the joints to x.
TEST(VerifyVerb, ReadsJacobiansInAxesOfTheWorld) {
  const Shell shell;
  ASSERT_EQ(shell
                .run("$armdyn robots show craig-rr | sed '/^joints:/i base: {xyz: [1, 2, 3], rpy: "
                     "[pi/2, 0, pi/2]}' > turned.yaml")
                .exit_code,
            0);
  shell.write("world.txt",
              "Jvx1 = 0\nJvy1 = -l1 s1 - l2 s12\nJvz1 = l1 c1 + l2 c12\nJvy2 = -l2 s12\n"
              "Jvz2 = l2 c12\nJomegax1 = 1\n");
  const Outcome world = shell.run("$armdyn equations turned.yaml --verify world.txt");
  EXPECT_EQ(world.exit_code, 0) << world.err;
  EXPECT_NE(world.out.find("Jvy1  equal, proved; taken for the one in axes of the world"),
            std::string::npos)
      << world.out;
  shell.write("base.txt", "Jvx1 = -l1 s1 - l2 s12\nJvy2 = l2 c12\n");
  EXPECT_EQ(shell.run("$armdyn equations turned.yaml --verify base.txt").out,
            "craig-rr: formulas of base.txt\n\n  Jvx1  equal, proved\n  Jvy2  equal, proved\n");
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify world.txt").exit_code, 1);
}

TEST(VerifyVerb, ReadsWhatTheVerbPrints) {
  const Shell shell;
  for (const std::string arm : {"craig-rp", "two-link-rods", "puma560 --terms-limit 60"}) {
    for (const std::string what : {"M", "G", "potential", "kinetic", "craig"}) {
      for (const std::string form : {"text", "latex", "latex --standalone", "text --q 0,0"}) {
        if (form == "text --q 0,0" && arm[0] == 'p') continue;  // has six joints
        const std::string printed = arm + " --what " + what + " --format " + form + " -o sheet.txt";
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

// Numbers that no double has exactly are printed as the nearest one.
TEST(VerifyVerb, ReadsNumbersThatAreRounded) {
  const Shell shell;
  int rounded = 0;
  for (const std::string arm :
       {"ur5e --what M", "staubli-tx40 --what G", "barrett-wam7 --what M",
        "siciliano-rr --symbols none", "siciliano-rr --what recursion --symbols none",
        "craig-3r --what cartesian --symbols none"}) {
    for (const std::string form : {"text", "latex"}) {
      EXPECT_EQ(shell.run("$armdyn equations " + arm + " --format " + form + " -o s.txt").exit_code,
                0);
      const Outcome outcome = shell.run("$armdyn equations " + arm + " --verify s.txt");
      EXPECT_EQ(outcome.exit_code, 0) << arm << outcome.out << outcome.err;
      EXPECT_EQ(outcome.out.find("undecided"), std::string::npos) << arm;
      if (outcome.out.find("equal within the digits") != std::string::npos) ++rounded;
    }
  }
  EXPECT_GE(rounded, 6);  // others are proved
}

// A lecturer's solutions, in LaTeX as it is usual: prose, displays, matrices, names of their own.
constexpr const char* planar_arm = R"(\documentclass{article}
\usepackage{amsmath}
\begin{document}
\section*{Exercise 6.1}
Show that the arm of Figure 1: two point masses at the ends of massless links, has the torques
\begin{align}
\tau_1 &= m_2 l_2^2 \left(\ddot{\theta}_1+\ddot{\theta}_2\right)
  + m_2 l_1 l_2 c_2 \left(2\ddot{\theta}_1+\ddot{\theta}_2\right) + (m_1+m_2)\, l_1^2\; \ddot{\theta}_1
  \nonumber\\
&\quad - m_2 l_1 l_2 s_2 \dot{\theta}^{2}_2 - 2 m_2 \ell_1 \ell_2 s_2\dot{\theta}_1\dot{\theta}_2
  + m_2 l_2 g c_{12} + (m_1+m_2) l_1 g c_1, \label{eq:tau1}\\
\tau_2 &= m_2 l_2 \bigl( l_1 c_2 \ddot{\theta}_1 + l_1 s_2 \dot{\theta}_1^{2} + g c_{12} \bigr)
  + m_2 l_2^2(\ddot{\theta}_1+\ddot{\theta}_2)
  = m_{12}(\theta_2)\ddot\theta_1 + m_{22}\ddot\theta_2 + m_2 l_1 l_2 s_2 \dot\theta_1^2 + G_2. \tag{2}
\end{align}
In matrices, $\tau = M(\Theta)\ddot\Theta + V(\Theta,\dot\Theta) + G(\Theta)$ with
\[
M(\Theta) = \begin{bmatrix}
 l_2^2 m_2 + 2 l_1 l_2 m_2 c_2 + l_1^2(m_1+m_2) & m_{12} \\[1mm]
 * & m_{22}
\end{bmatrix}, \quad\text{where}\quad m_{12} = M_{21} = l_2^2 m_2 + l_1 l_2 m_2 c_2, \quad m_{22} = m_2 l_2^2
\]
$$ \mathbf{V}(\Theta,\dot{\Theta}) = m_2 l_1 l_2 s_2 \left[\begin{array}{c} -\dot\theta_2^2 -
  2\dot\theta_1\dot\theta_2 \\ \dot\theta_1^2 \end{array}\right] $$
\begin{equation*}
\begin{pmatrix} G_1 \\ G_2 \end{pmatrix} = \begin{pmatrix} m_2 l_2 g \cos(\theta_1+\theta_2)
  + (m_1+m_2) l_1 g \cos\theta_1, & m_2 l_2 g \cos(\theta_1 + \theta_2) \end{pmatrix}^{\mathsf{T}}
\end{equation*}
The Jacobian is
\[ J(\Theta) = \begin{bmatrix} -l_1 s_1 - l_2 s_{12} & -l_2 s_{12} \\ l_1 c_1 + l_2 c_{12} & l_2 c_{12} \end{bmatrix} \]
and, with $h$ as in the lecture,
\begin{gather*}
h = -m_2 l_1 l_2 \sin\theta_2, \qquad c_{12} = \cos(\theta_1 + \theta_2), \\
C(\theta,\dot\theta) = h \begin{bmatrix} \dot\theta_2 & \dot\theta_1+\dot\theta_2 \\ -\dot\theta_1 & 0\end{bmatrix}\\
T = \tfrac12 m_1 l_1^2 \dot\theta_1^2 + \frac{1}{2} m_2 \left[ l_1^2\dot\theta_1^2
  + l_2^2 (\dot\theta_1+\dot\theta_2)^2 + 2 l_1 l_2 c_2 \dot\theta_1 (\dot\theta_1+\dot\theta_2)\right]\\
Q = m_2 g (l_1 s_1 + l_2 s_{12}) + m_1 g l_1 s_1, \quad \mathcal{L} = T - Q, \quad
\frac{d}{dt}\left(\frac{\partial L}{\partial\dot\theta_2}\right) = m_{12} \ddot\theta_1 + m_{22} \ddot\theta_2
  - m_2 l_1 l_2 s_2 \dot\theta_1 \dot\theta_2, \qquad
{}^1\dot{\omega}_1 = \begin{bmatrix} 0 \\ 0 \\ \ddot\theta_1 \end{bmatrix}
\end{gather*}
\end{document}
)";

TEST(VerifyVerb, ReadsSolutionsAsLecturersWriteThem) {
  const Shell shell;
  const std::string verify = "$armdyn equations craig-rr --names Q=U --verify ";
  shell.write("solutions.tex", planar_arm);
  const Outcome right = shell.run(verify + "solutions.tex");
  EXPECT_EQ(right.exit_code, 0) << right.err << right.out;
  EXPECT_EQ(right.out.find("different"), std::string::npos) << right.out;
  EXPECT_NE(right.out.find("  h  a name of the sheet's own\n"), std::string::npos) << right.out;
  const std::ptrdiff_t proved = std::ranges::count(right.out, '\n') - 3;  // less two heads and h
  EXPECT_EQ(proved, 29);
  // A mistake in each, and where it shows.
  for (const auto& [from, to, entry] : {std::tuple{"g c_{12} \\bigr", "g c_{1} \\bigr", "tau2"},
                                        {"2\\dot\\theta_1\\dot", "\\dot\\theta_1\\dot", "V1"},
                                        {"M_{21} = l_2^2 m_2 +", "M_{21} = l_2^2 m_2 -", "M12"},
                                        {"& -l_2 s_{12}", "& l_2 s_{12}", "Jvx2"},
                                        {"h = -m_2", "h = m_2", "C21"},
                                        {"\\tfrac12 m_1", "m_1", "T"}}) {
    std::string text = planar_arm;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    shell.write("mistake.tex", text.replace(text.find(from), std::string(from).size(), to));
    const Outcome wrong = shell.run(verify + "mistake.tex");
    EXPECT_EQ(wrong.exit_code, 1) << wrong.err << to;
    EXPECT_NE(wrong.out.find("  " + std::string(entry) + "  different, proved\n"),
              std::string::npos)
        << to << wrong.out;
  }
}

/// A solution as a lecturer writes it, and names of it that are not read.
struct WholeSheet {
  const char *arm, *names;
  std::size_t proved;
  std::vector<std::string> unread;
  std::vector<std::array<const char*, 3>> mistakes;  ///< text, what stands there then, entry
};

// Craig's chapter 6, CS223A and Siciliano's chapter 7, without a line cut.
TEST(VerifyVerb, ReadsWholeSheetsOfThreeBooks) {
  const WholeSheet sheets[] = {
      {"craig-rr",
       "",
       110,
       {"PC1", "PC2", "I1", "I2", "i1R", "iR", "J1"},
       {{R"(l_1 \frac{c_2}{s_2^2})", R"(l_1 \frac{c_2}{s_2})", "Vx1"},
        {R"(m_1 g \frac{c_1}{s_2} + m_2)", R"(m_1 g \frac{c_1}{s_2} - m_2)", "Gx1"},
        {R"(\frac{m_1}{s_2^2} & 0)", R"(\frac{m_1}{s_2^2} & m_1)", "Mx12"},
        {R"({}^0\dot v_0 = g)", R"({}^0\dot v_0 = -g)", "vd0y"},
        {R"(\omega_0 &= 0)", R"(\omega_1 &= 0)", "omega1z"},
        {R"(n_3 = 0)", R"(n_2 = 0)", "n2z"},
        {R"(l_1 s_2 & 0)", R"(l_1 c_2 & 0)", "Jvx1"},
        {R"(l_1 c_2 \dot\theta_2 & 0)", R"(l_1 c_2 \dot\theta_1 & 0)", "Jdvx1"},
        {R"(m_2 l_1 g s_2 s_{12} + )", R"(m_2 l_1 g s_2 s_{12} - )", "n1z"}}},
      {"craig-rp",
       " --names Izz1=I1,Izz2=I2",
       68,
       {"pC1", "pC2", "J2omegax1", "J2omegay1", "J2omegaz1"},
       {{R"(= 2 m_2 d_2, \qquad m_{111})", R"(= m_2 d_2, \qquad m_{111})", "m112"},
        {R"(d_2 c_1 & s_1 \\ 0 & 0)", R"(d_2 c_1 & c_1 \\ 0 & 0)", "J2vy2"},
        {R"(m_1 J_{v_1}^T J_{v_1} + J)", R"(m_2 J_{v_1}^T J_{v_1} + J)", "M11"},
        {R"(- m_{112}) = -m_2 d_2)", R"(- m_{112}) = m_2 d_2)", "b211"},
        {R"(-\left( J_{v_1}^T m_1)", R"(\left( J_{v_1}^T m_1)", "G1"},
        {R"(\dot\theta_1 \dot d_2
+)",
         R"(\dot\theta_1 \dot d_2
-)",
         "tau2"}}},
      {"siciliano-rr",
       "",
       34,
       {"JPl1", "JPl2", "JPm1", "JPm2", "JOl1", "JOl2", "JOm1", "JOm2", "N"},
       {{R"(= -m_{\ell_2} a_1 \ell_2 s_2 = h)", R"(= m_{\ell_2} a_1 \ell_2 s_2 = h)", "c112"},
        {R"(+ k_{r2} I_{m_2} \\)", R"(+ k_{r2}^2 I_{m_2} \\)", "b12"},
        {R"(b_{21}}{\partial q_1} - \frac12)", R"(b_{21}}{\partial q_1} + \frac12)", "c211"},
        {R"(m_{m_2} a_1 + m_{\ell_2} a_1) g c_1 + m_{\ell_2} \ell_2 g c_{12} =)",
         R"(m_{\ell_2} a_1) g c_1 + m_{\ell_2} \ell_2 g c_{12} =)", "tau1"}}}};
  const Shell shell;
  for (const WholeSheet& sheet : sheets) {
    std::ifstream file(test_data() + "/sheets/" + sheet.arm + ".tex");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto verify = [&](const std::string& written) {
      shell.write("sheet.tex", written);
      return shell.run(std::string("$armdyn equations ") + sheet.arm + sheet.names +
                       " --verify sheet.tex --json");
    };
    const Outcome right = verify(text);
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
    std::size_t proved = 0;
    std::vector<std::string> unread;
    const auto verdicts = nlohmann::json::parse(right.out);
    for (const auto& one : verdicts.at("verdicts")) {
      const std::string entry = one.at("entry"), verdict = one.at("verdict");
      EXPECT_NE(verdict, "different") << entry;
      if (verdict == "equal") ++proved;
      if (verdict == "unread" && (unread.empty() || unread.back() != entry)) {
        unread.push_back(entry);
      }
    }
    EXPECT_EQ(proved, sheet.proved) << sheet.arm;
    EXPECT_EQ(unread, sheet.unread) << sheet.arm;
    for (const auto& [from, to, entry] : sheet.mistakes) {
      std::string wrong = text;
      ASSERT_NE(wrong.find(from), std::string::npos) << from;
      const Outcome found = verify(wrong.replace(wrong.find(from), std::string(from).size(), to));
      EXPECT_EQ(found.exit_code, 1) << to << found.err;
      bool is_named = false;
      const auto changed = nlohmann::json::parse(found.out);
      for (const auto& one : changed.at("verdicts")) {
        is_named = is_named || (one.at("entry") == entry && one.at("verdict") == "different");
      }
      EXPECT_TRUE(is_named) << to << found.out;
    }
  }
}

TEST(VerifyVerb, ReadsJacobiansInOneKindOfAxes) {
  const Shell shell;
  const std::string base[] = {"-l_1 s_1 - l_2 s_{12} & -l_2 s_{12}",
                              "l_1 c_1 + l_2 c_{12} & l_2 c_{12}"},
                    tool[] = {"l_1 s_2 & 0", "l_2 + l_1 c_2 & l_2"};
  for (const auto& [first, second, code] :
       {std::tuple(base[0], base[1], 0), {tool[0], tool[1], 0}, {base[0], tool[1], 1}}) {
    shell.write("J.tex",
                "\\[ J = \\begin{bmatrix} " + first + " \\\\ " + second + " \\end{bmatrix} \\]");
    EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify J.tex").exit_code, code) << second;
    EXPECT_EQ(shell.run("$armdyn equations craig-rr --what jacobian --axes base --verify J.tex")
                  .exit_code,
              first == base[0] && second == base[1] ? 0 : 1);
  }
  // Of an arm of six joints no Cartesian terms are written.
  shell.write("M.tex", "M_{x,11} = 0\n");
  EXPECT_EQ(shell.run("$armdyn equations puma560 --verify M.tex").exit_code, 3);
}

TEST(VerifyVerb, SaysHowToWriteWhatItDoesNotRead) {
  const Shell shell;
  const auto refusal = [&](const std::string& sheet) {
    shell.write("sheet", sheet);
    const Outcome outcome = shell.run("$armdyn equations craig-rr --verify sheet");
    EXPECT_EQ(outcome.exit_code, 3) << sheet << outcome.out;
    return outcome.err;
  };
  const std::string row = "\\begin{pmatrix} 1 & 2 \\end{pmatrix}";
  for (const auto& [sheet, message] :
       {std::pair<std::string, const char*>("\\tau = M \\ddot\\theta + V + G",
                                            "sheet:1:8: no line defines M"),
        {"M = m_2 " + row + " " + row, "multiplies a matrix of 1 x 2 and a matrix of 1 x 2"},
        {"M = (m_2 " + row + " + 1)", "adds a matrix of 1 x 2 and a number"},
        {"V = " + row + "^{-1}", "of powers of matrices ^T alone is read"},
        {"V = " + row + " / " + row, "found a matrix of 1 x 2 where a number must be"},
        {"V = m_2^T", "only a matrix is transposed"},
        {"V = V + " + row, "sheet:1:5: no line defines V"}}) {
    EXPECT_NE(refusal(sheet).find(message), std::string::npos) << sheet << refusal(sheet);
  }
  EXPECT_NE(refusal("M_{22} = M_{22}").find("sheet:1:9: no line defines M22"), std::string::npos);
  EXPECT_NE(refusal("M = \\begin{pmatrix} \\end{pmatrix}").find("found no formula"),
            std::string::npos);
  EXPECT_NE(refusal("E = m_2").find("--names E=K"), std::string::npos);
  EXPECT_NE(refusal("a = m_2").find("found \"a\" as its left side"), std::string::npos);
  EXPECT_NE(refusal("l_2 = 1").find("sheet:1:6: l2 is already"), std::string::npos);
  EXPECT_NE(refusal("M_{11} = \\underbrace{m_2}").find("sheet:1:10: found \"\\underbrace\""),
            std::string::npos);
}

TEST(VerifyVerb, SaysWhichFormulasAreLeftOut) {
  const Shell shell;
  shell.write("sheet", "\\[ G_2 = m_2 l_2 g c_{12} \\]\nand $G_1 = 5$\n");
  const Outcome outcome = shell.run("$armdyn equations craig-rr --verify sheet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("sheet:2:10: formulas in lines of text are not read: 1"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(
      shell.run("$armdyn equations craig-rr > s && $armdyn equations craig-rr --verify s").err, "");
}

TEST(VerifyVerb, DropsNoFactor) {
  const Shell shell;
  for (const char* right :
       {"m_2 l_2^2 (\\ddot\\theta_2)", "m_2 l_2^2 \\quad {l_1}", "m_2 l_2^2 \\big{l_1}",
        "m_2 l_2^2 (2)", "m_2 (\\dot q_1)(\\dot q_1)"}) {
    shell.write("sheet", std::string("M_{22} = ") + right);
    EXPECT_NE(shell.run("$armdyn equations craig-rr --verify sheet").exit_code, 0) << right;
  }
  shell.write(
      "sheet",
      "M = 2 (m_1 + m_2) \\left[ \\begin{array}{cc} 0 & 0 \\\\ 0 & 1 \\end{array} \\right] l_1");
  EXPECT_NE(
      shell.run("$armdyn equations craig-rr --verify sheet").out.find("surplus: 2 (m1 + m2) l1"),
      std::string::npos);
}

TEST(VerifyVerb, RefusesNamesThatLatexPrintsAlike) {
  const Shell shell;
  shell.write("a.yaml",
              "armdyn: 1\nname: a\nconvention: modified\nparameters: {la: 0.3, l_a: 0.2}\n"
              "joints: [{type: revolute, dh: {}, mass: la, com: [l_a, 0, 0]}]\n");
  EXPECT_EQ(
      shell.run("$armdyn equations a.yaml --what M").out,
      "a: M of τ = M q̈ + V + G; it is symmetric\n\nM11 = la l_a²\n\nwhere la = 0.3, l_a = 0.2\n");
  shell.write("sheet", "M11 = la l_a^2");
  for (const char* option : {"--format latex", "--verify sheet"}) {
    const Outcome outcome = shell.run(std::string("$armdyn equations a.yaml ") + option);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("la and l_a are one name"), std::string::npos) << outcome.err;
  }
}

TEST(VerifyVerb, SaysWhatItCannotRead) {
  const Shell shell;
  shell.write("sheet", "M22 = m2 L2^2\n");
  const Outcome unknown = shell.run("$armdyn equations craig-rr --verify sheet");
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_EQ(unknown.err.find("sheet:1:10: there is no L2; did you mean 'l2'?"), 0U) << unknown.err;
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify sheet --names L2=l2").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify none").exit_code, 4);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --names L2=l2").exit_code, 2);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --verify sheet --format c").exit_code, 2);
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
