// armdyn trajectory: make a motion.

#include <algorithm>
#include <cmath>

#include "cli/options/adjustable_rows.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/trajectory/options.hpp"
#include "log/row_writer.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

constexpr double smooth = 1000.0;  // points of a curve

/// Curves of the motion, smooth and with upright jumps whatever the rate of the rows.
Views views(const PlannedMotion& plan, const TrajectoryOptions& options, const Robot& robot) {
  const Trajectory& motion = plan.motion;
  const double duration = motion.end() - motion.begin();
  const std::vector<double>& knots = motion.knots();
  JointPicture picture(robot, options.plot,
                       {{"q", Measure::position, {""}},
                        {"qd", Measure::velocity, {""}},
                        {"qdd", Measure::acceleration, {""}}});
  const auto add = [&](double t) {
    const auto [q, qd, qdd] = instant(motion, t);
    picture.add(0, 0, t, q);
    picture.add(1, 0, t, qd);
    picture.add(2, 0, t, qdd);
  };
  for (const double t : sample_times(motion, std::max(options.rate, smooth / duration))) {
    const bool jumps = std::binary_search(knots.begin() + 1, knots.end(), t);
    if (jumps) add(std::nextafter(t, knots.front()));
    add(t);
  }
  for (const Panel& panel : plan.panels) picture.add_panel(panel);
  return picture.views(titled_figure("motion", options.via, robot, options.robot));
}

}  // namespace

Answer plan_trajectory(const TrajectoryOptions& options, Run& run) {
  const Robot& robot = run.robot({{"--to-tcp", options.to_tcp}}).robot;
  const PlannedMotion plan = plan_motion(options, run);
  const Trajectory& motion = plan.motion;
  const std::vector<double> times = row_times(motion, options);
  const TrajectoryAnswer found = trajectory_answer(options, robot, plan, times.size());

  RowWriter writer(
      run.rows(), robot,
      {Quantity::time, Quantity::position, Quantity::velocity, Quantity::acceleration});
  AdjustableRows adjustable(robot);
  for (const double t : times) {
    run.throw_if_interrupted();
    const auto [q, qd, qdd] = instant(motion, t);
    writer.add({{&t, 1}, q, qd, qdd});
    if (run.wants_arm()) adjustable.add(t, {q, qd, qdd});
  }
  writer.flush();

  Answer answer{run.document()};
  Document& document = answer.document;
  if (run.wants_curves()) document.views = views(plan, options, robot);
  if (run.wants_arm()) document.views.adjustable = adjustable.finish(false);
  document.data("options").update(motion_data(options, robot, motion));
  document.add(found.sections);
  document.add("knots", Json(motion.knots()));
  document.warnings =
      joined({plan.doubts.sentences, consequences(plan.doubts.are_misread, found.exceeded),
              found.remarks});
  if (!found.exceeded.empty()) answer.ending = Ending::no;
  return answer;
}

}  // namespace armdyn
