#include "cli/track/controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/options/joint_list.hpp"
#include "cli/options/named_choice.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/value_text.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/track/gains.hpp"
#include "cli/track/options.hpp"

namespace armdyn {

namespace {

constexpr std::array<std::pair<std::string_view, Controller>, 4> controllers{
    {{"computed-torque", Controller::computed_torque},
     {"pd", Controller::pd},
     {"pd-gravity", Controller::pd_gravity},
     {"feedforward", Controller::feedforward}}};

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

Controller parse_controller(const std::string& text) {
  return choose("--controller", text, controllers);
}

std::string_view name(Controller controller) {
  return name_of(controllers, controller);
}

void refuse_contradictions(const TrackOptions& options) {
  if (options.controller != Controller::computed_torque &&
      (options.kp.empty() || options.kv.empty())) {
    throw UsageError(
        fmt::format("--controller {} needs --kp and --kv, in torque per position and velocity",
                    name(options.controller)));
  }
  if (options.sample_time == 0.0 && options.delay > 0) {
    throw UsageError("--delay counts samples; give --sample-time above 0");
  }
  if (options.sample_time == 0.0 && !options.encoder.empty()) {
    throw UsageError("--encoder is read at samples; give --sample-time above 0");
  }
  const bool names_a_model = !options.model.robot.empty() || !parts_left_out(options.model).empty();
  if (options.controller == Controller::pd && names_a_model) {
    throw UsageError("--controller pd knows no model; leave out --model and --model-without");
  }
}

ControlOptions control_options(const TrackOptions& options, const Robot& robot) {
  for (const std::string& gain : {options.kp, options.kv}) {
    if (!is_gain_file(gain)) continue;
    refuse_to_overwrite(gain, {options.output.output, options.plot}, "a file of gains");
  }
  ControlOptions control;
  control.controller = options.controller;
  control.Kp = parse_gains("--kp", options.kp.empty() ? paper_kp : options.kp, robot.dof());
  control.Kv = options.kv.empty() ? critical_damping(control.Kp)
                                  : parse_gains("--kv", options.kv, robot.dof());
  control.sample_time = options.sample_time;
  control.delay = static_cast<std::size_t>(options.delay);
  control.method = options.method;
  if (!options.encoder.empty()) {
    control.resolution = parse_positive_each("--encoder", options.encoder, robot);
  }
  if (options.saturate) control.torque_limit = torque_limits(robot);
  return control;
}

std::vector<std::string> control_remarks(const ControlOptions& control) {
  std::vector<std::string> remarks;
  for (const auto& [option, gain] : {std::pair{"--kp", &control.Kp}, {"--kv", &control.Kv}}) {
    if (is_positive_definite(*gain)) continue;
    remarks.push_back(
        fmt::format("{} is not positive definite, so errors need not die out", option));
  }
  return remarks;
}

}  // namespace armdyn
