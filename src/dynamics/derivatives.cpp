#include <armdyn/equations.hpp>

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/dual.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

std::vector<Dual> duals(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// The whole torque of an arm, read with Duals.
class DualTorque {
 public:
  DualTorque(const Arm& arm, const MotionState& state, const Wrench& hand)
      : q(duals(state.q)),
        qd(duals(state.qd)),
        qdd(duals(state.qdd)),
        arm_(arm),
        hand_(constant<Dual>(hand)),
        links_(arm.dof()),
        tau_(arm.dof()) {}

  std::vector<double> values() {
    evaluate();
    std::vector<double> tau;
    for (const Dual& torque : tau_) tau.push_back(torque.value);
    return tau;
  }

  /// ∂τ/∂x for the entries x of q, qd or qdd (eq. 9.25).
  Matrix derivative(std::vector<Dual>& x) {
    Matrix result(tau_.size(), x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j].slope = 1.0;
      evaluate();
      x[j].slope = 0.0;
      for (std::size_t i = 0; i < tau_.size(); ++i) result(i, j) = tau_[i].slope;
    }
    return result;
  }

  std::vector<Dual> q, qd, qdd;

 private:
  void evaluate() {
    newton_euler<Dual>(arm_, q, qd, qdd, &hand_, links_, tau_);
    for (std::size_t i = 0; i < tau_.size(); ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = direction_of(qd[i]);
      tau_[i] = tau_[i] + friction_torque(friction, q[i], qd[i], direction) +
                motor_torque(motor, qd[i], qdd[i], direction);
    }
    coupled_motor_torques<Dual>(arm_.coupled_motors, qd, qdd, by_speed, adding_to(tau_));
  }

  const Arm& arm_;
  ForceAndMoment<Dual> hand_;
  std::vector<LinkState<Dual>> links_;
  std::vector<Dual> tau_;
};

}  // namespace

TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state, const Wrench& hand) {
  require_one_per_joint(arm, state);
  DualTorque torque(arm, state, hand);
  return {torque.derivative(torque.q), torque.derivative(torque.qd), torque.derivative(torque.qdd)};
}

namespace {

void require_size(const Matrix& A, std::size_t rows, std::size_t columns) {
  if (A.rows() != rows || A.columns() != columns || A.entries().empty()) {
    throw std::invalid_argument("the matrices of a linear model do not fit each other");
  }
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
  if (!(sample_time > 0.0)) throw std::invalid_argument("a sample time is greater than 0 s");
  require_size(continuous.A, continuous.B.rows(), continuous.B.rows());
  require_size(continuous.B, continuous.A.rows(), continuous.B.columns());
  const Eigen::Index states = index(continuous.B.rows());
  const Eigen::Index inputs = index(continuous.B.columns());
  Eigen::MatrixXd joint = Eigen::MatrixXd::Zero(states + inputs, states + inputs);
  joint.topLeftCorner(states, states) = sample_time * eigen(continuous.A);
  joint.topRightCorner(states, inputs) = sample_time * eigen(continuous.B);
  const Eigen::MatrixXd step = exponential(joint);  // (9.27)
  if (!step.allFinite()) {
    throw NumericsError("the arm runs away within one sample: take a shorter sample time");
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

/// The links at rest: their torque is that of gravity.
class Gravity {
 public:
  explicit Gravity(const Arm& arm) : links_(without_drives(arm)), rest_(arm.dof()) {}

  Eigen::VectorXd torque(const Eigen::VectorXd& q) { return eigen(at(q).values()); }

  Eigen::MatrixXd derivative(const Eigen::VectorXd& q) {
    DualTorque torque = at(q);
    const Eigen::MatrixXd K = eigen(torque.derivative(torque.q));
    return 0.5 * (K + K.transpose());
  }

  /// The weight times the arm's length: no |G| is larger by far. N·m; N for a unit length.
  [[nodiscard]] double scale() const {
    double mass = 0.0;
    double reach = 1.0;
    for (const Link& link : links_.links) {
      mass += link.body.mass;
      reach += std::abs(link.a) + std::abs(link.d) + length(link.body.com);
    }
    return mass * reach * length(links_.v_dot_0);
  }

 private:
  [[nodiscard]] DualTorque at(const Eigen::VectorXd& q) const {
    return {links_, {span(q), rest_, rest_}, {}};
  }

  Arm links_;
  std::vector<double> rest_;
};

double largest(const Eigen::VectorXd& v) {
  return v.cwiseAbs().maxCoeff();
}

Eigen::VectorXd limited(const Eigen::VectorXd& step) {
  return step * std::min(1.0, longest_step / std::max(largest(step), longest_step));
}

std::string no_equilibrium(const Arm& arm, const Eigen::VectorXd& G) {
  Eigen::Index joint = 0;
  const double most = G.cwiseAbs().maxCoeff(&joint);
  return fmt::format(
      "no equilibrium found from this start: gravity still asks {:.6g} of {} after {} steps. Start "
      "nearer to one, or check that the arm has one",
      most, joint_name(arm, static_cast<std::size_t>(joint)), most_iterations);
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
  Gravity gravity(arm);
  const double scale = gravity.scale();
  const auto torque_left = [&](const Eigen::VectorXd& q) { return gravity.torque(q).norm(); };
  const auto potential = [&](const Eigen::VectorXd& q) {
    return potential_energy(arm, {q.data(), start.size()});
  };

  Eigen::VectorXd q = eigen(start);
  bool downhill = false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Eigen::VectorXd G = gravity.torque(q);
    const SymmetricEigen K = symmetric_eigen(gravity.derivative(q));
    const Eigen::ArrayXd slopes = K.values;
    const double smallest = flat * scale;
    const Eigen::Index falling = (slopes < -smallest).count();
    Equilibrium here{.q = plain_vector(q),
                     .residual = largest(G),
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
  throw NumericsError(no_equilibrium(arm, gravity.torque(q)));
}

}  // namespace armdyn
