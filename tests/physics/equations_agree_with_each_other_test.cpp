// The terms of the equations come from different sides: M and Γ from composite bodies and their
// exact derivatives, V and G from the recursion of Newton and Euler, u from the frames alone.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/dual.hpp"
#include "math/linear_algebra.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

constexpr double tolerance = 1e-12;

double size_of(const Christoffel& gamma) {
  const VelocityCoefficients craig = velocity_coefficients(gamma);
  return std::max(largest(craig.B), largest(craig.C));
}

std::vector<Dual> along(const std::vector<double>& q, const std::vector<double>& qd) {
  std::vector<Dual> moving;
  for (std::size_t i = 0; i < q.size(); ++i) moving.emplace_back(q[i], qd[i]);
  return moving;
}

/// Ṁ by Newton and Euler's answers to unit accelerations, read with Duals that move along q̇.
Matrix mass_rate(Arm arm, const std::vector<double>& q, const std::vector<double>& qd) {
  const std::size_t n = arm.dof();
  arm.v_dot_0 = {};
  const std::vector<Dual> moving = along(q, qd), at_rest(n);
  std::vector<Dual> unit(n), answer(n);
  std::vector<LinkState<Dual>> links(n);
  Matrix rate(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = 1.0;
    newton_euler<Dual>(arm, moving, at_rest, unit, nullptr, links, answer);
    unit[j] = 0.0;
    for (std::size_t i = 0; i < n; ++i) rate(i, j) = answer[i].slope;
  }
  return rate;
}

TEST(MassMatrix, IsSymmetricAndPositiveSemidefinite) {
  for_random_states([](const RandomState& x) {
    const Matrix M = mass_matrix(x.arm, x.q);
    expect_near(M, transposed(M), tolerance, "M");
    EXPECT_GE(symmetric_eigenvalues(eigen(M)).minCoeff(), -tolerance * largest(M));
  });
}

TEST(MassMatrix, IsWhatStrobingFinds) {
  for_random_states([](const RandomState& x) {
    const Matrix M_links = equations(x.arm, x.q, x.qd).M_links;
    expect_near(strobed_mass_matrix(x.arm, x.q), M_links, tolerance, "M_links");
  });
}

TEST(Coriolis, CoefficientsAreWhatStrobingFinds) {
  for_random_states([](const RandomState& x) {
    const Christoffel exact = christoffel(x.arm, x.q), strobed = strobed_christoffel(x.arm, x.q);
    const VelocityCoefficients a = velocity_coefficients(exact), b = velocity_coefficients(strobed);
    const double scale = std::max(size_of(exact), largest(mass_matrix(x.arm, x.q)));
    expect_near(b.B, a.B, tolerance, "B", scale);
    expect_near(b.C, a.C, tolerance, "C", scale);
  });
}

TEST(Coriolis, ThreeWaysToTheVelocityTermAgree) {
  for_random_states([](const RandomState& x) {
    const Equations e = equations(x.arm, x.q, x.qd);
    std::vector<double> products, squares;
    for (std::size_t j = 0; j < x.qd.size(); ++j) {
      squares.push_back(x.qd[j] * x.qd[j]);
      for (std::size_t k = j + 1; k < x.qd.size(); ++k) products.push_back(x.qd[j] * x.qd[k]);
    }
    const double scale = largest(e.M_links) * largest(x.qd) * largest(x.qd);
    expect_near(times(e.C, x.qd), e.V, tolerance, "C qd", scale);
    expect_near(sum(times(e.craig.B, products), times(e.craig.C, squares)), e.V, tolerance,
                "B(qd qd) + C(qd²)", scale);
  });
}

TEST(Coriolis, MassRateMinusTwiceTheChristoffelMatrixIsSkew) {
  for_random_states([](const RandomState& x) {
    const Matrix C = equations(x.arm, x.q, x.qd).C;
    const Matrix rate = mass_rate(x.arm, x.q, x.qd);
    const double scale = std::max(largest(C), largest(rate));
    for (std::size_t i = 0; i < C.rows(); ++i) {
      for (std::size_t j = 0; j < C.columns(); ++j) {
        EXPECT_NEAR(rate(i, j) - 2 * C(i, j), -(rate(j, i) - 2 * C(j, i)), tolerance * scale);
      }
    }
  });
}

TEST(Gravity, IsTheSlopeOfThePotential) {
  for_random_states([](const RandomState& x) {
    const Equations e = equations(x.arm, x.q, x.qd);
    std::vector<Dual> at(x.q.begin(), x.q.end());
    std::vector<double> slope;
    for (Dual& q : at) {
      q.slope = 1.0;
      slope.push_back(potential_energy<Dual>(x.arm, link_frames<Dual>(x.arm, at)).slope);
      q.slope = 0.0;
    }
    expect_near(slope, e.G, tolerance, "dU/dq");
  });
}

TEST(Jacobian, RateIsTheDerivativeAlongTheMotion) {
  for_random_states([](const RandomState& x) {
    const std::vector<Dual> moving = along(x.q, x.qd);
    const std::vector<Frame<Dual>> frames = link_frames<Dual>(x.arm, moving);
    const auto columns = jacobian<Dual>(x.arm, frames, tool_frame<Dual>(x.arm, frames).p);
    Matrix slopes(6, columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& [v, w] = columns[i];
      const Dual* const rows[] = {&v.x, &v.y, &v.z, &w.x, &w.y, &w.z};
      for (std::size_t row = 0; row < 6; ++row) slopes(row, i) = rows[row]->slope;
    }
    const double scale = largest(jacobian(x.arm, x.q)) * largest(x.qd);
    expect_near(jacobian_rate(x.arm, x.q, x.qd), slopes, tolerance, "Jdot", scale);
  });
}

TEST(ContactWrench, AsksForItsJacobianTransposeOfTorque) {
  for_random_states([](const RandomState& x) {
    const std::size_t n = x.arm.dof();
    const Wrench wrench{{3.0, -4.0, 5.0}, {0.6, 0.7, -0.8}};  // in axes of the tool
    std::vector<double> other(n), found(n);
    InverseDynamics(x.arm).terms({x.q, x.qd, x.qdd}, wrench,
                                 {other, other, other, other, other, found});
    const Mat3 R = pose(x.arm, x.q).tcp.R;
    std::vector<double> in_base;
    for (const Vec3& v : {wrench.force, wrench.moment}) {
      for (const Vec3& row : {R.row_x, R.row_y, R.row_z}) {
        in_base.push_back(row.x * v.x + row.y * v.y + row.z * v.z);
      }
    }
    expect_near(found, times(transposed(jacobian(x.arm, x.q)), in_base), tolerance, "Jᵀ F", 5.0);
  });
}

TEST(Energy, RisesByThePowerOfTheTorques) {
  for_random_states([](const RandomState& x) {
    Arm arm = x.arm;
    for (Drive& drive : arm.drives) drive.friction = {};
    const std::vector<double> tau = torque(arm, {x.q, x.qd, x.qdd});
    const Equations e = equations(arm, x.q, x.qd);
    // dk/dt = q̇ᵀ M q̈ + ½ q̇ᵀ Ṁ q̇ and ½ q̇ᵀ Ṁ q̇ = q̇ᵀ C q̇, as Ṁ − 2C is skew.
    const double kinetic_rate = dot(x.qd, times(e.M, x.qdd)) + dot(x.qd, times(e.C, x.qd));
    const double potential_rate = dot(x.qd, e.G);
    const double scale = std::abs(kinetic_rate) + largest(x.qd) * (largest(e.G) + largest(tau));
    EXPECT_NEAR(dot(x.qd, tau), kinetic_rate + potential_rate, tolerance * scale);
  });
}

}  // namespace
}  // namespace armdyn::testing
