#include "cli/vary/torque_need.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/friction.hpp"
#include "math/each.hpp"
#include "math/statistics.hpp"

namespace armdyn {

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

/// Extremes and sums of squares of an arm's torques, block by block.
class TorqueSums {
 public:
  TorqueSums(const Robot& robot, const StoredMotion& motion)
      : motion_(motion),
        bounds_(robot.dof()),
        squares_(robot.dof()),
        motors_(reaches_of(motor_limits(robot, MotorLimit::Kind::torque))) {}

  /// Adds `rows` rows from `first` on, which counts from 0; weights: one per row, or none.
  void add(std::size_t first, std::size_t rows, std::span<const Column> tau,
           std::span<const double> weights) {
    rows_ += rows;
    for (std::size_t i = 0; i < tau.size(); ++i) {
      const std::span column(tau[i], rows);
      const auto [least, greatest] = bounds_of(column);
      bounds_[i].widen(least);
      bounds_[i].widen(greatest);
      squares_[i].add_squares(column, weights);
    }
    for (MotorReach& motor : motors_) {
      for (std::size_t row = 0; row < rows; ++row) {
        motor.peak.raise(std::abs(motor.limit.of_motor(InRow{tau, row})),
                         static_cast<double>(first + row + 1));
      }
    }
  }

  /// Returns the need of all rows; those of an arm of which none was added, or whose squares are too
  /// large, are computed once more. Throws what that throws.
  [[nodiscard]] TorqueNeed need(const Robot& robot) const {
    const bool is_whole =
        rows_ == motion_.rows && std::ranges::none_of(squares_, &TorqueSums::is_large);
    std::vector<SumOfSquares> sums(bounds_.size());
    return is_whole ? need(sums) : computed_alone(robot);
  }

 private:
  static bool is_large(const SumOfTerms& squares) {
    return !(squares.total() < SumOfSquares::large);
  }

  /// Returns the need; `sums` has the squares of joints whose plain sum is too large.
  [[nodiscard]] TorqueNeed need(std::vector<SumOfSquares>& sums) const {
    TorqueNeed need{{}, {}, motors_};
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      if (!is_large(squares_[i])) (sums[i] = {}).add_squares(squares_[i].total());
      need.peak.push_back(std::max(-bounds_[i].least, bounds_[i].greatest));
      need.rms.push_back(sums[i].root_mean(
          motion_.is_over_time() ? motion_.duration : static_cast<double>(motion_.rows)));
    }
    return need;
  }

  [[nodiscard]] TorqueNeed computed_alone(const Robot& robot) const {
    TorqueSums all(robot, motion_);
    std::vector<SumOfSquares> sums(robot.dof());
    BlockInverseDynamics dynamics(normalise(robot));
    motion_.for_each_block(
        [&](std::size_t first, const Columns& motion, std::span<const double> weights) {
          const Columns tau = torques(dynamics, robot.dof(), motion, motion_.places);
          const std::size_t rows = motion.front().size();
          all.add(first, rows, places(tau), weights);
          for (std::size_t i = 0; i < tau.size(); ++i) {
            for (std::size_t row = 0; row < rows; ++row) {
              sums[i].add(tau[i][row], weights.empty() ? 1.0 : weights[row]);
            }
          }
        });
    return all.need(sums);
  }

  const StoredMotion& motion_;
  std::vector<Bounds> bounds_;
  std::vector<SumOfTerms> squares_;
  std::vector<MotorReach> motors_;
  std::size_t rows_ = 0;
};

}  // namespace

Columns torques(const Robot& robot, const Columns& motion, const MotionColumns& where) {
  BlockInverseDynamics dynamics(normalise(robot));
  return torques(dynamics, robot.dof(), motion, where);
}

ArmsOnMotion arms_on(const MotionColumns& motion, const Robot& of_file) {
  return {normalise(of_file), motion.wrench ? HandInput::present : HandInput::absent};
}

std::vector<TorqueNeed> torque_needs(ArmsOnMotion& arms, const std::vector<Robot>& robots,
                                     const StoredMotion& motion,
                                     std::span<const std::size_t> samples) {
  std::vector<TorqueSums> sums;
  sums.reserve(robots.size());
  for (const Robot& robot : robots) sums.emplace_back(robot, motion);
  arms.set_arms(each(robots, [](const Robot& robot) { return normalise(robot); }));
  motion.for_each_block(
      [&](std::size_t begin, const Columns& columns, std::span<const double> weights) {
        const std::vector<Column> inputs = places(columns);
        arms.torque(
            motion_block(inputs, motion.places, arms.dof(), columns.front().size()),
            [&](std::size_t arm, std::size_t first, std::size_t rows, std::span<const Column> tau) {
              sums[arm].add(begin + first, rows, tau,
                            weights.empty() ? weights : weights.subspan(first, rows));
            });
      });
  std::vector<TorqueNeed> needs;
  needs.reserve(robots.size());
  for (std::size_t k = 0; k < robots.size(); ++k) {
    try {
      needs.push_back(sums[k].need(robots[k]));
    } catch (const NumericsError& error) {
      if (samples.empty()) throw;
      throw NumericsError(fmt::format("sample {}: {}", samples[k], error.what()));
    }
  }
  return needs;
}

std::vector<double> TorqueNeed::shares(const Robot& robot, const TorqueNeed& nominal) const {
  const bool is_limited = has_any_torque_limit(robot);
  std::vector<double> found(peak.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double scale = is_limited ? robot.joints[i].limits.torque.value_or(0.0) : nominal.peak[i];
    if (scale > 0.0) found[i] = peak[i] / scale;
  }
  for (const MotorReach& motor : motors) found.push_back(motor.peak.value / motor.limit.most);
  return found;
}

}  // namespace armdyn
