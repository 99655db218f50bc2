#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <string>
#include <vector>

#include "math/columns.hpp"
#include "support/random_arm.hpp"
#include "support/refused_argument.hpp"

// Arguments that calls of dynamics refuse, each by the check that is meant.

namespace armdyn::testing {
namespace {

TEST(TaskRows, AreOneOrMoreOfSix) {
  const Arm arm = RandomArm(3).arm(2);
  const std::vector<double> q{0.1, 0.2}, qd{0.3, 0.4};
  const std::vector<TaskRow> height{TaskRow::vz};
  EXPECT_EQ(select_rows(jacobian(arm, q), height).rows(), 1U);
  for (const std::size_t rows : {5U, 7U}) {
    EXPECT_EQ(refused_argument([&] { (void)select_rows(Matrix(rows, 2), height); }),
              "task rows are taken from six rows");
  }
  EXPECT_EQ(refused_argument([&] { (void)cartesian(arm, q, qd, {}); }),
            "a task needs at least one row");
  EXPECT_EQ(refused_argument([] { (void)dexterity(Matrix()); }),
            "a Jacobian needs rows and columns");
}

TEST(CartesianTerms, OfFewerRowsThanJointsNeedARegularMassMatrix) {
  Robot robot = RandomArm(3).robot(2);
  robot.joints[1].body = robot.payload = {};  // moved by the second joint alone
  for (Joint& joint : robot.joints) joint.motor.rotor_inertia = 0.0;
  const std::vector<double> q{0.1, 0.2}, qd{0.3, 0.4};
  const std::vector<TaskRow> height{TaskRow::vz};
  EXPECT_EQ(cartesian(normalize(robot), q, qd, height).refusal,
            "the mass matrix is singular here; with fewer task rows than joints, M⁻¹ is needed");
}

TEST(BlockOfRegressors, HasAColumnPerJointAndParameterAndNoWrench) {
  const Robot robot = RandomArm(3).robot(2);
  Regressor regressor(robot);
  const std::size_t count = 2 * regressor.parameters().size();
  const Columns motion(6, std::vector<double>(4, 0.5)), wrench(6, std::vector<double>(4));
  const std::vector<Column> all = places(motion);
  const auto refused = [&](std::size_t columns, const Columns& given) {
    Columns found(columns, std::vector<double>(4));
    return refused_argument([&] {
      const std::vector<Column> of_wrench = places(given);
      regressor.block({4, std::span(all).first(2), std::span(all).subspan(2, 2),
                       std::span(all).last(2), of_wrench},
                      places(found));
    });
  };
  const std::string message = "a block of regressors needs dof·parameters columns and no wrench";
  EXPECT_EQ(refused(count, {}), "");
  EXPECT_EQ(refused(count - 1, {}), message);
  EXPECT_EQ(refused(count + 1, {}), message);
  EXPECT_EQ(refused(count, wrench), message);
}

TEST(BaseParameters, AreOfTheRegressorsRobot) {
  const Robot robot = RandomArm(3).robot(2), other = RandomArm(3).robot(3);
  const Regressor regressor(robot);
  const std::size_t count = regressor.parameters().size();
  const auto refused = [&](const Robot& of, std::vector<std::size_t> chosen) {
    return refused_argument([&] { (void)base_parameters(of, regressor, chosen); });
  };
  EXPECT_EQ(refused(robot, {count - 1, 0}), "");
  EXPECT_EQ(refused(robot, {}), "");
  EXPECT_EQ(refused(other, {}), "the regressor is of another robot");
  EXPECT_EQ(refused(robot, {0, count}), "the regressor has no such parameter");
}

}  // namespace
}  // namespace armdyn::testing
