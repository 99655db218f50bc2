#pragma once

// From the options of `track` to a controller.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include "simulation/closed_loop.hpp"

#include <optional>
#include <string>
#include <vector>

#include "cli/options/value_text.hpp"
#include "cli/track/options.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The controllers by their names.
[[nodiscard]] const Choices<Controller>& controller_choices();
[[nodiscard]] const Choices<FrictionBy>& friction_choices();

/// Throws UsageError where options do not go together, or gains are missing.
void refuse_contradictions(const TrackOptions& options);

/// The controller of this arm. Throws UsageError for lists that do not fit it.
[[nodiscard]] ControlOptions control_options(const TrackOptions& options, const Robot& robot);

/// The loop of computed torque. The other controllers' gains act through M, so that their loops
/// change with the position: none.
[[nodiscard]] std::optional<ClosedLoop> known_loop(const ControlOptions& control);

/// What to do about errors that grow under this controller; empty where the steps of the simulation
/// may be to blame, since its torque acts at all times.
[[nodiscard]] std::string if_errors_grow(const ControlOptions& control,
                                         const std::optional<ClosedLoop>& loop);

/// What to do about joints that stick under this controller, to follow a message.
[[nodiscard]] std::string if_joints_stick(const ControlOptions& control);

/// What a user of such a controller should know.
[[nodiscard]] std::vector<std::string> control_remarks(const ControlOptions& control,
                                                       const std::optional<ClosedLoop>& loop);

/// What the gains make of small errors.
[[nodiscard]] Sections loop_sections(const ControlOptions& control,
                                     const std::optional<ClosedLoop>& loop);

}  // namespace armdyn
