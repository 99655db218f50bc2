#pragma once

#include <armdyn/dynamics.hpp>

#include "program/program.hpp"

// The bridge from the texts to straight-line programs for one arm: each text is read with
// Expressions, once, and what is left after folding this arm's constants becomes a program.

namespace armdyn {

/// Whether a program has the hand wrench among its inputs, or takes it as zero.
enum class HandInput { absent, present };

// Columns of inputs are q, qd, qdd (or the torque that accelerates), and, where present, fx, fy, fz,
// nx, ny, nz. Friction and rotors take no part unless said.

/// τ of the links, as `formulation`. Throws std::length_error where it would be too long: Lagrange's
/// equation of many joints.
[[nodiscard]] Program torque_program(const Arm& arm, Method method, HandInput hand);

/// The links' parts of TorqueTerms, dof columns each: inertia, velocity, gravity, wrench.
[[nodiscard]] Program terms_program(const Arm& arm, Method method, HandInput hand);

/// As InverseDynamics::reactions: fx, fy, fz, nx, ny, nz of each joint.
[[nodiscard]] Program reactions_program(const Arm& arm, HandInput hand);

}  // namespace armdyn
