#include "motion/path_timing.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "math/bound.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/require.hpp"
#include "motion/spline.hpp"
#include "motion/time_optimal.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// Largest rates of a profile that goes from 0 to 1 in unit time (eq. 10.2).
RateLimit unit_peaks(Profile profile) {
  switch (profile) {
    case Profile::trapezoid:
      return {3.0 / 2, 9.0 / 2, no_bound};
    case Profile::cubic:
      return {3.0 / 2, 6.0, no_bound};
    case Profile::quintic:
      return {15.0 / 8, 10.0 / std::sqrt(3.0), 60.0};
    case Profile::septic:
      return {35.0 / 16, 84.0 * std::sqrt(5.0) / 25, 52.5};
    case Profile::lspb:
    case Profile::monotone:
      break;
  }
  throw std::invalid_argument("the shape of this profile depends on its limits");
}

}  // namespace

double slowing_factor(const std::vector<RateLimit>& limits, const std::vector<RateLimit>& peaks) {
  double factor = 0.0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    factor = std::max({factor, peaks[i].velocity / limits[i].velocity,
                       std::sqrt(peaks[i].acceleration / limits[i].acceleration)});
    if (std::isinf(limits[i].jerk)) continue;
    factor = std::max(factor, std::cbrt(peaks[i].jerk / limits[i].jerk));
  }
  return factor;
}

RateLimit common_pace(std::span<const double> ways, const std::vector<RateLimit>& limits) {
  RateLimit pace;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (ways[i] == 0.0) continue;
    pace.velocity = std::min(pace.velocity, limits[i].velocity / std::abs(ways[i]));
    pace.acceleration = std::min(pace.acceleration, limits[i].acceleration / std::abs(ways[i]));
    pace.jerk = std::min(pace.jerk, limits[i].jerk / std::abs(ways[i]));
  }
  return pace;
}

double shortest_duration(std::span<const double> ways, Profile profile,
                         const std::vector<RateLimit>& limits) {
  if (std::ranges::count(ways, 0.0) == std::ssize(ways)) {
    throw InputError("no joint moves, so limits set no duration; give one");
  }
  const RateLimit pace = common_pace(ways, limits);
  const double v = pace.velocity, a = pace.acceleration;
  double duration = 0.0;
  if (profile != Profile::lspb) {
    duration = slowing_factor({pace}, {unit_peaks(profile)});
  } else if (std::isinf(a)) {
    throw InputError("no joint that moves has an acceleration limit, which lspb needs");
  } else if (std::isfinite(pace.jerk)) {
    duration = no_bound;
  } else {
    duration = v * v < a ? 1.0 / v + v / a : 2.0 / std::sqrt(a);  // (10.4)
  }
  if (std::isinf(duration)) {
    throw InputError(
        "the jerk of this profile has no bound; within limits of jerk, take quintic or septic");
  }
  if (duration == 0.0) {
    throw InputError("no joint that moves has a limit to set the duration; give one");
  }
  return duration;
}

double chosen_duration(const Timing& timing, double shortest) {
  if (!timing.duration) return shortest;
  if (*timing.duration < shortest * (1.0 - 1e-12)) {
    throw InputError(fmt::format(
        "within these limits the motion takes at least {:.6g} s, but {:.6g} s are asked for",
        outward(shortest, Bound::upper, 6), *timing.duration));
  }
  return *timing.duration;
}

void require_sound(const Timing& timing, std::size_t dof) {
  const double duration = timing.duration.value_or(1.0);
  require(duration > 0.0 && std::isfinite(duration), "a duration must be positive");
  require(timing.duration || !timing.limits.empty(), "a motion needs a duration or limits");
  require(timing.limits.empty() || timing.limits.size() == dof, "limits need one entry per joint");
  for (const RateLimit& limit : timing.limits) {
    require(limit.velocity > 0.0 && limit.acceleration > 0.0 && limit.jerk > 0.0,
            "limits of velocity, acceleration and jerk must be positive");
  }
}

TimeStretch advanced(const TimeStretch& n, double x) {
  return {n.t + x,
          n.s + x * (n.sd + x * (n.sdd / 2 + x * n.sddd / 6)),
          n.sd + x * (n.sdd + x * n.sddd / 2),
          n.sdd + x * n.sddd,
          n.sddd,
          n.last_piece};
}

const TimeStretch& TimeLaw::stretch_at(double t) const {
  const auto after =
      std::upper_bound(stretches.begin() + 1, stretches.end(), t,
                       [](double time, const TimeStretch& stretch) { return time < stretch.t; });
  return *std::prev(after);
}

namespace {

/// p x_0 + q x_1 ≤ 1 for p and q not below 0; x in units of the limit.
struct Ceiling {
  double p, q;
};

/// Cells of a path, between nodes, and the limits of x = ṡ² there.
class PhasePlane {
 public:
  PhasePlane(const JointPath& path, const std::vector<RateLimit>& limits)
      : path_(path), limits_(limits) {
    constexpr std::size_t all = 16384, least = 16, most = 2048;
    const std::size_t cells = std::clamp(all / path.pieces(), least, most);
    for (std::size_t k = 0; k < path.pieces(); ++k) {
      const double from = path.knots()[k], h = path.knots()[k + 1] - from;
      for (std::size_t n = 0; n < cells; ++n) {
        nodes_.push_back(from + h * static_cast<double>(n) / static_cast<double>(cells));
        piece_of_.push_back(k);
      }
    }
    nodes_.push_back(path.knots().back());
    top_.assign(nodes_.size(), no_bound);
    for (std::size_t i = 0; i < path.dof(); ++i) add_joint(i);
    for (const std::size_t node : stops_among(nodes_, path)) top_[node] = 0.0;
  }

  [[nodiscard]] const std::vector<double>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t piece_of(std::size_t cell) const { return piece_of_[cell]; }

  /// Largest x at each node, above every other that keeps the limits (10.11).
  [[nodiscard]] std::vector<double> largest() const {
    constexpr double fastest = 1e9;
    std::vector<double> x = top_;
    std::vector<SpeedRow> rows;
    for (std::size_t c = piece_of_.size(); c-- > 0;) {
      set_slopes(c, rows);
      rows.push_back({1.0, 0.0, 0.0, -x[c + 1]});
      rows.push_back({-1.0, 0.0, 0.0, 0.0});
      const double most = std::sqrt(x[c]), z = largest_speed(rows, std::min(fastest, most)).z;
      if (z < most) x[c] = square(std::max(0.0, z));
    }
    for (std::size_t c = 0; c < piece_of_.size(); ++c) {
      set_slopes(c, rows);
      x[c + 1] = std::min(x[c + 1], largest_end(rows, std::sqrt(x[c])));
    }
    return x;
  }

 private:
  // What a cell asks for is computed as often as it is needed: 16 cells of each point of a long path
  // have no room in memory.

  /// Adds what the acceleration of joint i asks for on a cell: rows of x_1 and the root of x_0, and
  /// ceilings (eq. 10.30).
  void add_accelerations(std::size_t c, std::size_t i, std::vector<SpeedRow>& slopes,
                         std::vector<Ceiling>& bent) const {
    const std::size_t k = piece_of_[c];
    const double from = nodes_[c], to = nodes_[c + 1], h = to - from;
    const std::array<double, 5> d = path_.slopes(k, i, from, to);
    const PathSample begin = path_.at(k, i, from), end = path_.at(k, i, to);
    const std::array<double, 4> e{begin.d2, begin.d2 + h * begin.d3 / 3, end.d2 - h * end.d3 / 3,
                                  end.d2};
    for (std::size_t r = 0; r < 5; ++r) {
      const auto n = static_cast<double>(r);
      const double p = (r < 4 ? (4 - n) / 4 * e[r] : 0.0) - d[r] / (2 * h);
      const double q = (r > 0 ? n / 4 * e[r - 1] : 0.0) + d[r] / (2 * h);
      if (p == 0.0 && q == 0.0) continue;
      if (p * q > 0.0) {
        bent.push_back({std::abs(p), std::abs(q)});
      } else {
        slopes.push_back({q, p, 0.0, -limits_[i].acceleration});
        slopes.push_back({-q, -p, 0.0, -limits_[i].acceleration});
      }
    }
  }

  /// Sets the rows of all joints on a cell.
  void set_slopes(std::size_t c, std::vector<SpeedRow>& rows) const {
    std::vector<Ceiling> ignored;
    rows.clear();
    for (std::size_t i = 0; i < path_.dof(); ++i) add_accelerations(c, i, rows, ignored);
  }

  void add_joint(std::size_t i) {
    const double v = limits_[i].velocity;
    const auto fast = [&](std::size_t c, std::vector<Ceiling>& found) {
      add_squares(found, path_.slopes(piece_of_[c], i, nodes_[c], nodes_[c + 1]));
    };
    std::vector<SpeedRow> ignored;
    const auto bent = [&](std::size_t c, std::vector<Ceiling>& found) {
      ignored.clear();
      add_accelerations(c, i, ignored, found);
    };
    lower_top(
        fast, v * v, [&](const PathSample& at) { return 1.0 / (at.d1 * at.d1); }, i);
    lower_top(
        bent, limits_[i].acceleration, [](const PathSample& at) { return 1.0 / std::abs(at.d2); },
        i);
  }

  /// Adds the ceilings of q'² x on a cell, of degree nine (eq. 10.31).
  static void add_squares(std::vector<Ceiling>& ceilings, const std::array<double, 5>& d) {
    constexpr std::array<double, 5> of_4{1, 4, 6, 4, 1};
    constexpr std::array<double, 9> of_8{1, 8, 28, 56, 70, 56, 28, 8, 1};
    std::array<double, 11> square{};  // from 1 on, zeros around
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = 0; b < 5; ++b) {
        square[a + b + 1] += of_4[a] * of_4[b] * d[a] * d[b] / of_8[a + b];
      }
    }
    for (std::size_t r = 0; r < 10; ++r) {
      const double share = static_cast<double>(r) / 9;
      ceilings.push_back(
          {std::max(0.0, (1 - share) * square[r + 1]), std::max(0.0, share * square[r])});
    }
  }

  /// Lowers the top to keep ceilings of one kind: at nodes first, and then for the straight x between
  /// two nodes.
  void lower_top(const auto& add_ceilings, double limit, const auto& at_node, std::size_t i) {
    if (std::isinf(limit)) return;
    constexpr double spread = 1.5;  // of the x at a node over the largest constant x beside it
    std::vector<double> top(nodes_.size(), no_bound);
    std::vector<Ceiling> ceilings;
    const auto for_each_cell = [&](const auto& look) {
      for (std::size_t c = 0; c < piece_of_.size(); ++c) {
        ceilings.clear();
        add_ceilings(c, ceilings);
        look(c);
      }
    };
    for_each_cell([&](std::size_t c) {
      double level = no_bound;
      for (const auto& [p, q] : ceilings) level = std::min(level, 1.0 / (p + q));
      if (std::isinf(level)) return;
      for (const std::size_t node : {c, c + 1}) {
        const PathSample here = path_.at(piece_of_[c], i, nodes_[node]);
        top[node] = std::min({top[node], spread * level, at_node(here)});
      }
    });
    for_each_cell([&](std::size_t c) {
      double over = 1.0;
      for (const auto& [p, q] : ceilings) over = std::max(over, p * top[c] + q * top[c + 1]);
      top[c] /= over;
      top[c + 1] /= over;
    });
    for (std::size_t n = 0; n < top.size(); ++n) top_[n] = std::min(top_[n], limit * top[n]);
  }

  const JointPath& path_;
  const std::vector<RateLimit>& limits_;
  std::vector<double> nodes_;
  std::vector<std::size_t> piece_of_;
  std::vector<double> top_;
};

/// Law of time with the largest x at the nodes of a part of the plane.
TimeLaw law_between(const PhasePlane& plane, const std::vector<double>& x, std::size_t first,
                    std::size_t last) {
  TimeLaw law;
  for (std::size_t c = first; c < last; ++c) {
    const double s = plane.nodes()[c], h = plane.nodes()[c + 1] - s;
    const double v = std::sqrt(x[c]);
    law.stretches.push_back({law.end, s, v, (x[c + 1] - x[c]) / (2 * h), 0.0, plane.piece_of(c)});
    law.end += 2 * h / (v + std::sqrt(x[c + 1]));
  }
  return law;
}

/// Length of a stretch in time.
double length_of(const TimeLaw& law, std::size_t n) {
  return (n + 1 < law.stretches.size() ? law.stretches[n + 1].t : law.end) - law.stretches[n].t;
}

TimeStretch at_time(const TimeLaw& law, double t) {
  if (t < 0.0) return {t, law.stretches.front().s};
  const TimeStretch& stretch = law.stretch_at(t);
  return advanced(stretch, std::min(t, law.end) - stretch.t);
}

/// Mean of a law of constant accelerations over the w s before, from rest to rest (eq. 10.32).
TimeLaw smoothed(const TimeLaw& law, double w) {
  std::vector<double> times{law.end, law.end + w};
  for (const TimeStretch& n : law.stretches) {
    times.push_back(n.t);
    times.push_back(n.t + w);
  }
  std::ranges::sort(times);
  const auto rest = [&](double t) { return t < 0.0 || t >= law.end; };
  const auto mean = [&](double t, double TimeStretch::*of) {
    return ((rest(t) && of != &TimeStretch::s ? 0.0 : at_time(law, t).*of) -
            (rest(t - w) && of != &TimeStretch::s ? 0.0 : at_time(law, t - w).*of)) /
           w;
  };
  TimeLaw smooth{{}, law.end + w};
  double s = law.stretches.front().s;
  for (std::size_t n = 0; n + 1 < times.size(); ++n) {
    const double t = times[n], next = times[n + 1];
    if (!(next > t)) continue;
    smooth.stretches.push_back({t, s, mean(t, &TimeStretch::s), mean(t, &TimeStretch::sd),
                                mean(std::midpoint(t, next), &TimeStretch::sdd),
                                law.stretches.back().last_piece});
    s = advanced(smooth.stretches.back(), next - t).s;
  }
  return smooth;
}

TimeLaw slowed_law(TimeLaw law, double factor) {
  for (TimeStretch& n : law.stretches) {
    n.t *= factor;
    n.sd /= factor;
    n.sdd /= factor * factor;
    n.sddd /= factor * factor * factor;
  }
  law.end *= factor;
  return law;
}

/// Time-scaling factor of a law that keeps all limits.
double excess(const JointPath& path, const TimeLaw& law, const std::vector<RateLimit>& limits) {
  std::vector<RateLimit> peaks(path.dof(), {0.0, 0.0, 0.0});
  for (std::size_t n = 0; n < law.stretches.size(); ++n) {
    const TimeStretch& begin = law.stretches[n];
    for (const double share : {0.0, 0.5, 1.0}) {
      const TimeStretch here = advanced(begin, share * length_of(law, n));
      const std::size_t piece = std::min(path.piece_at(here.s), begin.last_piece);
      for (std::size_t i = 0; i < path.dof(); ++i) {
        const PathSample at = path.at(piece, i, std::min(here.s, path.knots()[piece + 1]));
        RateLimit& peak = peaks[i];
        peak.velocity = std::max(peak.velocity, std::abs(at.d1 * here.sd));
        peak.acceleration =
            std::max(peak.acceleration, std::abs(at.d1 * here.sdd + at.d2 * here.sd * here.sd));
        peak.jerk = std::max(
            peak.jerk, std::abs(at.d1 * here.sddd +
                                here.sd * (3 * at.d2 * here.sdd + at.d3 * here.sd * here.sd)));
      }
    }
  }
  return slowing_factor(limits, peaks);
}

/// Law that keeps limits of jerk as well: smoothed, and then slowed down, with the width that takes
/// the least time.
TimeLaw within_jerk(const JointPath& path, const TimeLaw& law,
                    const std::vector<RateLimit>& limits) {
  constexpr int tries = 20;  // widths, from the whole time on, each 1/√2 of the one before
  constexpr double between = 1.001;  // allows for peaks between the places looked at
  TimeLaw best{{}, no_bound};
  for (int n = 0; n < tries; ++n) {
    const TimeLaw smooth = smoothed(law, law.end * std::pow(0.5, n / 2.0));
    const double factor = std::max(1.0, between * excess(path, smooth, limits));
    if (factor * smooth.end < best.end) best = slowed_law(smooth, factor);
  }
  return best;
}

/// Time at which a law passes s.
double time_of(const TimeLaw& law, double s) {
  const auto after =
      std::upper_bound(law.stretches.begin() + 1, law.stretches.end(), s,
                       [](double place, const TimeStretch& n) { return place < n.s; });
  const TimeStretch& here = *std::prev(after);
  double from = here.t;
  double to = from + length_of(law, static_cast<std::size_t>(after - law.stretches.begin()) - 1);
  if (here.s == s) return from;
  for (int n = 0; n < 60; ++n) {
    const double middle = std::midpoint(from, to);
    (advanced(here, middle).s < s ? from : to) = middle;
  }
  return to;
}

}  // namespace

std::vector<double> jumps_of(const TimeLaw& law, double least) {
  const auto size = [](const TimeStretch& n) { return std::abs(n.sdd); };
  const double most = std::ranges::max(each(law.stretches, size));
  std::vector<double> times;
  for (std::size_t n = 1; n < law.stretches.size(); ++n) {
    const TimeStretch &before = law.stretches[n - 1], &after = law.stretches[n];
    const double end = before.sdd + before.sddd * (after.t - before.t);
    if (std::abs(after.sdd - end) > least * most) times.push_back(after.t);
  }
  return times;
}

Trajectory along(const JointPath& path, TimeLaw law, const std::vector<double>& knots) {
  std::vector<double> jumps = jumps_of(law, 0.0);
  const auto at = [path, law = std::move(law)](double t, const InstantRoom& room) {
    const TimeStretch& stretch = law.stretch_at(t);
    TimeStretch now = advanced(stretch, t - stretch.t);
    if (t >= law.end) now = {t, path.knots().back(), 0.0, now.sdd, 0.0, path.pieces() - 1};
    const std::size_t piece = std::min(path.piece_at(now.s), now.last_piece);
    for (std::size_t i = 0; i < path.dof(); ++i) {
      const PathSample on_path = path.at(piece, i, std::min(now.s, path.knots()[piece + 1]));
      room.set(
          i, {on_path.q, on_path.d1 * now.sd, on_path.d1 * now.sdd + on_path.d2 * now.sd * now.sd});
    }
  };
  return TrajectoryLaw::motion({knots, path.dof(), at, 64, std::move(jumps)});
}

FastestMotion fastest_along(const JointPath& path, const std::vector<RateLimit>& limits,
                            std::span<const double> dwells, std::optional<double> duration) {
  const PhasePlane plane(path, limits);
  const std::vector<double> x = plane.largest();
  const bool has_jerk =
      std::ranges::any_of(limits, [](const RateLimit& limit) { return std::isfinite(limit.jerk); });
  const std::size_t cells = (x.size() - 1) / path.pieces();
  const std::vector<std::size_t> stops = stops_among(path.knots(), path);
  std::vector<TimeLaw> laws;
  double moving = 0.0, without_jerk = 0.0;
  for (std::size_t n = 0; n + 1 < stops.size(); ++n) {
    laws.push_back(law_between(plane, x, stops[n] * cells, stops[n + 1] * cells));
    without_jerk += laws.back().end;
    if (has_jerk) laws.back() = within_jerk(path, laws.back(), limits);
    moving += laws.back().end;
  }
  const double resting = std::accumulate(dwells.begin(), dwells.end(), 0.0);
  const double factor = duration ? (*duration - resting) / moving : 1.0;

  TimeLaw whole;
  std::vector<double> knots;
  for (std::size_t n = 0; n < stops.size(); ++n) {
    const std::size_t stop = stops[n];
    if (!dwells.empty() && dwells[stop] > 0.0) {
      knots.push_back(whole.end);
      whole.stretches.push_back({whole.end, path.knots()[stop], 0.0, 0.0, 0.0, stop});
      whole.end += dwells[stop];
    }
    if (n + 1 == stops.size()) break;
    const TimeLaw law = slowed_law(std::move(laws[n]), factor);
    for (std::size_t k = stop; k < stops[n + 1]; ++k) {
      knots.push_back(whole.end + time_of(law, path.knots()[k]));
    }
    for (TimeStretch stretch : law.stretches) {
      stretch.t += whole.end;
      whole.stretches.push_back(stretch);
    }
    whole.end += law.end;
  }
  whole.end = duration.value_or(whole.end);
  knots.push_back(whole.end);
  return {along(path, std::move(whole), knots), moving / without_jerk,
          has_jerk ? moving + resting : 0.0};
}

namespace {

void require_sound(const Waypoints& waypoints) {
  const auto& q = waypoints.q;
  require(q.size() >= 2, "a motion needs two waypoints");
  for (const std::vector<double>* each : {&waypoints.t, &waypoints.dwell, &waypoints.blend}) {
    require(each->empty() || each->size() == q.size(),
            "each waypoint has a time, dwell or blend, or none has");
  }
  require(waypoints.paths.empty() || (waypoints.paths.size() == q.size() && waypoints.t.empty()),
          "each waypoint has an entry of paths and no time, or none has a path");
  for (const std::vector<double>& row : q) {
    require(!row.empty() && row.size() == q.front().size(),
            "each waypoint needs one entry per joint");
  }
  for (std::size_t k = 1; k < waypoints.t.size(); ++k) {
    require(waypoints.t[k] > waypoints.t[k - 1], "the times of waypoints must increase");
  }
}

/// Turns dwells into rows of their own where they end, and lists the waypoint of each row.
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
  return !waypoints.paths.empty() && waypoints.paths[k].has_value();
}

/// Tests whether a motion has to stop at a row, whatever its profile.
bool is_asked_to_stop(const Waypoints& rows, std::size_t k) {
  const auto repeats = [&](std::size_t other) { return rows.q[other] == rows.q[k]; };
  return rows.stops || k == 0 || k + 1 == rows.q.size() || repeats(k - 1) || repeats(k + 1) ||
         has_way(rows, k) || has_way(rows, k + 1) || (!rows.dwell.empty() && rows.dwell[k] > 0.0);
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
    return {{along(path, std::move(law), rows.t)}, std::move(stops)};
  }
  std::vector<RateLimit> limits = timing.limits;
  limits.resize(path.dof());
  std::vector<double> dwells(path.knots().size(), 0.0);
  for (std::size_t k = 0; k < rows.dwell.size(); ++k) dwells[knot_of[k]] += rows.dwell[k];
  return {fastest_along(path, with_default_accelerations(limits), dwells, timing.duration),
          std::move(stops)};
}

bool has_stops(const Waypoints& rows) {
  const auto is_stop = [&](std::size_t k) { return is_asked_to_stop(rows, k); };
  return std::ranges::count_if(in_order(rows.q.size()), is_stop) > 2 || rows.q[0] == rows.q[1] ||
         std::ranges::any_of(rows.dwell, [](double dwell) { return dwell > 0.0; });
}

/// Plans from stop to stop, each part by itself.
WaypointMotion part_by_part(const Waypoints& rows, Profile profile, const Timing& timing) {
  const bool is_timed = !rows.t.empty(), is_spline = end_conditions(profile).has_value();
  if (is_spline && !has_stops(rows)) return {{spline_motion(rows, profile, timing)}, {}};
  Timing of_part{{}, timing.limits};
  const bool has_limits = !timing.limits.empty();
  if (!has_limits && profile == Profile::lspb) profile = Profile::trapezoid;  // of equal thirds
  if (!has_limits && !is_timed) of_part.limits.assign(rows.q.front().size(), {1.0});
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
      try {
        parts.push_back(is_spline ? spline_motion(part, profile, of_part)
                                  : point_to_point(rows.q[begin], rows.q[k], profile, of_part));
      } catch (const InputError& error) {
        if (!is_timed) throw;
        throw InputError(
            fmt::format("from t = {:.6g} to {:.6g} s: {}", rows.t[begin], rows.t[k], error.what()));
      }
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
  if (parts.size() == 1 && !timing.duration && !is_timed) return {{parts.front()}, {}};
  const double begin = is_timed ? rows.t.front() : 0.0;
  const double end = is_timed ? rows.t.back() : timing.duration.value_or(whole + resting);
  return {{joined(std::move(parts), begin, end)}, std::move(stops)};
}

/// Throws InputError where a motion whose time was given breaks limits.
void refuse_broken(const WaypointMotion& planned, const std::vector<RateLimit>& limits,
                   const std::vector<std::string>& names) {
  const Trajectory& motion = planned.motion;
  constexpr double slight = 1e-9;
  const double duration = motion.end() - motion.begin();
  if (duration < planned.within_jerk * (1.0 - slight)) {
    throw InputError(fmt::format(
        "in {:.6g} s it would go beyond limits of jerk; {:.6g} s, which need not be the least, are "
        "enough",
        duration, outward(planned.within_jerk, Bound::upper, 6)));
  }
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
  const double longer = (factor * (duration - planned.resting) + planned.resting) / duration;
  const double enough = std::ceil(longer * 1e4 - 1e-4) / 1e4;
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
  const auto points = each(in_order(waypoints.q.size()), [&](std::size_t k) {
    return PathPoint{waypoints.q[k], is_asked_to_stop(waypoints, k),
                     waypoints.blend.empty() ? 0.0 : waypoints.blend[k]};
  });
  if (!waypoints.t.empty()) return timed_path_through(points, waypoints.t);
  if (waypoints.paths.empty()) return path_through(points);
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
    PathThroughPoints next = is_given
                                 ? PathThroughPoints{recorded_path(*waypoints.paths[end]), {0, 0}}
                                 : path_through(part);
    next.knot_of_point.back() = next.path.pieces();
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
  require(!is_timed || !timing.duration, "waypoints with times need no duration");
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
  planned.resting = is_timed ? 0.0 : resting;
  if (is_timed || timing.duration) refuse_broken(planned, timing.limits, waypoints.names);
  planned.motion = kept_within(planned.motion, timing.limits);
  return planned;
}

Trajectory through(const Waypoints& waypoints, Profile profile, const Timing& timing) {
  return plan_through(waypoints, profile, timing).motion;
}

}  // namespace armdyn
