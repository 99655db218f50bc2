#include "motion/time_optimal.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "motion/extremes.hpp"
#include "motion/joint_path.hpp"
#include "motion/path_timing.hpp"
#include "motion/slow_down.hpp"

namespace armdyn {

namespace {

constexpr double boundless = std::numeric_limits<double>::infinity();

/// The largest root below z of b z² + c z + d, which is above 0 at z; below 0 where there is none.
double root_below(double z, double b, double c, double d) {
  double best = -1.0;
  for_each_root(d, c, b, [&](double root) {
    if (root < z && root > best) best = root;
  });
  return best;
}

}  // namespace

LargestSpeed largest_speed(std::span<const SpeedRow> rows, double most) {
  constexpr double rounding = 1e-13;
  for (double z = most; z >= 0.0;) {
    const SpeedRow *lower = nullptr, *upper = nullptr;
    double least = -boundless, largest = boundless, next = z;
    for (const SpeedRow& row : rows) {
      const double rest = (row.B * z + row.C) * z + row.D;
      if (row.A > 0.0) {
        if (-rest / row.A < largest) {
          largest = -rest / row.A;
          upper = &row;
        }
      } else if (row.A < 0.0) {
        if (-rest / row.A > least) {
          least = -rest / row.A;
          lower = &row;
        }
      } else if (rest > rounding * (std::abs(row.B) * z * z + std::abs(row.D))) {
        next = std::min(next, root_below(z, row.B, row.C, row.D));
      }
    }
    const auto noise = [z](const SpeedRow* row) {
      if (row == nullptr) return 0.0;
      return rounding * ((std::abs(row->B) * z + std::abs(row->C)) * z + std::abs(row->D)) /
             std::abs(row->A);
    };
    if (next == z && least > largest + noise(lower) + noise(upper)) {
      const double p = -lower->A, q = upper->A;
      next = root_below(z, q * lower->B + p * upper->B, q * lower->C + p * upper->C,
                        q * lower->D + p * upper->D);
    }
    if (next == z) return {z, std::min(least, largest), std::max(least, largest)};
    z = next;
  }
  return {};
}

double largest_end(std::span<const SpeedRow> rows, double z) {
  double largest = boundless;
  for (const auto& [A, B, C, D] : rows) {
    if (A > 0.0) largest = std::min(largest, -((B * z + C) * z + D) / A);
  }
  return std::max(largest, 0.0);
}

namespace {

double squared_sine(double quarter_turns) {
  const double sine = std::sin(0.5 * std::numbers::pi * quarter_turns);
  return sine * sine;
}

}  // namespace

std::vector<double> path_nodes(const JointPath& path, const PathDemands& demands,
                               std::size_t count) {
  std::vector<double> nodes(path.knots());
  for (std::size_t i = 0; i < path.dof(); ++i) {
    for (const double s : path.turning_points(demands.contact_weights(i))) nodes.push_back(s);
  }
  std::vector<double> stops;
  for (const std::size_t k : stops_among(path.knots(), path)) stops.push_back(path.knots()[k]);
  const double whole = stops.back() - stops.front();
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    const double length = stops[k + 1] - stops[k];
    const double cells = std::max(16.0, std::ceil(static_cast<double>(count) * length / whole));
    for (double n = 1.0; n < cells; ++n) {
      // s grows by n⁴ from a stop on: there viscous friction grows by √s.
      nodes.push_back(stops[k] + length * squared_sine(squared_sine(n / cells)));
    }
  }
  std::ranges::sort(nodes);
  constexpr double same = 1e-13;  // of the whole: a node so near to a turn or knot is left out
  std::vector<double> apart{nodes.front()};
  const auto is_fixed = [&](double s) { return std::ranges::binary_search(path.knots(), s); };
  for (const double s : nodes) {
    if (s - apart.back() > same * whole) {
      apart.push_back(s);
    } else if (is_fixed(s)) {
      apart.back() = s;
    }
  }
  return apart;
}

namespace {

/// A cell of a path with what limits ask at its two ends; on it nothing turns.
struct Cell {
  double s = 0.0, h = 0.0;
  std::size_t piece = 0;
  std::vector<int> directions;
  std::vector<PathDemand> left, right;
  double bend = 0.0;           ///< half of how s̈ changes over it
  double keeps = 1.0 - 1e-10;  ///< to what share of the limits at its ends
};

class PathSolver {
 public:
  PathSolver(const JointPath& path, PathDemands& demands, std::size_t count)
      : path_(path),
        demands_(demands),
        nodes_(path_nodes(path, demands, count)),
        cells_(nodes_.size() - 1),
        is_stop_(nodes_.size()),
        top_(nodes_.size(), boundless) {
    for (const std::size_t node : stops_among(nodes_, path)) is_stop_[node] = true;
    for (std::size_t c = 0; c < cells_.size(); ++c) set_up(c);
    x_.assign(nodes_.size(), 0.0);
    for (std::size_t n = 0; n < nodes_.size(); ++n) x_[n] = top_[n] = is_stop_[n] ? 0.0 : top_[n];
  }

  TimeOptimalMotion motion() {
    constexpr int sweeps = 5, corrections = 4;
    for (int n = 0; n < sweeps; ++n) {
      sweep();
      bend();
    }
    sweep();
    for (int n = 0; n < corrections; ++n) {
      keep_between(times());
      sweep();
    }
    const TimeLaw law = times();
    std::vector<double> all;
    for (const TimeStretch& stretch : law.stretches) all.push_back(stretch.t);
    const SlowDown slower = slow_down(demands_, along(path_, law, all));
    if (slower.factor == 0.0) {
      refuse(law.stretch_at(slower.obstacle->place.t).s, slower.obstacle->place.limit);
    }
    Trajectory motion = along(path_, law, jumps(law));
    std::vector<TimeOptimalMotion::Binding> binding = bindings(law, slower.factor);
    if (slower.factor < 1.0) motion = slowed(motion, 1.0 / slower.factor);
    std::vector<TimeOptimalMotion::PhasePoint> plane;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      plane.push_back({nodes_[n], slower.factor * std::sqrt(x_[n]), std::sqrt(top_[n])});
    }
    return {std::move(motion), std::move(binding), std::move(plane)};
  }

 private:
  void go_to(const Cell& cell, double s, bool sets_out = false) {
    demands_.go_to(path_, cell.piece, s, cell.directions, sets_out);
  }

  void set_up(std::size_t c) {
    Cell& cell = cells_[c];
    cell.s = nodes_[c];
    cell.h = nodes_[c + 1] - nodes_[c];
    cell.piece = path_.piece_at(cell.s);
    std::vector<double> slope;
    for (std::size_t i = 0; i < path_.dof(); ++i) {
      slope.push_back(path_.at(cell.piece, i, cell.s + cell.h / 2).d1);
    }
    for (const double rate : demands_.contact_rates(slope)) {
      cell.directions.push_back(rate > 0.0 ? 1 : rate < 0.0 ? -1 : 0);
    }
    for (const bool is_right : {false, true}) {
      const std::size_t node = is_right ? c + 1 : c;
      go_to(cell, nodes_[node], !is_right && is_stop_[node]);
      (is_right ? cell.right : cell.left) = demands_.demands();
      rows_.clear();
      add_rows(is_right ? cell.right : cell.left, cell.keeps, 0.0, [](const PathDemand& d) {
        return SpeedRow{d.a, d.b, d.c, 0.0};
      });
      const double z = largest_speed(rows_, 1e9).z;
      if (z < 0.0) refuse(nodes_[node], worst());
      top_[node] = std::min(top_[node], z * z);
    }
  }

  /// The limit whose demand at rest is largest, of those where the demands stand.
  [[nodiscard]] std::size_t worst() const {
    std::size_t most = 0;
    const auto share = [&](std::size_t k) {
      const PathDemand& demand = demands_.demands()[k];
      return std::abs(demand.load + demand.friction) / demands_.limits()[k].most;
    };
    for (std::size_t k = 1; k < demands_.limits().size(); ++k) {
      if (share(k) > share(most)) most = k;
    }
    return most;
  }

  [[noreturn]] void refuse(double s, std::size_t limit) const {
    const PathLimit& at_fault = demands_.limits()[limit];
    throw NumericsError(fmt::format(
        "no speed keeps the limits at {:.4g} % of the path: {} asks for more than {:.6g} there",
        100.0 * (s - nodes_.front()) / (nodes_.back() - nodes_.front()),
        joint_name(demands_.arm(), at_fault.joint), at_fault.most));
  }

  /// Adds both sides of each limit at a place of such speed; row(demand) has all but its level.
  template <class Row>
  void add_rows(const std::vector<PathDemand>& demands, double keeps, double speed,
                const Row& row) {
    for (std::size_t k = 0; k < demands.size(); ++k) {
      const PathDemand& d = demands[k];
      const double most = keeps * demands_.limits()[k].most;
      const double level = d.load + d.friction + demands_.other_friction(k, speed);
      const auto [A, B, C, D] = row(d);
      rows_.push_back({A, B, C, D + level - d.below - most});
      rows_.push_back({-A, -B, -C, -D - level - d.above - most});
    }
  }

  /// Rows of a cell for z = ṡ at its begin and y = ṡ² at its end, s̈ at its ends being
  /// (y − z²)/2h ∓ bend; √y is that of the tangent at `near` (eq. 10.43).
  void rows_of(std::size_t c, double near) {
    const Cell& cell = cells_[c];
    const double per = 1.0 / (2.0 * cell.h), root = std::sqrt(near);
    rows_.clear();
    if (!demands_.is_plain()) go_to(cell, cell.s, is_stop_[c]);
    add_rows(cell.left, cell.keeps, std::sqrt(x_[c]), [&](const PathDemand& d) {
      return SpeedRow{d.a * per, d.b - d.a * per, d.c, -d.a * cell.bend};
    });
    if (!demands_.is_plain()) go_to(cell, nodes_[c + 1]);
    add_rows(cell.right, cell.keeps, root, [&](const PathDemand& d) {
      const double slope = root > 0.0 ? 0.5 / root : 0.0;
      return SpeedRow{d.a * per + d.b + d.c * slope, -d.a * per, 0.0,
                      d.a * cell.bend + 0.5 * d.c * root};
    });
    rows_.push_back({-1.0, 0.0, 0.0, 0.0});
  }

  /// Backwards the largest ṡ² from which the next ones can be reached, and forwards the largest
  /// that is reached.
  void sweep() {
    constexpr int tangents = 3;
    std::vector<double> most = top_;
    for (std::size_t c = cells_.size(); c-- > 0;) {
      double near = most[c + 1];
      LargestSpeed found;
      for (int n = 0; n < tangents; ++n) {
        rows_of(c, near);
        rows_.push_back({1.0, 0.0, 0.0, -most[c + 1]});
        found = largest_speed(rows_, std::sqrt(most[c]));
        if (found.z < 0.0 || std::abs(found.largest - near) <= 1e-12 * near) break;
        near = std::max(found.largest, 0.0);
      }
      most[c] = found.z < 0.0 ? 0.0 : found.z * found.z;
    }
    x_ = most;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      for (int n = 0; n < tangents; ++n) {
        rows_of(c, x_[c + 1]);
        rows_.push_back({1.0, 0.0, 0.0, -most[c + 1]});
        const double y = largest_end(rows_, std::sqrt(x_[c]));
        const bool is_same = std::abs(y - x_[c + 1]) <= 1e-12 * y;
        x_[c + 1] = y;
        if (is_same) break;
      }
    }
  }

  [[nodiscard]] double mean(std::size_t c) const { return (x_[c + 1] - x_[c]) / (2 * cells_[c].h); }

  /// How s̈ changes over each cell, by those beside it; not across where it jumps.
  void bend() {
    const auto per_way = [&](std::size_t c) {
      return 2.0 * (mean(c + 1) - mean(c)) / (cells_[c].h + cells_[c + 1].h);
    };
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const bool has_before = c > 0 && !is_stop_[c];
      const bool has_after = c + 1 < cells_.size() && !is_stop_[c + 1];
      const double before = has_before ? per_way(c - 1) : has_after ? per_way(c) : 0.0;
      const double after = has_after ? per_way(c) : before;
      const double flatter = std::abs(before) < std::abs(after) ? before : after;
      cells_[c].bend = before * after > 0.0 ? 0.5 * cells_[c].h * flatter : 0.0;
    }
  }

  [[nodiscard]] TimeLaw times() const {
    TimeLaw law;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const double v0 = std::sqrt(x_[c]), v1 = std::sqrt(x_[c + 1]), half = 0.5 * (v0 + v1);
      const double h = cells_[c].h;
      double bend = cells_[c].bend;
      double root = half * half - 4.0 / 3.0 * bend * h;
      if (!(root > 0.25 * half * half)) {
        bend = 0.0;
        root = half * half;
      }
      const double time = 2.0 * h / (half + std::sqrt(root));
      if (!std::isfinite(time)) refuse(nodes_[c], worst());
      law.stretches.push_back(
          {law.end, nodes_[c], v0, (v1 - v0) / time - bend, 2.0 * bend / time, cells_[c].piece});
      law.end += time;
    }
    law.stretches.push_back({law.end, nodes_.back(), 0.0, 0.0, 0.0, cells_.back().piece});
    return law;
  }

  /// Times at which s̈ jumps, apart, and those of the stops.
  [[nodiscard]] std::vector<double> jumps(const TimeLaw& law) const {
    constexpr double jump = 0.02;   // of the largest s̈
    constexpr double apart = 1e-3;  // of the time
    double most = 0.0;
    for (const TimeStretch& n : law.stretches) most = std::max(most, std::abs(n.sdd));
    std::vector<double> times{0.0};
    for (std::size_t c = 1; c < cells_.size(); ++c) {
      const TimeStretch &before = law.stretches[c - 1], &n = law.stretches[c];
      const double end = before.sdd + before.sddd * (n.t - before.t);
      const bool is_apart = n.t - times.back() > apart * law.end && law.end - n.t > apart * law.end;
      if (is_stop_[c] || (is_apart && std::abs(n.sdd - end) > jump * most)) times.push_back(n.t);
    }
    times.push_back(law.end);
    return times;
  }

  /// Lets the ends of a cell have less of the limits where they are exceeded between.
  void keep_between(const TimeLaw& law) {
    constexpr double least = 0.9;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const TimeStretch& n = law.stretches[c];
      double most = 0.0;
      for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const TimeStretch at = advanced(n, share * (law.stretches[c + 1].t - n.t));
        go_to(cells_[c], at.s);
        most = std::max(most, demands_.largest_share(at.sd, at.sdd).share);
      }
      if (most > 1.0) cells_[c].keeps = std::max(least, cells_[c].keeps / most);
    }
  }

  /// Which limit counts in each cell, at a factor of the law's speed.
  std::vector<TimeOptimalMotion::Binding> bindings(const TimeLaw& law, double factor) {
    std::vector<TimeOptimalMotion::Binding> found;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const double x = std::midpoint(x_[c], x_[c + 1]) * factor * factor, speed = std::sqrt(x);
      const double acceleration = mean(c) * factor * factor;
      go_to(cells_[c], cells_[c].s + cells_[c].h / 2);
      const auto [limit, share] = demands_.largest_share(speed, acceleration);
      if (found.empty() || found.back().limit != limit) {
        found.push_back({law.stretches[c].t / factor, limit, share});
      } else {
        found.back().share = std::max(found.back().share, share);
      }
    }
    return found;
  }

  const JointPath& path_;
  PathDemands& demands_;
  std::vector<double> nodes_;
  std::vector<Cell> cells_;
  std::vector<bool> is_stop_;
  std::vector<double> top_, x_;  ///< ṡ² at the nodes: what any motion stays below, and this one's
  std::vector<SpeedRow> rows_;
};

}  // namespace

TimeOptimalMotion time_optimal(const JointPath& path, PathDemands& demands, std::size_t cells) {
  return PathSolver(path, demands, cells).motion();
}

}  // namespace armdyn
