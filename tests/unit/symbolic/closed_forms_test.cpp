// The closed forms against those that the papers print, term by term, and against the recursion in
// doubles.

#include "symbolic/closed_forms.hpp"

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "io/robot/robot_text.hpp"
#include "model/formula.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn {
namespace {

using Which = Symbols::Which;

RobotFile shipped(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml");
}

/// A printed equation as a polynomial of the arm: qd1, qdd2, c12, s2 and parameters.
SymbolicNumber printed(const SymbolicArm& arm, const std::string& text) {
  return FormulaReader<SymbolicNumber>(
             text,
             [&arm](std::string_view name) -> SymbolicNumber {
               const auto number = [&](std::size_t prefix) {
                 return static_cast<std::size_t>(name[prefix] - '1');
               };
               if (name.starts_with("qdd")) return arm.qdd[number(3)];
               if (name.starts_with("qd")) return arm.qd[number(2)];
               if (name.starts_with("q")) return arm.q[number(1)];
               const bool is_sine = name[0] == 's', is_cosine = name[0] == 'c';
               if ((is_sine || is_cosine) &&
                   std::isdigit(static_cast<unsigned char>(name[1])) != 0) {
                 SymbolicNumber s = 0.0, c = 1.0;  // of the joints' sum, by the addition theorem
                 for (const char digit : name.substr(1)) {
                   const auto of = sin_cos(arm.q[static_cast<std::size_t>(digit - '1')]);
                   const SymbolicNumber next = s * of.cos + c * of.sin;
                   c = c * of.cos - s * of.sin;
                   s = next;
                 }
                 return is_sine ? s : c;
               }
               for (const auto& [symbol, value] : arm.values) {
                 if (arm.table->name(symbol) == name) return SymbolicNumber(symbol);
               }
               throw FormulaError("no symbol " + std::string(name));
             })
      .read();
}

std::map<std::string, SymbolicNumber> by_name(const SymbolicArm& arm, ClosedEquation what,
                                              const JacobianView& view = {}) {
  std::map<std::string, SymbolicNumber> found;
  for (const ClosedForm& form : closed_forms(arm, what, view)) {
    if (!form.is_left_out) found[left_side(arm, form)] = form.value;
  }
  return found;
}

void expect_printed(const SymbolicArm& arm, ClosedEquation what,
                    const std::map<std::string, std::string>& equations,
                    const JacobianView& view = {}) {
  const auto found = by_name(arm, what, view);
  EXPECT_EQ(found.size(), equations.size());
  for (const auto& [left, right] : equations) {
    ASSERT_TRUE(found.contains(left)) << left;
    EXPECT_EQ(found.at(left), printed(arm, right)) << left;
  }
}

TEST(ClosedForms, OfCraigsRRArmAreThoseOfPaper000) {
  const RobotFile file = shipped("craig-rr");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  expect_printed(
      arm, ClosedEquation::torque,
      {{"τ1",
        "m2*l2^2*(qdd1+qdd2) + m2*l1*l2*c2*(2*qdd1+qdd2) + (m1+m2)*l1^2*qdd1"
        " - m2*l1*l2*s2*qd2^2 - 2*m2*l1*l2*s2*qd1*qd2 + m2*l2*g*c12 + (m1+m2)*l1*g*c1"},
       {"τ2", "m2*l1*l2*c2*qdd1 + m2*l1*l2*s2*qd1^2 + m2*l2*g*c12 + m2*l2^2*(qdd1+qdd2)"}});
  expect_printed(arm, ClosedEquation::mass_matrix,  // M11 without the misprint l2^2
                 {{"M11", "l2^2*m2 + 2*l1*l2*m2*c2 + l1^2*(m1+m2)"},
                  {"M12", "l2^2*m2 + l1*l2*m2*c2"},
                  {"M22", "l2^2*m2"}});
  expect_printed(
      arm, ClosedEquation::velocity,
      {{"V1", "-m2*l1*l2*s2*qd2^2 - 2*m2*l1*l2*s2*qd1*qd2"}, {"V2", "m2*l1*l2*s2*qd1^2"}});
  expect_printed(arm, ClosedEquation::gravity,
                 {{"G1", "m2*l2*g*c12 + (m1+m2)*l1*g*c1"}, {"G2", "m2*l2*g*c12"}});
  expect_printed(arm, ClosedEquation::craig,
                 {{"B[1,12]", "-2*m2*l1*l2*s2"},
                  {"B[2,12]", "0"},
                  {"C11", "0"},
                  {"C12", "-m2*l1*l2*s2"},
                  {"C21", "m2*l1*l2*s2"},
                  {"C22", "0"}});
  // By hand: what a mass at l1, first moments and a moment of inertia of link 2 ask for.
  expect_printed(arm, ClosedEquation::regressor,
                 {{"Y[1,mx1]", "g*c1"},
                  {"Y[1,my1]", "-g*s1"},
                  {"Y[1,Izz1]", "qdd1"},
                  {"Y[1,m2]", "l1^2*qdd1 + l1*g*c1"},
                  {"Y[1,mx2]", "l1*c2*(2*qdd1+qdd2) - l1*s2*(2*qd1*qd2 + qd2^2) + g*c12"},
                  {"Y[1,my2]", "-l1*s2*(2*qdd1+qdd2) - l1*c2*(2*qd1*qd2 + qd2^2) - g*s12"},
                  {"Y[1,Izz2]", "qdd1 + qdd2"},
                  {"Y[2,mx2]", "l1*c2*qdd1 + l1*s2*qd1^2 + g*c12"},
                  {"Y[2,my2]", "-l1*s2*qdd1 + l1*c2*qd1^2 - g*s12"},
                  {"Y[2,Izz2]", "qdd1 + qdd2"}});
}

TEST(ClosedForms, OfCraigsRPArmAreThoseOfHisExample) {  // 6.5: d2 is q2 here, d2' its velocity
  const RobotFile file = shipped("craig-rp");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  expect_printed(arm, ClosedEquation::torque,
                 {{"τ1",
                   "(m1*l1^2 + I1 + I2 + m2*q2^2)*qdd1 + 2*m2*q2*qd1*qd2"
                   " + (m1*l1 + m2*q2)*g*c1"},
                  {"τ2", "m2*qdd2 - m2*q2*qd1^2 + m2*g*s1"}});
}

// His example 6.1: the two links' inertial forces, and what they pass on.
TEST(ClosedForms, OfTheRecursionAreCraigsLinkByLink) {
  const RobotFile file = shipped("craig-rr");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  const auto found = by_name(arm, ClosedEquation::recursion);
  for (const auto& [left, right] : std::map<std::string, std::string>{
           {"ω[2,z]", "qd1 + qd2"},
           {"ω̇[2,z]", "qdd1 + qdd2"},
           {"v̇[2,x]", "l1*qdd1*s2 - l1*qd1^2*c2 + g*s12"},
           {"v̇[2,y]", "l1*qdd1*c2 + l1*qd1^2*s2 + g*c12"},
           {"v̇C[1,x]", "-l1*qd1^2 + g*s1"},
           {"F[2,x]", "m2*l1*qdd1*s2 - m2*l1*qd1^2*c2 + m2*g*s12 - m2*l2*(qd1+qd2)^2"},
           {"F[2,y]", "m2*l1*qdd1*c2 + m2*l1*qd1^2*s2 + m2*g*c12 + m2*l2*(qdd1+qdd2)"},
           {"N[2,z]", "0"},
           {"n[2,z]",
            "m2*l1*l2*c2*qdd1 + m2*l1*l2*s2*qd1^2 + m2*l2*g*c12 + m2*l2^2*(qdd1+qdd2)"}}) {
    EXPECT_EQ(found.at(left), printed(arm, right)) << left;
  }
  EXPECT_EQ(found.at("τ1"), torque_by_lagrange(arm)[0]);
}

/// Of the forms of a family at a state, by their left sides.
std::map<std::string, double> values_of(const SymbolicArm& arm, ClosedEquation what,
                                        const std::vector<double>& q, const std::vector<double>& qd,
                                        const std::vector<double>& qdd) {
  std::map<std::string, double> values;
  for (const ClosedForm& form : closed_forms(arm, what)) {
    values[left_side(arm, form)] = evaluate(arm, form.value, q, qd, qdd);
  }
  return values;
}

TEST(ClosedForms, OfLagrangeAreTheSlopesOfTheEnergies) {
  testing::RandomArm random(6);
  for (const char* name : {"craig-rr", "craig-rp", "two-link-spong"}) {
    const RobotFile file = shipped(name);
    const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
    const std::vector<double> qdd = random.numbers(2, 5.0);
    std::vector<double> q = random.numbers(2, 2.0), qd = random.numbers(2, 2.0);
    const auto L = [&] {
      const auto at = values_of(arm, ClosedEquation::lagrangian, q, qd, qdd);
      return at.at("K") - at.at("U");
    };
    const auto slope = [&](double& x) {
      constexpr double h = 1e-5;
      const double here = x;
      x = here + h;
      const double above = L();
      x = here - h;
      const double below = L();
      x = here;
      return (above - below) / (2.0 * h);
    };
    const auto found = values_of(arm, ClosedEquation::lagrangian, q, qd, qdd);
    const auto forms = by_name(arm, ClosedEquation::lagrangian);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string joint = std::to_string(i + 1);
      EXPECT_NEAR(found.at("∂L/∂q" + joint), slope(q[i]), 1e-7) << name;
      EXPECT_NEAR(found.at("∂L/∂q̇" + joint), slope(qd[i]), 1e-7) << name;
      EXPECT_EQ(forms.at("τ" + joint), torque_by_lagrange(arm)[i]) << name;
    }
  }
}

TEST(ClosedForms, OfFramesAndLinksHaveTheValuesOfTheLibrary) {
  testing::RandomArm random(7);
  for (const char* name : {"craig-rr", "craig-rp", "puma560-akb"}) {
    const RobotFile file = shipped(name);
    const SymbolicArm symbolic = symbolic_arm(file.robot, file.written, {Which::none, {}});
    const Arm arm = normalize(file.robot);
    const std::size_t n = arm.dof();
    const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0), zero(n);
    const ArmPose expected = pose(arm, q);
    const auto frames = values_of(symbolic, ClosedEquation::frames, q, qd, zero);
    const auto tcp = values_of(symbolic, ClosedEquation::forward_kinematics, q, qd, zero);
    const auto J = values_of(symbolic, ClosedEquation::link_jacobian, q, qd, zero);
    EXPECT_EQ(frames.size(), 12 * n);
    EXPECT_NEAR(tcp.at("T14"), expected.tcp.p.x, 1e-13);
    EXPECT_NEAR(tcp.at("T21"), expected.tcp.R.row_y.x, 1e-13);
    const std::vector<LinkMotion> links = link_motions(arm, {q, qd, zero});
    for (std::size_t i = 0; i < n; ++i) {
      const std::string link = std::to_string(i + 1);
      EXPECT_NEAR(frames.at("T[" + link + ",22]"), expected.joints[i].R.row_y.y, 1e-13) << name;
      EXPECT_NEAR(frames.at("T[" + link + ",34]"), expected.joints[i].p.z, 1e-13) << name;
      const Vec3 v = expected.frames[i].R * links[i].v_c, w = expected.frames[i].R * links[i].omega;
      double vx = 0.0, wz = 0.0;
      for (std::size_t j = 0; j <= i; ++j) {
        vx += J.at("J[" + link + ",vx," + std::to_string(j + 1) + "]") * qd[j];
        wz += J.at("J[" + link + ",ωz," + std::to_string(j + 1) + "]") * qd[j];
      }
      EXPECT_NEAR(vx, v.x, 1e-13) << name;
      EXPECT_NEAR(wz, w.z, 1e-13) << name;
    }
  }
}

TEST(ClosedForms, AreWrittenAsATextbookPrintsThem) {
  const RobotFile file = shipped("craig-rr");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  const auto text = [&](ClosedEquation what, Markup notation) {
    return textbook(arm, closed_forms(arm, what), notation);
  };
  EXPECT_EQ(text(ClosedEquation::torque, Markup::text),
            "τ1 = (m1 + m2) l1² q̈1 + m2 l2² (q̈1 + q̈2) + m2 l1 l2 c2 (2 q̈1 + q̈2) - 2 m2 l1 l2 s2 "
            "q̇1 q̇2\n     - m2 l1 l2 s2 q̇2² + (m1 + m2) l1 g c1 + m2 l2 g c12\n"
            "τ2 = m2 l2² (q̈1 + q̈2) + m2 l1 l2 c2 q̈1 + m2 l1 l2 s2 q̇1² + m2 l2 g c12\n");
  EXPECT_EQ(text(ClosedEquation::mass_matrix, Markup::latex),
            "\\begin{align*}\n"
            "  M_{11} ={}& (m_{1} + m_{2}) l_{1}^{2} + m_{2} l_{2}^{2} + 2 m_{2} l_{1} l_{2} c_{2} "
            "\\\\\n"
            "  M_{12} ={}& m_{2} l_{2}^{2} + m_{2} l_{1} l_{2} c_{2} \\\\\n"
            "  M_{22} ={}& m_{2} l_{2}^{2}\n"
            "\\end{align*}\n");
  EXPECT_EQ(legend(arm, closed_forms(arm, ClosedEquation::gravity)),
            "m1 = 4.6, m2 = 2.3, l1 = 0.5, l2 = 0.5, g = 9.81, c12 = cos(q1 + q2)");
}

/// τ, M, V, G, C and Y of the bodies from the forms and from the recursion.
void expect_values(const Robot& robot, const Parametrization& written, const Symbols& symbols,
                   testing::RandomArm& random) {
  const SymbolicArm symbolic = symbolic_arm(robot, written, symbols);
  Robot lossless = robot;
  for (Joint& joint : lossless.joints) {
    const double viscous = joint.friction.viscous;
    joint.friction = {};
    joint.friction.viscous = viscous;
    joint.motor.coulomb = {};
  }
  const Arm arm = normalize(lossless);
  const std::size_t n = arm.dof();
  const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0),
                            qdd = random.numbers(n, 5.0);
  const auto values = [&](ClosedEquation what) {
    std::vector<double> found;
    for (const ClosedForm& form : closed_forms(symbolic, what)) {
      found.push_back(evaluate(symbolic, form.value, q, qd, qdd));
    }
    return found;
  };
  std::vector<double> tau(n);
  InverseDynamics(arm).torque({q, qd, qdd}, {}, tau);
  testing::expect_near(values(ClosedEquation::torque), tau, 1e-13, robot.name);
  const Equations expected = equations(arm, q, qd);
  std::vector<double> M, C(expected.C.entries().begin(), expected.C.entries().end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) M.push_back(expected.M(i, j));
  }
  testing::expect_near(values(ClosedEquation::mass_matrix), M, 1e-13, robot.name);
  const double scale = testing::largest(tau);
  testing::expect_near(values(ClosedEquation::velocity), expected.V, 1e-13, robot.name, scale);
  testing::expect_near(values(ClosedEquation::gravity), expected.G, 1e-13, robot.name, scale);
  testing::expect_near(values(ClosedEquation::christoffel), C, 1e-13, robot.name, scale);

  const Regressor regressor(lossless);
  const Matrix Y = regressor.matrix({q, qd, qdd});
  std::map<std::string, SymbolicNumber> entries = by_name(symbolic, ClosedEquation::regressor);
  std::vector<double> of_forms, of_library;
  for (std::size_t k = 0; k < Y.columns(); ++k) {
    const DynamicParameter& parameter = regressor.parameters()[k];
    if (parameter.kind >= ParameterKind::rotor_inertia) continue;
    for (std::size_t i = 0; i < n; ++i) {
      const SymbolicNumber& entry =
          entries["Y[" + std::to_string(i + 1) + "," + name(parameter) + "]"];
      of_forms.push_back(evaluate(symbolic, entry, q, qd, qdd));
      of_library.push_back(Y(i, k));
    }
  }
  testing::expect_near(of_forms, of_library, 1e-13, robot.name);
}

TEST(ClosedForms, HaveTheValuesOfTheRecursion) {
  testing::RandomArm random(3);
  for (const char* name : {"craig-rr", "craig-rp", "craig-3r", "two-link-rods", "two-link-spong"}) {
    const RobotFile file = shipped(name);
    for (const Which which : {Which::none, Which::parameters, Which::all}) {
      expect_values(file.robot, file.written, {which, {}}, random);
    }
  }
  for (const char* name : {"puma560", "puma560-akb", "stanford", "ur5e", "ur10"}) {  // in full
    const RobotFile file = shipped(name);
    expect_values(file.robot, file.written, {Which::none, {}}, random);
  }
  for (const char* name : {"puma560", "stanford", "staubli-tx40"}) {  // their first three joints
    RobotFile file = shipped(name);
    file.robot.joints.resize(3);
    file.robot.couplings.clear();
    file.robot.tool = {};
    for (const Which which : {Which::none, Which::all}) {
      expect_values(file.robot, {}, {which, {}}, random);
    }
  }
  Robot coupled = random.robot(3);
  coupled.couplings = {{{2, 0}, {30.0, 0.0, 20.0, -25.0}, {0.0, 0.0}}};
  coupled.joints[0].motor.rotor_inertia = 1e-3;
  coupled.joints[2].motor.rotor_inertia = 2e-3;
  expect_values(coupled, {}, {Which::none, {}}, random);
  for (const std::size_t dof : {1U, 2U}) {  // general tables and bodies, offsets, payload
    for (int round = 0; round < 3; ++round) {
      expect_values(random.robot(dof), {}, {Which::all, {}}, random);
    }
  }
}

RobotFile scara() {
  return parse_robot_file(
      "armdyn: 1\nname: scara\nconvention: modified\nparameters: {l: 0.3, m: 2}\njoints:\n"
      "  - {type: revolute, dh: {}, mass: 1}\n"
      "  - {type: revolute, dh: {a: l}, mass: 1.5, com: [0.1, 0, 0]}\n"
      "  - {type: prismatic, dh: {a: 0.25, alpha: pi}, mass: 0.5, com: [0.02, 0, 0]}\n"
      "  - {type: revolute, dh: {}, mass: m, com: [0.1, 0.03, 0], inertia: {zz: 0.01}}\n",
      "f");
}

TEST(ClosedForms, OfOppositeAxesHaveDifferencesOfAngles) {
  const RobotFile file = scara();
  testing::RandomArm random(8);
  expect_values(file.robot, file.written, {Which::parameters, {}}, random);
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  const auto M = closed_forms(arm, ClosedEquation::mass_matrix);
  EXPECT_EQ(textbook(arm, {M[3]}, Markup::text),
            "M14 = -0.01 - 0.0109 m - 0.1 l m cos(q2 - q4) - 0.03 l m sin(q2 - q4) - 0.025 m c4 + "
            "0.0075 m s4\n");
  EXPECT_NE(textbook(arm, {M[3]}, Markup::latex).find("m \\cos(q_{2} - q_{4}) -"),
            std::string::npos);
}

TEST(ClosedForms, InCartesianSpaceHaveTheValuesOfSection9) {
  testing::RandomArm random(5);
  const std::vector<TaskRow> planar{TaskRow::vx, TaskRow::vy};
  for (const char* name : {"craig-rr", "craig-rp", "two-link-rods"}) {
    const RobotFile file = shipped(name);
    const SymbolicArm symbolic =
        symbolic_arm(file.robot, file.written, {Which::parameters, {}}, Angles::of_joints);
    const std::vector<double> q{0.4, 0.9}, qd = random.numbers(2, 2.0), qdd{0.0, 0.0};
    const CartesianTerms expected = *cartesian(normalize(file.robot), q, qd, planar).terms;
    const auto value = [&](const std::string& left) {
      return evaluate(symbolic, by_name(symbolic, ClosedEquation::cartesian).at(left), q, qd, qdd);
    };
    const double scale = testing::largest(expected.Mx);
    EXPECT_NEAR(value("Mx[vx,vx]"), expected.Mx(0, 0), 1e-12 * scale) << name;
    EXPECT_NEAR(value("Mx[vx,vy]"), expected.Mx(0, 1), 1e-12 * scale) << name;
    EXPECT_NEAR(value("Mx[vy,vy]"), expected.Mx(1, 1), 1e-12 * scale) << name;
    testing::expect_near({value("Vx[vx]"), value("Vx[vy]")}, expected.Vx, 1e-12, name, 1.0);
    testing::expect_near({value("Gx[vx]"), value("Gx[vy]")}, expected.Gx, 1e-12, name, 1.0);
    EXPECT_NEAR(value("Bx[1,12]"), expected.craig.B(0, 0), 1e-12 * scale) << name;
    EXPECT_NEAR(value("Bx[2,12]"), expected.craig.B(1, 0), 1e-12 * scale) << name;
    EXPECT_NEAR(value("Cx11"), expected.craig.C(0, 0), 1e-12 * scale) << name;
    EXPECT_NEAR(value("Cx22"), expected.craig.C(1, 1), 1e-12 * scale) << name;
  }
}

/// A spatial arm of three joints whose links are bodies, all with letters.
RobotFile elbow(const std::string& body2, const std::string& body3) {
  return parse_robot_file(
      "armdyn: 1\nname: elbow\nconvention: standard\n"
      "parameters: {m1: 3, m2: 2, l1: 0.5, l2: 0.4, l3: 0.3, w: 0.05, h: 0.06, rho: 4}\njoints:\n"
      "  - {type: revolute, dh: {alpha: pi/2, d: l1}, mass: m1}\n"
      "  - {type: revolute, dh: {a: l2}, " +
          body2 + "}\n  - {type: revolute, dh: {a: l3}, " + body3 + "}\n",
      "f");
}
RobotFile elbow_of_shapes() {
  return elbow("shape: {box: [l2, w, h], mass: m2, com: [-l2/2, 0, 0]}",
               "shape: {rod: l3, density: rho, com: [-l3/2, 0, 0], rpy: [0, pi/2, 0]}");
}

TEST(ClosedForms, OfShapesAreThoseOfTheirMomentsInLetters) {
  const RobotFile shapes = elbow_of_shapes(),
                  moments = elbow(
                      "mass: m2, com: [-l2/2, 0, 0], inertia: {xx: m2*(w^2+h^2)/12, "
                      "yy: m2*(l2^2+h^2)/12, zz: m2*(l2^2+w^2)/12}",
                      "mass: rho*l3, com: [-l3/2, 0, 0], inertia: {yy: rho*l3^3/12, "
                      "zz: rho*l3^3/12}");
  std::vector<std::string> texts;
  for (const RobotFile* const file : {&shapes, &moments}) {
    const SymbolicArm arm = symbolic_arm(file->robot, file->written, {Which::parameters, {}});
    EXPECT_TRUE(arm.taken_as_numbers.empty());
    texts.push_back(textbook(arm, closed_forms(arm, ClosedEquation::torque), Markup::text));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0].find("m2 w²"), std::string::npos);
}

TEST(ClosedForms, HaveNoRoundingOfTensorsAboutTheOrigin) {
  const RobotFile file = shipped("staubli-tx40");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {});
  const std::string text =
      textbook(arm, closed_forms(arm, ClosedEquation::base_parameters), Markup::text);
  EXPECT_NE(text.find("a9 = 0.0326\n"), std::string::npos);
  EXPECT_NE(text.find("a18 = 0.002\n"), std::string::npos);
}

TEST(ClosedForms, InCartesianSpaceAreAPageOfASpatialArm) {
  const RobotFile file = elbow_of_shapes();
  const std::vector<double> q{0.3, 0.5, -0.8}, qd{0.7, -1.1, 0.4}, qdd(3);
  const std::vector<TaskRow> rows{TaskRow::vx, TaskRow::vy, TaskRow::vz};
  const CartesianTerms expected = *cartesian(normalize(file.robot), q, qd, rows).terms;
  const SymbolicArm arm =
      symbolic_arm(file.robot, file.written, {Which::parameters, {}}, Angles::of_joints);
  const auto forms = closed_forms(arm, ClosedEquation::cartesian);
  const auto value = [&](std::size_t k) { return evaluate(arm, forms[k].value, q, qd, qdd); };
  const double scale = testing::largest(expected.Mx);
  for (std::size_t k = 0, i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j, ++k)
      EXPECT_NEAR(value(k), expected.Mx(i, j), 1e-12 * scale);
  }
  testing::expect_near({value(6), value(7), value(8)}, expected.Vx, 1e-12, "Vx", 1.0);
  testing::expect_near({value(9), value(10), value(11)}, expected.Gx, 1e-12, "Gx", 1.0);
  const std::string Mx = textbook(arm, {forms.begin(), forms.begin() + 6}, Markup::text);
  EXPECT_LT(std::ranges::count(Mx, '\n'), 70);
  EXPECT_NE(Mx.find("(l2 c2 + l3 c23)²"), std::string::npos) << Mx;
}

// His example 6.6, in axes of the TCP.
TEST(ClosedForms, InTheHandsAxesAreCraigsExample) {
  const RobotFile file = shipped("craig-rr");
  const SymbolicArm arm =
      symbolic_arm(file.robot, file.written, {Which::parameters, {}}, Angles::of_joints);
  const JacobianView of_wrench{TaskAxes::tool};
  expect_printed(arm, ClosedEquation::jacobian,
                 {{"J[vx,1]", "l1*s2"},
                  {"J[vx,2]", "0"},
                  {"J[vy,1]", "l1*c2 + l2"},
                  {"J[vy,2]", "l2"},
                  {"J[ωz,1]", "1"},
                  {"J[ωz,2]", "1"}},
                 of_wrench);
  auto found = by_name(arm, ClosedEquation::cartesian, of_wrench);
  std::erase_if(found, [](const auto& one) { return one.first[1] != 'x' || one.first[2] != '['; });
  std::erase_if(found, [](const auto& one) { return one.first[0] == 'B'; });
  const std::map<std::string, std::string> expected{
      {"Mx[vx,vx]", "m2 + m1/s2^2"},
      {"Mx[vx,vy]", "0"},
      {"Mx[vy,vy]", "m2"},
      {"Vx[vx]",
       "-(m2*l1*c2 + m2*l2)*qd1^2 - m2*l2*qd2^2"
       " - (2*m2*l2 + m2*l1*c2 + m1*l1*c2/s2^2)*qd1*qd2"},
      {"Vx[vy]", "m2*l1*s2*qd1^2 + l1*m2*s2*qd1*qd2"},
      {"Gx[vx]", "m1*g*c1/s2 + m2*g*s12"},
      {"Gx[vy]", "m2*g*c12"}};
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [left, right] : expected) {
    EXPECT_TRUE(is_zero(numerator_of(found.at(left) - printed(arm, right)))) << left;
  }
}

// The joints' torques from the TCP's forces, its acceleration by differences of its velocity.
TEST(ClosedForms, InCartesianSpaceBalanceTheTorquesInAllAxes) {
  testing::RandomArm random(6);
  for (const char* name : {"craig-rr", "craig-rp", "two-link-rods"}) {
    RobotFile file = shipped(name);
    file.robot.tool.rpy = {0.0, 0.0, 0.4};
    const SymbolicArm symbolic =
        symbolic_arm(file.robot, file.written, {Which::parameters, {}}, Angles::of_joints);
    for (const auto axes : {TaskAxes::link, TaskAxes::tool}) {
      const auto forms = by_name(symbolic, ClosedEquation::cartesian, {axes});
      const auto J = by_name(symbolic, ClosedEquation::jacobian, {axes});
      const std::vector<double> q{0.4, 0.9}, qd = random.numbers(2, 1.0),
                                             qdd = random.numbers(2, 1.0);
      std::vector<std::string> rows;  // two of them
      for (const auto& [left, value] : forms) {
        if (left.starts_with("Gx[")) rows.push_back(left.substr(3, 2));
      }
      const auto entry = [&](const std::string& row, std::size_t j, const std::vector<double>& at) {
        const auto found = J.find("J[" + row + "," + std::to_string(j + 1) + "]");
        return found == J.end() ? 0.0 : evaluate(symbolic, found->second, at, qd, qdd);
      };
      const auto acceleration = [&](const std::string& row) {
        constexpr double h = 1e-5;
        double sum = 0.0;
        for (std::size_t j = 0; j < 2; ++j) {
          const std::vector<double> after{q[0] + h * qd[0], q[1] + h * qd[1]};
          const std::vector<double> before{q[0] - h * qd[0], q[1] - h * qd[1]};
          sum += entry(row, j, q) * qdd[j] +
                 (entry(row, j, after) - entry(row, j, before)) / (2.0 * h) * qd[j];
        }
        return sum;
      };
      const auto value = [&](const std::string& left) {
        return evaluate(symbolic, forms.at(left), q, qd, qdd);
      };
      std::vector<double> tau(2);
      ASSERT_EQ(rows.size(), 2U) << name;
      for (const std::string& row : rows) {
        double force = value("Vx[" + row + "]") + value("Gx[" + row + "]");
        for (const std::string& other : rows) {
          const std::string M = "Mx[" + row + "," + other + "]";
          force +=
              value(forms.contains(M) ? M : "Mx[" + other + "," + row + "]") * acceleration(other);
        }
        for (std::size_t j = 0; j < 2; ++j) tau[j] += entry(row, j, q) * force;
      }
      for (Joint& joint : file.robot.joints) joint.friction = {};
      testing::expect_near(tau, torque(normalize(file.robot), {q, qd, qdd}), 1e-8, name, 1.0);
    }
  }
}

// In axes of the links: against how the library's links move.
TEST(ClosedForms, OfLinksInTheirOwnAxesHaveTheValuesOfTheLibrary) {
  testing::RandomArm random(9);
  for (const char* name : {"craig-rr", "craig-rp", "puma560-akb"}) {
    const RobotFile file = shipped(name);
    const SymbolicArm symbolic = symbolic_arm(file.robot, file.written, {Which::none, {}});
    const Arm arm = normalize(file.robot);
    const std::size_t n = arm.dof();
    const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0), zero(n);
    const std::vector<LinkMotion> links = link_motions(arm, {q, qd, zero});
    const ArmPose where = pose(arm, q);
    for (const JacobianView view : {JacobianView{TaskAxes::link, LinkPoint::com},
                                    {TaskAxes::link, LinkPoint::origin},
                                    {TaskAxes::tool, LinkPoint::com},
                                    {TaskAxes::tool, LinkPoint::origin}}) {
      const auto J = by_name(symbolic, ClosedEquation::link_jacobian, view);
      for (std::size_t i = 0; i < n; ++i) {
        const Mat3 turn =
            view.axes == TaskAxes::link ? Mat3{} : transposed(where.tcp.R) * where.frames[i].R;
        const Vec3 v = turn * (view.point == LinkPoint::origin ? links[i].v : links[i].v_c);
        const Vec3 w = turn * links[i].omega;
        const std::map<std::string, double> expected{{"vx", v.x}, {"vy", v.y}, {"vz", v.z},
                                                     {"ωx", w.x}, {"ωy", w.y}, {"ωz", w.z}};
        for (const auto& [row, rate] : expected) {
          double found = 0.0;
          for (std::size_t j = 0; j <= i; ++j) {
            const auto entry = J.find("J[" + std::to_string(i + 1) + "," + row + "," +
                                      std::to_string(j + 1) + "]");
            if (entry != J.end()) found += evaluate(symbolic, entry->second, q, qd, zero) * qd[j];
          }
          EXPECT_NEAR(found, rate, 1e-13) << name << " " << row << i + 1;
        }
      }
    }
  }
}

TEST(ClosedForms, OfNewtonEulerAndLagrangeAreTheSame) {
  for (const char* name : {"craig-rr", "craig-rp", "craig-3r", "two-link-spong"}) {
    const RobotFile file = shipped(name);
    const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::all, {}});
    const Equivalence found = newton_euler_less_lagrange(arm);
    EXPECT_EQ(found.left, 0U) << name;
    EXPECT_GT(found.terms[0], 6U) << name;
  }
  testing::RandomArm random(4);
  for (int round = 0; round < 4; ++round) {  // nothing of a general arm is zero
    const Robot robot = random.robot(2);
    const SymbolicArm arm = symbolic_arm(robot, {}, {Which::all, {}});
    EXPECT_EQ(newton_euler_less_lagrange(arm).left, 0U) << round;
  }
}

TEST(ClosedForms, OfDifferentArmsAreNotTheSame) {
  const RobotFile file = shipped("craig-rr");
  SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::all, {}});
  const std::vector<SymbolicNumber> before = torque_by_newton_euler(arm);
  arm.constants.links[1].body.mass = arm.constants.links[1].body.mass + 1e-9;
  const std::vector<SymbolicNumber> after = torque_by_lagrange(arm);
  EXPECT_FALSE(is_zero(before[0] - after[0]));
}

TEST(SymbolicArm, TakesATensorAboutTheOriginAsItIsWritten) {
  const RobotFile file = parse_robot_file(
      "armdyn: 1\nname: arm\nconvention: modified\ngravity: [0, 0, 0]\nparameters: {m: 2, l: 0.5}\n"
      "joints:\n  - {type: revolute, dh: {}, mass: m, com: [l, 0, 0], inertia_about: origin,\n"
      "     inertia: {zz: m*l^2/3}}\n",
      "f");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  EXPECT_EQ(torque_by_newton_euler(arm)[0], printed(arm, "m*l^2/3*qdd1"));
}

TEST(SymbolicArm, HasConstantAnglesByTheirSineAndCosine) {
  const RobotFile file = parse_robot_file(
      "armdyn: 1\nname: arm\nconvention: modified\nparameters: {m: 2, l: 0.5, tilt: 0.3}\n"
      "joints:\n  - {type: revolute, dh: {alpha: tilt}, mass: m, com: [l, 0, 0]}\n",
      "f");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  EXPECT_EQ(textbook(arm, closed_forms(arm, ClosedEquation::gravity), Markup::text),
            "G1 = m l g sin tilt c1\n");
  EXPECT_EQ(textbook(arm, closed_forms(arm, ClosedEquation::gravity), Markup::latex),
            "\\begin{align*}\n  G_{1} ={}& m l g \\sin \\mathit{tilt} c_{1}\n\\end{align*}\n");
}

TEST(SymbolicArm, HasOnlyTheSymbolsThatWereNamed) {
  const RobotFile file = shipped("craig-rr");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::named, {"m2", "g"}});
  EXPECT_EQ(textbook(arm, closed_forms(arm, ClosedEquation::gravity), Markup::text),
            "G1 = (2.3 + 1/2 m2) g c1 + 1/2 m2 g c12\nG2 = 1/2 m2 g c12\n");
  EXPECT_THROW(static_cast<void>(symbolic_arm(file.robot, file.written, {Which::named, {"m7"}})),
               Error);
}

// As many as inspect counts of an arm without rotors and friction, or fewer: those that are zero.
TEST(ClosedForms, BaseParametersMakeTheTorques) {
  for (const auto& [name, which, count] : {std::tuple{"craig-rr", Which::parameters, 4},
                                           {"craig-rp", Which::parameters, 3},
                                           {"craig-3r", Which::parameters, 6},
                                           {"siciliano-rr", Which::parameters, 5},
                                           {"stanford", Which::none, 17}}) {
    const RobotFile file = shipped(name);
    const SymbolicArm arm = symbolic_arm(file.robot, file.written, {which, {}});
    std::vector<SymbolicNumber> a, torques(arm.q.size());
    for (const ClosedForm& form : closed_forms(arm, ClosedEquation::base_parameters)) {
      if (form.symbol != "Y") {
        a.push_back(form.value);
        continue;
      }
      const std::size_t comma = form.index.find(',');
      SymbolicNumber& tau = torques.at(std::stoul(form.index.substr(0, comma)) - 1);
      tau = tau + form.value * a.at(std::stoul(form.index.substr(comma + 1)) - 1);
    }
    EXPECT_EQ(a.size(), count) << name;
    const std::vector<ClosedForm> right = closed_forms(arm, ClosedEquation::torque);
    for (std::size_t i = 0; i < right.size(); ++i) {
      EXPECT_TRUE(is_zero(numerator_of(torques[i] - right[i].value))) << name << i + 1;
    }
  }
}

}  // namespace
}  // namespace armdyn
