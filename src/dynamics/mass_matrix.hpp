#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <limits>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/rigid.hpp"

// CRBA: the composite rigid body algorithm, for the mass matrix. ABA: the articulated body algorithm,
// forward dynamics without one.

namespace armdyn {

/// The method itself, or `composite` in place of `articulated` for an arm with coupled motors,
/// whose rotors are not on the diagonal of M alone.
[[nodiscard]] inline ForwardMethod serving_method(const Arm& arm, ForwardMethod method) {
  const bool is_diagonal = arm.row_drives.empty() && arm.is_serial();
  return is_diagonal || method != ForwardMethod::articulated ? method : ForwardMethod::composite;
}

/// A rigid body in axes of {i}, with what its motion is linear in; a link and everything beyond it.
/// The mass never depends on the state.
template <class S, class T = double>
struct CompositeBody {
  T mass;
  Vec<S> moment;      ///< mass times center of mass
  SymMat<S> inertia;  ///< about the origin of {i}
};

template <class S>
CompositeBody<S> composite(const MassProperties& body) {  // (7.1)
  return {body.mass, constant<S>(body.mass * body.com),
          constant<S>(body.inertia + point_inertia(body.mass, body.com))};
}
template <class S>
requires(!std::is_same_v<S, double>)
    CompositeBody<S, S> composite(const MassPropertiesOf<S>& body) {
  return {body.mass, scaled(body.com, body.mass),
          body.inertia + point_inertia(body.mass, body.com)};
}
template <class S, class T>
CompositeBody<S, T> composite(const CompositeBody<T, T>& body) {
  return {body.mass, constant<S>(body.moment), constant<S>(body.inertia)};
}

template <class S, class T>
CompositeBody<S, T> operator+(const CompositeBody<S, T>& a, const CompositeBody<S, T>& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.inertia + b.inertia};
}

/// The gain of a body's inertia about a point from which its own stands at p; h is its first moment
/// about the middle of the two (7.3).
template <class S>
SymMat<S> moved_inertia(const Vec<S>& p, const Vec<S>& h) {
  const S x = p.x * h.x, y = p.y * h.y, z = p.z * h.z;
  return {y + z + y + z,
          x + z + x + z,
          x + y + x + y,
          -(p.x * h.y) - p.y * h.x,
          -(p.y * h.z) - p.z * h.y,
          -(p.x * h.z) - p.z * h.x};
}

/// The body expressed in {i−1}.
template <class S, class T>
CompositeBody<S, T> carried(const Frame<S>& frame, const CompositeBody<S, T>& body) {
  const auto& [R, p] = frame;
  const Vec<S> c = R * body.moment;
  const Vec<S> h = c + 0.5 * body.mass * p;
  return {body.mass, c + body.mass * p,
          rotated(R, body.inertia) + moved_inertia(p, h)};  // (7.2), (7.3)
}

/// Force and moment that move a composite body at unit acceleration of its joint, about the origin of
/// {i}.
template <class S, class T>
ForceAndMoment<S> unit_load(JointType joint, const CompositeBody<S, T>& body) {
  if (is_turning(joint)) return {z_cross(body.moment), column_z(body.inertia)};  // (7.4)
  return {along_z(S(body.mass)), cross_z(body.moment)};                          // (7.5)
}

/// Mass matrix of the links, without rotors, by composite bodies (docs/derivation.md eq. 7.1-7.7;
/// Featherstone, table 6.2). `frames[i]` are the joints' frames at the position asked for; M is n×n
/// by rows; the lower triangle is set. The arm is an Arm, or an InertialArm.
template <class S, class A, class Frames>
void composite_body(const A& arm, const Frames& frames, std::span<S> M) {
  const std::size_t n = arm.dof();
  auto body = composite<S>(arm.links.back().body);
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) body = composite<S>(arm.links[i].body) + carried(frames[i + 1], body);
    auto [force, moment] = unit_load(arm.links[i].joint, body);
    for (std::size_t j = i;; --j) {
      M[i * n + j] = joint_load(arm.links[j].joint, force, moment);  // (7.6)
      if (j == 0) break;
      force = frames[j].R * force;
      moment = frames[j].R * moment + cross(frames[j].p, force);  // (7.7)
    }
  }
}

// ABA.

/// A link whose outer joints are free: n = J ω̇ + B v̇ and f = Bᵀ ω̇ + A v̇ accelerate it, about the
/// origin and in axes of {i}.
template <class S>
struct ArticulatedBody {
  SymMat<S> J;
  Mat<S> B;
  SymMat<S> A;
};

/// Results for one joint, in axes of {i}.
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

/// The body expressed in {i−1}.
template <class S>
ArticulatedBody<S> carried(const Frame<S>& frame, const ArticulatedBody<S>& body) {
  const auto& [R, p] = frame;
  const SymMat<S> A = rotated(R, body.A);
  const auto half = 0.5 * cross(p, full(A));
  const auto B = rotated(R, body.B) + half;
  return {rotated(R, body.J) + with_transposed(cross(p, transposed(B))), B + half, A};  // (7.15)
}

/// Joint i, link i with what is beyond it, and in place of `outer` all of these as expressed in {i−1}.
template <class S, class A, class Frames>
ArticulatedBody<S> articulate_joint(const A& arm, const Frames& frames,
                                    std::span<const double> rotors, std::size_t i,
                                    ArticulatedBody<S>& outer, ArticulatedJoint<S>& x) {
  ArticulatedBody<S> body = articulated<S>(arm.links[i].body);
  if (i + 1 < arm.dof()) body = body + outer;
  if (is_turning(arm.links[i].joint)) {  // a branch: a choice of loads would be waited for
    x.moment = column_z(body.J);         // (7.12)
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
  return body;
}

/// The first half of M q̈ = b by articulated bodies: what depends on the position alone
/// (docs/derivation.md eq. 7.11-7.15; Featherstone, table 7.1). `frames` are the joints' frames,
/// `rotors` the reflected rotor inertias. The pivots are those of (7.8) and are not tested here.
/// The articulated bodies, about the origins of {i}, are kept where `bodies` has entries.
template <class S, class A, class Frames>
void articulate(const A& arm, const Frames& frames, std::span<const double> rotors,
                std::span<ArticulatedJoint<S>> joints, std::span<ArticulatedBody<S>> bodies = {}) {
  ArticulatedBody<S> outer;  // of what is beyond link i
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const ArticulatedBody<S> body = articulate_joint(arm, frames, rotors, i, outer, joints[i]);
    if (!bodies.empty()) bodies[i] = body;
  }
}

/// q̈_i by b_i while link i−1 does not accelerate (7.16); in place of `load` of what is beyond link
/// i that of joint i, in axes of {i−1} (7.17).
template <class S, class A, class Frames>
S respond(const A& arm, const Frames& frames, std::size_t i, const ArticulatedJoint<S>& x,
          const S& b, ForceAndMoment<S>& load) {
  auto& [f, n] = load;
  const bool turns = is_turning(arm.links[i].joint);
  const S qdd = (b - (turns ? component_z(n) : component_z(f))) / x.pivot;
  f = frames[i].R * (f + scaled(x.force, qdd));
  n = frames[i].R * (n + scaled(x.moment, qdd)) + cross(frames[i].p, f);
  return qdd;
}

/// Adds what the accelerations of the links before each joint take off.
template <class S, class A, class Frames, class Joints>
void accelerate_outward(const A& arm, const Frames& frames, const Joints& joints,
                        std::span<S> qdd) {
  Vec<S> omega_dot = constant<S>(Vec3{}), v_dot = constant<S>(Vec3{});
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const ArticulatedJoint<S>& x = joints[i];
    const auto& [R, p] = frames[i];
    v_dot = transposed_times(R, v_dot + cross(omega_dot, p));
    omega_dot = transposed_times(R, omega_dot);
    qdd[i] = qdd[i] - (dot(x.moment, omega_dot) + dot(x.force, v_dot)) / x.pivot;  // (7.18)
    if (is_turning(arm.links[i].joint)) {
      omega_dot = plus_z(omega_dot, qdd[i]);  // (7.19)
    } else {
      v_dot = plus_z(v_dot, qdd[i]);
    }
  }
}

/// The second half: q̈ from b, in O(n) (eq. 7.16-7.19). b and qdd may be the same.
template <class S, class A, class Frames>
void solve_articulated(const A& arm, const Frames& frames, std::span<ArticulatedJoint<S>> joints,
                       std::span<const S> b, std::span<S> qdd) {
  ForceAndMoment<S> load{constant<S>(Vec3{}), constant<S>(Vec3{})};
  for (std::size_t i = arm.dof(); i-- > 0;) {
    qdd[i] = respond(arm, frames, i, joints[i], b[i], load);
  }
  accelerate_outward<S>(arm, frames, joints, qdd);
}

// M as a whole, n×n by rows, from the composite bodies' lower triangle.

/// Adds the reflected rotors to the lower triangle (docs/derivation.md eq. 9.5, 31.3).
template <class S>
void add_rotors(const RotorInertias& rotors, std::span<S> M) {
  const std::size_t n = rotors.diagonal.size();
  for (std::size_t i = 0; i < n; ++i) M[i * n + i] = M[i * n + i] + rotors.diagonal[i];
  for (const auto& [i, j, value] : rotors.beside) M[i * n + j] = M[i * n + j] + value;
}

/// The lower triangle of M of the links of any arm at q, of a mechanism in its chains (38.4).
template <class S, class A>
void lower_links_mass_matrix(const A& arm, std::span<const S> q, std::span<S> M) {
  if (is_one_chain(arm)) return composite_body<S>(arm, joint_frames<S>(arm, q), M);
  if constexpr (requires { arm.chains; }) {
    std::ranges::fill(M, S(0.0));
    for (const auto& [chain, rows, joints] : arm.chains) {
      const std::vector<S> positions = joint_positions<S>(rows, q);
      std::vector<S> of_chain(rows.size() * rows.size());
      composite_body<S>(chain, joint_frames<S>(chain, positions), std::span<S>(of_chain));
      project_lower<S>(rows, of_chain, arm.dof(), M);
    }
  }
}

/// The lower triangle of M with rotors at q.
template <class S, class A>
void lower_mass_matrix(const A& arm, std::span<const S> q, const RotorInertias& rotors,
                       std::span<S> M) {
  lower_links_mass_matrix<S>(arm, q, M);
  add_rotors<S>(rotors, M);
}

/// Fills the upper triangle from the lower one.
template <class S>
void mirror_lower(std::size_t n, std::span<S> M) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[j * n + i] = M[i * n + j];
  }
}

// Mechanisms out of line: their templates beside the recursions of serial arms take the inlining of
// these.

/// τ of a mechanism's links in its chains (38.3).
void mechanism_torque(const Arm& arm, const MotionOf<double>& motion,
                      const ForceAndMoment<double>* wrench, std::span<double> tau);
/// The lower triangle of its M without rotors, n×n by rows (38.4).
void lower_mechanism_mass_matrix(const Arm& arm, std::span<const double> q, std::span<double> M);

/// The links without gravity, asked for their torques at unit motions: paper 001, end of section 3
/// (docs/derivation.md, 9.5). Spans have one entry per joint.
class Strobe {
 public:
  explicit Strobe(const Arm& arm)
      : arm_(gravity_removed(arm)),
        zero_(arm.dof()),
        unit_(arm.dof()),
        torque_(arm.dof()),
        links_(arm.dof()) {}

  /// Column j of M without rotors, kg·m², kg or kg·m; valid until the next call (eq. 9.20).
  std::span<const double> inertias(std::span<const double> q, std::size_t j) {
    unit_[j] = 1.0;
    ask(q, zero_, unit_);
    unit_[j] = 0.0;
    return torque_;
  }

  /// The velocity torques where joints j and k move by 1, and no other; j and k may be the same.
  std::span<const double> velocity_torques(std::span<const double> q, std::size_t j,
                                           std::size_t k) {
    unit_[j] = unit_[k] = 1.0;
    ask(q, unit_, zero_);
    unit_[j] = unit_[k] = 0.0;
    return torque_;
  }

  /// The lower triangle of M without rotors, n×n by rows (eq. 7.20).
  void mass_matrix(std::span<const double> q, std::span<double> M) {
    const std::size_t n = arm_.dof();
    for (std::size_t j = 0; j < n; ++j) {
      const std::span<const double> column = inertias(q, j);
      for (std::size_t i = j; i < n; ++i) M[i * n + j] = column[i];
    }
  }

 private:
  void ask(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd) {
    if (!arm_.is_serial()) return mechanism_torque(arm_, {q, qd, qdd}, nullptr, torque_);
    newton_euler<double>(arm_, q, qd, qdd, nullptr, links_, torque_);
  }

  Arm arm_;
  std::vector<double> zero_, unit_, torque_;
  std::vector<LinkState<double>> links_;
};

// Bounds of M, to distinguish a pivot or a solution from rounding.

/// The masses beyond a joint, each as far away as the links' lengths allow (eq. 7.21).
struct Reach {
  double mass = 0.0;     ///< Σ m
  double moment = 0.0;   ///< Σ m r
  double inertia = 0.0;  ///< Σ (|I| + m r²)

  void add(const MassProperties& body) {
    const auto& [m, c, I] = body;
    const double r = std::abs(c.x) + std::abs(c.y) + std::abs(c.z);
    mass += m;
    moment += m * r;
    inertia += std::abs(I.xx) + std::abs(I.yy) + std::abs(I.zz) + m * r * r;
  }

  void move(double length) {
    inertia += length * (2.0 * moment + length * mass);
    moment += length * mass;
  }
};

/// Upper bounds of the diagonal of M, β of (7.21), kg·m² or kg. `length(i)` bounds how far {i} is
/// from {i−1}, m.
template <class Length>
void bound_inertias(const Arm& arm, std::span<const double> rotors, const Length& length,
                    std::span<double> bounds) {
  Reach reach;
  for (std::size_t i = arm.dof(); i-- > 0;) {
    reach.add(arm.links[i].body);
    bounds[i] = rotors[i] + by_kind(arm.links[i].joint, reach.inertia, reach.mass);
    reach.move(length(i));
  }
}

/// Upper bounds at q.
void bound_inertias_at(std::span<const double> q, const Arm& arm, std::span<const double> rotors,
                       std::span<double> bounds);

/// A pivot of at most this share of its bound is rounding (7.21).
inline double pivot_rounding(std::size_t dof) {
  return 8.0 * static_cast<double>(dof) * std::numeric_limits<double>::epsilon();
}

/// Tests whether M q̈ is a small difference of large numbers, so that rounding in the solution
/// leaves more than 1e-13 of the torques (7.22): `inertial` is max β|q̈|, `torque` the largest of
/// force and bias.
inline bool rounding_shows(double inertial, double torque) {
  return inertial * std::numeric_limits<double>::epsilon() > 1e-13 * torque;
}

/// Throws SingularMassMatrix unless every pivot (docs/derivation.md eq. 7.8) is larger than the
/// rounding of what it is left over from (eq. 7.21). The message names the first joint from the
/// TCP that fails, the state and what the model lacks.
void require_positive(const Arm& arm, std::span<const double> q, const RotorInertias& rotors,
                      std::span<const double> pivots, std::span<const double> bounds);

}  // namespace armdyn
