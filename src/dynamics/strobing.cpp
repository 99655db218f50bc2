#include <armdyn/equations.hpp>

#include "dynamics/sizes.hpp"
#include "dynamics/strobe.hpp"

// Paper 001, end of section 3: the coefficients of the equations of motion as answers of the
// inverse dynamics to unit motions (docs/derivation.md, 9.5).

namespace armdyn {

Matrix strobed_mass_matrix(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  const std::size_t n = arm.dof();
  Strobe strobe(arm);
  Matrix M(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::span<const double> column = strobe.inertias(q, j);  // (9.20)
    for (std::size_t i = 0; i < n; ++i) M(i, j) = column[i];
  }
  return M;
}

Christoffel strobed_christoffel(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  const std::size_t n = arm.dof();
  Strobe strobe(arm);
  Christoffel gamma(n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::span<const double> alone = strobe.velocity_torques(q, j, j);
    for (std::size_t i = 0; i < n; ++i) gamma(i, j, j) = alone[i];  // (9.21)
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = j + 1; k < n; ++k) {
      const std::span<const double> both = strobe.velocity_torques(q, j, k);
      for (std::size_t i = 0; i < n; ++i) {
        gamma(i, j, k) = gamma(i, k, j) =
            0.5 * (both[i] - gamma(i, j, j) - gamma(i, k, k));  // (9.22)
      }
    }
  }
  return gamma;
}

}  // namespace armdyn
