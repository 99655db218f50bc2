#include "dynamics/mobility.hpp"

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>

#include "dynamics/friction.hpp"
#include "math/ltdl.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

TEST(Mobilities, AreTheDiagonalOfTheInverseMassMatrix) {
  for_random_states([](const RandomState& x) {
    const std::size_t n = x.arm.dof();
    const std::vector<Transform> frames = joint_frames<double>(x.arm, x.q);
    std::vector<ArticulatedJoint<double>> joints(n);
    articulate<double>(x.arm, frames, rotor_inertias(x.arm).diagonal, joints);
    std::vector<double> found(n), expected(n);
    mobilities(x.arm, frames, joints, found);

    const Matrix M = mass_matrix(x.arm, x.q);
    std::vector<double> factors(M.entries().begin(), M.entries().end());
    factor_ltdl<double>(n, factors);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> column(n);
      column[i] = 1.0;
      solve_ltdl<double>(n, factors, column);
      expected[i] = column[i];
    }
    expect_near(found, expected, 1e-9, "diagonal");
  });
}

}  // namespace
}  // namespace armdyn::testing
