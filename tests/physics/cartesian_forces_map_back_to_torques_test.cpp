#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>

#include "math/linear_algebra.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

double allowed(const Dexterity& dexterity) {
  return std::max(1e-12, 1e-14 * dexterity.condition * dexterity.condition);
}

/// J q̈ + J̇ q̇ in the task rows.
std::vector<double> task_acceleration(const RandomState& x, const std::vector<TaskRow>& rows) {
  const Matrix J = select_rows(jacobian(x.arm, x.q), rows);
  const Matrix Jdot = select_rows(jacobian_rate(x.arm, x.q, x.qd), rows);
  return sum(times(J, x.qdd), times(Jdot, x.qd));
}

std::vector<double> drive_torque_without_friction(const RandomState& x) {
  Arm arm = x.arm;
  for (Drive& drive : arm.drives) drive.friction = {};
  return torque(arm, {x.q, x.qd, x.qdd});
}

/// Two joints get vx, vy; three get vx, vy, wz; six get all; as far as the arm is regular there.
std::vector<TaskRow> square_task(std::size_t dof) {
  std::vector<TaskRow> rows = all_task_rows();
  if (dof < 6) rows.resize(dof);
  return rows;
}

TEST(CartesianTerms, GiveTheTorquesBackWhereTheTaskIsSquare) {
  int regular = 0;
  for_random_states([&regular](const RandomState& x) {
    if (x.arm.dof() > 6) return;
    const std::vector<TaskRow> rows = square_task(x.arm.dof());
    const Cartesian found = cartesian(x.arm, x.q, x.qd, rows);
    if (!found.terms || found.dexterity.condition > 1e5) return;
    ++regular;
    const CartesianTerms& c = *found.terms;
    const std::vector<double> a = task_acceleration(x, rows);
    const std::vector<double> Jt_force = times(transposed(select_rows(jacobian(x.arm, x.q), rows)),
                                               sum(sum(times(c.Mx, a), c.Vx), c.Gx));
    const double scale = largest(c.Mx) * largest(a) + largest(c.Vx) + largest(c.Gx);
    expect_near(Jt_force, drive_torque_without_friction(x), allowed(found.dexterity),
                "Jᵀ(Mx a + Vx + Gx)", scale);
  });
  EXPECT_GT(regular, 40);
}

TEST(CartesianTerms, InConfigurationSpaceGiveTheTorquesBack) {
  for_random_states([](const RandomState& x) {
    if (x.arm.dof() > 6) return;
    const std::vector<TaskRow> rows = square_task(x.arm.dof());
    const Cartesian found = cartesian(x.arm, x.q, x.qd, rows);
    if (!found.terms || found.dexterity.condition > 1e5) return;
    const CartesianTerms& c = *found.terms;
    std::vector<double> products, squares;
    for (std::size_t j = 0; j < x.qd.size(); ++j) {
      squares.push_back(x.qd[j] * x.qd[j]);
      for (std::size_t k = j + 1; k < x.qd.size(); ++k) products.push_back(x.qd[j] * x.qd[k]);
    }
    const Matrix Jt = transposed(select_rows(jacobian(x.arm, x.q), rows));
    const std::vector<double> a = task_acceleration(x, rows);
    std::vector<double> tau = times(Jt, times(c.Mx, a));
    tau = sum(tau, times(c.craig.B, products));
    tau = sum(tau, times(c.craig.C, squares));
    tau = sum(tau, equations(x.arm, x.q, x.qd).G);
    const double scale = largest(c.Mx) * largest(a) + largest(c.Vx) + largest(c.Gx);
    expect_near(tau, drive_torque_without_friction(x), allowed(found.dexterity),
                "Jᵀ Mx a + Bx(qd qd) + Cx(qd²) + G", scale);
  });
}

TEST(OperationalSpaceTerms, PredictTheHandsMotionUnderAHandForce) {
  int regular = 0;
  for_random_states([&regular](const RandomState& x) {
    const std::size_t n = x.arm.dof();
    const std::vector<TaskRow> rows{TaskRow::vz, TaskRow::wx};
    if (n < 3) return;
    const Cartesian found = cartesian(x.arm, x.q, x.qd, rows);
    const Equations e = equations(x.arm, x.q, x.qd);
    const Eigen::VectorXd masses = symmetric_eigenvalues(eigen(e.M));  // ascending
    const double rcond = masses(0) / masses(masses.size() - 1);
    if (!found.terms || found.dexterity.condition > 1e3 || rcond < 1e-6) return;
    ++regular;
    // Whatever the joints do under τ = Jᵀ F, the TCP must obey F = Mx a + Vx + Gx.
    const std::vector<double> F{3.0, -0.7};
    const Matrix J = select_rows(jacobian(x.arm, x.q), rows);
    std::vector<double> force = times(transposed(J), F);
    for (std::size_t i = 0; i < n; ++i) force[i] -= e.V[i] + e.G[i];
    RandomState moving = x;
    moving.qdd = plain_vector(solve(eigen(e.M), eigen(force)));
    const std::vector<double> a = task_acceleration(moving, rows);
    const CartesianTerms& c = *found.terms;
    const double scale = largest(c.Mx) * largest(a) + largest(c.Vx) + largest(c.Gx);
    expect_near(sum(sum(times(c.Mx, a), c.Vx), c.Gx), F, 1e-14 / rcond, "F", scale);
  });
  EXPECT_GT(regular, 40);
}

class PlanarArm : public ::testing::Test {
 protected:
  PlanarArm() {
    Robot robot;
    robot.convention = Convention::standard;
    robot.joints.resize(2);
    for (Joint& joint : robot.joints) {
      joint.dh.a = 0.5;
      joint.body = {2.0, {-0.2, 0.0, 0.0}, {0.01, 0.02, 0.03, 0.0, 0.0, 0.0}};
    }
    arm = normalize(robot);
  }

  Arm arm;
  const std::vector<double> qd{1.0, 2.0};
  const std::vector<TaskRow> plane{TaskRow::vx, TaskRow::vy};
};

TEST_F(PlanarArm, IsRefusedWhereItIsStretched) {
  const std::vector<double> stretched{0.3, 0.0};
  const Cartesian found = cartesian(arm, stretched, qd, plane);
  EXPECT_FALSE(found.terms);
  EXPECT_EQ(found.refusal,
            "J is singular here in double precision: in some direction the TCP cannot move");
}

TEST_F(PlanarArm, IsWarnedOfNearlyStretched) {
  const std::vector<double> nearly{0.3, 1e-9};
  const Cartesian found = cartesian(arm, nearly, qd, plane);
  EXPECT_TRUE(found.terms);
  const auto [Mx, Vx, Gx] = found.digits;
  EXPECT_EQ(found.warning,
            "near a singularity, or where large terms cancel, few digits are right: " +
                std::to_string(Mx) + " of Mx, " + std::to_string(Vx) + " of Vx, " +
                std::to_string(Gx) + " of Gx");
  const std::vector<double> bent{0.3, 1e-2};
  EXPECT_EQ(cartesian(arm, bent, qd, plane).warning, "");
}

TEST_F(PlanarArm, HasNoTermsForMoreRowsThanJoints) {
  const std::vector<double> q{0.3, 0.7};
  const Cartesian found = cartesian(arm, q, qd, all_task_rows());
  EXPECT_FALSE(found.terms);
  EXPECT_EQ(found.refusal,
            "J has more rows (6) than joints (2): choose no more task rows than joints");
}

TEST_F(PlanarArm, HasTermsForOneRow) {
  const std::vector<double> q{0.3, 0.7};
  const std::vector<TaskRow> height{TaskRow::vy};
  const Cartesian found = cartesian(arm, q, qd, height);
  ASSERT_TRUE(found.terms);
  EXPECT_EQ(found.terms->Mx.rows(), 1U);
  EXPECT_GT(found.terms->Mx(0, 0), 0.0);
  EXPECT_EQ(found.terms->craig.B.rows(), 2U);
}

}  // namespace
}  // namespace armdyn::testing
