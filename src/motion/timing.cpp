#include "motion/timing.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace armdyn {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Largest rates of a profile that goes from 0 to 1 in unit time (eq. 10.2).
RateLimit unit_peaks(Profile profile) {
  switch (profile) {
    case Profile::trapezoid:
      return {3.0 / 2, 9.0 / 2, unlimited};
    case Profile::cubic:
      return {3.0 / 2, 6.0, unlimited};
    case Profile::quintic:
      return {15.0 / 8, 10.0 / std::sqrt(3.0), 60.0};
    case Profile::septic:
      return {35.0 / 16, 84.0 * std::sqrt(5.0) / 25, 52.5};
    case Profile::lspb:
      break;
  }
  throw std::invalid_argument("the shape of this profile depends on its limits");
}

}  // namespace

double stretch_to(const std::vector<RateLimit>& limits, const std::vector<RateLimit>& peaks) {
  double factor = 0.0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    factor = std::max({factor, peaks[i].velocity / limits[i].velocity,
                       std::sqrt(peaks[i].acceleration / limits[i].acceleration)});
    if (std::isinf(limits[i].jerk)) continue;
    factor = std::max(factor, std::cbrt(peaks[i].jerk / limits[i].jerk));
  }
  return factor;
}

double shortest_duration(std::span<const double> ways, Profile profile,
                         const std::vector<RateLimit>& limits) {
  if (std::all_of(ways.begin(), ways.end(), [](double way) { return way == 0.0; })) {
    throw InputError("no joint moves, so limits do not say how long it takes; give a duration");
  }
  const bool has_bounded_jerk = profile == Profile::quintic || profile == Profile::septic;
  for (std::size_t i = 0; i < limits.size() && !has_bounded_jerk; ++i) {
    if (ways[i] == 0.0 || std::isinf(limits[i].jerk)) continue;
    throw InputError(
        "the jerk of this profile has no bound; within limits of jerk, take quintic "
        "or septic");
  }
  double duration = 0.0;
  if (profile == Profile::lspb) {
    const RateLimit pace = common_pace(ways, limits);
    if (std::isinf(pace.acceleration)) {
      throw InputError("no joint that moves has an acceleration limit, which lspb needs");
    }
    const double v = pace.velocity, a = pace.acceleration;
    duration = v * v < a ? 1.0 / v + v / a : 2.0 / std::sqrt(a);  // (10.4)
  } else {
    const RateLimit unit = unit_peaks(profile);
    std::vector<RateLimit> peaks;
    for (const double way : ways) {
      const double size = std::abs(way);
      const double jerk = size > 0.0 ? size * unit.jerk : 0.0;
      peaks.push_back({size * unit.velocity, size * unit.acceleration, jerk});
    }
    duration = stretch_to(limits, peaks);
  }
  if (duration == 0.0) {
    throw InputError("no joint that moves has a limit to say how long it takes; give a duration");
  }
  return duration;
}

RateLimit common_pace(std::span<const double> ways, const std::vector<RateLimit>& limits) {
  RateLimit pace;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (ways[i] == 0.0) continue;
    pace.velocity = std::min(pace.velocity, limits[i].velocity / std::abs(ways[i]));
    pace.acceleration = std::min(pace.acceleration, limits[i].acceleration / std::abs(ways[i]));
  }
  return pace;
}

double chosen_duration(const Timing& timing, double shortest) {
  if (!timing.duration) return shortest;
  if (*timing.duration < shortest * (1.0 - 1e-12)) {
    throw InputError(fmt::format(
        "within these limits the motion takes at least {:.6g} s, but {:.6g} s are asked for",
        shortest, *timing.duration));
  }
  return *timing.duration;
}

void require_sound(const Timing& timing, std::size_t dof) {
  if (timing.duration && !(*timing.duration > 0.0 && std::isfinite(*timing.duration))) {
    throw std::invalid_argument("a duration must be positive");
  }
  if (!timing.duration && timing.limits.empty()) {
    throw std::invalid_argument("a motion needs a duration or limits");
  }
  if (!timing.limits.empty() && timing.limits.size() != dof) {
    throw std::invalid_argument("limits need one entry per joint");
  }
  for (const RateLimit& limit : timing.limits) {
    if (!(limit.velocity > 0.0) || !(limit.acceleration > 0.0) || !(limit.jerk > 0.0)) {
      throw std::invalid_argument("limits of velocity, acceleration and jerk must be positive");
    }
  }
}

}  // namespace armdyn
