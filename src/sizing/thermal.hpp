#pragma once

// Temperatures of a motor whose cycle repeats (docs/derivation.md, eq. 35.5-35.8).

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <optional>
#include <span>

namespace armdyn {

/// What a motor's temperatures are once its cycle has repeated long enough, °C.
struct SteadyTemperatures {
  TimedValue hottest;    ///< of the winding, with its time in the cycle
  double coolest = 0.0;  ///< of the winding
  double mean = 0.0;     ///< of the winding, over time
  double housing = 0.0;  ///< at its hottest
};

struct ThermalNeed {
  std::optional<SteadyTemperatures> steady;  ///< nothing: the winding runs away
  /// From the ambient until the winding is as hot as it may be, s; nothing: that is not given, or
  /// not reached.
  std::optional<double> time_to_limit;
};

/// Whether these are two bodies: both resistances and both capacities are there.
[[nodiscard]] bool is_complete(const MotorThermal& thermal);

/// `losses`: of the copper at each row, at `resistance_temperature`, W; `steps`: times from the rows
/// before, s. Thermal must be complete.
[[nodiscard]] ThermalNeed thermal_need(const MotorThermal& thermal, std::span<const double> losses,
                                       std::span<const double> t, std::span<const double> steps);

}  // namespace armdyn
