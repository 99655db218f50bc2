#include "motion/friction_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "math/linear_algebra.hpp"

namespace armdyn {
namespace {

TEST(FrictionFit, FindsWhatWasPutIn) {
  FrictionFit fit;
  for (int k = 0; k < 1000; ++k) {
    const double qd = 2.0 * std::sin(0.01 * k);
    const double direction = qd > 0.0 ? 1.0 : qd < 0.0 ? -1.0 : 0.0;
    fit.add(qd, 0.3 + 1.5 * direction + 0.7 * qd);
  }
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->values[0], 0.3, 1e-12);
  EXPECT_NEAR(found->values[1], 1.5, 1e-12);
  EXPECT_NEAR(found->values[2], 0.7, 1e-12);
  EXPECT_NEAR(found->rms_left, 0.0, 1e-12);
}

TEST(FrictionFit, WithoutATermIsTheLeastSquaresOfTheOthers) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal(0.0, 0.2);
  FrictionFit fit;
  constexpr int count = 900;
  Eigen::MatrixXd A(count, 3);
  Eigen::VectorXd b(count);
  for (int k = 0; k < count; ++k) {
    const double qd = std::sin(0.01 * k + 0.1) + 0.3 * std::cos(0.7 * k);
    A.row(k) << 1.0, (qd > 0.0 ? 1.0 : -1.0), qd;
    b[k] = 0.3 + 1.5 * A(k, 1) + 0.1 * qd + normal(random);
    fit.add(qd, b[k]);
  }
  for (const std::size_t term : {1U, 2U}) {
    Eigen::MatrixXd rest(count, 2);
    rest << A.col(0), A.col(term == 1 ? 2 : 1);
    const Eigen::Vector2d x = least_squares(rest, b);
    const auto found = fit.without(term).solve();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->values[term], 0.0);
    EXPECT_EQ(found->errors[term], 0.0);
    EXPECT_NEAR(found->values[0], x[0], 1e-12);
    EXPECT_NEAR(found->values[3 - term], x[1], 1e-12);
    EXPECT_NEAR(found->rms_left, (b - rest * x).norm() / std::sqrt(count), 1e-12);
  }
}

// Speeds that differ by 1e-5 beside an offset of 1000: the sums of products, of condition 1e10, would
// leave 6 digits fewer than the rows have.
TEST(FrictionFit, LosesNoDigitsOfExactRows) {
  FrictionFit fit;
  for (int k = 0; k < 1000; ++k) {
    const double direction = k % 2 == 0 ? 1.0 : -1.0;
    const double qd = direction * (1.0 + 1e-5 * std::sin(0.37 * k));
    fit.add(qd, 1000.0 + 1.5 * direction + 0.7 * qd);
  }
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  const double rounding = 1000.0 * 2.3e-16 / 1e-5;
  EXPECT_NEAR(found->values[0], 1000.0, 1e-11);
  EXPECT_NEAR(found->values[1], 1.5, rounding);
  EXPECT_NEAR(found->values[2], 0.7, rounding);
  EXPECT_LT(found->errors[2], rounding);
}

// Equations (10.20) with all rows at hand: blocks of 32 rows, since 157 of them are at most 256, and of
// twice as many, up to the last with fewer than 16 blocks.
TEST(FrictionFit, IsTheWeightedLeastSquaresOfAllRows) {
  constexpr int count = 5000;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.0, 0.2);
  FrictionFit fit;
  std::vector<Eigen::Vector4d> rows;  // with their residuals, times the roots of their weights
  double weight_sum = 0.0;
  for (int k = 0; static_cast<int>(rows.size()) < count; ++k) {
    const double qd = k % 7 == 0 ? 0.0 : std::sin(0.01 * k) + 0.3 * std::cos(0.7 * k);
    const double residual = 0.3 + (qd > 0.0 ? 1.5 : -1.5) + 0.7 * qd + normal(random);
    const double weight = 1.0 + 0.5 * std::sin(0.4 * k);
    fit.add(qd, residual, weight);
    if (qd == 0.0) continue;
    rows.push_back(std::sqrt(weight) * Eigen::Vector4d(1.0, qd > 0.0 ? 1.0 : -1.0, qd, residual));
    weight_sum += weight;
  }
  Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
  Eigen::Vector3d products = Eigen::Vector3d::Zero();
  double rms = 0.0;
  for (const Eigen::Vector4d& row : rows) {
    squares += row.head<3>() * row.head<3>().transpose();
    products += row.head<3>() * row[3];
    rms += row[3] * row[3] / weight_sum;
  }
  const Eigen::Matrix3d inverse = armdyn::inverse(squares);
  const Eigen::Vector3d values = inverse * products;
  double rms_left = 0.0;
  for (const Eigen::Vector4d& row : rows) {
    rms_left += std::pow(row[3] - row.head<3>().dot(values), 2) / weight_sum;
  }
  Eigen::Vector3d errors = Eigen::Vector3d::Zero();
  for (int length = 32; 8 * length < count; length *= 2) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    const int blocks = (count + length - 1) / length;
    for (int b = 0; b < blocks; ++b) {
      Eigen::Vector3d score = Eigen::Vector3d::Zero();
      for (int k = b * length; k < std::min(count, (b + 1) * length); ++k) {
        const Eigen::Vector4d& row = rows[static_cast<std::size_t>(k)];
        score += row.head<3>() * (row[3] - row.head<3>().dot(values));
      }
      sum += (inverse * score).cwiseAbs2();
    }
    const double few = blocks / (blocks - 1.0) * (count - 1.0) / (count - 3.0);
    errors = errors.cwiseMax((few * sum).cwiseSqrt());
  }
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rms, std::sqrt(rms), 1e-9);
  EXPECT_NEAR(found->rms_left, std::sqrt(rms_left), 1e-9);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(found->values[at], values[i], 1e-9);
    EXPECT_NEAR(found->errors[at], errors[i], 1e-9 * errors[i]);
    for (Eigen::Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(found->correlations[at][static_cast<std::size_t>(j)],
                  inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j)), 1e-9);
    }
  }
}

TEST(FrictionFit, NeedsRowsInBothDirectionsAndMoreThanThree) {
  FrictionFit fit;
  fit.add(1.0, 2.5);
  fit.add(3.0, 3.5);
  fit.add(2.0, 3.0);
  fit.add(2.5, 3.25);
  EXPECT_FALSE(fit.solve());
  FrictionFit both;
  both.add(1.0, 2.5);
  both.add(-1.0, -1.5);
  both.add(2.0, 3.0);
  EXPECT_FALSE(both.solve());
  both.add(3.0, 3.5);
  ASSERT_TRUE(both.solve());
  EXPECT_NEAR(both.solve()->values[0], 0.5, 1e-12);
  EXPECT_NEAR(both.solve()->values[1], 1.5, 1e-12);
  EXPECT_NEAR(both.solve()->values[2], 0.5, 1e-12);
  EXPECT_NEAR(both.solve()->errors[1], 0.0, 1e-12);
  // Noise of a joint at rest now and then seems to be motion in the other direction.
  for (int k = 0; k < 200; ++k) both.add(1.0 + k, 2.5);
  EXPECT_FALSE(both.solve());
}

// Errors that grow with the speed and last for some 20 rows, over 400 logs: two standard errors hold
// 95 % of normal estimates. With N errors of their own they would be 4 times too small.
TEST(FrictionFit, StandardErrorsCoverUnequalAndCorrelatedErrors) {
  constexpr double truth[] = {-0.4, 2.0, 1.1};
  constexpr double kept = 0.9;
  double within[3] = {};
  constexpr int logs = 400, rows = 3000;
  for (unsigned log = 0; log < logs; ++log) {
    std::mt19937_64 random(log);
    std::normal_distribution<double> normal(0.0, 1.0);
    FrictionFit fit;
    double error = normal(random);
    for (int k = 0; k < rows; ++k) {
      const double qd = 1.2 * std::sin(0.013 * k + log) + 0.5 * std::cos(0.031 * k);
      error = kept * error + std::sqrt(1.0 - kept * kept) * normal(random);
      fit.add(qd, truth[0] + truth[1] * (qd > 0.0 ? 1.0 : -1.0) + truth[2] * qd +
                      0.3 * error * (0.5 + std::abs(qd)));
    }
    const auto found = fit.solve();
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < 3; ++i) {
      if (std::abs(found->values[i] - truth[i]) < 2.0 * found->errors[i]) within[i] += 1.0 / logs;
    }
  }
  for (const double share : within) {
    EXPECT_GT(share, 0.90);
    EXPECT_LT(share, 0.99);
  }
}

// Nearly one speed in either direction: the sum of both frictions is known, and no more.
TEST(FrictionFit, ErrorsAreLargeWhereTheMotionHardlyTells) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal(0.0, 0.05);
  FrictionFit fit;
  for (int k = 0; k < 2000; ++k) {
    const double direction = k / 100 % 2 == 0 ? 1.0 : -1.0;
    const double qd = direction * (0.5 + 1e-4 * std::sin(0.1 * k));
    fit.add(qd, 0.6 * direction + 0.8 * qd + normal(random));
  }
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  EXPECT_GT(found->errors[1], std::abs(found->values[1] - 0.6) / 3.0);
  EXPECT_GT(found->errors[1], 0.6);
  EXPECT_GT(found->errors[2], 0.8);
  EXPECT_LT(found->correlations[1][2], -0.99);
}

// The estimate converges to (1 − attenuation) viscous.
TEST(FrictionFit, NoiseOfTheSpeedIsSeenWithWhatItHides) {
  for (const double noise : {0.0, 0.05, 0.15}) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal(0.0, 1.0);
    FrictionFit fit;
    for (int k = 0; k < 50000; ++k) {
      const double qd = 3.0 * std::tanh(20.0 * std::sin(0.002 * k)) + std::sin(0.005 * k);
      fit.add(qd + noise * normal(random), (qd > 0.0 ? 0.5 : -0.5) + 2.0 * qd);
    }
    const auto found = fit.solve();
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->speed_noise, noise, 0.02 * noise);
    EXPECT_NEAR(found->values[2], 2.0 * (1.0 - found->attenuation), 0.02) << noise;
    EXPECT_EQ(found->attenuation > 0.02, noise > 0.1);
  }
}

// Few rows of a fast motion, or rows without order, are not noise for certain.
TEST(FrictionFit, AMotionInFewRowsIsNoNoise) {
  FrictionFit fit;
  for (int k = 0; k < 300; ++k) fit.add(std::sin(0.9 * k), std::sin(0.9 * k));
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->speed_noise, 0.0);
  EXPECT_EQ(found->attenuation, 0.0);
}

TEST(FrictionFit, SaysNothingWhereTheMotionCannotTell) {
  FrictionFit one_direction, one_speed, rest;
  for (int k = 0; k < 100; ++k) {
    one_direction.add(1.0 + 0.01 * k, 2.0);
    one_speed.add(k % 2 == 0 ? 0.5 : -0.5, 2.0);
    rest.add(0.0, 2.0);
  }
  EXPECT_FALSE(one_direction.solve());
  EXPECT_FALSE(one_speed.solve());
  EXPECT_FALSE(rest.solve());
  EXPECT_FALSE(FrictionFit().solve());
}

TEST(Correlation, IsThatOfPearson) {
  Correlation same, opposite, none, constant;
  for (int k = 0; k < 100; ++k) {
    const double x = 1e6 + k;
    same.add(x, 3.0 * x);
    opposite.add(x, -x);
    none.add(std::sin(k * 2 * 3.14159265358979 / 100), std::cos(k * 2 * 3.14159265358979 / 100));
    constant.add(x, 1.0);
  }
  EXPECT_NEAR(*same.value(), 1.0, 1e-12);
  EXPECT_NEAR(*opposite.value(), -1.0, 1e-12);
  EXPECT_NEAR(*none.value(), 0.0, 1e-12);
  EXPECT_FALSE(constant.value());
  EXPECT_FALSE(Correlation().value());
  Correlation beyond, other;
  for (const double x : {1.0, -1.0}) {
    beyond.add(1e200 * x, x);
    other.add(x, 1e200 * x);
  }
  EXPECT_FALSE(beyond.value());
  EXPECT_FALSE(other.value());
}

}  // namespace
}  // namespace armdyn
