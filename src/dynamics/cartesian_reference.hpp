#pragma once

#include <armdyn/equations.hpp>

#include <span>
#include <vector>

namespace armdyn {

/// The Cartesian terms computed with 50 digits and then rounded; where J or M is singular, not
/// finite.
struct CartesianReference {
  Matrix Mx;
  std::vector<double> Vx, Gx;
};

/// For this arm's and this state's doubles, by (9.13)-(9.15) with M from strobing. Slow: a
/// millisecond or a few. No more rows than joints.
[[nodiscard]] CartesianReference reference_cartesian(const Arm& arm, std::span<const double> q,
                                                     std::span<const double> qd,
                                                     std::span<const TaskRow> rows);

}  // namespace armdyn
