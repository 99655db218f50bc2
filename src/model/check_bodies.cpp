#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "model/inertia.hpp"
#include "model/rules.hpp"

namespace armdyn {

namespace {

// Moments that break a rule by less than this share of the largest are rounding.
constexpr double rounding = 1e-9;

// A centre of mass farther out than this many sizes of its link is suspicious. Of 27 published arms
// only the Stanford arm has such ones (5.9 to 8.4; the next is 2.5).
constexpr double far = 4.0;

// No link counts as smaller than this share of the arm: wrists have rows without lengths.
constexpr double smallest_share = 0.05;

double length(const Vec3& v) {
  return std::hypot(v.x, v.y, v.z);
}

void inertia_is_that_of_a_body(const std::string& path, const SymMat3& inertia, Report& report) {
  const auto [small, middle, large] = principal_moments(inertia);
  const double tolerance = rounding * std::max(std::abs(small), std::abs(large));
  if (small < -tolerance) {
    report.warning(path, fmt::format("not positive semidefinite: principal moments {:.6g}, {:.6g}, "
                                     "{:.6g} kg·m² about the centre of mass; no body has one "
                                     "below 0",
                                     small, middle, large));
  } else if (small + middle < large - tolerance) {
    report.warning(path,
                   fmt::format("principal moments {0:.6g}, {1:.6g}, {2:.6g} kg·m² violate the "
                               "triangle inequality: {0:.6g} + {1:.6g} is less than {2:.6g}",
                               small, middle, large));
  }
}

void massless_body_has_no_inertia(const std::string& path, const MassProperties& body,
                                  Report& report) {
  if (body.mass != 0.0 || body.inertia == SymMat3{}) return;
  report.warning(path + ".mass", "found 0 with an inertia that is not 0");
}

void check_body(const std::string& path, const MassProperties& body, Report& report) {
  inertia_is_that_of_a_body(path + ".inertia", body.inertia, report);
  massless_body_has_no_inertia(path, body, report);
}

double row_length(const DhRow& dh) {
  return std::hypot(dh.a, dh.d);
}

double radius_of_gyration(const MassProperties& body) {
  return std::sqrt(std::max(0.0, principal_moments(body.inertia).z) / body.mass);
}

double reach(const Robot& robot) {
  double reach = 0.0;
  for (const Joint& joint : robot.joints) reach += row_length(joint.dh);
  return reach;
}

/// How large link i is as far as the table and its inertia tell. Its length is in its own row or in
/// the next, depending on the convention; the last link reaches to the tool.
double link_size(const Robot& robot, std::size_t i, double arm_reach) {
  const bool is_last = i + 1 == robot.dof();
  const double beyond = is_last ? length(robot.tool.xyz) : row_length(robot.joints[i + 1].dh);
  return std::max({row_length(robot.joints[i].dh), beyond, radius_of_gyration(robot.joints[i].body),
                   smallest_share * arm_reach});
}

void com_is_near_the_link(const Robot& robot, std::size_t i, double arm_reach, Report& report) {
  const MassProperties& body = robot.joints[i].body;
  if (!(body.mass > 0.0)) return;
  const double distance = length(body.com);
  const double size = link_size(robot, i, arm_reach);
  if (distance <= far * size) return;
  report.warning(
      joint_path(i) + ".com",
      fmt::format("{:.4g} m from the origin of the link's frame, {:.2g} times the link's "
                  "size of {:.3g} m (the largest of its row, the next row and its radius "
                  "of gyration); is the unit right?",
                  distance, distance / size, size));
}

}  // namespace

void check_bodies(const Robot& robot, Report& report) {
  const double arm_reach = reach(robot);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    check_body(joint_path(i), robot.joints[i].body, report);
    if (arm_reach > 0.0) com_is_near_the_link(robot, i, arm_reach, report);
  }
  check_body("payload", robot.payload, report);
}

}  // namespace armdyn
