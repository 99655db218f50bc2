#pragma once

// Rows of a trajectory for a page that computes their torques anew (report/document.hpp).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <optional>
#include <span>
#include <vector>

#include "report/document.hpp"

namespace armdyn {

/// Keeps all rows of a short trajectory, of a longer one every second, fourth and so on, and always
/// those of the largest torques.
class AdjustableRows {
 public:
  explicit AdjustableRows(const Robot& robot);

  /// Adds a row; `values`: t, q, qd, qdd and τ, dof each but for t.
  void add(std::span<const double> values);
  /// Adds the state of an arm, with the torques that Newton and Euler's equations have for it.
  void add(double t, const MotionState& state, const Wrench& wrench = {});

  /// Nothing where the page cannot compute them: of very many joints, and of springs with a law that is
  /// no formula. `rms`: of the torques of all rows, of each joint, N·m or N; none: of those that are
  /// kept.
  [[nodiscard]] std::optional<AdjustableTorque> finish(bool has_wrench,
                                                       std::vector<double> rms = {});

 private:
  struct Row {
    std::size_t number = 0;
    std::vector<double> values;
  };
  void thin_out();
  void insert_peaks();

  const Robot& robot_;
  Arm arm_;
  std::vector<std::vector<double>> columns_;  ///< as of AdjustableTorque
  std::vector<Row> peaks_;                    ///< rows of the largest torque of each joint
  std::size_t count_ = 0, stride_ = 1;
};

}  // namespace armdyn
