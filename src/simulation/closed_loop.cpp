#include "simulation/closed_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "simulation/step.hpp"

namespace armdyn {

namespace {

using Eigen::MatrixXd;

constexpr double sure = 1e-12;  // of gains; less is rounding
// Rounding error of repeated eigenvalues: closer to the edge of stability, their side is unknown.
constexpr double edge = 1e-8;
constexpr Eigen::Index largest_state = 600;

void require_square(const Matrix& Kp, const Matrix& Kv) {
  const std::size_t n = Kp.rows();
  require(n > 0 && Kp.columns() == n && Kv.rows() == n && Kv.columns() == n,
          "gains are two square matrices of one size");
}

bool is_symmetric(const MatrixXd& K) {
  return (K - K.transpose()).cwiseAbs().maxCoeff() <= sure * K.cwiseAbs().maxCoeff();
}

/// Smallest eigenvalue over the largest magnitude of K, brought to a diagonal of ±1 or 0 by a change
/// of the joints' units, which keeps the signs of the eigenvalues.
double smallest_share(const MatrixXd& K) {
  Eigen::VectorXd scale = K.diagonal().cwiseAbs().cwiseSqrt();
  for (double& entry : scale) entry = entry == 0.0 ? 1.0 : 1.0 / entry;
  const Eigen::VectorXd values =
      symmetric_eigen(scale.asDiagonal() * K * scale.asDiagonal()).values;
  const double largest = values.cwiseAbs().maxCoeff();
  return largest == 0.0 ? 0.0 : values(0) / largest;
}

/// Scales K to a largest entry of 1.
MatrixXd relative(const MatrixXd& K) {
  const double largest = K.cwiseAbs().maxCoeff();
  return largest == 0.0 ? K : MatrixXd(K / largest);
}

/// Rank of [K_v | K_p K_v | …], by an orthonormal basis that grows by K_p times its last part; the
/// powers themselves would lose small directions.
std::size_t reached_directions(const MatrixXd& Kp, const MatrixXd& Kv) {
  MatrixXd basis = range_basis(relative(Kv), sure);
  MatrixXd added = basis;
  while (added.cols() > 0 && basis.cols() < Kp.rows()) {
    MatrixXd next = relative(Kp) * added;
    for (int pass = 0; pass < 2; ++pass) next -= basis * (basis.transpose() * next).eval();
    added = range_basis(next, sure);
    MatrixXd grown(basis.rows(), basis.cols() + added.cols());
    grown << basis, added;
    basis = grown;
  }
  return static_cast<std::size_t>(basis.cols());
}

/// Groups of joints that the gains couple.
std::vector<std::vector<Eigen::Index>> coupled_joints(const MatrixXd& Kp, const MatrixXd& Kv,
                                                      const MatrixXd& Ki) {
  const MatrixXd coupling = Kp.cwiseAbs() + Kv.cwiseAbs() + Ki.cwiseAbs();
  std::vector<bool> seen(static_cast<std::size_t>(Kp.rows()));
  std::vector<std::vector<Eigen::Index>> groups;
  for (Eigen::Index first = 0; first < Kp.rows(); ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    seen[static_cast<std::size_t>(first)] = true;
    std::vector<Eigen::Index> group{first};
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (Eigen::Index j = 0; j < Kp.rows(); ++j) {
        const Eigen::Index i = group[k];
        const bool coupled = coupling(i, j) != 0.0 || coupling(j, i) != 0.0;
        if (!coupled || seen[static_cast<std::size_t>(j)]) continue;
        seen[static_cast<std::size_t>(j)] = true;
        group.push_back(j);
      }
    }
    groups.push_back(group);
  }
  return groups;
}

/// Orthonormal columns whose combinations K_i ∫e are.
MatrixXd felt_integrals(const MatrixXd& Ki) {
  return range_basis(relative(Ki), sure);
}

/// Matrix of the loop (11.6) with the state e, ė and the part of ∫e that K_i feels.
MatrixXd continuous_loop(const MatrixXd& Kp, const MatrixXd& Kv, const MatrixXd& Ki) {
  const Eigen::Index n = Kp.rows();
  const MatrixXd felt = felt_integrals(Ki);
  MatrixXd A = MatrixXd::Zero(2 * n + felt.cols(), 2 * n + felt.cols());
  A.block(0, n, n, n).setIdentity();
  A.block(n, 0, n, n) = -Kp;
  A.block(n, n, n, n) = -Kv;
  A.block(n, 2 * n, n, felt.cols()) = -felt;
  A.bottomLeftCorner(felt.cols(), n) = felt.transpose() * Ki;
  return A;
}

/// Matrix of the sampled loop (11.7). The state is e and ė at a sample, e at the one before, the part
/// of the sum of e up to that one that K_i feels, and u − q̈ᵈ at the samples before, the last one
/// first.
MatrixXd sampled_loop(const MatrixXd& Kp, const MatrixXd& Kv, const MatrixXd& Ki,
                      const Eigen::VectorXd& is_encoded, double T, Eigen::Index delay) {
  const MatrixXd felt = felt_integrals(Ki);
  const Eigen::Index n = Kp.rows(), known = 3 * n + felt.cols(), size = known + delay * n;
  const MatrixXd E = MatrixXd::Identity(n, n);
  const MatrixXd D = is_encoded.asDiagonal();
  MatrixXd u = MatrixXd::Zero(n, size);  // of the state at a sample
  u.leftCols(n) = -Kp - T * Ki - Kv * D / T;
  u.middleCols(n, n) = -Kv * (E - D);
  u.middleCols(2 * n, n) = Kv * D / T;
  u.middleCols(3 * n, felt.cols()) = -felt;
  MatrixXd acting = u;
  if (delay > 0) {
    acting.setZero();
    acting.rightCols(n) = E;
  }
  MatrixXd A = MatrixXd::Zero(size, size);
  A.topRows(n) = 0.5 * T * T * acting;
  A.middleRows(n, n) = T * acting;
  A.topLeftCorner(n, n) += E;
  A.block(0, n, n, n) += T * E;
  A.block(n, n, n, n) += E;
  A.block(2 * n, 0, n, n) = E;
  A.block(3 * n, 0, felt.cols(), n) = T * felt.transpose() * Ki;
  A.block(3 * n, 3 * n, felt.cols(), felt.cols()).setIdentity();
  if (delay > 0) A.middleRows(known, n) = u;
  for (Eigen::Index k = 1; k < delay; ++k) A.block(known + k * n, known + (k - 1) * n, n, n) = E;
  return A;
}

/// Modes of independent groups. `growth` is above 0 for an eigenvalue that grows.
template <class Growth>
LoopModes modes_of(const std::vector<MatrixXd>& groups, const Growth& growth, double smallest_scale,
                   double rate_of_growth) {
  bool grows = false, dies_out = true;
  LoopModes modes;
  for (const MatrixXd& A : groups) {
    const Eigen::VectorXcd values = eigenvalues(A);
    const double scale = std::max(smallest_scale, values.cwiseAbs().maxCoeff());
    double most = -std::numeric_limits<double>::infinity();
    for (const std::complex<double>& value : values) most = std::max(most, growth(value));
    append(modes.eigenvalues, values);
    grows = grows || most > edge * scale;
    dies_out = dies_out && most < -edge * scale;
  }
  std::ranges::stable_sort(modes.eigenvalues, std::ranges::greater{}, growth);
  modes.stability = grows      ? LoopModes::Stability::unstable
                    : dies_out ? LoopModes::Stability::stable
                               : LoopModes::Stability::unclear;
  modes.rate = rate_of_growth * growth(modes.eigenvalues.front());
  return modes;
}

}  // namespace

GainConditions gain_conditions(const Matrix& Kp, const Matrix& Kv) {
  require_square(Kp, Kv);
  const MatrixXd p = eigen(Kp), v = eigen(Kv);
  GainConditions found;
  found.Kv_is_nonnegative = is_symmetric(v) && smallest_share(v) >= -sure;
  found.Kp_is_positive = is_symmetric(p) && smallest_share(p) > sure;
  found.rank = reached_directions(p, v);
  found.hold = found.Kv_is_nonnegative && found.Kp_is_positive && found.rank == Kp.rows();
  return found;
}

ClosedLoop closed_loop(const ControlOptions& options) {
  ClosedLoop result;
  result.conditions = gain_conditions(options.Kp, options.Kv);
  const MatrixXd Kp = eigen(options.Kp), Kv = eigen(options.Kv);
  if (options.Ki.rows() > 0) require_square(options.Ki, options.Kp);
  const MatrixXd Ki =
      options.Ki.rows() > 0 ? MatrixXd(eigen(options.Ki)) : MatrixXd::Zero(Kp.rows(), Kp.cols());
  require(options.resolution.empty() || options.resolution.size() == options.Kp.rows(),
          "encoder resolutions need one entry per joint");
  const double T = options.sample_time;
  const auto delay = index(options.delay);
  const auto real_part = [](const std::complex<double>& s) { return s.real(); };
  const auto log_of_size = [](const std::complex<double>& z) {
    return std::log(std::max(std::abs(z), 1e-300));
  };

  std::vector<MatrixXd> continuous, sampled;
  bool is_sampled = T > 0.0;
  for (const std::vector<Eigen::Index>& joints : coupled_joints(Kp, Kv, Ki)) {
    const MatrixXd p = Kp(joints, joints), v = Kv(joints, joints), i = Ki(joints, joints);
    continuous.push_back(continuous_loop(p, v, i));
    is_sampled = is_sampled && delay < largest_state &&
                 (3 + delay) * p.rows() + felt_integrals(i).cols() <= largest_state;
    if (!is_sampled) continue;
    Eigen::VectorXd is_encoded = Eigen::VectorXd::Zero(p.rows());
    for (std::size_t k = 0; k < joints.size() && !options.resolution.empty(); ++k) {
      const double step = options.resolution[static_cast<std::size_t>(joints[k])];
      is_encoded(index(k)) = step > 0.0 ? 1.0 : 0.0;
    }
    sampled.push_back(sampled_loop(p, v, i, is_encoded, T, delay));
    is_sampled = sampled.back().allFinite();
  }
  result.continuous = modes_of(continuous, real_part, 0.0, 1.0);
  if (is_sampled) result.sampled = modes_of(sampled, log_of_size, 1.0, 1.0 / T);
  return result;
}

}  // namespace armdyn
