#include <armdyn/equations.hpp>

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/compare.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/dual.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

/// The mass matrix with these rotors (9.5).
template <class S>
MatrixOf<S> mass_matrix(const Arm& arm, std::span<const S> q, const RotorInertias& rotors) {
  std::vector<S> M(arm.dof() * arm.dof());
  lower_mass_matrix<S>(arm, q, rotors, M);
  mirror_lower<S>(arm.dof(), M);
  return {arm.dof(), arm.dof(), std::move(M)};
}
template <class S>
MatrixOf<S> links_mass_matrix(const Arm& arm, std::span<const S> q) {
  return mass_matrix(arm, q, RotorInertias{std::vector<double>(arm.dof())});
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

}  // namespace

Matrix mass_matrix(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  return mass_matrix(arm, q, rotor_inertias(arm));
}

Christoffel christoffel(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  const std::size_t n = arm.dof();
  std::vector<Dual> at(q.begin(), q.end());
  std::vector<MatrixOf<Dual>> dM;  // [k]: slopes are ∂M/∂q_k
  for (std::size_t k = 0; k < n; ++k) {
    at[k].slope = 1.0;
    dM.push_back(links_mass_matrix<Dual>(arm, at));
    at[k].slope = 0.0;
  }
  const auto dM_ij_dqk = [&](std::size_t i, std::size_t j, std::size_t k) {
    return dM[k](i, j).slope;
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
  return potential_energy_at<double>(arm, q);
}

namespace {

/// The first joint with an entry that is not finite; dof if only energies are not; nothing if all are.
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
  Equations result;
  result.gamma = christoffel(arm, q);
  result.M_links = links_mass_matrix(arm, q);
  result.M = mass_matrix(arm, q, rotor_inertias(arm));
  std::vector<double> zero(arm.dof()), others(arm.dof());
  result.V = result.G = zero;
  InverseDynamics(arm).terms({q, qd, zero}, {},  // computed without Γ
                             {others, result.V, result.G, others, others, others});
  result.C = coriolis_matrix(result.gamma, qd);
  result.craig = velocity_coefficients(result.gamma);
  const Eigen::VectorXd momentum = eigen(result.M) * eigen(qd);  // (9.9)
  result.momentum = plain_vector(momentum);
  result.kinetic = 0.5 * momentum.dot(eigen(qd));  // (9.6)
  result.potential = potential_energy(arm, q);
  if (const std::optional<std::size_t> joint = first_not_finite(result)) {
    refuse_not_finite(*joint < arm.dof() ? "the equation of motion of " + joint_name(arm, *joint)
                                         : "the energy");
  }
  return result;
}

// Paper 001, end of section 3: the coefficients of the equations of motion as answers of the
// inverse dynamics to unit motions (docs/derivation.md, 9.5).

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

// The equations of motion as the TCP feels them (docs/derivation.md, 9.4).

namespace {

constexpr int sure_digits = 10;  // fewer are worth a warning

/// Maps by J, a task Jacobian, of a term of the joints to the task, and back.
struct TaskMap {
  Eigen::MatrixXd J;
  Eigen::MatrixXd Mx;       // Λ
  Eigen::MatrixXd to_task;  // J̄ᵀ: joint torques to task forces
};

/// J⁻ᵀ M J⁻¹ and J⁻ᵀ; needs no M⁻¹, which some arms lack.
TaskMap square_map(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M) {
  const Eigen::MatrixXd to_task =
      solve(J.transpose(), Eigen::MatrixXd::Identity(J.rows(), J.rows()));
  return {J, solve(J.transpose(), solve(J.transpose(), M).transpose()), to_task};
}

/// Λ = (J M⁻¹ Jᵀ)⁻¹ and J̄ᵀ = Λ J M⁻¹ (eq. 9.12, 9.13).
TaskMap consistent_map(const Eigen::MatrixXd& J, const MassInverse& M_inverse) {
  const Eigen::MatrixXd accelerations = M_inverse * J.transpose();  // M⁻¹ Jᵀ
  const Eigen::MatrixXd mobility = J * accelerations;
  const Eigen::MatrixXd lambda =
      solve_symmetric(mobility, Eigen::MatrixXd::Identity(J.rows(), J.rows()));
  return {J, lambda, solve_symmetric(mobility, accelerations.transpose())};
}

/// (9.19): of the largest entry; 0 where anything is not finite, all of a term that is no more than
/// `rounding`.
int right_digits(std::span<const double> found, std::span<const double> reference,
                 double rounding) {
  constexpr double all = 16.0;
  double error = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(found[i] - reference[i]);
    if (!std::isfinite(difference)) return 0;
    error = std::max(error, difference);
  }
  const double size = largest_magnitude(reference);
  const bool is_zero = error == 0.0 || std::max(size, error) <= rounding;
  return static_cast<int>(is_zero ? all
                                  : std::clamp(std::floor(-std::log10(error / size)), 0.0, all));
}

/// The rounding error of forces at the TCP that cancel.
double rounding_of_forces(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                          const Eigen::MatrixXd& to_task) {
  const std::vector<double> zero(arm.dof());
  const auto loads = gross_loads(arm, {q, qd, zero}, {});
  return 1e-14 * (to_task.cwiseAbs() * eigen(loads)).maxCoeff();
}

/// ∂J/∂q_j for every j: J̇ is linear in q̇ (eq. 9.17).
std::vector<Eigen::MatrixXd> jacobian_slopes(const Arm& arm, std::span<const double> q,
                                             std::span<const TaskRow> rows, TaskAxes axes) {
  std::vector<double> unit(arm.dof(), 0.0);
  std::vector<Eigen::MatrixXd> slopes;
  for (double& joint : unit) {
    joint = 1.0;
    slopes.emplace_back(eigen(select_rows(jacobian_rate(arm, q, unit, axes), rows)));
    joint = 0.0;
  }
  return slopes;
}

/// Jᵀ (J̄ᵀ b − Λ a) for each velocity product's b and a (eq. 9.16).
VelocityCoefficients task_coefficients(const TaskMap& task, const VelocityCoefficients& joints,
                                       const std::vector<Eigen::MatrixXd>& slopes) {
  const std::size_t n = slopes.size();
  Eigen::MatrixXd squares(task.J.rows(), index(n));
  Eigen::MatrixXd products(task.J.rows(), index(n * (n - 1) / 2));
  Eigen::Index pair = 0;
  for (std::size_t j = 0; j < n; ++j) {
    squares.col(index(j)) = slopes[j].col(index(j));
    for (std::size_t k = j + 1; k < n; ++k) {
      products.col(pair++) = slopes[j].col(index(k)) + slopes[k].col(index(j));
    }
  }
  const auto seen = [&task](const Matrix& torques, const Eigen::MatrixXd& accelerations) {
    return matrix(task.J.transpose() * (task.to_task * eigen(torques) - task.Mx * accelerations));
  };
  return {seen(joints.B, products), seen(joints.C, squares)};
}

}  // namespace

Cartesian cartesian(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                    std::span<const TaskRow> rows, TaskAxes axes) {
  require_one_per_joint(arm, q, qd);
  require(!rows.empty(), "a task needs at least one row");
  const Matrix J = select_rows(jacobian(arm, q, axes), rows);

  Cartesian result;
  result.rows.assign(rows.begin(), rows.end());
  result.dexterity = dexterity(J);
  const auto refused = [&result](std::string why) {
    result.refusal = std::move(why);
    return result;
  };
  if (J.rows() > J.columns()) {
    return refused("J has more rows (" + std::to_string(J.rows()) + ") than joints (" +
                   std::to_string(J.columns()) + "): choose no more task rows than joints");
  }
  const CartesianTerms reference = reference_cartesian(arm, q, qd, rows, axes);

  const Equations joints = equations(arm, q, qd);
  TaskMap task;
  if (J.rows() == J.columns()) {
    task = square_map(eigen(J), eigen(joints.M));
  } else {
    const MassInverse M_inverse(eigen(joints.M));
    if (!M_inverse.regular()) {
      return refused(
          "the mass matrix is singular here; with fewer task rows than joints, M⁻¹ is needed");
    }
    task = consistent_map(eigen(J), M_inverse);
  }

  result.digits.Mx = right_digits(matrix(task.Mx).entries(), reference.Mx.entries(), 0.0);
  if (result.digits.Mx == 0) {
    return refused("J is singular here in double precision: in some direction the TCP cannot move");
  }

  const Matrix Jdot = select_rows(jacobian_rate(arm, q, qd, axes), rows);
  CartesianTerms terms;
  terms.Mx = matrix(task.Mx);
  terms.Vx =
      plain_vector(task.to_task * eigen(joints.V) - task.Mx * (eigen(Jdot) * eigen(qd)));  // (9.14)
  terms.Gx = plain_vector(task.to_task * eigen(joints.G));                                 // (9.15)
  const double rounding = rounding_of_forces(arm, q, qd, task.to_task);
  result.digits.Vx = right_digits(terms.Vx, reference.Vx, rounding);
  result.digits.Gx = right_digits(terms.Gx, reference.Gx, rounding);
  const auto [Mx_digits, Vx_digits, Gx_digits] = result.digits;
  if (std::min({Mx_digits, Vx_digits, Gx_digits}) < sure_digits) {
    result.warning = fmt::format(
        "near a singularity, or where large terms cancel, few digits are right: {} of Mx, {} of "
        "Vx, {} of Gx",
        Mx_digits, Vx_digits, Gx_digits);
  }
  terms.craig = task_coefficients(task, joints.craig, jacobian_slopes(arm, q, rows, axes));
  result.terms = std::move(terms);
  return result;
}

namespace {

void require_size(const Matrix& A, std::size_t rows, std::size_t columns) {
  require(A.rows() == rows && A.columns() == columns && !A.entries().empty(),
          "the matrices of a linear model do not fit each other");
}

}  // namespace

LinearModel linearize(const TorqueDerivatives& derivatives) {
  const std::size_t dof = derivatives.dqdd.rows();
  require_size(derivatives.dqdd, dof, dof);
  require_size(derivatives.dq, dof, dof);
  require_size(derivatives.dqd, dof, dof);
  const MassInverse M_inverse(eigen(derivatives.dqdd));
  if (!M_inverse.regular()) {
    throw NumericsError(
        "the mass matrix is singular at this position, so accelerations do not follow from "
        "torques");
  }
  const Eigen::Index n = index(dof);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);  // (9.26)
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) -= M_inverse * eigen(derivatives.dq);
  A.bottomRightCorner(n, n) -= M_inverse * eigen(derivatives.dqd);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(2 * n, n);
  B.bottomRows(n) = M_inverse * Eigen::MatrixXd::Identity(n, n);
  return {matrix(A), matrix(B)};
}

LinearModel linearize(const Arm& arm, const MotionState& state) {
  return linearize(torque_derivatives(arm, state));
}

LinearModel sampled(const LinearModel& continuous, double sample_time) {
  require(sample_time > 0.0, "a sample time is greater than 0 s");
  require_size(continuous.A, continuous.B.rows(), continuous.B.rows());
  require_size(continuous.B, continuous.A.rows(), continuous.B.columns());
  const Eigen::Index states = index(continuous.B.rows());
  const Eigen::Index inputs = index(continuous.B.columns());
  Eigen::MatrixXd joint = Eigen::MatrixXd::Zero(states + inputs, states + inputs);
  joint.topLeftCorner(states, states) = sample_time * eigen(continuous.A);
  joint.topRightCorner(states, inputs) = sample_time * eigen(continuous.B);
  const Eigen::MatrixXd step = exponential(joint);  // (9.27)
  if (!step.allFinite()) {
    throw NumericsError("the arm diverges within one sample: take a shorter sample time");
  }
  return {matrix(step.topLeftCorner(states, states)), matrix(step.topRightCorner(states, inputs))};
}

// Newton's method for G(q) = 0 (docs/derivation.md, eq. 9.28). G is the slope of the potential, so
// its Jacobian K is symmetric and both steps below come from the eigenvectors of K.

namespace {

constexpr int most_iterations = 100;
constexpr double longest_step = 0.5;     // rad or m, in any joint
constexpr double shortest_share = 1e-6;  // of a step, before it is given up
constexpr double first_fall = 0.1;       // off an equilibrium that is not stable, rad or m

// Over the largest moment that the weight can have:
constexpr double reached = 1e-15;      // |G| of an equilibrium, up to rounding
constexpr double good_enough = 1e-11;  // the same, where rounding stops Newton's method earlier
constexpr double flat = 1e-10;         // an eigenvalue of K that counts as zero

/// The weight times the arm's length: no |G| is larger by far. N·m; N for a unit length.
double largest_gravity(const Arm& arm) {
  double mass = 0.0;
  double reach = 1.0;
  const auto add = [&](const std::vector<Link>& links) {
    for (const Link& link : links) {
      mass += link.body.mass;
      reach += std::abs(link.a) + std::abs(link.d) + length(link.body.com);
    }
  };
  if (arm.is_serial()) add(arm.links);
  for (const Chain& chain : arm.chains) add(chain.arm.links);
  return mass * reach * length(arm.v_dot_0);
}

Eigen::VectorXd limited(const Eigen::VectorXd& step) {
  return step *
         std::min(1.0, longest_step / std::max(step.lpNorm<Eigen::Infinity>(), longest_step));
}

std::string no_equilibrium(const Arm& arm, const Eigen::VectorXd& G) {
  Eigen::Index joint = 0;
  const double most = G.cwiseAbs().maxCoeff(&joint);
  return fmt::format(
      "no equilibrium found from this start: the gravity torque of {} is still {:.6g} after {} "
      "steps. Start nearer to one, or check that the arm has one",
      joint_name(arm, static_cast<std::size_t>(joint)), most, most_iterations);
}

/// Goes along `step`, or a part of it, to where `merit` is less, by `gain` times that part at
/// least; false where no part of it helps.
template <class Merit>
bool descend(Eigen::VectorXd& q, const Eigen::VectorXd& step, const Merit& merit, double gain) {
  const double before = merit(q);
  for (double share = 1.0; share > shortest_share; share *= 0.5) {
    const Eigen::VectorXd next = q + share * step;
    if (merit(next) < before - gain * share * before) {
      q = next;
      return true;
    }
  }
  return false;
}

}  // namespace

Equilibrium find_equilibrium(const Arm& arm, std::span<const double> start, EquilibriumKind kind) {
  require_one_per_joint(arm, start);
  const Arm links = without_drives(arm);  // at rest their torque is that of gravity
  const std::vector<double> rest(arm.dof());
  const auto gravity = [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    return eigen(torque(links, {span(q), rest, rest}));
  };
  const auto slopes_of_gravity = [&](const Eigen::VectorXd& q) -> Eigen::MatrixXd {
    const Eigen::MatrixXd K = eigen(torque_derivatives(links, {span(q), rest, rest}).dq);
    return 0.5 * (K + K.transpose());
  };
  const double scale = largest_gravity(links);
  const auto torque_left = [&](const Eigen::VectorXd& q) { return gravity(q).norm(); };
  const auto potential = [&](const Eigen::VectorXd& q) {
    return potential_energy(arm, {q.data(), start.size()});
  };

  Eigen::VectorXd q = eigen(start);
  bool downhill = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Eigen::VectorXd G = gravity(q);
    const SymmetricEigen K = symmetric_eigen(slopes_of_gravity(q));
    const Eigen::ArrayXd slopes = K.values;
    const double smallest = flat * scale;
    const Eigen::Index falling = (slopes < -smallest).count();
    Equilibrium here{.q = plain_vector(q),
                     .residual = G.lpNorm<Eigen::Infinity>(),
                     .iterations = iteration,
                     .falling_directions = static_cast<int>(falling),
                     .neutral_directions = static_cast<int>((slopes.abs() <= smallest).count())};
    const bool is_wanted = kind == EquilibriumKind::any || falling == 0;
    if (here.residual <= reached * scale && is_wanted) return here;

    // Newton; directions without slope stay as they are.
    const Eigen::ArrayXd along = K.vectors.transpose() * G;
    if (!downhill || falling == 0) {
      const Eigen::VectorXd newton = (slopes.abs() > smallest).select(along / slopes, 0.0);
      if (descend(q, limited(-(K.vectors * newton)), torque_left, 0.01)) continue;
    }
    if (here.residual <= good_enough * scale) {
      if (is_wanted) return here;
      q += first_fall * K.vectors.col(0);  // eigenvalues ascend: where the potential falls most
      downhill = true;
      continue;
    }

    // |G| has a minimum here that is no zero: follow the potential down, to where it is convex.
    downhill = true;
    const Eigen::VectorXd fall = along / slopes.abs().max(smallest);
    if (!descend(q, limited(-(K.vectors * fall)), potential, 0.0)) break;
  }
  throw NumericsError(no_equilibrium(arm, gravity(q)));
}

}  // namespace armdyn
