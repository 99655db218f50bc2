#pragma once

#include <armdyn/log.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Identification of an arm's parameters from its logs (docs/derivation.md, sections 28-30).

namespace armdyn {

enum class FrictionLaw { as_the_robot, viscous, coulomb, sigmoid };

struct IdentifyTask {
  FrictionLaw law = FrictionLaw::as_the_robot;
  std::vector<std::string>
      free;  ///< payload, rotors, friction, offsets, delay, names of joints; none: all
             ///< but the payload
  std::vector<std::string> fixed{};
  double prior_weight = 1.0;  ///< above 0
  /// Speed below which rows do not count where dry friction jumps, rad/s, m/s, 0 or more.
  double dead_zone = 0.01;
};

/// Residuals in one joint's torques, of base parameters β or of a robot.
struct Misfit {
  double rows = 0.0;
  double rms = 0.0;                                      ///< of the residual
  double before = 0.0;                                   ///< of the robot as it was
  double torque_rms = 0.0;                               ///< of the smoothed torque about its mean
  double measured_rms = 0.0, measured_torque_rms = 0.0;  ///< the same without smoothing of torques
};
/// Condition of a fit above which an excitation is poor.
inline constexpr double poor_condition = 200.0;
/// Condition above which β has errors that the spread of the blocks does not show.
inline constexpr double untold_condition = 1e3;

/// Figures on the quality of a fit of torques.
struct FitFigures {
  std::vector<double> noise;  ///< standard deviation of each joint's residual
  double correlation = 1.0;   ///< rows that are worth one independent row
  double condition = 1.0;     ///< of the columns, each scaled to 1, as far as they are seen
  std::size_t outlying = 0, blocks = 0;  ///< blocks of joints that fit much worse and count less

  /// Tells whether the spread of the blocks shows the errors.
  [[nodiscard]] bool shows_errors() const { return condition <= untold_condition; }
};

/// The new robot, and its errors and misfits.
struct Identification {
  struct Base {
    std::string words, unit;
    double prior = 0.0, value = 0.0, error = 0.0;  ///< error: one standard deviation, or infinite
    double fitted = 0.0;                           ///< of the new robot
  };
  struct Full {
    DynamicParameter parameter;  ///< with the prior's value
    double value = 0.0, error = 0.0, from_data = 0.0;
  };
  Robot robot;  ///< the new one; offsets are no part of it
  std::vector<Base> base;
  std::vector<Full> full;
  std::vector<std::string> moved;  ///< bodies of the prior that were none
  std::vector<std::string> still;  ///< joints that do not leave the dead zone in any fitted log
  FitFigures fit;
  std::vector<Misfit> fitted, held_out;  ///< of the new robot, by joint
  std::vector<Misfit> held_out_offset;   ///< with the offsets and the delay of the fitted logs
  std::vector<Misfit> held_out_ends;     ///< of the new robot, in the first and last half seconds
  /// Misfits of the new robot in all rows held out, and in those where joints move; torque that
  /// friction holds at rest is no residual.
  std::vector<Misfit> held_out_all, held_out_moving;
  std::vector<Misfit> unconstrained;  ///< of β, with offsets and delay, in the rows held out
  std::vector<double> offsets;        ///< of the measured torques
  struct Estimate {
    double value = 0.0, error = 0.0;
  };
  std::optional<Estimate> delay;  ///< of the measured torques after the motion, s; if looked for
  /// Fits of each log alone, over their errors (29.7); where there are several logs.
  struct Disagreement {
    double rms_z = 0.0;
    bool is_chance = true;          ///< else errors are widened
    std::size_t worst = 0;          ///< of β
    std::vector<Estimate> of_logs;  ///< of that entry
  };
  std::optional<Disagreement> between_logs;
  std::optional<double>
      gain;                  ///< of all measured torques over those of the robot as it was, if one
  bool errors_cover = true;  ///< those of parameters; not of too narrow windows or poor excitation
  bool held_out_is_tail = false;  ///< the last fifth of each log, for want of another
  bool is_better = false;         ///< than the prior, in the rows held out
};

/// Identifies the arm's parameters from logs that were read with `derive` and `smooth`. Those of
/// `held_out` are judged and not fitted; without them, the last fifth of each log is. Leaves
/// held_out_all and held_out_moving empty, for which the rows would be needed again. Throws
/// std::invalid_argument for no logs, for numbers that a task does not take and for names that the
/// robot does not have; InputError for a log without torques, smoothing or motion, with columns of
/// unlike rows or not one per joint, or with numbers that are not finite. Messages name the
/// program's options.
[[nodiscard]] Identification identify(const Robot& robot, std::span<const LogRows> logs,
                                      std::span<const LogRows> held_out = {},
                                      const IdentifyTask& task = {});

}  // namespace armdyn
