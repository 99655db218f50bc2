#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "model/serial_chain.hpp"

// Whether two descriptions are one arm: what each says of the same state, and how far apart they
// are (docs/derivation.md, 1.1).

namespace armdyn {

/// What two descriptions of an arm must have in common, whatever their frames. In the world.
struct ArmState {
  Transform hand;               ///< tool frame
  Matrix jacobian;              ///< of its origin, 6×dof
  std::vector<double> gravity;  ///< G, dof entries, N·m or N
  std::vector<double> torque;   ///< M q̈ + V + G, without friction and rotors
  double effort = 0.0;          ///< Σ |f| times the arm's size + |n| over the links: a scale of τ
};

/// By Denavit-Hartenberg table and Newton-Euler recursion.
[[nodiscard]] ArmState state_of(const Arm& arm, const MotionState& motion);

/// From joint frames and axes alone: velocities and accelerations of the links in the world, and the
/// virtual work of their forces on each joint's motion (eq. 1.21).
[[nodiscard]] ArmState state_of(const SerialChain& chain, const MotionState& motion);

/// The tool frame in the world, likewise.
[[nodiscard]] Transform hand_of(const SerialChain& chain, std::span<const double> q);

/// Random states within the limits of joints, the same ones each time.
class RandomMotion {
 public:
  explicit RandomMotion(const std::vector<Joint>& joints);
  [[nodiscard]] std::vector<double> position();
  /// From −largest to largest, one per joint.
  [[nodiscard]] std::vector<double> numbers(double largest);

 private:
  const std::vector<Joint>& joints_;
  std::mt19937_64 random_{19};
};

/// Largest differences between two descriptions of an arm over many states.
struct Deviation {
  double hand = 0.0;                               ///< of the hand's place, over the arm's size
  double turn = 0.0;                               ///< of the hand's direction, rad
  double jacobian = 0.0;                           ///< over J's largest entry
  double gravity = 0.0;                            ///< N·m or N
  double torque = 0.0;                             ///< N·m or N
  double gravity_scale = 0.0, torque_scale = 0.0;  ///< largest entries of G and τ in any state
  double effort = 0.0;                             ///< likewise

  void add(const ArmState& a, const ArmState& b, double size);
};

/// Over that many random states. A description is an Arm or a SerialChain.
template <class First, class Second>
Deviation deviation(const First& first, const Second& second, const std::vector<Joint>& joints,
                    double size, std::size_t count) {
  RandomMotion random(joints);
  Deviation result;
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> q = random.position(), qd = random.numbers(2.0),
                              qdd = random.numbers(5.0);
    result.add(state_of(first, {q, qd, qdd}), state_of(second, {q, qd, qdd}), size);
  }
  return result;
}

}  // namespace armdyn
