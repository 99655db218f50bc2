#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/kept_within.hpp"
#include "motion/spline.hpp"
#include "motion/timing.hpp"

namespace armdyn {

namespace {

/// As long as the slowest joint takes at its velocity limit, or at one unit per second.
double stretch_time(const std::vector<double>& from, const std::vector<double>& to,
                    const std::vector<RateLimit>& limits) {
  double time = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool limited = !limits.empty() && std::isfinite(limits[i].velocity);
    const double pace = limited ? limits[i].velocity : 1.0;
    time = std::max(time, std::abs(to[i] - from[i]) / pace);
  }
  return time;
}

std::vector<double> paced_times(const std::vector<std::vector<double>>& q,
                                const std::vector<RateLimit>& limits) {
  std::vector<double> t{0.0};
  for (std::size_t k = 0; k + 1 < q.size(); ++k) {
    const double time = stretch_time(q[k], q[k + 1], limits);
    if (time == 0.0) {
      throw InputError(fmt::format(
          "waypoints {} and {} are the same; leave one out, or give each waypoint a time t", k + 1,
          k + 2));
    }
    t.push_back(t.back() + time);
  }
  return t;
}

/// Times whose first is 0, multiplied so that the last is `duration`.
std::vector<double> stretched(std::vector<double> t, double duration) {
  const double factor = duration / t.back();
  for (double& time : t) time *= factor;
  t.back() = duration;
  return t;
}

/// How long a motion takes that is stretched in time until the limits allow it, s.
double least_duration(const Trajectory& motion, const std::vector<RateLimit>& limits) {
  return (motion.end() - motion.begin()) * stretch_to(limits, peak_rates(motion));
}

void require_sound(const Waypoints& waypoints) {
  const auto& [t, q] = waypoints;
  if (q.size() < 2) throw std::invalid_argument("a motion needs two waypoints");
  if (!t.empty() && t.size() != q.size()) {
    throw std::invalid_argument("each waypoint has a time, or none has");
  }
  for (const std::vector<double>& row : q) {
    if (row.empty() || row.size() != q.front().size()) {
      throw std::invalid_argument("each waypoint needs one entry per joint");
    }
  }
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (!(t[k] > t[k - 1])) throw std::invalid_argument("the times of waypoints must increase");
  }
}

}  // namespace

Trajectory through(const Waypoints& waypoints, Profile profile, const Timing& timing) {
  require_sound(waypoints);
  const auto& [t, q] = waypoints;
  const std::optional<std::size_t> m = end_conditions(profile);
  if (!m) throw std::invalid_argument("a spline is cubic, quintic or septic");
  if (!t.empty()) {
    if (timing.duration) throw std::invalid_argument("waypoints with times need no duration");
    const Timing given{t.back() - t.front(), timing.limits};
    require_sound(given, q.front().size());
    const Trajectory motion = spline_through(t, q, *m);
    if (!given.limits.empty()) (void)chosen_duration(given, least_duration(motion, given.limits));
    return kept_within(motion, timing.limits);
  }
  require_sound(timing, q.front().size());
  const std::vector<double> paced = paced_times(q, timing.limits);
  const double shortest =
      timing.limits.empty() ? 0.0 : least_duration(spline_through(paced, q, *m), timing.limits);
  return kept_within(spline_through(stretched(paced, chosen_duration(timing, shortest)), q, *m),
                     timing.limits);
}

}  // namespace armdyn
