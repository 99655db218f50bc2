#pragma once

// From the options of `trajectory` to the motion that they describe.

#include <armdyn/arm.hpp>
#include <armdyn/trajectory.hpp>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/trajectory/options.hpp"

namespace armdyn {

[[nodiscard]] Profile parse_profile(const std::string& text);
[[nodiscard]] std::string_view name(Profile profile);
[[nodiscard]] HandOrientation parse_orientation(const std::string& text);
[[nodiscard]] std::string_view name(HandOrientation orientation);

/// Options that have a default and belong to one kind of motion alone: which of them were given.
struct GivenOptions {
  bool profile = false, orientation = false, harmonics = false, seed = false;
};

/// Throws UsageError where options do not go together, or what a motion needs is missing.
void refuse_contradictions(const TrajectoryOptions& options, const GivenOptions& given);

/// How a summary repeats the options, positions in rad or m; `limits` as it was given. Throws
/// UsageError for lists that do not fit the robot.
[[nodiscard]] nlohmann::json options_json(const TrajectoryOptions& options, const Robot& robot);

/// The motion. Throws UsageError for lists and limits that do not fit the robot, InputError for a
/// wrong file of waypoints, NumericsError for a line that the hand cannot go.
[[nodiscard]] Trajectory plan_motion(const TrajectoryOptions& options, const Robot& robot);

}  // namespace armdyn
