#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/inertial_arm.hpp"
#include "dynamics/states.hpp"

// What the regressor is made of, for any scalar S (docs/derivation.md, section 27).

namespace armdyn {

/// The body that has a 1 for this parameter and nothing else.
template <class T>
CompositeBody<T, T> unit_body(std::size_t parameter) {
  std::array<T, body_parameters> p;
  p.fill(T(0.0));
  p[parameter] = T(1.0);
  return {p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]}};
}

/// The columns of Y of each link's body and, if asked for, the payload's, ten each, of each its dof
/// entries: the torques of the arm, with this body alone (27.2). `links`
/// has one entry per link, and afterwards how they move.
template <class S, class T, class A>
std::vector<S> link_columns(const A& arm, bool with_payload, const MotionOf<S>& motion,
                            std::span<ModifiedLinkState<S>> links) {
  const std::size_t n = arm.dof(), bodies = with_payload ? n + 1 : n;
  auto alone = without_bodies<T>(arm);
  std::vector<S> columns, tau(n);
  columns.reserve(bodies * body_parameters * n);
  for (std::size_t i = 0; i < bodies; ++i) {
    CompositeBody<T, T>& body = alone.links[std::min(i, n - 1)].body;
    const Frame<T>& frame = i < n ? arm.user_frame[i] : arm.tool;
    for (std::size_t k = 0; k < body_parameters; ++k) {
      body = carried(frame, unit_body<T>(k));
      moment_newton_euler<S, T>(alone, motion.q, motion.qd, motion.qdd, links, tau);
      columns.insert(columns.end(), tau.begin(), tau.end());
    }
    body = {T(0.0), {}, {}};
  }
  return columns;
}

/// What a parameter of a drive makes of the torques, if it is 1 and the others of its drive 0.
struct DriveColumn {
  ParameterKind kind;
  std::size_t joint;
  Drive unit;
  std::vector<CoupledMotors> coupled{};  ///< instead, where it is of such a motor: all with it

  /// To `add(joint, torque)`; `direction(joint, speed)` is that of a joint's sliding.
  template <class S, class V>
  void torques(const V& q, const V& qd, const V& qdd, const auto& direction,
               const auto& add) const {
    if (kind == ParameterKind::offset) {
      add(joint, S(1.0));
    } else if (coupled.empty()) {
      add(joint,
          drive_torque<S>(unit, q[joint], qd[joint], qdd[joint], direction(joint, qd[joint])));
    } else {
      coupled_motor_torques<S>(coupled, qd, qdd, direction, add);
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
