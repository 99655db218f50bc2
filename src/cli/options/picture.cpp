#include "cli/options/picture.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/options/joint_list.hpp"
#include "cli/options/value_text.hpp"
#include "io/file/interrupt.hpp"
#include "io/text/number_text.hpp"

namespace armdyn {

JointPicture joint_picture(const Robot& robot, const PlotOptions& options,
                           std::vector<JointPanel> panels) {
  return {robot, std::move(panels), parse_joints("--plot-joints", options.joints, robot),
          options.degrees};
}

PictureTitle picture_title(const std::string& what, const std::string& input, const Robot& robot,
                           const RobotOptions& options) {
  const std::string file =
      input == "-" ? "standard input" : std::filesystem::path(input).filename().string();
  std::vector<std::string> remarks;
  if (robot.payload.mass > 0.0) {
    remarks.push_back(fmt::format("payload {} kg", short_number(robot.payload.mass)));
  }
  if (const auto& g = options.gravity) {
    remarks.push_back(fmt::format("gravity ({}, {}, {}) m/s²", short_number(g->x),
                                  short_number(g->y), short_number(g->z)));
  }
  const std::vector<std::string> without = names(options.without);
  if (!without.empty()) remarks.push_back(fmt::format("without {}", fmt::join(without, ", ")));
  return {what + (file.empty() ? "" : ", " + file), fmt::format("{}", fmt::join(remarks, "; "))};
}

bool draw_unless_interrupted(SimulationResult& result, const std::function<void()>& draw) {
  try {
    draw();
    return true;
  } catch (const Interrupted&) {
    result.end = SimulationEnd::stopped;
    return false;
  }
}

}  // namespace armdyn
