#include "identification/torque_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"

namespace armdyn {

namespace {

constexpr std::size_t chunk = 128;         // most moments added to a triangle at a time
constexpr std::size_t shortest = 16;       // moments of a block, at first
constexpr std::size_t fewest_blocks = 12;  // for an estimate of the variance, if rows suffice

Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& rows) {
  const Eigen::Index columns = rows.cols();
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(columns, columns);
  if (rows.rows() == 0) return R;
  R.topRows(std::min(columns, rows.rows())) = triangle(rows);
  return R;
}

/// Calls call(rows, block, joint, number) for each joint of each block of the parts.
template <class Call>
void for_blocks(std::span<const LogPart> parts, Call call) {
  std::size_t number = 0;
  for (const LogPart& part : parts) {
    for (std::size_t b = part.from; b < part.to; ++b, ++number) {
      for (std::size_t j = 0; j < part.rows->joints(); ++j) call(*part.rows, b, j, number);
    }
  }
}

}  // namespace

// --- TorqueFitRows

void TorqueFitRows::Sums::add(const Sums& others) {
  rows += others.rows;
  sum += others.sum;
  squares += others.squares;
  measured_sum += others.measured_sum;
  measured_squares += others.measured_squares;
  before += others.before;
  rate_noise += others.rate_noise;
}

void TorqueFitRows::Triangle::join(const Triangle& later) {
  Eigen::MatrixXd both(R.rows() + later.R.rows(), R.cols());
  both << R, later.R;
  R = triangle_of(both);
  add(later);
}

TorqueFitRows::TorqueFitRows(const UsedColumns& used)
    : joints_(used.size()), block_moments_(shortest) {
  for (std::size_t j = 0; j < used.size(); ++j) {
    joints_[j].used = used[j];
    joints_[j].waiting.resize(index(chunk), index(used[j].size()) + 2);
  }
}

void TorqueFitRows::add(std::size_t joint, std::span<const double> row, const Torque& torque) {
  Joint& x = joints_[joint];
  if (!std::exchange(x.has_reference, true)) x.reference = torque.smoothed;
  x.sums.sum += torque.smoothed - x.reference;
  x.sums.squares += square(torque.smoothed - x.reference);
  x.sums.measured_sum += torque.measured - x.reference;
  x.sums.measured_squares += square(torque.measured - x.reference);
  x.sums.before += square(torque.before);
  x.sums.rate_noise += torque.rate_variance;
  x.waiting.row(x.count++) = eigen(row).transpose();
}

void TorqueFitRows::end_moment() {
  ++waiting_;
  if (waiting_ == std::min(chunk, block_moments_ - moments_ % block_moments_)) flush();
}

// Takes the waiting rows into the last block; a full one is followed by a new one. Blocks are short
// until there are enough of them.
void TorqueFitRows::flush() {
  const bool is_new = blocks_.empty() || moments_ == block_moments_;
  const std::size_t most = block_moments_ < chunk ? 2 * fewest_blocks : most_blocks;
  if (is_new && blocks_.size() == most) {
    for (std::size_t b = 0; b < most / 2; ++b) {
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        blocks_[2 * b][j].join(blocks_[2 * b + 1][j]);
      }
      if (b > 0) blocks_[b] = std::move(blocks_[2 * b]);
    }
    blocks_.resize(most / 2);
    block_moments_ *= 2;
  }
  std::vector<Triangle> found(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& x = joints_[j];
    const auto rows = x.waiting.topRows(x.count);
    found[j].add(std::exchange(x.sums, {}));
    found[j].R = triangle_of(rows);
    found[j].rows = static_cast<double>(x.count);
    x.count = 0;
  }
  if (is_new) {
    blocks_.push_back(std::move(found));
    moments_ = 0;
  } else {
    for (std::size_t j = 0; j < joints_.size(); ++j) blocks_.back()[j].join(found[j]);
  }
  moments_ += std::exchange(waiting_, 0);
}

void TorqueFitRows::finish() {
  if (waiting_ > 0) flush();
}

double TorqueFitRows::misfit(std::size_t block, std::size_t joint, const Eigen::VectorXd& beta,
                             Of torques) const {
  const Triangle& t = blocks_[block][joint];
  Eigen::VectorXd left = t.columns() * beta(joints_[joint].used) - t.torque();
  if (torques == Of::measured) left -= t.R.col(0);
  return left.squaredNorm();
}

std::vector<Misfit> misfits(std::span<const LogPart> parts, const Eigen::VectorXd& beta) {
  const std::size_t n = parts.front().rows->joints();
  std::vector<Misfit> found(n);
  for (const LogPart& part : parts) {
    for (std::size_t j = 0; j < n; ++j) {
      TorqueFitRows::Sums all;
      for (std::size_t b = part.from; b < part.to; ++b) {
        all.add(part.rows->triangle(b, j));
        found[j].rms += part.rows->misfit(b, j, beta);
        found[j].measured_rms += part.rows->misfit(b, j, beta, TorqueFitRows::Of::measured);
      }
      found[j].rows += all.rows;
      found[j].before += all.before;
      if (all.rows == 0.0) continue;
      found[j].torque_rms += all.squares - square(all.sum) / all.rows;
      found[j].measured_torque_rms += all.measured_squares - square(all.measured_sum) / all.rows;
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (double* const x : {&found[j].rms, &found[j].before, &found[j].torque_rms,
                            &found[j].measured_rms, &found[j].measured_torque_rms}) {
      *x = std::sqrt(std::max(0.0, *x) / std::max(found[j].rows, 1.0));
    }
  }
  return found;
}

// --- fit_torques

namespace {

/// Triangle of all rows over β, τ last, each block of a joint with its weight.
Eigen::MatrixXd stacked(std::span<const LogPart> parts, Eigen::Index size,
                        const std::vector<std::vector<double>>& weights) {
  const std::size_t n = parts.front().rows->joints();
  Eigen::Index height = 0;
  for (std::size_t j = 0; j < n; ++j) {
    height += index(parts.front().rows->used(j).size()) + 1;
  }
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(height, size + 1);
  Eigen::Index top = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<Eigen::Index>& used = parts.front().rows->used(j);
    const auto width = index(used.size()) + 1;
    const Eigen::Index of_block = width + 1;  // rows of a triangle
    Eigen::MatrixXd rows(of_block * index(weights.size()), width);
    for_blocks(parts,
               [&](const TorqueFitRows& log, std::size_t b, std::size_t joint, std::size_t k) {
                 if (joint != j) return;
                 rows.middleRows(of_block * index(k), of_block) =
                     weights[k][j] * log.triangle(b, j).R.rightCols(width);
               });
    const Eigen::MatrixXd R = triangle_of(rows);
    for (Eigen::Index c = 0; c + 1 < width; ++c) {
      all.col(used[static_cast<std::size_t>(c)]).segment(top, width) = R.col(c);
    }
    all.col(size).segment(top, width) = R.rightCols<1>();
    top += width;
  }
  return triangle_of(all);
}

/// Inverse of a positive semidefinite matrix on its range.
struct Inverse {
  explicit Inverse(const Eigen::MatrixXd& matrix) {
    constexpr double smallest = 1e-12;  // of the largest eigenvalue; less is 0
    const auto [values, V] = symmetric_eigen(matrix);
    const double largest = std::max(values.maxCoeff(), std::numeric_limits<double>::min());
    const Eigen::ArrayXd squares = values;
    const auto seen = squares > smallest * largest;
    const Eigen::VectorXd inverse = seen.select(1.0 / squares, 0.0);
    const Eigen::VectorXd silent = seen.select(Eigen::ArrayXd::Zero(squares.size()), 1.0);
    root = V * inverse.cwiseSqrt().asDiagonal();
    value = root * root.transpose();
    unseen = V.array().square().matrix() * silent;
    condition = std::sqrt(largest / seen.select(squares, largest).minCoeff());
  }
  Eigen::MatrixXd value, root;
  Eigen::VectorXd unseen;  ///< unknown share of each coordinate, 0 to 1
  double condition = 1.0;
};

/// Share of a block in the sum of squares and its slope, in coordinates in which the sum is Σ x².
struct Share {
  Eigen::MatrixXd squares;
  Eigen::VectorXd score;

  void add(const Share& other) {
    squares += other.squares;
    score += other.score;
  }
  /// Step of x without the block.
  [[nodiscard]] Eigen::VectorXd left_out() const {
    constexpr double alone = 1e-6;  // keeps what the block alone shows
    Eigen::MatrixXd others = -squares;
    others.diagonal().array() += 1.0 + alone;
    return solve_symmetric(others, score);
  }
};

/// Least squares over the blocks of all joints, with the errors of β.
class WeightedFit {
 public:
  WeightedFit(std::span<const LogPart> parts, const Eigen::VectorXd& start)
      : parts_(parts), joints_(parts.front().rows->joints()), size_(start.size()) {
    fit_.beta = start;
    std::size_t blocks = 0;
    for (const LogPart& part : parts) blocks += part.to - part.from;
    fit_.blocks = blocks * joints_;
    fit_.noise.reserve(joints_);
    least_noise_.reserve(joints_);
    for (const Misfit& joint : misfits(parts, Eigen::VectorXd::Zero(size_))) {
      fit_.noise.push_back(std::max(joint.rms, 1e-12));
      least_noise_.push_back(exact * fit_.noise.back());
    }
    weights_.assign(blocks, std::vector<double>(joints_, 1.0));
    divide_by_noise();
  }

  [[nodiscard]] TorqueFit found() {
    solve();
    for (int round = 1; round < most_rounds; ++round) {
      weigh();
      solve();
    }
    add_errors();
    return fit_;
  }

 private:
  static constexpr int most_rounds = 5;
  static constexpr double exact = 1e-4;         // of a joint's torque; none is measured better
  static constexpr double outlying = 3.0;       // times the usual residual of a joint's blocks
  static constexpr double unseen_from = 1e-6;   // of a coordinate
  static constexpr double all_noise = 0.9;      // of the squares of dτ/dt; then no delay is seen
  static constexpr double least_freedom = 4.0;  // of a variance

  void divide_by_noise() {
    for (std::vector<double>& of_block : weights_) {
      for (std::size_t j = 0; j < joints_; ++j) of_block[j] /= fit_.noise[j];
    }
  }

  /// Finds the noise of joints, and weighs outlying blocks (29.3).
  void weigh() {
    std::vector<std::vector<double>> residuals(joints_);  // of blocks
    for_blocks(parts_, [&](const TorqueFitRows& log, std::size_t b, std::size_t j, std::size_t) {
      const double count = log.triangle(b, j).rows;
      if (count > 0) residuals[j].push_back(std::sqrt(log.misfit(b, j, fit_.beta) / count));
    });
    std::vector<double> usual(joints_), squares(joints_), rows(joints_);
    for (std::size_t j = 0; j < joints_; ++j) {
      usual[j] = outlying * std::max(median_of(residuals[j]), least_noise_[j]);
    }
    fit_.outlying = 0;
    for_blocks(parts_, [&](const TorqueFitRows& log, std::size_t b, std::size_t j, std::size_t k) {
      weights_[k][j] = 1.0;
      const double count = log.triangle(b, j).rows;
      if (count == 0) return;
      const double misfit = log.misfit(b, j, fit_.beta), here = std::sqrt(misfit / count);
      if (here > usual[j]) {
        weights_[k][j] = usual[j] / here;
        ++fit_.outlying;
      }
      squares[j] += square(weights_[k][j]) * misfit;
      rows[j] += count;
    });
    for (std::size_t j = 0; j < joints_; ++j) {
      const double freedom =
          std::max(1.0, rows[j] - static_cast<double>(parts_.front().rows->used(j).size()) /
                                      static_cast<double>(joints_));
      fit_.noise[j] = std::max(std::sqrt(squares[j] / freedom), least_noise_[j]);
    }
    divide_by_noise();
  }

  void solve() {
    R_ = stacked(parts_, size_, weights_);
    rate_noise_ = 0.0;
    for_blocks(parts_, [&](const TorqueFitRows& log, std::size_t b, std::size_t j, std::size_t k) {
      rate_noise_ += square(weights_[k][j]) * log.triangle(b, j).rate_noise;
    });
    scale_ = R_.leftCols(size_).colwise().norm();
    for (double& s : scale_) s = s == 0.0 ? 1.0 : 1.0 / s;
    const Eigen::MatrixXd scaled = R_.leftCols(size_) * scale_.asDiagonal();
    Eigen::MatrixXd squares = scaled.transpose() * scaled;
    inverse_ = Inverse(squares);
    const Eigen::Index last = size_ - 1;
    if (const double noise = rate_noise_ * square(scale_[last]); noise > 0.0) {
      if (noise * inverse_.value(last, last) < all_noise) {
        squares(last, last) -= noise;
      } else {
        squares.row(last).setZero();
        squares.col(last).setZero();
      }
      inverse_ = Inverse(squares);
    }
    // The second pass regains the digits lost to the normal equations.
    for (int refinement = 0; refinement < 2; ++refinement) {
      const Eigen::VectorXd rest = R_.rightCols<1>() - R_.leftCols(size_) * fit_.beta;
      Eigen::VectorXd slope = scaled.transpose() * rest;
      slope[last] += rate_noise_ * scale_[last] * fit_.beta[last];
      fit_.beta += scale_.asDiagonal() * (inverse_.value * slope);
    }
  }

  /// Shares in coordinates in which the columns of `white` are 1 long.
  [[nodiscard]] std::vector<Share> shares(const Eigen::MatrixXd& white) const {
    std::vector<Share> shares(weights_.size(),
                              {Eigen::MatrixXd::Zero(size_, size_), Eigen::VectorXd::Zero(size_)});
    for_blocks(parts_, [&](const TorqueFitRows& log, std::size_t b, std::size_t j, std::size_t k) {
      const std::vector<Eigen::Index>& used = log.used(j);
      const TorqueFitRows::Triangle& t = log.triangle(b, j);
      const Eigen::MatrixXd columns = weights_[k][j] * t.columns();
      const Eigen::VectorXd rest = weights_[k][j] * (t.torque() - t.columns() * fit_.beta(used));
      shares[k].squares(used, used) += columns.transpose() * columns;
      shares[k].score(used) += columns.transpose() * rest;
      const double noise = square(weights_[k][j]) * t.rate_noise;  // (29.6)
      shares[k].squares(size_ - 1, size_ - 1) -= noise;
      shares[k].score(size_ - 1) += noise * fit_.beta[size_ - 1];
    });
    for (Share& share : shares) {
      share.squares = (white.transpose() * share.squares * white).eval();
      share.score = (white.transpose() * share.score).eval();
    }
    return shares;
  }

  /// Variances of β, by leaving out one block at a time; neighbors are joined until few are left
  /// (29.4).
  [[nodiscard]] Eigen::VectorXd variances() const {
    const Eigen::MatrixXd white = scale_.asDiagonal() * inverse_.root;
    std::vector<Share> shares = this->shares(white);
    Eigen::VectorXd variances = Eigen::VectorXd::Zero(size_);
    for (;;) {
      Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(size_), squares = sum;
      for (const Share& share : shares) {
        const Eigen::ArrayXd part =
            (white * share.score).cwiseProduct(white * share.left_out()).array();
        sum += part;
        squares += part.square();
      }
      const Eigen::ArrayXd freedom =
          (sum.square() / squares.max(std::numeric_limits<double>::min())).max(least_freedom);
      variances = variances.cwiseMax((sum * freedom / (freedom - 2.0)).matrix());
      if (shares.size() < 2 * fewest_blocks) return variances;
      for (std::size_t b = 0; 2 * b < shares.size(); ++b) {
        if (b > 0) shares[b] = std::move(shares[2 * b]);
        if (2 * b + 1 < shares.size()) shares[b].add(shares[2 * b + 1]);
      }
      shares.resize((shares.size() + 1) / 2);
    }
  }

  void add_errors() {
    const Eigen::MatrixXd covariance = scale_.asDiagonal() * inverse_.value * scale_.asDiagonal();
    const Eigen::VectorXd variances = this->variances();
    std::vector<double> ratios;
    fit_.errors.resize(size_);
    for (Eigen::Index i = 0; i < size_; ++i) {
      const double plain = covariance(i, i);
      if (inverse_.unseen[i] > unseen_from || plain == 0.0) {
        fit_.errors[i] = std::numeric_limits<double>::infinity();
        continue;
      }
      ratios.push_back(variances[i] / plain);
      fit_.errors[i] = std::sqrt(std::max(variances[i], plain));
    }
    fit_.condition = inverse_.condition;
    fit_.correlation = std::max(1.0, median_of(ratios));
    const Eigen::MatrixXd top = R_.leftCols(size_);
    fit_.information = top.transpose() * top;
    fit_.information(size_ - 1, size_ - 1) -= rate_noise_;
    fit_.information /= fit_.correlation;
  }

  std::span<const LogPart> parts_;
  std::size_t joints_;
  Eigen::Index size_;  // of β
  TorqueFit fit_;
  std::vector<double> least_noise_;           // of joints
  std::vector<std::vector<double>> weights_;  // of blocks, of joints: over their noise
  Eigen::MatrixXd R_;                         // of all rows with their weights, τ last
  double rate_noise_ = 0.0;                   // of the squares of its column −dτ/dt (29.6)
  Eigen::VectorXd scale_;                     // makes the columns of R 1 long
  Inverse inverse_{Eigen::MatrixXd::Identity(1, 1)};
};

}  // namespace

TorqueFit fit_torques(std::span<const LogPart> parts, const Eigen::VectorXd& start) {
  return WeightedFit(parts, start).found();
}

}  // namespace armdyn
