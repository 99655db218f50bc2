#include <armdyn/eigen.hpp>
#include <armdyn/robot.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_numbers.hpp"

namespace armdyn {

std::vector<Limits> joint_limits(const Robot& robot) {
  std::vector<Limits> limits = each(robot.joints, &Joint::limits);
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const bool is_of_joint = joint_row(robot, robot, k).joints.size() < 2;  // which has them
    limits.push_back(is_of_joint ? Limits{} : joint_at(robot, k).limits);
  }
  return limits;
}

const NamedPose* find_pose(const Robot& robot, const std::string& name) {
  const auto found = std::ranges::find(robot.poses, name, &NamedPose::name);
  return found == robot.poses.end() ? nullptr : &*found;
}

Arm normalize(const Robot& robot) {
  return proximal_form(robot, robot);
}

std::string joint_name(const Arm& arm, std::size_t i) {
  if (i < arm.joint_names.size() && !arm.joint_names[i].empty()) return arm.joint_names[i];
  return "joint " + std::to_string(i + 1);
}

namespace {

// Share of the largest moment that the triangle inequality may fail by through rounding.
constexpr double rounded_moment = 1e-9;

/// Unit vector along the same line, with a positive largest component.
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

SymMat3 inertia_in(const Transform& frame, const MassProperties& body) {
  return rotated(transposed(frame.R),
                 body.inertia + point_inertia(body.mass, body.com - frame.p));  // (1.14)
}

double moment_about(const Vec3& point, const Vec3& direction, const MassProperties& body) {
  int exponent = 0;  // its power of two, whose square may be too small or too large
  std::frexp(std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)}),
             &exponent);
  const auto scaled = [exponent](double u) { return std::ldexp(u, -exponent); };
  const Vec3 along{scaled(direction.x), scaled(direction.y), scaled(direction.z)};
  const Vec3 turned = inertia_in({{}, point}, body) * along;
  return dot(along, turned) / dot(along, along);  // (1.15)
}

SymMat3 box_inertia(double mass, const Vec3& edges) {
  return box_inertia<double>(mass, edges);
}
SymMat3 cylinder_inertia(double mass, double radius, double length) {
  return cylinder_inertia<double>(mass, radius, length);
}
SymMat3 sphere_inertia(double mass, double radius) {
  return sphere_inertia<double>(mass, radius);
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

bool satisfies_triangle_inequality(const SymMat3& inertia) {
  const auto [small, middle, large] = principal_moments(inertia);
  return small + middle >= large - rounded_moment * std::max(std::abs(small), std::abs(large));
}

bool is_physically_consistent(const MassProperties& body) {
  if (body.mass == 0.0) return body.inertia == SymMat3{};
  return body.mass > 0.0 && satisfies_triangle_inequality(body.inertia);
}

Vec3 equivalent_box(const MassProperties& body) {
  const auto& [first, second, third] = second_moments(principal_moments(body.inertia));
  return {box_edge(first, body.mass), box_edge(second, body.mass), box_edge(third, body.mass)};
}

}  // namespace armdyn
