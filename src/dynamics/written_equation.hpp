#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <span>
#include <vector>

#include "program/written_function.hpp"

// The equations of an arm as functions to be written down (docs/derivation.md, section 22).

namespace armdyn {

/// Equations that can be written down.
enum class Equation {
  torque,       ///< τ of the drives, friction and rotors included, from q, qd, qdd
  mass_matrix,  ///< M with rotors, from q
  velocity,     ///< V, from q and qd
  gravity,      ///< G, from q
  forward,      ///< q̈ under τ, losses included, from q, qd, tau
  jacobian,     ///< of the tool frame in {0}, 6×dof, from q
  regressor     ///< Y with τ = Y π, π as Regressor::parameters() has it, from q, qd, qdd
};

/// The numbers of the links' bodies, "m1", "cx1", …, "Ixx1", …, with the values of this robot, in the
/// frames of its own table.
[[nodiscard]] std::vector<FunctionParameter> link_parameters(const Robot& robot);

/// Numbers that may be inputs: the parameters of the robot's file, and other numbers by names that
/// those do not have: of bodies, "a1", "d1", "g", of tool and payload.
[[nodiscard]] std::vector<FunctionParameter> function_parameters(const Robot& robot,
                                                                 const Parametrisation& written);

/// Recursions by which torques are written.
enum class Recursion {
  as_computed,       ///< Newton-Euler as the program computes with it (2.1)-(2.14)
  fewest_operations  ///< (22.4)-(22.6), the bodies as they are or regrouped
};

/// The equation of this robot, with these parameters as inputs and with what follows from them by
/// the formulas of its file; where there are some, by (22.4)-(22.6) on the bodies as they are. Throws
/// Error where what follows from a parameter has no form as code, std::length_error where the arm
/// has too many joints for an equation that is written out.
[[nodiscard]] WrittenFunction written_equation(const Robot& robot, const Parametrisation& written,
                                               Equation what, Recursion recursion,
                                               std::span<const FunctionParameter> parameters);

/// The library's results for the inputs of that function, one after the other.
[[nodiscard]] std::vector<double> computed(const Robot& robot, Equation what,
                                           std::span<const double> inputs);

}  // namespace armdyn
