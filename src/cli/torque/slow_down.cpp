#include "cli/torque/slow_down.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <utility>

#include "cli/options/common_options.hpp"
#include "cli/options/slow_down_answer.hpp"
#include "log/motion_row.hpp"
#include "motion/slow_down.hpp"

namespace armdyn {

MotionToSlowDown::MotionToSlowDown(const Robot& robot, const ColumnPlan& plan)
    : robot_(robot), plan_(plan) {
  if (!plan.has(Quantity::time)) {
    throw UsageError("torque: --slow-down needs the times t of the rows; --rate gives them");
  }
  if (path_limits(robot).empty()) {
    throw UsageError(fmt::format(
        "torque: --slow-down needs limits, and {} has none of torque, velocity or acceleration; "
        "write them into its file",
        robot.name));
  }
}

void MotionToSlowDown::add(const Table& rows) {
  const std::size_t t = *plan_.first(Quantity::time), n = robot_.dof();
  if (!rows.breaks.empty()) {
    throw InputError(fmt::format(
        "--slow-down slows one motion, and there is a gap before t = {:.6g} s; give --gaps bridge, "
        "or --from-time and --to-time",
        rows.columns[t][rows.breaks.front()]));
  }
  const auto append = [&](std::vector<double>& values, std::size_t first, std::size_t count,
                          std::size_t row) {
    for (std::size_t i = 0; i < count; ++i) values.push_back(rows.columns[first + i][row]);
  };
  const MotionColumns at = motion_columns(plan_);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    append(rows_.t, t, 1, row);
    append(rows_.q, at.q, n, row);
    append(rows_.qd, *at.qd, n, row);
    append(rows_.qdd, *at.qdd, n, row);
    if (at.wrench) append(hand_, *at.wrench, 6, row);
  }
}

MotionToSlowDown::Answer MotionToSlowDown::answer() {
  if (rows_.t.size() < 2) throw InputError("--slow-down needs a motion of two rows or more");
  const HandWrench hand = hand_.empty() ? HandWrench{} : hand_between(rows_.t, hand_);
  const Trajectory motion = recorded(std::move(rows_));
  PathDemands demands(robot_, path_limits(robot_));
  const SlowDown found = slow_down(demands, motion, hand);
  const double duration = motion.end() - motion.begin();
  return {{{"slow_down", slow_down_fields(robot_, demands, found, duration)}},
          slow_down_obstacle(robot_, demands, found)};
}

}  // namespace armdyn
