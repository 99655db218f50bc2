// Every term of the 50-digit cases, to 1e-12 of the term's largest entry.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/robot_file.hpp>

#include "support/case_matrices.hpp"
#include "support/case_table.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

constexpr double case_tolerance = 1e-12;

Matrix homogeneous(const Transform& T) {
  const auto& [x, y, z] = T.R;
  return matrix(
      {{x.x, x.y, x.z, T.p.x}, {y.x, y.y, y.z, T.p.y}, {z.x, z.y, z.z, T.p.z}, {0, 0, 0, 1}});
}

class ReferenceMatrices : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string name_ = GetParam();
  const Arm arm_ =
      normalize(read_robot_file(test_data() + "/cases/robots/" + name_ + ".yaml").robot);
  const std::vector<CaseMatrices> cases_ = read_case_matrices(name_);
};

TEST_P(ReferenceMatrices, KinematicsAreRight) {
  for (const CaseMatrices& x : cases_) {
    const double speed = largest(x.qd) * largest(x.J);
    expect_near(homogeneous(pose(arm_, x.q).tcp), x.T, case_tolerance, "T");
    expect_near(jacobian(arm_, x.q), x.J, case_tolerance, "J");
    expect_near(jacobian_rate(arm_, x.q, x.qd), x.Jdot, case_tolerance, "Jdot", 1e-3 * speed);
  }
}

TEST_P(ReferenceMatrices, StateSpaceTermsAreRight) {
  for (const CaseMatrices& x : cases_) {
    const Equations found = equations(arm_, x.q, x.qd);
    expect_near(found.M, x.M, case_tolerance, "M");
    expect_near(found.M_links, x.M_links, case_tolerance, "M_links");
    expect_near(found.V, x.V, case_tolerance, "V");
    expect_near(found.G, x.G, case_tolerance, "G");
    expect_near(found.C, x.christoffel_C, case_tolerance, "C");
  }
}

TEST_P(ReferenceMatrices, ConfigurationSpaceTermsAreRightDirectlyAndByStrobing) {
  for (const CaseMatrices& x : cases_) {
    const double largest_coefficient = std::max(largest(x.craig_B), largest(x.craig_C));
    for (const Christoffel& gamma : {christoffel(arm_, x.q), strobed_christoffel(arm_, x.q)}) {
      const VelocityCoefficients found = velocity_coefficients(gamma);
      expect_near(found.B, x.craig_B, case_tolerance, "craig_B", largest_coefficient);
      expect_near(found.C, x.craig_C, case_tolerance, "craig_C", largest_coefficient);
    }
    expect_near(strobed_mass_matrix(arm_, x.q), x.M_links, case_tolerance, "strobed M_links");
  }
}

TEST_P(ReferenceMatrices, CartesianTermsAreRightWhereTheJacobianIsRegular) {
  for (const CaseMatrices& x : cases_) {
    const Cartesian found = cartesian(arm_, x.q, x.qd, all_task_rows());
    ASSERT_EQ(found.terms.has_value(), x.cartesian) << found.refusal;
    if (!x.cartesian) continue;
    const double condition = found.dexterity.condition;
    const double allowed = std::max(case_tolerance, 1e-14 * condition * condition);
    expect_near(found.terms->Mx, x.Mx, allowed, "Mx");
    expect_near(found.terms->Vx, x.Vx, allowed, "Vx");
    expect_near(found.terms->Gx, x.Gx, allowed, "Gx");
  }
}

TEST_P(ReferenceMatrices, EnergiesAreRight) {
  const CaseTable motion(name_ + ".csv"), energy(name_ + "_energy.csv");
  for (std::size_t row = 0; row < energy.rows(); ++row) {
    const auto q = motion.joints("q", arm_.dof(), row);
    const auto qd = motion.joints("qd", arm_.dof(), row);
    const Equations found = equations(arm_, q, qd);
    const double total = energy.at("total", row);
    const double kinetic = energy.at("kinetic_links", row) + energy.at("kinetic_rotors", row);
    const double scale = kinetic + std::abs(total);
    EXPECT_NEAR(found.kinetic, kinetic, case_tolerance * scale);
    EXPECT_NEAR(found.potential, energy.at("potential", row), case_tolerance * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ReferenceMatrices,
                         ::testing::Values("rr_craig", "cart_pole", "puma560_standard"));

}  // namespace
}  // namespace armdyn::testing
