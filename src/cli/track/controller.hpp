#pragma once

// From the options of `track` to a controller.

#include <armdyn/control.hpp>
#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "cli/options/choices.hpp"
#include "cli/track/options.hpp"

namespace armdyn {

/// The controllers by their names.
[[nodiscard]] const Choices<Controller>& controller_choices();

/// Throws UsageError where options do not go together, or gains are missing.
void refuse_contradictions(const TrackOptions& options);

/// The controller of this arm. Throws UsageError for lists that do not fit it.
[[nodiscard]] ControlOptions control_options(const TrackOptions& options, const Robot& robot);

/// What a user of such a controller should know.
[[nodiscard]] std::vector<std::string> control_remarks(const ControlOptions& control);

}  // namespace armdyn
