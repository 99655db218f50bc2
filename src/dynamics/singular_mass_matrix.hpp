#pragma once

#include <armdyn/arm.hpp>

#include <span>

#include "dynamics/friction.hpp"

namespace armdyn {

/// Throws SingularMassMatrix unless every pivot (docs/derivation.md eq. 7.8) is larger than the
/// rounding of what it is left over from (eq. 7.21). The message names the first joint from the
/// hand that fails, the state and what the model lacks. `bounds` receives upper bounds of the
/// diagonal of M.
void require_positive(const Arm& arm, std::span<const double> q, std::span<const Transform> frames,
                      const RotorInertias& rotors, std::span<const double> pivots,
                      std::span<double> bounds);

}  // namespace armdyn
