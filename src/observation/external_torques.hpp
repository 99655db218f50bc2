#pragma once

// External torques with their bands (docs/derivation.md, section 37).

#include "observation/load_history.hpp"

namespace armdyn {

/// Rows at the log's times: external torques τ − model, and where 95 % of the true ones are.
struct ExternalTorques {
  Columns value, low, high;
  Columns beyond_load;        ///< without the torques of the loads
  Columns error;              ///< standard deviation of either
  std::vector<double> noise;  ///< of each joint, after the filter; the median of its rows

  /// Standard deviations at a row, with what dry friction at rest leaves open.
  [[nodiscard]] std::vector<double> deviations(std::size_t row) const;
};

/// Width T of the filter: 10 ms, or two usual steps.
[[nodiscard]] double filter_width(const ObservedLog& log);

/// Torques M δ of accelerations δ, by the robot and by what is known of its errors and loads.
[[nodiscard]] Columns inertial_torques(const Robot& robot, ErrorRegressor& regressor,
                                       const ObservedLog& log, const LoadHistory& loads,
                                       Columns accelerations);

/// `direct` is τ − τ(robot) of each row.
[[nodiscard]] ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                               const ObservedLog& log, const Columns& direct,
                                               Residual residual, const LoadHistory& loads);

}  // namespace armdyn
