// What a verb says of an input that is too large, too long or of another kind than it takes, and
// that one at the limit is taken.

#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class LimitsOfWork : public ::testing::Test {
 protected:
  /// Two joints, with further keys of the first and of the file.
  void arm(const std::string& mass, const std::string& keys = "") const {
    shell.write("arm.yaml",
                "armdyn: 1\nname: two\nconvention: standard\nparameters: {l: 1, k: 2}\njoints:\n"
                "  - {type: revolute, dh: {a: l, alpha: 0, d: 0, theta: 0}, mass: " +
                    mass +
                    ", com: [0.1, 0, 0]}\n"
                    "  - {type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: 2, com: "
                    "[0.1*k, 0, 0]}\n" +
                    keys);
  }
  void expect(const std::string& command, int exit_code, const std::string& said) const {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, exit_code) << command << "\n" << outcome.err;
    EXPECT_NE((outcome.out + outcome.err).find(said), std::string::npos)
        << command << "\n"
        << outcome.out.substr(0, 1000) << outcome.err;
  }

  const Shell shell;
};

TEST_F(LimitsOfWork, OfRowsCountFromTheBeginningOfTheMotion) {
  arm("1");
  shell.write("via.csv", "t,q1,q2\n5,0,0\n6,0.5,0.1\n7,0,0\n");
  const std::string verb =
      "$armdyn trajectory arm.yaml --via via.csv --rate 10 -o o.csv --max-rows ";
  expect(verb + "20", 0, "t = 5 to 7 s");
  expect(verb + "19", 2, "2 s at 10 Hz are 20 rows; lower --rate, or raise --max-rows above 19");
}

TEST_F(LimitsOfWork, OfFormulasAreNamed) {
  const std::string sheet = "$armdyn equations craig-rr --verify s.txt";
  shell.write("s.txt", "G2 = m2 l2 g c12\n" + std::string(300'000 - 17, ' '));
  expect(sheet, 0, "G2");
  shell.write("s.txt", "G2 = m2 l2 g c12\n" + std::string(300'001 - 17, ' '));
  expect(sheet, 3, "s.txt: more than 300 kB are no sheet of formulas");
  std::string joints;
  for (int i = 0; i < 120; ++i) {
    joints +=
        "  - {type: revolute, dh: {a: 0.1, alpha: 0.3, d: 0.1, theta: 0}, mass: 1, com: [0.1, 0, "
        "0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n";
  }
  shell.write("long.yaml", "armdyn: 1\nname: long\nconvention: standard\njoints:\n" + joints);
  expect("$armdyn equations long.yaml --format c --what M -o x.c", 2,
         "equations: long has 120 joints, too many for this to be written out");
  expect("$armdyn equations puma560 --what cartesian", 2,
         "Cartesian forms are for arms of up to three joints; inspect has values");
}

TEST_F(LimitsOfWork, OfParametersInFormulasAreSaidWithTheirReason) {
  const auto expect_number = [this](const std::string& mass, const std::string& reason) {
    arm(mass);
    expect("$armdyn equations arm.yaml --what M --symbols l,k", 0,
           "warning: taken as a number: " + mass + ": " + reason + "\n");
  };
  expect_number("sqrt(1/l)", "its root is no polynomial");
  expect_number("sqrt(l^2+1)", "its root is no polynomial");
  expect_number("(l^16)^16", "its powers are too high");
  expect_number("l^17", "its power is not a whole number of at most 16");
  expect_number("l^0.5", "its power is not a whole number of at most 16");
  for (const std::string mass : {"l^16", "sqrt(4*l^2)", "1/l"}) {
    arm(mass);
    const Outcome outcome = shell.run("$armdyn equations arm.yaml --what M --symbols l,k");
    EXPECT_EQ(outcome.err.find("taken as a number"), std::string::npos) << outcome.err;
  }
}

TEST_F(LimitsOfWork, OfKindsOfInputsAreNamed) {
  arm("1");
  expect("mkfifo p.npy; (echo t >p.npy &) ; timeout 20 $armdyn torque arm.yaml p.npy", 3,
         "p.npy: is a pipe or device; NumPy arrays are read from regular files, and text from a "
         "name that does not end in .npy");
  shell.write("t.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n-1e308,0,0,0,0,0,0\n1e308,0,0,0,0,0,0\n");
  expect("$armdyn torque arm.yaml t.csv", 5,
         "t.csv:3: the time since the row before is not a finite number: t is too large");
  expect("$armdyn inspect arm.yaml --q 1.5,0 --linearize --gravity 0,-9.81,0 --sample-time 1e6", 0,
         "the arm diverges within one sample: take a shorter sample time");
  expect("$armdyn robots -o /proc/x.csv", 4, "cannot write /proc/x.csv into folder /proc: ");
}

TEST_F(LimitsOfWork, OfMotorsHaveANumberForEach) {
  for (const std::string limits : {"torque: [1]", "torque: [1, 2, 3]", "velocity: [1]"}) {
    arm("1", "couplings:\n  - {motors: [1, 2], matrix: [[40, 5], [-25, 30]], limits: {" + limits +
                 "}}\n");
    const std::string key = limits.substr(0, limits.find(':'));
    const std::string count = limits.find('3') == limits.npos ? "1 entry" : "3 entries";
    expect("$armdyn check arm.yaml", 1,
           "error: couplings[0].limits." + key + ": found " + count +
               "; expected a list of numbers in " + (key == "torque" ? "N·m" : "rad/s") +
               ", one per motor\n");
  }
}

}  // namespace
}  // namespace armdyn::testing
