#include "cli/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/robot_argument.hpp"
#include "cli/say.hpp"
#include "cli/text_table.hpp"

namespace armdyn {

namespace {

nlohmann::json list(const Vec3& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    say("armdyn: warning: {}\n", warning);
  }
}

void print_warnings(const RobotFile& file) {
  if (file.warnings.empty()) return;
  const std::string name = std::filesystem::path(file.path).filename();
  const std::size_t count = file.warnings.size();
  say("{}: {} about the model; armdyn check {} shows {}\n", name, counted(count, "warning"),
      argument_for(file), count == 1 ? "it" : "them");
}

std::string recognised_line(const std::string& file, const std::string& recognised) {
  return recognised.empty() ? "" : fmt::format("{}: {}\n", file, recognised);
}

void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options) {
  if (options.quiet || options.json) return;
  say("{}", recognised_line(file, plan.recognised));
}

void print_picture(const std::string& plot, const OutputOptions& options) {
  if (!plot.empty() && !options.quiet && !options.json) {
    say("picture: {}\n", plot);
  }
}

char letter(JointType type) {
  return type == JointType::revolute ? 'R' : 'P';
}

std::string joint_types(const Robot& robot) {
  std::string types;
  for (const Joint& joint : robot.joints) types += letter(joint.type);
  return types;
}

nlohmann::json joint_values(std::span<const double> values) {
  nlohmann::json list = nlohmann::json::array();
  for (const double value : values) list.push_back(value + 0.0);
  return list;
}

nlohmann::json parts_left_out(const RobotOptions& options) {
  nlohmann::json without = nlohmann::json::array();
  if (options.without_friction) without.push_back("friction");
  if (options.without_motor) without.push_back("motor");
  if (options.without_payload) without.push_back("payload");
  if (options.without_gravity) without.push_back("gravity");
  return without;
}

nlohmann::json json_frame(const RobotFile& file, const RobotOptions& options) {
  nlohmann::json used{{"without", parts_left_out(options)}, {"gravity", list(file.robot.gravity)}};
  if (options.payload) {
    used["payload"] = {{"mass", options.payload->mass}, {"com", list(options.payload->com)}};
  }
  nlohmann::json model_warnings = nlohmann::json::array();
  for (const Finding& finding : file.warnings) {
    model_warnings.push_back(to_text(finding, file.path));
  }
  return {{"version", ARMDYN_VERSION},
          {"robot", {{"name", file.robot.name}, {"file", file.path}, {"digest", file.digest}}},
          {"model_warnings", model_warnings},
          {"options", used}};
}

}  // namespace armdyn
