#pragma once

// Words of all verbs for a robot: units and types of its joints, and messages on limits of its robot
// file that a joint exceeds.

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include "math/motion_tally.hpp"
#include "model/check.hpp"
#include "model/joint_kind.hpp"
#include "model/row_limits.hpp"
#include "report/document.hpp"

namespace armdyn {

[[nodiscard]] constexpr bool turns(const Joint& joint) {
  return is_turning(joint.type);
}

[[nodiscard]] constexpr const char* position_unit(const Joint& joint) {
  return unit_text(RobotUnit::position, joint.type);
}
[[nodiscard]] constexpr const char* speed_unit(const Joint& joint) {
  return unit_text(RobotUnit::speed, joint.type);
}
[[nodiscard]] constexpr const char* acceleration_unit(const Joint& joint) {
  return unit_text(RobotUnit::acceleration, joint.type);
}
[[nodiscard]] constexpr const char* torque_unit(const Joint& joint) {
  return unit_text(RobotUnit::effort, joint.type);
}
/// Unit of the mass matrix's diagonal.
[[nodiscard]] constexpr const char* inertia_unit(const Joint& joint) {
  return unit_text(RobotUnit::joint_inertia, joint.type);
}

/// Tests whether some joint has that limit: &Limits::torque.
[[nodiscard]] bool has_limit(const Robot& robot, std::optional<double> Limits::*limit);

/// Names of some joints.
[[nodiscard]] std::vector<std::string> joint_names(const Robot& robot,
                                                   const std::vector<std::size_t>& joints);
/// "joints that follow others: 3 link3, 4 link4", by the numbers that parameters have; or nothing.
[[nodiscard]] std::string numbered_followers(const Robot& robot);
/// Position of joint i's motor, rad, by those of the joints: "45 q5", "32 q5 + 32 q6 + 0.1".
[[nodiscard]] std::string motor_position(const Robot& robot, std::size_t i);
/// Types of the joints from base to tool: "RRPRRR".
[[nodiscard]] std::string joint_types(const Robot& robot);

inline constexpr std::array conventions{Convention::standard, Convention::modified};
/// standard or modified.
[[nodiscard]] constexpr const char* name(Convention convention) {
  return convention == Convention::standard ? "standard" : "modified";
}

/// Tests whether a joint, or a motor that turns with several, has a torque limit.
[[nodiscard]] bool has_any_torque_limit(const Robot& robot);

/// Whose limit it is: "elbow", "motor of elbow"; and its unit.
[[nodiscard]] std::string limited_name(const Robot& robot, const RowLimit& limit);
[[nodiscard]] const char* limit_unit(const Robot& robot, const RowLimit& limit);

/// A limit on a row, and the peak of a motion; at a time, s, or a row, from 1.
struct RowReach {
  RowLimit limit;
  Extreme peak{};

  /// Tests whether the peak exceeds the limit by more than the rounding of A and its inverse.
  [[nodiscard]] bool exceeds_limit() const { return peak.value > limit.most * (1.0 + 1e-12); }
};

/// Rows with these limits, at rest.
[[nodiscard]] std::vector<RowReach> reaches_of(const std::vector<RowLimit>& limits);

/// Tables of the motors and of the followers, each with its peaks but of positions, limits and shares;
/// none where there are none.
[[nodiscard]] Sections row_tables(const Robot& robot, const std::vector<RowReach>& reaches,
                                  bool has_time);

/// Words for the place of a peak, by its time or row: "t = 0.5 s".
using PlaceWords = std::function<std::string(double at)>;

/// Adds a sentence where a joint has that limit, of torque or a rate, and the peak exceeds it: "elbow:
/// |qd| reaches 3.2 rad/s at t = 0.5 s, its limit is 3 rad/s". A torque is called `torque`.
void add_if_exceeded(const Joint& joint, std::optional<double> Limits::*limit,
                     const TimedValue& peak, const PlaceWords& place,
                     std::vector<std::string>& sentences, const char* torque = "|τ|");
/// Likewise for each row: "motor of elbow: |τ| reaches 3.2 N·m at t = 0.5 s, its limit is 3 N·m".
void add_if_exceeded(const Robot& robot, const std::vector<RowReach>& reaches,
                     const PlaceWords& place, std::vector<std::string>& sentences,
                     const char* torque = "|τ|");

/// "elbow: q is 0.1 rad outside its limits -1 to 1 rad at t = 0.5 s".
[[nodiscard]] std::string leaves_range(const Joint& joint, double outside, const Range& range,
                                       const std::string& place);

/// Times of the first row and of the last; nothing where there is no time.
[[nodiscard]] Value moments(const MotionTally& rows);

/// "puma560: 12 rows, t = 0 to 1.1 s"; the moments may be missing.
[[nodiscard]] Fields rows_head(const Robot& robot, std::size_t rows, const Value& moments);

}  // namespace armdyn
