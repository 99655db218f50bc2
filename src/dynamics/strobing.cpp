#include <armdyn/equations.hpp>

#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"

// Paper 001, end of section 3: the coefficients of the equations of motion as answers of the
// inverse dynamics to unit motions (docs/derivation.md, 9.5).

namespace armdyn {

namespace {

/// The links at a fixed position without gravity, asked for torques again and again.
class Strobe {
 public:
  Strobe(const Arm& arm, std::span<const double> q)
      : arm_(arm), q_(q.begin(), q.end()), links_(q.size()) {
    require_one_per_joint(arm, q);
    arm_.v_dot_0 = {};
  }

  std::vector<double> torque(std::span<const double> qd, std::span<const double> qdd) {
    std::vector<double> tau(q_.size());
    newton_euler<double>(arm_, q_, qd, qdd, nullptr, links_, tau);
    return tau;
  }

  /// Zero but for ones at j and k.
  [[nodiscard]] std::vector<double> ones_at(std::size_t j, std::size_t k) const {
    std::vector<double> u(q_.size(), 0.0);
    u[j] = u[k] = 1.0;
    return u;
  }

 private:
  Arm arm_;
  std::vector<double> q_;
  std::vector<LinkState<double>> links_;
};

}  // namespace

Matrix strobed_mass_matrix(const Arm& arm, std::span<const double> q) {
  const std::size_t n = arm.dof();
  Strobe strobe(arm, q);
  const std::vector<double> at_rest(n, 0.0);
  Matrix M(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<double> column = strobe.torque(at_rest, strobe.ones_at(j, j));  // (9.20)
    for (std::size_t i = 0; i < n; ++i) M(i, j) = column[i];
  }
  return M;
}

Christoffel strobed_christoffel(const Arm& arm, std::span<const double> q) {
  const std::size_t n = arm.dof();
  Strobe strobe(arm, q);
  const std::vector<double> no_acceleration(n, 0.0);
  Christoffel gamma(n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<double> alone = strobe.torque(strobe.ones_at(j, j), no_acceleration);
    for (std::size_t i = 0; i < n; ++i) gamma(i, j, j) = alone[i];  // (9.21)
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = j + 1; k < n; ++k) {
      const std::vector<double> both = strobe.torque(strobe.ones_at(j, k), no_acceleration);
      for (std::size_t i = 0; i < n; ++i) {
        gamma(i, j, k) = gamma(i, k, j) =
            0.5 * (both[i] - gamma(i, j, j) - gamma(i, k, k));  // (9.22)
      }
    }
  }
  return gamma;
}

}  // namespace armdyn
