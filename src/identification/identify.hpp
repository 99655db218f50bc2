#pragma once

// Identification of an arm's parameters from its logs (docs/derivation.md, sections 28-30).

#include <armdyn/identification.hpp>
#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "identification/linear_equations.hpp"

namespace armdyn {

/// Throws InputError, in the name of the log's file, where no rows are left to fit, no joint moves,
/// which `remarks` on the log may explain, or one moves without a torque.
void require_motion(const LogEquations& log, const Robot& robot, const std::string& file,
                    const std::vector<std::string>& remarks = {});

/// Share of a log that is fitted where no other log is held out.
inline constexpr double fitted_share = 0.8;

/// Fits `logs`, and judges by `held_out`, or without them by the last fifth of each log.
[[nodiscard]] Identification identify(const Robot& as_it_was, const IdentificationModel& model,
                                      const std::vector<LogEquations>& logs,
                                      const std::vector<LogEquations>& held_out);

}  // namespace armdyn
