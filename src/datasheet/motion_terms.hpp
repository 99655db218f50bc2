#pragma once

#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/chains.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/taylor_model.hpp"

// What a position asks of the joints and of the base, as coefficients of accelerations and of products
// of speeds (docs/derivation.md, section 39): over any scalar, so over a box of positions, too.

namespace armdyn {

/// Rows before those of the joints: force and moment that the base exerts on the arm, about the origin
/// and in axes of {0}.
inline constexpr std::size_t base_rows = 6;

/// The TCP of a serial arm in the frame behind that joint, or for an absent one in {0}.
template <class S>
Vec<S> tcp_behind(const Arm& arm, std::span<const S> q, std::optional<std::size_t> joint) {
  Frame<S> T = constant<S>(Transform{});
  for (std::size_t i = joint ? *joint + 1 : 0; i < arm.dof(); ++i) {
    T = T * joint_frame(arm.links[i], q[i]);
  }
  return T * constant<S>(arm.tool.p);
}

/// Which coefficients are computed.
enum class TermsOf { rest, accelerations, speeds };

/// rows = rest + inertia q̈ + Σ_{j ≤ k} speeds_jk q̇_j q̇_k of an arm's links (39.1).
template <class S>
struct MotionTerms {
  MotionTerms(std::size_t n, TermsOf of) : rest(base_rows + n) {
    if (of != TermsOf::rest) inertia = MatrixOf<S>(base_rows + n, n);
    if (of == TermsOf::speeds) speeds = MatrixOf<S>(base_rows + n, n * (n + 1) / 2);
  }

  std::vector<S> rest;  ///< by gravity and springs
  MatrixOf<S> inertia;  ///< a column per joint
  MatrixOf<S> speeds;   ///< a column per pair j ≤ k, in the order of `pair`

  /// Column of a pair of joints, j ≤ k.
  static std::size_t pair(std::size_t j, std::size_t k) { return k * (k + 1) / 2 + j; }
};

/// Bound of a vector's length.
template <class S>
double longest(const Vec<S>& v) {
  return std::hypot(magnitude(v.x), magnitude(v.y), magnitude(v.z));
}
/// A vector that is known to be no longer than that.
template <class S>
Vec<S> kept(const Vec<S>& v, double most) {
  return {kept(v.x, most), kept(v.y, most), kept(v.z, most)};
}

/// The frame {i} in {i−1} of a joint at q. Over a box, lengths across its axis are kept, and inertias
/// turn by twice the angle (39.5a, 39.5b).
template <class S>
class JointTurn {
 public:
  JointTurn(const Link& link, const S& q)
      : c_(link.cos_alpha), s_(link.sin_alpha), p_(joint_origin(link, q)) {
    const double c = link.cos_theta, s = link.sin_theta;
    const auto turned_from = [&](const SinCos& at_0, const S& angle) -> SinCosOf<S> {
      if (link.joint == JointType::prismatic) return {S(at_0.sin), S(at_0.cos)};
      const auto [sine, cosine] = sin_cos(angle);
      return {at_0.sin * cosine + at_0.cos * sine, at_0.cos * cosine - at_0.sin * sine};
    };
    once_ = turned_from({s, c}, q);
    twice_ = turned_from({2.0 * s * c, c * c - s * s}, S(q + q));
  }

  [[nodiscard]] const Vec<S>& origin() const { return p_; }

  /// A vector of {i} in axes of {i−1}.
  [[nodiscard]] Vec<S> outward(const Vec<S>& v) const {
    const auto [x, y] = about_z(once_, v.x, v.y);
    return {x, c_ * y - s_ * v.z, s_ * y + c_ * v.z};
  }
  /// A vector of {i−1} in axes of {i}.
  [[nodiscard]] Vec<S> inward(const Vec<S>& v) const {
    const auto [x, y] = about_z({-once_.sin, once_.cos}, v.x, S(c_ * v.y + s_ * v.z));
    return {x, y, c_ * v.z - s_ * v.y};
  }
  /// A body of {i}, as `carried` has it.
  [[nodiscard]] CompositeBody<S> outward(const CompositeBody<S>& body) const {
    const Vec<S> c = outward(body.moment);
    return {body.mass, c + body.mass * p_,
            outward(body.inertia) + moved_inertia(p_, c + 0.5 * body.mass * p_)};
  }

 private:
  static std::pair<S, S> about_z(const SinCosOf<S>& angle, const S& x, const S& y) {
    const double most = std::hypot(magnitude(x), magnitude(y));
    return {kept(S(angle.cos * x - angle.sin * y), most),
            kept(S(angle.sin * x + angle.cos * y), most)};
  }

  [[nodiscard]] SymMat<S> outward(const SymMat<S>& I) const {
    const S mean = 0.5 * (I.xx + I.yy);
    const auto [half, xy] = about_z(twice_, 0.5 * (I.xx - I.yy), I.xy);
    const auto [xz, yz] = about_z(once_, I.xz, I.yz);
    const S yy = mean - half;
    const double cc = c_ * c_, ss = s_ * s_, cs = c_ * s_;
    return {
        mean + half,       cc * yy + ss * I.zz - 2.0 * cs * yz, ss * yy + cc * I.zz + 2.0 * cs * yz,
        c_ * xy - s_ * xz, cs * (yy - I.zz) + (cc - ss) * yz,   s_ * xy + c_ * xz};
  }

  double c_, s_;  ///< of the constant angle about x
  Vec<S> p_;
  SinCosOf<S> once_{}, twice_{};
};

/// The axis of a row in axes of a link, from whose origin its point is, no further than `away`.
template <class S>
struct SeenAxis {
  std::size_t row;
  Vec<S> direction, point;
  bool turns;
  double away = 0.0;
};

/// A force and a moment, with bounds of their lengths.
template <class S>
struct BoundedLoad {
  Vec<S> force, moment;
  double most_force, most_moment;
};

/// Computes the terms of one chain at q by composite bodies. Those of joints that do not move, by
/// `moves(i)`, are left out.
template <class S>
MotionTerms<S> chain_terms(const Arm& arm, std::span<const S> q, TermsOf of, std::size_t first_row,
                           const auto& moves) {
  const std::size_t n = arm.dof();
  std::vector<JointTurn<S>> joints;
  for (std::size_t i = 0; i < n; ++i) joints.emplace_back(arm.links[i], q[i]);
  std::vector<CompositeBody<S>> bodies(n);  // link i and all beyond it
  for (std::size_t i = n; i-- > 0;) {
    bodies[i] = composite<S>(arm.links[i].body);
    if (i + 1 < n) bodies[i] = bodies[i] + joints[i + 1].outward(bodies[i + 1]);
  }
  MotionTerms<S> terms(n, of);

  std::vector<SeenAxis<S>> axes;  // of the rows up to that of joint m, expressed in {m}
  for (std::size_t k = 0; k < base_rows; ++k) {
    const std::array<double, 3> unit{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0,
                                     k % 3 == 2 ? 1.0 : 0.0};
    axes.push_back({k, {S(unit[0]), S(unit[1]), S(unit[2])}, constant<S>(Vec3{}), k >= 3});
  }
  Vec<S> v_dot_0 = constant<S>(arm.v_dot_0);
  const double g = length(arm.v_dot_0);
  for (std::size_t m = 0; m < n; ++m) {
    const JointTurn<S>& joint = joints[m];
    for (auto& [row, direction, point, turns, away] : axes) {
      away += longest(joint.origin());
      direction = kept(joint.inward(direction), 1.0);
      point = kept(joint.inward(point - joint.origin()), away);
    }
    v_dot_0 = kept(joint.inward(v_dot_0), g);
    const std::size_t first = m == 0 ? first_row : axes.size(), own = axes.size();
    if (moves(m)) {
      axes.push_back({base_rows + m, constant<S>(Vec3{0.0, 0.0, 1.0}), constant<S>(Vec3{}),
                      arm.links[m].joint == JointType::revolute});
    }
    const CompositeBody<S>& body = bodies[m];
    const S mass(body.mass);
    const double h = longest(body.moment);
    const auto row = [&](std::size_t a, const BoundedLoad<S>& load) {  // (39.2)
      const auto& [number, z, o, is_moment, away] = axes[a];
      return is_moment ? kept(dot(z, load.moment - cross(o, load.force)),
                              load.most_moment + away * load.most_force)
                       : kept(dot(z, load.force), load.most_force);
    };
    const BoundedLoad<S> weight{scaled(v_dot_0, mass), cross(body.moment, v_dot_0), body.mass * g,
                                h * g};
    for (std::size_t a = first; a < axes.size(); ++a) terms.rest[axes[a].row] = row(a, weight);
    if (of == TermsOf::rest || !moves(m)) continue;
    const auto [force, moment] = unit_load(arm.links[m].joint, body);
    const BoundedLoad<S> driven{force, moment, longest(force), longest(moment)};
    for (std::size_t a = first_row; a <= own; ++a) {
      const S entry = row(a, driven);
      const std::size_t r = axes[a].row;
      terms.inertia(r, m) = entry;
      if (r >= base_rows) terms.inertia(base_rows + m, r - base_rows) = entry;
    }
    if (of != TermsOf::speeds) continue;
    const SymMat<S> K = mass_spread(body.inertia);
    for (std::size_t k = base_rows; k <= own; ++k) {
      const auto& [row_k, z_k, o_k, k_turns, away_k] = axes[k];
      for (std::size_t j = base_rows; j <= k; ++j) {
        const auto& [row_j, z_j, o_j, j_turns, away_j] = axes[j];
        if (!j_turns || (j == k && !k_turns)) continue;
        const double twice = j == k ? 1.0 : 2.0;
        BoundedLoad<S> load;
        if (k_turns) {  // (39.4)
          const auto turned = [&, &z = z_k, &w = z_j](const Vec<S>& r) {
            return kept(scaled(scaled(z, dot(w, r)) - scaled(r, dot(w, z)), S(twice)),
                        twice * longest(r));
          };
          const Vec<S> beyond = body.moment - scaled(o_k, mass), K_z = K * z_j;
          load = {turned(beyond),
                  scaled(cross(K_z, z_k), S(twice)) - cross(body.moment, turned(o_k)),
                  twice * longest(beyond), twice * (longest(K_z) + h * away_k)};
        } else {  // (39.5)
          const Vec<S> a = scaled(cross(z_j, z_k), S(twice));
          load = {scaled(a, mass), cross(body.moment, a), twice * body.mass, twice * h};
        }
        load.moment = kept(load.moment, load.most_moment);
        const std::size_t column = MotionTerms<S>::pair(row_j - base_rows, row_k - base_rows);
        for (std::size_t a = k == own ? first_row : own; a <= own; ++a) {
          terms.speeds(axes[a].row, column) = row(a, load);
        }
      }
    }
  }
  return terms;
}

/// Adds those of a mechanism's chain, to whose rows and joints A leads (39.1a).
template <class S>
void add_chain(const Chain& chain, const MotionTerms<S>& of_chain, TermsOf of,
               std::size_t first_row, MotionTerms<S>& terms) {
  const auto& rows = chain.rows;
  const auto for_joints = [&rows](std::size_t i, const auto& add) {
    for (std::size_t j = 0; j < rows[i].joints.size(); ++j) {
      add(rows[i].joints[j], rows[i].factors[j]);
    }
  };
  const auto add_row = [&](std::size_t from, std::size_t to, double factor) {
    const auto add = [factor](S& sum, double by, const S& part) { sum = sum + factor * by * part; };
    add(terms.rest[to], 1.0, of_chain.rest[from]);
    if (of == TermsOf::rest) return;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for_joints(k, [&](std::size_t b, double by_b) {
        add(terms.inertia(to, b), by_b, of_chain.inertia(from, k));
        if (of != TermsOf::speeds) return;
        for (std::size_t j = 0; j <= k; ++j) {
          for_joints(j, [&](std::size_t a, double by_a) {
            add(terms.speeds(to, MotionTerms<S>::pair(std::min(a, b), std::max(a, b))), by_a * by_b,
                of_chain.speeds(from, MotionTerms<S>::pair(j, k)));
          });
        }
      });
    }
  };
  for (std::size_t r = first_row; r < base_rows; ++r) add_row(r, r, 1.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for_joints(i, [&](std::size_t joint, double factor) {
      add_row(base_rows + i, base_rows + joint, factor);
    });
  }
}

/// Computes the terms of any arm at q; without those of the base where `first_row` is base_rows, else
/// 0. Springs are within the arm: the base feels nothing of them.
template <class S>
MotionTerms<S> motion_terms(const Arm& arm, std::span<const S> q, TermsOf of,
                            std::size_t first_row = 0) {
  if (arm.is_serial()) {
    return chain_terms<S>(arm, q, of, first_row, [](std::size_t) { return true; });
  }
  MotionTerms<S> terms(arm.dof(), of);
  for (const Chain& chain : arm.chains) {
    const auto moves = [&chain](std::size_t i) { return !chain.rows[i].joints.empty(); };
    add_chain<S>(chain,
                 chain_terms<S>(chain.arm, joint_positions<S>(chain.rows, q), of, first_row, moves),
                 of, first_row, terms);
  }
  springs_torque<S>(arm, q, std::span<S>(terms.rest).subspan(base_rows));
  return terms;
}

}  // namespace armdyn
