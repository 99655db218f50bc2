// What forward dynamics refuses, what it accepts, and what it says.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "math/linear_algebra.hpp"
#include "support/near.hpp"
#include "support/random_arm.hpp"
#include "support/refused_argument.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn {
namespace {

constexpr ForwardMethod methods[] = {ForwardMethod::composite, ForwardMethod::articulated,
                                     ForwardMethod::strobe};

Joint revolute(double a, MassProperties body) {
  Joint joint;
  joint.dh.a = a;
  joint.body = body;
  return joint;
}

Joint prismatic(MassProperties body) {
  Joint joint;
  joint.type = JointType::prismatic;
  joint.body = body;
  return joint;
}

Robot arm_of(std::vector<Joint> joints) {
  Robot robot;
  robot.convention = Convention::modified;
  robot.joints = std::move(joints);
  return robot;
}

/// The same message by each method; empty where none refuses.
std::string refusal(const Robot& robot, const std::vector<double>& q) {
  const std::vector<double> zero(q.size());
  std::vector<double> qdd(q.size());
  std::string message;
  for (const ForwardMethod method : methods) {
    ForwardDynamics forward(normalize(robot), method);
    const std::string said =
        testing::refused_as<NumericsError>([&] { forward.acceleration(q, zero, zero, {}, qdd); });
    if (method == methods[0]) {
      message = said;
    } else {
      EXPECT_EQ(said, message);
    }
  }
  return message;
}

const MassProperties point_on_axis{2.0, {}, {}};
const MassProperties point_off_axis{2.0, {0.3, 0.0, 0.0}, {}};
const MassProperties nothing{};

/// How joint i moves link i, in the user's frame {i}: angular, then linear.
std::vector<double> motion_of_joint(const Arm& arm, std::size_t i) {
  const Transform& user = arm.user_frame[i];
  const Vec3 z{0.0, 0.0, 1.0};
  const Vec3 along = transposed(user.R) * z, at_origin = transposed(user.R) * cross(z, user.p);
  return arm.links[i].joint == JointType::revolute
             ? std::vector{along.x, along.y, along.z, at_origin.x, at_origin.y, at_origin.z}
             : std::vector{0.0, 0.0, 0.0, along.x, along.y, along.z};
}

// D_i is what drive i feels while all joints beyond it are free: the first entry of the inverse of
// M's rows and columns from i on stands for 1 over it.
TEST(ArticulatedInertias, AreWhatDrivesFeelWithTheJointsBeyondFree) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    testing::RandomArm random(seed);
    const std::size_t n = 2 + seed % 6;
    Robot robot = random.robot(n);
    for (Joint& joint : robot.joints) joint.motor.rotor_inertia = 0.02;
    const Arm arm = normalize(robot);
    const std::vector<double> q = random.numbers(n, 3.0);
    std::vector<double> entries(n * n);
    ForwardDynamics(arm).mass_matrix(q, entries);
    const Eigen::Map<const Eigen::MatrixXd> M(entries.data(), static_cast<Eigen::Index>(n),
                                              static_cast<Eigen::Index>(n));
    const std::vector<ArticulatedInertia> found = articulated_inertias(arm, q);
    for (std::size_t i = 0; i < n; ++i) {
      const auto beyond = static_cast<Eigen::Index>(n - i);
      const double D = 1.0 / inverse(M.bottomRightCorner(beyond, beyond))(0, 0);
      EXPECT_NEAR(found[i].D, D, 1e-9 * D) << seed << ": " << i;
      const std::vector<double> s = motion_of_joint(arm, i);
      testing::expect_near(testing::times(found[i].inertia, s), found[i].U, 1e-11, "U");
      EXPECT_NEAR(testing::dot(s, found[i].U) + 0.02, D, 1e-9 * D);
    }
  }
}

// Two point masses at mid-link (Spong): the outer one, free to turn, resists along its link alone.
TEST(ArticulatedInertias, OfSpongsArmAreThoseWorkedByHand) {
  const Arm arm = normalize(testing::shipped_robot("two-link-spong"));
  const double q2 = 0.7, s = std::sin(q2), c = std::cos(q2);
  const std::vector<ArticulatedInertia> found = articulated_inertias(arm, std::vector{0.3, q2});
  EXPECT_NEAR(found[0].D, 0.25 + s * s, 1e-15);
  EXPECT_NEAR(found[1].D, 0.25, 1e-15);
  // In {1}, at the far end of link 1, link 2 adds its mass along (c, s), and all of it along z.
  const Matrix& I = found[0].inertia;
  EXPECT_NEAR(I(3, 3), 1.0 + c * c, 1e-15);
  EXPECT_NEAR(I(3, 4), c * s, 1e-15);
  EXPECT_NEAR(I(4, 4), 1.0 + s * s, 1e-15);
  EXPECT_NEAR(I(5, 5), 2.0, 1e-15);
  EXPECT_NEAR(I(2, 2), 0.25, 1e-15);
}

TEST(ArticulatedInertias, RefuseCoupledMotors) {
  const Arm arm = normalize(testing::shipped_robot("siciliano-rr"));
  EXPECT_THROW((void)articulated_inertias(arm, std::vector{0.0, 0.0}), std::invalid_argument);
}

TEST(SingularMassMatrix, IsBlamedOnALastLinkThatMovesNoMass) {
  EXPECT_EQ(refusal(arm_of({revolute(0, point_off_axis), revolute(0.5, point_on_axis)}), {0.25, 0}),
            "the mass matrix is singular at q = 0.25, 0: joint 2 can move without moving any mass; "
            "give link 2 inertia about its axis, or its motor a rotor_inertia");
  EXPECT_EQ(refusal(arm_of({prismatic(nothing), prismatic(nothing)}), {0, 0}),
            "the mass matrix is singular at q = 0, 0: joint 2 can move without moving any mass; "
            "give link 2 mass, or its motor a rotor_inertia");
  // The mass slides along the second axis, about which it does not turn.
  EXPECT_EQ(refusal(arm_of({revolute(0, point_off_axis), revolute(0.5, nothing),
                            prismatic(point_on_axis)}),
                    {0.25, 0, 0.125}),
            "the mass matrix is singular at q = 0.25, 0, 0.125: joint 2 can move without moving "
            "any mass; give links 2 to 3 inertia about its axis, or its motor a rotor_inertia");
}

TEST(ForwardDynamics, HasNoMassMatrixWhereAPositionIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      refusal(arm_of({revolute(0, point_off_axis), revolute(0.5, point_off_axis)}), {0.5, nan}),
      "no mass matrix at q = 0.5, nan");
}

TEST(SingularMassMatrix, IsNotBlamedOnATensorThatIsPossibleButForRounding) {
  const MassProperties disc{1.0, {}, {100.0, 100.0, -1e-11, 0.0, 0.0, 0.0}};
  EXPECT_NE(refusal(arm_of({revolute(0, disc)}), {0.0}).find("can move without moving any mass"),
            std::string::npos);
}

TEST(ForwardDynamics, TellsAnInertiaThatOverflowsFromNone) {
  const MassProperties huge{1.0, {}, {1.7e308, 1.7e308, 1e308, 0.0, 0.0, 0.0}};
  EXPECT_EQ(refusal(arm_of({revolute(0, huge)}), {0.0}).find("without moving any mass"),
            std::string::npos);
}

TEST(SingularMassMatrix, ShowsHowJointsMoveThatLeaveAllMassAtRest) {
  // Three links of 1 m in a plane, from (0, 0) over (1, 0) and (1, 1) to a point mass in (0, 1):
  // its velocity is (−qd1 − qd2, −qd2 − qd3).
  const MassProperties point{2.0, {1.0, 0.0, 0.0}, {}};
  EXPECT_NE(refusal(arm_of({revolute(0, nothing), revolute(1, nothing), revolute(1, point)}),
                    {0.0, std::numbers::pi / 2, std::numbers::pi / 2})
                .find("the joints can move by qd = 1, -1, 1 without moving any mass"),
            std::string::npos);
  // Two slides along one axis, and a joint between them that stays.
  EXPECT_NE(refusal(arm_of({prismatic(nothing), revolute(0, nothing), prismatic(point_off_axis)}),
                    {0.0, 0.5, 0.0})
                .find("the joints can move by qd = 1, 0, -1 without moving any mass"),
            std::string::npos);
}

TEST(SingularMassMatrix, IsBlamedOnJointsThatMoveAgainstOneAnother) {
  // Two joints on one axis with nothing between them.
  EXPECT_EQ(refusal(arm_of({revolute(0, nothing), revolute(0, point_off_axis)}), {0, 1}),
            "the mass matrix is singular at q = 0, 1: the joints can move by qd = 1, -1 without "
            "moving any mass; give a link between them more inertia, or a motor its rotor_inertia");
}

TEST(SingularMassMatrix, MayBeSoAtOnePositionAlone) {
  // A point mass at the end of two massless links: stretched, it cannot be reached sideways twice.
  const MassProperties tip{1.0, {1.0, 0.0, 0.0}, {}};
  const Robot robot = arm_of({revolute(0, nothing), revolute(1, tip)});
  EXPECT_EQ(refusal(robot, {0.3, 1.0}), "");
  EXPECT_EQ(refusal(robot, {0.3, 0.0}),
            "the mass matrix is singular at q = 0.3, 0: the joints can move by qd = 1, -2 without "
            "moving any mass; give a link between them more inertia, or a motor its rotor_inertia");
}

TEST(SingularMassMatrix, IsCuredByARotor) {
  Robot robot = arm_of({revolute(0, point_off_axis), revolute(0.5, point_on_axis)});
  robot.joints[1].motor.rotor_inertia = 1e-5;
  EXPECT_EQ(refusal(robot, {0, 0}), "");
}

TEST(SingularMassMatrix, IsNotSeenInMasslessLinksThatCarrySomething) {
  EXPECT_EQ(
      refusal(arm_of({revolute(0, nothing), prismatic(nothing), revolute(0.2, point_off_axis)}),
              {0.1, 0.2, 1.0}),
      "");
}

TEST(SingularMassMatrix, IsNotSeenInALightHandOnAHeavyArm) {
  const MassProperties heavy{1000.0, {1.0, 0.0, 0.0}, {10, 10, 10, 0, 0, 0}};
  const MassProperties needle{1e-3, {}, {1e-7, 1e-7, 1e-10, 0, 0, 0}};
  EXPECT_EQ(
      refusal(arm_of({revolute(0, heavy), revolute(1, heavy), revolute(1, needle)}), {0, 1, 0}),
      "");
}

TEST(SingularMassMatrix, IsToldApartFromANegativeInertia) {
  const MassProperties impossible{1.0, {}, {1.0, 1.0, -0.5, 0.0, 0.0, 0.0}};
  EXPECT_EQ(
      refusal(arm_of({revolute(0, point_off_axis), revolute(0, impossible)}), {0, 0}),
      "the mass matrix is not positive definite at q = 0, 0: joint 2 feels a negative inertia, "
      "since the inertia tensor of link 2 has a negative principal moment; correct it");
}

TEST(ForwardDynamics, TakesFrictionAndMotorFromTheDrive) {
  Robot robot = arm_of({revolute(0, point_off_axis)});
  robot.gravity = {};
  robot.joints[0].friction = {.viscous = 0.5, .coulomb = {1.0, 2.0}};
  robot.joints[0].motor = {.rotor_inertia = 0.01, .gear_ratio = -3.0, .coulomb = {0.1, 0.2}};
  const double inertia = 2.0 * 0.3 * 0.3 + 9.0 * 0.01;
  ForwardDynamics forward(normalize(robot));
  const auto qdd = [&](double qd, double tau) {
    double result = 0.0;
    forward.acceleration({{0.0}}, {&qd, 1}, {&tau, 1}, {}, {&result, 1});
    return result;
  };
  EXPECT_NEAR(qdd(2.0, 5.0), (5.0 - 1.0 - 1.0 - 0.3) / inertia, 1e-13);
  EXPECT_NEAR(qdd(-2.0, 5.0), (5.0 + 1.0 + 2.0 + 0.6) / inertia, 1e-12);
  EXPECT_NEAR(qdd(0.0, 5.0), 5.0 / inertia, 1e-13);
}

TEST(ForwardDynamics, GivesTheMassMatrixWithAndWithoutRotors) {
  Robot robot = arm_of({revolute(0, point_off_axis)});
  robot.joints[0].motor = {.rotor_inertia = 0.01, .gear_ratio = -3.0, .coulomb = {}};
  ForwardDynamics forward(normalize(robot));
  double M = 0.0;
  forward.mass_matrix({{0.4}}, {&M, 1});
  EXPECT_NEAR(M, 0.18 + 0.09, 1e-15);
  forward.links_mass_matrix({{0.4}}, {&M, 1});
  EXPECT_NEAR(M, 0.18, 1e-15);
}

TEST(FastestMethod, IsThatOfTheBenchmark) {
  // tests/bench/forward_dynamics.cpp: n² and n in time meet between 12 and 16 joints.
  for (const std::size_t dof : {1U, 2U, 6U, 7U, 12U}) {
    EXPECT_EQ(fastest_method(dof), ForwardMethod::composite) << dof;
  }
  for (const std::size_t dof : {16U, 24U, 48U, 100U}) {
    EXPECT_EQ(fastest_method(dof), ForwardMethod::articulated) << dof;
  }
}

/// Calls with spans of one entry each but one of them, which has two: each in turn is refused.
template <class Call>
void expect_each_size_matters(std::size_t spans, const Call& call) {
  std::vector<std::vector<double>> x(spans, std::vector<double>(1));
  EXPECT_NO_THROW(call(x));
  for (std::size_t wrong = 0; wrong < spans; ++wrong) {
    for (const std::size_t entries : {0U, 2U}) {
      auto one_wrong = x;
      one_wrong[wrong].resize(entries);
      EXPECT_THROW(call(one_wrong), std::invalid_argument) << wrong << ": " << entries;
    }
  }
}

TEST(Dynamics, RefuseWrongSizesOfEachArgument) {
  const Arm arm = normalize(arm_of({revolute(0, point_off_axis)}));
  using Spans = std::vector<std::vector<double>>;
  ForwardDynamics forward(arm);
  expect_each_size_matters(4, [&](Spans x) { forward.acceleration(x[0], x[1], x[2], {}, x[3]); });
  expect_each_size_matters(
      4, [&](Spans x) { forward.lossless_acceleration(x[0], x[1], x[2], {}, x[3]); });
  expect_each_size_matters(2, [&](Spans x) { forward.mass_matrix(x[0], x[1]); });
  expect_each_size_matters(2, [&](Spans x) { forward.links_mass_matrix(x[0], x[1]); });
  expect_each_size_matters(3, [&](Spans x) { forward.bias(x[0], x[1], {}, x[2]); });
  expect_each_size_matters(2, [&](Spans x) { forward.wrench_torque(x[0], {}, x[1]); });
  InverseDynamics inverse(arm);
  expect_each_size_matters(4, [&](Spans x) { inverse.torque({x[0], x[1], x[2]}, {}, x[3]); });
  expect_each_size_matters(9, [&](Spans x) {
    inverse.terms({x[0], x[1], x[2]}, {}, {x[3], x[4], x[5], x[6], x[7], x[8]});
  });
  expect_each_size_matters(3, [&](Spans x) {
    std::vector<Wrench> joints(1);
    inverse.reactions({x[0], x[1], x[2]}, {}, joints);
  });
  std::vector<Wrench> two(2);
  const std::vector<double> one(1);
  EXPECT_THROW(inverse.reactions({one, one, one}, {}, two), std::invalid_argument);
}

TEST(ForwardDynamics, RefusesMatricesOfWrongSizes) {
  const std::vector<double> two(2);
  ForwardDynamics of_two(
      normalize(arm_of({revolute(0, point_off_axis), revolute(0.5, point_off_axis)})));
  for (const std::size_t entries : {0U, 3U, 5U, 6U}) {
    std::vector<double> M(entries);
    EXPECT_THROW(of_two.mass_matrix(two, M), std::invalid_argument) << entries;
    EXPECT_THROW(of_two.links_mass_matrix(two, M), std::invalid_argument) << entries;
  }
}

TEST(LossTorque, GoesSmoothlyThroughRestInEachDirection) {
  Drive drive;
  drive.friction = {.viscous = 0.5,
                    .coulomb = {1.0, 2.0},
                    .breakaway = TwoSided{1.5, 2.5},
                    .stribeck_velocity = 0.1,
                    .ripple = {.amplitude = 0.2, .harmonic = 3.0, .phase = 0.0}};
  drive.motor = {.gear_ratio = -2.0, .viscous = 0.25, .coulomb = {0.1, 0.3}};
  for (const double qd : {0.7, -0.7}) {
    EXPECT_DOUBLE_EQ(loss_torque(drive, 0.3, qd, qd > 0 ? 1 : -1),
                     friction_torque(drive.friction, 0.3, qd) + motor_torque(drive.motor, qd, 0.0));
  }
  EXPECT_DOUBLE_EQ(loss_torque(drive, 0.3, 0.0, 1), breakaway_torque(drive, 0.3).positive);
  EXPECT_DOUBLE_EQ(loss_torque(drive, 0.3, 0.0, -1), -breakaway_torque(drive, 0.3).negative);
  EXPECT_DOUBLE_EQ(loss_torque(drive, 0.3, 0.4, 0), (0.5 + 1.0) * 0.4);
  EXPECT_NEAR(loss_torque(drive, 0.3, -1e-9, 1), loss_torque(drive, 0.3, 1e-9, 1), 1e-8);
}

// More joints than a program is written for: row by row.
TEST(BlockForwardDynamics, GivesTheMassMatricesOfManyJoints) {
  constexpr std::size_t n = 100, rows = 3;
  testing::RandomArm random(40);
  const Arm arm = random.arm(n);
  std::vector<std::vector<double>> q, lower(n * (n + 1) / 2, std::vector<double>(rows));
  for (std::size_t i = 0; i < n; ++i) q.push_back(random.numbers(rows, 3.0));
  std::vector<Column> positions;
  for (const std::vector<double>& column : q) positions.push_back(column.data());
  std::vector<ResultColumn> results;
  for (std::vector<double>& column : lower) results.push_back(column.data());
  BlockForwardDynamics(arm).mass_matrix({rows, positions, {}, {}, {}}, results);

  ForwardDynamics one(arm);
  for (std::size_t k = 0; k < rows; ++k) {
    std::vector<double> at, M(n * n);
    for (const std::vector<double>& column : q) at.push_back(column[k]);
    one.mass_matrix(at, M);
    auto column = lower.begin();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        EXPECT_NEAR((*column++)[k], M[i * n + j], 1e-12 * M[0]) << i << " " << j;
      }
    }
  }
}

TEST(BlockForwardDynamics, HoldsEachPivotAgainstItsOwnJoint) {
  // A light slide carries three long links without mass, in a plane, and a point at their end, which
  // moves in two ways only: M is singular, and a pivot is rounding of numbers a million times those
  // of the slide.
  const Robot robot = arm_of({prismatic({1e-6, {}, {}}), revolute(0.0, {}), revolute(700.0, {}),
                              revolute(500.0, {1.0, {300.0, 0.0, 0.0}, {}})});
  const Arm arm = normalize(robot);
  int refused = 0;
  for (int k = 0; k < 20; ++k) {
    std::vector<std::vector<double>> q{{0.1}, {0.3 * k}, {1.0 + 0.1 * k}, {0.7 * k}};
    const std::vector<double> zero{0.0};
    std::vector<Column> positions, rest(4, zero.data());
    for (const auto& column : q) positions.push_back(column.data());
    std::vector<std::vector<double>> qdd(4, zero);
    std::vector<ResultColumn> results;
    for (auto& column : qdd) results.push_back(column.data());
    ForwardDynamics one(arm, ForwardMethod::composite);
    BlockForwardDynamics block(arm, ForwardMethod::composite);
    const std::vector<double> at{q[0][0], q[1][0], q[2][0], q[3][0]}, none(4);
    std::vector<double> alone(4);
    bool is_refused = false;
    try {
      one.acceleration(at, none, none, {}, alone);
    } catch (const SingularMassMatrix&) {
      is_refused = true;
    }
    if (!is_refused) continue;
    ++refused;
    EXPECT_THROW(block.lossless_acceleration({1, positions, rest, rest, {}}, results),
                 SingularMassMatrix)
        << k;
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace armdyn
