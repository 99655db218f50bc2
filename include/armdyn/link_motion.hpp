#pragma once

#include <armdyn/dynamics.hpp>

#include <vector>

namespace armdyn {

/// The recursion's quantities of one link, all in axes of the user's frame {i}, laid out as in
/// Craig's worked examples (docs/derivation.md, 9.6).
struct LinkMotion {
  Vec3 omega;      ///< angular velocity, rad/s
  Vec3 omega_dot;  ///< angular acceleration, rad/s²
  Vec3 v;          ///< velocity of the origin of {i}, m/s
  Vec3 v_dot;    ///< its acceleration, m/s², with −g added: the chain is lifted against gravity
  Vec3 F;        ///< m v̇_c with the same −g, N
  Vec3 N;        ///< moment about the centre of mass, N·m
  Wrench joint;  ///< as InverseDynamics::reactions: from link i−1 on link i, N and N·m
};

/// One entry per link. Throws std::invalid_argument where a size is wrong.
[[nodiscard]] std::vector<LinkMotion> link_motions(const Arm& arm, const MotionState& state,
                                                   const Wrench& hand = {});

}  // namespace armdyn
