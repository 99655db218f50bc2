#include "identification/consistent_fit.hpp"

#include <armdyn/eigen.hpp>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "dynamics/regressor_columns.hpp"
#include "math/linear_algebra.hpp"

namespace armdyn {

namespace {

using Ten = Eigen::Matrix<double, body_parameters, 1>;

/// Pseudo-inertia [Σ, m c; m cᵀ, m] with Σ = ½ tr(I) E − I about the origin.
Eigen::Matrix4d pseudo_inertia(const Ten& p) {
  Eigen::Matrix3d I;
  I << p[4], p[7], p[9], p[7], p[5], p[8], p[9], p[8], p[6];
  Eigen::Matrix4d P;
  P.topLeftCorner<3, 3>() = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  P.topRightCorner<3, 1>() = p.segment<3>(1);
  P.bottomLeftCorner<1, 3>() = p.segment<3>(1).transpose();
  P(3, 3) = p[0];
  return P;
}

Ten body_vector(const Eigen::Matrix4d& P) {
  const Eigen::Matrix3d S = P.topLeftCorner<3, 3>();
  const Eigen::Matrix3d I = S.trace() * Eigen::Matrix3d::Identity() - S;
  Ten p;
  p << P(3, 3), P(0, 3), P(1, 3), P(2, 3), I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(1, 2), I(0, 2);
  return p;
}

/// Ten coordinates of a body, zero at the prior (30.2): P = L C Cᵀ Lᵀ, with L Lᵀ the prior's
/// pseudo-inertia and C lower triangular with the diagonal e^θ.
class BodyCoordinates {
 public:
  explicit BodyCoordinates(const Ten& prior)
      : L_(Eigen::LLT<Eigen::Matrix4d>(pseudo_inertia(prior)).matrixL()) {}

  [[nodiscard]] Ten parameters(const Ten& theta) const {
    const Eigen::Matrix4d LC = L_ * factor(theta);
    return body_vector(LC * LC.transpose());
  }
  /// Coordinates of the body, or of a possible one nearby.
  [[nodiscard]] Ten coordinates(const Ten& p) const {
    constexpr double least = 1e-4;  // of the largest
    const auto L = L_.triangularView<Eigen::Lower>();
    const Eigen::Matrix4d half = L.solve(pseudo_inertia(p));
    const auto [values, V] = symmetric_eigen(L.solve(half.transpose()));
    const double smallest = least * std::max(1e-6, values.maxCoeff());
    const Eigen::Matrix4d X = V * values.cwiseMax(smallest).asDiagonal() * V.transpose();
    const Eigen::Matrix4d C = Eigen::LLT<Eigen::Matrix4d>(X).matrixL();
    Ten theta;
    for (Eigen::Index k = 0; k < 10; ++k) {
      const auto [i, j] = place(k);
      theta[k] = i == j ? std::log(C(i, i)) : C(i, j);
    }
    return theta;
  }
  /// Jacobian ∂π/∂θ.
  [[nodiscard]] Eigen::Matrix<double, 10, 10> slopes(const Ten& theta) const {
    const Eigen::Matrix4d C = factor(theta);
    Eigen::Matrix<double, 10, 10> J;
    for (Eigen::Index k = 0; k < 10; ++k) {
      Eigen::Matrix4d dC = Eigen::Matrix4d::Zero();
      const auto [i, j] = place(k);
      dC(i, j) = i == j ? C(i, i) : 1.0;
      const Eigen::Matrix4d half = L_ * dC * C.transpose() * L_.transpose();
      J.col(k) = body_vector(half + half.transpose());
    }
    return J;
  }

 private:
  static std::pair<Eigen::Index, Eigen::Index> place(Eigen::Index k) {
    constexpr std::pair<Eigen::Index, Eigen::Index> places[] = {
        {0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {3, 2}};
    return places[k];
  }
  static Eigen::Matrix4d factor(const Ten& theta) {
    Eigen::Matrix4d C = Eigen::Matrix4d::Zero();
    for (Eigen::Index k = 0; k < 10; ++k) {
      const auto [i, j] = place(k);
      C(i, j) = i == j ? std::exp(theta[k]) : theta[k];
    }
    return C;
  }

  Eigen::Matrix4d L_;
};

/// Term of a coordinate in the prior's part of the objective.
struct PriorTerm {
  double value, slope, curvature;
};

/// Term of tr X − log det X − 4 with X = C Cᵀ by a coordinate of a body; its curvature is diagonal
/// (30.3).
PriorTerm divergence(double theta, bool is_diagonal) {
  constexpr double least = 1e-12;  // of a body that is nearly flat
  if (!is_diagonal) return {theta * theta, 2.0 * theta, 2.0};
  const double x = std::exp(2.0 * theta);
  return {x - 2.0 * theta - 1.0, 2.0 * x - 2.0, 4.0 * std::max(least, x)};
}

/// Objective, as a function of all coordinates.
class Objective {
 public:
  explicit Objective(const ConsistentFitTask& task)
      : task_(task), data_(task.combinations.transpose() * task.information * task.combinations) {
    const Eigen::VectorXd wanted = task.information * task.beta;
    pull_ = task.combinations.transpose() * wanted;
    constant_ = task.beta.dot(wanted);
    for (std::size_t k = 0; k < task.parameters.size(); ++k) {
      if (!is_body(k)) continue;
      Ten prior;
      for (std::size_t i = 0; i < body_parameters; ++i) {
        prior[index(i)] = task.parameters[k + i].value;
      }
      bodies_.emplace_back(prior);
      starts_.push_back(index(k));
      k += body_parameters - 1;
    }
  }

  [[nodiscard]] Eigen::Index size() const { return index(task_.parameters.size()); }
  [[nodiscard]] bool is_body(std::size_t k) const { return is_of_body(task_.parameters[k]); }
  [[nodiscard]] bool is_bounded(Eigen::Index k) const {
    const auto i = static_cast<std::size_t>(k);
    return !is_body(i) && task_.parameters[i].kind != ParameterKind::offset;
  }
  /// Coordinates of the prior.
  [[nodiscard]] Eigen::VectorXd start() const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size());
    for (std::size_t k = 0; k < task_.parameters.size(); ++k) {
      if (!is_body(k)) x[index(k)] = task_.parameters[k].value;
    }
    return x;
  }
  [[nodiscard]] Eigen::VectorXd parameters(const Eigen::VectorXd& x) const {
    Eigen::VectorXd p = x;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      p.segment<10>(starts_[b]) = bodies_[b].parameters(x.segment<10>(starts_[b]));
    }
    return p;
  }
  /// Coordinates of parameters, or of possible ones nearby.
  [[nodiscard]] Eigen::VectorXd coordinates(const Eigen::VectorXd& p) const {
    Eigen::VectorXd x = p;
    for (Eigen::Index k = 0; k < size(); ++k) {
      if (is_bounded(k)) x[k] = std::max(x[k], 0.0);
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      x.segment<10>(starts_[b]) = bodies_[b].coordinates(p.segment<10>(starts_[b]));
    }
    return x;
  }
  [[nodiscard]] double value(const Eigen::VectorXd& x) const {
    const Eigen::VectorXd p = parameters(x);
    double sum = 0.5 * (p.dot(data_ * p) - 2.0 * p.dot(pull_) + constant_);
    for (Eigen::Index k = 0; k < size(); ++k) sum += task_.prior_weight * prior(x, k).value;
    return sum;
  }
  struct Slopes {
    Eigen::VectorXd gradient;
    Eigen::MatrixXd curvature;  // by Gauss and Newton, of data and prior
    Eigen::VectorXd of_prior;   // the prior's curvature, diagonal
    Eigen::MatrixXd J;          // ∂π/∂x
  };
  [[nodiscard]] Slopes slopes(const Eigen::VectorXd& x) const {
    Slopes s;
    s.J = Eigen::MatrixXd::Identity(size(), size());
    s.of_prior.resize(size());
    Eigen::VectorXd of_prior(size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      s.J.block<10, 10>(starts_[b], starts_[b]) = bodies_[b].slopes(x.segment<10>(starts_[b]));
    }
    for (Eigen::Index k = 0; k < size(); ++k) {
      const PriorTerm term = prior(x, k);
      of_prior[k] = term.slope;
      s.of_prior[k] = term.curvature;
    }
    s.of_prior *= task_.prior_weight;
    const Eigen::VectorXd p = parameters(x);
    s.gradient = s.J.transpose() * (data_ * p - pull_) + task_.prior_weight * of_prior;
    s.curvature = s.J.transpose() * data_ * s.J;
    s.curvature.diagonal() += s.of_prior;
    return s;
  }

 private:
  /// Prior's term of a coordinate; the first four of a body are those of the diagonal.
  [[nodiscard]] PriorTerm prior(const Eigen::VectorXd& x, Eigen::Index k) const {
    const auto i = static_cast<std::size_t>(k);
    if (is_body(i)) {
      const auto start = std::ranges::upper_bound(starts_, k) - 1;
      return divergence(x[k], k - *start < 4);
    }
    const double weight = 1.0 / (task_.prior_scale[i] * task_.prior_scale[i]);
    const double away = x[k] - task_.parameters[i].value;
    return {0.5 * weight * away * away, weight * away, weight};
  }

  const ConsistentFitTask& task_;
  Eigen::MatrixXd data_;
  Eigen::VectorXd pull_;
  double constant_ = 0.0;
  std::vector<BodyCoordinates> bodies_;
  std::vector<Eigen::Index> starts_;
};

/// Minimization of the objective by Levenberg and Marquardt.
class Minimization {
 public:
  explicit Minimization(const ConsistentFitTask& task)
      : objective_(task), x_(objective_.start()), value_(objective_.value(x_)) {
    // Tries the minimum over parameters of any sign, brought to possible bodies.
    const Objective::Slopes s = objective_.slopes(x_);
    (void)go_to(objective_.coordinates(objective_.parameters(x_) -
                                       s.J * solve_symmetric(s.curvature, s.gradient)));
  }

  void run() {
    constexpr int most_steps = 5000;
    constexpr double enough = 1e-9;  // of the objective, which counts squared standard deviations
    for (int i = 0; i < most_steps && damping_ < most_damping; ++i) {
      if (step() < enough * std::max(1.0, value_)) return;
    }
  }

  [[nodiscard]] ConsistentFit result() const {
    const Eigen::VectorXd p = objective_.parameters(x_);
    const Objective::Slopes s = objective_.slopes(x_);
    const Eigen::MatrixXd covariance = s.J * solve_symmetric(s.curvature, s.J.transpose());
    const Eigen::MatrixXd of_prior = s.J * s.of_prior.cwiseInverse().asDiagonal() * s.J.transpose();
    ConsistentFit fit;
    fit.covariance = covariance;
    for (Eigen::Index k = 0; k < x_.size(); ++k) {
      fit.parameters.push_back(p[k]);
      fit.errors.push_back(std::sqrt(std::max(0.0, covariance(k, k))));
      fit.from_data.push_back(1.0 - std::min(1.0, covariance(k, k) / of_prior(k, k)));
    }
    return fit;
  }

 private:
  static constexpr double least_damping = 1e-12, most_damping = 1e12;  // of the curvature

  /// Goes there if the objective is less there; returns the gain.
  double go_to(const Eigen::VectorXd& there) {
    const double value = objective_.value(there);
    if (!(value < value_)) return 0.0;
    const double gain = value_ - value;
    x_ = there;
    value_ = value;
    return gain;
  }

  /// Goes that way, or a part of it, within the bounds; returns the gain.
  double go(const Eigen::VectorXd& way) {
    double gain = 0.0;
    for (double share = 1.0; gain == 0.0 && share > 0.01; share /= 2.0) {
      Eigen::VectorXd next = x_ + share * way;
      for (Eigen::Index k = 0; k < next.size(); ++k) {
        if (objective_.is_bounded(k)) next[k] = std::max(next[k], 0.0);
      }
      gain = go_to(next);
    }
    return gain;
  }

  /// Takes a step and returns its gain. A coordinate at its bound that would leave it rests.
  double step() {
    auto [gradient, H, of_prior, J] = objective_.slopes(x_);
    for (Eigen::Index k = 0; k < x_.size(); ++k) {
      if (!objective_.is_bounded(k) || x_[k] > 0.0 || gradient[k] < 0.0) continue;
      gradient[k] = 0.0;
      H.row(k).setZero();
      H.col(k).setZero();
      H(k, k) = 1.0;
    }
    double gain = 0.0;
    while (gain == 0.0 && damping_ < most_damping) {
      Eigen::MatrixXd damped = H;
      damped.diagonal() += damping_ * H.diagonal();
      gain = go(-solve_symmetric(damped, gradient));
      damping_ = gain > 0.0 ? std::max(least_damping, damping_ / 100.0) : damping_ * 100.0;
    }
    return gain;
  }

  Objective objective_;
  Eigen::VectorXd x_;
  double value_ = 0.0;
  double damping_ = least_damping;
};

}  // namespace

ConsistentFit fit_consistent(const ConsistentFitTask& task) {
  Minimization minimization(task);
  minimization.run();
  return minimization.result();
}

MassProperties possible_body(const MassProperties& body, double least_mass) {
  constexpr double least_share = 1e-3;
  constexpr double least_size = 0.01;  // m
  constexpr double usual_size = 0.05;  // m, of an unknown body
  const double mass = std::max(body.mass, least_mass);
  const Eigen::Matrix3d I = eigen(body.inertia);
  const auto [second, V] = symmetric_eigen(0.5 * I.trace() * Eigen::Matrix3d::Identity() - I);
  const double least =
      body.mass > 0.0 ? least_share * (second.cwiseMax(0.0).sum() + mass * least_size * least_size)
                      : mass * usual_size * usual_size;
  if (body.mass == mass && second.minCoeff() >= least) return body;
  const Eigen::Matrix3d S = V * second.cwiseMax(least).asDiagonal() * V.transpose();
  return {mass, body.com, sym_mat3(S.trace() * Eigen::Matrix3d::Identity() - S)};
}

}  // namespace armdyn
