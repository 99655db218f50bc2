#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <functional>
#include <span>

#include "dynamics/states.hpp"

namespace armdyn {

/// The torque of the links, without friction and rotors, by one formulation that owns the room it
/// needs. `hand` may be null. The arm may differ in gravity from the one that it was made for.
template <class S>
using Formulation = std::function<void(const Arm&, const MotionOf<S>&,
                                       const ForceAndMoment<S>* hand, std::span<S> tau)>;

/// In doubles. Throws std::invalid_argument for what is no method.
[[nodiscard]] Formulation<double> formulation(const Arm& arm, Method method);

}  // namespace armdyn
