#pragma once

// How every verb says that a joint went beyond a limit of its robot file.

#include <armdyn/robot.hpp>

#include <span>
#include <string>
#include <vector>

#include "model/motors.hpp"
#include "report/answer.hpp"
#include "report/extreme.hpp"

namespace armdyn {

/// Whether a position of this joint, in rad, was probably meant in degrees.
[[nodiscard]] bool looks_like_degrees(const Joint& joint, double q);

/// "elbow: q reaches 90 rad, which is 14.3 turns; …" for each joint whose column in a file looks like
/// that; `reach`: the largest |q| by joint.
[[nodiscard]] std::vector<std::string> columns_in_degrees(const Robot& robot,
                                                          std::span<const double> reach);

/// "elbow: |qd| reaches 3.2 rad/s at t = 0.5 s, its limit is 3 rad/s".
[[nodiscard]] std::string exceeds_limit(const std::string& name, const std::string& what,
                                        double value, double limit, const std::string& unit,
                                        const std::string& place);

/// Whether a joint or a motor of a coupling has a torque limit.
[[nodiscard]] bool has_any_torque_limit(const Robot& robot);

/// Of what a motor is limited in.
[[nodiscard]] const char* motor_unit(MotorLimit::Kind kind);

/// A motor's limit, and the most that a motion asks of it; at a time, s, or a row, from 1.
struct MotorReach {
  MotorLimit limit;
  Extreme peak{};

  /// By more than the rounding of A and its inverse.
  [[nodiscard]] bool exceeds_limit() const { return peak.value > limit.most * (1.0 + 1e-12); }
};

/// Each motor with its peak, limit and share, for a table and as JSON.
[[nodiscard]] std::vector<Fields> motor_rows(const Robot& robot,
                                             const std::vector<MotorReach>& motors, bool has_time);

/// "motor of elbow: |τ| reaches 3.2 N·m at t = 0.5 s, its limit is 3 N·m".
[[nodiscard]] std::string exceeds_limit(const Robot& robot, const MotorReach& reach,
                                        const std::string& place);

/// "elbow: q is 0.1 rad outside its limits -1 to 1 rad at t = 0.5 s".
[[nodiscard]] std::string leaves_range(const Joint& joint, double outside, const Range& range,
                                       const std::string& place);

}  // namespace armdyn
