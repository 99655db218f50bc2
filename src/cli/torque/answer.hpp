#pragma once

// Summary of a whole motion by `torque`: peaks, RMS, shares of the limits, residuals.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/setting_out.hpp"
#include "math/motion_tally.hpp"
#include "motion/friction_fit.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Columns of one block of rows; one span per joint. `t` and `measured` are empty if not there;
/// `breaks` are the rows that come after a gap, increasing.
struct TorqueColumns {
  std::size_t rows = 0;
  std::span<const double> t;
  std::span<const std::size_t> breaks;
  std::vector<std::span<const double>> q, qd, qdd, tau, measured;
};

/// Measured minus computed torque of a joint, and the friction that would explain it.
class TorqueResidual {
 public:
  /// Takes the rows of a block; `at_rest` are those in which the joint's contact rests.
  void add(const TorqueColumns& block, const Joint& joint,
           std::span<const FrictionContact> contacts, std::size_t number,
           const std::vector<bool>& at_rest, const MotionTally& tally);
  [[nodiscard]] Fields fields(double torque_rms, const MotionTally& tally) const;
  /// Names the friction that would explain a good part of it.
  [[nodiscard]] std::optional<std::string> hint(const Joint& joint, const DriveTally& drive,
                                                const MotionTally& tally) const;

 private:
  [[nodiscard]] std::optional<FrictionFit::Result> friction(const Joint& joint, double most_speed,
                                                            double torque_rms) const;

  ColumnTally tally_;
  Correlation correlation_;  // of the measured and the computed torque
  FrictionFit fit_;
  double last_velocity_ = 0.0;
};

class TorqueSummary {
 public:
  explicit TorqueSummary(const Robot& robot);

  void add(const TorqueColumns& block);

  /// rows, t, joints, motors, energy; under the keys of docs/commands/torque.md.
  [[nodiscard]] Sections sections() const;
  /// Limits that are exceeded, one sentence each.
  [[nodiscard]] std::vector<std::string> exceeded_limits() const;
  /// RMS of each joint's torque, N·m or N.
  [[nodiscard]] std::vector<double> rms() const;
  [[nodiscard]] bool has_rows() const { return tally_.rows() > 0; }

 private:
  struct JointRecord {
    // Times are rows, from 1, where there is no time.
    DriveTally drive;
    Extreme acceleration;
    Extreme set_out;       ///< |τ| as it sets out from rest
    Extreme below, above;  ///< how far the position leaves its limits
    TorqueResidual residual;
    std::size_t rows_at_rest = 0;
  };

  /// A row from which contacts may set out.
  struct Row {
    std::vector<double> q, qd, qdd, tau;
    double t = 0.0;
  };

  void add_starts(const TorqueColumns& block);
  void add_start(const Row& row, std::span<const double> next_qd);

  void add(const TorqueColumns& block, std::size_t joint);
  void add(const TorqueColumns& block, RowReach& reach) const;
  [[nodiscard]] Fields head() const;
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] std::string place(double at) const;
  std::size_t find_rest(const TorqueColumns& block, std::size_t joint);
  [[nodiscard]] Fields energy() const;
  [[nodiscard]] Value share_at_rest(const JointRecord& record) const;
  [[nodiscard]] std::string note_on_rest() const;

  const Robot& robot_;
  std::vector<FrictionContact> contacts_;
  bool is_dry_;  ///< some friction is
  std::vector<JointRecord> records_;
  std::vector<RowReach> rows_, starting_rows_;
  std::optional<SettingOut> setting_out_;  ///< where it matters for limits
  std::optional<Row> last_row_;
  MotionTally tally_;
  std::vector<bool> at_rest_;  ///< rows of one joint in the block
  bool has_measured_ = false;
};

}  // namespace armdyn
