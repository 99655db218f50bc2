#include "cli/vary/arms.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "dynamics/friction.hpp"
#include "math/finite.hpp"
#include "model/motors.hpp"
#include "report/column_figures.hpp"

namespace armdyn {

namespace {

constexpr std::size_t columns_before_joints = 3;  // sample, moved, share

double root_mean_square(std::span<const double> column, const HeldMotion& motion) {
  SumOfSquares sum;
  const auto weight = [&](std::size_t row) {
    return motion.is_over_time() ? motion.weights.of_rows[row] : 1.0;
  };
  const double plain = motion.is_over_time() ? sum_of_squares(column, motion.weights.of_rows)
                                             : sum_of_squares(column);
  if (plain < SumOfSquares::large) {
    sum.add_squares(plain);
  } else {
    for (std::size_t row = 0; row < column.size(); ++row) sum.add(column[row], weight(row));
  }
  return sum.root_mean(motion.is_over_time() ? motion.weights.duration
                                             : static_cast<double>(motion.rows));
}

}  // namespace

TorqueNeed torque_need(const Robot& robot, const HeldMotion& motion) {
  const std::size_t n = robot.dof();
  const std::vector<Column> inputs = places(motion.columns);
  Columns tau;
  resize(tau, n, motion.rows);
  BlockInverseDynamics(normalise(robot))
      .torque(motion_block(inputs, motion.places, n, motion.rows), places(tau));
  TorqueNeed need;
  for (const std::vector<double>& column : tau) {
    const Bounds bounds = bounds_of(column);
    need.peak.push_back(std::max(-bounds.least, bounds.greatest));
    need.rms.push_back(root_mean_square(column, motion));
  }
  const std::vector<Column> columns = places(std::as_const(tau));
  for (MotorLimit& limit : motor_limits(robot, MotorLimit::Kind::torque)) {
    MotorReach& motor = need.motors.emplace_back(MotorReach{std::move(limit)});
    for (std::size_t row = 0; row < motion.rows; ++row) {
      motor.peak.raise(std::abs(motor.limit.of_motor(InRow{columns, row})),
                       static_cast<double>(row + 1));
    }
  }
  return need;
}

std::vector<double> TorqueNeed::shares(const std::vector<double>& scales) const {
  std::vector<double> found(scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (scales[i] > 0.0) found[i] = peak[i] / scales[i];
  }
  for (const MotorReach& motor : motors) found.push_back(motor.peak.value / motor.limit.most);
  return found;
}

WorstArm worst_arm(const RobotSampler& draws, std::uint64_t sample, const HeldMotion& motion,
                   const TorqueNeed& nominal, const std::vector<double>& scales) {
  const std::vector<double> shares = torque_need(draws(sample).robot, motion).shares(scales);
  WorstArm worst;
  worst.where = static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
  const double share = shares[worst.where];
  const double excess = share - nominal.shares(scales)[worst.where];
  if (!(excess > 0.0)) return worst;
  for (const auto& [place, name] : draws.drawn()) {
    const TorqueNeed without = torque_need(draws(sample, place).robot, motion);
    worst.causes.push_back({name, (share - without.shares(scales)[worst.where]) / excess});
  }
  std::ranges::stable_sort(worst.causes, std::greater{}, &Cause::of_excess);
  return worst;
}

std::vector<double> peak_scales(const Robot& robot, const TorqueNeed& nominal) {
  if (!has_any_torque_limit(robot)) return nominal.peak;
  std::vector<double> scales;
  scales.reserve(robot.dof());
  for (const Joint& joint : robot.joints) scales.push_back(joint.limits.torque.value_or(0.0));
  return scales;
}

void add_arm_columns(BlockWriter<ArmRows>& writer, const Robot& robot) {
  const std::size_t dof = robot.dof();
  const auto add = [&](Quantity quantity, std::size_t first, std::size_t count) {
    writer.add(quantity, dof,
               [=](const ArmRows& rows) { return std::span(rows).subspan(first, count); });
  };
  add(Quantity::sample, 0, columns_before_joints);
  add(Quantity::peak_torque, columns_before_joints, dof);
  add(Quantity::rms_torque, columns_before_joints + dof, dof);
  if (motor_limits(robot, MotorLimit::Kind::torque).empty()) return;
  add(Quantity::motor_peak_torque, columns_before_joints + 2 * dof, dof);
}

void ArmWorker::operator()(const Table& samples, ArmRows& rows) const {
  const std::size_t n = scales_.size();
  resize(rows, columns_before_joints + (nominal_.motors.empty() ? 2 : 3) * n, samples.rows);
  for (std::size_t row = 0; row < samples.rows; ++row) {
    const auto [robot, moved] = draws_(samples.lines[row]);
    TorqueNeed need;
    try {
      need = torque_need(robot, motion_);
    } catch (const NumericsError& error) {
      throw NumericsError(fmt::format("sample {}: {}", samples.lines[row], error.what()));
    }
    for (std::size_t i = 0; i < n; ++i) {
      rows[columns_before_joints + i][row] = need.peak[i];
      rows[columns_before_joints + n + i][row] = need.rms[i];
    }
    for (const auto& [limit, peak] : need.motors) {
      rows[columns_before_joints + 2 * n + limit.motor][row] = peak.value;
    }
    rows[0][row] = static_cast<double>(samples.lines[row]);
    rows[1][row] = static_cast<double>(moved);
    rows[2][row] = std::ranges::max(need.shares(scales_));
  }
}

}  // namespace armdyn
