#pragma once

// Full parameters of possible bodies and drives from what torques can tell of them.

#include <armdyn/regressor.hpp>

#include <Eigen/Core>
#include <vector>

namespace armdyn {

/// Task of finding the parameters (docs/derivation.md, eq. 30.1).
struct ConsistentFitTask {
  std::vector<DynamicParameter>
      parameters;                   ///< free ones, ten of each body together; with their prior
  std::vector<double> prior_scale;  ///< of those of drives: how far from the prior is far
  Eigen::MatrixXd combinations;     ///< β = combinations · π
  Eigen::VectorXd beta;             ///< the estimate that torques give
  Eigen::MatrixXd information;      ///< its inverse covariance
  double prior_weight = 1.0;
};

struct ConsistentFit {
  std::vector<double> parameters;  ///< π
  std::vector<double> errors;      ///< one standard deviation, from data and prior
  std::vector<double> from_data;   ///< 0: as the prior has it; 1: as the data have it
};

/// Finds parameters near the prior where the data are silent: bodies that some distribution of mass
/// has, by the logarithms of a Cholesky factor of their pseudo-inertia (Rucker and Wensing 2022),
/// friction and rotors not below 0. The prior's bodies must be possible, with a mass and a volume.
[[nodiscard]] ConsistentFit fit_consistent(const ConsistentFitTask& task);

/// The body, or the nearest that has mass and volume: a mass of at least this, kg, and second
/// moments about its centre that are not below a thousandth of their sum nor of (1 cm)² times the
/// mass; where there was no mass, not below (5 cm)² times that.
[[nodiscard]] MassProperties possible_body(const MassProperties& body, double least_mass);

}  // namespace armdyn
