#include <armdyn/arm.hpp>

#include <stdexcept>

#include "math/angle.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

Mat3 rotation_x(double angle) {
  const auto [s, c] = constant_angle(angle);
  return {{1, 0, 0}, {0, c, -s}, {0, s, c}};
}

Mat3 rotation_y(double angle) {
  const auto [s, c] = constant_angle(angle);
  return {{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
}

Mat3 rotation_z(double angle) {
  const auto [s, c] = constant_angle(angle);
  return {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
}

Transform transform(const Placement& placement) {
  const auto& [roll, pitch, yaw] = placement.rpy;
  return {rotation_z(yaw) * rotation_y(pitch) * rotation_x(roll), placement.xyz};
}

/// Tx(a) Rx(α), the part of a standard row that lies behind the joint.
Transform distal_part(const DhRow& dh) {
  return {rotation_x(dh.alpha), {dh.a, 0, 0}};
}

MassProperties moved(const Transform& T, const MassProperties& body) {
  return {body.mass, T * body.com, rotated(T.R, body.inertia)};
}

/// Two bodies held together (eq. 1.9).
MassProperties joined(const MassProperties& first, const MassProperties& second) {
  const double mass = first.mass + second.mass;
  if (mass == 0.0) return {0.0, first.com, first.inertia + second.inertia};
  const Vec3 com = first.com + (second.mass / mass) * (second.com - first.com);
  return {mass, com,
          first.inertia + point_inertia(first.mass, first.com - com) + second.inertia +
              point_inertia(second.mass, second.com - com)};
}

}  // namespace

Arm normalise(const Robot& robot) {
  if (robot.joints.empty()) throw std::invalid_argument("a robot needs at least one joint");
  const bool standard = robot.convention == Convention::standard;

  Arm arm;
  arm.convention = robot.convention;
  arm.base = transform(robot.base);
  arm.v_dot_0 = -(transposed(arm.base.R) * robot.gravity);

  DhRow before;  // holds the (a, α) that lie between {i−1} and the axis of joint i
  for (const Joint& joint : robot.joints) {
    if (!standard) before = joint.dh;
    const SinCos alpha = constant_angle(before.alpha);
    const SinCos theta = constant_angle(joint.dh.theta);
    const Transform to_user = standard ? distal_part(joint.dh) : Transform{};
    arm.links.push_back({.joint = joint.type,
                         .a = before.a,
                         .cos_alpha = alpha.cos,
                         .sin_alpha = alpha.sin,
                         .d = joint.dh.d,
                         .cos_theta = theta.cos,
                         .sin_theta = theta.sin,
                         .body = moved(to_user, joint.body)});
    arm.user_frame.push_back(to_user);
    arm.drives.push_back({joint.friction, joint.motor});
    arm.joint_names.push_back(joint.name);
    before = joint.dh;
  }

  arm.tool = arm.user_frame.back() * transform(robot.tool);
  MassProperties& last = arm.links.back().body;
  last = joined(last, moved(arm.tool, robot.payload));
  return arm;
}

std::string joint_name(const Arm& arm, std::size_t i) {
  if (i < arm.joint_names.size() && !arm.joint_names[i].empty()) return arm.joint_names[i];
  return "joint " + std::to_string(i + 1);
}

}  // namespace armdyn
