#include <armdyn/equations.hpp>

#include <armdyn/dynamics.hpp>

#include "dynamics/composite_body.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/sizes.hpp"
#include "math/dual.hpp"
#include "math/eigen.hpp"

namespace armdyn {

namespace {

/// M_links, n×n by rows.
template <class S>
std::vector<S> links_mass_matrix(const Arm& arm, std::span<const S> q) {
  const std::size_t n = arm.dof();
  std::vector<JointFrame<S>> frames;
  for (std::size_t i = 0; i < n; ++i) frames.push_back(joint_frame(arm.links[i], q[i]));
  std::vector<S> M(n * n);
  composite_body<S>(arm, frames, M);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[j * n + i] = M[i * n + j];
  }
  return M;
}

Matrix links_mass_matrix(const Arm& arm, std::span<const double> q) {
  const std::vector<double> entries = links_mass_matrix<double>(arm, q);
  Matrix M(arm.dof(), arm.dof());
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    for (std::size_t j = 0; j < arm.dof(); ++j) M(i, j) = entries[i * arm.dof() + j];
  }
  return M;
}

Matrix with_rotors(Matrix M, const Arm& arm) {  // (9.5)
  for (std::size_t i = 0; i < arm.dof(); ++i)
    M(i, i) += motor_torque(arm.drives[i].motor, 0.0, 1.0);
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
  return with_rotors(links_mass_matrix(arm, q), arm);
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
  std::vector<JointFrame<double>> frames(arm.dof());
  link_frames<double>(arm, q, frames);
  return potential_energy<double>(arm, frames);
}

Equations equations(const Arm& arm, std::span<const double> q, std::span<const double> qd) {
  require_one_per_joint(arm, q, qd);
  const Christoffel gamma = christoffel(arm, q);

  Equations result;
  result.M_links = links_mass_matrix(arm, q);
  result.M = with_rotors(result.M_links, arm);
  velocity_and_gravity(arm, q, qd, result.V, result.G);
  result.C = coriolis_matrix(gamma, qd);
  result.craig = velocity_coefficients(gamma);
  const Eigen::VectorXd momentum = eigen(result.M) * eigen(qd);  // (9.9)
  result.momentum = plain_vector(momentum);
  result.kinetic = 0.5 * momentum.dot(eigen(qd));  // (9.6)
  result.potential = potential_energy(arm, q);
  return result;
}

}  // namespace armdyn
