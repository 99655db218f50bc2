// armdyn trajectory: make a motion.

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include "cli/options/picture.hpp"
#include "cli/options/value_text.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/trajectory/answer.hpp"
#include "cli/trajectory/motion_plan.hpp"
#include "cli/trajectory/options.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/plot.hpp"
#include "log/row_writer.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr double smooth = 1000.0;  // points of a curve

/// Whatever the rate of the rows, curves are smooth and their jumps upright.
Views views(const Trajectory& motion, const TrajectoryOptions& options, const Robot& robot) {
  const double duration = motion.end() - motion.begin();
  const std::vector<double>& knots = motion.knots();
  std::vector<double> q(robot.dof()), qd(robot.dof()), qdd(robot.dof());
  JointPicture picture = joint_picture(robot, options.plot,
                                       {{"q", Measure::position, {""}},
                                        {"qd", Measure::velocity, {""}},
                                        {"qdd", Measure::acceleration, {""}}});
  const auto add = [&](double t) {
    motion.at(t, q, qd, qdd);
    picture.add(0, 0, t, q);
    picture.add(1, 0, t, qd);
    picture.add(2, 0, t, qdd);
  };
  for (const double t : sample_times(motion, std::max(options.rate, smooth / duration))) {
    const bool jumps = std::binary_search(knots.begin() + 1, knots.end(), t);
    if (jumps) add(std::nextafter(t, knots.front()));
    add(t);
  }
  return picture.views(picture_title("motion", options.via, robot, options.robot));
}

HandPath hand_path(const TrajectoryOptions& options) {
  if (options.excite || !options.via.empty() || !options.along.empty()) return HandPath::unasked;
  return options.line ? HandPath::straight : HandPath::free;
}

void require_finite(const Robot& robot, const std::vector<JointExtremes>& extremes) {
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    const auto& [lowest, highest, velocity, acceleration] = extremes[i];
    for (const TimedValue& reached : {lowest, highest, velocity, acceleration}) {
      if (std::isfinite(reached.value)) continue;
      throw NumericsError(fmt::format(
          "at t = {:.6g} s the motion of {} is not a finite number: its way is too long, or its "
          "duration too short",
          reached.t, robot.joints[i].name));
    }
  }
}

}  // namespace

Ending run(const TrajectoryOptions& options) {
  const RobotFile file =
      open_robot(options.robot, options.output, {{"--to-hand", options.to_hand}});
  const Robot& robot = file.robot;
  const PlannedMotion plan = plan_motion(options, robot);
  const Trajectory& motion = plan.motion;
  const std::vector<double> times = row_times(motion, options);
  const std::vector<JointExtremes> reached = extremes(motion);
  require_finite(robot, reached);

  OutputFile output(table_target(options.output.output));
  const auto plot = open_if_named(options.plot.file);
  RowWriter writer(
      output, robot.dof(),
      {Quantity::time, Quantity::position, Quantity::velocity, Quantity::acceleration});
  std::vector<double> q(robot.dof()), qd(robot.dof()), qdd(robot.dof());
  for (const double t : times) {
    throw_if_interrupted();
    motion.at(t, q, qd, qdd);
    writer.add({{&t, 1}, q, qd, qdd});
  }
  writer.flush();
  const TrajectorySummary summary(robot, motion, reached, times.size(), hand_path(options),
                                  options.orientation, plan.optimised, plan.passed);

  const std::vector<std::string> broken = summary.broken_limits(
      is_without_unit(options.from, robot) || is_without_unit(options.to, robot),
      advice_on_overshoot(options));
  Document answer = answer_frame(file, options.robot, options.output);
  if (shows_curves(options.plot, options.output)) answer.views = views(motion, options, robot);
  if (plot) write_figure(answer.views.figures.front(), *plot);
  answer.data("options").update(motion_data(options, robot, motion));
  answer.add(summary.sections());
  if (plan.time_optimal) {
    answer.add("time_optimal", plan.time_optimal->fields(robot, motion.end() - motion.begin()));
  }
  if (!plan.slow_down.empty()) answer.add("slow_down", plan.slow_down);
  answer.add("knots", Json(motion.knots()));
  answer.warnings = joined({plan.warnings, broken, summary.swings(),
                            unseen_jerk_limits(options, robot), summary.poor_excitation()});
  const std::string said = summary_of(answer, options.output);
  const auto report = report_of(answer, options.output);
  OutputFile::commit({plot.get(), report.get(), &output});
  say_summary(said, options.output.json);
  print_picture(options.plot.file, options.output);
  return broken.empty() ? Ending::done : Ending::no;
}

}  // namespace armdyn
