#pragma once

// What a log says of an arm's parameters, block by block (docs/derivation.md, section 29).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "identification/identification_model.hpp"
#include "identification/torque_fit.hpp"

namespace armdyn {

/// One log as far as it counts, in bounded memory.
class LogEquations {
 public:
  LogEquations(std::string name, const IdentificationModel& model);

  /// What a thread computes of a block: Y, row after row, and what the robot as it was predicts.
  struct Block {
    std::vector<std::vector<double>> Y, predicted;
  };
  /// Of the rows of a block, by joint.
  struct Rows {
    using Columns = std::vector<std::span<const double>>;
    std::size_t count = 0;
    Columns qd, qdd, tau;               ///< of the fits
    Columns measured_tau;               ///< without smoothing
    Columns tau_rate;                   ///< dτ/dt of the fits
    double window = 0.0;                ///< of the fits, s
    std::span<const double> is_at_end;  ///< 1: of the first or the last half second; 0: not
  };
  /// In their order.
  void add(const Block& block, const Rows& rows);
  void finish() {
    rows_.finish();
    ends_.finish();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const TorqueFitRows& rows() const { return rows_; }
  /// Those of the first and the last half second, which are not among `rows`.
  [[nodiscard]] const TorqueFitRows& ends() const { return ends_; }
  [[nodiscard]] std::size_t row_count() const { return row_count_; }
  /// Root mean square of a joint's speed.
  [[nodiscard]] double speed(std::size_t joint) const;
  /// Root mean square of what a parameter of a drive makes of its joint's torque, if it is 1.
  [[nodiscard]] double column_rms(std::size_t parameter) const;
  /// Of the measured torque of a joint and the predicted one of another: correlation and slope.
  struct Likeness {
    double correlation = 0.0, slope = 0.0;
  };
  [[nodiscard]] Likeness likeness(std::size_t measured, std::size_t predicted) const;

 private:
  std::string name_;
  const IdentificationModel& model_;
  TorqueFitRows rows_, ends_;
  std::size_t row_count_ = 0;
  std::vector<double> speed_squares_;
  std::vector<double> column_squares_;                 // of parameters of drives
  std::vector<double> first_tau_, tau_, tau_squares_;  // sums about the first row
  std::vector<double> first_predicted_, predicted_, predicted_squares_;
  Eigen::MatrixXd products_;
};

/// Computes blocks for LogEquations; one object per thread.
class EquationWorker {
 public:
  EquationWorker(const IdentificationModel& model, const BlockInverseDynamics& as_it_was)
      : regressor_(model.regressor()), as_it_was_(as_it_was) {}
  void operator()(const MotionBlock& motion, LogEquations::Block& block);

 private:
  Regressor regressor_;
  BlockInverseDynamics as_it_was_;
};

}  // namespace armdyn
