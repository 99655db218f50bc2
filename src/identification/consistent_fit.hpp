#pragma once

// Full parameters of possible bodies and drives from base parameters.

#include <armdyn/regressor.hpp>

#include <Eigen/Core>
#include <vector>

namespace armdyn {

/// Task of finding the parameters (docs/derivation.md, eq. 30.1).
struct ConsistentFitTask {
  std::vector<DynamicParameter>
      parameters;                   ///< free ones, ten of each body together; with their prior
  std::vector<double> prior_scale;  ///< of those of drives: standard deviation of the prior
  Eigen::MatrixXd combinations;     ///< β = combinations · π
  Eigen::VectorXd beta;             ///< estimate by torques
  Eigen::MatrixXd information;      ///< its inverse covariance
  double prior_weight = 1.0;
};

struct ConsistentFit {
  std::vector<double> parameters;  ///< π
  std::vector<double> errors;      ///< one standard deviation, from data and prior
  Eigen::MatrixXd covariance;      ///< from data and prior
  std::vector<double> from_data;   ///< 0: known by the prior alone; 1: by the data alone
};

/// Finds parameters near the prior where the data are silent: physically possible bodies, by the
/// logarithms of a Cholesky factor of their pseudo-inertia (Rucker and Wensing 2022), and friction
/// and rotors not below 0. The prior's bodies must be possible, with a mass and a volume.
[[nodiscard]] ConsistentFit fit_consistent(const ConsistentFitTask& task);

/// Body, or the nearest one with mass and volume: with a mass of at least `least_mass`, kg, and
/// second moments about its center not below a thousandth of their sum plus (1 cm)² times the mass;
/// without a mass before, not below (5 cm)² times that.
[[nodiscard]] MassProperties possible_body(const MassProperties& body, double least_mass);

}  // namespace armdyn
