#pragma once

#include <armdyn/robot.hpp>

#include <span>
#include <vector>

#include "dynamics/chains.hpp"
#include "dynamics/link_frames.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"

// RNEA: the recursive Newton-Euler algorithm, inverse dynamics in a time that grows with n. In three
// forms: in the links' axes, in those of {0}, and as paper 001 modifies it.

namespace armdyn {

/// Motion and load of one link, all in axes of {i}.
template <class S>
struct LinkVectors {
  Vec<S> omega, omega_dot;
  Vec<S> v_dot;          ///< of the origin of {i}, gravity included
  Vec<S> v_dot_com;      ///< of the center of mass, likewise
  Vec<S> F, N;           ///< resultant force, and moment about the center of mass
  Vec<S> force, moment;  ///< exerted by link i−1 on link i; moment about the origin of {i}
};

/// The same with the link's frame.
template <class S>
struct LinkState : LinkVectors<S> {
  Frame<S> frame;  ///< {i} in {i−1}
};

/// Does nothing at a joint.
struct NoVisit {
  void operator()(std::size_t /*joint*/) const {}
};

/// Inward recursion over links that have F, and whose moments about the origins of {i} are
/// `own_moment(i)`; wrench may be null. Calls `visit(i)` when τ of joint i is known.
template <class S, class A, class Link, class Visit = NoVisit>
void pass_inward(const A& arm, const auto& tool, const ForceAndMoment<S>* wrench,
                 std::span<Link> links, std::span<S> tau, const auto& own_moment,
                 const Visit& visit = {}) {
  Vec<S> force, moment;  // of what is beyond link i
  for (std::size_t i = arm.dof(); i-- > 0;) {
    Link& x = links[i];
    x.force = x.F;
    x.moment = own_moment(i);
    const auto carry = [&x](const Frame<S>& outer, const Vec<S>& f, const Vec<S>& n) {
      const Vec<S> carried = outer.R * f;
      x.force = x.force + carried;                                  // (2.10)
      x.moment = x.moment + outer.R * n + cross(outer.p, carried);  // (2.11)
    };
    if (i + 1 < arm.dof()) {
      carry(links[i + 1].frame, force, moment);
    } else if (wrench != nullptr) {
      carry(constant<S>(tool), wrench->force, wrench->moment);  // (2.12)
    }
    force = x.force;
    moment = x.moment;
    tau[i] = joint_load(arm.links[i].joint, x.force, x.moment);  // (2.13), (2.14)
    visit(i);
  }
}

/// The recursion outward: motion, resultant force and moment of each link (eq. 2.1-2.9).
template <class S, class A>
void newton_euler_outward(const A& arm, const MotionOf<S>& motion, std::span<LinkState<S>> links) {
  Vec<S> omega = constant<S>(Vec3{});
  Vec<S> omega_dot = constant<S>(Vec3{});
  Vec<S> v_dot = constant<S>(arm.v_dot_0);

  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& link = arm.links[i];
    LinkState<S>& x = links[i];
    x.frame = joint_frame(link, motion.q[i]);
    const auto& [R, p] = x.frame;

    const Vec<S> w = transposed_times(R, omega);
    const Vec<S> w_dot = transposed_times(R, omega_dot);
    const Vec<S> a =
        transposed_times(R, v_dot + cross(omega_dot, p) + cross(omega, cross(omega, p)));  // (2.3)
    add_joint_motion(link.joint, w, w_dot, a, motion.qd[i], motion.qdd[i], x);
    omega = x.omega;
    omega_dot = x.omega_dot;
    v_dot = x.v_dot;

    const auto& [mass, com, inertia] = link.body;
    x.v_dot_com = v_dot + cross(omega_dot, com) + cross(omega, cross(omega, com));  // (2.7)
    x.F = mass * x.v_dot_com;                                                       // (2.8)
    x.N = inertia * omega_dot + cross(omega, inertia * omega);                      // (2.9)
  }
}

/// The recursion inward, to the torques (eq. 2.10-2.14). Calls `visit(i)` as pass_inward does.
template <class S, class A, class Visit = NoVisit>
void newton_euler_inward(const A& arm, const ForceAndMoment<S>* wrench,
                         std::span<LinkState<S>> links, std::span<S> tau, const Visit& visit = {}) {
  pass_inward(
      arm, arm.tool, wrench, links, tau,
      [&](std::size_t i) { return links[i].N + cross(arm.links[i].body.com, links[i].F); }, visit);
}

/// Inverse dynamics of the links: τ = M_links q̈ + V + G + Jᵀ·wrench by the recursion of Newton and
/// Euler in proximal frames (docs/derivation.md eq. 2.1-2.14; paper 000, paper 002 eq. 2-4, 2-5,
/// 2-6). q, qd, qdd, links and tau have one entry per link; wrench is what the tool exerts on the
/// environment, at the origin and in the axes of the tool frame, or null. The arm is an Arm, or
/// its constants as another scalar (model/proximal_form.hpp).
template <class S, class A>
void newton_euler(const A& arm, std::span<const S> q, std::span<const S> qd, std::span<const S> qdd,
                  const ForceAndMoment<S>* wrench, std::span<LinkState<S>> links,
                  std::span<S> tau) {
  newton_euler_outward<S>(arm, {q, qd, qdd}, links);
  newton_euler_inward<S>(arm, wrench, links, tau);
}

/// The links as that recursion leaves them, and its torques.
template <class S>
struct WorkedRecursion {
  std::vector<LinkState<S>> links;
  std::vector<S> tau;
};
template <class S, class A>
WorkedRecursion<S> worked_recursion(const A& arm, std::span<const S> q, std::span<const S> qd,
                                    std::span<const S> qdd,
                                    const ForceAndMoment<S>* wrench = nullptr) {
  WorkedRecursion<S> found{std::vector<LinkState<S>>(arm.dof()), std::vector<S>(arm.dof())};
  newton_euler<S>(arm, q, qd, qdd, wrench, found.links, found.tau);
  return found;
}

/// τ of the links of any arm by that recursion, of a mechanism in its chains.
template <class S, class A>
std::vector<S> links_torque(const A& arm, std::span<const S> q, std::span<const S> qd,
                            std::span<const S> qdd, const ForceAndMoment<S>* wrench = nullptr) {
  if (is_one_chain(arm)) return worked_recursion<S>(arm, q, qd, qdd, wrench).tau;
  std::vector<S> tau(arm.dof());
  if constexpr (requires { arm.chains; }) {
    chains_torque<S>(arm, {q, qd, qdd}, wrench, tau,
                     [&arm](std::size_t k, const MotionOf<S>& x, const ForceAndMoment<S>* at_tool,
                            std::span<S> of_chain) {
                       std::vector<LinkState<S>> links(x.q.size());
                       newton_euler<S>(arm.chains[k].arm, x.q, x.qd, x.qdd, at_tool, links,
                                       of_chain);
                     });
  }
  return tau;
}

/// Force and moment of joint i as shown to a user (docs/derivation.md eq. 3.1): in the axes of the
/// table's {i}, the moment about the point where the joint acts. A standard table's {i−1} lies d
/// behind the link's frame.
template <class S, class A>
ForceAndMoment<S> joint_reaction(const A& arm, std::size_t i, const S& q, const LinkState<S>& x) {
  Vec<S> moment = x.moment;
  if (arm.convention == Convention::standard) {
    moment = moment + cross(along_z(d_at(arm.links[i], q)), x.force);
  }
  const Mat<S> user = constant<S>(arm.user_frame[i].R);
  return {transposed_times(user, x.force), transposed_times(user, moment)};
}

/// Reactions of all joints, of a mechanism the sums over the chains that a joint is in; it must pass
/// require_reactions.
template <class S>
std::vector<ForceAndMoment<S>> joint_reactions(const Arm& arm, const MotionOf<S>& motion,
                                               const ForceAndMoment<S>* wrench) {
  if (arm.is_serial()) {
    const auto links = worked_recursion<S>(arm, motion.q, motion.qd, motion.qdd, wrench).links;
    return each(in_order(arm.dof()),
                [&](std::size_t i) { return joint_reaction(arm, i, motion.q[i], links[i]); });
  }
  const Vec<S> none = constant<S>(Vec3{});
  std::vector<ForceAndMoment<S>> sums(arm.dof(), {none, none});
  for (std::size_t c = 0; c < arm.chains.size(); ++c) {
    const auto& [chain, rows, joints] = arm.chains[c];
    const auto of_chain =
        joint_reactions<S>(chain, ChainMotion<S>(rows, motion).motion(), c == 0 ? wrench : nullptr);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (i + 1 < joints.size() && joints[i + 1] == joints[i]) continue;  // fixed, or of a helix
      auto& [force, moment] = sums[joints[i]];
      force = force + of_chain[i].force;
      moment = moment + of_chain[i].moment;
    }
  }
  return sums;
}

/// Motion and load of link i as shown to a user: in the axes of the table's {i}, the acceleration that
/// of its origin (docs/derivation.md eq. 9.24), force and moment by (3.1).
template <class S, class A>
LinkVectors<S> shown_vectors(const A& arm, std::size_t i, const S& q, const LinkState<S>& x) {
  const Frame<S> user = constant<S>(arm.user_frame[i]);
  const auto turned = [&user](const Vec<S>& v) { return transposed_times(user.R, v); };
  const auto [force, moment] = joint_reaction(arm, i, q, x);
  return {turned(x.omega),
          turned(x.omega_dot),
          turned(x.v_dot + cross(x.omega_dot, user.p) + cross(x.omega, cross(x.omega, user.p))),
          turned(x.v_dot_com),
          turned(x.F),
          turned(x.N),
          force,
          moment};
}

// RNEA with everything expressed in {0}, as the papers derive it before they go over to the links' axes.

/// State of one link in axes of {0}; its frame is that in {i−1}.
template <class S>
struct BaseLinkState : LinkState<S> {
  Mat<S> R;  ///< axes of {i}
  Vec<S> p;  ///< from the origin of {i−1} to that of {i}
};

/// Inverse dynamics of the links by the recursion of Newton and Euler in axes of {0}
/// (docs/derivation.md eq. 2.15-2.21; paper 001 eq. 3.1-3.14, paper 003 eq. 3.11-3.20, paper 004 eq.
/// 2.11-2.29): the same torques as `newton_euler`, for which tensors have to be turned as well. q,
/// qd, qdd, links and tau have one entry per link; wrench is what the tool exerts on the environment,
/// at the origin and in the axes of the tool frame, or null.
template <class S>
void newton_euler_in_base(const Arm& arm, std::span<const S> q, std::span<const S> qd,
                          std::span<const S> qdd, const ForceAndMoment<S>* wrench,
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
    if (is_turning(arm.links[i].joint)) {
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
    } else if (wrench != nullptr) {
      const Mat<S> tool = x.R * constant<S>(arm.tool.R);
      carry(x.R * constant<S>(arm.tool.p), tool * wrench->force, tool * wrench->moment);  // (2.12)
    }
    const bool turns = is_turning(arm.links[i].joint);
    tau[i] = dot(column_z(x.R), turns ? x.moment : x.force);  // (2.21)
  }
}

// RNEA as paper 001 modifies it, by matrices A_i of angular motion.

/// A: the acceleration of a point b of the link, relative to the link's origin, is A b (eq. 5.1).
template <class S>
Mat<S> acceleration_matrix(const Vec<S>& omega, const Vec<S>& omega_dot) {
  const S xx = omega.x * omega.x, yy = omega.y * omega.y, zz = omega.z * omega.z;
  const S xy = omega.x * omega.y, yz = omega.y * omega.z, xz = omega.x * omega.z;
  return {{-(yy + zz), xy - omega_dot.z, xz + omega_dot.y},
          {xy + omega_dot.z, -(xx + zz), yz - omega_dot.x},
          {xz - omega_dot.y, yz + omega_dot.x, -(xx + yy)}};
}

/// v(AK): the moment about the center of mass that moves the mass spread K by A (eq. 5.4).
template <class S>
Vec<S> axial(const Mat<S>& A, const SymMat3& K) {
  const Vec3 column_x{K.xx, K.xy, K.xz}, column_y{K.xy, K.yy, K.yz}, column_z{K.xz, K.yz, K.zz};
  return {dot(A.row_z, column_y) - dot(A.row_y, column_z),
          dot(A.row_x, column_z) - dot(A.row_z, column_x),
          dot(A.row_y, column_x) - dot(A.row_x, column_y)};
}

/// K = ½ tr(I) E − I about the center of mass, kg·m² (eq. 5.3).
template <class S>
SymMat<S> mass_spread(const SymMat<S>& I) {
  return {0.5 * (I.yy + I.zz - I.xx),
          0.5 * (I.xx + I.zz - I.yy),
          0.5 * (I.xx + I.yy - I.zz),
          -I.xy,
          -I.yz,
          -I.xz};
}

/// Mass spreads of the links.
inline std::vector<SymMat3> mass_spreads(const Arm& arm) {
  return each(arm.links, [](const Link& link) { return mass_spread(link.body.inertia); });
}

/// Motion and load of one link in the modified recursion, all in axes of {i}.
template <class S>
struct ModifiedLinkState {
  Frame<S> frame;  ///< {i} in {i−1}
  Vec<S> omega, omega_dot;
  Vec<S> v_dot;  ///< of the origin of {i}, gravity included
  Mat<S> A;
  Vec<S> F, N;           ///< resultant force, and moment about the center of mass
  Vec<S> force, moment;  ///< exerted by link i−1 on link i; moment about the origin of {i}
};

/// Computes the motion of a link and its matrix A, x.frame being known (eq. 2.1, 2.2, 2.4, 2.5,
/// 5.5, 5.6), from the motion of the link before; null: from {0} and its acceleration v_dot_0.
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
/// tau have one entry per link; wrench is what the tool exerts on the environment, at the origin and
/// in the axes of the tool frame, or null.
template <class S>
void modified_newton_euler(const Arm& arm, std::span<const SymMat3> K, std::span<const S> q,
                           std::span<const S> qd, std::span<const S> qdd,
                           const ForceAndMoment<S>* wrench, std::span<ModifiedLinkState<S>> links,
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

  pass_inward(arm, arm.tool, wrench, links, tau, [&](std::size_t i) {  // (5.7)
    return links[i].N + cross(arm.links[i].body.com, links[i].F);
  });
}

}  // namespace armdyn
