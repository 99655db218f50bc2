// What CertifiedTorque says of a torque's error is above the error, and not far above it.

#include <gtest/gtest.h>
#include <armdyn/certified.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "io/robot/robot_text.hpp"
#include "math/digits50.hpp"
#include "model/file_accuracy.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_fields.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

using Exact = Digits50::Number;

double ulp(double x) {
  return std::nextafter(std::abs(x), std::numeric_limits<double>::infinity()) - std::abs(x);
}

struct State {
  std::vector<double> q, qd, qdd;
  Wrench wrench;
};

/// The torques of the links by plain 50-digit numbers, from the robot's doubles.
std::vector<Exact> exact_torques(const Robot& robot, const State& x) {
  const Arm arm = normalize(robot);
  const ArmOf<Digits50> constants = proximal_form<Digits50>(robot);
  const std::vector<Digits50> q(x.q.begin(), x.q.end()), qd(x.qd.begin(), x.qd.end()),
      qdd(x.qdd.begin(), x.qdd.end());
  const ForceAndMoment<Digits50> wrench = constant<Digits50>(x.wrench);
  std::vector<LinkState<Digits50>> links(arm.dof());
  std::vector<Digits50> tau(arm.dof());
  newton_euler<Digits50>(constants, q, qd, qdd, &wrench, links, tau);
  std::vector<Exact> result;
  for (const Digits50& each : tau) result.push_back(each.number());
  return result;
}

void expect_tight_bounds(const Robot& robot, const State& x, const std::string& what) {
  const Arm arm = normalize(robot);
  const std::vector<double> tau = torque(arm, {x.q, x.qd, x.qdd}, x.wrench);
  std::vector<double> bounds(tau.size());
  CertifiedTorque certified(robot, InputAccuracy::none);
  certified.set({x.q, x.qd, x.qdd}, x.wrench);
  certified.errors(tau, bounds);
  const std::vector<Exact> truth = exact_torques(robot, x);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const Exact error = abs(Exact(truth[i] - Exact(tau[i])));
    EXPECT_GE(Exact(bounds[i]), error) << what << ", joint " << i + 1;
    EXPECT_LE(bounds[i], 1.1 * error.convert_to<double>() + ulp(tau[i]))
        << what << ", joint " << i + 1;
  }
}

TEST(ErrorBounds, AreAboveTheErrorAndAtMostATenthMore) {
  for (const std::size_t dof : {1U, 2U, 3U, 6U, 7U, 12U, 48U}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      RandomArm random(100 * dof + seed);
      const Robot robot = random.robot(dof);
      // Ordinary states, ones so fast that little is left of gravity, and ones at rest.
      for (const double speed : {1.0, 1e6, 0.0}) {
        const State x{random.numbers(dof, 3.0), random.numbers(dof, speed),
                      random.numbers(dof, speed), random.wrench()};
        expect_tight_bounds(robot, x,
                            std::to_string(dof) + " joints, seed " + std::to_string(seed) +
                                ", speed " + std::to_string(speed));
      }
    }
  }
}

TEST(ErrorBounds, HoldWhereLengthsAndMassesAreOfVeryDifferentSizes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomArm random(seed);
    Robot robot = random.robot(6);
    double size = 1e-9;
    for (Joint& joint : robot.joints) {
      joint.dh.a *= size;
      joint.dh.d /= size;
      joint.body.mass /= size;
      size *= 30.0;
    }
    const State x{random.numbers(6, 1e4), random.numbers(6, 100.0), random.numbers(6, 1.0), {}};
    expect_tight_bounds(robot, x, "seed " + std::to_string(seed));
  }
}

// Torques by another program, from the decimals of the files, with friction and rotors: 17 digits.
TEST(ErrorBounds, HoldAgainstTheReferenceCases) {
  for (const std::string name : {"cart_pole", "puma560_standard", "rr_craig"}) {
    const Robot robot = read_robot_file(test_data() + "/cases/robots/" + name + ".yaml").robot;
    const std::size_t n = robot.dof();
    CertifiedTorque certified(robot, InputAccuracy::file);
    for (const std::string kind : {".csv", "_corner.csv", "_wrench.csv"}) {
      const CaseTable table(name + kind);
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::vector<double> q = table.joints("q", n, row), qd = table.joints("qd", n, row),
                                  qdd = table.joints("qdd", n, row);
        const Wrench wrench = table.wrench(row);
        const std::vector<double> truth = table.joints("tau", n, row);
        const std::vector<double> tau = torque(normalize(robot), {q, qd, qdd}, wrench);
        std::vector<double> bounds(n);
        certified.set({q, qd, qdd}, wrench);
        certified.errors(tau, bounds);
        for (std::size_t i = 0; i < n; ++i) {
          // The motion's decimals were read into doubles, too: each by half an ulp, which a bound
          // for these doubles leaves out. A program that differentiates tells how much that is.
          const double read = 4e-15 * (1.0 + std::abs(truth[i]));
          EXPECT_LE(std::abs(tau[i] - truth[i]), bounds[i] + read) << name << kind << row << i;
          EXPECT_LT(bounds[i], 1e-12) << name << kind << row << i;
        }
      }
    }
  }
}

/// A number with as many decimals, anywhere within half a unit of its last one.
class Shaken {
 public:
  explicit Shaken(std::uint64_t seed) : random_(seed) {}
  void operator()(double& x, double half_unit) {
    if (x != 0.0) x += half_unit * (2.0 * uniform_(random_) - 1.0);
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_;
};

/// Two decimals for lengths, angles and masses, three for inertias, one for friction.
Robot rounded_arm() {
  Robot robot;
  robot.name = "rounded";
  robot.gravity = {0.0, 0.0, -9.81};
  for (int i = 0; i < 4; ++i) {
    Joint joint;
    joint.name = "j" + std::to_string(i);
    joint.type = i == 2 ? JointType::prismatic : JointType::revolute;
    joint.dh = {0.31 + 0.11 * i, 0.37 - 0.29 * i, 0.23, 0.59};
    joint.body = {
        4.37 - 0.81 * i, {0.11, -0.07, 0.13}, {0.123, 0.217, 0.159, 0.011, -0.013, 0.017}};
    joint.friction.viscous = 0.7;
    joint.friction.coulomb = {1.3, 1.7};
    joint.motor.rotor_inertia = 0.03;
    joint.motor.gear_ratio = 7.1;
    robot.joints.push_back(joint);
  }
  robot.payload = {1.91, {0.03, 0.01, 0.07}, {0.011, 0.013, 0.017, 0.0, 0.0, 0.0}};
  // As a file has them: decimals of two places, not sums of such.
  for (Joint& joint : robot.joints) {
    for (double* x : {&joint.dh.a, &joint.dh.alpha, &joint.dh.d, &joint.body.mass}) {
      *x = std::round(*x * 100.0) / 100.0;
    }
  }
  return robot;
}

Robot shaken_arm(std::uint64_t seed) {
  Robot robot = rounded_arm();
  Shaken shake(seed);
  const auto shake_body = [&](MassProperties& body) {
    shake(body.mass, 0.005);
    for (double* x : {&body.com.x, &body.com.y, &body.com.z}) shake(*x, 0.005);
    SymMat3& I = body.inertia;
    for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.yz, &I.xz}) shake(*x, 0.0005);
  };
  shake(robot.gravity.z, 0.005);
  for (Joint& joint : robot.joints) {
    for (double* x : {&joint.dh.a, &joint.dh.alpha, &joint.dh.d, &joint.dh.theta}) shake(*x, 0.005);
    shake_body(joint.body);
    shake(joint.friction.viscous, 0.05);
    shake(joint.friction.coulomb.positive, 0.05);
    shake(joint.friction.coulomb.negative, 0.05);
    shake(joint.motor.rotor_inertia, 0.005);
    shake(joint.motor.gear_ratio, 0.05);
  }
  shake_body(robot.payload);
  return robot;
}

TEST(ErrorBounds, OfDecimalsCoverEveryArmThatRoundsToThem) {
  const Robot robot = parse_robot_file(robot_yaml(rounded_arm(), "test"), "rounded.yaml").robot;
  const std::size_t n = robot.dof();
  RandomArm random(7);
  for (int k = 0; k < 5; ++k) {
    const State x{random.numbers(n, 2.0), random.numbers(n, 1.5), random.numbers(n, 2.0), {}};
    const std::vector<double> tau = torque(normalize(robot), {x.q, x.qd, x.qdd}, x.wrench);
    std::vector<double> bounds(n), largest(n);
    CertifiedTorque certified(robot, InputAccuracy::decimal);
    certified.set({x.q, x.qd, x.qdd}, x.wrench);
    certified.errors(tau, bounds);
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      const std::vector<double> other =
          torque(normalize(shaken_arm(seed)), {x.q, x.qd, x.qdd}, x.wrench);
      for (std::size_t i = 0; i < n; ++i) {
        largest[i] = std::max(largest[i], std::abs(other[i] - tau[i]));
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LE(largest[i], bounds[i]) << i;
      // Of some fifty numbers that are shaken at once few reach far together: a sum of independent
      // errors is about a quarter of the sum of their bounds at the most.
      EXPECT_GE(largest[i], 0.15 * bounds[i]) << i;
    }
  }
}

TEST(ErrorBounds, TakeNumbersThatStandInNoFileAsTheyAre) {
  const Robot robot = rounded_arm();
  RandomArm random(8);
  const State x{random.numbers(4, 2.0), random.numbers(4, 1.5), random.numbers(4, 2.0), {}};
  const std::vector<double> tau = torque(normalize(robot), {x.q, x.qd, x.qdd});
  const auto bounds = [&](const Robot& arm, InputAccuracy input) {
    std::vector<double> errors(tau.size());
    CertifiedTorque certified(arm, input);
    certified.set({x.q, x.qd, x.qdd}, {});
    certified.errors(tau, errors);
    return errors;
  };
  const std::vector<double> exact = bounds(robot, InputAccuracy::none);
  EXPECT_EQ(bounds(robot, InputAccuracy::decimal), exact);
  EXPECT_EQ(bounds(robot, InputAccuracy::file), exact);
  // What was read and is another number now is no number of the file.
  Robot changed = parse_robot_file(robot_yaml(robot, "test"), "rounded.yaml").robot;
  for_each_number([](const std::string& /*path*/, const RobotField& /*field*/,
                     double& number) { number *= 1.25; },
                  changed);
  EXPECT_EQ(bounds(changed, InputAccuracy::decimal), bounds(changed, InputAccuracy::none));
}

TEST(ErrorBounds, AreInfiniteWhereNothingIsKnown) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Robot robot = read_robot_file(shipped_robots_folder() + "/craig-rr.yaml").robot;
  std::vector<double> bounds(2);
  const std::vector<double> unbounded{infinity, infinity}, zero(2);
  CertifiedTorque certified(robot, InputAccuracy::decimal);
  certified.errors(zero, bounds);
  EXPECT_EQ(bounds, unbounded) << "before any state";
  for (const double q : {1e300, std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<double> at(2, q);
    certified.set({at, at, at}, {});
    certified.errors(zero, bounds);
    EXPECT_EQ(bounds, unbounded) << q;
  }
  certified.set({zero, zero, zero}, {});
  certified.errors(std::vector(2, std::numeric_limits<double>::quiet_NaN()), bounds);
  EXPECT_EQ(bounds, unbounded) << "of no number";
}

/// Torques of the same arm with other numbers.
void expect_within_bounds(const Robot& robot, const Robot& other, const State& x) {
  const std::vector<double> tau = torque(normalize(robot), {x.q, x.qd, x.qdd});
  const std::vector<double> changed = torque(normalize(other), {x.q, x.qd, x.qdd});
  std::vector<double> bounds(tau.size());
  CertifiedTorque certified(robot, InputAccuracy::decimal);
  certified.set({x.q, x.qd, x.qdd}, {});
  certified.errors(tau, bounds);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    EXPECT_LT(bounds[i], 1e3) << "joint " << i + 1;
    EXPECT_LE(std::abs(changed[i] - tau[i]), bounds[i]) << "joint " << i + 1;
  }
}

// A slope of 40 s/rad is one of 39.5 to 40.5, gears of 45 and 32 are of 44.5 to 45.5 and 31.5 to 32.5.
TEST(ErrorBounds, CoverTheDecimalsOfASteepSigmoidAndOfCoupledMotors) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/staubli-tx40.yaml").robot;
  FileAccuracy accuracy = *robot.file_accuracy;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    robot.joints[i].friction.sigmoid = {2.5, 40.0, 0.1};
    const std::string path = "joints[" + std::to_string(i) + "].friction.sigmoid.slope";
    accuracy.numbers[path] = {.value = 40.0, .half_unit = 0.5};
  }
  robot.file_accuracy = std::make_shared<const FileAccuracy>(accuracy);
  RandomArm random(9);
  for (int round = 0; round < 40; ++round) {
    const State x{random.numbers(6, 3.0), random.numbers(6, 3.0), random.numbers(6, 5.0), {}};
    const std::vector<double> by = random.numbers(6, 0.5);
    Robot other = robot;
    for (Joint& joint : other.joints) joint.friction.sigmoid.slope += by[0];
    std::vector<double>& matrix = other.couplings.front().matrix;
    matrix[0] += by[1];
    matrix[2] += by[2];
    matrix[3] += by[3];
    expect_within_bounds(robot, other, x);
  }
}

}  // namespace
}  // namespace armdyn::testing
