#pragma once

#include <armdyn/robot.hpp>

#include "math/formula_list.hpp"

namespace armdyn {

/// τ of this robot with some of its numbers as inputs, for pages that compute it anew. Inputs: q, qd,
/// qdd, dof each, then gx, gy, gz (m/s²), mass (kg) and center of mass (m) of the payload, and the
/// masses of all joints' links (kg). Results, dof each, whose sum is τ: of the links with the payload,
/// of friction, of rotors; N·m or N. Dry friction is 0 where qd is. Throws std::length_error where the
/// arm has too many joints for an equation that is written out, and Error where the law of a spring
/// is no formula of sums and products.
[[nodiscard]] FormulaList adjustable_torque(const Robot& robot);

}  // namespace armdyn
