#pragma once

#include <span>

#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/moment_arm.hpp"

namespace armdyn {

/// The moment about the origin of {i} that gives a link with inertia J there its rotation, less
/// that of its origin's acceleration: J ω̇ + ω × J ω (docs/derivation.md eq. 22.5).
template <class S, class T>
Vec<S> rotation_moment(const SymMat<T>& J, const Vec<S>& omega, const Vec<S>& omega_dot,
                       const Mat<S>& A) {
  const S xx = omega.x * omega.x, yy = omega.y * omega.y, zz = omega.z * omega.z;
  return {J.xx * omega_dot.x + (J.zz - J.yy) * (omega.y * omega.z) + J.xz * A.row_y.x -
              J.xy * A.row_z.x + J.yz * (yy - zz),
          J.yy * omega_dot.y + (J.xx - J.zz) * (omega.x * omega.z) + J.xy * A.row_z.y -
              J.yz * A.row_x.y + J.xz * (zz - xx),
          J.zz * omega_dot.z + (J.yy - J.xx) * (omega.x * omega.y) + J.yz * A.row_x.z -
              J.xz * A.row_y.z + J.xy * (xx - yy)};
}

/// Torques of the links by the recursion of paper 001 §5 on masses, first moments and inertias about
/// the origins of {i} (docs/derivation.md eq. 22.4-22.6): as modified_newton_euler, for bodies that
/// have no centre of mass. q, qd, qdd, links and tau have one entry per link.
template <class S, class T>
void moment_newton_euler(const MomentArm<T>& arm, std::span<const S> q, std::span<const S> qd,
                         std::span<const S> qdd, std::span<ModifiedLinkState<S>> links,
                         std::span<S> tau) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const MomentLink<T>& link = arm.links[i];
    ModifiedLinkState<S>& x = links[i];
    x.frame = joint_frame(link, q[i]);
    move_link(link.joint, i > 0 ? &links[i - 1] : nullptr, arm.v_dot_0, qd[i], qdd[i], x);
    const auto& [mass, h, J] = link.body;
    x.F = mass * x.v_dot + x.A * h;                                           // (22.4)
    x.N = rotation_moment(J, x.omega, x.omega_dot, x.A) + cross(h, x.v_dot);  // (22.5)
  }

  for (std::size_t i = arm.dof(); i-- > 0;) {
    ModifiedLinkState<S>& x = links[i];
    x.force = x.F;
    x.moment = x.N;
    if (i + 1 < arm.dof()) {  // (22.6)
      const ModifiedLinkState<S>& outer = links[i + 1];
      const Vec<S> carried = outer.frame.R * outer.force;
      x.force = x.F + carried;
      x.moment = x.N + outer.frame.R * outer.moment + cross(outer.frame.p, carried);
    }
    tau[i] = arm.links[i].joint == JointType::revolute ? x.moment.z : x.force.z;
  }
}

}  // namespace armdyn
