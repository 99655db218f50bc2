// Composite bodies, articulated bodies and strobing share the joints' frames and nothing else.

#include <gtest/gtest.h>
#include <armdyn/forward_dynamics.hpp>

#include <algorithm>
#include <cmath>

#include "math/linear_algebra.hpp"
#include "support/case_table.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

double condition(const std::vector<double>& M, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::VectorXd values =  // ascending
      symmetric_eigenvalues(Eigen::Map<const Eigen::MatrixXd>(M.data(), size, size));
  return values(size - 1) / values(0);
}

TEST(ThreeForwardMethods, AgreeOnRandomArms) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomArm random(seed);
    const std::size_t n = 1 + seed % 12;
    Arm arm = random.arm(n);
    if (seed % 3 == 0) {
      for (Drive& drive : arm.drives) drive.motor.rotor_inertia = 0.25;
    }
    const auto q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0),
               tau = random.numbers(n, 50.0);
    const Wrench wrench = random.wrench();

    std::vector<double> composite(n), articulated(n), strobe(n), M(n * n);
    ForwardDynamics by_composite(arm, ForwardMethod::composite);
    by_composite.acceleration(q, qd, tau, wrench, composite);
    by_composite.mass_matrix(q, M);
    ForwardDynamics(arm, ForwardMethod::articulated).acceleration(q, qd, tau, wrench, articulated);
    ForwardDynamics(arm, ForwardMethod::strobe).acceleration(q, qd, tau, wrench, strobe);

    // Each is the solution for an M that is off by a few roundings of its largest entry.
    const double tolerance =
        static_cast<double>(n) * 2.3e-16 * condition(M, n) * scale_of(composite);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(articulated[i], composite[i], tolerance) << "seed " << seed;
      EXPECT_NEAR(strobe[i], composite[i], tolerance) << "seed " << seed;
    }
  }
}

TEST(ThreeForwardMethods, GiveTheSameMassMatrixTwice) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomArm random(seed);
    const std::size_t n = 1 + seed % 12;
    const Arm arm = random.arm(n);
    const auto q = random.numbers(n, 3.0);
    std::vector<double> composite(n * n), strobed(n * n);
    ForwardDynamics(arm, ForwardMethod::composite).links_mass_matrix(q, composite);
    ForwardDynamics(arm, ForwardMethod::strobe).links_mass_matrix(q, strobed);
    for (std::size_t k = 0; k < n * n; ++k) {
      EXPECT_NEAR(composite[k], strobed[k], 1e-14 * scale_of(strobed)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
