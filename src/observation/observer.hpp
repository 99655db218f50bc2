#pragma once

// External joint torques from a log of motion and torques (docs/derivation.md, section 37).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "identification/linear_equations.hpp"
#include "math/columns.hpp"

namespace armdyn {

/// Rows of a log by column, in SI units.
struct ObservedLog {
  std::vector<double> t;
  std::vector<std::size_t> breaks;  ///< rows that come after a gap
  Columns q, qd, qdd, tau;
  bool derives_qd = false, derives_qdd = false;  ///< by fits

  [[nodiscard]] std::size_t rows() const { return t.size(); }
  /// Calls for the rows of each part without a gap: [from, end).
  template <class Call>
  void for_each_stretch(Call call) const {
    std::size_t from = 0;
    for (const std::size_t row : breaks) call(std::exchange(from, row), row);
    call(from, rows());
  }
  /// Calls for the rows of each half second: [from, end).
  template <class Call>
  void for_each_block(Call call) const {
    for (std::size_t from = 0, end = 0; from < rows(); from = end) {
      end = from + 1;
      while (end < rows() && t[end] < t[from] + block) ++end;
      call(from, end);
    }
  }
  static constexpr double block = 0.5;  // s
};

/// Columns of the errors of an arm's base parameters, offsets of the torques among them, and of a
/// load at the tool: τ − τ(robot) = Y β + Y_load φ (eq. 37.2). One object per thread.
class ErrorRegressor {
 public:
  /// `slow`: speed below which dry friction may be anything up to its level, rad/s or m/s.
  ErrorRegressor(const Robot& robot, double slow);

  [[nodiscard]] double slow() const { return model_.task().min_speed; }

  /// Number of base parameters.
  [[nodiscard]] Eigen::Index arm() const { return arm_; }
  /// The first parameter of each combination: "Izz2", "offset3".
  [[nodiscard]] std::vector<std::string> names() const;
  /// Matrices [Y, Y_load] of these rows, one per joint; without Y where only loads are requested.
  void rows(const ObservedLog& log, std::size_t first, std::size_t count, bool loads_alone,
            std::vector<Eigen::MatrixXd>& by_joint);
  /// As of IdentificationModel.
  [[nodiscard]] bool is_slow(std::size_t joint, std::span<const double> qd) const {
    return model_.is_slow(joint, qd);
  }
  /// Place of a joint's Coulomb friction among the base parameters.
  [[nodiscard]] std::optional<Eigen::Index> coulomb(std::size_t joint) const;

 private:
  IdentificationModel model_;
  Regressor regressor_;
  std::vector<std::size_t> places_;  // in a row of the regressor: of the arm, of the load
  Eigen::Index arm_;
  Columns block_;
};

/// (2T)⁻¹ e^(−|t|/T) over numbers `x` that are constant between rows, one less than
/// rows; scaled to weight 1 within the rows (eq. 37.4).
[[nodiscard]] std::vector<double> zero_phase(std::span<const double> t, std::span<const double> x,
                                             double T);

/// Residual of a log's torques in each interval between rows, before the filter; NaN across gaps.
enum class Residual {
  direct,   ///< mean of τ − τ(q, q̇, q̈) at its ends
  momentum  ///< mean of τ − β less the growth of M q̇, without q̈ (eq. 37.3)
};
[[nodiscard]] Columns residual_between_rows(const Robot& robot, const ObservedLog& log,
                                            const Columns& direct, Residual residual);

/// Replaces torques of one row that jump off both neighbors, which agree, by the mean of these, where
/// rows come so fast that no contact lasts for one alone.
void remove_spikes(ObservedLog& log);

/// τ − τ(q, q̇, q̈) of each row.
[[nodiscard]] Columns direct_residual(const Robot& robot, const ObservedLog& log);

/// A series between rows through the filter, stretch by stretch.
[[nodiscard]] Columns filtered(const ObservedLog& log, const Columns& between_rows, double T);

/// Torque constant of a joint's drive at the joint, N·m/A or N/A.
struct DriveGain {
  std::size_t joint = 0;
  double value = 0.0, error = 0.0;
};

/// Torque over current of the joints where a log shows it, beside offset and friction, which the
/// current has as well; by the model's torques, which have no noise (eq. 37.12). `current` is empty,
/// or a column per joint.
[[nodiscard]] std::vector<DriveGain> drive_gains(const ObservedLog& log, const Columns& residual,
                                                 const Columns& current);

/// A log of currents without torques.
struct LogOfCurrents {
  const ObservedLog& rows;
  const Columns& current;
  bool is_loaded;  ///< with the robot's payload
};
/// The same by the torques of the robot's payload in some of the logs. Currents of the arm are fitted
/// with its base parameters.
[[nodiscard]] std::vector<DriveGain> drive_gains_of_load(const Robot& robot, double slow,
                                                         std::span<const LogOfCurrents> logs);

}  // namespace armdyn
