#include "motion/friction_fit.hpp"

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "math/hypotenuse.hpp"

namespace armdyn {
namespace {

constexpr std::size_t most_blocks = 256;
constexpr std::size_t fewest_blocks = 8;

}  // namespace

// Rotates by Givens.
void FrictionFit::Triangle::rotate_in(Row row) {
  for (std::size_t i = 0; i <= terms; ++i) {
    if (row[i] == 0.0) continue;
    const double scale = 1.0 / std::sqrt(square(rows[i][i]) + square(row[i]));
    const double c = rows[i][i] * scale, s = row[i] * scale;
    for (std::size_t j = i; j <= terms; ++j) {
      const double above = rows[i][j];
      rows[i][j] = c * above + s * row[j];
      row[j] = c * row[j] - s * above;
    }
  }
}

void FrictionFit::Triangle::rotate_in(const Triangle& other) {
  for (const Row& row : other.rows) rotate_in(row);
}

std::array<double, FrictionFit::terms> FrictionFit::Triangle::solve(
    const std::array<double, terms>& right) const {
  std::array<double, terms> x = right;
  for (std::size_t i = terms; i-- > 0;) {
    for (std::size_t j = i + 1; j < terms; ++j) x[i] -= rows[i][j] * x[j];
    x[i] /= rows[i][i];
  }
  return x;
}

std::array<double, FrictionFit::terms> FrictionFit::Triangle::solve_transposed(
    const std::array<double, terms>& right) const {
  std::array<double, terms> x = right;
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= rows[j][i] * x[j];
    x[i] /= rows[i][i];
  }
  return x;
}

void FrictionFit::add(double qd, double residual, double weight) {
  if (qd == 0.0) {
    since_rest_ = 0;
    return;
  }
  const double direction = qd > 0.0 ? 1.0 : -1.0;
  if (blocks_.empty() || in_last_block_ == block_rows_) begin_block();
  const double root = std::sqrt(weight);
  blocks_.back().rotate_in(Row{root, root * direction, root * qd, root * residual});
  ++in_last_block_;
  look_at_noise(qd);
  forward_ += qd > 0.0 ? 1 : 0;
  ++rows_;
  weight_ += weight;
}

// Blocks are of equal length; where there are too many, each two become one.
void FrictionFit::begin_block() {
  if (blocks_.size() == most_blocks) {
    for (std::size_t b = 0; b < most_blocks / 2; ++b) {
      Triangle both = blocks_[2 * b];
      both.rotate_in(blocks_[2 * b + 1]);
      blocks_[b] = both;
    }
    blocks_.resize(most_blocks / 2);
    block_rows_ *= 2;
  }
  blocks_.emplace_back();
  in_last_block_ = 0;
}

// Noise independent from row to row remains in differences of any order; motion vanishes in high
// ones.
void FrictionFit::look_at_noise(double qd) {
  double difference = qd;
  for (std::size_t order = 0; order < differences_.size(); ++order) {
    const double next = difference - differences_[order];
    differences_[order] = difference;
    difference = next;
  }
  ++since_rest_;
  if (since_rest_ > 3) {
    third_squares_ += square(differences_[3]);
    thirds_ += 1.0;
  }
  if (since_rest_ > 4) {
    fourth_squares_ += square(difference);
    fourths_ += 1.0;
  }
}

// Equation (10.20). The range of the errors' correlation is unknown: of blocks of several lengths
// those with the largest standard error count.
std::array<double, FrictionFit::terms> FrictionFit::errors(
    const Triangle& all, const std::array<double, terms>& values) const {
  std::array<double, terms> most{};
  std::vector<std::array<double, terms>> influences;  // of blocks, on each value
  for (const Triangle& block : blocks_) {
    std::array<double, terms> score{};  // R⁻ᵀ R_bᵀ (z_b − R_b x), which keeps the digits
    for (const Row& row : block.rows) {
      double left = row[terms];
      for (std::size_t j = 0; j < terms; ++j) left -= row[j] * values[j];
      const std::array<double, terms> weights = all.solve_transposed({row[0], row[1], row[2]});
      for (std::size_t i = 0; i < terms; ++i) score[i] += weights[i] * left;
    }
    influences.push_back(all.solve(score));
  }
  const auto rows = static_cast<double>(rows_);
  for (;;) {
    const auto count = static_cast<double>(influences.size());
    const double few = count / (count - 1.0) * (rows - 1.0) / (rows - static_cast<double>(terms));
    for (std::size_t i = 0; i < terms; ++i) {
      double sum = 0.0;
      for (const auto& influence : influences) sum += square(influence[i]);
      most[i] = std::max(most[i], std::sqrt(few * sum));
    }
    if (influences.size() < 2 * fewest_blocks) return most;
    std::vector<std::array<double, terms>> pairs((influences.size() + 1) / 2);
    for (std::size_t b = 0; b < influences.size(); ++b) {
      for (std::size_t i = 0; i < terms; ++i) pairs[b / 2][i] += influences[b][i];
    }
    influences = std::move(pairs);
  }
}

FrictionFit FrictionFit::without(std::size_t term) const {
  FrictionFit rest = *this;
  for (Triangle& block : rest.blocks_) {
    Triangle reduced;
    for (Row row : block.rows) {
      row[term] = 0.0;
      reduced.rotate_in(row);
    }
    block = reduced;
  }
  Row own{};  // states that it is 0
  own[term] = 1.0;
  if (!rest.blocks_.empty()) rest.blocks_.front().rotate_in(own);
  return rest;
}

std::optional<FrictionFit::Result> FrictionFit::solve() const {
  constexpr double nothing_own = 1e-12;  // share of a regressor below which it is a combination
  constexpr std::size_t rare = 32;  // one row in so many, or fewer, may be noise of a joint at rest
  if (rows_ <= terms || rare * std::min(forward_, rows_ - forward_) < rows_) return std::nullopt;
  Triangle all;
  for (const Triangle& block : blocks_) all.rotate_in(block);
  for (std::size_t i = 0; i < terms; ++i) {
    double square_sum = 0.0;
    for (std::size_t k = 0; k <= i; ++k) square_sum += square(all.rows[k][i]);
    if (!(std::abs(all.rows[i][i]) > nothing_own * std::sqrt(square_sum))) return std::nullopt;
  }
  Result result;
  result.values = all.solve({all.rows[0][terms], all.rows[1][terms], all.rows[2][terms]});
  for (const Row& row : all.rows) result.rms = hypotenuse(result.rms, row[terms]);
  result.rms /= std::sqrt(weight_);
  result.rms_left = std::abs(all.rows[terms][terms]) / std::sqrt(weight_);
  const bool is_finite =
      std::ranges::all_of(result.values, [](double x) { return std::isfinite(x); });
  if (!is_finite || !std::isfinite(result.rms_left)) return std::nullopt;
  result.errors = errors(all, result.values);

  std::array<std::array<double, terms>, terms> covariance{};  // (Rᵀ R)⁻¹
  for (std::size_t j = 0; j < terms; ++j) {
    std::array<double, terms> unit{};
    unit[j] = 1.0;
    covariance[j] = all.solve(all.solve_transposed(unit));
  }
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < terms; ++j) {
      result.correlations[i][j] = covariance[i][j] / std::sqrt(covariance[i][i] * covariance[j][j]);
    }
  }
  if (fourths_ == 0.0) return result;
  const double third = third_squares_ / (20.0 * thirds_);
  const double fourth = fourth_squares_ / (70.0 * fourths_);
  if (fourth < third / 2.0) return result;  // a motion in few rows
  result.speed_noise = std::sqrt(fourth);
  result.attenuation = std::min(1.0, fourth * weight_ / square(all.rows[2][2]));
  return result;
}

// Welford's update, which loses nothing to a large mean.
void Correlation::add(double a, double b) {
  rows_ += 1.0;
  const double from_a = a - mean_a_;
  const double from_b = b - mean_b_;
  mean_a_ += from_a / rows_;
  mean_b_ += from_b / rows_;
  aa_ += from_a * (a - mean_a_);
  bb_ += from_b * (b - mean_b_);
  ab_ += from_a * (b - mean_b_);
}

std::optional<double> Correlation::value() const {
  if (aa_ <= 0.0 || bb_ <= 0.0) return std::nullopt;
  const double value = ab_ / (std::sqrt(aa_) * std::sqrt(bb_));
  if (!std::isfinite(aa_) || !std::isfinite(bb_) || !std::isfinite(value)) return std::nullopt;
  return std::clamp(value, -1.0, 1.0);
}

}  // namespace armdyn
