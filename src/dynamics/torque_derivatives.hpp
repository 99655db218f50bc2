#pragma once

#include <armdyn/robot.hpp>

#include <span>

#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/rigid.hpp"

// Derivatives of the links' torques, by a recursion whose time grows with n² (docs/derivation.md,
// section 32; Carpentier and Mansard 2018; Singh, Russell and Wensing 2022).

namespace armdyn {

/// Motion of link i in axes of {0}.
template <class S>
struct LinkRates {
  Mat<S> R;
  Vec<S> p;  ///< from the origin of {i−1} to that of {i}
  Vec<S> z, z_dot, z_ddot;
  Vec<S> omega, omega_dot;
  Vec<S> v, v_dot;  ///< of the origin of {i}, the latter gravity included
};

/// A link and everything beyond it. Vectors r and moments are from the origin O of the last link.
template <class S>
struct MovingBody {
  CompositeBody<S> inertia;
  Vec<S> momentum;
  Mat<S> spread_rate;  ///< P = ∫ ṙ rᵀ dm
  S trace;             ///< of P
  ForceAndMoment<S> load;
};

/// What the pairs of joints need of one. The velocity of what joint i moves is, per unit of q̇_i,
/// s_i(r) = ω × r + v.
template <class S>
struct JointTerms {
  Twist<S> unit, rate, acceleration;  ///< ω and v; their derivatives, the second gravity included
  ForceAndMoment<S> of_qdd, of_qd, of_q;  ///< exerted on all beyond, per unit of q̈_i, q̇_i, q_i
  Vec<S> coriolis;                        ///< κ_i of (32.7)
};

/// The links' motion, from the base out.
template <class S, class A>
void move_outward(const A& arm, const MotionOf<S>& motion, std::span<LinkRates<S>> links) {
  Mat<S> R = constant<S>(Mat3{});
  Vec<S> omega = constant<S>(Vec3{}), omega_dot = omega, v = omega;
  Vec<S> v_dot = constant<S>(arm.v_dot_0);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    LinkRates<S>& x = links[i];
    const Frame<S> frame = joint_frame(arm.links[i], motion.q[i]);
    x.p = R * frame.p;
    x.R = R = R * frame.R;
    x.z = column_z(R);
    x.z_dot = cross(omega, x.z);                               // (32.1)
    x.z_ddot = cross(omega_dot, x.z) + cross(omega, x.z_dot);  // (32.2)
    const Vec<S> across = cross(omega, x.p);
    v = v + across;
    v_dot = v_dot + cross(omega_dot, x.p) + cross(omega, across);
    const S &qd = motion.qd[i], &qdd = motion.qdd[i];
    if (is_turning(arm.links[i].joint)) {
      omega = omega + scaled(x.z, qd);
      omega_dot = omega_dot + scaled(x.z, qdd) + scaled(x.z_dot, qd);
    } else {
      v = v + scaled(x.z, qd);
      v_dot = v_dot + scaled(x.z, qdd) + scaled(x.z_dot, S(qd + qd));
    }
    x.omega = omega;
    x.omega_dot = omega_dot;
    x.v = v;
    x.v_dot = v_dot;
  }
}

/// Link i alone; its origin stands at r.
template <class S, class B>
MovingBody<S> moving_body(const B& body, const LinkRates<S>& x, const Vec<S>& r) {
  const Vec<S> lever = x.R * body.com;
  const Vec<S> across = cross(x.omega, lever);
  const Vec<S> c = r + lever;
  const Vec<S> momentum = body.mass * (x.v + across);
  const Vec<S> force = body.mass * (x.v_dot + cross(x.omega_dot, lever) + cross(x.omega, across));
  const SymMat<S> I = rotated(x.R, constant<S>(body.inertia));
  const Vec<S> moment = I * x.omega_dot + cross(x.omega, I * x.omega);
  const Vec<S> first_moment = body.mass * c;
  return {{body.mass, first_moment, I + moved_inertia(c, Vec<S>(0.5 * first_moment))},
          momentum,
          product(S(1.0), momentum, c) + cross(x.omega, full(mass_spread(I))),  // (32.4)
          dot(momentum, c),
          {force, moment + cross(c, force)}};
}

template <class S>
MovingBody<S> operator+(const MovingBody<S>& a, const MovingBody<S>& b) {
  return {a.inertia + b.inertia,
          a.momentum + b.momentum,
          a.spread_rate + b.spread_rate,
          a.trace + b.trace,
          {a.load.force + b.load.force, a.load.moment + b.load.moment}};
}

/// I(ω, v) of (32.5): the load that gives the body the accelerations ω × r + v.
template <class S>
ForceAndMoment<S> accelerating(const CompositeBody<S>& body, const Twist<S>& s) {
  return {body.mass * s.v + cross(s.omega, body.moment),
          body.inertia * s.omega + cross(body.moment, s.v)};
}

/// C(ω) of (32.6): half of what the Coriolis accelerations by a rotation ω need.
template <class S>
ForceAndMoment<S> coriolis(const MovingBody<S>& body, const Vec<S>& omega) {
  return {cross(omega, body.momentum), scaled(omega, body.trace) - body.spread_rate * omega};
}

template <class S>
ForceAndMoment<S> operator+(const ForceAndMoment<S>& a, const ForceAndMoment<S>& b) {
  return {a.force + b.force, a.moment + b.moment};
}

/// The terms of joint i, at r, which moves `body`.
template <class S>
JointTerms<S> joint_terms(JointType joint, const LinkRates<S>& x, const Vec<S>& r,
                          const MovingBody<S>& body) {
  const Vec<S>&z = x.z, &z_dot = x.z_dot;
  const Vec<S> turned = cross(x.v, z_dot);
  JointTerms<S> t;
  t.unit = joint_twist<S>(joint, z, cross(r, z));  // (32.3)
  t.rate = joint_twist<S>(joint, z_dot, cross(x.v, z) + cross(r, z_dot));
  t.acceleration =
      joint_twist<S>(joint, x.z_ddot, cross(x.v_dot, z) + turned + turned + cross(r, x.z_ddot));
  const auto& [v, omega] = t.unit;
  const ForceAndMoment<S> by_rate = coriolis(body, t.rate.omega);
  const auto& [force, moment] = body.load;
  t.of_qd = accelerating(body.inertia, t.rate) + coriolis(body, omega);  // (32.12)
  t.of_q =
      accelerating(body.inertia, t.acceleration) + by_rate + by_rate +
      ForceAndMoment<S>{cross(omega, force), cross(omega, moment) + cross(v, force)};  // (32.11)
  t.coriolis = scaled(omega, body.trace) - transposed_times(body.spread_rate, omega) +
               cross(body.momentum, v);           // (32.7)
  t.of_qdd = accelerating(body.inertia, t.unit);  // (32.8)
  return t;
}

/// The terms of all joints; wrench is what the tool exerts on the environment, or null. Spans have an
/// entry per joint.
template <class S, class A>
void joint_terms(const A& arm, const MotionOf<S>& motion, const ForceAndMoment<S>* wrench,
                 std::span<LinkRates<S>> links, std::span<JointTerms<S>> joints) {
  move_outward(arm, motion, links);
  const std::size_t n = arm.dof();
  Vec<S> r = constant<S>(Vec3{});
  MovingBody<S> body = moving_body(arm.links[n - 1].body, links[n - 1], r);
  if (wrench != nullptr) {
    const Frame<S> tool = Frame<S>{links[n - 1].R, r} * constant<S>(arm.tool);
    const Vec<S> force = tool.R * wrench->force;
    body.load =
        body.load + ForceAndMoment<S>{force, tool.R * wrench->moment + cross(tool.p, force)};
  }
  for (std::size_t i = n; i-- > 0;) {
    joints[i] = joint_terms(arm.links[i].joint, links[i], r, body);
    if (i == 0) break;
    r = r - links[i].p;
    body = moving_body(arm.links[i - 1].body, links[i - 1], r) + body;
  }
}

/// One torque's derivatives with respect to one joint's q, q̇, q̈.
template <class S>
struct PairDerivatives {
  S dq, dqd, dqdd;
};

/// Power of a load on what moves like this.
template <class A, class B>
ProductOf<A, B> power(const ForceAndMoment<A>& load, const Twist<B>& s) {
  return dot(load.moment, s.omega) + dot(load.force, s.v);
}

/// Those of joint i's torque with respect to joint j, which is i or further in.
template <class A, class B>
PairDerivatives<B> by_inner_joint(const JointTerms<A>& i, const JointTerms<B>& j) {
  const B half = power(i.of_qdd, j.rate) + dot(i.coriolis, j.unit.omega);
  const B turning = dot(i.coriolis, j.rate.omega);
  return {power(i.of_qdd, j.acceleration) + turning + turning,  // (32.9)
          half + half,                                          // (32.10)
          power(i.of_qdd, j.unit)};
}

/// Those with respect to a joint j further out.
template <class A, class B>
PairDerivatives<B> by_outer_joint(const JointTerms<A>& i, const JointTerms<B>& j) {
  const B half = power(j.of_qd, i.unit);
  return {power(j.of_q, i.unit), half + half, power(j.of_qdd, i.unit)};  // (32.11), (32.12)
}

/// Gives those of all torques to `put(i, j, derivatives)`.
template <class S>
void pair_derivatives(std::span<const JointTerms<S>> joints, const auto& put) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      put(i, j,
          j <= i ? by_inner_joint(joints[i], joints[j]) : by_outer_joint(joints[i], joints[j]));
    }
  }
}

}  // namespace armdyn
