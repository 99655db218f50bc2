#pragma once

#include <armdyn/arm.hpp>

#include <span>

#include "dynamics/link_frames.hpp"
#include "math/rigid.hpp"

// RNEA: the recursive Newton-Euler algorithm, inverse dynamics in a time that grows with n.

namespace armdyn {

/// What the recursion knows of one link, all in axes of {i}.
template <class S>
struct LinkState {
  Frame<S> frame;  ///< {i} in {i−1}
  Vec<S> omega, omega_dot;
  Vec<S> v_dot;          ///< of the origin of {i}, gravity included
  Vec<S> v_dot_com;      ///< of the centre of mass, likewise
  Vec<S> F, N;           ///< resultant force, and moment about the centre of mass
  Vec<S> force, moment;  ///< exerted by link i−1 on link i; moment about the origin of {i}
};

/// The same arm without gravity.
[[nodiscard]] inline Arm weightless(Arm arm) {
  arm.v_dot_0 = {};
  return arm;
}

/// Inverse dynamics of the links: τ = M_links q̈ + V + G + Jᵀ·hand by the recursion of Newton and
/// Euler in proximal frames (docs/derivation.md eq. 2.1-2.14; paper 000, paper 002 eq. 2-4, 2-5,
/// 2-6). q, qd, qdd, links and tau have one entry per link; hand is what the tool exerts on the
/// environment, at the origin and in the axes of the tool frame, or null. The arm is an Arm, or
/// its constants as another scalar (model/proximal_form.hpp).
template <class S, class A>
void newton_euler(const A& arm, std::span<const S> q, std::span<const S> qd, std::span<const S> qdd,
                  const ForceAndMoment<S>* hand, std::span<LinkState<S>> links, std::span<S> tau) {
  Vec<S> omega = constant<S>(Vec3{});
  Vec<S> omega_dot = constant<S>(Vec3{});
  Vec<S> v_dot = constant<S>(arm.v_dot_0);

  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& link = arm.links[i];
    LinkState<S>& x = links[i];
    x.frame = joint_frame(link, q[i]);
    const auto& [R, p] = x.frame;

    const Vec<S> w = transposed_times(R, omega);
    const Vec<S> w_dot = transposed_times(R, omega_dot);
    const Vec<S> a =
        transposed_times(R, v_dot + cross(omega_dot, p) + cross(omega, cross(omega, p)));  // (2.3)
    add_joint_motion(link.joint, w, w_dot, a, qd[i], qdd[i], x);
    omega = x.omega;
    omega_dot = x.omega_dot;
    v_dot = x.v_dot;

    const auto& [mass, com, inertia] = link.body;
    x.v_dot_com = v_dot + cross(omega_dot, com) + cross(omega, cross(omega, com));  // (2.7)
    x.F = mass * x.v_dot_com;                                                       // (2.8)
    x.N = inertia * omega_dot + cross(omega, inertia * omega);                      // (2.9)
  }

  Vec<S> force, moment;  // of what is beyond link i
  const Frame<S> tool{constant<S>(arm.tool.R), constant<S>(arm.tool.p)};
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const auto& link = arm.links[i];
    LinkState<S>& x = links[i];
    x.force = x.F;
    x.moment = x.N + cross(link.body.com, x.F);
    const auto carry = [&x](const Frame<S>& outer, const Vec<S>& f, const Vec<S>& n) {
      const Vec<S> carried = outer.R * f;
      x.force = x.force + carried;                                  // (2.10)
      x.moment = x.moment + outer.R * n + cross(outer.p, carried);  // (2.11)
    };
    if (i + 1 < arm.dof()) {
      carry(links[i + 1].frame, force, moment);
    } else if (hand != nullptr) {
      carry(tool, hand->force, hand->moment);  // (2.12)
    }
    force = x.force;
    moment = x.moment;
    tau[i] = component_z(link.joint == JointType::revolute ? x.moment : x.force);  // (2.13), (2.14)
  }
}

/// Force and moment of joint i as shown to a user (docs/derivation.md eq. 3.1): in the axes of the
/// user's {i}, the moment about the point where the joint acts. A standard table's {i−1} lies d
/// behind the link's frame.
template <class S>
ForceAndMoment<S> joint_reaction(const Arm& arm, std::size_t i, const S& q, const LinkState<S>& x) {
  Vec<S> moment = x.moment;
  if (arm.convention == Convention::standard) {
    const Link& link = arm.links[i];
    const S d = link.joint == JointType::prismatic ? link.d + q : S(link.d);
    moment = moment + cross(Vec<S>{S(0.0), S(0.0), d}, x.force);
  }
  const Mat<S> user = constant<S>(arm.user_frame[i].R);
  return {transposed_times(user, x.force), transposed_times(user, moment)};
}

}  // namespace armdyn
