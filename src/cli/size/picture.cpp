// Pictures of what drives and supply are asked for.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/picture.hpp"
#include "cli/options/value_text.hpp"
#include "cli/size/options.hpp"
#include "io/plot/plot.hpp"

namespace armdyn {

namespace {

Panel over_time(const std::string& title, const std::string& symbol, const std::string& unit,
                const Cycle& cycle, const std::vector<double>& values) {
  ThinnedSeries series;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const bool is_gap = row > 0 && cycle.steps[row] == 0.0 && cycle.t[row] > cycle.t[row - 1];
    if (is_gap) series.break_off();
    series.append(cycle.t[row], values[row]);
  }
  return {title, symbol, unit, {curve_of("cycle", series)}, {}};
}

/// |τ| by |speed| of a motor, with what it may.
Panel by_speed_of_motor(const Joint& joint, const DriveNeed& need) {
  const MotorRatings& ratings = joint.motor.ratings;
  std::vector<std::size_t> rows(need.motor_speeds.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto speed = [&](std::size_t row) { return std::abs(need.motor_speeds[row]); };
  std::ranges::stable_sort(rows, {}, speed);
  ThinnedSeries points;
  for (const std::size_t row : rows) points.append(speed(row), std::abs(need.motor_torques[row]));
  Panel panel{joint.name, "motor |τ|", "N·m", {curve_of("cycle", points)}};
  panel.x_label = "motor speed";
  panel.x_unit = "rad/s";
  panel.curves[0].has_line = false;
  const double top = ratings.max_speed.value_or(need.motor_speed.value);
  const auto level = [&](const char* label, double torque) {
    panel.curves.push_back({label, {0.0, top, top}, {torque, torque, 0.0}});
  };
  if (!ratings.torque_speed.empty()) {
    Curve curve{"peak", {}, {}};
    for (const auto& [at, torque] : ratings.torque_speed) {
      curve.x.push_back(at);
      curve.y.push_back(torque);
    }
    panel.curves.push_back(curve);
  } else if (ratings.peak_torque) {
    level("peak", *ratings.peak_torque);
  }
  if (ratings.continuous_torque) level("continuous", *ratings.continuous_torque);
  panel.curves.push_back({"RMS", {need.mean_speed}, {need.motor_rms}});
  return panel;
}

}  // namespace

Figure size_figure(const Robot& robot, const SizeAnswer& answer, const SizeOptions& options) {
  const Cycle& cycle = answer.cycle;
  const PictureTitle title = picture_title("drives", options.motion, robot, options.robot);
  Figure figure{robot.name + ": " + title.title, title.remarks, {}};
  const auto is_warm = [](const DriveNeed& need) { return need.thermal && need.thermal->steady; };
  figure.columns = std::ranges::any_of(answer.sizing.drives, is_warm) ? 3 : 2;
  std::vector<std::size_t> joints = parse_joints("--plot-joints", options.plot.joints, robot);
  if (joints.empty()) {
    joints.resize(robot.dof());
    std::iota(joints.begin(), joints.end(), std::size_t{0});
  }
  for (const std::size_t i : joints) {
    const Joint& joint = robot.joints[i];
    const DriveNeed& need = answer.sizing.drives[i];
    figure.panels.push_back(by_speed_of_motor(joint, need));
    figure.panels.push_back(over_time(joint.name, "motor τ", "N·m", cycle, need.motor_torques));
    if (const auto& peak = joint.motor.ratings.peak_torque) {
      figure.panels.back().limits = {-*peak, *peak};
    }
    if (figure.columns == 2) continue;
    const std::vector<double> winding =
        is_warm(need) ? need.thermal->steady->winding : std::vector<double>{};
    figure.panels.push_back(over_time(joint.name, "winding", "°C", cycle, winding));
    if (const auto& most = joint.motor.ratings.thermal.max_winding) {
      figure.panels.back().limits = {*most};
    }
  }
  figure.panels.push_back(over_time("bus", "P", "W", cycle, answer.sizing.bus));
  if (robot.supply.peak_power) figure.panels.back().limits = {*robot.supply.peak_power};
  return figure;
}

}  // namespace armdyn
