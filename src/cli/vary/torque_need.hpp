#pragma once

// What a motion asks of arms, block by block.

#include <armdyn/robot.hpp>

#include <span>
#include <vector>

#include "dynamics/arm_program.hpp"
#include "log/stored_motion.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Demands of a motion on an arm, by joint: the largest |τ| and the RMS of τ, N·m or N.
struct TorqueNeed {
  std::vector<double> peak, rms;
  std::vector<RowReach> motors;  ///< with torque limits of their own; at rows

  /// Shares that peaks have of the torque limits of the joints, 0 where a joint has none, then those
  /// of motors' limits. Where the robot has no limit, of the peaks of the arm as its file has it.
  [[nodiscard]] std::vector<double> shares(const Robot& robot, const TorqueNeed& nominal) const;
};

/// The torques of a motion, a column per joint.
[[nodiscard]] Columns torques(const Robot& robot, const Columns& motion,
                              const MotionColumns& where);

/// Arms like that of the file, on motions with these columns.
[[nodiscard]] ArmsOnMotion arms_on(const MotionColumns& motion, const Robot& of_file);

/// The needs of these arms. Throws NumericsError, which names the arm by the number of its sample,
/// where these are given.
[[nodiscard]] std::vector<TorqueNeed> torque_needs(ArmsOnMotion& arms,
                                                   const std::vector<Robot>& robots,
                                                   const StoredMotion& motion,
                                                   std::span<const std::size_t> samples = {});

}  // namespace armdyn
