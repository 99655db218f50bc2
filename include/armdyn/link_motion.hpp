#pragma once

#include <armdyn/dynamics.hpp>
#include <armdyn/matrix.hpp>

#include <vector>

namespace armdyn {

/// The quantities of one link in the recursions, all in axes of the user's frame {i}, laid out as in
/// Craig's worked examples (docs/derivation.md, 9.6). A payload is part of the last link.
struct LinkMotion {
  Vec3 omega;      ///< angular velocity, rad/s
  Vec3 omega_dot;  ///< angular acceleration, rad/s²
  Vec3 v;          ///< velocity of the origin of {i}, m/s
  Vec3 v_dot;    ///< its acceleration, m/s², with −g added: the chain is lifted against gravity
  Vec3 v_c;      ///< velocity of the centre of mass, m/s
  Vec3 v_c_dot;  ///< its acceleration, m/s², with the same −g
  Vec3 F;        ///< m v̇_c, N
  Vec3 N;        ///< moment about the centre of mass, N·m
  Vec3 angular_momentum;   ///< I ω about the centre of mass, kg·m²/s
  double kinetic = 0.0;    ///< ½ m v_cᵀ v_c + ½ ωᵀ I ω, J, without rotors
  double potential = 0.0;  ///< −m gᵀ r_c, J: zero with its centre of mass at the origin of {0}
  Mat3 A;     ///< 1/s²: the acceleration of a point b of the link is A b + v̇ (eq. 5.1)
  SymMat3 K;  ///< kg·m²: ½ tr(I) E − I about the centre of mass (eq. 5.3)
  Matrix Ja;  ///< 4×4: ∫ r rᵗ dm with r = (x, y, z, 1) from the origin of {i}; kg·m², kg·m, kg
              ///< (eq. 6.3)
  Wrench joint;  ///< as InverseDynamics::reactions: from link i−1 on link i, N and N·m
};

/// One entry per link. Throws std::invalid_argument where a size is wrong.
[[nodiscard]] std::vector<LinkMotion> link_motions(const Arm& arm, const MotionState& state,
                                                   const Wrench& hand = {});

}  // namespace armdyn
