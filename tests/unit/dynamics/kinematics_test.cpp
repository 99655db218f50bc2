#include <gtest/gtest.h>
#include <armdyn/certified.hpp>
#include <armdyn/equations.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "support/near.hpp"

namespace armdyn::testing {
namespace {

constexpr double l1 = 0.5, l2 = 0.3;

/// Two links in a plane, tcp at the end of the second: the textbooks' arm.
Robot planar(Convention convention) {
  const bool standard = convention == Convention::standard;
  Robot robot;
  robot.convention = convention;
  robot.joints.resize(2);
  robot.joints[standard ? 0 : 1].dh.a = l1;
  if (standard) {
    robot.joints[1].dh.a = l2;
  } else {
    robot.tool.xyz.x = l2;
  }
  return robot;
}

TEST(Jacobian, OfThePlanarArmIsTheTextbooks) {
  const std::vector<double> q{0.4, 0.7}, qd{1.5, -2.0};
  const double s1 = std::sin(0.4), c1 = std::cos(0.4), s12 = std::sin(1.1), c12 = std::cos(1.1);
  const double w = 1.5 - 2.0;
  for (const Convention convention : {Convention::standard, Convention::modified}) {
    const Arm arm = normalize(planar(convention));
    expect_near(jacobian(arm, q),
                matrix({{-l1 * s1 - l2 * s12, -l2 * s12},
                        {l1 * c1 + l2 * c12, l2 * c12},
                        {0, 0},
                        {0, 0},
                        {0, 0},
                        {1, 1}}),
                1e-15, "J");
    expect_near(jacobian_rate(arm, q, qd),
                matrix({{-l1 * c1 * 1.5 - l2 * c12 * w, -l2 * c12 * w},
                        {-l1 * s1 * 1.5 - l2 * s12 * w, -l2 * s12 * w},
                        {0, 0},
                        {0, 0},
                        {0, 0},
                        {0, 0}}),
                1e-15, "Jdot");
  }
}

TEST(Pose, ShowsTheFramesOfTheUsersOwnTable) {
  const std::vector<double> q{0.4, 0.7};
  const ArmPose standard = pose(normalize(planar(Convention::standard)), q);
  const ArmPose modified = pose(normalize(planar(Convention::modified)), q);
  EXPECT_NEAR(standard.frames[0].p.x, l1 * std::cos(0.4), 1e-16);  // {1} at the far end of link 1
  EXPECT_EQ(modified.frames[0].p.x, 0.0);                          // {1} at joint 1
  EXPECT_NEAR(modified.frames[1].p.x, l1 * std::cos(0.4), 1e-16);
  EXPECT_NEAR(standard.tcp.p.y, modified.tcp.p.y, 1e-16);
  EXPECT_EQ(standard.frames[1].p, standard.tcp.p);
}

TEST(Pose, PutsTheHandIntoTheWorldByTheBase) {
  Robot robot = planar(Convention::standard);
  robot.base = {{1.0, 2.0, 3.0}, {0.0, 0.0, std::numbers::pi / 2}};
  const std::vector<double> stretched{0.0, 0.0};
  const ArmPose there = pose(normalize(robot), stretched);
  EXPECT_EQ(there.tcp.p, (Vec3{l1 + l2, 0.0, 0.0}));
  EXPECT_EQ(there.tcp_in_world.p, (Vec3{1.0, 2.0 + l1 + l2, 3.0}));
}

TEST(Dexterity, OfThePlanarArmVanishesWhereItIsStretched) {
  const Arm arm = normalize(planar(Convention::standard));
  const std::vector<TaskRow> plane{TaskRow::vx, TaskRow::vy};
  const auto at = [&](double q2) {
    const std::vector<double> q{0.4, q2};
    return dexterity(select_rows(jacobian(arm, q), plane));
  };
  EXPECT_NEAR(at(0.7).manipulability, l1 * l2 * std::sin(0.7), 1e-16);
  EXPECT_NEAR(at(0.0).manipulability, 0.0, 1e-16);
  EXPECT_EQ(at(0.0).condition, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(at(1e-9).condition * 1e-9, at(2e-9).condition * 2e-9, 1e-6);
  EXPECT_LT(at(1.5).condition, at(0.1).condition);
}

TEST(Dexterity, NeedsRowsAndColumns) {
  EXPECT_THROW((void)dexterity(Matrix()), std::invalid_argument);
  EXPECT_THROW((void)dexterity(Matrix(0, 3)), std::invalid_argument);
}

TEST(Dexterity, OfZeroIsSingular) {
  EXPECT_EQ(dexterity(Matrix(2, 2)).condition, std::numeric_limits<double>::infinity());
}

TEST(Kinematics, RefusesAWrongNumberOfJoints) {
  const Arm arm = normalize(planar(Convention::standard));
  const std::vector<double> three(3);
  EXPECT_THROW((void)jacobian(arm, three), std::invalid_argument);
  EXPECT_THROW((void)pose(arm, three), std::invalid_argument);
}

TEST(Arm, WithoutJointsIsRefused) {
  const Arm none;
  ConstantTorque torques({});
  SimulationOptions options;
  options.duration = 0.01;
  EXPECT_THROW((void)pose(none, {}), std::invalid_argument);
  EXPECT_THROW((void)jacobian(none, {}), std::invalid_argument);
  EXPECT_THROW((void)equations(none, {}, {}), std::invalid_argument);
  EXPECT_THROW((void)cartesian(none, {}, {}, all_task_rows()), std::invalid_argument);
  EXPECT_THROW((void)find_equilibrium(none, {}), std::invalid_argument);
  EXPECT_THROW((void)inverse_kinematics(none, {}, {}, {}), std::invalid_argument);
  EXPECT_THROW((void)torque(none, {}), std::invalid_argument);
  EXPECT_THROW(ForwardDynamics(none).acceleration({}, {}, {}, {}, {}), std::invalid_argument);
  EXPECT_THROW(CertifiedTorque(Robot(), InputAccuracy::file).set({}, {}), std::invalid_argument);
  EXPECT_THROW(simulate(none, {}, {}, torques, options, [](const auto& /*row*/) {}),
               std::invalid_argument);
  EXPECT_THROW((void)BatchSimulation(none, options)(std::vector<BatchRun>(3)),
               std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
