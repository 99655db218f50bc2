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
    ColumnTally residual;
    Correlation correlation;  // of the measured and the computed torque
    FrictionFit friction;     // in the residual
    std::size_t rows_at_rest = 0;
    double last_velocity = 0.0;
  };

  /// A row from which contacts may set out.
  struct Row {
    std::vector<double> q, qd, qdd, tau;
    double t = 0.0;
  };

  void add_starts(const TorqueColumns& block);
  void add_start(const Row& row, std::span<const double> next_qd);
  void add_residual(const TorqueColumns& block, std::size_t joint);

  void add(const TorqueColumns& block, std::size_t joint);
  void add(const TorqueColumns& block, RowReach& reach) const;
  [[nodiscard]] Fields head() const;
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] std::vector<std::string> friction_hints() const;
  [[nodiscard]] std::string place(double at) const;
  std::size_t find_rest(const TorqueColumns& block, std::size_t joint);
  [[nodiscard]] Fields energy() const;
  [[nodiscard]] Value share_at_rest(const JointRecord& record) const;
  [[nodiscard]] std::string note_on_rest() const;
  [[nodiscard]] std::optional<FrictionFit::Result> residual_fit(const JointRecord& record,
                                                                const FrictionFit& friction) const;
  [[nodiscard]] std::optional<FrictionFit::Result> residual_friction(std::size_t joint) const;

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
