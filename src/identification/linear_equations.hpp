#pragma once

#include <Eigen/Core>
#include <armdyn/identification.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/friction.hpp"
#include "identification/torque_fit.hpp"
#include "math/columns.hpp"

namespace armdyn {

// Model of an identification (docs/derivation.md, section 28).

/// The robot whose joints have the friction of those that follow them.
[[nodiscard]] Robot with_friction_of_followers(Robot robot);

/// Joint whose torque shows the size of a parameter: its own; of a follower and a spring the first that
/// they load.
[[nodiscard]] std::size_t joint_that_shows(const DynamicParameter& parameter, const Robot& robot);

/// Dry friction of a contact, or a sigmoid of a joint.
struct DryFriction {
  std::size_t joint;                  ///< that of the motor, too
  std::vector<std::size_t> affected;  ///< joints whose torque it is part of
  double dead_zone = 0.0;             ///< speed of the joint, or of the motor without its gear
  double offset = 0.0, slope = 0.0;   ///< of a sigmoid, which bends; else friction jumps

  /// Sign of its argument; 0 in the dead zone.
  [[nodiscard]] int direction(double speed) const {
    const double argument = speed + offset;
    if (std::abs(argument) < dead_zone) return 0;
    return argument < 0.0 ? -1 : 1;
  }
};

/// Free parameters of a robot, and the equations for them.
class IdentificationModel {
 public:
  /// Throws std::invalid_argument, in the user's words, for a name that is no part of the robot.
  IdentificationModel(const Robot& robot, IdentificationOptions task);

  [[nodiscard]] const Robot& robot() const { return robot_; }
  [[nodiscard]] const IdentificationOptions& task() const { return task_; }
  [[nodiscard]] const Regressor& regressor() const { return regressor_; }
  [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
  [[nodiscard]] bool is_free(std::size_t parameter) const { return is_free_[parameter]; }
  /// Tests whether --free and --fix leave all of the arm to be fitted.
  [[nodiscard]] bool fits_whole_arm() const;
  [[nodiscard]] const BaseParameters& base() const { return base_; }
  /// Tests whether the delay of the torques is fitted. It comes last, after the base parameters.
  [[nodiscard]] bool finds_delay() const { return finds_delay_; }
  /// Base parameters that each joint's torque depends on.
  [[nodiscard]] const TorqueFitRows::UsedColumns& used() const { return used_; }
  [[nodiscard]] const std::vector<DryFriction>& dry_frictions() const { return dry_frictions_; }
  /// Speed or acceleration of the joint, or of the motor, that has this friction.
  [[nodiscard]] double speed(const DryFriction& of, std::span<const double> rates) const;
  /// Tests if dry friction in a joint's torque jumps at these speeds: within the dead zone of the
  /// joint's, or of those of coupled motors over the sum of their ratios.
  [[nodiscard]] bool is_slow(std::size_t joint, std::span<const double> qd) const;

 private:
  IdentificationOptions task_;
  Robot robot_;  ///< with the laws of friction that are fitted
  Regressor regressor_;
  std::vector<FrictionContact> contacts_;
  std::vector<std::size_t> free_;
  std::vector<bool> is_free_;
  BaseParameters base_;
  bool finds_delay_;
  TorqueFitRows::UsedColumns used_;
  std::vector<DryFriction> dry_frictions_;
};

// Equations of a log for an arm's parameters, block by block (docs/derivation.md, section 29).

/// Equations of one log, in bounded memory.
class LogEquations {
 public:
  LogEquations(std::string name, const IdentificationModel& model);

  /// Results of a thread for a block: Y, row after row, the torques of the robot as it was, and what
  /// a contact wrench, where there is one, takes of them.
  struct Block {
    Columns Y, predicted, of_wrench;
  };
  /// Quantities of the rows of a block, by joint.
  struct Rows {
    using Spans = std::vector<std::span<const double>>;
    std::size_t count = 0;
    std::span<const double> t;
    Spans qd, qdd, tau;                 ///< of the fits
    Spans measured_tau;                 ///< without smoothing
    Spans tau_rate;                     ///< dτ/dt of the fits
    Spans rate_variance;                ///< of the noise in dτ/dt
    double window = 0.0;                ///< of the fits, s
    std::span<const double> is_at_end;  ///< 1: of the first or the last half second; 0: not
  };
  /// Adds blocks in their order.
  void add(const Block& block, const Rows& rows);
  void finish();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const TorqueFitRows& rows() const { return rows_; }
  /// Rows of the first and the last half second, which are not among `rows`.
  [[nodiscard]] const TorqueFitRows& ends() const { return ends_; }
  [[nodiscard]] std::size_t row_count() const { return row_count_; }
  /// Root mean square of a joint's speed.
  [[nodiscard]] double speed(std::size_t joint) const;
  /// Mean square of all joints' accelerations, summed over them.
  [[nodiscard]] double squared_acceleration() const {
    return acceleration_squares_ / static_cast<double>(row_count_);
  }
  /// Measured torque of a joint, if it is the same number in all rows.
  [[nodiscard]] std::optional<double> constant_torque(std::size_t joint) const;
  /// Root mean square of a joint's torque by a parameter of its drive, if that is 1.
  [[nodiscard]] double column_rms(std::size_t parameter) const;
  /// Correlation and slope of the measured torque of a joint over the predicted one.
  struct Likeness {
    double correlation = 0.0, slope = 0.0;
  };
  [[nodiscard]] Likeness likeness(std::size_t joint) const;

 private:
  /// A row, until it is known whether dry friction reverses within its window.
  struct Waiting {
    double t;
    std::vector<bool> reverses;  ///< that of joints
    bool is_at_end = false;
    std::vector<std::vector<double>> equations{};  ///< of joints
    std::vector<TorqueFitRows::Torque> torques{};

    void leave_out(const DryFriction& friction) {
      for (const std::size_t j : friction.affected) reverses[j] = true;
    }
  };
  /// The last reversal of a friction.
  struct Reversal {
    const DryFriction* friction;
    int direction = 0;        ///< of the last row
    double at = 0.0;          ///< t
    bool comes_next = false;  ///< another one, by the acceleration of the last row
  };
  Waiting& await(double t, const std::vector<double>& qd, const std::vector<double>& qdd,
                 double window);
  void pass_on();
  void end_stretch();

  std::string name_;
  const IdentificationModel& model_;
  TorqueFitRows rows_, ends_;
  std::deque<Waiting> waiting_;
  std::vector<Reversal> reversals_;
  std::size_t row_count_ = 0;
  std::vector<double> speed_squares_;
  double acceleration_squares_ = 0.0;
  std::vector<double> column_squares_;  // of parameters of drives
  /// Measured and predicted torque of a joint in the first row, and sums about these, of their
  /// squares and of their product.
  struct Torques {
    double first[2] = {}, sums[2] = {}, squares[2] = {}, products = 0.0;
  };
  std::vector<Torques> torques_;
  std::vector<std::optional<double>> constant_torques_;  // of joints, while it is one number
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
