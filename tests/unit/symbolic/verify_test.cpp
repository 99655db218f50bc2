// Formulas of papers and textbooks, and mutations of them, against the arms that they are of. Whether
// a mutation changes anything is decided by numbers, in doubles.

#include "symbolic/verify.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/formula.hpp"
#include "support/paths.hpp"
#include "support/refused_argument.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {
namespace {

RobotFile arm_file(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml");
}

VerifyRequest request_for(const std::string& entry = "",
                          Symbols::Which symbols = Symbols::Which::parameters) {
  return {.entry = entry,
          .symbols = {symbols, {}},
          .did_you_mean = [](const std::string&, const auto&) { return ""; }};
}

std::vector<FormulaVerdict> verdicts(const std::string& robot, const std::string& sheet,
                                     const VerifyRequest& request = request_for()) {
  return verify(arm_file(robot), Sheet("sheet", sheet), request).formulas;
}

Agreement agreement(const std::string& robot, const std::string& sheet,
                    const VerifyRequest& request = request_for()) {
  return verdicts(robot, sheet, request).at(0).agreement;
}

std::string refusal(const std::string& robot, const std::string& sheet,
                    const VerifyRequest& request = request_for()) {
  return testing::refused_as<InputError>([&] { (void)verdicts(robot, sheet, request); });
}

/// Place of the only formula of a sheet that cannot be read, and why.
std::string unread(const std::string& robot, const std::string& sheet,
                   const VerifyRequest& request = request_for()) {
  std::string found;
  for (const FormulaVerdict& one : verdicts(robot, sheet, request)) {
    if (one.agreement == Agreement::unread) found += one.place + ": " + one.note;
  }
  return found;
}

struct Formula {
  const char *robot, *left, *right;
};

// Paper 000 (its M11 without the misprint), Craig's examples 6.5 and 6.7 and exercise 6A, Spong,
// Hutchinson and Vidyasagar's planar elbow arm, Siciliano's arm with motors on its links.
constexpr Formula formulas[] = {
    {"craig-rr", "tau1",
     "m2 l2^2 (qdd1 + qdd2) + m2 l1 l2 c2 (2 qdd1 + qdd2) + (m1 + m2) l1^2 qdd1 - m2 l1 l2 s2 "
     "qd2^2 "
     "- 2 m2 l1 l2 s2 qd1 qd2 + m2 l2 g c12 + (m1 + m2) l1 g c1"},
    {"craig-rr", "tau2",
     "m2 l1 l2 c2 qdd1 + m2 l1 l2 s2 qd1^2 + m2 l2 g c12 + m2 l2^2 (qdd1 + qdd2)"},
    {"craig-rr", "M11", "l2^2 m2 + 2 l1 l2 m2 c2 + l1^2 (m1 + m2)"},
    {"craig-rr", "M12", "l2^2 m2 + l1 l2 m2 c2"},
    {"craig-rr", "M21", "l2^2 m2 + l1 l2 m2 c2"},
    {"craig-rr", "M22", "l2^2 m2"},
    {"craig-rr", "V1", "-m2 l1 l2 s2 qd2^2 - 2 m2 l1 l2 s2 qd1 qd2"},
    {"craig-rr", "V2", "m2 l1 l2 s2 qd1^2"},
    {"craig-rr", "G1", "m2 l2 g c12 + (m1 + m2) l1 g c1"},
    {"craig-rr", "G2", "m2 l2 g c12"},
    {"craig-rr", "K",
     "1/2 m1 l1^2 qd1^2 + 1/2 m2 (l1^2 qd1^2 + l2^2 (qd1 + qd2)^2 + 2 l1 l2 c2 qd1 (qd1 + qd2))"},
    {"craig-rr", "U", "(m1 + m2) g l1 s1 + m2 g l2 s12"},
    {"craig-rr", "Jvx1", "-l1 s1 - l2 s12"},
    {"craig-rr", "Jvy2", "l2 c12"},
    {"craig-rr", "C12", "-m2 l1 l2 s2 (qd1 + qd2)"},
    {"craig-rr", "C21", "m2 l1 l2 s2 qd1"},
    {"craig-rp", "tau1",
     "(m1 l1^2 + I1 + I2 + m2 q2^2) qdd1 + 2 m2 q2 qd1 qd2 + (m1 l1 + m2 q2) g c1"},
    {"craig-rp", "tau2", "m2 qdd2 - m2 q2 qd1^2 + m2 g s1"},
    {"craig-rp", "M11", "m1 l1^2 + I1 + I2 + m2 d2^2"},
    {"craig-rp", "M22", "m2"},
    {"craig-rp", "V1", "2 m2 d2 qd1 qd2"},
    {"craig-rp", "V2", "-m2 d2 qd1^2"},
    {"craig-rp", "G1", "(m1 l1 + m2 d2) g c1"},
    {"craig-rp", "G2", "m2 g s1"},
    {"craig-rp", "K",
     "1/2 m1 l1^2 qd1^2 + 1/2 I1 qd1^2 + 1/2 m2 (d2^2 qd1^2 + qd2^2) + 1/2 I2 qd1^2"},
    {"craig-rp", "U", "m1 g l1 s1 + m2 g d2 s1"},
    {"craig-3r", "M33", "I3 + m3 l3^2/4"},
    {"craig-3r", "M23", "I3 + m3 (l3^2/4 + 1/2 l2 l3 c3)"},
    {"craig-3r", "M22", "I2 + I3 + m2 l2^2/4 + m3 (l2^2 + l3^2/4 + l2 l3 c3)"},
    {"craig-3r", "G3", "1/2 m3 g l3 c123"},
    {"craig-3r", "G2", "1/2 m3 g l3 c123 + (1/2 m2 + m3) g l2 c12"},
    {"craig-3r", "G1", "1/2 m3 g l3 c123 + (1/2 m2 + m3) g l2 c12 + (1/2 m1 + m2 + m3) g l1 c1"},
    {"craig-3r", "Jvx1", "-l1 s1 - l2 s12 - l3 s123"},
    {"craig-3r", "Jvy2", "l2 c12 + l3 c123"},
    {"craig-3r", "V3", "1/2 m3 l3 (l2 s3 (qd1 + qd2)^2 + l1 s23 qd1^2)"},
    {"two-link-spong", "M11", "m1 (l1/2)^2 + m2 (l1^2 + (l2/2)^2 + 2 l1 (l2/2) c2)"},
    {"two-link-spong", "M12", "m2 ((l2/2)^2 + l1 l2/2 c2)"},
    {"two-link-spong", "C11", "-m2 l1 l2/2 s2 qd2"},
    {"two-link-spong", "C12", "-m2 l1 l2/2 s2 qd2 - m2 l1 l2/2 s2 qd1"},
    {"two-link-spong", "G1", "(m1 l1/2 + m2 l1) g c1 + m2 l2/2 g c12"},
    {"two-link-rods", "M11", "I1 + I2 + m1 l1^2/4 + m2 (l1^2 + l2^2/4 + l1 l2 c2)"},
    {"two-link-rods", "V1", "-1/2 m2 l1 l2 s2 (2 qd1 qd2 + qd2^2)"},
    {"craig-rr", "M12", "m2 l2^2 + m2 l1 l2 sin(2 q2)/(2 s2)"},
    {"craig-rr", "M12", "m2 l2^2 + m2 l1 l2/(1/c2)"},
    {"craig-rr", "V2", "m2 l1 l2 tan(q2) c2 qd1^2"},
    {"craig-rr", "V2", "m2 l1 l2 qd1^2 s2 (1 - s2^2) (1 + tan(q2))/(c2^2 + s2 c2)"},
    {"craig-rr", "G2", "m2 l2 g c12/(1 + tan(q2)) + m2 l2 g c12/(1 + 1/tan(q2))"},
    {"siciliano-rr", "b12", "Il2 + ml2 (l2^2 + a1 l2 c2) + kr2 Im2"},
    {"siciliano-rr", "b22", "Il2 + ml2 l2^2 + kr2^2 Im2"},
};

TEST(Verify, ProvesTheFormulasOfPapersAndTextbooks) {
  for (const auto& [robot, left, right] : formulas) {
    const std::string sheet = std::string(left) + " = " + right;
    EXPECT_EQ(agreement(robot, sheet), Agreement::equal) << robot << ": " << sheet;
  }
}

/// A sign, a factor, an index or a missing term, somewhere.
std::string mutated(std::string text, std::mt19937& random) {
  std::vector<std::size_t> signs{0}, names, indices;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (i == 0) continue;
    if (depth == 0 && (text[i] == '+' || text[i] == '-')) signs.push_back(i);
    const bool is_start = std::isalpha(static_cast<unsigned char>(text[i])) != 0 &&
                          (text[i - 1] == ' ' || text[i - 1] == '(');
    if (is_start) names.push_back(i);
    const bool is_index = (text[i] == '1' || text[i] == '2' || text[i] == '3') &&
                          std::isalpha(static_cast<unsigned char>(text[i - 1])) != 0;
    if (is_index) indices.push_back(i);
  }
  const auto any_of = [&](const std::vector<std::size_t>& places) {
    return places[random() % places.size()];
  };
  switch (random() % 4) {
    case 0: {
      const std::size_t at = any_of(signs);
      if (at == 0) return text[0] == '-' ? text.substr(1) : "-" + text;
      text[at] = text[at] == '+' ? '-' : '+';
      return text;
    }
    case 1:
      return names.empty() ? "2 " + text : text.insert(any_of(names), "2 ");
    case 2: {
      char& digit = text[any_of(indices)];
      digit = digit == '1' ? '2' : '1';
      return text;
    }
    default: {
      const std::size_t k = random() % signs.size();
      const std::size_t end = k + 1 < signs.size() ? signs[k + 1] : text.size();
      const std::string rest = text.substr(0, signs[k]) + text.substr(end);
      return rest.empty() ? "0" : rest[0] == '+' ? rest.substr(1) : rest;
    }
  }
}

/// In doubles, of a state by chance; NaN where a name is none of the arm's.
double value_of(const std::string& formula, const std::map<std::string, double>& values) {
  return FormulaReader<double>(
             formula,
             [&](std::string_view name) {
               if (const auto known = values.find(std::string(name)); known != values.end()) {
                 return known->second;
               }
               if (name[0] != 's' && name[0] != 'c') return std::nan("");
               double angle = 0.0;
               for (const char digit : name.substr(1)) angle += values.at(std::string("q") + digit);
               return name[0] == 's' ? std::sin(angle) : std::cos(angle);
             },
             FormulaReader<double>::Products::may_be_implied)
      .read();
}

TEST(Verify, FindsEveryMutationThatDiffersByNumbers) {
  std::mt19937 random(40);
  const std::map<std::string, double> letters{
      {"m1", 4.6},    {"m2", 2.3},     {"m3", 1.7},   {"l1", 0.51},  {"l2", 0.37},   {"l3", 0.23},
      {"I1", 0.3},    {"I2", 0.17},    {"I3", 0.11},  {"g", 9.81},   {"q1", 0.31},   {"q2", 0.72},
      {"q3", -1.1},   {"d1", 0.31},    {"d2", 0.72},  {"qd1", 0.52}, {"qd2", -0.43}, {"qd3", 0.83},
      {"qdd1", 1.21}, {"qdd2", -0.84}, {"qdd3", 0.61}};
  int found = 0, count = 0;
  while (count < 200) {
    const auto& [robot, left, right] = formulas[random() % std::size(formulas)];
    const std::string mutant = mutated(right, random);
    const double change = value_of(mutant, letters) - value_of(right, letters);
    std::vector<FormulaVerdict> found_here;
    try {
      found_here = verdicts(robot, std::string(left) + " = " + mutant);
    } catch (const InputError&) {
      continue;  // of an index that the arm has not
    }
    ++count;
    if (left[0] == 'U' && found_here[0].agreement == Agreement::up_to_a_constant) continue;
    const bool differs = !(std::abs(change) < 1e-12);
    EXPECT_EQ(found_here[0].agreement, differs ? Agreement::different : Agreement::equal)
        << robot << ": " << left << " = " << mutant << " for " << right;
    found += differs ? 1 : 0;
  }
  EXPECT_GT(found, 180);
}

TEST(Verify, ReadsPaper000AsItIsTypeset) {
  const std::string sheet =
      "\\tau_1=m_2l_2^2(\\ddot{\\theta}_1+\\ddot{\\theta}_2)+m_2l_1l_2c_2(2\\ddot{\\theta}_1+"
      "\\ddot{\\theta}_2)+(m_1+m_2)l^2_1\\ddot{\\theta}_1-m_2l_1l_2s_2\\dot{\\theta}_2^2-"
      "2m_2l_1l_2s_2\\dot{\\theta}_1\\dot{\\theta}_2+m_2l_2gc_{12}+(m_1+m_2)l_1gc_1\n";
  EXPECT_EQ(agreement("craig-rr", sheet), Agreement::equal);
  EXPECT_EQ(
      agreement(
          "craig-rr",
          "\\begin{equation}\n \\tau_{2} = m_2 l_1 l_2 \\cos\\theta_2 \\ddot\\theta_1 + "
          "m_2l_1l_2\\sin(\\theta_2)\\dot\\theta^2_1 \\\\ + m_2l_2g\\cos(\\theta_1+\\theta_2)"
          " + m_2 l_2^{2}\\left(\\ddot{\\theta_1}+\\ddot\\theta_{2}\\right).\n\\end{equation}"),
      Agreement::equal);
  const FormulaVerdict printed =
      verdicts("craig-rr", "M_{11} = l^2_2+2l_1l_2m_2c_2+l_1^2(m_1+m_2)").at(0);
  EXPECT_EQ(printed.agreement, Agreement::different);
  EXPECT_EQ(printed.surplus, "l2²");
  EXPECT_EQ(printed.missing, "m2 l2²");
}

TEST(Verify, ReadsTheMatricesOfPaper000AsTheyAreTypeset) {
  const auto found = verdicts(
      "craig-rr",
      R"($M(\Theta)=\begin{bmatrix}l^2_2+2l_1l_2m_2c_2+l_1^2(m_1+m_2)&l^2_2m_2+l_1l_2m_2c_2\\)"
      R"(l^2_2m_2+l_1l_2m_2c_2&l^2_2m_2\end{bmatrix}$)"
      "\n"
      R"($V(\Theta,\dot{\Theta})=\begin{bmatrix}-m_2l_1l_2s_2\dot{\theta}^2_2-)"
      R"(2m_2l_1l_2s_2\dot{\theta}_1\dot{\theta}_2\\m_2l_1l_2s_2\dot{\theta}^2_1\end{bmatrix}$)"
      "\n"
      R"($G(\Theta)=\begin{bmatrix}m_2l_2gc_{12}+(m_1+m_2)l_1gc_1\\m_2l_2gc_{12}\end{bmatrix}$)");
  ASSERT_EQ(found.size(), 8U);
  for (const FormulaVerdict& v : found) {
    EXPECT_EQ(v.agreement, v.entry == "M11" ? Agreement::different : Agreement::equal) << v.entry;
  }
  VerifyRequest request = request_for();
  request.what = ClosedEquation::craig;
  for (const FormulaVerdict& v :
       verdicts("craig-rr",
                R"($B(\Theta)=\begin{bmatrix}-2m_2l_1l_2s_2\\0\end{bmatrix}$)"
                "\n"
                R"($C(\Theta)=\begin{bmatrix}0&-m_2l_1l_2s_2\\m_2l_1l_2s_2&0\end{bmatrix}$)",
                request)) {
    EXPECT_EQ(v.agreement, Agreement::equal) << v.entry;
  }
}

TEST(Verify, ReadsWhatEquationsPrints) {
  for (const char* robot : {"craig-rr", "craig-rp", "craig-3r", "two-link-spong"}) {
    const RobotFile file = arm_file(robot);
    for (const ClosedEquation what :
         {ClosedEquation::torque, ClosedEquation::mass_matrix, ClosedEquation::christoffel,
          ClosedEquation::jacobian, ClosedEquation::kinetic, ClosedEquation::potential,
          ClosedEquation::craig, ClosedEquation::cartesian, ClosedEquation::recursion,
          ClosedEquation::lagrangian, ClosedEquation::frames, ClosedEquation::forward_kinematics,
          ClosedEquation::link_jacobian, ClosedEquation::regressor}) {
      if (what == ClosedEquation::cartesian && file.robot.dof() == 3) continue;
      const SymbolicArm arm =
          symbolic_arm(file.robot, file.written, {Symbols::Which::parameters, {}},
                       what == ClosedEquation::cartesian ? Angles::of_joints : Angles::of_sums);
      const std::vector<ClosedForm> forms = closed_forms(arm, what);
      VerifyRequest request = request_for();
      request.what = what;
      for (const Markup markup : {Markup::text, Markup::latex}) {
        const std::string sheet =
            "arm: words\n\n" + textbook(arm, forms, markup) + "\nwhere l = 3\n";
        const auto found = verdicts(robot, sheet, request);
        EXPECT_EQ(found.size(), forms.size());
        for (const FormulaVerdict& v : found)
          EXPECT_EQ(v.agreement, Agreement::equal) << robot << v.entry << "\n" << sheet;
      }
    }
  }
}

TEST(Verify, KnowsStepsOfARecursionByTheirLeftSides) {
  for (const char* right :
       {"ω̇2z = qdd1 + qdd2", "\\dot\\omega_{2,z} = \\ddot q_1 + \\ddot q_2", "ω[2,z] = qd1 + qd2",
        "v̇C[1,x] = -l1 qd1^2 + g s1", "\\dot v_{1,y} = g c1", "F1y = m1 (l1 qdd1 + g c1)",
        "n[2,z] = m2 l2^2 (qdd1 + qdd2) + m2 l1 l2 (c2 qdd1 + s2 qd1^2) + m2 l2 g c12",
        "∂L/∂q̇2 = m2 l2^2 (qd1 + qd2) + m2 l1 l2 c2 qd1",
        "\\frac{\\partial L}{\\partial q_1} = -(m1 + m2) l1 g c1 - m2 l2 g c12",
        "Y1,Izz1 = qdd1"}) {
    EXPECT_EQ(agreement("craig-rr", right), Agreement::equal) << right;
  }
  EXPECT_EQ(agreement("craig-rr", "ω̇2z = qd1 + qd2"), Agreement::different);
  EXPECT_EQ(agreement("craig-rr", "∂L/∂q2 = m2 l2^2 (qd1 + qd2) + m2 l1 l2 c2 qd1"),
            Agreement::different);
}

TEST(Verify, ReadsBracketsThatBreakAcrossLines) {
  const RobotFile file = arm_file("puma560");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {});
  const std::string sheet =
      textbook(arm, closed_forms(arm, ClosedEquation::mass_matrix), Markup::latex);
  for (std::size_t begin = 0; begin < sheet.size();) {
    const std::size_t end = sheet.find('\n', begin);
    std::string line = sheet.substr(begin, end - begin);
    std::erase_if(line, [](char c) { return c == '{' || c == '}' || c == '_' || c == '\\'; });
    EXPECT_LE(line.size(), 110U) << line;  // 90, and the left side
    begin = end + 1;
  }
  const auto found =
      verify(file, Sheet("sheet", sheet), request_for("", Symbols::Which::none)).formulas;
  for (const FormulaVerdict& v : found) EXPECT_EQ(v.agreement, Agreement::equal) << v.entry;
}

TEST(Verify, ReadsLettersForWhatTheSheetSays) {
  using enum Agreement;
  const std::string
      K = "m_1 l_1^2 \\dot q_1^2/2 + m_2 (l_1^2 \\dot q_1^2 + l_2^2 \\dot\\theta_{12}^2 + "
          "2 l_1 l_2 c_2 \\dot q_1 \\dot\\theta_{12})/2",
      U = "(m_1 + m_2) g l_1 s_1 + m_2 g l_2 \\sin\\theta_{12}";
  VerifyRequest request = request_for();
  for (const ClosedEquation what : {ClosedEquation::kinetic, ClosedEquation::potential,
                                    ClosedEquation::lagrangian, ClosedEquation::gravity}) {
    request.what = what;
    for (const char* letter : {"U", "P", "V", "u"}) {
      EXPECT_EQ(agreement("craig-rr", letter + (" = " + U), request), equal) << letter;
      EXPECT_EQ(agreement("craig-rr", letter + (" = " + U) + " + s_1", request), different);
    }
    for (const char* letter : {"K", "T", "k"}) {
      EXPECT_EQ(agreement("craig-rr", letter + (" \\equiv " + K), request), equal) << letter;
      EXPECT_EQ(agreement("craig-rr", letter + (" = 2 (" + K) + ")", request), different);
    }
    EXPECT_EQ(agreement("craig-rr", "V_2 = m_2 l_1 l_2 s_2 \\dot q_1^2", request), equal);
  }
  // A C of zeros is Christoffel's, unless the others of its matrix are Craig's.
  EXPECT_EQ(agreement("craig-rr", "C_{11} = 0"), different);
  EXPECT_EQ(agreement("craig-rr", "C_{11} = 0\nC_{12} = -m_2 l_1 l_2 s_2"), equal);
}

TEST(Verify, RefusesOrReadsUnitsAndPowersAtTheirPlace) {
  const std::string g2 = "G_2 = m_2 g l_2 c_{12}";
  for (const char* unit : {" \\;\\text{N m}", " \\quad [\\mathrm{N\\,m}]",
                           "\\,\\mathrm{kg}\\,\\mathrm{m}^2/\\mathrm{s}^2", " \\text{ (in N m)}",
                           " \\si{\\newton\\metre}", " [Nm]"}) {
    EXPECT_EQ(agreement("craig-rr", g2 + unit), Agreement::equal) << unit;
    EXPECT_EQ(agreement("craig-rr", "G_2 = 2 m_2 g l_2 c_{12}" + std::string(unit)),
              Agreement::different);
  }
  EXPECT_EQ(refusal("craig-rr", g2 + " N m").substr(0, 24), "sheet:1:24: there is no ");
  EXPECT_EQ(refusal("craig-rr", "M_{22} = \\frac{m_2 l_2^22}{1}").substr(0, 23),
            "sheet:1:23: found ^22, ");
  EXPECT_NE(refusal("craig-rr", "M22 = m2 l2^22").find("sheet:1:10: its power"), std::string::npos);
  EXPECT_EQ(refusal("craig-rr", "M_{22} \\approx m_2 l_2^2").substr(0, 11), "sheet:1:1: ");
}

TEST(Verify, ListsWhatItCannotRead) {
  const auto found = verdicts("craig-rr",
                              "M_{22} = m_2 l_2^2\n\\tau = M \\ddot\\theta + V + G\n"
                              "G_2 = m_2 g l_2 c_{12} + x\nM_{12} = m_1");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].agreement, Agreement::equal);
  EXPECT_EQ(found[1].agreement, Agreement::unread);
  EXPECT_EQ(found[2].place, "sheet:3:26");
  EXPECT_EQ(found[2].note.find("there is no x"), 0U);
  EXPECT_EQ(found[3].agreement, Agreement::different);
}

TEST(Verify, SaysWhatIsMissingOrHasAnotherFactor) {
  const FormulaVerdict factor = verdicts("craig-rr", "M12 = m2 l2^2 + 2 l1 l2 m2 c2").at(0);
  EXPECT_EQ(factor.factors, std::vector<std::string>{"2 m2 l1 l2 c2 for m2 l1 l2 c2"});
  EXPECT_TRUE(factor.missing.empty());
  const FormulaVerdict index = verdicts("craig-rr", "G2 = m2 l2 g c2").at(0);
  EXPECT_EQ(index.missing, "m2 l2 g c12");
  EXPECT_EQ(index.surplus, "m2 l2 g c2");
}

TEST(Verify, KnowsWhatIsZero) {
  EXPECT_EQ(agreement("craig-rr", "Jvz1 = 0"), Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "Jvz1 = l1"), Agreement::different);
}

TEST(Verify, HasVerdictsForWhatIsRightInPart) {
  const VerifyRequest numbers = request_for("", Symbols::Which::none);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.57 + 0.005", numbers), Agreement::equal);  // 2.3 · 0.25
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.58", numbers), Agreement::within_digits);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.56", numbers), Agreement::different);
  // Digits beyond those of a double say no more than it.
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.575000000000000067", numbers), Agreement::within_digits);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.57500000000000017", numbers), Agreement::different);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.3 m2", numbers), Agreement::within_digits);
  EXPECT_EQ(agreement("craig-rr", "M22 = 1/3 m2", numbers), Agreement::different);
  EXPECT_EQ(agreement("craig-rr", "U = (m1+m2) g l1 (1 + s1) + m2 g l2 s12"),
            Agreement::up_to_a_constant);
  EXPECT_EQ(agreement("craig-rr", "G2 = m2 l2 g c12 + m2"), Agreement::different);
  // Another C with C q̇ = V: Craig's squares, and 2 q̇1 q̇2 all in C12.
  const auto rows = verdicts("craig-rr",
                             "C11 = 0\nC12 = -m2 l1 l2 s2 (qd2 + 2 qd1)\n"
                             "C21 = m2 l1 l2 s2 qd1\nC22 = m2 l1 l2 s2 qd1");
  EXPECT_EQ(rows[0].agreement, Agreement::other_factorization);
  EXPECT_EQ(rows[1].agreement, Agreement::other_factorization);
  EXPECT_EQ(rows[2].agreement, Agreement::equal);
  EXPECT_EQ(rows[3].agreement, Agreement::different);
}

// Without --what: where Y11 is on the sheet, a1 and β1 are base parameters.
TEST(Verify, ReadsBaseParametersAsTheyArePrinted) {
  for (const char* name : {"craig-rr", "craig-rp", "two-link-spong", "siciliano-rr", "stanford"}) {
    const RobotFile file = arm_file(name);
    for (const auto which : {Symbols::Which::parameters, Symbols::Which::all}) {
      if (which == Symbols::Which::all && file.robot.dof() > 2) continue;
      const SymbolicArm arm = symbolic_arm(file.robot, file.written, {which, {}});
      for (const Markup notation : {Markup::text, Markup::latex}) {
        const std::string text =
            textbook(arm, closed_forms(arm, ClosedEquation::base_parameters), notation);
        for (const FormulaVerdict& one : verdicts(name, text, request_for("", which))) {
          EXPECT_EQ(one.agreement, Agreement::equal) << name << " " << one.entry << one.note;
        }
      }
    }
  }
}

TEST(Verify, TakesOtherBaseParametersWhoseProductIsTheTorque) {
  const std::string weight = " + g c_{12}/l_1\n",
                    Y = "Y_{11} = \\ddot q_1 + g c_1/l_1\n"
                        "Y_{12} = c_2 (2 \\ddot q_1 + \\ddot q_2) - s_2 (2 \\dot q_1 \\dot q_2 + "
                        "\\dot q_2^2)" +
                        weight + "Y_{22} = c_2 \\ddot q_1 + s_2 \\dot q_1^2" + weight +
                        "Y_{13} = Y_{23} = \\ddot q_1 + \\ddot q_2\n",
                    a = "a_1 = (m_1 + m_2) l_1^2\na_3 = m_2 l_2^2\na_2 = ";
  for (const FormulaVerdict& one : verdicts("craig-rr", Y + a + "m_2 l_1 l_2")) {
    EXPECT_NE(one.agreement, Agreement::different) << one.entry;
  }
  const auto wrong = verdicts("craig-rr", Y + a + "2 m_2 l_1 l_2");
  EXPECT_TRUE(std::ranges::any_of(
      wrong, [](const FormulaVerdict& one) { return one.agreement == Agreement::different; }));
  // As names that other formulas have, they stay names.
  EXPECT_EQ(agreement("craig-rr", "a_1 = m_2 l_2\nG_2 = a_1 g c_{12}"), Agreement::own_name);
}

std::vector<Agreement> agreements(const std::string& sheet) {
  std::vector<Agreement> found;
  for (const FormulaVerdict& v : verdicts("craig-rr", sheet)) found.push_back(v.agreement);
  return found;
}

TEST(Verify, JudgesEachFormOfAnEntry) {
  using enum Agreement;
  using List = std::vector<Agreement>;
  const std::string h = "m_2 l_1 l_2 s_2", c11 = "-" + h + " \\dot\\theta_2",
                    c12 = "C_{12} = -" + h + " (\\dot\\theta_1 + \\dot\\theta_2)\n";
  for (const std::string& sheet : {"C_{11} = 5 m_1 l_1^2 = " + c11 + "\n" + c12,
                                   "C_{11} = 5 m_1 l_1^2\nC_{11} = " + c11 + "\n" + c12,
                                   "C_{11} = 5 m_1 l_1^2\n" + c12 + "c_{11} = " + c11}) {
    List found = agreements(sheet);
    EXPECT_EQ(found.front(), different) << sheet;
    EXPECT_EQ(std::ranges::count(found, equal), 2) << sheet;
  }
  EXPECT_EQ(agreements(c12 + "C_{11} = " + c11 + " = 5 m_1 l_1^2"),
            (List{equal, equal, different}));
  EXPECT_EQ(agreements("\\[ C = \\begin{bmatrix} 5 & -" + h +
                       " (\\dot q_1 + \\dot q_2) \\\\ 0 & 0 \\end{bmatrix}, \\quad C_{11} = " +
                       c11 + " \\]"),
            (List{different, equal, different, equal, equal}));
  // Another C with C q̇ = V, and a form beside it; two of them in one.
  const std::string d12 = "C_{12} = -" + h + " (2 \\dot q_1 + \\dot q_2)";
  EXPECT_EQ(agreements("C_{11} = 0 = 7 m_1\n" + d12),
            (List{other_factorization, different, different}));
  EXPECT_EQ(agreements("C_{11} = 0 = -2 " + h + " \\dot q_2\n" + d12 + " = -" + h + " \\dot q_2"),
            (List{different, different, different, different}));
  EXPECT_EQ(agreements("C_{11} = 0 = 0 m_1\n" + d12),
            (List{other_factorization, other_factorization, other_factorization}));
  // All other families have no choice.
  for (const auto& [entry, right] :
       {std::pair{"M_{12}", "m_2 l_2^2 + m_2 l_1 l_2 c_2"},
        {"M_{21}", "m_2 l_2^2 + m_2 l_1 l_2 c_2"},
        {"V_2", "m_2 l_1 l_2 s_2 \\dot q_1^2"},
        {"G_2", "m_2 l_2 g c_{12}"},
        {"\\tau_2",
         "m_2 l_1 l_2 (c_2 \\ddot q_1 + s_2 \\dot q_1^2) + m_2 l_2 g c_{12} + m_2 l_2^2 "
         "(\\ddot q_1 + \\ddot q_2)"}}) {
    const std::string left = std::string(entry) + " = ", line = left + right;
    EXPECT_EQ(agreements(line + " = m_1"), (List{equal, different})) << line;
    EXPECT_EQ(agreements(left + "2 m_1 = " + right), (List{different, equal})) << line;
    EXPECT_EQ(agreements(left + "m_1\n" + line), (List{different, equal})) << line;
  }
}

TEST(Verify, KnowsConstantsOfPotentialEnergies) {
  using enum Agreement;
  using List = std::vector<Agreement>;
  const std::string U = "(m_1 + m_2) g l_1 s_1 + m_2 g l_2 s_{12}";
  const auto with = [&](const std::string& more) { return "U = " + U + " + " + more; };
  EXPECT_EQ(agreements(with("5 m_1/(m_1 + l_1)")), List{up_to_a_constant});
  EXPECT_EQ(agreements(with("5 (1 + c_2)/(2 + 2 c_2)")), List{up_to_a_constant});
  EXPECT_EQ(agreements(with("5 = ") + U + " + 5"), (List{up_to_a_constant, up_to_a_constant}));
  EXPECT_EQ(agreements(with("5 = ") + U + " + 7"), (List{different, different}));
  EXPECT_EQ(agreements(with("5 = ") + U), (List{different, equal}));
  EXPECT_EQ(agreements(with("5\nP = ") + U + " + 7"), (List{different, different}));
  for (const char* more : {"5/c_2", "m_1/(m_1 + c_2)", "c_2", "\\dot q_1"}) {
    EXPECT_EQ(agreements(with(more)), List{different}) << more;
  }
  // With a formula that is too long to be multiplied out, at points.
  const std::string huge = "(c1 + c2 + s1 + s2 + c12 + s12)^16 (c1 + 2 s1 + 3 c12 + s2)^16",
                    line = "M_{22} = m_2 l_2^2 + " + huge + " - " + huge + "\n";
  EXPECT_EQ(agreements(line + with("5/m_1")), (List{undecided, undecided}));
  for (const std::string& more : {std::string("c_2"), std::string("m_1/(m_1 + c_2)"), "5 = " + U}) {
    EXPECT_EQ(agreements(line + with(more)).at(1), different) << more;
  }
}

// A formula has the value of an entry that stands above it, or else the first below.
TEST(Verify, TakesTheEntryAboveWhereItIsGivenTwice) {
  const std::string torque = "tau2 = M12 ddq1 + M22 ddq2 + m2 l1 l2 s2 dq1^2 + m2 l2 g c12\n";
  const std::string right = "M12 = m2 (l2^2 + l1 l2 c2)\nM22 = m2 l2^2\n",
                    wrong = "M22 = m1 l2^2\n";
  using enum Agreement;
  EXPECT_EQ(agreements(right + torque + wrong), (std::vector{equal, equal, equal, different}));
  EXPECT_EQ(agreements(torque + right + wrong), (std::vector{equal, equal, equal, different}));
  EXPECT_EQ(agreements(right + wrong + torque), (std::vector{equal, equal, different, different}));
  EXPECT_EQ(agreements(wrong + right + torque), (std::vector{different, equal, equal, equal}));
}

TEST(Verify, RefusesNamesWithTwoValues) {
  for (const char* name : {"h", "b_1", "r_1"}) {
    for (const char* first : {"0", "1", "m_1"}) {
      const std::string sheet = std::string("V_2 = ") + name + " \\dot q_1^2\n" + name + " = " +
                                first + "\n" + name + " = m_2 l_1 l_2 s_2";
      EXPECT_NE(refusal("craig-rr", sheet).find("already another number"), std::string::npos)
          << sheet;
    }
  }
  EXPECT_EQ(agreement("craig-rr", "M_{22} = a m_2 l_2^2\na = 0.5\na = 0.50"), Agreement::different);
}

TEST(Verify, TakesNamesAndFormulasForThem) {
  VerifyRequest request = request_for();
  request.names = {{"a1", "l1"}, {"a_2", "l2"}, {"phi1", "q1"}, {"phi2", "q2"}, {"D11", "0"}};
  EXPECT_EQ(agreement("craig-rr", "V2 = m2 a_1 a_2 \\sin\\phi_2 \\dot\\phi_1^2", request),
            Agreement::equal);
  request.names = {{"lc1", "l1/2"}, {"lc2", "l2/2"}};
  EXPECT_EQ(
      agreement("two-link-spong", "M11 = m1 lc1^2 + m2(l1^2 + lc2^2 + 2 l1 lc2 cos(q2))", request),
      Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "m2 l2^2", request_for("M22")), Agreement::equal);
  EXPECT_EQ(agreement("craig-rr",
                      "G1 = m2 l2 g sin(q1 + q2 + pi/2) + (m1+m2) l1 g \\frac{\\sin 2 q1}{2 s1}"),
            Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "M22 = \\frac12 m_2 l_2^2 + \\frac{m_{2} l_2^3}{2 l_2}"),
            Agreement::equal);
}

TEST(Verify, RefusesWithThePlace) {
  EXPECT_NE(refusal("craig-rr", "\nM12 = \\sqrt{m2}").find("sheet:2:7: roots"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = |m2| l2^2").find("sheet:1:7: roots, |x|"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = m2 x^2").find("sheet:1:10: there is no x"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M44 = m2").find("there is no entry M44"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "m2 l2^2").find("--entry"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = m2 (l2^2").find("expected )"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = m2/(l1 - l1)").find("divides by zero"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = m2/(1/c2 - c2/(1 - s2^2))").find("divides by zero"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M22 = cos(m2 l1)").find("angle"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "\\begin{pmatrix} m2 & m1 \\end{pmatrix}").find("sheet:1:1"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr", "% nothing").find("no formula"), std::string::npos);
  EXPECT_NE(refusal("craig-rr", "M = \\begin{pmatrix} m2 & m1").find("matrices"),
            std::string::npos);
}

constexpr const char* G1 = "m_2 l_2 g c_{12} + (m_1 + m_2) l_1 g c_1";
constexpr const char* G2 = "m_2 l_2 g c_{12}";

std::string row(const std::string& behind) {
  return std::string("\\[ G = \\begin{bmatrix}") + G1 + " & " + G2 + "\\end{bmatrix}" + behind +
         " \\]";
}

TEST(Verify, KeepsAFactorBehindARowThatIsTurned) {
  for (const char* sign :
       {"^T", "^{T}", "^\\top", "^{\\mathsf T}", "^\\mathsf T", "^\\mathrm{T}"}) {
    EXPECT_EQ(agreement("craig-rr", row(sign)), Agreement::equal) << sign;
    for (const char* factor : {" (5)", " 5", " m_1", " \\cdot m_1", "/2"}) {
      EXPECT_EQ(agreement("craig-rr", row(std::string(sign) + factor)), Agreement::different)
          << sign << factor;
    }
  }
  EXPECT_EQ(agreement("craig-rr",
                      "V = \\begin{pmatrix} 2\\dot q_1\\dot q_2 + \\dot q_2^2 & -\\dot q_1^2 "
                      "\\end{pmatrix}^T (-m_2 l_1 l_2 s_2)"),
            Agreement::equal);
}

TEST(Verify, RefusesFactorsAndSumsOfLeftSides) {
  for (const char* sheet : {"-M_{22} = -m_2 l_2^2", "\\tau_1 - G_1 = 0", "M_{22} != m_2 l_2^2",
                            "M_{22}' = m_2 l_2^2", "M_2^2 = m_2 l_2^2", "|M_{22}| = m_2 l_2^2",
                            "M_{22} >= m_2 l_2^2", "M_1/2 = m_2 l_2^2 + m_2 l_1 l_2 c_2",
                            "5 \\begin{pmatrix} G_1 \\\\ G_2 \\end{pmatrix} = \\begin{pmatrix} 1 "
                            "\\\\ 2 \\end{pmatrix}"}) {
    EXPECT_NE(refusal("craig-rr", sheet).find("as the left side"), std::string::npos) << sheet;
  }
}

/// Agreements of a sheet with G1 and G2, right or wrong, in an environment each.
TEST(Verify, ReadsOrRefusesAllEnvironments) {
  const std::string display = std::string("\\[ G_2 = ") + G2 + " \\]\n";
  const auto in = [&](const std::string& name, const std::string& columns,
                      const std::string& right) {
    return display + "\\begin{" + name + "}" + columns + "\nG_1 &= " + right + "\n\\end{" + name +
           "}";
  };
  for (const auto& [name, columns] : {std::pair{"alignat*", "{2}"},
                                      {"IEEEeqnarray", "{rCl}"},
                                      {"dmath", ""},
                                      {"empheq", "[box=\\fbox]{align}"}}) {
    EXPECT_EQ(verdicts("craig-rr", in(name, columns, G1)).at(1).agreement, Agreement::equal)
        << name;
    EXPECT_EQ(verdicts("craig-rr", in(name, columns, "5")).at(1).agreement, Agreement::different);
  }
  EXPECT_EQ(unread("craig-rr", in("mine", "", G1)),
            "sheet:2:1: formulas in this environment are not read; write equation or align");
  for (const char* name : {"comment", "verbatim"}) {
    EXPECT_EQ(verdicts("craig-rr", in(name, "", "\\[ G_1 = 5 \\]")).size(), 1U) << name;
  }
  EXPECT_EQ(
      verdicts("craig-rr", "\\begin{document}" + display + "\\end{document}\\[G_1 = 5\\]").size(),
      1U);
}

TEST(Verify, SaysWhichFormulasAreLeftOut) {
  const std::string display = std::string("\\[ G_2 = ") + G2 + " \\]\n";
  EXPECT_NE(Sheet("sheet", display + "and $G_1 = 5$ and \\(G_1 = 6\\)")
                .left_out("x")
                .find("sheet:2:10: "),
            std::string::npos);
  EXPECT_EQ(Sheet("sheet", display + "with $h$ as before").left_out("x"), "");
  const std::string text = "Note: K = 5\nGravity: G1 = 5 m2\nG2 = m2 l2 g c12";
  EXPECT_EQ(Sheet("sheet", text).left_out("x").find("sheet:1:1: "), 0U);
  EXPECT_EQ(Sheet("sheet", text).left_out("Note: "), "");
  EXPECT_EQ(Sheet("sheet", "G2 = 0\nG1 = 5: as before").left_out("x").find("sheet:2:1: "), 0U);
  EXPECT_EQ(agreement("craig-rr", text), Agreement::different);
  EXPECT_EQ(agreement("craig-rr", "where m2 is the mass\nG2 = 5 m2"), Agreement::different);
}

TEST(Verify, ReadsWhatStandsBehindFormulas) {
  const std::string g2 = std::string("G_2 = ") + G2;
  for (const char* behind :
       {" \\quad (2)", " && (2)", ", \\qquad (6.12)", " \\eqno(3)", " \\hspace{1cm} (3)", "\\,.",
        " \\;,", " \\text{ (where } m_2 \\text{ is the mass)}", " \\text{ for all } q_2"}) {
    EXPECT_EQ(agreement("craig-rr", "\\[ " + g2 + behind + " \\]"), Agreement::equal) << behind;
    EXPECT_EQ(agreement("craig-rr", "\\[ " + g2 + " l_1 " + behind + " \\]"), Agreement::different);
  }
  const auto both =
      verdicts("craig-rr", "\\[ " + g2 + " \\eqno(3) \\] and \\[ M_{22} = 2 m_2 l_2^2 \\]");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1].agreement, Agreement::different);
  EXPECT_EQ(agreement("craig-rr", g2 + "   where m2 is the mass"), Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "\\[ " + g2 + " (2) \\]"), Agreement::different);
  EXPECT_NE(
      unread("craig-rr", "\\[ " + g2 + " \\text{ two words } q_2 \\]").find("after the words"),
      std::string::npos);
}

TEST(Verify, ReadsColumnsAndBracketsOfAlign) {
  for (const char* factor : {"", "2 "}) {
    const auto found = verdicts("craig-rr", std::string("\\begin{align} G_1 &= ") + G1 +
                                                " & G_2 &= " + factor + G2 +
                                                " \\intertext{and} M_{22} &= m_2 l_2^2 "
                                                "\\end{align}");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[1].agreement, *factor == '2' ? Agreement::different : Agreement::equal);
    EXPECT_EQ(found[2].agreement, Agreement::equal);
  }
  EXPECT_EQ(agreement("craig-rr",
                      "\\begin{align} G_1 &= g \\left( m_2 l_2 c_{12} \\right. \\\\ "
                      "&+ \\left. (m_1 + m_2) l_1 c_1 \\right) \\end{align}"),
            Agreement::equal);
}

TEST(Verify, ReadsNamesOfTheSheet) {
  for (const std::string name :
       {"k", "u", "P", "T", "L", "\\varphi", "\\varepsilon", "J_1", "b_1", "r_1", "\\alpha_1"}) {
    for (const char* factor : {"", "2 "}) {
      EXPECT_EQ(agreement("craig-rr", "V_2 = " + name + " \\dot q_1^2\n" + name + " = " + factor +
                                          "m_2 l_1 l_2 s_2"),
                *factor == '2' ? Agreement::different : Agreement::equal)
          << name;
    }
  }
  // A letter is a factor at any place of its product.
  for (const std::string letter : {"k", "T", "L"}) {
    const std::string own = letter + " = m_2 l_1 l_2 s_2";
    for (const std::string& product :
         {"\\dot q_1^2 " + letter, "\\dot q_1 " + letter + " \\dot q_1",
          "2 " + letter + " \\dot q_1^2 / 2", "0 + " + letter + " \\dot q_1^2",
          "\\dot q_1^2 " + letter + " + 0", "\\dot q_1^2 * " + letter}) {
      EXPECT_EQ(agreement("craig-rr", "V_2 = " + product + "\n" + own), Agreement::equal)
          << product;
      EXPECT_EQ(verdicts("craig-rr", own + "\nV_2 = " + product).at(1).agreement, Agreement::equal)
          << product;
    }
  }
  EXPECT_EQ(agreement("craig-rr", "L = T - U\nT = 0\nU = 0"), Agreement::different);
  EXPECT_EQ(verdicts("craig-rr", "L = T - U\nT = 0\nU = 0").at(1).agreement, Agreement::different);
  EXPECT_EQ(agreement("craig-rr", "G₂ = m₂ l₂ g c₁₂"), Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "M₂₂ = m₂ l₂² + m₁"), Agreement::different);
  EXPECT_EQ(refusal("craig-rr", "G₂ = m₂ l₂ g c₁₂ + ü").substr(0, 15), "sheet:1:20: fou");
  EXPECT_EQ(agreement("craig-rr", "G_2 = m_2 l_2 g \\sin(\\frac{\\pi}{2}-q_1-q_2)"),
            Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", std::string("\\[ \\boxed{G_2 = ") + G2 + "} \\]"),
            Agreement::equal);
  EXPECT_NE(refusal("craig-rr", "M12 = M21").find("no line defines M21"), std::string::npos);
  EXPECT_EQ(agreement("craig-rr", "V_2 = c_{211} \\dot q_1^2\nc_{211} = m_2 l_1 l_2 s_2"),
            Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", "V_2 = c_{211} \\dot q_1^2\nc_{211} = m_2 l_1"),
            Agreement::different);
  EXPECT_EQ(
      agreement("craig-rp", "\\tau_2 = m_2 \\ddot r - m_2 r \\dot\\theta_1^2 + m_2 g s_1\nr = d_2"),
      Agreement::equal);
  EXPECT_EQ(agreement("craig-rp", "V_2 = m_2 \\dot r\nr = d_2"), Agreement::different);
  // De Luca's matrices of joints, 001's C^i: V_1 = q̇ᵀ C_1 q̇.
  for (const auto& [entry, expected] : {std::pair("-m_2 l_1 l_2 s_2", Agreement::equal),
                                        {"-2 m_2 l_1 l_2 s_2", Agreement::different}}) {
    const std::string h = entry;
    const auto found =
        verdicts("craig-rr", "C_1 = \\begin{pmatrix} 0 & " + h + " \\\\ " + h + " & " + h +
                                 " \\end{pmatrix}\nV_1 = \\dot q^T C_1 \\dot q");
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t k = 1; k < 5; ++k) EXPECT_EQ(found[k].agreement, expected) << found[k].entry;
  }
  VerifyRequest request = request_for();
  request.names = {{"Q2", "tau2"}};
  EXPECT_NE(refusal("craig-rr", "Q2 = m2", request).find("write Q=tau"), std::string::npos);
  request.names = {{"F", "tau2"}, {"x", "d2"}, {"theta", "q1"}};
  EXPECT_EQ(agreement("craig-rp", "m_2 \\ddot x - m_2 x \\dot\\theta^2 + m_2 g \\sin\\theta = F",
                      request),
            Agreement::equal);
  // Programs count joints from 0, and masses often from 1.
  for (const auto& [mass, expected] :
       {std::pair("m2", Agreement::equal), {"m1", Agreement::different}}) {
    const auto found = verdicts("craig-rr", std::string("M[1,1] = ") + mass +
                                                "*l2**2\nV[1] = m2*l1*l2*sin(q1)*dq0**2\nG[0] = "
                                                "(m1+m2)*l1*g*cos(q0) + m2*l2*g*cos(q0+q1)");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].agreement, expected);
    EXPECT_EQ(found[1].agreement, Agreement::equal);
    EXPECT_EQ(found[2].agreement, Agreement::equal);
  }
}

TEST(Verify, ReadsTransformsAndDerivativesOfSlides) {
  VerifyRequest request = request_for();
  request.what = ClosedEquation::frames;
  const auto transform = [](const std::string& left, const char* last) {
    return left +
           " = \\begin{bmatrix} c_1 & -s_1 & 0 & 0 \\\\ s_1 & c_1 & 0 & 0 \\\\ 0&0&1&0 \\\\ "
           "0&0&0&" +
           last + " \\end{bmatrix}";
  };
  for (const FormulaVerdict& v : verdicts("craig-rr", transform("{}^0T_1", "1"), request)) {
    EXPECT_EQ(v.agreement, Agreement::equal) << v.entry;
  }
  EXPECT_NE(unread("craig-rr", transform("T_1", "2"), request).find("0 0 0 1"), std::string::npos);
  EXPECT_EQ(agreement("craig-rr", transform("{}^0T_2", "1"), request), Agreement::different);
  EXPECT_NE(refusal("craig-rr", "{}^1F_{2x} = 0").find("in axes of {2}"), std::string::npos);
  EXPECT_EQ(agreement("craig-rp",
                      "\\frac{\\partial L}{\\partial d_2} = m_2 d_2 \\dot\\theta_1^2 - m_2 g s_1"),
            Agreement::equal);
  EXPECT_EQ(agreement("craig-rp",
                      "\\frac{d}{dt}\\frac{\\partial L}{\\partial\\dot d_2} = m_2 \\ddot d_2"),
            Agreement::equal);
}

TEST(Verify, EndsSoonWhateverItIsGiven) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string many = "(m1 + m2 + l1 + l2 + g + qd1 + qd2 + qdd1 + qdd2 + c1 + s1 + s12)";
  for (const std::string& right :
       std::vector<std::string>{repeated("(", 100'000),
                                repeated("-", 100'000) + "1",
                                repeated("\\frac{1}{", 10'000),
                                repeated("sin", 100'000),
                                "m2" + repeated("^16", 1000),
                                repeated("a(", 10'000),
                                "((2^16)^16)^16",
                                "((m2^16)^16)^16",
                                many + "^16",
                                repeated(many + "^3", 50),
                                repeated("1.2345678901234567 ", 40'000),
                                repeated("m1 c1 + l1/", 20'000) + "l2",
                                repeated("\\dot{", 1000),
                                repeated("m2 + ", 100'000) + "1",
                                "sin(" + repeated("q1 + q2 +", 1000) + "q1)",
                                repeated("1/(m1 + 2 l1) + 1/(m1 + l1) +", 500),
                                repeated("\\mathbf{", 10'000),
                                repeated("=a", 100'000),
                                repeated("\\sum_{i=1}^{9} ", 100) + "m_i",
                                repeated("\\frac{\\partial", 10'000),
                                repeated("₁", 50'000),
                                repeated("\\begin{a}[", 20'000) + "\\[",
                                repeated("\\iffalse", 20'000),
                                repeated("\\quad (2", 20'000),
                                repeated("k ", 100'000),
                                "1\n\\begin{pmatrix} * \\end{pmatrix} = \\begin{pmatrix} * "
                                "\\end{pmatrix}^{",
                                repeated("a(\\theta", 10'000),
                                "m2\n" + repeated("M11 = m2, ", 20'000),
                                "\\begin{bmatrix}" + repeated("1&", 100'000)}) {
    try {
      static_cast<void>(verdicts("craig-rr", "M22 = " + right));
    } catch (const InputError&) {
    }
  }
  for (const char* piece :
       {"\\[", "$$", "\\begin{pmatrix}a\n", "\\\\[", "{}^{1", "where \n", "\x02=\x03 "}) {
    EXPECT_THROW(static_cast<void>(verdicts("craig-rr", repeated(piece, 30'000))), InputError)
        << piece;
  }
  EXPECT_THROW(static_cast<void>(verdicts("craig-rr", "= h")), InputError);  // nothing before =
}

TEST(Verify, FallsBackToPointsWhereTermsAreTooMany) {
  const RobotFile file = arm_file("craig-rr");
  // Zero times a product that is too long to be multiplied out, but not at a point.
  const std::string huge = "(c1 + c2 + s1 + s2 + c12 + s12)^16 (c1 + 2 s1 + 3 c12 + s2)^16";
  EXPECT_EQ(agreement("craig-rr", "M22 = m2 l2^2 + " + huge + " - " + huge), Agreement::undecided);
  EXPECT_EQ(agreement("craig-rr", "M22 = m2 l2^2 + m2 " + huge + " - " + huge),
            Agreement::different);
  const VerifyRequest numbers = request_for("", Symbols::Which::none);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.58 + " + huge + " - " + huge, numbers),
            Agreement::undecided);
  EXPECT_EQ(agreement("craig-rr", "M22 = 0.56 + " + huge + " - " + huge, numbers),
            Agreement::different);
}

}  // namespace
TEST(Verify, SquaresRatesOfTheSheetsOwnPositions) {
  const std::string places = "x_2 = l_1 c_1 + l_2 c_{12}\ny_2 = l_1 s_1 + l_2 s_{12}\n";
  const auto k2 = [&places](const std::string& energy) {
    const auto found = verdicts("craig-rr", places + "k_2 = " + energy);
    return found.at(2).agreement;
  };
  EXPECT_EQ(k2("\\frac12 m_2 (\\dot x_2^2 + \\dot y_2^2)"), Agreement::equal);
  EXPECT_EQ(k2("\\frac12 m_2 (\\dot{x}^2_2 + \\dot{y}_2^2)"), Agreement::equal);
  EXPECT_EQ(k2("\\frac12 m_2 (\\dot x_2^2 - \\dot y_2^2)"), Agreement::different);
  EXPECT_EQ(k2("\\frac12 m_2 (\\dot x_2 + \\dot y_2)"), Agreement::different);
}

TEST(Verify, TakesSForCoriolisAndTakesUForTheSumOfTheLinks) {
  const std::string S =
      "\\[ S(q, \\dot q) = \\begin{pmatrix} -h \\dot q_2 & -h (\\dot q_1 + \\dot q_2) \\\\ h \\dot "
      "q_1 & 0 "
      "\\end{pmatrix}, \\quad h = ";
  EXPECT_EQ(agreement("craig-rr", S + "m_2 l_1 l_2 s_2 \\]"), Agreement::equal);
  EXPECT_EQ(agreement("craig-rr", S + "m_2 l_1 l_2 c_2 \\]"), Agreement::different);
  const auto skew =
      verdicts("craig-rr",
               "\\[ C = \\begin{bmatrix} 0 & 0 \\\\ 0 & 0 \\end{bmatrix}, \\quad M = "
               "\\begin{bmatrix} 0 & 0 \\\\ 0 & 0 \\end{bmatrix}, \\quad S = \\dot M - 2 C \\]");
  EXPECT_EQ(skew.back().agreement, Agreement::unread);
  for (const auto& [u2, expected] : {std::pair("m_2 g (l_1 s_1 + l_2 s_{12})", Agreement::equal),
                                     {"m_2 g l_2 s_{12}", Agreement::different}}) {
    const auto found = verdicts("craig-rr", std::string("U_1 = m_1 g l_1 s_1\nU_2 = ") + u2 +
                                                "\nG_1 = \\frac{\\partial U}{\\partial q_1}");
    EXPECT_EQ(found.at(2).agreement, expected);
  }
  EXPECT_NE(unread("craig-rr", "U_1 = m_1 g l_1 s_1\nG_1 = \\frac{\\partial U}{\\partial q_1}")
                .find("no line defines U"),
            std::string::npos);
}

TEST(Verify, TakesCapitalsForSinesWhereTheyAreSines) {
  const auto found = verdicts(
      "craig-rr", "C_{12} = \\cos(q_1 + q_2)\nS_{12} = \\sin(q_1 + q_2)\nG_2 = m_2 l_2 g C_{12}");
  for (const FormulaVerdict& one : found) EXPECT_EQ(one.agreement, Agreement::equal) << one.entry;
  EXPECT_EQ(agreement("craig-rr", "C_{12} = \\sin(q_1 + q_2)"), Agreement::different);
}

TEST(Verify, ReadsTransformsWithTheFrameAbove) {
  const std::string tail =
      " & 0 & l_1 c_1 + l_2 c_{12} \\\\ s_{12} & c_{12} & 0 & l_1 s_1 + l_2 s_{12} \\\\ 0 & 0 & 1 "
      "& 0 \\\\ 0 & 0 & 0 & 1 \\end{bmatrix}";
  const auto of_spong = [&tail](const std::string& first) {
    VerifyRequest request = request_for("", Symbols::Which::all);
    return verdicts("two-link-spong", "T_2^0 = \\begin{bmatrix} c_{12} & " + first + tail, request);
  };
  const auto right = of_spong("-s_{12}");
  ASSERT_EQ(right.size(), 12U);
  for (const FormulaVerdict& one : right) EXPECT_EQ(one.agreement, Agreement::equal) << one.entry;
  EXPECT_EQ(of_spong("s_{12}").at(1).agreement, Agreement::different);
}

TEST(Verify, HeadingsMayEndWithAColon) {
  const auto found = verdicts("craig-rr",
                              "Energy of the first link:\nk_1 = 1/2 m_1 l_1^2 qd1^2\nPotential "
                              "energy:  \nu_1 = m_1 g l_1 s_1\n");
  ASSERT_EQ(found.size(), 2U);
  for (const FormulaVerdict& one : found) EXPECT_EQ(one.agreement, Agreement::equal) << one.entry;
}

// De Luca's coefficients: a mistake costs the rows of Y a = τ with it, and is named by its terms.
TEST(Verify, NamesTheRowsOfOtherBaseParameters) {
  const auto found = [](const std::string& a4) {
    return verdicts("craig-rp",
                    "a_1 = I_1 + m_1 l_1^2 + I_2\na_2 = m_2\na_3 = m_1 l_1 + m_2\na_4 = " + a4 + R"(
Y = \begin{pmatrix} \ddot q_1 & q_2^2 \ddot q_1 + 2 q_2 \dot q_1 \dot q_2 + (q_2 - 1) g c_1 & g c_1 & 0 \\
0 & 0 & 0 & \ddot q_2 - q_2 \dot q_1^2 + g s_1 \end{pmatrix})");
  };
  for (const FormulaVerdict& one : found("m_2")) {
    EXPECT_NE(one.agreement, Agreement::different) << one.entry;
  }
  std::string named;
  for (const FormulaVerdict& one : found("2 m_2")) {
    const bool is_wrong = one.entry == "a4" || one.entry == "Y24";
    EXPECT_EQ(one.agreement == Agreement::different, is_wrong) << one.entry;
    for (const std::string& factor : one.factors) named += factor + "; ";
  }
  EXPECT_NE(named.find("2 m2 q̈2 for m2 q̈2"), named.npos) << named;
}

TEST(Verify, ReadsSystemsBehindABrace) {
  const std::string lines = "M_{22} &= m_2 l_2^2 \\\\ G_2 &= m_2 l_2 g c_{12}",
                    before = "\\[ V_2 = m_2 l_1 l_2 s_2 \\dot q_1^2 \\]\n\\[ ";
  for (const auto& [begin, end] :
       {std::pair("\\begin{cases}", "\\end{cases}"),
        {"\\left\\{\\begin{array}{rl}", "\\end{array}\\right."},
        {"\\left\\lbrace \\begin{aligned}", "\\end{aligned} \\right."}}) {
    const auto found = verdicts("craig-rr", before + begin + lines + end + " \\]");
    ASSERT_EQ(found.size(), 3U) << begin;
    for (const FormulaVerdict& one : found) EXPECT_EQ(one.agreement, Agreement::equal) << begin;
  }
}

TEST(Verify, ReadsEnergiesBehindTheirHeadings) {
  const auto found = verdicts("craig-rr",
                              "Potential energy: U = (m_1 + m_2) g l_1 s_1 + m_2 g l_2 s_12\n"
                              "Kinetische Energie: K = m_2 l_2^2\nGiven: T = 5\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].agreement, Agreement::equal);
  EXPECT_EQ(found[1].agreement, Agreement::different);
}

TEST(Verify, ReadsRatesOfTheMassMatrix) {
  const auto rate = [](const std::string& right) {
    return agreement("craig-rr", "\\dot M_{11} = " + right);
  };
  EXPECT_EQ(rate("-2 m_2 l_1 l_2 s_2 \\dot q_2"), Agreement::equal);
  EXPECT_EQ(rate("-2 m_2 l_1 l_2 s_2"), Agreement::different);
}

// M is a cart's mass beside numbers, and the mass matrix beside columns and where it has arguments.
TEST(Verify, DistinguishesTheMassOfACartFromTheMassMatrix) {
  const auto found = [](const std::string& sheet) {
    const RobotFile file = parse_robot_file(
        "armdyn: 1\nname: cart\nconvention: modified\nparameters: {M: 3, m: 1, l: 0.5}\njoints:\n"
        "  - {type: prismatic, axis: [1, 0, 0], origin: {}, mass: M}\n"
        "  - {type: revolute, axis: [0, 0, 1], origin: {}, mass: m, com: [l, 0, 0]}\n",
        "cart.yaml");
    return verify(file, Sheet("sheet", sheet), request_for()).formulas;
  };
  const std::string matrix =
      "\\[ M(q) = \\begin{bmatrix} M + m & -m l s_2 \\\\ -m l s_2 & m l^2 \\end{bmatrix} \\] ";
  const auto last = [&](const std::string& formula) {
    return found(matrix + "\\[ " + formula + " \\]").back().agreement;
  };
  EXPECT_EQ(last("\\tau_1 = (M + m) \\ddot q_1 - m l s_2 \\ddot q_2 - m l c_2 \\dot q_2^2"),
            Agreement::equal);
  EXPECT_EQ(last("K_1 = \\frac12 M \\dot q_1^2"), Agreement::equal);
  EXPECT_EQ(last("K_1 = M \\dot q_1^2"), Agreement::different);
  EXPECT_EQ(last("K = \\frac12 \\dot q^T M \\dot q"), Agreement::equal);
  EXPECT_EQ(last("K = \\dot q^T M(q) \\dot q"), Agreement::different);
  // A mechanism has no recursion; its letters cost themselves.
  const auto N = found("\\[ G_1 = 0, \\quad N_1 = 0, \\quad \\omega_1 = 0 \\]");
  EXPECT_EQ(N.front().agreement, Agreement::equal);
  EXPECT_EQ(N.back().agreement, Agreement::unread);
  EXPECT_EQ(found("\\[ G_1 = 0 \\] \\[ K = \\frac12 \\dot q^T M(q) \\dot q \\]").back().agreement,
            Agreement::unread);
}

TEST(Verify, ReadsListsAndRatiosOfPrograms) {
  const std::string M =
      "M = [m1*l1^2 + m2*(l1^2 + l2^2 + 2*l1*l2*cos(q2)) m2*l2^2 + m2*l1*l2*cos(q2)\n;"
      " m2*l2^2 + m2*l1*l2*cos(q2) m2*l2^2];\n";
  for (const auto& [energy, expected] :
       {std::pair("K = 1/2*[dq1 dq2]*M*[dq1; dq2]", Agreement::equal),
        {"K = [dq1 dq2]*M*[dq1; dq2]", Agreement::different},
        {"K = 1/2*[dq1 -dq2]*M*[dq1; -dq2]", Agreement::different}}) {
    const auto found = verdicts("craig-rr", M + energy);
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(found[k].agreement, Agreement::equal) << k;
    EXPECT_EQ(found[4].agreement, expected) << energy;
  }
  const auto python = verdicts("craig-rr",
                               "q1, q2, dq1 = symbols('q1 q2 dq1')\n"
                               "k1 = Rational(1, 2)*m1*l1**2*dq1**2\nG2 = m2*l2*g*cos(q1 + q2)");
  ASSERT_EQ(python.size(), 2U);
  for (const FormulaVerdict& one : python) EXPECT_EQ(one.agreement, Agreement::equal) << one.entry;
  // In a book, brackets are around factors.
  EXPECT_EQ(agreement("craig-rr", "G_2 = [m_2 l_2] g c_12"), Agreement::equal);
}

TEST(Verify, TakesSquaresOfSpeedsForNames) {
  for (const auto& [mixed, expected] :
       {std::pair("2", Agreement::equal), {"", Agreement::different}}) {
    const std::string square =
        std::string("l_1^2 \\dot q_1^2 + l_2^2 (\\dot q_1 + \\dot q_2)^2 + ") + mixed +
        " l_1 l_2 c_2 \\dot q_1 (\\dot q_1 + \\dot q_2)";
    for (const std::string speed : {"v_2^2", "v_{c2}^{2}", "v^2"}) {
      const auto found =
          verdicts("craig-rr", "\\begin{align} " + speed + " &= " + square +
                                   " \\\\ k_2 &= \\tfrac12m_2" + speed + " \\end{align}");
      ASSERT_EQ(found.size(), 2U) << speed;
      EXPECT_EQ(found[1].agreement, expected) << speed;
    }
  }
}

TEST(Verify, TakesRatesOfTheSheetsOwnVectors) {
  const auto k1 = [](const std::string& y) {
    return verdicts("craig-rr", "\\[ p_{c1} = \\begin{bmatrix} l_1 c_1 \\\\ " + y +
                                    " \\\\ 0 \\end{bmatrix}, \\quad v_{c1} = \\dot p_{c1}, \\quad "
                                    "k_1 = \\tfrac12 m_1 v_{c1}^T v_{c1} \\]")
        .back()
        .agreement;
  };
  EXPECT_EQ(k1("l_1 s_1"), Agreement::equal);
  EXPECT_EQ(k1("l_1 s_2"), Agreement::different);
}

}  // namespace armdyn
