#include "simulation/step_ends.hpp"

#include <algorithm>
#include <cmath>

#include "simulation/require.hpp"

namespace armdyn {

namespace {

std::optional<double> whole_rate(double step) {
  const double rate = std::round(1.0 / step);
  if (rate >= 1.0 && 1.0 / rate == step) return rate;
  return {};
}

}  // namespace

void require_sound(const SimulationOptions& options) {
  require(options.step > 0.0 && std::isfinite(options.step), "the step must be positive");
  require(options.duration.value_or(0.0) >= 0.0 && std::isfinite(options.duration.value_or(0.0)),
          "the duration must not be negative");
  require(options.tolerance > 0.0, "the tolerance must be positive");
  require(options.every > 0, "rows need a positive number of steps between them");
}

StepEnds::StepEnds(const SimulationOptions& options)
    : start_(options.start),
      step_(options.step),
      end_(options.start + options.duration.value_or(forever)),
      steps_per_second_(whole_rate(options.step)) {}

double StepEnds::next(double t, double stretch_end) {
  const double close = std::max(1e-6 * step_, time_rounding * std::abs(t));
  while (grid(index_) <= t + close) ++index_;
  double next = grid(index_);
  if (stretch_end < next + close) next = stretch_end;
  if (end_ < next + close) next = end_;
  return next;
}

/// 0.3 rather than 3·0.1, which is a little more.
double StepEnds::grid(std::uint64_t index) const {
  const auto k = static_cast<double>(index);
  return start_ + (steps_per_second_ ? k / *steps_per_second_ : k * step_);
}

}  // namespace armdyn
