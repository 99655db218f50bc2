#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <span>
#include <vector>

#include "dynamics/newton_euler.hpp"

namespace armdyn {

/// A number of twice a double's digits: head + tail, head being the nearest double.
struct TwoDoubles {
  double head = 0.0;
  double tail = 0.0;
};

/// The torque of the links, without friction and rotors, by the Newton-Euler text in 50 digits: N·m
/// or N, dof entries, right to some 30 digits for this arm's and this state's doubles. Slow: about
/// a thousand times the time in doubles.
void reference_torque(const Arm& arm, const MotionState& state, const Wrench& hand,
                      std::span<TwoDoubles> tau);

/// What each joint would carry if no two forces or moments cancelled, N·m or N: the inward recursion
/// on magnitudes (docs/derivation.md eq. 13.2), from the links as the recursion left them.
[[nodiscard]] std::vector<double> gross_loads(const Arm& arm,
                                              std::span<const LinkState<double>> links,
                                              const Wrench& hand);

/// The Cartesian terms computed with 50 digits and then rounded; where J or M is singular, not
/// finite.
struct CartesianReference {
  Matrix Mx;
  std::vector<double> Vx, Gx;
};

/// For this arm's and this state's doubles, by (9.13)-(9.15) with M from strobing. Slow: a
/// millisecond or a few. No more rows than joints.
[[nodiscard]] CartesianReference reference_cartesian(const Arm& arm, std::span<const double> q,
                                                     std::span<const double> qd,
                                                     std::span<const TaskRow> rows);

}  // namespace armdyn
