// armdyn equations, as a user runs it: what it writes is compiled or run, and compared.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

constexpr const char* strict_c =
    "${CC:-cc} -std=c99 -Wall -Wextra -pedantic -Wconversion -Werror -O0 ";

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

bool runs(const Shell& shell, const std::string& command) {
  return shell.run(command).exit_code == 0;
}

/// Writes code and its self-test into x.ENDING and x_check.ENDING, and runs that.
void expect_right(const Shell& shell, const std::string& arguments, const std::string& ending,
                  const std::string& run) {
  const Outcome outcome = shell.run("$armdyn equations " + arguments + " --check --quiet -o x." +
                                    ending + " && " + run);
  EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.out << outcome.err;
}

const std::string compile_and_run = strict_c + std::string("x.c x_check.c -lm -o x && ./x");

class EquationsInC : public ::testing::TestWithParam<const char*> {};

TEST_P(EquationsInC, AreThoseOfTheLibraryForEveryShippedArm) {
  const Shell shell;
  for (const std::string& robot : shipped_names()) {
    for (const char* const precision : {"double", "float"}) {
      expect_right(shell, robot + " --format c --what " + GetParam() + " --precision " + precision,
                   "c", compile_and_run);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Whats, EquationsInC,
                         ::testing::Values("torque", "M", "V", "G", "forward", "jacobian",
                                           "regressor", "forward-kinematics"));

TEST(Equations, InCAreCleanWithClangToo) {
  const Shell shell;
  if (!runs(shell, "clang --version")) GTEST_SKIP() << "clang is not installed";
  expect_right(shell, "puma560 --format c", "c", "CC=clang; " + compile_and_run);
}

TEST(Equations, TakeTheNumbersOfTheLinksAsInputs) {
  const Shell shell;
  for (const char* const robot : {"puma560", "stanford --payload 1.5,0.1,0.2,0.3", "craig-rp"}) {
    for (const char* const what : {"torque", "M", "forward"}) {
      expect_right(shell, std::string(robot) + " --format c --symbols all --what " + what, "c",
                   compile_and_run);
    }
  }
  expect_right(shell, "puma560 --format c --symbols m3,cx3,Iyy2", "c", compile_and_run);

  // Another payload is another mass and center of the last link.
  const Outcome outcome = shell.run(
      "$armdyn equations craig-rr --format c --symbols m2 --what G -o g.c --quiet && "
      "$armdyn equations craig-rr --format c --what G -o x.c --quiet && "
      "cat > main.c <<'E'\n#include \"g.c\"\n#include <stdio.h>\n"
      "int main(void) { double q[2] = {0.3, 0.4}, a[2], b[2]; craig_rr_gravity_parameters p = "
      "{1.0};\n"
      "craig_rr_gravity(&p, q, a); p.m2 = 3.0; craig_rr_gravity(&p, q, b);\n"
      "printf(\"%.12g %.12g\\n\", b[1] / a[1], a[1]); return 0; }\nE\n" +
      std::string(strict_c) + "main.c -lm -o x && ./x");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, 2), "3 ");  // G of the last link is proportional to its mass
}

TEST(Equations, TakeTheParametersOfTheFileAsInputs) {
  const Shell shell;
  // Lengths and angles of the table, moments about the origin, gravity: all by formulas.
  shell.write("arm.yaml",
              "armdyn: 1\nname: arm\nconvention: standard\nangle_unit: deg\n"
              "parameters: {l: 0.5, m: 3, twist: 20, k: m*l^2/12, g: 9.81}\n"
              "gravity: [0, -g, 0]\ntool: {xyz: [l/4, 0, 0]}\njoints:\n"
              "  - {type: revolute, dh: {a: l, alpha: twist/2, d: 0.1, theta: 0}, mass: m,\n"
              "     com: [-l/2, 0, 0.01], inertia_about: origin,\n"
              "     inertia: {xx: 0.3, yy: k+m*l^2/4, zz: 0.3+k+m*l^2/4}}\n"
              "  - {type: prismatic, dh: {a: l/2, alpha: -twist, d: 0, theta: 30}, mass: m/2,\n"
              "     com: [0, l/8, 0], inertia: {xx: 0.3, yy: 0.3, zz: 0.5, xy: k/9}}\n"
              "  - {type: revolute, dh: {a: l, alpha: 0, d: l, theta: 0}, mass: 1,\n"
              "     com: [-l/2, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}}\n");
  shell.write("motion.csv",
              "q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n0.3,0.2,-0.7,1.5,-0.4,2,-3,2,5\n");
  const auto expect_equal = [&](const std::string& names, const std::string& values,
                                const std::string& set) {
    shell.write(
        "main.c",
        "#include <stdio.h>\n#include \"arm.c\"\nint main(void) {\n"
        "  const double q[] = {0.3, 0.2, -0.7}, qd[] = {1.5, -0.4, 2}, qdd[] = {-3, 2, 5};\n"
        "  const arm_torque_parameters p = {" +
            values +
            "};\n  double tau[3];\n"
            "  arm_torque(&p, q, qd, qdd, tau);\n"
            "  printf(\"tau1,tau2,tau3\\n%.17g,%.17g,%.17g\\n\", tau[0], tau[1], tau[2]);\n"
            "  return 0;\n}\n");
    const Outcome code =
        shell.run("$armdyn equations arm.yaml --format c --payload 0.4,0.1,0.2,0 --symbols " +
                  names + " -o arm.c --quiet && " + strict_c + "main.c -lm -o x && ./x");
    const Outcome run =
        shell.run("$armdyn torque arm.yaml motion.csv --payload 0.4,0.1,0.2,0 " + set + " --quiet");
    ASSERT_EQ(code.exit_code + run.exit_code, 0) << code.err << run.err;
    const CsvColumns found = csv_columns(code.out), expected = csv_columns(run.out);
    for (const char* const tau : {"tau1", "tau2", "tau3"}) {
      EXPECT_NEAR(found.at(tau)[0], expected.at(tau)[0], 1e-12) << names << " " << values;
    }
  };
  expect_equal("l,m,twist,k,g", "0.5, 3, 20, 0.0625, 9.81", "");
  expect_equal("l,m,twist,k,g", "0.7, 2, 25, 0.09, 3", "--set l=0.7,m=2,twist=25,k=0.09,g=3");
  expect_equal("l,twist", "0.6, -10", "--set l=0.6,twist=-10");
  expect_equal("m,a3,cx1", "3, 0.5, -0.25", "");
  expect_equal("g", "1.62", "--set g=1.62");
}

/// All kinds of joints, drives and frames, and a payload.
constexpr const char* arm_with_everything = R"(armdyn: 1
name: mixed
convention: standard
gravity: [1, -2, -9]
base: {xyz: [0.1, 0, 0.3], rpy: [0.2, -0.4, 0.9]}
joints:
  - {type: revolute, dh: {a: 0.31, alpha: 0.7, d: 0.2, theta: 0.3}, mass: 3.1,
     com: [-0.1, 0.02, 0.05], inertia: {xx: 0.2, yy: 0.3, zz: 0.4, xy: 0.01, yz: 0.02, xz: -0.03},
     friction: {viscous: 0.7, coulomb: [2.5, 1.5], static: [4, 2], stribeck_velocity: 0.8,
                ripple: {amplitude: 0.2, harmonic: 3, phase: 0.4}},
     motor: {rotor_inertia: 2.0e-4, gear_ratio: -60, viscous: 3.0e-4, coulomb: [0.02, 0.03]}}
  - {type: prismatic, dh: {a: 0.1, alpha: -1.1, d: 0.4, theta: 0.6}, mass: 2.2,
     com: [0.03, -0.04, -0.2], inertia: {xx: 0.11, yy: 0.12, zz: 0.05, xz: 0.01},
     friction: {viscous: 3, coulomb: 5, ripple: {amplitude: 0.3, harmonic: 7, phase: -0.2}},
     motor: {rotor_inertia: 1.0e-4, gear_ratio: 90}}
  - {type: revolute, dh: {a: 0.25, alpha: 1.2, d: -0.1, theta: -0.2}, mass: 1.4,
     com: [-0.12, 0.01, 0.03], inertia: {xx: 0.02, yy: 0.03, zz: 0.04, yz: 0.004},
     friction: {viscous: 0.2}, motor: {rotor_inertia: 1.0e-5, viscous: 2.0e-5, coulomb: 0.01}}
  - {type: revolute, dh: {a: 0, alpha: 0, d: 0.15, theta: 0}, mass: 0.6, com: [0.01, 0.02, -0.03],
     inertia: {xx: 0.003, yy: 0.002, zz: 0.001},
     friction: {sigmoid: {amplitude: 0.9, slope: 6, offset: 0.1}},
     motor: {rotor_inertia: 2.0e-5, viscous: 1.0e-5, coulomb: [0.02, 0.01]}}
couplings:
  - {motors: [3, 4], matrix: [[40, 5], [-25, 30]]}
tool: {xyz: [0.05, 0.02, 0.1], rpy: [0.3, 0.1, -0.5]}
payload: {mass: 1.3, com: [0.02, 0, 0.04], inertia: {xx: 0.01, yy: 0.02, zz: 0.015, xy: 0.001}}
)";

/// 0.4, -0.7, 1.0, … for the joints of one group.
std::string numbers_of_group(std::size_t n, double first) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    text += (i == 0 ? "" : ",") +
            std::to_string((first + 0.3 * static_cast<double>(i)) * (i % 2 == 0 ? 1.0 : -1.0));
  }
  return text;
}

// Entry by entry what the library has, and the torques that Newton and Euler have.
TEST(Equations, TheRegressorTimesTheParametersOfItsColumnsIsTheTorque) {
  const Shell shell;
  shell.write("mixed.yaml", arm_with_everything);
  for (const std::string arm : {"mixed.yaml", "staubli-tx40", "puma560 --payload 1.5,0.1,0.2,0.3",
                                "craig-rp --gravity 1,2,3", "franka-panda"}) {
    const auto zero = nlohmann::json::parse(shell.run("$armdyn inspect " + arm + " --json").out);
    const std::size_t n = zero["q"].size();
    const std::string q = numbers_of_group(n, 0.4), qd = numbers_of_group(n, -1.2),
                      qdd = numbers_of_group(n, 2.1);
    const auto inspected = nlohmann::json::parse(shell
                                                     .run("$armdyn inspect " + arm +
                                                          " --what regressor --json --q=" + q +
                                                          " --qd=" + qd + " --qdd=" + qdd)
                                                     .out);
    const auto& parameters = inspected["parameters"];
    const std::size_t count = parameters.size();
    shell.write("main.c",
                "#include <stdio.h>\n#include \"x.c\"\nint main(void) {\n  const double q[] = {" +
                    q + "}, qd[] = {" + qd + "}, qdd[] = {" + qdd + "};\n  double Y[" +
                    std::to_string(n * count) + "];\n  int i;\n  FUNCTION(q, qd, qdd, Y);\n" +
                    "  for (i = 0; i < " + std::to_string(n * count) +
                    "; ++i) printf(\"%.17g\\n\", Y[i]);\n  return 0;\n}\n");
    const Outcome code = shell.run(
        "$armdyn equations " + arm + " --what regressor --format c -o x.c --quiet && " + strict_c +
        "-DFUNCTION=$(sed -n 's/^void \\(.*\\)(.*;/\\1/p' x.c) main.c -lm -o x && ./x");
    ASSERT_EQ(code.exit_code, 0) << arm << code.err;
    EXPECT_EQ(shell.read("x.c").find("·"), std::string::npos);  // units as any editor shows them
    std::istringstream found(code.out);
    std::string header, row;
    for (const auto& [name, values] :
         {std::pair{"q", q}, std::pair{"qd", qd}, std::pair{"qdd", qdd}}) {
      for (std::size_t i = 1; i <= n; ++i) {
        header += (header.empty() ? "" : ",") + std::string(name) + std::to_string(i);
      }
      row += (row.empty() ? "" : ",") + values;
    }
    shell.write("motion.csv", header + "\n" + row + "\n");
    const CsvColumns torques =
        csv_columns(shell.run("$armdyn torque " + arm + " motion.csv --quiet").out);
    const std::string text = shell.read("x.c");
    for (std::size_t i = 0; i < n; ++i) {
      double tau = 0.0, scale = 1.0;
      for (std::size_t k = 0; k < count; ++k) {
        const std::string name = parameters[k]["name"];
        const double pi = parameters[k]["value"];
        const double expected = inspected["regressor"][i][k];
        double entry = 0.0;
        found >> entry;
        EXPECT_NEAR(entry, expected, 1e-12 * std::max(1.0, std::abs(expected)))
            << arm << ": " << name << " at joint " << i + 1;
        EXPECT_NE(text.find("\n * " + std::to_string(k) + ": " + name + " = "), std::string::npos)
            << name;
        tau += entry * pi;
        scale = std::max(scale, std::abs(entry * pi));
      }
      EXPECT_NEAR(tau, torques.at("tau" + std::to_string(i + 1))[0], 1e-12 * scale) << arm;
    }
  }
}

TEST(Equations, InCAreThoseOfTheLibraryForEachKindOfDrive) {
  const Shell shell;
  shell.write("mixed.yaml", arm_with_everything);
  for (const std::string what : {"torque", "V", "G", "M", "forward"}) {
    expect_right(shell, "mixed.yaml --format c --what " + what, "c", compile_and_run);
  }
}

TEST(Equations, TheRegressorTakesLengthsAndGravityAsInputs) {
  const Shell shell;
  shell.write("mixed.yaml", arm_with_everything);
  expect_right(shell, "mixed.yaml --format c --what regressor --symbols a1,d3,zt", "c",
               compile_and_run);
  expect_right(shell, "craig-rr --format c --what regressor --symbols a1,g", "c", compile_and_run);
}

TEST(Equations, OfOneJointHaveNoVelocityTerm) {
  const Shell shell;
  shell.write(
      "one.yaml",
      "armdyn: 1\nname: one\nconvention: modified\njoints:\n  - {type: revolute, mass: 1.7, "
      "dh: {a: 0.31, alpha: 0.7, d: 0.2, theta: 0.3}, com: [0.13, -0.07, 0.11], "
      "inertia: {xx: 0.2, yy: 0.3, zz: 0.4, xy: 0.01, yz: 0.02, xz: 0.03}}\n");
  for (const char* const symbols : {"none", "all"}) {
    expect_right(shell, "one.yaml --format c --what V --symbols " + std::string(symbols), "c",
                 compile_and_run);
  }
}

TEST(Equations, ASelfTestFindsAWrongNumber) {
  const Shell shell;
  // Rotors are 10⁴ times what links are in the PUMA's regressor.
  for (const std::string what : {"torque", "regressor", "regressor --precision float"}) {
    const Outcome outcome =
        shell.run("$armdyn equations puma560 --format c --check --quiet --what " + what +
                  " -o x.c && sed -i 's/9[.]81/9.82/' x.c && " + compile_and_run);
    EXPECT_EQ(outcome.exit_code, 1) << what << outcome.out << outcome.err;
  }
}

TEST(Equations, InPythonAreThoseOfTheLibraryForEveryShippedArm) {
  const Shell shell;
  std::string python;
  for (const char* const candidate : {"python3", "/usr/bin/python3"}) {
    if (runs(shell, candidate + std::string(" -c 'import numpy'"))) python = candidate;
  }
  if (python.empty()) GTEST_SKIP() << "NumPy is not installed";
  for (const std::string& robot : shipped_names()) {
    expect_right(shell, robot + " --format python", "py", python + " x_check.py");
  }
  for (const char* const what :
       {"M", "V", "G", "forward", "regressor", "forward-kinematics", "jacobian"}) {
    expect_right(shell, "stanford --format python --what " + std::string(what), "py",
                 python + " x_check.py");
    expect_right(
        shell,
        "puma560 --format python --precision float --symbols all --what " + std::string(what), "py",
        python + " x_check.py");
  }
  EXPECT_TRUE(runs(shell, python + " -c \"import runpy, numpy\n"
                                   "J = runpy.run_path('x.py')['puma560_jacobian']\n"
                                   "assert J(numpy.zeros(6)).shape == (6, 6)\n"
                                   "assert J(numpy.zeros((4, 3, 6))).shape == (4, 3, 6, 6)\""));
}

TEST(Equations, OfMechanismsAreThoseOfTheLibrary) {
  const Shell shell;
  for (const char* const robot :
       {"five-bar-spong", "palletizer", "dual-arm-planar", "scara-quill", "balanced-link"}) {
    for (const char* const what : {"torque", "M", "V", "G", "forward", "jacobian", "regressor"}) {
      for (const char* const symbols : {"", " --symbols all"}) {
        expect_right(shell, robot + std::string(" --format c --what ") + what + symbols, "c",
                     compile_and_run);
      }
    }
  }
}

TEST(Equations, InOctaveAreThoseOfTheLibraryForEveryShippedArm) {
  const Shell shell;
  if (!runs(shell, "octave-cli --version")) GTEST_SKIP() << "Octave is not installed";
  std::string lines;
  int files = 0;
  const auto add = [&](const std::string& arguments) {
    const std::string name = "x" + std::to_string(++files);
    lines += "$armdyn equations " + arguments + " --format matlab --check --quiet -o " + name +
             ".m && echo " + name + "_check >> every.m || exit 2\n";
  };
  for (const std::string& robot : shipped_names()) add(robot);
  for (const char* const what :
       {"M", "V", "G", "forward", "regressor", "forward-kinematics", "jacobian"}) {
    add("stanford --what " + std::string(what));
    add("puma560 --precision float --symbols all --what " + std::string(what));
  }
  const Outcome outcome = shell.run(lines + "octave-cli --norc -q every.m");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST(Equations, InJavaScriptAreThoseOfTheLibraryForEveryShippedArm) {
  const Shell shell;
  if (!runs(shell, "node --version")) GTEST_SKIP() << "Node.js is not installed";
  std::string lines;
  int files = 0;
  const auto add = [&](const std::string& arguments) {
    const std::string name = "x" + std::to_string(++files);
    lines += "$armdyn equations " + arguments + " --format javascript --check --quiet -o " + name +
             ".mjs && echo 'import \"./" + name + "_check.mjs\"' >> every.mjs || exit 2\n";
  };
  for (const std::string& robot : shipped_names()) {
    for (const char* const what : {"torque", "M", "forward", "regressor", "forward-kinematics"}) {
      add(robot + " --what " + what);
    }
  }
  for (const char* const what : {"torque", "M", "V", "G", "forward", "regressor", "jacobian"}) {
    add("puma560 --symbols all --what " + std::string(what));
  }
  const Outcome outcome = shell.run(lines + "node every.mjs");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_NE(shell.read("x1.d.mts").find("export declare function"), std::string::npos);
}

/// Other numbers than the file's are an argument, results may go into an array of the caller, and a
/// wrong number is found.
TEST(Equations, InJavaScriptTakeNumbersAsAnArgument) {
  const Shell shell;
  if (!runs(shell, "node --version")) GTEST_SKIP() << "Node.js is not installed";
  const Outcome outcome = shell.run(
      "$armdyn equations craig-rr --symbols m2 --what G --format javascript --check --quiet "
      "-o 'a #%41.js' && echo '{\"type\": \"module\"}' > package.json && node 'a #%41_check.js' && "
      "cp 'a #%41.js' rr.js && node -e 'import(\"./rr.js\").then(({craig_rr_gravity, parameters}) "
      "=> {"
      "const G = new Float64Array(2), p = {...parameters, m2: 2 * parameters.m2};"
      "if (craig_rr_gravity([0.3, 0.7], p, G) !== G) process.exit(3);"
      "console.log(G[0], G[1])})'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto inspected = nlohmann::json::parse(
      shell
          .run("$armdyn convert craig-rr --quiet | sed 's/mass: 2.3/mass: 4.6/' > rr.yaml && "
               "$armdyn inspect rr.yaml --q 0.3,0.7 --json")
          .out);
  std::istringstream found(outcome.out.substr(outcome.out.find('\n') + 1));
  for (std::size_t i = 0; i < 2; ++i) {
    double G = 0.0;
    found >> G;
    EXPECT_NEAR(G, inspected["G"][i].get<double>(), 1e-12);
  }
  EXPECT_EQ(shell.run("sed -i 's/9[.]81/9.82/' 'a #%41.js' && node 'a #%41_check.js'").exit_code,
            1);
}

constexpr const char* strict_cpp =
    " -std=c++11 -Wall -Wextra -pedantic -Wconversion -Wdouble-promotion -Wfloat-conversion "
    "-Werror -O0 -fno-exceptions -fno-rtti ";

TEST(Equations, InCppAreThoseOfTheLibraryForEveryShippedArm) {
  const Shell shell;
  const std::string run = std::string("${CXX:-c++}") + strict_cpp + "x_check.cpp -o x && ./x";
  for (const std::string& robot : shipped_names()) {
    expect_right(shell, robot + " --format cpp", "hpp", run);
  }
  for (const std::string precision : {"double", "float"}) {
    for (const std::string what :
         {"torque", "M", "V", "G", "forward", "regressor", "forward-kinematics", "jacobian"}) {
      expect_right(
          shell, "puma560 --symbols all --format cpp --precision " + precision + " --what " + what,
          "hpp", run);
    }
    shell.write("mixed.yaml", arm_with_everything);
    expect_right(shell, "mixed.yaml --format cpp --precision " + precision, "hpp", run);
  }
}

/// Processors with arithmetic in single precision alone: no double is left at run time.
TEST(Equations, InCppAreCompiledForACortexM) {
  const Shell shell;
  if (!runs(shell, "arm-none-eabi-g++ --version")) {
    GTEST_SKIP() << "arm-none-eabi-g++ is not installed";
  }
  shell.write("main.cpp", R"(#include "x.hpp"
float q[6], qd[6], qdd[6], tau[6];
int main() {
  puma560_torque(q, qd, qdd, tau);
  return 0;
}
)");
  const Outcome outcome = shell.run(
      "$armdyn equations puma560 --format cpp --quiet -o x.hpp && "
      "arm-none-eabi-g++ -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard" +
      std::string(strict_cpp) + "-c main.cpp -o x.o && arm-none-eabi-nm -u x.o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("sinf"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("__aeabi_d"), std::string::npos) << outcome.out;
}

/// A listing's lines are assignments, which Python understands once · is *.
TEST(Equations, AListingGivesTheTorquesOfEveryShippedArm) {
  const Shell shell;
  if (!runs(shell, "python3 --version")) GTEST_SKIP() << "Python is not installed";
  shell.write("run.py", R"(
import math, sys
n = 0
x = {"sin": math.sin, "cos": math.cos, "exp": math.exp,
     "sign": lambda v: (v > 0) - (v < 0)}
names, values = open("motion.csv").read().split()
for name, value in zip(names.split(","), values.split(",")):
    letter = name.rstrip("0123456789")
    x[{"q": "q", "qd": "q\u0307", "qdd": "q\u0308"}[letter] + name[len(letter):]] = float(value)
for line in open("listing.txt", encoding="utf-8"):
    if not line.startswith("#"):
        left, right = line.split(" = ")
        x[left] = eval(right.replace("\u00b7", "*"), {}, x)
expected = [float(v) for v in open("tau.csv").read().split()[1].split(",")]
off = max(abs(x["\u03c4%d" % (i + 1)] - tau) for i, tau in enumerate(expected))
sys.exit(off > 1e-13 * max(abs(tau) for tau in expected))
)");
  for (const std::string& robot : shipped_names()) {
    const auto json = nlohmann::json::parse(shell.run("$armdyn inspect " + robot + " --json").out);
    const std::size_t n = json["q"].size();
    std::string header, row;
    for (const char* const letter : {"q", "qd", "qdd"}) {
      for (std::size_t i = 1; i <= n; ++i) {
        header += (header.empty() ? "" : ",") + std::string(letter) + std::to_string(i);
        row += (row.empty() ? "" : ",") + std::to_string(0.4 + 0.1 * static_cast<double>(i));
      }
    }
    shell.write("motion.csv", header + "\n" + row + "\n");
    const Outcome outcome = shell.run(
        "$armdyn torque " + robot + " motion.csv -o tau.csv --quiet && $armdyn equations " + robot +
        " --format listing -o listing.txt --quiet && "
        "python3 run.py");
    EXPECT_EQ(outcome.exit_code, 0) << robot << "\n" << outcome.err << shell.read("listing.txt");
  }
}

/// Paper 004's statements, carried out as they are written, give what the recursion in proximal frames
/// knows of each link, and the values that stand beside them.
TEST(Equations, InPaper004sArraysGiveTheLinksMotionAndTheTorques) {
  const Shell shell;
  if (!runs(shell, "python3 --version")) GTEST_SKIP() << "Python is not installed";
  shell.write("run.py", R"py(
import json, math, re, sys
state = json.load(open("state.json"))
x = {"sin": math.sin, "cos": math.cos, "pi": math.pi}
for i in range(len(state["q"])):
    x["q%d" % (i + 1)] = state["q"][i]
    x["q\u0307%d" % (i + 1)] = state["qd"][i]
    x["q\u0308%d" % (i + 1)] = state["qdd"][i]
def name(text):
    return re.sub(r"([A-Z]+2?)\(([0-9,]+)\)",
                  lambda m: m[1] + "_" + m[2].replace(",", "_"), text).replace("\u00b7", "*")
seen, wrong = set(), []
def expect(what, found, value, scale):
    if not abs(found - value) <= 1e-12 * scale:
        wrong.append((what, found, value))
for line in open("listing.txt", encoding="utf-8"):
    if line.startswith("#"):
        continue
    statement, _, equation = line.strip().partition("  # ")
    left, right, *value = statement.split(" = ")
    x[name(left)] = eval(name(right), {}, x)
    if value and abs(float(value[0]) - x[name(left)]) > 1e-5 * max(1.0, abs(x[name(left)])):
        wrong.append(line)
    seen.add(equation)
for i, link in enumerate(state["links"]):
    for array, at, key in (("B", i + 2, "omega"), ("CX", i + 2, "omega_dot"), ("H", i + 2, "v_dot"),
                           ("AA", i + 1, "v_c_dot"), ("F", i + 1, "F"), ("AN", i + 1, "N"),
                           ("RF", i + 1, "force"), ("U", i + 1, "moment")):
        for k in range(3):
            expect((array, at, k), x["%s_%d_%d" % (array, k + 1, at)], link[key][k], 100.0)
for i, tau in enumerate(state["tau"]):
    expect(i, x["\u03c4%d" % (i + 1)], tau, 100.0)
definitions = (2, 3, 8, 9, 15, 16, 17, 18, 30)
numbers = {"(3.%d)" % k for k in range(1, 49) if k not in definitions}
if not numbers <= seen:
    wrong.append(sorted(numbers - seen))
print(wrong)
sys.exit(bool(wrong))
)py");
  shell.write("viscous.yaml", R"(armdyn: 1
name: viscous
convention: standard
gravity: [1, -2, -9]
joints:
  - {name: a, type: revolute, dh: {a: 0.2, alpha: 0.7, d: 0.4, theta: -0.3}, mass: 3, com: [-0.1, 0.02, 0.03],
     inertia: {xx: 0.1, yy: 0.2, zz: 0.25, xy: 0.01, yz: -0.02, xz: 0.015}, friction: {viscous: 0.4}}
  - {name: b, type: revolute, dh: {a: 0.3, d: -0.1}, mass: 2, com: [-0.15, 0, 0],
     motor: {gear_ratio: 20, viscous: 0.001}}
payload: {mass: 1, com: [0.02, 0, 0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
)");
  const std::string six =
      " --without friction,rotors --q 0.3,-0.4,0.5,0.6,-0.7,0.8 --qd 1,-0.8,0.6,0.9,-0.5,0.4"
      " --qdd 0.5,1,-0.7,0.3,0.8,-0.6";
  for (const std::string& robot :
       {"six-link-jaeri" + six, "puma560" + six, "ur5e --payload 2,0.1,0,0.05" + six,
        "ur10e --gravity 3,-2,-8" + six,
        std::string("viscous.yaml --q 0.3,1 --qd 2,-1 --qdd 1,3")}) {
    const Outcome outcome = shell.run("$armdyn inspect " + robot +
                                      " --json > state.json && $armdyn equations " + robot +
                                      " --format listing --as paper-004 -o listing.txt && "
                                      "python3 run.py");
    EXPECT_EQ(outcome.exit_code, 0) << robot << "\n" << outcome.out << outcome.err;
  }
  const Outcome line =
      shell.run("$armdyn equations six-link-jaeri --format listing --as paper-004");
  EXPECT_NE(line.out.find("\nB(3,3) = A(1,3,2)·B(1,2) + A(2,3,2)·B(2,2) + A(3,3,2)·(B(3,2) + q̇2)"
                          "  # (3.7)\n"),
            std::string::npos)
      << line.out;
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --format listing --as paper-004").err,
            "armdyn: --as paper-004 needs a standard table with revolute joints only; "
            "craig-rr has another\n");
}

TEST(Equations, AListingNamesQuantitiesAsTheTextsDo) {
  const Shell shell;
  const std::string text = shell.run("$armdyn equations craig-rr --format listing").out;
  EXPECT_NE(text.find("\nω2z = q̇1 + q̇2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("multiplications"), std::string::npos) << text;
}

TEST(Equations, AListingNamesEntriesOfMatricesByRowAndColumn) {
  const Shell shell;
  shell.write("one.yaml",
              "armdyn: 1\nname: one\nconvention: modified\njoints:\n  - {name: turn, type: "
              "revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 2, com: [0.5, 0, 0]}\n");
  const auto listing = [&](const std::string& what) {
    return "\n" + shell.run("$armdyn equations " + what + " --format listing").out;
  };
  EXPECT_NE(listing("one.yaml --what M").find("\nM11 = 0.5\n"), std::string::npos);
  EXPECT_NE(listing("one.yaml --what jacobian").find("\nJ61 = 1\n"), std::string::npos);
  EXPECT_NE(listing("one.yaml --what G").find("\nG1 = "), std::string::npos);
  EXPECT_NE(listing("craig-rr --what M").find("\nM12 = "), std::string::npos);
}

TEST(Equations, ThePumasLinksTakeAQuarterFewerOperationsThanTheProgram) {
  const Shell shell;
  const auto json = nlohmann::json::parse(
      shell.run("$armdyn equations puma560 --format c --without friction,rotors --json -o x.c")
          .out);
  EXPECT_EQ(json["warnings"], nlohmann::json::array());
  const auto& operations = json["operations"];
  EXPECT_LE(operations["multiplications"].get<int>() + operations["additions"].get<int>(),
            (237 + 201) * 3 / 4);
}

TEST(Equations, ThatComeFromARobotWithAnyNameCompile) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn robots show craig-rr | sed \"s|^name:.*|name: '2*/ \\\\\\\\ \\\"\\\"\\\"'|\" > "
      "r.yaml && "
      "$armdyn equations r.yaml --format c --check --quiet -o x.c && " +
      compile_and_run);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << shell.read("r.yaml") << shell.read("x.c");
  EXPECT_NE(shell.read("x.c").find("void arm_2_"), std::string::npos);
}

TEST(Equations, RefusesWhatItCannotWrite) {
  const Shell shell;
  const auto refusal = [&](const std::string& arguments) {
    const Outcome outcome = shell.run("$armdyn equations " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    return outcome.err;
  };
  EXPECT_NE(
      refusal("craig-rr --format c --symbols m9").find("--symbols: craig-rr has no number \"m9\""),
      std::string::npos);
  EXPECT_NE(refusal("siciliano-rr --format c --symbols kr2")
                .find("couplings[0].matrix[1][1] is kr2, and code takes drives as numbers only"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr --format c --symbols l9").find("; its parameters are "),
            std::string::npos);
  shell.write("p.yaml",
              "armdyn: 1\nname: p\nconvention: standard\nparameters: {b: 90, f: 0.3, c12: 2, w: 1, "
              "x: 2}\nangle_unit: deg\njoints:\n"
              "  - {type: revolute, dh: {a: 1, alpha: b, d: 0, theta: 0}, mass: c12, com: [0, 0, "
              "0],\n     inertia: {xx: 1, yy: 1, zz: sqrt(x)}, friction: {viscous: f}}\n"
              "  - {type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0},\n"
              "     shape: {box: [1, 1, 1], density: 3, rpy: [0, 0, w]}}\n");
  EXPECT_NE(
      refusal("p.yaml --format c --symbols b").find("joints[0].dh.alpha is a right angle now"),
      std::string::npos);
  EXPECT_NE(refusal("p.yaml --format c --symbols f")
                .find("joints[0].friction.viscous is f, and code takes drives as numbers only"),
            std::string::npos);
  EXPECT_NE(refusal("p.yaml --format c --symbols w")
                .find("code takes shapes and inertia frames, and of payloads inertia about the "
                      "origin, as numbers only"),
            std::string::npos);
  EXPECT_NE(refusal("p.yaml --format c --symbols x").find("sqrt(x): code has no form for its root"),
            std::string::npos);
  const auto with_mass = [&shell](const std::string& mass) {
    shell.write("m.yaml",
                "armdyn: 1\nname: m\nconvention: standard\nparameters: {known: 4, x: 2}\njoints:\n"
                "  - {type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: " +
                    mass + "}\n");
    return shell.run("$armdyn equations m.yaml --format c --symbols x");
  };
  EXPECT_EQ(with_mass("x * known^0.5").exit_code, 0) << with_mass("x * known^0.5").err;
  EXPECT_EQ(with_mass("x^16").exit_code, 0) << with_mass("x^16").err;
  EXPECT_NE(with_mass("x^17").err.find("which is no whole number of at most 16"), std::string::npos)
      << with_mass("x^17").err;
  EXPECT_NE(refusal("p.yaml --symbols c12").find("the parameter c12 has the name of what"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr --format c --check").find("--check writes a second file"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr --format matlab -o 2-r.m").find("is named like its function"),
            std::string::npos);
  EXPECT_NE(refusal("craig-rr --format listing --precision float").find("apply to code"),
            std::string::npos);
}

}  // namespace
}  // namespace armdyn::testing
