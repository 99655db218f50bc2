#pragma once

// The load at the tool over a log: when it changed, and what it is (docs/derivation.md, section 37).

#include "observation/observer.hpp"

namespace armdyn {

/// Knowledge of the errors of an arm's base parameters.
struct ArmErrors {
  enum class Known {
    exact,     ///< there are none
    by_prior,  ///< estimate and inverse covariance
    not_at_all
  };
  Known known = Known::exact;
  Eigen::VectorXd values{};
  Eigen::MatrixXd information{};
};

/// Errors of the base parameters by what the robot's file has of their identification; none, if it
/// has nothing, or another arm's.
[[nodiscard]] ArmErrors errors_of_file(const Robot& robot, const ErrorRegressor& regressor);

/// A load from one row to another, by the ten parameters of a body in the tool frame.
struct LoadInterval {
  std::size_t from = 0, to = 0;  ///< rows; the last one excluded
  Eigen::VectorXd load{};
  Eigen::MatrixXd covariance{};

  [[nodiscard]] double mass() const { return load[0]; }
  [[nodiscard]] double mass_error() const { return std::sqrt(covariance(0, 0)); }
  /// Center of mass and its standard deviations.
  [[nodiscard]] Eigen::Vector3d com() const { return load.segment<3>(1) / load[0]; }
  [[nodiscard]] Eigen::Vector3d com_error() const;
  /// Tests whether it is a body: a mass, near the tool, beyond chance.
  [[nodiscard]] bool is_body() const;
};

struct LoadHistory {
  std::vector<LoadInterval> intervals;  ///< all rows, in order
  ArmErrors::Known known = ArmErrors::Known::exact;
  Eigen::VectorXd arm;              ///< errors of the base parameters; empty: none
  Eigen::MatrixXd arm_covariance;   ///< of these
  Eigen::MatrixXd arm_information;  ///< as a prior for another log
  std::vector<double> noise;  ///< of each joint's torque, by the half of the log that fits best
};

/// Finds the loads (eq. 37.5-40.8). `left` is τ − τ(robot) of each row. With `may_change` false
/// there is one interval without a load.
[[nodiscard]] LoadHistory find_loads(ErrorRegressor& regressor, const ObservedLog& log,
                                     const Columns& left, const ArmErrors& arm,
                                     bool may_change = true);

}  // namespace armdyn
