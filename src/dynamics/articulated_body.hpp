#pragma once

#include <armdyn/arm.hpp>

#include <span>

#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "math/rigid.hpp"

// ABA: the articulated body algorithm, forward dynamics without a mass matrix.

namespace armdyn {

/// A link whose outer joints are free: n = J ω̇ + B v̇ and f = Bᵀ ω̇ + A v̇ accelerate it, about the
/// origin and in axes of {i}.
template <class S>
struct ArticulatedBody {
  SymMat<S> J;
  Mat<S> B;
  SymMat<S> A;
};

/// What is kept of one joint, in axes of {i}.
template <class S>
struct ArticulatedJoint {
  Vec<S> moment, force;  ///< that accelerate joint i alone by 1
  S pivot;               ///< what its drive feels of them, rotor included: kg·m² or kg
};

template <class S, class B>
ArticulatedBody<S> articulated(const B& body) {  // (7.11)
  const auto [mass, h, J] = composite<S>(body);
  const S m(mass), zero(0.0);
  return {
      J, {{zero, -h.z, h.y}, {h.z, zero, -h.x}, {-h.y, h.x, zero}}, {m, m, m, zero, zero, zero}};
}

template <class S>
ArticulatedBody<S> operator+(const ArticulatedBody<S>& a, const ArticulatedBody<S>& b) {
  return {a.J + b.J, a.B + b.B, a.A + b.A};
}

/// The same body seen from {i−1}.
template <class S>
ArticulatedBody<S> carried(const Frame<S>& frame, const ArticulatedBody<S>& body) {
  const auto& [R, p] = frame;
  const SymMat<S> A = rotated(R, body.A);
  const auto half = 0.5 * cross(p, full(A));
  const auto B = rotated(R, body.B) + half;
  return {rotated(R, body.J) + with_transposed(cross(p, transposed(B))), B + half, A};  // (7.15)
}

/// The first half of M q̈ = b by articulated bodies: what depends on the position alone
/// (docs/derivation.md eq. 7.11-7.15; Featherstone, table 7.1). `frames` are the joints' frames,
/// `rotors` the reflected rotor inertias. The pivots are those of (7.8) and are not tested here.
/// The articulated bodies, about the origins of {i}, are kept where there is room for them.
template <class S, class A, class Frames>
void articulate(const A& arm, const Frames& frames, std::span<const double> rotors,
                std::span<ArticulatedJoint<S>> joints, std::span<ArticulatedBody<S>> bodies = {}) {
  ArticulatedBody<S> outer;  // of what is beyond link i
  for (std::size_t i = arm.dof(); i-- > 0;) {
    ArticulatedBody<S> body = articulated<S>(arm.links[i].body);
    if (i + 1 < arm.dof()) body = body + outer;
    if (!bodies.empty()) bodies[i] = body;

    ArticulatedJoint<S>& x = joints[i];
    if (arm.links[i].joint == JointType::revolute) {
      x.moment = column_z(body.J);  // (7.12)
      x.force = body.B.row_z;
      x.pivot = rotors[i] + component_z(x.moment);
    } else {
      x.moment = column_z(body.B);  // (7.13)
      x.force = column_z(body.A);
      x.pivot = rotors[i] + component_z(x.force);
    }
    const S k = S(-1.0) / x.pivot;
    const ArticulatedBody<S> taken{square(k, x.moment), product(k, x.moment, x.force),
                                   square(k, x.force)};
    if (i > 0) outer = carried(frames[i], body + taken);  // (7.14)
  }
}

/// The second half: q̈ from b, in O(n) (eq. 7.16-7.19). b and qdd may be the same.
template <class S, class A, class Frames>
void solve_articulated(const A& arm, const Frames& frames, std::span<ArticulatedJoint<S>> joints,
                       std::span<const S> b, std::span<S> qdd) {
  Vec<S> n = constant<S>(Vec3{}), f = constant<S>(Vec3{});
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const ArticulatedJoint<S>& x = joints[i];
    const bool revolute = arm.links[i].joint == JointType::revolute;
    qdd[i] = (b[i] - (revolute ? component_z(n) : component_z(f))) / x.pivot;  // (7.16)
    f = frames[i].R * (f + scaled(x.force, qdd[i]));                           // (7.17)
    n = frames[i].R * (n + scaled(x.moment, qdd[i])) + cross(frames[i].p, f);
  }
  Vec<S> omega_dot = constant<S>(Vec3{}), v_dot = constant<S>(Vec3{});
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const ArticulatedJoint<S>& x = joints[i];
    v_dot = transposed_times(frames[i].R, v_dot + cross(omega_dot, frames[i].p));
    omega_dot = transposed_times(frames[i].R, omega_dot);
    qdd[i] = qdd[i] - (dot(x.moment, omega_dot) + dot(x.force, v_dot)) / x.pivot;  // (7.18)
    if (arm.links[i].joint == JointType::revolute) {
      omega_dot = plus_z(omega_dot, qdd[i]);  // (7.19)
    } else {
      v_dot = plus_z(v_dot, qdd[i]);
    }
  }
}

}  // namespace armdyn
