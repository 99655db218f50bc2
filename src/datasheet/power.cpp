#include "datasheet/power.hpp"

#include <armdyn/trajectory.hpp>

#include <limits>

#include "datasheet/datasheet.hpp"
#include "math/each.hpp"

namespace armdyn {

namespace {

constexpr std::size_t cycles_tried = 300;
constexpr double rows_per_way = 50.0;

Cycle cycle_between(std::span<const double> from, std::span<const double> to,
                    const Timing& timing) {
  const std::size_t n = from.size();
  Cycle cycle;
  for (const auto rows : {&Cycle::q, &Cycle::qd, &Cycle::qdd}) (cycle.*rows).resize(n);
  std::vector<double> q(n), qd(n), qdd(n);
  for (const bool is_back : {false, true}) {
    const Trajectory way =
        point_to_point(is_back ? to : from, is_back ? from : to, Profile::lspb, timing);
    const double begin = cycle.t.empty() ? 0.0 : cycle.t.back();
    for (const double t : sample_times(way, rows_per_way / way.end())) {
      if (is_back && t == 0.0) continue;
      way.at(t, q, qd, qdd);
      for (std::size_t i = 0; i < n; ++i) {
        cycle.q[i].push_back(q[i]);
        cycle.qd[i].push_back(qd[i]);
        cycle.qdd[i].push_back(qdd[i]);
      }
      cycle.t.push_back(begin + t);
    }
  }
  cycle.set_steps();
  return cycle;
}

}  // namespace

WorstCycle worst_cycle(const Robot& robot, std::span<const double> accelerations) {
  Timing timing;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const auto& velocity = robot.joints[i].limits.velocity;
    timing.limits.push_back(
        {velocity.value_or(std::numeric_limits<double>::infinity()), accelerations[i]});
  }
  const auto ends =
      random_positions(each(robot.joints, [](const Joint& joint) { return examined_range(joint); }),
                       2 * cycles_tried);
  WorstCycle worst;
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    const Cycle cycle = cycle_between(ends[k], ends[k + 1], timing);
    const CycleSizer sizer = cycle_sizer(robot, true);
    sizer.add(cycle);
    Sizing sizing = sizer.result();
    if (k > 0 && !(sizing.supply.power.value > worst.sizing.supply.power.value)) continue;
    MotionTally rows;
    rows.next(cycle.t.size(), cycle.t);
    ColumnTally bus;
    rows.add(bus, sizing.bus);
    worst = {ends[k], ends[k + 1], std::move(sizing), rows.rms(bus)};
  }
  return worst;
}

}  // namespace armdyn
