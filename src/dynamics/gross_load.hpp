#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/dynamics.hpp>

#include <span>
#include <vector>

#include "dynamics/newton_euler.hpp"

namespace armdyn {

/// What each joint would carry if no two forces or moments cancelled, N·m or N: the inward recursion
/// on magnitudes (docs/derivation.md eq. 13.2), from the links as the recursion left them.
[[nodiscard]] std::vector<double> gross_loads(const Arm& arm,
                                              std::span<const LinkState<double>> links,
                                              const Wrench& hand);

}  // namespace armdyn
