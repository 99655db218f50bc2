#pragma once

#include <armdyn/dynamics.hpp>

#include <functional>
#include <span>

namespace armdyn {

/// The torque of the links, without friction and rotors, by one formulation that owns the room it
/// needs. The arm may differ in gravity from the one that the formulation was made for.
using Formulation =
    std::function<void(const Arm&, const MotionState&, const Wrench& hand, std::span<double> tau)>;

[[nodiscard]] Formulation formulation(const Arm& arm, Method method);

}  // namespace armdyn
