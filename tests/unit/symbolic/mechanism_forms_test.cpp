// Closed forms of mechanisms: the five-bar linkage as Spong writes it, and all shipped ones against the
// numbers of the program, whose chains they share.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>

#include "io/robot/robot_text.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {
namespace {

using Which = Symbols::Which;

constexpr std::array mechanisms{"five-bar-spong", "palletizer", "dual-arm-planar", "scara-quill",
                                "balanced-link"};

RobotFile shipped_mechanism(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/mechanisms/" + name + ".yaml");
}

std::string five_bar(const std::string& m4) {
  return R"(armdyn: 1
name: five-bar
convention: modified
gravity: [0, -9.81, 0]
parameters: {m3: 2, l1: 0.8, l2: 0.5, lc3: 0.35, lc4: 0.3, m4: )" +
         m4 + R"(}
joints:
  - {name: j1, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 5, com: [0.4, 0, 0],
     inertia: {xx: 0.01, yy: 0.3, zz: 0.3}}
  - {name: j2, type: revolute, parent: base, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 3,
     com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}
  - {name: j3, type: revolute, parent: j2, follows: {row: {j1: 1, j2: -1}},
     dh: {a: l2, alpha: 0, d: 0, theta: 0}, mass: m3, com: [lc3, 0, 0],
     inertia: {xx: 0.01, yy: 0.08, zz: 0.08}}
  - {name: j4, type: revolute, parent: j1, follows: {row: {j2: 1, j1: -1}, offset: pi},
     dh: {a: l1, alpha: 0, d: 0, theta: 0}, mass: m4, com: [lc4, 0, 0],
     inertia: {xx: 0.01, yy: 0.2, zz: 0.2}}
)";
}

ClosedForm form_of(const SymbolicArm& arm, ClosedEquation what, const std::string& index) {
  const std::vector<ClosedForm> forms = closed_forms(arm, what);
  return *std::ranges::find(forms, index, &ClosedForm::index);
}

// d12 = (m3 l2 lc3 − m4 l1 lc4) cos(q2 − q1) of Spong, Hutchinson and Vidyasagar, section on the five-bar
// linkage.
TEST(MechanismForms, OfTheFiveBarAreSpongs) {
  const RobotFile file = parse_robot_file(five_bar("4"), "five-bar.yaml");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  const ClosedForm d12 = form_of(arm, ClosedEquation::mass_matrix, "12");
  const auto in = [&arm](const char* name) { return arm.parameters.at(name); };
  EXPECT_EQ(d12.value, (in("m3") * in("l2") * in("lc3") - in("m4") * in("l1") * in("lc4")) *
                           sin_cos(arm.q[0] - arm.q[1]).cos);
  const std::string text = textbook(arm, {d12}, Markup::text);
  EXPECT_NE(text.find("cos(q1 - q2)"), text.npos) << text;
}

TEST(MechanismForms, OfABalancedFiveBarHaveNoCoupling) {
  std::string text = five_bar("4");
  text.replace(text.find("mass: m4"), 8, "mass: m3*l2*lc3/(l1*lc4)");
  const RobotFile file = parse_robot_file(text, "five-bar.yaml");
  const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::parameters, {}});
  EXPECT_TRUE(is_zero(numerator_of(form_of(arm, ClosedEquation::mass_matrix, "12").value)));
  for (const char* const joint : {"1", "2"}) {
    EXPECT_TRUE(is_zero(numerator_of(form_of(arm, ClosedEquation::velocity, joint).value)));
  }
}

TEST(MechanismForms, OfNewtonAndEulerAreThoseOfLagrange) {
  for (const char* const name : mechanisms) {
    const RobotFile file = shipped_mechanism(name);
    const SymbolicArm arm = symbolic_arm(file.robot, file.written, {Which::none, {}});
    EXPECT_EQ(newton_euler_less_lagrange(arm).left, 0U) << name;
  }
}

TEST(MechanismForms, HaveTheNumbersOfTheProgram) {
  for (const char* const name : mechanisms) {
    for (const Which which : {Which::none, Which::all}) {
      const RobotFile file = shipped_mechanism(name);
      const SymbolicArm symbolic = symbolic_arm(file.robot, file.written, {which, {}});
      const Arm arm = normalize(file.robot);
      const std::size_t n = arm.dof();
      testing::RandomArm random(3);
      const std::vector<double> q = random.numbers(n, 1.5), qd = random.numbers(n, 2.0),
                                qdd = random.numbers(n, 3.0);
      const Equations e = equations(arm, q, qd);
      const auto expect = [&](ClosedEquation what, std::span<const double> expected,
                              const std::string& index = "") {
        std::size_t k = 0;
        for (const ClosedForm& form : closed_forms(symbolic, what)) {
          if (!index.empty() && form.symbol != index) continue;
          ASSERT_LT(k, expected.size()) << name;
          const double found = evaluate(symbolic, form.value, q, qd, qdd);
          double scale = 1.0;
          for (const double x : expected) scale = std::max(scale, std::abs(x));
          EXPECT_NEAR(found, expected[k], 1e-11 * scale) << name << " " << form.symbol << k;
          ++k;
        }
        EXPECT_EQ(k, expected.size()) << name;
      };
      std::vector<double> upper;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) upper.push_back(e.M(i, j));
      }
      expect(ClosedEquation::mass_matrix, upper);
      expect(ClosedEquation::velocity, e.V);
      expect(ClosedEquation::gravity, e.G);
      expect(ClosedEquation::christoffel, e.C.entries());
      expect(ClosedEquation::jacobian, jacobian(arm, q).entries());
      expect(ClosedEquation::kinetic, std::vector{e.kinetic}, "K");
      expect(ClosedEquation::potential, std::vector{e.potential}, "U");
    }
  }
}

TEST(MechanismForms, RefuseSinesThatAreNoPolynomials) {
  std::string text = five_bar("4");
  text.replace(text.find("{j1: 1, j2: -1}"), 15, "{j1: 0.5, j2: -1}");
  const RobotFile file = parse_robot_file(text, "half.yaml");
  EXPECT_THROW((void)symbolic_arm(file.robot, file.written, {Which::none, {}}), Error);
}

}  // namespace
}  // namespace armdyn
