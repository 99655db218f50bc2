#include <armdyn/equations.hpp>

#include <armdyn/dynamics.hpp>

#include <array>
#include <optional>

#include "dynamics/friction.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/not_finite.hpp"
#include "dynamics/sizes.hpp"
#include "math/dual.hpp"
#include "math/eigen.hpp"
#include "math/finite.hpp"

namespace armdyn {

namespace {

/// M_links, n×n by rows.
template <class S>
std::vector<S> links_mass_matrix(const Arm& arm, std::span<const S> q) {
  std::vector<S> M(arm.dof() * arm.dof());
  composite_body<S>(arm, joint_frames(arm, q), M);
  mirror_lower<S>(arm.dof(), M);
  return M;
}

Matrix with_rotors(Matrix M, const Arm& arm) {  // (9.5)
  const RotorInertias rotors = rotor_inertias(arm);
  for (std::size_t i = 0; i < arm.dof(); ++i) M(i, i) += rotors.diagonal[i];
  for (const auto& [i, j, value] : rotors.coupled) {
    M(i, j) += value;
    M(j, i) += value;
  }
  return M;
}

Matrix coriolis_matrix(const Christoffel& gamma, std::span<const double> qd) {
  const std::size_t n = gamma.dof();
  Matrix C(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) C(i, j) += gamma(i, j, k) * qd[k];  // (9.10)
    }
  }
  return C;
}

/// V and G by the inverse dynamics, which knows nothing of Γ.
void velocity_and_gravity(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                          std::vector<double>& V, std::vector<double>& G) {
  V.resize(arm.dof());
  G.resize(arm.dof());
  std::vector<double> zero(arm.dof()), others(arm.dof());
  InverseDynamics(arm).terms({q, qd, zero}, {}, {others, V, G, others, others, others});
}

}  // namespace

Matrix mass_matrix(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  return with_rotors(Matrix(arm.dof(), arm.dof(), links_mass_matrix<double>(arm, q)), arm);
}

Christoffel christoffel(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  const std::size_t n = arm.dof();
  std::vector<Dual> at(q.begin(), q.end());
  std::vector<std::vector<Dual>> dM;  // [k]: slopes are ∂M/∂q_k
  for (std::size_t k = 0; k < n; ++k) {
    at[k].slope = 1.0;
    dM.push_back(links_mass_matrix<Dual>(arm, at));
    at[k].slope = 0.0;
  }
  const auto dM_ij_dqk = [&](std::size_t i, std::size_t j, std::size_t k) {
    return dM[k][i * n + j].slope;
  };

  Christoffel gamma(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {  // (9.8)
        gamma(i, j, k) = 0.5 * (dM_ij_dqk(i, j, k) + dM_ij_dqk(i, k, j) - dM_ij_dqk(j, k, i));
      }
    }
  }
  return gamma;
}

VelocityCoefficients velocity_coefficients(const Christoffel& gamma) {  // (9.11)
  const std::size_t n = gamma.dof();
  VelocityCoefficients craig{Matrix(n, n * (n - 1) / 2), Matrix(n, n)};
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pair = 0;
    for (std::size_t j = 0; j < n; ++j) {
      craig.C(i, j) = gamma(i, j, j);
      for (std::size_t k = j + 1; k < n; ++k) craig.B(i, pair++) = 2.0 * gamma(i, j, k);
    }
  }
  return craig;
}

double potential_energy(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  std::vector<Transform> frames(arm.dof());
  link_frames<double>(arm, q, frames);
  return potential_energy<double>(arm, frames);
}

namespace {

Equations computed(const Arm& arm, std::span<const double> q, std::span<const double> qd) {
  Equations result;
  result.gamma = christoffel(arm, q);
  result.M_links = Matrix(arm.dof(), arm.dof(), links_mass_matrix<double>(arm, q));
  result.M = with_rotors(result.M_links, arm);
  velocity_and_gravity(arm, q, qd, result.V, result.G);
  result.C = coriolis_matrix(result.gamma, qd);
  result.craig = velocity_coefficients(result.gamma);
  const Eigen::VectorXd momentum = eigen(result.M) * eigen(qd);  // (9.9)
  result.momentum = plain_vector(momentum);
  result.kinetic = 0.5 * momentum.dot(eigen(qd));  // (9.6)
  result.potential = potential_energy(arm, q);
  return result;
}

/// The first joint of which an entry is not finite; dof if only energies are not; nothing if all are.
std::optional<std::size_t> first_not_finite(const Equations& e) {
  const std::size_t n = e.V.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool finite = all_finite(e.M.row(i)) && all_finite(e.C.row(i)) &&
                        all_finite(e.craig.B.row(i)) && all_finite(e.craig.C.row(i)) &&
                        all_finite(std::array{e.V[i], e.G[i], e.momentum[i]});
    if (!finite) return i;
  }
  if (all_finite(std::array{e.kinetic, e.potential})) return {};
  return n;
}

}  // namespace

Equations equations(const Arm& arm, std::span<const double> q, std::span<const double> qd) {
  require_one_per_joint(arm, q, qd);
  Equations result = computed(arm, q, qd);
  const std::optional<std::size_t> joint = first_not_finite(result);
  if (!joint) return result;
  refuse_not_finite(
      *joint < arm.dof() ? "the equation of motion of " + joint_name(arm, *joint) : "the energy",
      inputs_of(arm, {q, qd, {}}),
      [](const Inputs& in) { return !first_not_finite(computed(in.arm, in.q, in.qd)); });
}

}  // namespace armdyn
