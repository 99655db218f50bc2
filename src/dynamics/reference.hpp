#pragma once

#include <armdyn/dynamics.hpp>

#include <span>

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

}  // namespace armdyn
