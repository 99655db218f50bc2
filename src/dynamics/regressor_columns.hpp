#pragma once

#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"

// Arms given by masses, first moments and inertias about the origins of their links, in which
// torques are linear, and what the regressor is made of (docs/derivation.md, sections 22 and 27).

namespace armdyn {

/// A link like Link, but for the body: it holds the mass, the first moment and the inertia
/// about the origin of {i}: what torques are linear in.
template <class T>
struct InertialLink {
  JointType joint;
  T a, cos_alpha, sin_alpha, d, cos_theta, sin_theta;
  CompositeBody<T, T> body;
};

/// An arm like Arm, of such links. T is a number, or an Expression where the arm's numbers are
/// inputs.
template <class T>
struct InertialArm {
  std::vector<InertialLink<T>> links;
  Vec<T> v_dot_0;

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

/// The arm, of any scalar, with bodies that have nothing.
template <class T, class A>
InertialArm<T> without_bodies(const A& arm) {
  InertialArm<T> result{{}, arm.v_dot_0};
  result.links.reserve(arm.dof());
  for (const auto& link : arm.links) {
    result.links.push_back({link.joint,
                            link.a,
                            link.cos_alpha,
                            link.sin_alpha,
                            link.d,
                            link.cos_theta,
                            link.sin_theta,
                            {T(0.0), {}, {}}});
  }
  return result;
}

[[nodiscard]] inline InertialArm<double> inertial_arm(const Arm& arm) {
  auto result = without_bodies<double>(arm);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    result.links[i].body = composite<double>(arm.links[i].body);
  }
  return result;
}

/// Arm of the same torques with fewer numbers: what of a link moves as a part of the link before is
/// taken to that one, or to the base and away (docs/derivation.md eq. 22.2, 22.3).
[[nodiscard]] inline InertialArm<double> regrouped(InertialArm<double> arm) {
  for (std::size_t i = arm.dof(); i-- > 0;) {
    InertialLink<double>& link = arm.links[i];
    CompositeBody<double> taken{0.0, {}, {}};
    if (is_turning(link.joint)) {  // (22.2)
      const double yy = link.body.inertia.yy;
      taken = {link.body.mass, {0.0, 0.0, link.body.moment.z}, {yy, yy, 0.0, 0.0, 0.0, 0.0}};
      link.body.mass = 0.0;
      link.body.moment.z = 0.0;
      link.body.inertia.xx -= yy;
      link.body.inertia.yy = 0.0;
    } else {  // (22.3)
      std::swap(taken.inertia, link.body.inertia);
    }
    if (i == 0) break;
    CompositeBody<double>& before = arm.links[i - 1].body;
    before = before + carried(joint_frame(link, 0.0), taken);
  }
  return arm;
}

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

/// Force, and moment about the origin of {i}, that give a body the motion of its link.
template <class S, class T>
std::pair<Vec<S>, Vec<S>> own_load(const CompositeBody<T, T>& body, const ModifiedLinkState<S>& x) {
  const auto& [mass, h, J] = body;
  return {mass * x.v_dot + x.A * h,                                            // (22.4)
          rotation_moment(J, x.omega, x.omega_dot, x.A) + cross(h, x.v_dot)};  // (22.5)
}

/// The links' frames and motion.
template <class S, class A>
void move_links(const A& arm, const MotionOf<S>& motion, std::span<ModifiedLinkState<S>> links) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& link = arm.links[i];
    links[i].frame = joint_frame(link, motion.q[i]);
    move_link(link.joint, i > 0 ? &links[i - 1] : nullptr, arm.v_dot_0, motion.qd[i], motion.qdd[i],
              links[i]);
  }
}

/// Torques of the links by the recursion of paper 001 §5 on masses, first moments and inertias about
/// the origins of {i} (docs/derivation.md eq. 22.4-22.6): as modified_newton_euler, for bodies that
/// have no center of mass. q, qd, qdd, links and tau have one entry per link.
template <class S, class T>
void moment_newton_euler(const InertialArm<T>& arm, std::span<const S> q, std::span<const S> qd,
                         std::span<const S> qdd, std::span<ModifiedLinkState<S>> links,
                         std::span<S> tau) {
  move_links(arm, MotionOf<S>{q, qd, qdd}, links);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    std::tie(links[i].F, links[i].N) = own_load(arm.links[i].body, links[i]);
  }

  const auto own_moment = [&](std::size_t i) { return links[i].N; };
  pass_inward<S>(arm, Frame<S>{}, nullptr, links, tau, own_moment);  // (22.6)
}

/// The body that has a 1 for this parameter and nothing else.
template <class T>
CompositeBody<T, T> unit_body(std::size_t parameter) {
  std::array<T, body_parameters> p;
  p.fill(T(0.0));
  p[parameter] = T(1.0);
  return {p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]}};
}

/// Bodies in axes of their links that have a 1 for one parameter: ten of each link, in its frame of the
/// table, and, if asked for, of the payload, in the tool frame.
template <class T, class A>
std::vector<CompositeBody<T, T>> unit_bodies(const A& arm, bool with_payload) {
  const std::size_t n = number_of_bodies(arm);
  std::vector<CompositeBody<T, T>> bodies;
  for (std::size_t i = 0; i < (with_payload ? n + 1 : n); ++i) {
    const Frame<T>& frame = i < n ? table_frame(arm, i) : arm.tool;
    for (std::size_t k = 0; k < body_parameters; ++k) {
      bodies.push_back(carried(frame, unit_body<T>(k)));
    }
  }
  return bodies;
}

/// Torques by a body of link i alone, given to `put(joint, torque)` for all joints that move it.
template <class S, class T, class A>
void body_torques(const A& arm, std::span<const ModifiedLinkState<S>> links, std::size_t i,
                  const CompositeBody<T, T>& body, const auto& put) {
  auto [force, moment] = own_load(body, links[i]);
  for (;; --i) {
    put(i, joint_load(arm.links[i].joint, force, moment));
    if (i == 0) break;
    const auto& [R, p] = links[i].frame;
    force = R * force;
    moment = R * moment + cross(p, force);
  }
}

/// The columns of a mechanism, each body in its chain (38.13).
template <class S, class T, class A>
void chains_link_columns(const A& arm, std::span<const CompositeBody<T, T>> bodies,
                         const MotionOf<S>& motion, const auto& put) {
  const std::size_t own = number_of_bodies(arm);
  for (std::size_t c = 0; c < arm.chains.size(); ++c) {
    const auto& [chain, rows, joints] = arm.chains[c];
    std::vector<ModifiedLinkState<S>> links(rows.size());
    move_links(chain, ChainMotion<S>(rows, motion).motion(), std::span(links));
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const std::size_t body = k / body_parameters;  // the payload's is behind the links'
      const auto [at, link] = body < own ? chain_link(arm, body) : ChainLink{0, chain.dof() - 1};
      if (at != c) continue;
      std::vector<S> of_chain(rows.size(), S(0.0)), tau(arm.dof(), S(0.0));
      body_torques<S, T>(chain, links, link, bodies[k],
                         [&](std::size_t i, const S& torque) { of_chain[i] = torque; });
      project<S>(rows, of_chain, [&](std::size_t j, const S& part) { tau[j] = tau[j] + part; });
      for (std::size_t j = 0; j < tau.size(); ++j) put(k, j, tau[j]);
    }
  }
}

/// The columns of Y of these unit bodies, given to `put(body, i, torque)` for all joints i that move the
/// body: the torques of the arm, with this body alone (27.2). `links` has one entry per link, and
/// afterwards, of a serial arm, how they move.
template <class S, class T, class A>
void link_columns(const A& arm, std::span<const CompositeBody<T, T>> bodies,
                  const MotionOf<S>& motion, std::span<ModifiedLinkState<S>> links,
                  const auto& put) {
  if (!is_one_chain(arm)) return chains_link_columns<S, T>(arm, bodies, motion, put);
  move_links(arm, motion, links);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t link = std::min(k / body_parameters, arm.dof() - 1);
    body_torques<S, T>(arm, links, link, bodies[k],
                       [&](std::size_t i, const S& torque) { put(k, i, torque); });
  }
}

/// All of them, column after column.
template <class S, class T, class A>
std::vector<S> link_columns(const A& arm, bool with_payload, const MotionOf<S>& motion,
                            std::span<ModifiedLinkState<S>> links) {
  const std::vector<CompositeBody<T, T>> bodies = unit_bodies<T>(arm, with_payload);
  std::vector<S> columns(bodies.size() * arm.dof(), S(0.0));
  link_columns<S, T>(
      arm, bodies, motion, links,
      [&](std::size_t k, std::size_t i, const S& torque) { columns[k * arm.dof() + i] = torque; });
  return columns;
}

/// Torques by a parameter of a drive that is 1, the others of its drive being 0.
struct DriveColumn {
  ParameterKind kind;
  std::size_t joint;
  Drive unit;
  std::optional<RowDrive> on_row{};  ///< instead, of a drive on a row
  std::optional<Arm> sprung{};       ///< instead, of a spring: the arm with it alone

  /// Gives them to `add(joint, torque)`; `direction(joint, speed)` is that of a joint's sliding.
  template <class S, class V>
  void torques(const V& q, const V& qd, const V& qdd, const auto& direction,
               const auto& add) const {
    if (kind == ParameterKind::offset) {
      add(joint, S(1.0));
    } else if (sprung) {
      const std::vector<S> at =
          each(in_order(sprung->dof()), [&](std::size_t i) { return S(q[i]); });
      std::vector<S> tau(at.size(), S(0.0));
      springs_torque<S>(*sprung, at, tau);
      for (std::size_t i = 0; i < tau.size(); ++i) add(i, tau[i]);
    } else if (on_row) {
      row_drive_torques<S>(std::span(&*on_row, 1), qd, qdd, direction, add);
    } else {
      add(joint,
          drive_torque<S>(unit, q[joint], qd[joint], qdd[joint], direction(joint, qd[joint])));
    }
  }
};

/// The columns of Y.
struct RegressorColumns {
  std::vector<DynamicParameter> parameters;  ///< π
  std::vector<DriveColumn> drives;           ///< of those that are no body's, in their order
  bool has_payload = false;
};
/// `arm` is the robot's.
[[nodiscard]] RegressorColumns regressor_columns(const Robot& robot, const Arm& arm,
                                                 Regressor::Payload payload);

[[nodiscard]] inline bool is_of_body(const DynamicParameter& parameter) {
  return parameter.kind < ParameterKind::rotor_inertia;
}

/// Y, row after row (27.1); links as link_columns has them.
template <class S, class T, class A>
std::vector<S> regressor(const RegressorColumns& columns, const A& arm, const MotionOf<S>& motion,
                         std::span<ModifiedLinkState<S>> links, const auto& direction) {
  const std::size_t n = arm.dof(), count = columns.parameters.size();
  std::vector<S> Y(n * count);
  const std::vector<S> of_bodies = link_columns<S, T>(arm, columns.has_payload, motion, links);
  auto next = of_bodies.begin();
  auto drive = columns.drives.begin();
  for (std::size_t k = 0; k < count; ++k) {
    if (is_of_body(columns.parameters[k])) {
      for (std::size_t i = 0; i < n; ++i) Y[i * count + k] = *next++;
    } else {
      const auto add = [&](std::size_t i, const S& torque) {
        S& entry = Y[i * count + k];
        entry = entry + torque;
      };
      drive->template torques<S>(motion.q, motion.qd, motion.qdd, direction, add);
      ++drive;
    }
  }
  return Y;
}

}  // namespace armdyn
