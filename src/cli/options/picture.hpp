#pragma once

// How every verb begins a picture, and what stands above it.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <functional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "io/plot/plot.hpp"
#include "report/joint_picture.hpp"

namespace armdyn {

/// Throws UsageError for joints that the robot does not have.
[[nodiscard]] JointPicture joint_picture(const Robot& robot, const PlotOptions& options,
                                         std::vector<JointPanel> panels);

/// "joint torques, lift.csv" and "payload 2.5 kg; without friction". `input`: a file, "-" or
/// empty.
[[nodiscard]] PictureTitle picture_title(const std::string& what, const std::string& input,
                                         const Robot& robot, const RobotOptions& options);

/// Draws the picture of a simulation. Where a signal comes before or meanwhile, there is none, and
/// the simulation counts as stopped. Returns whether it was drawn.
[[nodiscard]] bool draw_unless_interrupted(SimulationResult& result,
                                           const std::function<void()>& draw);

}  // namespace armdyn
