#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "motion/path_timing.hpp"
#include "motion/spline.hpp"
#include "motion/tool_line.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

void require_sound(const Waypoints& waypoints) {
  const auto& q = waypoints.q;
  if (q.size() < 2) throw std::invalid_argument("a motion needs two waypoints");
  for (const std::vector<double>* each : {&waypoints.t, &waypoints.dwell, &waypoints.blend}) {
    if (!each->empty() && each->size() != q.size()) {
      throw std::invalid_argument("each waypoint has a time, dwell or blend, or none has");
    }
  }
  if (!waypoints.ways.empty() && (waypoints.ways.size() != q.size() || !waypoints.t.empty())) {
    throw std::invalid_argument(
        "each waypoint has an entry of ways and no time, or none has a way");
  }
  for (const std::vector<double>& row : q) {
    if (row.empty() || row.size() != q.front().size()) {
      throw std::invalid_argument("each waypoint needs one entry per joint");
    }
  }
  for (std::size_t k = 1; k < waypoints.t.size(); ++k) {
    if (!(waypoints.t[k] > waypoints.t[k - 1])) {
      throw std::invalid_argument("the times of waypoints must increase");
    }
  }
}

/// Waypoints with a row more where a dwell ends, so that none is left, and the waypoint of each row.
Waypoints with_ends_of_dwells(const Waypoints& waypoints, std::vector<std::size_t>& waypoint_of) {
  Waypoints rows{{}, {}, {}, {}, waypoints.stops, {}, waypoints.names};
  for (std::size_t k = 0; k < waypoints.q.size(); ++k) {
    const double dwell = waypoints.dwell.empty() ? 0.0 : waypoints.dwell[k];
    for (const double after : {0.0, dwell}) {
      if (after == 0.0 && !waypoint_of.empty() && waypoint_of.back() == k) continue;
      rows.t.push_back(waypoints.t[k] + after);
      rows.q.push_back(waypoints.q[k]);
      waypoint_of.push_back(k);
    }
    if (k + 1 < waypoints.q.size() && rows.t.back() >= waypoints.t[k + 1]) {
      throw InputError(
          fmt::format("waypoint {} rests until t = {:.6g} s, but waypoint {} is due at t = {:.6g} "
                      "s; give a shorter dwell or later times",
                      k + 1, rows.t.back(), k + 2, waypoints.t[k + 1]));
    }
  }
  return rows;
}

bool has_way(const Waypoints& waypoints, std::size_t k) {
  return !waypoints.ways.empty() && waypoints.ways[k].has_value();
}

/// The path of a way to a waypoint, from the one before it.
PathThroughPoints given_path(const Trajectory& way) {
  JointPath path = recorded_path(way);
  const std::size_t end = path.pieces();
  return {std::move(path), {0, end}};
}

/// Whether a motion has to stop at a row, whatever its profile.
bool is_asked_to_stop(const Waypoints& rows, std::size_t k) {
  const auto repeats = [&](std::size_t other) { return rows.q[other] == rows.q[k]; };
  return rows.stops || k == 0 || k + 1 == rows.q.size() || repeats(k - 1) || repeats(k + 1) ||
         has_way(rows, k) || has_way(rows, k + 1) || (!rows.dwell.empty() && rows.dwell[k] > 0.0);
}

bool has_stops(const Waypoints& rows) {
  std::size_t stops = 0;
  for (std::size_t k = 0; k < rows.q.size(); ++k) stops += is_asked_to_stop(rows, k) ? 1U : 0U;
  return stops > 2 || std::ranges::any_of(rows.dwell, [](double dwell) { return dwell > 0.0; });
}

std::vector<RateLimit> with_default_accelerations(std::vector<RateLimit> limits) {
  for (RateLimit& limit : limits) {
    if (std::isinf(limit.acceleration)) limit.acceleration = default_acceleration(limit);
  }
  return limits;
}

WaypointMotion monotone(const Waypoints& rows, const Timing& timing) {
  const auto [path, knot_of] = path_through(rows);
  std::vector<std::size_t> stops;
  for (std::size_t k = 1; k + 1 < rows.q.size(); ++k) {
    if (path.is_stop(knot_of[k])) stops.push_back(k);
  }
  if (!rows.t.empty()) {
    TimeLaw law{{}, rows.t.back()};
    for (std::size_t k = 0; k + 1 < rows.t.size(); ++k) {
      law.stretches.push_back({rows.t[k], rows.t[k], 1.0, 0.0, 0.0, k});
    }
    return {along(path, std::move(law), rows.t), std::move(stops)};
  }
  std::vector<RateLimit> limits = timing.limits;
  limits.resize(path.dof());
  std::vector<double> dwells(path.knots().size(), 0.0);
  for (std::size_t k = 0; k < rows.dwell.size(); ++k) dwells[knot_of[k]] += rows.dwell[k];
  auto [motion, by_jerk] =
      fastest_along(path, with_default_accelerations(limits), dwells, timing.duration);
  return {std::move(motion), std::move(stops), by_jerk};
}

/// From stop to stop, each part by itself.
WaypointMotion part_by_part(const Waypoints& rows, Profile profile, const Timing& timing) {
  const bool is_timed = !rows.t.empty(), is_spline = end_conditions(profile).has_value();
  if (is_spline && !has_stops(rows)) return {spline_motion(rows, profile, timing), {}};
  Timing of_part{{}, timing.limits};
  if (of_part.limits.empty()) of_part.limits.assign(rows.q.front().size(), {1.0});
  if (profile == Profile::lspb) of_part.limits = with_default_accelerations(of_part.limits);
  const auto is_stop = [&](std::size_t k) { return !is_spline || is_asked_to_stop(rows, k); };
  const auto rest = [&](std::size_t k, double seconds) {
    return point_to_point(rows.q[k], rows.q[k], Profile::cubic, {seconds, {}});
  };
  std::vector<Trajectory> parts;
  std::vector<std::size_t> moving, stops;
  double resting = 0.0, whole = 0.0;
  for (std::size_t begin = 0, k = 0; k < rows.q.size(); ++k) {
    if (!is_stop(k)) continue;
    if (k > 0 && k + 1 < rows.q.size()) stops.push_back(k);
    const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(k) + 1;
    const bool moves = k > begin && (k > begin + 1 || rows.q[begin] != rows.q[k]);
    if (moves) {
      Waypoints part{{}, {rows.q.begin() + from, rows.q.begin() + to}};
      if (is_timed) part.t.assign(rows.t.begin() + from, rows.t.begin() + to);
      if (is_timed) of_part.duration = rows.t[k] - rows.t[begin];
      moving.push_back(parts.size());
      parts.push_back(is_spline ? spline_motion(part, profile, of_part)
                                : point_to_point(rows.q[begin], rows.q[k], profile, of_part));
      whole += parts.back().end() - parts.back().begin();
    } else if (is_timed && k > begin) {
      parts.push_back(rest(k, rows.t[k] - rows.t[begin]));
    }
    if (!rows.dwell.empty() && rows.dwell[k] > 0.0) {
      parts.push_back(rest(k, rows.dwell[k]));
      resting += rows.dwell[k];
    }
    begin = k;
  }
  if (moving.empty() && !is_timed)
    throw InputError("all waypoints are the same, so no joint moves");
  for (const std::size_t n : moving) {
    if (timing.duration) parts[n] = slowed(parts[n], (*timing.duration - resting) / whole);
  }
  if (parts.size() == 1 && !timing.duration) return {parts.front(), {}};
  const double begin = is_timed ? rows.t.front() : 0.0;
  const double end = is_timed ? rows.t.back() : timing.duration.value_or(whole + resting);
  return {joined(std::move(parts), begin, end), std::move(stops)};
}

/// Throws InputError where a motion whose time was given breaks limits.
void refuse_broken(const Trajectory& motion, const std::vector<RateLimit>& limits,
                   const std::vector<std::string>& names) {
  constexpr double slight = 1e-9;
  const std::vector<JointExtremes> reached =
      limits.empty() ? std::vector<JointExtremes>{} : extremes(motion);
  double factor = 1.0 + slight, t = 0.0;
  std::string what;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto look = [&](const TimedValue& peak, double limit, const char* rate, double power) {
      const double longer = std::pow(peak.value / limit, power);
      if (!(longer > factor)) return;
      factor = longer;
      t = peak.t;
      what = fmt::format("{} would reach {:.4g} % of its {} limit",
                         names.empty() ? fmt::format("joint {}", i + 1) : names[i],
                         100.0 * peak.value / limit, rate);
    };
    look(reached[i].velocity, limits[i].velocity, "velocity", 1.0);
    look(reached[i].acceleration, limits[i].acceleration, "acceleration", 0.5);
  }
  if (what.empty()) return;
  const double duration = motion.end() - motion.begin();
  const double enough = std::ceil(factor * 1e4 - 1e-4) / 1e4;
  throw InputError(
      fmt::format("in {:.6g} s {} at t = {:.6g} s; {} times as long, {:.6g} s, is enough", duration,
                  what, t, enough, enough * duration));
}

}  // namespace

double default_acceleration(const RateLimit& limit) {
  constexpr double seconds = 0.5;
  return (std::isinf(limit.velocity) ? 1.0 : limit.velocity) / seconds;
}

PathThroughPoints path_through(const Waypoints& waypoints) {
  std::vector<PathPoint> points;
  for (std::size_t k = 0; k < waypoints.q.size(); ++k) {
    points.push_back({waypoints.q[k], is_asked_to_stop(waypoints, k),
                      waypoints.blend.empty() ? 0.0 : waypoints.blend[k]});
  }
  if (!waypoints.t.empty()) return timed_path_through(points, waypoints.t);
  if (waypoints.ways.empty()) return path_through(points);
  std::optional<JointPath> path;
  std::vector<std::size_t> knot_of_point{0};
  for (std::size_t begin = 0, end = 1; end < points.size(); begin = end++) {
    const bool is_given = has_way(waypoints, end);
    while (!is_given && end + 1 < points.size() && !has_way(waypoints, end + 1)) ++end;
    const std::span<const PathPoint> part = std::span(points).subspan(begin, end - begin + 1);
    const std::size_t before = knot_of_point.back();
    const auto stays = [&](const PathPoint& point) { return point.q == part.front().q; };
    if (!is_given && std::ranges::all_of(part, stays)) {
      knot_of_point.insert(knot_of_point.end(), end - begin, before);
      continue;
    }
    const PathThroughPoints next = is_given ? given_path(*waypoints.ways[end]) : path_through(part);
    for (std::size_t k = 1; k < next.knot_of_point.size(); ++k) {
      knot_of_point.push_back(before + next.knot_of_point[k]);
    }
    if (path) {
      path->append(next.path);
    } else {
      path = next.path;
    }
  }
  return {std::move(path).value(), std::move(knot_of_point)};
}

WaypointMotion plan_through(const Waypoints& waypoints, Profile profile, const Timing& timing) {
  require_sound(waypoints);
  const std::size_t dof = waypoints.q.front().size();
  const bool is_timed = !waypoints.t.empty();
  if (is_timed && timing.duration) {
    throw std::invalid_argument("waypoints with times need no duration");
  }
  require_sound(is_timed ? Timing{1.0, timing.limits} : timing, dof);
  const double resting = std::accumulate(waypoints.dwell.begin(), waypoints.dwell.end(), 0.0);
  if (timing.duration && *timing.duration <= resting) {
    throw InputError(
        fmt::format("the waypoints' dwells take {:.6g} s, all of the {:.6g} s asked for", resting,
                    *timing.duration));
  }
  std::vector<std::size_t> waypoint_of;
  const Waypoints rows = is_timed ? with_ends_of_dwells(waypoints, waypoint_of) : waypoints;
  WaypointMotion planned =
      profile == Profile::monotone ? monotone(rows, timing) : part_by_part(rows, profile, timing);
  if (is_timed) {
    for (std::size_t& stop : planned.stops) stop = waypoint_of[stop];
    const std::size_t last = waypoints.q.size() - 1;
    std::erase_if(planned.stops, [&](std::size_t stop) { return stop == 0 || stop == last; });
    planned.stops.erase(std::unique(planned.stops.begin(), planned.stops.end()),
                        planned.stops.end());
  }
  if (is_timed || timing.duration) refuse_broken(planned.motion, timing.limits, waypoints.names);
  planned.motion = kept_within(planned.motion, timing.limits);
  return planned;
}

Trajectory through(const Waypoints& waypoints, Profile profile, const Timing& timing) {
  return plan_through(waypoints, profile, timing).motion;
}

}  // namespace armdyn
