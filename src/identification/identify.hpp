#pragma once

// The parameters of an arm from its logs (docs/derivation.md, sections 28-30).

#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <optional>
#include <string>
#include <vector>

#include "identification/linear_equations.hpp"
#include "identification/torque_fit.hpp"

namespace armdyn {

/// Tells whether some joint moves; a fit would mean nothing otherwise.
[[nodiscard]] bool moves(const LogEquations& log, const Robot& robot);

/// Share of a log that is fitted where nothing else is held out.
inline constexpr double fitted_share = 0.8;

/// The new robot, and how far to trust it.
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
  TorqueFit fit;
  std::vector<Misfit> fitted, held_out;  ///< of the new robot, by joint
  std::vector<Misfit> held_out_offset;   ///< with the offsets and the delay of the fitted logs
  std::vector<Misfit> held_out_ends;     ///< of the new robot, in the first and last half seconds
  /// Misfits of the new robot, on all that was held out, and where joints move; what friction takes
  /// up at rest is no residual.
  std::vector<Misfit> held_out_all, held_out_moving;
  std::vector<Misfit> unconstrained;  ///< of β, with both, on what was held out
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
  bool is_better = false;         ///< than the prior, on what was held out
};

/// `logs` are fitted, `held_out` judged; without those, the last fifth of each log is.
[[nodiscard]] Identification identify(const Robot& as_it_was, const IdentificationModel& model,
                                      const std::vector<LogEquations>& logs,
                                      const std::vector<LogEquations>& held_out);

}  // namespace armdyn
