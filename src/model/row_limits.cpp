#include "model/row_limits.hpp"

#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"

namespace armdyn {

namespace {

using LimitKind = RowLimit::Kind;

std::vector<double> over_all_joints(const Robot& robot, const JointRow& row) {
  return each(in_order(robot.dof()), [&row](std::size_t i) { return row_factor(row, i); });
}

void add_of_motors(const Robot& robot, LimitKind kind, std::vector<RowLimit>& limits) {
  if (robot.couplings.empty() || (kind != LimitKind::velocity && kind != LimitKind::torque)) return;
  const MotorSide side(robot);
  for (const Coupling& coupling : robot.couplings) {
    const bool is_torque = kind == LimitKind::torque;
    const std::vector<double>& most = is_torque ? coupling.torque_limits : coupling.velocity_limits;
    for (std::size_t m = 0; m < most.size(); ++m) {
      const std::size_t motor = coupling.joints[m];
      RowLimit& limit = limits.emplace_back(RowLimit{kind, motor, true, {}, most[m]});
      for (std::size_t j = 0; j < robot.dof(); ++j) {
        limit.of_joints.push_back(is_torque ? side.torque_factor(motor, j)
                                            : side.rate_factor(motor, j));
      }
    }
  }
}

void add_of_followers(const Robot& robot, LimitKind kind, std::vector<RowLimit>& limits) {
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const JointRow row = joint_row(robot, robot, k);
    if (row.joints.size() < 2) continue;  // limits the joint itself
    const auto& [position, velocity, torque, acceleration, jerk] = joint_at(robot, k).limits;
    const auto add = [&](double most, double offset) {
      limits.push_back({kind, k, false, over_all_joints(robot, row), most, offset});
    };
    if (kind == LimitKind::position && position) {
      const double half = 0.5 * (position->upper - position->lower);
      add(half, row.offset - (position->lower + half));
    }
    if (kind == LimitKind::velocity && velocity) add(*velocity, 0.0);
    if (kind == LimitKind::acceleration && acceleration) add(*acceleration, 0.0);
  }
}

}  // namespace

std::vector<RowLimit> row_limits(const Robot& robot, LimitKind kind) {
  std::vector<RowLimit> limits;
  add_of_motors(robot, kind, limits);
  add_of_followers(robot, kind, limits);
  return limits;
}

std::vector<RowLimit> row_limits(const Robot& robot) {
  std::vector<RowLimit> limits;
  for (const LimitKind kind :
       {LimitKind::velocity, LimitKind::torque, LimitKind::position, LimitKind::acceleration}) {
    append(limits, row_limits(robot, kind));
  }
  return limits;
}

}  // namespace armdyn
