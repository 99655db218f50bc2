#pragma once

// From the number of a sample to an arm, and from the arm to the torques of its motion.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <vector>

#include "cli/vary/options.hpp"
#include "io/file/input_file.hpp"
#include "io/table/block_pipeline.hpp"
#include "log/log_reader.hpp"
#include "log/motion_row.hpp"
#include "log/row_writer.hpp"
#include "report/column_figures.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// A motion in memory.
struct HeldMotion {
  Columns columns;
  MotionColumns places;
  std::size_t rows = 0;
  std::vector<double> t;  ///< empty: there is none
  TimeWeights weights;

  /// Throws InputError without a row, and what the reader throws.
  HeldMotion(LogReader& log, const std::string& file, unsigned threads);

  [[nodiscard]] bool is_over_time() const { return weights.duration > 0.0; }
};

/// What a motion asks of an arm, by joint: the largest |τ| and the RMS of τ, N·m or N.
struct TorqueNeed {
  std::vector<double> peak, rms;
  std::vector<MotorReach> motors;  ///< of couplings, that have torque limits; at rows

  /// The largest share of a limit that motors reach.
  [[nodiscard]] double motor_share() const;
};
[[nodiscard]] TorqueNeed torque_need(const Robot& robot, const HeldMotion& motion);

/// What the peaks of the joints are measured by: their torque limits, where there is one; else
/// the peaks of the arm as its file has it. 0: that joint's does not count.
[[nodiscard]] std::vector<double> peak_scales(const Robot& robot, const TorqueNeed& nominal);

/// The columns of a row per sample: sample, moved, share, peak1.., rms1...
using ArmRows = Columns;

/// Their writer, for arms of `dof` joints.
void add_arm_columns(BlockWriter<ArmRows>& writer, std::size_t dof);

/// Draws the samples whose numbers are the lines of a block, and computes their rows.
class ArmWorker {
 public:
  ArmWorker(const RobotSampler& draws, const HeldMotion& motion, const std::vector<double>& scales)
      : draws_(draws), motion_(motion), scales_(scales) {}

  /// Throws NumericsError naming the sample.
  void operator()(const Table& samples, ArmRows& rows) const;

 private:
  const RobotSampler& draws_;
  const HeldMotion& motion_;
  const std::vector<double>& scales_;
};

}  // namespace armdyn
