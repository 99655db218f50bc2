#pragma once

#include <armdyn/trajectory.hpp>

#include <optional>
#include <span>
#include <vector>

#include "motion/polynomial.hpp"

namespace armdyn {

/// How many derivatives from the 0th on a spline of this profile meets at its ends; nothing for a
/// profile that is none.
[[nodiscard]] std::optional<std::size_t> end_conditions(Profile profile);

/// The spline of degree 2m − 1 through the rows of `q` at the times `t`: derivatives up to the
/// (2m − 2)th are continuous, those from the first to the (m − 1)th vanish at the ends (eq. 10.6).
/// m is 2, 3 or 4; there are at least two rows, and t increases.
[[nodiscard]] Trajectory spline_through(std::span<const double> t,
                                        const std::vector<std::vector<double>>& q, std::size_t m);

/// The polynomial in the time since the left end that has the given derivatives 0…m−1 at both ends
/// of a stretch of length h (eq. 10.5).
[[nodiscard]] Polynomial hermite(double h, std::span<const double> left,
                                 std::span<const double> right);

}  // namespace armdyn
