#include "cli/vary/torque_need.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "math/columns.hpp"

namespace armdyn {

std::vector<double> TorqueNeed::shares(const Robot& robot, const TorqueNeed& nominal) const {
  const bool is_limited = has_any_torque_limit(robot);
  std::vector<double> found(peak.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double scale = is_limited ? robot.joints[i].limits.torque.value_or(0.0) : nominal.peak[i];
    if (scale > 0.0) found[i] = peak[i] / scale;
  }
  for (const RowReach& motor : motors) found.push_back(motor.peak.value / motor.limit.most);
  return found;
}

namespace {

Columns torques(BlockInverseDynamics& dynamics, std::size_t dof, const Columns& motion,
                const MotionColumns& where) {
  const std::size_t rows = motion.front().size();
  const std::vector<Column> inputs = places(motion);
  Columns tau;
  resize(tau, dof, rows);
  dynamics.torque(motion_block(inputs, where, dof, rows), places(tau));
  return tau;
}

/// Rows of the shortest block that an instruction set computes; others have multiples of it. Sums in
/// such pieces are the same with each of them.
constexpr std::size_t shortest_block = 64;

/// Peaks and squares of an arm's torques, block by block.
class ArmTally {
 public:
  ArmTally(const Robot& robot, const StoredMotion& motion)
      : motion_(motion),
        joints_(robot.dof()),
        motors_(reaches_of(row_limits(robot, RowLimit::Kind::torque))) {}

  /// Adds `rows` rows from `first` on, which counts from 0; weights: one per row, or none.
  void add(std::size_t first, std::size_t rows, std::span<const Column> tau,
           std::span<const double> weights) {
    rows_ += rows;
    for (std::size_t i = 0; i < tau.size(); ++i) {
      const std::span column(tau[i], rows);
      const auto [least, greatest] = bounds_of(column);
      joints_[i].peak.raise(std::max(-least, greatest), 0.0);  // where, nobody asks
      for (std::size_t row = 0; row < rows; row += shortest_block) {
        const std::size_t count = std::min(shortest_block, rows - row);
        add_column(joints_[i].squares, column.subspan(row, count),
                   weights.empty() ? weights : weights.subspan(row, count));
      }
    }
    for (RowReach& motor : motors_) {
      for (std::size_t row = 0; row < rows; ++row) {
        motor.peak.raise(std::abs(motor.limit.of_row(InRow{tau, row})),
                         static_cast<double>(first + row + 1));
      }
    }
  }

  /// Returns the need of all rows; those of an arm without added rows are computed once more.
  /// Throws what that throws.
  [[nodiscard]] TorqueNeed need(const Robot& robot) const {
    if (rows_ != motion_.tally.rows()) return computed_alone(robot).need(robot);
    TorqueNeed need{{}, {}, motors_};
    for (const ColumnTally& joint : joints_) {
      need.peak.push_back(joint.peak.value);
      need.rms.push_back(motion_.tally.rms(joint));
    }
    return need;
  }

 private:
  [[nodiscard]] ArmTally computed_alone(const Robot& robot) const {
    ArmTally all(robot, motion_);
    BlockInverseDynamics dynamics(normalize(robot));
    motion_.for_each_block(
        [&](std::size_t first, const Columns& motion, std::span<const double> weights) {
          const Columns tau = torques(dynamics, robot.dof(), motion, motion_.places);
          all.add(first, motion.front().size(), places(tau), weights);
        });
    return all;
  }

  const StoredMotion& motion_;
  std::vector<ColumnTally> joints_;
  std::vector<RowReach> motors_;
  std::size_t rows_ = 0;
};

}  // namespace

Columns torques(const Robot& robot, const Columns& motion, const MotionColumns& where) {
  BlockInverseDynamics dynamics(normalize(robot));
  return torques(dynamics, robot.dof(), motion, where);
}

ArmsOnMotion arms_on(const MotionColumns& motion, const Robot& of_file) {
  return {normalize(of_file), motion.wrench ? WrenchInput::present : WrenchInput::absent};
}

std::vector<TorqueNeed> torque_needs(ArmsOnMotion& arms, const std::vector<Robot>& robots,
                                     const StoredMotion& motion,
                                     std::span<const std::size_t> samples) {
  std::vector<ArmTally> tallies;
  tallies.reserve(robots.size());
  for (const Robot& robot : robots) tallies.emplace_back(robot, motion);
  arms.set_arms(each(robots, [](const Robot& robot) { return normalize(robot); }));
  motion.for_each_block(
      [&](std::size_t begin, const Columns& columns, std::span<const double> weights) {
        const std::vector<Column> inputs = places(columns);
        arms.torque(
            motion_block(inputs, motion.places, arms.dof(), columns.front().size()),
            [&](std::size_t arm, std::size_t first, std::size_t rows, std::span<const Column> tau) {
              tallies[arm].add(begin + first, rows, tau,
                               weights.empty() ? weights : weights.subspan(first, rows));
            });
      });
  std::vector<TorqueNeed> needs;
  needs.reserve(robots.size());
  for (std::size_t k = 0; k < robots.size(); ++k) {
    try {
      needs.push_back(tallies[k].need(robots[k]));
    } catch (const NumericsError& error) {
      if (samples.empty()) throw;
      throw NumericsError(fmt::format("sample {}: {}", samples[k], error.what()));
    }
  }
  return needs;
}

}  // namespace armdyn
