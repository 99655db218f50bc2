#pragma once

#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/chains.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/taylor_model.hpp"
#include "model/joint_kind.hpp"

// What a position asks of the joints and of the base, as coefficients of accelerations and of products
// of speeds (docs/derivation.md, section 39): over any scalar, so over a box of positions, too.

namespace armdyn {

/// Rows before those of the joints: force and moment that the base exerts on the arm, about the origin
/// and in axes of {0}.
inline constexpr std::size_t base_rows = 6;

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

/// A link that moves, with all that stands still on it, behind the frame of the one before.
struct MovingLink {
  std::size_t row = 0;  ///< of the chain's joints
  JointType joint = JointType::revolute;
  Transform before{};       ///< that frame to {i}, but for the joint's turn
  SinCos offset{0.0, 1.0};  ///< of that turn
  CompositeBody<double> body{};
  double mass = 0.0;  ///< with all beyond
  /// Tests whether both rotate about axes along the same direction, which a turn of either keeps.
  bool is_parallel = false;
  std::size_t first = 0;  ///< of those up to this one whose axes are parallel
};

/// A chain's links that move. Those before them stand on the base, where they are a body.
struct MovingLinks {
  MovingLinks(const Arm& arm, const std::vector<JointRowOf<double>>* rows) {
    CompositeBody<double>* body = &on_base;
    Transform T;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      Link link = arm.links[i];
      if (rows != nullptr && (*rows)[i].joints.empty()) {
        T = T * joint_frame(link, (*rows)[i].offset);
      } else {
        const bool turns = is_turning(link.joint);
        const bool follows = turns && !links.empty() && links.back().joint == link.joint;
        MovingLink& next = links.emplace_back();
        next.row = i;
        next.joint = link.joint;
        next.offset = {std::exchange(link.sin_theta, 0.0), std::exchange(link.cos_theta, 1.0)};
        next.before = T * joint_frame(link, 0.0);
        next.is_parallel = follows && std::abs(next.before.R.row_z.z) == 1.0;
        next.first = next.is_parallel ? links[links.size() - 2].first : links.size() - 1;
        T = {};
        body = &next.body;
      }
      *body = *body + carried(T, composite<double>(arm.links[i].body));
    }
    double mass = 0.0;
    for (std::size_t m = links.size(); m-- > 0;) links[m].mass = mass += links[m].body.mass;
  }

  std::vector<MovingLink> links;
  CompositeBody<double> on_base{};
};

/// An arm, and what is the same at all positions.
struct MovingArm : Arm {
  explicit MovingArm(Arm arm) : Arm(std::move(arm)) {
    if (is_serial()) moving.emplace_back(*this, nullptr);
    for (const Chain& chain : chains) moving.emplace_back(chain.arm, &chain.rows);
  }

  std::vector<MovingLinks> moving;  ///< of each chain; the first ends at the tool
};

/// Σ factors · v, without the zeros of right angles.
template <class S>
S combined(const Vec3& factors, const S& x, const S& y, const S& z) {
  S total(0.0);
  if (factors.x != 0.0) total = factors.x * x;
  if (factors.y != 0.0) total = total + factors.y * y;
  if (factors.z != 0.0) total = total + factors.z * z;
  return total;
}
template <class S>
Vec<S> reoriented(const Mat3& R, const S& x, const S& y, const S& z) {
  return {combined(R.row_x, x, y, z), combined(R.row_y, x, y, z), combined(R.row_z, x, y, z)};
}
template <class S>
Vec<S> reoriented(const Mat3& R, const Vec<S>& v) {
  return reoriented(R, v.x, v.y, v.z);
}
/// R I Rᵀ
template <class S>
SymMat<S> reoriented(const Mat3& R, const SymMat<S>& I) {
  const Vec<S> X = reoriented(R, I.xx, I.xy, I.xz);  // columns of R I
  const Vec<S> Y = reoriented(R, I.xy, I.yy, I.yz);
  const Vec<S> Z = reoriented(R, I.xz, I.yz, I.zz);
  const Vec<S> x = reoriented(R, X.x, Y.x, Z.x);
  return {x.x, combined(R.row_y, X.y, Y.y, Z.y), combined(R.row_z, X.z, Y.z, Z.z),
          x.y, combined(R.row_z, X.y, Y.y, Z.y), x.z};
}

/// Sine and cosine of a sum.
inline SinCos sum(const SinCos& a, const SinCos& b) {
  return {a.sin * b.cos + a.cos * b.sin, a.cos * b.cos - a.sin * b.sin};
}
template <class S>
SinCosOf<S> turned_from(const SinCos& offset, const S& angle) {
  const auto [s, c] = sin_cos(angle);
  return {offset.sin * c + offset.cos * s, offset.cos * c - offset.sin * s};
}

/// A vector turned about z, whose length across it is kept (39.5a).
template <class S>
Vec<S> turned_about_z(const SinCosOf<S>& angle, const S& x, const S& y, const S& z) {
  const double most = std::hypot(magnitude(x), magnitude(y));
  return {kept(S(angle.cos * x - angle.sin * y), most),
          kept(S(angle.sin * x + angle.cos * y), most), z};
}

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

/// How a link stands: it turns about z by an angle from axes that links with parallel axes have in
/// common, those of the first before its turn (39.2a). Over a box, lengths across z are kept, and
/// inertias turn by twice the angle (39.5a, 39.5b).
template <class S>
struct LinkTurn {
  SinCos offset;
  S turn;      ///< beyond the offset
  double way;  ///< of the link's z, 1 or −1
  SinCosOf<S> angle = turned_from(offset, turn);

  /// As the axes see it that turn with this one.
  [[nodiscard]] LinkTurn seen_from(const LinkTurn& other) const {
    return {sum(offset, {-other.offset.sin, other.offset.cos}), turn - other.turn, way};
  }
  /// A vector of the link in common axes, and in those of the link.
  [[nodiscard]] Vec<S> outward(const Vec<S>& v) const {
    return turned_about_z<S>(angle, v.x, way * v.y, way * v.z);
  }
  [[nodiscard]] Vec<S> inward(const Vec<S>& v) const {
    const Vec<S> u = turned_about_z<S>({-angle.sin, angle.cos}, v.x, v.y, v.z);
    return {u.x, way * u.y, way * u.z};
  }
  [[nodiscard]] SymMat<S> outward(const SymMat<S>& I) const {
    const SinCosOf<S> twice = turned_from(sum(offset, offset), S(turn + turn));
    const S mean = 0.5 * (I.xx + I.yy);
    const Vec<S> of_2 = turned_about_z<S>(twice, S(0.5 * (I.xx - I.yy)), way * I.xy, mean);
    const Vec<S> of_1 = turned_about_z<S>(angle, way * I.xz, I.yz, I.zz);
    return {mean + of_2.x, mean - of_2.x, I.zz, of_2.y, of_1.y, of_1.x};
  }
};

template <class S>
std::vector<LinkTurn<S>> link_turns(const std::vector<MovingLink>& links, std::span<const S> q) {
  std::vector<LinkTurn<S>> turns;
  SinCos offset{0.0, 1.0};
  S angle(0.0);
  for (const MovingLink& link : links) {
    double way = 1.0;
    if (link.is_parallel) {
      const auto& [x, y, z] = link.before.R;
      const double way_before = turns.back().way;
      way = way_before * z.z;
      const SinCos between{way_before * y.x, x.x}, own{way * link.offset.sin, link.offset.cos};
      offset = sum(sum(offset, between), own);
    } else {
      offset = link.offset;
      angle = S(0.0);
    }
    if (is_turning(link.joint)) angle = angle + way * q[link.row];
    turns.push_back({offset, angle, way});
  }
  return turns;
}

/// The origin of a link in axes of the one before.
template <class S>
Vec<S> origin_before(const MovingLink& link, std::span<const S> q) {
  const Vec<S> p = constant<S>(link.before.p);
  if (is_turning(link.joint)) return p;
  return p + scaled(constant<S>(column_z(link.before.R)), q[link.row]);
}

/// A first moment, kg m, of a link and all beyond it about its origin.
template <class S>
struct FirstMoment {
  Vec<S> inner;   ///< without links beyond that have parallel axes, in axes of the link
  Vec<S> vector;  ///< in common axes
  double across;  ///< bound of its length across z
};

/// First moments of the base and of each link: in common axes, where no products of sines are left of
/// parallel joints.
template <class S>
std::vector<FirstMoment<S>> moments_beyond(const MovingLinks& moving,
                                           const std::vector<LinkTurn<S>>& turns,
                                           std::span<const S> q) {
  const std::vector<MovingLink>& links = moving.links;
  std::vector<FirstMoment<S>> moments(links.size() + 1);
  for (std::size_t m = links.size() + 1; m-- > 0;) {
    auto& [inner, sum, across] = moments[m];
    inner = constant<S>(m == 0 ? moving.on_base.moment : links[m - 1].body.moment);
    Vec<S> beyond = constant<S>(Vec3{});
    double across_beyond = 0.0;
    if (m < links.size()) {
      const MovingLink& next = links[m];
      const FirstMoment<S>& of_next = moments[m + 1];
      inner = inner + scaled(origin_before(next, q), S(next.mass));
      if (next.is_parallel) {
        beyond = of_next.vector;
        across_beyond = of_next.across;
      } else {
        inner = inner + reoriented(next.before.R, of_next.vector);
      }
    }
    sum = m == 0 ? inner : turns[m - 1].outward(inner) + beyond;
    across = std::min(std::hypot(magnitude(sum.x), magnitude(sum.y)),
                      std::hypot(magnitude(inner.x), magnitude(inner.y)) + across_beyond);
  }
  return moments;
}

/// A vector in the common axes of a link, from those of the link before.
template <class S>
Vec<S> into_axes_of(const std::vector<MovingLink>& links, const std::vector<LinkTurn<S>>& turns,
                    std::size_t link, const Vec<S>& v) {
  const auto& [R, p] = links[link].before;
  if (links[link].is_parallel) return v;
  return reoriented(transposed(R), link == 0 ? v : turns[link - 1].inward(v));
}

/// Of links a ≤ b with parallel axes: what comes from the origin of a to that of b, along and across the
/// first moment of b and all beyond, in the plane; in no more than the angles between links (39.4a).
template <class S>
struct Levers {
  Levers(const std::vector<MovingLink>& links, const std::vector<LinkTurn<S>>& turns,
         const std::vector<FirstMoment<S>>& moments)
      : along(links.size(), links.size()), across(links.size(), links.size()) {
    for (std::size_t b = 0; b < links.size(); ++b) {
      for (std::size_t a = b; a-- > links[b].first;) {
        Vec<S> h = constant<S>(Vec3{});
        for (std::size_t k = b; k < links.size() && links[k].first == links[b].first; ++k) {
          h = h + turns[k].seen_from(turns[a]).outward(moments[k + 1].inner);
        }
        const Vec3& p = links[a + 1].before.p;
        const double y = turns[a].way * p.y;
        along(a, b) = along(a + 1, b) + p.x * h.x + y * h.y;
        across(a, b) = across(a + 1, b) + p.x * h.y - y * h.x;
        across(b, a) = -across(a, b);
      }
    }
  }
  MatrixOf<S> along, across;
};

/// Each link and all beyond it as one body about its origin, in common axes.
template <class S>
std::vector<CompositeBody<S>> bodies_beyond(const std::vector<MovingLink>& links,
                                            const std::vector<LinkTurn<S>>& turns,
                                            const std::vector<FirstMoment<S>>& moments,
                                            const Levers<S>& levers, std::span<const S> q) {
  std::vector<CompositeBody<S>> bodies(links.size());
  for (std::size_t m = links.size(); m-- > 0;) {
    SymMat<S> inner = constant<S>(links[m].body.inertia), beyond = constant<S>(SymMat3{});
    if (m + 1 < links.size()) {
      const auto& [mass, moment, inertia] = bodies[m + 1];
      const auto& [R, at] = links[m + 1].before;
      const Vec<S> p = origin_before(links[m + 1], q);
      Vec<S> h = scaled(p, S(0.5 * mass));
      if (links[m + 1].is_parallel) {
        beyond = inertia + moved_inertia(turns[m].outward(p), moment);
        beyond.zz = inertia.zz + 2.0 * levers.along(m, m + 1);
      } else {
        h = h + reoriented(R, moment);
        inner = inner + reoriented(R, inertia);
      }
      inner = inner + moved_inertia(p, h);
    }
    bodies[m] = {links[m].mass, moments[m + 1].vector, turns[m].outward(inner) + beyond};
  }
  return bodies;
}

/// What gravity asks of a chain's joints at q, and of the base where `first_row` is 0.
template <class S>
std::vector<S> weights(const MovingLinks& moving, const std::vector<LinkTurn<S>>& turns,
                       const std::vector<FirstMoment<S>>& moments, const Vec3& v_dot_0,
                       std::size_t n, std::size_t first_row) {
  const std::vector<MovingLink>& links = moving.links;
  std::vector<S> rest(base_rows + n);
  Vec<S> a = constant<S>(v_dot_0);
  if (first_row < base_rows) {
    const double mass = moving.on_base.mass + (links.empty() ? 0.0 : links[0].mass);
    const Vec<S> force = scaled(a, S(mass)), moment = cross(moments[0].vector, a);
    std::ranges::copy(std::array{force.x, force.y, force.z, moment.x, moment.y, moment.z},
                      rest.begin());
  }
  for (std::size_t m = 0; m < links.size(); ++m) {
    const MovingLink& link = links[m];
    a = kept(into_axes_of(links, turns, m, a), length(v_dot_0));
    const auto& [x, y, z] = moments[m + 1].vector;
    const double most = moments[m + 1].across *
                        std::min(length(v_dot_0), std::hypot(magnitude(a.x), magnitude(a.y)));
    rest[base_rows + link.row] = is_turning(link.joint)
                                     ? kept(S(turns[m].way * (x * a.y - y * a.x)), most)
                                     : S(link.mass * a.z);
  }
  return rest;
}

/// Square of the distance of a chain's unit mass, all that it has, from the axis of the first joint, or
/// from {0} where that does not rotate.
template <class S>
S square_of_distance(const MovingLinks& unit_mass, std::span<const S> q) {
  const std::vector<FirstMoment<S>> at =
      moments_beyond(unit_mass, link_turns(unit_mass.links, q), q);
  const bool turns = !unit_mass.links.empty() && is_turning(unit_mass.links[0].joint);
  const auto& [x, y, z] = at[turns ? 1 : 0].vector;
  const S across = x * x + y * y;
  return turns ? across : S(across + z * z);
}

/// Computes the terms of one chain at its joints' positions q by composite bodies; those of joints that
/// do not move are left out.
template <class S>
MotionTerms<S> chain_terms(const MovingLinks& moving, const Vec3& v_dot_0, std::span<const S> q,
                           TermsOf of, std::size_t first_row) {
  const std::vector<MovingLink>& links = moving.links;
  const std::size_t n = links.size();
  MotionTerms<S> terms(q.size(), of);
  const std::vector<LinkTurn<S>> turns = link_turns(links, q);
  const std::vector<FirstMoment<S>> moments = moments_beyond(moving, turns, q);
  terms.rest = weights<S>(moving, turns, moments, v_dot_0, q.size(), first_row);
  if (of == TermsOf::rest) return terms;
  const Levers<S> levers(links, turns, moments);
  const std::vector<CompositeBody<S>> bodies = bodies_beyond(links, turns, moments, levers, q);

  std::vector<SeenAxis<S>> axes;  // of the rows up to that of link m, in its common axes
  for (std::size_t k = 0; k < base_rows; ++k) {
    const std::array<double, 3> unit{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0,
                                     k % 3 == 2 ? 1.0 : 0.0};
    axes.push_back({k, {S(unit[0]), S(unit[1]), S(unit[2])}, constant<S>(Vec3{}), k >= 3});
  }
  for (std::size_t m = 0; m < n; ++m) {
    const JointType type = links[m].joint;
    const Vec<S> before = origin_before(links[m], q);
    const Vec<S> origin = m == 0 ? before : turns[m - 1].outward(before);
    for (auto& [row, direction, point, rotates, away] : axes) {
      away += longest(origin);
      direction = kept(into_axes_of(links, turns, m, direction), 1.0);
      point = kept(into_axes_of(links, turns, m, point - origin), away);
    }
    const double way = turns[m].way;
    const std::size_t own = axes.size(), own_row = base_rows + links[m].row;
    axes.push_back(
        {own_row, constant<S>(Vec3{0.0, 0.0, way}), constant<S>(Vec3{}), is_turning(type)});
    const CompositeBody<S>& body = bodies[m];
    const S mass(body.mass);
    const double h = longest(body.moment);
    const auto row = [&](std::size_t a, const BoundedLoad<S>& load) {  // (39.2)
      const auto& [number, z, o, is_moment, away] = axes[a];
      return is_moment ? kept(dot(z, load.moment - cross(o, load.force)),
                              load.most_moment + away * load.most_force)
                       : kept(dot(z, load.force), load.most_force);
    };
    const auto [force, moment] = unit_load(type, body);
    const BoundedLoad<S> driven{scaled(force, S(way)), scaled(moment, S(way)), longest(force),
                                longest(moment)};
    const std::size_t parallel = base_rows + links[m].first;  // and on: axes along z
    const auto way_of = [&](std::size_t a) { return turns[a - base_rows].way; };
    for (std::size_t a = first_row; a <= own; ++a) {
      const S entry = !is_turning(type) || a < parallel
                          ? row(a, driven)
                          : S(way * way_of(a) * (body.inertia.zz + levers.along(a - base_rows, m)));
      const std::size_t r = axes[a].row;
      terms.inertia(r, links[m].row) = entry;
      if (r >= base_rows) terms.inertia(own_row, r - base_rows) = entry;
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
          terms.speeds(axes[a].row, column) = std::min({a, j, k}) < parallel
                                                  ? row(a, load)
                                                  : S(-twice * way_of(a) * way_of(j) * way_of(k) *
                                                      levers.across(a - base_rows, k - base_rows));
        }
      }
    }
  }
  return terms;
}

/// Adds those of a mechanism's chain, to whose rows and joints A leads (39.1a).
template <class S>
void add_chain(const std::vector<JointRowOf<double>>& rows, const MotionTerms<S>& of_chain,
               TermsOf of, std::size_t first_row, MotionTerms<S>& terms) {
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
MotionTerms<S> motion_terms(const MovingArm& arm, std::span<const S> q, TermsOf of,
                            std::size_t first_row = 0) {
  if (arm.is_serial()) return chain_terms<S>(arm.moving[0], arm.v_dot_0, q, of, first_row);
  MotionTerms<S> terms(arm.dof(), of);
  for (std::size_t c = 0; c < arm.chains.size(); ++c) {
    const std::vector<JointRow>& rows = arm.chains[c].rows;
    const std::vector<S> x = joint_positions<S>(rows, q);
    add_chain<S>(rows, chain_terms<S>(arm.moving[c], arm.v_dot_0, x, of, first_row), of, first_row,
                 terms);
  }
  springs_torque<S>(arm, q, std::span<S>(terms.rest).subspan(base_rows));
  return terms;
}

}  // namespace armdyn
