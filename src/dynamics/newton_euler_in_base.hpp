#pragma once

#include <armdyn/arm.hpp>

#include <span>

#include "dynamics/newton_euler.hpp"
#include "math/rigid.hpp"

// RNEA with everything seen from {0}, as the papers derive it before they go over to the links' axes.

namespace armdyn {

/// State of one link in axes of {0}; its frame is that in {i−1}.
template <class S>
struct BaseLinkState : LinkState<S> {
  Mat<S> R;  ///< axes of {i}
  Vec<S> p;  ///< from the origin of {i−1} to that of {i}
};

/// Inverse dynamics of the links by the recursion of Newton and Euler in axes of {0}
/// (docs/derivation.md eq. 2.15-2.21; paper 001 eq. 3.1-3.14, paper 003 eq. 3.11-3.20, paper 004 eq.
/// 2.11-2.29): the same torques as `newton_euler`, for which tensors have to be turned as well. q,
/// qd, qdd, links and tau have one entry per link; hand is what the tool exerts on the environment,
/// at the origin and in the axes of the tool frame, or null.
template <class S>
void newton_euler_in_base(const Arm& arm, std::span<const S> q, std::span<const S> qd,
                          std::span<const S> qdd, const ForceAndMoment<S>* hand,
                          std::span<BaseLinkState<S>> links, std::span<S> tau) {
  BaseLinkState<S> before;  // {0} at rest
  before.R = constant<S>(Mat3{});
  before.omega = before.omega_dot = constant<S>(Vec3{});
  before.v_dot = constant<S>(arm.v_dot_0);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [mass, com, inertia] = arm.links[i].body;
    BaseLinkState<S>& x = links[i];
    x.frame = joint_frame(arm.links[i], q[i]);
    x.R = before.R * x.frame.R;
    x.p = before.R * x.frame.p;
    const Vec<S> z = column_z(x.R);
    const Vec<S> rate = scaled(z, qd[i]), acceleration = scaled(z, qdd[i]);
    const Vec<S>& w = before.omega;
    x.omega = w;
    x.omega_dot = before.omega_dot;
    x.v_dot = before.v_dot + cross(before.omega_dot, x.p) + cross(w, cross(w, x.p));  // (2.17)
    if (arm.links[i].joint == JointType::revolute) {
      x.omega = w + rate;                                              // (2.15)
      x.omega_dot = before.omega_dot + acceleration + cross(w, rate);  // (2.16)
    } else {
      x.v_dot = x.v_dot + acceleration + cross(w, rate + rate);  // (2.18)
    }
    const Vec<S> r_c = x.R * constant<S>(com);
    const SymMat<S> I = rotated(x.R, constant<S>(inertia));
    x.v_dot_com = x.v_dot + cross(x.omega_dot, r_c) + cross(x.omega, cross(x.omega, r_c));
    x.F = mass * x.v_dot_com;
    x.N = I * x.omega_dot + cross(x.omega, I * x.omega);
    x.force = x.F;
    x.moment = x.N + cross(r_c, x.F);
    before = x;
  }
  for (std::size_t i = arm.dof(); i-- > 0;) {
    BaseLinkState<S>& x = links[i];
    const auto carry = [&x](const Vec<S>& p, const Vec<S>& f, const Vec<S>& n) {
      x.force = x.force + f;                  // (2.19)
      x.moment = x.moment + n + cross(p, f);  // (2.20)
    };
    if (i + 1 < arm.dof()) {
      carry(links[i + 1].p, links[i + 1].force, links[i + 1].moment);
    } else if (hand != nullptr) {
      const Mat<S> tool = x.R * constant<S>(arm.tool.R);
      carry(x.R * constant<S>(arm.tool.p), tool * hand->force, tool * hand->moment);  // (2.12)
    }
    const bool turns = arm.links[i].joint == JointType::revolute;
    tau[i] = dot(column_z(x.R), turns ? x.moment : x.force);  // (2.21)
  }
}

}  // namespace armdyn
