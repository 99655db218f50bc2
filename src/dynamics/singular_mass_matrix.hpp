#pragma once

#include <armdyn/arm.hpp>

#include <cmath>
#include <limits>
#include <span>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"

namespace armdyn {

/// The masses beyond a joint, each as far away as the links' lengths allow (eq. 7.21).
struct Reach {
  double mass = 0.0;     ///< Σ m
  double moment = 0.0;   ///< Σ m r
  double inertia = 0.0;  ///< Σ (|I| + m r²)

  void add(const MassProperties& body) {
    const auto& [m, c, I] = body;
    const double r = std::abs(c.x) + std::abs(c.y) + std::abs(c.z);
    mass += m;
    moment += m * r;
    inertia += std::abs(I.xx) + std::abs(I.yy) + std::abs(I.zz) + m * r * r;
  }

  void move(double length) {
    inertia += length * (2.0 * moment + length * mass);
    moment += length * mass;
  }
};

/// Upper bounds of the diagonal of M, β of (7.21), kg·m² or kg. `length(i)` bounds how far {i} is
/// from {i−1}, m.
template <class Length>
void bound_inertias(const Arm& arm, std::span<const double> rotors, const Length& length,
                    std::span<double> bounds) {
  Reach reach;
  for (std::size_t i = arm.dof(); i-- > 0;) {
    reach.add(arm.links[i].body);
    bounds[i] =
        rotors[i] + (arm.links[i].joint == JointType::revolute ? reach.inertia : reach.mass);
    reach.move(length(i));
  }
}

/// A pivot of at most this share of its bound is rounding (7.21).
inline double pivot_rounding(std::size_t dof) {
  return 8.0 * static_cast<double>(dof) * std::numeric_limits<double>::epsilon();
}

/// Whether M q̈ is a small difference of large numbers, so that rounding in the solution leaves more
/// than 1e-13 of the torques (7.22): `inertial` is max β|q̈|, `torque` the largest of force and
/// bias.
inline bool rounding_shows(double inertial, double torque) {
  return inertial * std::numeric_limits<double>::epsilon() > 1e-13 * torque;
}

/// Throws SingularMassMatrix unless every pivot (docs/derivation.md eq. 7.8) is larger than the
/// rounding of what it is left over from (eq. 7.21). The message names the first joint from the
/// hand that fails, the state and what the model lacks. `bounds` receives upper bounds of the
/// diagonal of M.
void require_positive(const Arm& arm, std::span<const double> q, std::span<const Transform> frames,
                      const RotorInertias& rotors, std::span<const double> pivots,
                      std::span<double> bounds);

}  // namespace armdyn
