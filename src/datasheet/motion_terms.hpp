#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"

// What a position asks of the joints and of the base, as coefficients of accelerations and of products
// of speeds (docs/derivation.md, section 39): over any scalar, so over a box of positions, too.

namespace armdyn {

/// Rows before those of the joints: force and moment that the base exerts on the arm, about the origin
/// and in axes of {0}.
inline constexpr std::size_t base_rows = 6;

/// Which coefficients are computed.
enum class TermsOf { rest, accelerations, speeds };

/// rows = rest + inertia q̈ + Σ_{j ≤ k} speeds_jk q̇_j q̇_k of a serial arm's links (39.1).
template <class S>
struct MotionTerms {
  std::vector<S> rest;  ///< by gravity
  MatrixOf<S> inertia;  ///< a column per joint
  MatrixOf<S> speeds;   ///< a column per pair j ≤ k, in the order of `pair`

  /// Column of a pair of joints, j ≤ k.
  static std::size_t pair(std::size_t j, std::size_t k) { return k * (k + 1) / 2 + j; }
};

/// An axis in axes of a link, from whose origin its point is.
template <class S>
struct SeenAxis {
  Vec<S> direction, point;
  bool turns;
};

/// Computes the terms at q by composite bodies; without those of the base where `first_row` is
/// base_rows, else 0.
template <class S>
MotionTerms<S> motion_terms(const Arm& arm, std::span<const S> q, TermsOf of,
                            std::size_t first_row = 0) {
  const std::size_t n = arm.dof(), rows = base_rows + n;
  const std::vector<Frame<S>> frames = joint_frames<S>(arm, q);
  std::vector<CompositeBody<S>> bodies(n);  // link i and all beyond it
  for (std::size_t i = n; i-- > 0;) {
    bodies[i] = composite<S>(arm.links[i].body);
    if (i + 1 < n) bodies[i] = bodies[i] + carried(frames[i + 1], bodies[i + 1]);
  }
  MotionTerms<S> terms{std::vector<S>(rows), {}, {}};
  if (of != TermsOf::rest) terms.inertia = MatrixOf<S>(rows, n);
  if (of == TermsOf::speeds) terms.speeds = MatrixOf<S>(rows, n * (n + 1) / 2);

  std::vector<SeenAxis<S>> axes;  // of the rows up to that of joint m, expressed in {m}
  for (std::size_t k = 0; k < base_rows; ++k) {
    const std::array<double, 3> unit{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0,
                                     k % 3 == 2 ? 1.0 : 0.0};
    axes.push_back({{S(unit[0]), S(unit[1]), S(unit[2])}, constant<S>(Vec3{}), k >= 3});
  }
  Vec<S> v_dot_0 = constant<S>(arm.v_dot_0);
  for (std::size_t m = 0; m < n; ++m) {
    const auto& [R, p] = frames[m];
    for (SeenAxis<S>& axis : axes) {
      axis = {transposed_times(R, axis.direction), transposed_times(R, axis.point - p), axis.turns};
    }
    v_dot_0 = transposed_times(R, v_dot_0);
    const bool turns = arm.links[m].joint == JointType::revolute;
    axes.push_back({constant<S>(Vec3{0.0, 0.0, 1.0}), constant<S>(Vec3{}), turns});
    const CompositeBody<S>& body = bodies[m];
    const S mass(body.mass);
    const auto row = [&](std::size_t r, const Vec<S>& force, const Vec<S>& moment) {  // (39.2)
      const auto& [z, o, is_moment] = axes[r];
      return dot(z, is_moment ? moment - cross(o, force) : force);
    };
    const std::size_t first = m == 0 ? first_row : base_rows + m, own = base_rows + m;
    for (std::size_t r = first; r <= own; ++r) {
      terms.rest[r] = row(r, scaled(v_dot_0, mass), cross(body.moment, v_dot_0));
    }
    if (of == TermsOf::rest) continue;
    const auto [force, moment] = unit_load(arm.links[m].joint, body);
    for (std::size_t r = first_row; r <= own; ++r) {
      const S entry = row(r, force, moment);
      terms.inertia(r, m) = entry;
      if (r >= base_rows) terms.inertia(own, r - base_rows) = entry;
    }
    if (of != TermsOf::speeds) continue;
    const SymMat<S> K = mass_spread(body.inertia);
    for (std::size_t k = 0; k <= m; ++k) {
      const auto& [z_k, o_k, k_turns] = axes[base_rows + k];
      for (std::size_t j = 0; j <= k; ++j) {
        const auto& [z_j, o_j, j_turns] = axes[base_rows + j];
        if (!j_turns || (j == k && !k_turns)) continue;
        const S twice(j == k ? 1.0 : 2.0);
        Vec<S> f, n_m;
        if (k_turns) {  // (39.4)
          const auto turned = [&, &z = z_k, &w = z_j](const Vec<S>& r) {
            return scaled(scaled(z, dot(w, r)) - scaled(r, dot(w, z)), twice);
          };
          f = turned(body.moment - scaled(o_k, mass));
          n_m = scaled(cross(K * z_j, z_k), twice) - cross(body.moment, turned(o_k));
        } else {  // (39.5)
          const Vec<S> a = scaled(cross(z_j, z_k), twice);
          f = scaled(a, mass);
          n_m = cross(body.moment, a);
        }
        const std::size_t column = MotionTerms<S>::pair(j, k);
        for (std::size_t r = k == m ? first_row : own; r <= own; ++r) {
          terms.speeds(r, column) = row(r, f, n_m);
        }
      }
    }
  }
  return terms;
}

}  // namespace armdyn
