#pragma once

// How every verb says that a joint went beyond a limit of its robot file.

#include <armdyn/robot.hpp>

#include <string>

namespace armdyn {

/// Whether a position of this joint, in rad, was probably meant in degrees.
[[nodiscard]] bool looks_like_degrees(const Joint& joint, double q);

/// "elbow: |qd| reaches 3.2 rad/s at t = 0.5 s, its limit is 3 rad/s".
[[nodiscard]] std::string exceeds_limit(const Joint& joint, const std::string& what, double value,
                                        double limit, const std::string& unit,
                                        const std::string& place);

/// "elbow: q is 0.1 rad outside its limits -1 to 1 rad at t = 0.5 s".
[[nodiscard]] std::string leaves_range(const Joint& joint, double outside, const Range& range,
                                       const std::string& place);

}  // namespace armdyn
