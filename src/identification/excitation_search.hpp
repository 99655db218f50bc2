#pragma once

// Search for the excitation whose log determines an arm's base parameters best (docs/derivation.md,
// section 33).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/setting_out.hpp"
#include "identification/linear_equations.hpp"
#include "model/row_limits.hpp"
#include "motion/excitation.hpp"

namespace armdyn {

/// Part of the way from the center to the position limits that an excitation uses; a controller would
/// pass them that follows a motion up to them.
inline constexpr double excitation_reach = 0.95;

/// Limits on rows as an excitation about a center keeps them: `share` of those of rates and torques.
[[nodiscard]] std::vector<RowLimit> excitation_limits(const Robot& robot,
                                                      std::span<const double> center, double share);
/// Share of such a limit that a motion with this peak takes; of positions, of the way from the center.
[[nodiscard]] double share_of_limit(const RowLimit& limit, double peak,
                                    std::span<const double> center);

/// Quality of a motion for the identification of base parameters.
struct ExcitationQuality {
  double condition = 1.0;  ///< eq. 33.2; 10⁶ where a parameter is not seen at all
  /// Variance of each base parameter over that with the columns of the others orthogonal to its own.
  std::vector<double> inflation;
};

/// Search for the Fourier series with the smallest condition, within limits of position, velocity,
/// acceleration and torque. The same arguments give the same motion. One object per thread.
class ExcitationSearch {
 public:
  /// `share` is the usable part of the limits of the robot's torques, and on rows. Throws
  /// InputError as `excite` does, and where a limit of torque leaves no room for a motion about the
  /// center; std::invalid_argument for an excitation of another number of joints.
  ExcitationSearch(const Robot& robot, Excitation wanted, double share);

  /// Model that `identify` fits by default.
  [[nodiscard]] const IdentificationModel& model() const { return model_; }
  /// Standard deviation assumed for the noise of each joint's torque: the root mean square of its
  /// torque in the random motion, N·m or N.
  [[nodiscard]] const Eigen::VectorXd& noise() const { return noise_; }

  /// Random motion of `excite`, made smaller until it keeps the limits of torque.
  [[nodiscard]] Trajectory by_chance() const { return fourier(by_chance_); }
  /// Number of motions that are tried.
  [[nodiscard]] std::size_t tries() const;
  /// Best motion found; calls `tried` before each try with the number of earlier ones.
  [[nodiscard]] Trajectory best(const std::function<void(std::size_t)>& tried);

  [[nodiscard]] ExcitationQuality quality(const Trajectory& motion);
  /// Largest magnitude of each joint's torque, N·m or N.
  [[nodiscard]] std::vector<double> peak_torque(const Trajectory& motion);
  /// Largest magnitude of a motor's torque, N·m, with its time.
  [[nodiscard]] TimedValue peak_torque(const Trajectory& motion, const RowLimit& limit);

 private:
  using Series = std::vector<FourierSeries>;
  /// Rows of a motion, evenly over its period; a column per joint.
  struct Rows {
    Eigen::MatrixXd q, qd, qdd;
  };

  [[nodiscard]] Trajectory fourier(const Series& series) const;
  [[nodiscard]] Rows rows(const Trajectory& motion, int per_harmonic) const;
  /// Rows with each joint's way from the center times its factor.
  [[nodiscard]] Rows scaled_rows(const Rows& rows, const Eigen::VectorXd& factors) const;
  [[nodiscard]] Eigen::MatrixXd torque(const Rows& rows);
  /// Torques to compare with limits: in the first row, that to start from rest.
  [[nodiscard]] Eigen::MatrixXd asked_torque(const Rows& rows);
  /// Largest share of a limit of torque or on a row, and whose it is.
  struct Share {
    double value = 0.0;
    std::string whose{};
  };
  [[nodiscard]] Share common_share(const Rows& rows);
  /// Factor that brings all joints within the limits of torque and on rows; 0 if none does.
  [[nodiscard]] double common_factor(const Rows& rows);
  [[nodiscard]] Eigen::VectorXd rate_factors(const Rows& rows) const;
  /// Information YᵀWY (eq. 33.1).
  [[nodiscard]] Eigen::MatrixXd information(const Rows& rows);
  /// Series made smaller until the motion keeps all limits.
  [[nodiscard]] Series kept(Series series);

  Excitation wanted_;
  Eigen::VectorXd torque_limits_;
  std::vector<RowLimit> row_limits_;
  IdentificationModel model_;
  Regressor regressor_;
  BlockInverseDynamics torque_;
  SettingOut setting_out_;
  Series by_chance_;
  Eigen::VectorXd noise_;
};

}  // namespace armdyn
