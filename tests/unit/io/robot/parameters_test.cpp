// Parameters of robot files, and formulas of them.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "io/robot/robot_text.hpp"
#include "io/robot/yaml_tree.hpp"
#include "model/formula.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

using std::numbers::pi;

std::string file_with(const std::string& parameters, const std::string& joint,
                      const std::string& more = "") {
  return "armdyn: 1\nname: arm\nconvention: modified\n" + more + "parameters: " + parameters +
         "\njoints:\n  - " + joint + "\n";
}

Robot robot_with(const std::string& bytes, const ParameterValues& set = {}) {
  return parse_robot_file(bytes, "f", {.set = set}).robot;
}

std::string errors(const std::string& bytes) {
  try {
    static_cast<void>(parse_robot_file(bytes, "f"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Formula, HasTheValueThatMathematicsGivesIt) {
  const std::map<std::string, double> values{
      {"2+3*4", 14.0},
      {"(2+3)*4", 20.0},
      {"7-2-1", 4.0},
      {"24/4/2", 3.0},
      {"2^3^2", 512.0},
      {"-2^2", -4.0},
      {"2^-1", 0.5},
      {"2*-3", -6.0},
      {" 1 + .5e1 ", 6.0},
      {"sqrt(2)^2", 2.0000000000000004},
      {"cos(pi/2)", 0.0},
      {"sin(pi/6)", 0.5},
      {"tan(pi/4)", 1.0},
      {"2*pi", 2.0 * pi},
      {"10^0.5", std::pow(10.0, 0.5)},
  };
  for (const auto& [text, value] : values) {
    EXPECT_NEAR(evaluate(text, {}).value, value, 2e-16 * std::abs(value)) << text;
  }
}

TEST(Formula, SaysWhatIsWrongWithIt) {
  const std::vector<Parameter> known{{"l1", 0.5, false}, {"m1", 2.0, false}};
  const std::map<std::string, std::string> wrong{
      {"2*(l1+m1", "expected ) after 2*(l1+m1"},
      {"2 l1", "expected an operator after 2"},
      {"2*", "expected a number, a parameter or ( after 2*"},
      {"", "expected a number, a parameter or ( at its beginning"},
      {"l3+1", "there is no parameter l3; did you mean \"l1\"? (known: l1, m1)"},
      {"1/(l1-0.5)", "it divides by zero"},
      {"tan(pi/2)", "it divides by zero"},
      {"sqrt(-m1)", "its value is no finite number"},
      {"10^400", "its value is no finite number"},
      {"sin l1", "expected ( after sin"},
      {std::string(100'000, '('), "its brackets and signs are nested too deeply"},
      {std::string(100'000, '-'), "its brackets and signs are nested too deeply"},
  };
  for (const auto& [text, message] : wrong) {
    try {
      static_cast<void>(evaluate(text, known));
      ADD_FAILURE() << text;
    } catch (const FormulaError& error) {
      EXPECT_EQ(error.what(), message) << text.substr(0, 20);
    }
  }
}

TEST(Parameters, MayStandWhereverANumberMay) {
  const Robot robot = robot_with(file_with(
      "{l1: 0.5, m1: 2, half: l1/2, k: 3}",
      "{type: revolute, dh: {a: l1, alpha: 0, d: -l1, theta: 0}, mass: m1, com: [half, 0, l1^2],\n"
      "     inertia: {zz: m1*l1^2/12}, friction: {viscous: k, coulomb: [k, 2*k]},\n"
      "     motor: {gear_ratio: 10*k}, limits: {velocity: k+0.5, position: [-k, k]}}",
      "gravity: [0, -9.81*k/3, 0]\n"));
  const Joint& joint = robot.joints[0];
  EXPECT_EQ(joint.dh.a, 0.5);
  EXPECT_EQ(joint.dh.d, -0.5);
  EXPECT_EQ(joint.body.mass, 2.0);
  EXPECT_EQ(joint.body.com, (Vec3{0.25, 0.0, 0.25}));
  EXPECT_DOUBLE_EQ(joint.body.inertia.zz, 2.0 * 0.25 / 12.0);
  EXPECT_EQ(joint.friction.coulomb, (TwoSided{3.0, 6.0}));
  EXPECT_EQ(joint.motor.gear_ratio, 30.0);
  EXPECT_EQ(joint.limits.velocity, 3.5);
  EXPECT_DOUBLE_EQ(robot.gravity.y, -9.81);
}

TEST(Parameters, AsAnglesAreInTheFilesUnitUnlessTheyHavePi) {
  const Robot robot =
      robot_with(file_with("{tilt: 45, quarter: pi/2}",
                           "{type: revolute, dh: {alpha: 2*tilt, theta: tilt}, mass: 1}\n"
                           "  - {type: revolute, dh: {alpha: quarter, theta: -quarter/3}, mass: 1}",
                           "angle_unit: deg\n"));
  EXPECT_EQ(robot.joints[0].dh.alpha, pi / 2);
  EXPECT_EQ(robot.joints[0].dh.theta, pi / 4);
  EXPECT_EQ(robot.joints[1].dh.alpha, pi / 2);
  EXPECT_DOUBLE_EQ(robot.joints[1].dh.theta, -pi / 6);
}

TEST(Parameters, AsLengthsAreInTheFilesUnit) {
  const std::string bytes =
      file_with("{l1: 500, m1: 2}",
                "{type: revolute, dh: {a: l1/2, d: 100}, mass: m1, com: [l1, 0, "
                "0], inertia: {xx: m1*0.1, yy: m1*0.1, zz: m1}}",
                "length_unit: mm\n");
  const RobotFile file = parse_robot_file(bytes, "f", {});
  EXPECT_EQ(file.robot.joints[0].dh.a, 0.25);
  EXPECT_EQ(file.robot.joints[0].body.com.x, 0.5);
  EXPECT_EQ(file.robot.joints[0].body.inertia.zz, 2.0);
  // What is read as symbols has the same value.
  for (const WrittenNumber& number : file.written.numbers) {
    EXPECT_DOUBLE_EQ(evaluate(number.text, file.written.parameters).value, number.value)
        << number.path;
  }
}

TEST(Parameters, AreSetFromOutside) {
  const std::string bytes = file_with("{m1: 2, m2: 2*m1}", "{type: prismatic, dh: {}, mass: m2}");
  EXPECT_EQ(robot_with(bytes).joints[0].body.mass, 4.0);
  EXPECT_EQ(robot_with(bytes, {{"m1", {"m1", 5.0, false}}}).joints[0].body.mass, 10.0);
  EXPECT_EQ(robot_with(bytes, {{"m2", {"m2", 5.0, false}}}).joints[0].body.mass, 5.0);
}

TEST(Parameters, HaveErrorsWithTheirPlace) {
  EXPECT_EQ(errors(file_with("{l1: 0.5, l2: l3, l3: 1, sin: 2, a-b: 3, x: x}",
                             "{type: revolute, dh: {a: l4, d: 1/(l1-l1)}, mass: 2kg}")),
            "f:4:27: error: parameters.l2: found \"l3\": l3 does not stand before it; expected a "
            "formula of parameters that do\n"
            "f:4:43: error: parameters.sin: sin is a word of formulas; expected another name\n"
            "f:4:51: error: parameters.a-b: found the name \"a-b\"; expected a letter, then "
            "letters, digits or \"_\"\n"
            "f:4:57: error: parameters.x: found \"x\": x does not stand before it; expected a "
            "formula of parameters that do\n"
            "f:6:30: error: joints[0].dh.a: found \"l4\": there is no parameter l4; did you mean "
            "\"l1\"? (known: l1, l2, l3, sin, a-b, x)\n"
            "f:6:37: error: joints[0].dh.d: found \"1/(l1-l1)\": it divides by zero\n"
            "f:6:55: error: joints[0].mass: found \"2kg\": expected an operator after 2");
}

TEST(Parameters, AreNoneWithoutTheirKey) {
  EXPECT_EQ(errors("armdyn: 1\nname: arm\nconvention: modified\njoints:\n"
                   "  - {type: revolute, dh: {a: 2*3}, mass: m1}\n"),
            "f:5:30: error: joints[0].dh.a: found \"2*3\"; expected a length such as 0.4\n"
            "f:5:42: error: joints[0].mass: found \"m1\"; expected a number in kg");
}

TEST(Parameters, OfTheTextbookArmsGiveTheArmsThatTheyWere) {
  const Robot rr = read_robot_file(shipped_robots_folder() + "/craig-rr.yaml").robot;
  EXPECT_EQ(rr.joints[1].dh.a, 0.5);
  EXPECT_EQ(rr.joints[0].body.mass, 4.6);
  EXPECT_EQ(rr.tool.xyz, (Vec3{0.5, 0.0, 0.0}));
  const Robot rods = read_robot_file(shipped_robots_folder() + "/two-link-rods.yaml").robot;
  EXPECT_EQ(rods.joints[1].body.com, (Vec3{-0.5, 0.0, 0.0}));
  EXPECT_EQ(rods.joints[1].body.inertia.zz, 0.0833333);
}

}  // namespace
}  // namespace armdyn
