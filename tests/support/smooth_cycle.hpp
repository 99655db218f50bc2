#pragma once

#include <cmath>
#include <numbers>

#include "sizing/sizing.hpp"

namespace armdyn::testing {

/// A closed cycle in which all joints swing, two seconds long, in so many steps: by `first`, each
/// joint by `more` more than the one before, rad or m.
inline Cycle smooth_cycle(std::size_t dof, int steps, double first = 0.5, double more = 0.1) {
  Cycle cycle;
  for (auto* columns : {&cycle.q, &cycle.qd, &cycle.qdd}) columns->resize(dof);
  for (int k = 0; k <= steps; ++k) {
    const double t = 2.0 * k / steps, w = std::numbers::pi;
    cycle.t.push_back(t);
    for (std::size_t i = 0; i < dof; ++i) {
      const auto joint = static_cast<double>(i);
      const double A = first + more * joint, phase = 0.4 * joint;
      cycle.q[i].push_back(A * std::sin(w * t + phase));
      cycle.qd[i].push_back(A * w * std::cos(w * t + phase));
      cycle.qdd[i].push_back(-A * w * w * std::sin(w * t + phase));
    }
  }
  cycle.set_steps();
  return cycle;
}

}  // namespace armdyn::testing
