#pragma once

// From the number of a sample to an arm, and from the arm to the torques of its motion.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/held_motion.hpp"
#include "cli/vary/options.hpp"
#include "io/file/input_file.hpp"
#include "io/table/block_pipeline.hpp"
#include "log/log_reader.hpp"
#include "log/motion_row.hpp"
#include "log/row_writer.hpp"
#include "report/column_figures.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// What a motion asks of an arm, by joint: the largest |τ| and the RMS of τ, N·m or N.
struct TorqueNeed {
  std::vector<double> peak, rms;
  std::vector<MotorReach> motors;  ///< of couplings, that have torque limits; at rows

  /// Shares that peaks have of their scales, by joint, then those of motors' limits.
  [[nodiscard]] std::vector<double> shares(const std::vector<double>& scales) const;
};
[[nodiscard]] TorqueNeed torque_need(const Robot& robot, const HeldMotion& motion);

/// What the peaks of the joints are measured by: their torque limits, where there is one; else
/// the peaks of the arm as its file has it. 0: that joint's does not count.
[[nodiscard]] std::vector<double> peak_scales(const Robot& robot, const TorqueNeed& nominal);

/// A drawn number, and how much of the excess of an arm's largest share goes where it is as in the
/// file.
struct Cause {
  std::string name;
  double of_excess = 0.0;
};

/// What makes an arm the worst one.
struct WorstArm {
  std::size_t where = 0;      ///< in TorqueNeed::shares
  std::vector<Cause> causes;  ///< largest first; none where no share is above the file's
};
[[nodiscard]] WorstArm worst_arm(const RobotSampler& draws, std::uint64_t sample,
                                 const HeldMotion& motion, const TorqueNeed& nominal,
                                 const std::vector<double>& scales);

/// The columns of a row per sample: sample, moved, share, peak1.., rms1.., and where motors of
/// couplings have torque limits motor_peak1..
using ArmRows = Columns;

/// Their writer.
void add_arm_columns(BlockWriter<ArmRows>& writer, const Robot& robot);

/// Draws the samples whose numbers are the lines of a block, and computes their rows.
class ArmWorker {
 public:
  ArmWorker(const RobotSampler& draws, const HeldMotion& motion, const TorqueNeed& nominal,
            const std::vector<double>& scales)
      : draws_(draws), motion_(motion), nominal_(nominal), scales_(scales) {}

  /// Throws NumericsError naming the sample.
  void operator()(const Table& samples, ArmRows& rows) const;

 private:
  const RobotSampler& draws_;
  const HeldMotion& motion_;
  const TorqueNeed& nominal_;
  const std::vector<double>& scales_;
};

}  // namespace armdyn
