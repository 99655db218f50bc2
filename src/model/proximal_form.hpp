#pragma once

#include <armdyn/robot.hpp>

#include <vector>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/datum.hpp"

// A robot's table, bodies, gravity, tool and payload in the proximal form, of any scalar S: the only
// place that knows two conventions. How the robot's numbers are taken, datum.hpp says.

namespace armdyn {

/// As MassProperties.
template <class S>
struct Body {
  S mass;
  Vec<S> com;
  SymMat<S> inertia;
};

/// As Link.
template <class S>
struct LinkConstants {
  JointType joint;
  S a, cos_alpha, sin_alpha, d, cos_theta, sin_theta;
  Body<S> body;
  Frame<S> user_frame;
};

/// As Arm.
template <class S>
struct ArmConstants {
  std::vector<LinkConstants<S>> links;
  Frame<S> tool;
  Vec<S> v_dot_0;
  Frame<S> base;

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

/// constant_angle of a robot's angle in rad.
template <class S>
SinCosOf<S> angle_of(const double& radians) {
  return constant_angle<S>(radians, Data<S>::angle);
}

template <class S>
Mat<S> rotation_x(const double& angle) {
  const auto [s, c] = angle_of<S>(angle);
  return {{S(1.0), S(0.0), S(0.0)}, {S(0.0), c, -s}, {S(0.0), s, c}};
}

template <class S>
Mat<S> rotation_y(const double& angle) {
  const auto [s, c] = angle_of<S>(angle);
  return {{c, S(0.0), s}, {S(0.0), S(1.0), S(0.0)}, {-s, S(0.0), c}};
}

template <class S>
Mat<S> rotation_z(const double& angle) {
  const auto [s, c] = angle_of<S>(angle);
  return {{c, -s, S(0.0)}, {s, c, S(0.0)}, {S(0.0), S(0.0), S(1.0)}};
}

template <class S>
Frame<S> placed(const Placement& placement) {
  const auto& [roll, pitch, yaw] = placement.rpy;
  return {rotation_z<S>(yaw) * rotation_y<S>(pitch) * rotation_x<S>(roll), datum<S>(placement.xyz)};
}

/// Tx(a) Rx(α), the part of a standard row that lies behind the joint (eq. 1.5).
template <class S>
Frame<S> distal_part(const DhRow& dh) {
  return {rotation_x<S>(dh.alpha), {Data<S>::number(dh.a), S(0.0), S(0.0)}};
}

/// The body seen from the frame in which its own stands as T says.
template <class S>
Body<S> moved(const Frame<S>& T, const MassProperties& body) {
  const Mat<S> I = T.R * full(Data<S>::inertia(body)) * transposed(T.R);
  return {Data<S>::number(body.mass),
          T * datum<S>(body.com),
          {I.row_x.x, I.row_y.y, I.row_z.z, I.row_x.y, I.row_y.z, I.row_x.z}};
}

/// Two bodies held together, not both without mass (eq. 1.9).
template <class S>
Body<S> joined(const Body<S>& first, const Body<S>& second) {
  const S mass = first.mass + second.mass;
  const S share = second.mass / mass;
  const Vec<S> com = first.com + scaled(second.com - first.com, share);
  return {mass, com,
          first.inertia + point_inertia(first.mass, first.com - com) + second.inertia +
              point_inertia(second.mass, second.com - com)};
}

/// (docs/derivation.md, eq. 1.5-1.9)
template <class S>
ArmConstants<S> proximal_form(const Robot& robot) {
  const bool standard = robot.convention == Convention::standard;
  ArmConstants<S> arm;
  arm.base = placed<S>(robot.base);
  arm.v_dot_0 = -(transposed(arm.base.R) * datum<S>(robot.gravity));

  const DhRow none;
  const DhRow* before = &none;  // holds the (a, α) that lie between {i−1} and the axis of joint i
  for (const Joint& joint : robot.joints) {
    if (!standard) before = &joint.dh;
    const auto alpha = angle_of<S>(before->alpha);
    const auto theta = angle_of<S>(joint.dh.theta);
    const Frame<S> to_user = standard ? distal_part<S>(joint.dh) : Frame<S>{};
    arm.links.push_back({.joint = joint.type,
                         .a = Data<S>::number(before->a),
                         .cos_alpha = alpha.cos,
                         .sin_alpha = alpha.sin,
                         .d = Data<S>::number(joint.dh.d),
                         .cos_theta = theta.cos,
                         .sin_theta = theta.sin,
                         .body = moved(to_user, joint.body),
                         .user_frame = to_user});
    before = &joint.dh;
  }

  arm.tool = arm.links.back().user_frame * placed<S>(robot.tool);
  Body<S>& last = arm.links.back().body;
  const Body<S> payload = moved(arm.tool, robot.payload);
  if (robot.joints.back().body.mass + robot.payload.mass == 0.0) {
    last.inertia = last.inertia + payload.inertia;
  } else {
    last = joined(last, payload);
  }
  return arm;
}

}  // namespace armdyn
