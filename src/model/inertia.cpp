#include <armdyn/eigen.hpp>
#include <armdyn/inertia.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "math/rigid.hpp"

namespace armdyn {

namespace {

// A moment that is missing by less than this share of the largest one is rounding.
constexpr double rounding = 1e-9;

/// Of the two unit vectors along a line, the one whose largest component is positive.
Eigen::Vector3d upright(const Eigen::Vector3d& axis) {
  Eigen::Index largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  return axis(largest) < 0.0 ? -axis : axis;
}

double box_edge(double second_moment, double mass) {
  return std::sqrt(12.0 * std::max(0.0, second_moment) / mass);
}

}  // namespace

SymMat3 about_com(const SymMat3& about_origin, double mass, const Vec3& com) {
  return about_origin + point_inertia(-mass, com);
}

SymMat3 about_origin(const MassProperties& body) {
  return body.inertia + point_inertia(body.mass, body.com);
}

Vec3 principal_moments(const SymMat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(eigen(inertia),
                                                              Eigen::EigenvaluesOnly);
  return vec3(solver.eigenvalues());
}

PrincipalInertia principal_inertia(const SymMat3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(eigen(inertia));
  const Eigen::Vector3d first = upright(solver.eigenvectors().col(0));
  const Eigen::Vector3d second = upright(solver.eigenvectors().col(1));
  return {vec3(solver.eigenvalues()), {vec3(first), vec3(second), vec3(first.cross(second))}};
}

Vec3 second_moments(const Vec3& principal_moments) {
  const auto& [small, middle, large] = principal_moments;
  return {(middle + large - small) / 2, (small + large - middle) / 2, (small + middle - large) / 2};
}

bool is_inertia_of_a_body(const SymMat3& inertia) {
  const auto [small, middle, large] = principal_moments(inertia);
  return small + middle >= large - rounding * std::max(std::abs(small), std::abs(large));
}

bool is_possible(const MassProperties& body) {
  if (body.mass == 0.0) return body.inertia == SymMat3{};
  return body.mass > 0.0 && is_inertia_of_a_body(body.inertia);
}

Vec3 equivalent_box(const MassProperties& body) {
  const auto& [first, second, third] = second_moments(principal_moments(body.inertia));
  return {box_edge(first, body.mass), box_edge(second, body.mass), box_edge(third, body.mass)};
}

}  // namespace armdyn
