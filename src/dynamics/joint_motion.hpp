#pragma once

#include <armdyn/robot.hpp>

#include "math/rigid.hpp"
#include "math/sin_cos.hpp"
#include "model/joint_kind.hpp"

// What joints do by their kind: their rows of the table at a position, what they add to the motion of the
// links, and which part of a load they feel. Axes are z of {i}; scalars are any.

namespace armdyn {

/// use(sin θ, cos θ, d) with those of a joint's row at position q (eq. 1.3, 1.4). A revolute joint turns
/// the constant angle by q through the addition theorem, so that right-angle offsets stay exact.
template <class S, class L>
auto at_position(const L& link, const S& q, const auto& use) {
  if (!is_turning(link.joint)) return use(link.sin_theta, link.cos_theta, S(link.d + q));
  const auto [s, c] = sin_cos(q);
  return use(link.sin_theta * c + link.cos_theta * s, link.cos_theta * c - link.sin_theta * s,
             link.d);
}
/// d alone.
template <class S, class L>
S d_at(const L& link, const S& q) {
  return is_turning(link.joint) ? S(link.d) : S(link.d + q);
}

/// Adds joint i's motion to the rotation w, w_dot and the acceleration a that {i} would have without,
/// all in axes of {i}, and keeps the sums in x (eq. 2.1, 2.2, 2.4-2.6).
template <class S, class LinkState>
void add_joint_motion(JointType joint, const Vec<S>& w, const Vec<S>& w_dot, const Vec<S>& a,
                      const S& qd, const S& qdd, LinkState& x) {
  if (is_turning(joint)) {
    x.omega = plus_z(w, qd);                          // (2.1)
    x.omega_dot = moved_by_joint(w_dot, w, qd, qdd);  // (2.2)
    x.v_dot = a;
  } else {
    x.omega = w;                                      // (2.4)
    x.omega_dot = w_dot;                              // (2.5)
    x.v_dot = moved_by_joint(a, w, S(qd + qd), qdd);  // (2.6)
  }
}

/// Of a force and a moment about the origin of {i}, what a joint's drive feels: n_z or f_z (eq. 2.13,
/// 2.14).
template <class V>
decltype(auto) joint_load(JointType joint, const V& force, const V& moment) {
  return component_z(is_turning(joint) ? moment : force);
}

/// Velocity of a point and angular velocity of the body that it belongs to, in axes of {0}; as a
/// column of a Jacobian, per unit of joint velocity.
template <class S>
struct Twist {
  Vec<S> v, omega;
};

/// That of a joint with this axis, where a turn about it moves the point by `turned` (eq. 9.2, 32.3).
template <class S>
Twist<S> joint_twist(JointType joint, const Vec<S>& axis, const Vec<S>& turned) {
  if (is_turning(joint)) return {turned, axis};
  return {axis, constant<S>(Vec3{})};
}

}  // namespace armdyn
