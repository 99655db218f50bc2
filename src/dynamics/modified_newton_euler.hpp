#pragma once

#include <armdyn/arm.hpp>

#include <span>
#include <vector>

#include "dynamics/link_frames.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"

// RNEA as paper 001 modifies it, by matrices A_i of angular motion.

namespace armdyn {

/// A: the acceleration of a point b of the link, relative to the link's origin, is A b (eq. 5.1).
template <class S>
Mat<S> acceleration_matrix(const Vec<S>& omega, const Vec<S>& omega_dot) {
  const S xx = omega.x * omega.x, yy = omega.y * omega.y, zz = omega.z * omega.z;
  const S xy = omega.x * omega.y, yz = omega.y * omega.z, xz = omega.x * omega.z;
  return {{-(yy + zz), xy - omega_dot.z, xz + omega_dot.y},
          {xy + omega_dot.z, -(xx + zz), yz - omega_dot.x},
          {xz - omega_dot.y, yz + omega_dot.x, -(xx + yy)}};
}

/// v(AK): the moment about the centre of mass that moves the mass spread K as A says (eq. 5.4).
template <class S>
Vec<S> axial(const Mat<S>& A, const SymMat3& K) {
  const Vec3 column_x{K.xx, K.xy, K.xz}, column_y{K.xy, K.yy, K.yz}, column_z{K.xz, K.yz, K.zz};
  return {dot(A.row_z, column_y) - dot(A.row_y, column_z),
          dot(A.row_x, column_z) - dot(A.row_z, column_x),
          dot(A.row_y, column_x) - dot(A.row_x, column_y)};
}

/// K = ½ tr(I) E − I about the centre of mass, kg·m² (eq. 5.3).
inline SymMat3 mass_spread(const SymMat3& I) {
  return {0.5 * (I.yy + I.zz - I.xx),
          0.5 * (I.xx + I.zz - I.yy),
          0.5 * (I.xx + I.yy - I.zz),
          -I.xy,
          -I.yz,
          -I.xz};
}

/// Of each link.
inline std::vector<SymMat3> mass_spreads(const Arm& arm) {
  return each(arm.links, [](const Link& link) { return mass_spread(link.body.inertia); });
}

/// What the modified recursion knows of one link, all in axes of {i}.
template <class S>
struct ModifiedLinkState {
  Frame<S> frame;  ///< {i} in {i−1}
  Vec<S> omega, omega_dot;
  Vec<S> v_dot;  ///< of the origin of {i}, gravity included
  Mat<S> A;
  Vec<S> F, N;           ///< resultant force, and moment about the centre of mass
  Vec<S> force, moment;  ///< exerted by link i−1 on link i; moment about the origin of {i}
};

/// How a link moves, x.frame being known (eq. 2.1, 2.2, 2.4, 2.5, 5.5, 5.6), and the matrix of that,
/// from how the link before moves; null: from {0} and its acceleration v_dot_0.
template <class S, class C>
void move_link(JointType joint, const ModifiedLinkState<S>* before, const Vec<C>& v_dot_0,
               const S& qd, const S& qdd, ModifiedLinkState<S>& x) {
  const auto& [R, p] = x.frame;
  const Vec<S> rest = constant<S>(Vec3{});
  const Vec<S> w = transposed_times(R, before ? before->omega : rest);
  const Vec<S> w_dot = transposed_times(R, before ? before->omega_dot : rest);
  const Vec<S> a = transposed_times(
      R, before ? before->v_dot + before->A * p : constant<S>(v_dot_0));  // (5.5); A_0 = 0
  add_joint_motion(joint, w, w_dot, a, qd, qdd, x);
  x.A = acceleration_matrix(x.omega, x.omega_dot);  // (5.1)
}

/// Inverse dynamics of the links by the modified recursion of paper 001 §5 (eq. 5.1-5.7): the same
/// torques as `newton_euler` with fewer products. K is mass_spreads(arm); q, qd, qdd, K, links and
/// tau have one entry per link; hand is what the tool exerts on the environment, at the origin and
/// in the axes of the tool frame, or null.
template <class S>
void modified_newton_euler(const Arm& arm, std::span<const SymMat3> K, std::span<const S> q,
                           std::span<const S> qd, std::span<const S> qdd,
                           const ForceAndMoment<S>* hand, std::span<ModifiedLinkState<S>> links,
                           std::span<S> tau) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Link& link = arm.links[i];
    ModifiedLinkState<S>& x = links[i];
    x.frame = joint_frame(link, q[i]);
    move_link(link.joint, i > 0 ? &links[i - 1] : nullptr, arm.v_dot_0, qd[i], qdd[i], x);

    const auto& [mass, com, inertia] = link.body;
    x.F = mass * (x.v_dot + x.A * com);  // (5.2)
    x.N = axial(x.A, K[i]);              // (5.4)
  }

  for (std::size_t i = arm.dof(); i-- > 0;) {
    const Link& link = arm.links[i];
    ModifiedLinkState<S>& x = links[i];
    const Vec<S> own_moment = x.N + cross(link.body.com, x.F);
    const auto carry = [&](const Frame<S>& outer, const Vec<S>& f, const Vec<S>& n) {
      const Vec<S> carried = outer.R * f;
      x.moment = own_moment + outer.R * n + cross(outer.p, carried);  // (5.7)
      x.force = x.F + carried;                                        // (2.10)
    };
    if (i + 1 < arm.dof()) {
      carry(links[i + 1].frame, links[i + 1].force, links[i + 1].moment);
    } else if (hand != nullptr) {
      carry({constant<S>(arm.tool.R), constant<S>(arm.tool.p)}, hand->force,
            hand->moment);  // (2.12)
    } else {
      x.moment = own_moment;
      x.force = x.F;
    }
    tau[i] = link.joint == JointType::revolute ? x.moment.z : x.force.z;  // (2.13), (2.14)
  }
}

}  // namespace armdyn
