#pragma once

// The excitation whose log tells an arm's base parameters best (docs/derivation.md, section 33).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "identification/linear_equations.hpp"
#include "model/motors.hpp"
#include "motion/excitation.hpp"

namespace armdyn {

/// Measure of how well a log of a motion tells the base parameters.
struct ExcitationQuality {
  double condition = 1.0;  ///< eq. 33.2; 10⁶ where something is not seen at all
  /// Of each base parameter: how much its variance is larger than if the columns of the others were
  /// orthogonal to its own.
  std::vector<double> inflation;
};

/// Looks for the Fourier series with the smallest condition, within limits of position, velocity,
/// acceleration and torque. The same arguments give the same motion. One object per thread.
class ExcitationSearch {
 public:
  /// `share`: that the motion may take of the robot's limits of torque, and of coupled motors.
  /// Throws InputError as `excite` does, and where a limit of torque leaves no room for a motion
  /// about the centre; std::invalid_argument for an excitation of another number of joints.
  ExcitationSearch(const Robot& robot, Excitation wanted, double share);

  /// The model that `identify` fits unless told otherwise.
  [[nodiscard]] const IdentificationModel& model() const { return model_; }
  /// σ of each joint that stands for the noise of its torque: the root mean square of its torque
  /// in the motion by chance, N·m or N.
  [[nodiscard]] const Eigen::VectorXd& noise() const { return noise_; }

  /// The motion that `excite` gives, made smaller until it keeps the limits of torque.
  [[nodiscard]] Trajectory by_chance() const { return fourier(by_chance_); }
  /// Number of motions that are tried.
  [[nodiscard]] std::size_t tries() const;
  /// The best motion that was found; `tried` hears before each try how many there were.
  [[nodiscard]] Trajectory best(const std::function<void(std::size_t)>& tried);

  [[nodiscard]] ExcitationQuality quality(const Trajectory& motion);
  /// The largest magnitude of each joint's torque, N·m or N.
  [[nodiscard]] std::vector<double> peak_torque(const Trajectory& motion);
  /// The same of a motor, N·m, and when.
  [[nodiscard]] TimedValue peak_torque(const Trajectory& motion, const MotorLimit& motor);

 private:
  using Series = std::vector<FourierSeries>;
  /// Rows of a motion, evenly over its period; a column per joint.
  struct Rows {
    Eigen::MatrixXd q, qd, qdd;
  };

  [[nodiscard]] Trajectory fourier(const Series& series) const;
  [[nodiscard]] Rows rows(const Trajectory& motion, int per_harmonic) const;
  /// The same motion about the centre, each joint's way times its factor.
  [[nodiscard]] Rows scaled_rows(const Rows& rows, const Eigen::VectorXd& factors) const;
  [[nodiscard]] Eigen::MatrixXd torque(const Rows& rows);
  /// The largest share of a limit of torque or of a coupled motor, and whose.
  struct Share {
    double value = 0.0;
    std::string whose{};
  };
  [[nodiscard]] Share common_share(const Rows& rows);
  /// The factor that brings all joints within the limits of torque and of coupled motors; 0 if
  /// nothing does.
  [[nodiscard]] double common_factor(const Rows& rows);
  [[nodiscard]] Eigen::VectorXd rate_factors(const Rows& rows) const;
  /// YᵀWY (eq. 33.1).
  [[nodiscard]] Eigen::MatrixXd information(const Rows& rows);
  /// The series made smaller until the motion keeps all limits.
  [[nodiscard]] Series kept(Series series);

  Excitation wanted_;
  Eigen::VectorXd torque_limits_;
  std::vector<MotorLimit> motor_limits_;
  IdentificationModel model_;
  Regressor regressor_;
  BlockInverseDynamics torque_;
  Series by_chance_;
  Eigen::VectorXd noise_;
};

}  // namespace armdyn
