#include "cli/track/controller.hpp"

#include <fmt/format.h>
#include <armdyn/eigen.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/options/joint_list.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/value_text.hpp"
#include "cli/track/gains.hpp"
#include "cli/track/options.hpp"
#include "math/decompositions.hpp"

namespace armdyn {

namespace {

constexpr const char* paper_kp = "100";  // paper 003 §5; K_v = 20 is critical damping

std::vector<double> torque_limits(const Robot& robot) {
  std::vector<double> limits;
  for (const Joint& joint : robot.joints) {
    limits.push_back(joint.limits.torque.value_or(std::numeric_limits<double>::infinity()));
  }
  if (std::all_of(robot.joints.begin(), robot.joints.end(),
                  [](const Joint& joint) { return !joint.limits.torque; })) {
    throw UsageError(fmt::format("--saturate: {} has no torque limits", robot.name));
  }
  return limits;
}

}  // namespace

const Choices<Controller>& controller_choices() {
  static const Choices<Controller> controllers{{"computed-torque", Controller::computed_torque},
                                               {"pd", Controller::pd},
                                               {"pd-gravity", Controller::pd_gravity},
                                               {"feedforward", Controller::feedforward}};
  return controllers;
}

void refuse_contradictions(const TrackOptions& options) {
  if (options.control.controller != Controller::computed_torque &&
      (options.kp.empty() || options.kv.empty())) {
    throw UsageError(
        fmt::format("--controller {} needs --kp and --kv, in torque per position and velocity",
                    controller_choices().name_of(options.control.controller)));
  }
  if (options.control.sample_time == 0.0 && options.control.delay > 0) {
    throw UsageError("--delay counts samples; give --sample-time above 0");
  }
  if (options.control.sample_time == 0.0 && !options.encoder.empty()) {
    throw UsageError("--encoder is read at samples; give --sample-time above 0");
  }
  const bool names_a_model = !options.model.robot.empty() || !names(options.model.without).empty();
  if (options.control.controller == Controller::pd && names_a_model) {
    throw UsageError("--controller pd knows no model; leave out --model and --model-without");
  }
}

ControlOptions control_options(const TrackOptions& options, const Robot& robot) {
  for (const std::string& gain : {options.kp, options.kv}) {
    if (!is_gain_file(gain)) continue;
    refuse_to_overwrite(gain, {options.output.output, options.plot.file}, "a file of gains");
  }
  ControlOptions control = options.control;
  control.Kp = parse_gains("--kp", options.kp.empty() ? paper_kp : options.kp, robot.dof());
  control.Kv = options.kv.empty() ? critical_damping(control.Kp)
                                  : parse_gains("--kv", options.kv, robot.dof());
  if (!options.encoder.empty()) {
    control.resolution = parse_positive_each("--encoder", options.encoder, robot);
  }
  if (options.saturate) control.torque_limit = torque_limits(robot);
  return control;
}

std::vector<std::string> control_remarks(const ControlOptions& control) {
  std::vector<std::string> remarks;
  for (const auto& [option, gain] : {std::pair{"--kp", &control.Kp}, {"--kv", &control.Kv}}) {
    if (is_positive_definite(eigen(*gain))) continue;
    remarks.push_back(
        fmt::format("{} is not positive definite, so errors need not die out", option));
  }
  return remarks;
}

}  // namespace armdyn
