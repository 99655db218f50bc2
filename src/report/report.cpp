#include "report/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/say.hpp"
#include "report/text_table.hpp"

namespace armdyn {

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    say("armdyn: warning: {}\n", warning);
  }
}

std::string recognised_line(const std::string& file, const std::string& recognised) {
  return recognised.empty() ? "" : fmt::format("{}: {}\n", file, recognised);
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

}  // namespace armdyn
