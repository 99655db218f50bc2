#pragma once

#include <armdyn/simulation.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace armdyn {

inline constexpr double forever = std::numeric_limits<double>::infinity();
/// Of a time, over it: times that differ by less are one.
inline constexpr double time_rounding = 4.0 * std::numeric_limits<double>::epsilon();

/// Whether a step changes a time near `start`.
[[nodiscard]] inline bool is_noticeable(double step, double start) {
  return step >= time_rounding * std::abs(start);
}

/// Throws std::invalid_argument for what makes no simulation.
void require_sound(const SimulationOptions& options);

/// Where steps end: on the grid start + k·step, on the ends of stretches, and at the end of time.
class StepEnds {
 public:
  explicit StepEnds(const SimulationOptions& options);

  [[nodiscard]] double end() const { return end_; }

  /// The next one after t, if the stretch ends at `stretch_end`. Ends that all but fall together
  /// are one.
  double next(double t, double stretch_end);

 private:
  [[nodiscard]] double grid(std::uint64_t index) const;

  double start_, step_, end_;
  std::optional<double> steps_per_second_;  ///< where it is a whole number
  std::uint64_t index_ = 1;
};

}  // namespace armdyn
