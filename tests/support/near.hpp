#pragma once

#include <gtest/gtest.h>
#include <armdyn/vector.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace armdyn::testing {

inline Matrix matrix(const std::vector<std::vector<double>>& rows) {
  Matrix A(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) A(i, j) = rows.at(i).at(j);
  }
  return A;
}

inline Matrix column(const std::vector<double>& v) {
  Matrix A(v.size(), 1);
  for (std::size_t i = 0; i < v.size(); ++i) A(i, 0) = v[i];
  return A;
}

inline double largest(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}
inline double largest(const Matrix& A) {
  return largest(A.entries());
}

/// Every entry within `tolerance` times the largest expected entry, or times `scale` if that is
/// larger.
inline void expect_near(const Matrix& found, const Matrix& expected, double tolerance,
                        const std::string& what, double scale = 0.0) {
  ASSERT_EQ(found.rows(), expected.rows()) << what;
  ASSERT_EQ(found.columns(), expected.columns()) << what;
  const double allowed = tolerance * std::max(scale, largest(expected));
  for (std::size_t i = 0; i < found.rows(); ++i) {
    for (std::size_t j = 0; j < found.columns(); ++j) {
      EXPECT_NEAR(found(i, j), expected(i, j), allowed)
          << what << " (" << i + 1 << "," << j + 1 << ")";
    }
  }
}

inline void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                        double tolerance, const std::string& what, double scale = 0.0) {
  expect_near(column(found), column(expected), tolerance, what, scale);
}

/// A v.
inline std::vector<double> times(const Matrix& A, const std::vector<double>& v) {
  std::vector<double> result(A.rows(), 0.0);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) result[i] += A(i, j) * v.at(j);
  }
  return result;
}

inline Matrix transposed(const Matrix& A) {
  Matrix result(A.columns(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) result(j, i) = A(i, j);
  }
  return result;
}

inline double dot(const std::vector<double>& u, const std::vector<double>& v) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v.at(i);
  return sum;
}

inline std::vector<double> sum(std::vector<double> u, const std::vector<double>& v) {
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += v.at(i);
  return u;
}

}  // namespace armdyn::testing
