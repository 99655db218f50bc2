#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/kept_within.hpp"
#include "motion/polynomial.hpp"
#include "motion/spline.hpp"
#include "motion/timing.hpp"

namespace armdyn {

namespace {

/// How long the velocity rises, and falls: a third of the time, or what the limits ask for
/// (eq. 10.4).
double blend_time(Profile profile, std::span<const double> ways, double duration,
                  const std::vector<RateLimit>& limits) {
  const RateLimit pace = common_pace(ways, limits);
  const double v = pace.velocity, a = pace.acceleration;
  if (profile == Profile::trapezoid || std::isinf(a)) return duration / 3;
  const double half = duration / 2;
  const double b = 1.0 / a / (half + std::sqrt(std::max(0.0, half * half - 1.0 / a)));
  // Where hardly any time is left between the blends the root is rounding, and v says more.
  return b > duration / 4 && v * duration > 1.0 ? std::min(b, duration - 1.0 / v) : b;
}

/// Velocity rises evenly for a time b, stays, and falls for a time b (eq. 10.3). Each piece is
/// written about the time where its value is known: the begin, the middle, the end.
Trajectory trapezoid(std::span<const double> from, std::span<const double> to, double T, double b) {
  const double a = 1.0 / (b * (T - b));
  const double v = 1.0 / (T - b);
  PolynomialPiece rise{0.0, 0.0, {}}, cruise{b, T / 2, {}}, fall{T - b, T, {}};
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double way = to[i] - from[i];
    rise.joints.push_back({from[i], 0.0, way * a / 2});
    cruise.joints.push_back({from[i] + way / 2, way * v});
    fall.joints.push_back({to[i], 0.0, -way * a / 2});
  }
  if (fall.begin <= cruise.begin) {
    return TrajectoryLaw::make<PolynomialLaw>(std::vector<double>{0.0, T / 2, T},
                                              std::vector<PolynomialPiece>{rise, fall});
  }
  return TrajectoryLaw::make<PolynomialLaw>(std::vector<double>{0.0, cruise.begin, fall.begin, T},
                                            std::vector<PolynomialPiece>{rise, cruise, fall});
}

void require_same_size(std::span<const double> from, std::span<const double> to) {
  if (from.size() != to.size() || from.empty()) {
    throw std::invalid_argument("both ends of a motion need one entry per joint");
  }
}

}  // namespace

Trajectory point_to_point(std::span<const double> from, std::span<const double> to, Profile profile,
                          const Timing& timing) {
  require_same_size(from, to);
  require_sound(timing, from.size());
  std::vector<double> ways;
  for (std::size_t i = 0; i < from.size(); ++i) ways.push_back(to[i] - from[i]);

  const bool moves = std::any_of(ways.begin(), ways.end(), [](double way) { return way != 0.0; });
  const bool limited = !timing.limits.empty() && (moves || !timing.duration);
  const double shortest = limited ? shortest_duration(ways, profile, timing.limits) : 0.0;
  const double duration = chosen_duration(timing, shortest);

  if (profile == Profile::trapezoid || profile == Profile::lspb) {
    return kept_within(
        trapezoid(from, to, duration, blend_time(profile, ways, duration, timing.limits)),
        timing.limits);
  }
  return kept_within(spline_through(std::vector<double>{0.0, duration},
                                    {{from.begin(), from.end()}, {to.begin(), to.end()}},
                                    *end_conditions(profile)),
                     timing.limits);
}

}  // namespace armdyn
