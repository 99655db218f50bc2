#include "motion/path_timing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "math/finite.hpp"
#include "motion/time_optimal.hpp"
#include "motion/tool_line.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

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

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// p x_0 + q x_1 ≤ 1 for p and q not below 0; x in units of what the limit is.
struct Ceiling {
  double p, q;
};

/// The cells of a path, between nodes, and what limits ask of x there.
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
    slopes_.resize(piece_of_.size());
    for (std::size_t i = 0; i < path.dof(); ++i) add_joint(i);
    for (const std::size_t node : stops_among(nodes_, path)) top_[node] = 0.0;
  }

  [[nodiscard]] const std::vector<double>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t piece_of(std::size_t cell) const { return piece_of_[cell]; }

  /// The largest x at each node: above every other that keeps the limits (10.11).
  [[nodiscard]] std::vector<double> largest() const {
    constexpr double fastest = 1e9;
    std::vector<double> x = top_;
    std::vector<SpeedRow> rows;
    for (std::size_t c = slopes_.size(); c-- > 0;) {
      rows = slopes_[c];
      rows.push_back({1.0, 0.0, 0.0, -x[c + 1]});
      rows.push_back({-1.0, 0.0, 0.0, 0.0});
      const double most = std::sqrt(x[c]), z = largest_speed(rows, std::min(fastest, most)).z;
      if (z < most) x[c] = square(std::max(0.0, z));
    }
    for (std::size_t c = 0; c < slopes_.size(); ++c) {
      x[c + 1] = std::min(x[c + 1], largest_end(slopes_[c], std::sqrt(x[c])));
    }
    return x;
  }

 private:
  void add_joint(std::size_t i) {
    std::vector<std::vector<Ceiling>> fast(slopes_.size()), bent(slopes_.size());
    for (std::size_t c = 0; c < slopes_.size(); ++c) {
      const std::size_t k = piece_of_[c];
      const double from = nodes_[c], to = nodes_[c + 1], h = to - from;
      const std::array<double, 5> d = path_.slopes(k, i, from, to);
      const PathSample begin = path_.at(k, i, from), end = path_.at(k, i, to);
      const std::array<double, 4> e{begin.d2, begin.d2 + h * begin.d3 / 3, end.d2 - h * end.d3 / 3,
                                    end.d2};
      for (std::size_t r = 0; r < 5; ++r) {  // (10.30)
        const auto n = static_cast<double>(r);
        const double p = (r < 4 ? (4 - n) / 4 * e[r] : 0.0) - d[r] / (2 * h);
        const double q = (r > 0 ? n / 4 * e[r - 1] : 0.0) + d[r] / (2 * h);
        if (p == 0.0 && q == 0.0) continue;
        if (p * q > 0.0) {
          bent[c].push_back({std::abs(p), std::abs(q)});
        } else {
          slopes_[c].push_back({q, p, 0.0, -limits_[i].acceleration});
          slopes_[c].push_back({-q, -p, 0.0, -limits_[i].acceleration});
        }
      }
      add_squares(fast[c], d);
    }
    const double v = limits_[i].velocity;
    lower_top(
        fast, v * v, [&](const PathSample& at) { return 1.0 / (at.d1 * at.d1); }, i);
    lower_top(
        bent, limits_[i].acceleration, [](const PathSample& at) { return 1.0 / std::abs(at.d2); },
        i);
  }

  /// q'² x on a cell, of degree nine (eq. 10.31).
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

  /// Lowers the top so that it keeps ceilings of one kind: that at a node alone first, and then as
  /// far as the straight x between two nodes asks for.
  template <class AtNode>
  void lower_top(const std::vector<std::vector<Ceiling>>& ceilings, double limit,
                 const AtNode& at_node, std::size_t i) {
    if (std::isinf(limit)) return;
    constexpr double spread = 1.5;  // of the x at a node over the largest constant x beside it
    std::vector<double> top(nodes_.size(), no_bound);
    for (std::size_t c = 0; c < ceilings.size(); ++c) {
      double level = no_bound;
      for (const auto& [p, q] : ceilings[c]) level = std::min(level, 1.0 / (p + q));
      if (std::isinf(level)) continue;
      for (const std::size_t node : {c, c + 1}) {
        const PathSample here = path_.at(piece_of_[c], i, nodes_[node]);
        top[node] = std::min({top[node], spread * level, at_node(here)});
      }
    }
    for (std::size_t c = 0; c < ceilings.size(); ++c) {
      double over = 1.0;
      for (const auto& [p, q] : ceilings[c]) over = std::max(over, p * top[c] + q * top[c + 1]);
      top[c] /= over;
      top[c + 1] /= over;
    }
    for (std::size_t n = 0; n < top.size(); ++n) top_[n] = std::min(top_[n], limit * top[n]);
  }

  const JointPath& path_;
  const std::vector<RateLimit>& limits_;
  std::vector<double> nodes_;
  std::vector<std::size_t> piece_of_;
  std::vector<double> top_;
  std::vector<std::vector<SpeedRow>> slopes_;  ///< of x_1 and the root of x_0 (eq. 10.30)
};

/// From s on, which is on that piece, with the largest x at the nodes of a part of the plane.
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

/// The mean of a law of constant accelerations over the w s before, from rest to rest (eq. 10.32).
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

/// By how much a law must be slowed down to keep all limits.
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
  return stretch_to(limits, peaks);
}

/// A law that keeps limits of jerk as well: smoothed over so long and then slowed down as far as
/// takes the least time together.
TimeLaw within_jerk(const JointPath& path, const TimeLaw& law,
                    const std::vector<RateLimit>& limits) {
  constexpr int tries = 20;  // widths, from the whole time on, each 1/√2 of the one before
  constexpr double between = 1.001;  // to spare for what is between the places that are looked at
  TimeLaw best{{}, no_bound};
  for (int n = 0; n < tries; ++n) {
    const TimeLaw smooth = smoothed(law, law.end * std::pow(0.5, n / 2.0));
    const double factor = std::max(1.0, between * excess(path, smooth, limits));
    if (factor * smooth.end < best.end) best = slowed_law(smooth, factor);
  }
  return best;
}

/// When a law passes s.
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

Trajectory along(const JointPath& path, TimeLaw law, const std::vector<double>& knots) {
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
  return TrajectoryLaw::motion({knots, path.dof(), at});
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
  return {along(path, std::move(whole), knots), moving / without_jerk};
}

}  // namespace armdyn
