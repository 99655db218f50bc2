#include "motion/time_optimal.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/each.hpp"
#include "math/linear_form.hpp"
#include "model/joint_kind.hpp"
#include "motion/extremes.hpp"
#include "motion/joint_path.hpp"
#include "motion/path_timing.hpp"

namespace armdyn {

namespace {

constexpr double boundless = std::numeric_limits<double>::infinity();

/// Largest root below z of b z² + c z + d, which is above 0 at z; −1 where there is none.
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
      if (row.A > 0.0 && -rest / row.A < largest) {
        largest = -rest / row.A;
        upper = &row;
      } else if (row.A < 0.0 && -rest / row.A > least) {
        least = -rest / row.A;
        lower = &row;
      } else if (row.A == 0.0 && rest > rounding * (std::abs(row.B) * z * z + std::abs(row.D))) {
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

/// Places of a path, denser toward its stops, between which neither a piece ends nor a joint or
/// motor turns back; about `count` cells.
std::vector<double> path_nodes(const JointPath& path, const PathDemands& demands,
                               std::size_t count) {
  std::vector<double> nodes(path.knots());
  for (std::size_t i = 0; i < path.dof(); ++i) {
    for (const double s : path.turning_points(demands.contacts()[i].weights(path.dof())))
      nodes.push_back(s);
  }
  const auto stops =
      each(stops_among(path.knots(), path), [&](std::size_t k) { return path.knots()[k]; });
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
  constexpr double same = 1e-13;  // of the whole: nodes so near to one another are one
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

/// A cell of a path with the demands on limits at its two ends; no joint or motor turns back on it.
struct Cell {
  double s = 0.0, h = 0.0;
  std::size_t piece = 0;
  std::vector<int> directions;
  std::vector<PathDemand> left, right;
  double bend = 0.0;           ///< half of the change of s̈ over it
  double keeps = 1.0 - 1e-10;  ///< share of the limits that holds at its ends
};

/// Cells of a path, and the limits on its speed there.
class PathCells {
 public:
  using On = PathDemands::On;

  PathCells(const JointPath& along, PathDemands& on, std::size_t count)
      : path(along),
        demands(on),
        nodes(path_nodes(path, demands, count)),
        cells(nodes.size() - 1),
        is_stop(nodes.size()),
        highest(nodes.size(), boundless) {
    for (const std::size_t node : stops_among(nodes, path)) is_stop[node] = true;
    for (std::size_t c = 0; c < cells.size(); ++c) set_up(c);
    for (std::size_t n = 0; n < nodes.size(); ++n) highest[n] = is_stop[n] ? 0.0 : highest[n];
    require_rest_at_end();
  }

  void go_to(const Cell& cell, double s, On on = On::rest) {
    demands.go_to(path, cell.piece, s, cell.directions, on);
  }
  /// Kind of the begin of a cell.
  [[nodiscard]] On begin(std::size_t c) const { return is_stop[c] ? On::start : On::begin; }

  /// Adds both sides of each limit at a place of that ṡ; row(demand) has all but its level.
  template <class Row>
  void add_rows(const std::vector<PathDemand>& at_place, double keeps, double speed,
                const Row& row) {
    for (std::size_t k = 0; k < at_place.size(); ++k) {
      const PathDemand& d = at_place[k];
      const double most = keeps * demands.limits()[k].most;
      const double level = d.load + d.friction + demands.other_friction(k, speed);
      const auto [A, B, C, D] = row(d);
      rows.push_back({A, B, C, D + level - d.below - most});
      rows.push_back({-A, -B, -C, -D - level - d.above - most});
    }
  }

  [[noreturn]] void give_up(double s) {
    const std::optional<double> blocked = impassable_place(path, demands);
    s = blocked.value_or(s);
    const std::size_t piece = path.piece_at(s);
    demands.go_to(path, piece, s, directions_at(piece, s), blocked ? On::rest : On::start);
    refuse(blocked ? "no motion on this path keeps the limits: none gets past"
                   : "found no motion on this path that keeps the limits, though there may be one: "
                     "the search ended at",
           s);
  }

  const JointPath& path;
  PathDemands& demands;
  std::vector<double> nodes;
  std::vector<Cell> cells;
  std::vector<bool> is_stop;    ///< of nodes
  std::vector<double> highest;  ///< ṡ² at the nodes with some s̈ within the limits
  std::vector<SpeedRow> rows;   ///< of the cell looked at

 private:
  [[nodiscard]] std::vector<int> directions_at(std::size_t piece, double s) const {
    return directions(demands.arm(), each(in_order(path.dof()),
                                          [&](std::size_t i) { return path.at(piece, i, s).d1; }));
  }

  void set_up(std::size_t c) {
    Cell& cell = cells[c];
    cell.s = nodes[c];
    cell.h = nodes[c + 1] - nodes[c];
    cell.piece = path.piece_at(cell.s);
    cell.directions = directions_at(cell.piece, cell.s + cell.h / 2);
    for (const bool is_right : {false, true}) {
      const std::size_t node = is_right ? c + 1 : c;
      go_to(cell, nodes[node], is_right ? On::rest : begin(c));
      (is_right ? cell.right : cell.left) = demands.demands();
      rows.clear();
      add_rows(is_right ? cell.right : cell.left, cell.keeps, 0.0, [](const PathDemand& d) {
        return SpeedRow{d.a, d.b, d.c, 0.0};
      });
      const double z = largest_speed(rows, 1e9).z;
      if (z < 0.0) give_up(nodes[node]);
      highest[node] = std::min(highest[node], z * z);
    }
  }

  void require_rest_at_end() {
    const std::vector<double> q = path.positions(nodes.back()), zero(path.dof());
    demands.go_to({q, zero, zero}, {}, std::vector<int>(path.dof()));
    constexpr double rounding = 1e-9;
    if (demands.largest_share(0.0, 0.0).share <= 1.0 + rounding) return;
    refuse("no motion on this path keeps the limits: none can rest at", nodes.back());
  }

  /// Names the limit with the largest share at rest at the place that demands is at: of torque or
  /// force, since no other asks for anything there.
  [[noreturn]] void refuse(std::string_view what, double s) const {
    const LimitShare worst = demands.largest_share(0.0, 0.0);
    const RowLimit& limit = demands.limits()[worst.limit];
    const Arm& arm = demands.arm();
    const RobotUnit unit = limit.is_of_motor ? RobotUnit::motor_effort : RobotUnit::effort;
    throw NumericsError(fmt::format(
        "{} {:.4g} % of it; at rest there {}{} needs {:.4g} of {:.6g} {}; try larger limits, less "
        "load or another path",
        what, 100.0 * (s - nodes.front()) / (nodes.back() - nodes.front()),
        limit.is_of_motor ? "the motor of " : "", joint_name(arm, limit.joint),
        worst.share * limit.most, limit.most, unit_text(unit, arm.links[limit.joint].joint)));
  }
};

/// The fastest motion over the cells of a path.
class PathSolver {
 public:
  PathSolver(const JointPath& path, PathDemands& demands, std::size_t count)
      : grid_(path, demands, count), top_(grid_.highest), x_(top_) {}

  TimeOptimalMotion motion() {
    constexpr int corrections = 4, more = 12;
    constexpr double nearly = 0.999;
    find_profile();
    for (const double share : {1.0, 0.999, 0.99}) {  // islands of smaller limits are larger
      if (!is_stuck() || !go_round_islands(share)) break;
      find_profile();
    }
    TimeLaw law = times();
    SlowDown slower;
    for (int n = 0; n < corrections + more && slower.factor < nearly; ++n) {
      keep_between(law, n < corrections ? 0.0 : 0.125);
      sweep();
      law = times();
      if (n + 1 < corrections) continue;
      slower =
          slow_down(grid_.demands, along(grid_.path, law, each(law.stretches, &TimeStretch::t)));
    }
    if (slower.factor == 0.0) grid_.give_up(law.stretch_at(slower.obstacle->place.t).s);
    Trajectory motion = along(grid_.path, law, jumps(law));
    std::vector<LimitShare> binding = bindings(law, slower.factor);
    if (slower.factor < 1.0) motion = slowed(motion, 1.0 / slower.factor);
    std::vector<TimeOptimalMotion::PhasePoint> plane;
    for (std::size_t n = 0; n < grid_.nodes.size(); ++n) {
      plane.push_back(
          {grid_.nodes[n], slower.factor * std::sqrt(x_[n]), std::sqrt(grid_.highest[n])});
    }
    return {std::move(motion), std::move(binding), std::move(plane)};
  }

 private:
  /// Sets the rows of a cell for z = ṡ at its begin and y = ṡ² at its end, s̈ at its ends being
  /// (y − z²)/2h ∓ bend; √y is taken as its tangent at `near` (eq. 10.43).
  void rows_of(std::size_t c, double near) {
    const Cell& cell = grid_.cells[c];
    const double per = 1.0 / (2.0 * cell.h), root = std::sqrt(near);
    grid_.rows.clear();
    if (!grid_.demands.is_plain()) grid_.go_to(cell, cell.s, grid_.begin(c));
    grid_.add_rows(cell.left, cell.keeps, std::sqrt(x_[c]), [&](const PathDemand& d) {
      return SpeedRow{d.a * per, d.b - d.a * per, d.c, -d.a * cell.bend};
    });
    if (!grid_.demands.is_plain()) grid_.go_to(cell, grid_.nodes[c + 1]);
    grid_.add_rows(cell.right, cell.keeps, root, [&](const PathDemand& d) {
      const double slope = root > 0.0 ? 0.5 / root : 0.0;
      return SpeedRow{d.a * per + d.b + d.c * slope, -d.a * per, 0.0,
                      d.a * cell.bend + 0.5 * d.c * root};
    });
    grid_.rows.push_back({-1.0, 0.0, 0.0, 0.0});
  }

  /// Finds backwards the largest ṡ² from which the next ones can be reached, and forwards the largest
  /// that is reached.
  void sweep() {
    constexpr int tangents = 3;
    constexpr double nearest = 1e-6;
    std::vector<double> most = top_;
    for (std::size_t c = grid_.cells.size(); c-- > 0;) {
      double near = most[c + 1];
      LargestSpeed found;
      for (int n = 0; n < tangents;) {
        rows_of(c, near);
        grid_.rows.push_back({1.0, 0.0, 0.0, -most[c + 1]});
        found = largest_speed(grid_.rows, std::sqrt(most[c]));
        if (found.z < 0.0) {
          if (near <= nearest * most[c + 1]) break;
          near *= 0.25;  // the tangent is of a y too far above
          continue;
        }
        if (std::abs(found.largest - near) <= 1e-12 * near) break;
        near = std::max(found.largest, 0.0);
        ++n;
      }
      most[c] = found.z < 0.0 ? 0.0 : found.z * found.z;
    }
    x_ = most;
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      for (int n = 0; n < tangents; ++n) {
        rows_of(c, x_[c + 1]);
        grid_.rows.push_back({1.0, 0.0, 0.0, -most[c + 1]});
        const double y = largest_end(grid_.rows, std::sqrt(x_[c]));
        const bool is_same = std::abs(y - x_[c + 1]) <= 1e-12 * y;
        x_[c + 1] = y;
        if (is_same) break;
      }
    }
  }

  void find_profile() {
    constexpr int sweeps = 5;
    for (int n = 0; n < sweeps; ++n) {
      sweep();
      bend();
    }
    sweep();
  }

  /// Tests whether the profile leads to where no s̈ keeps the limits: into an island, or to rest.
  [[nodiscard]] bool is_stuck() {
    constexpr double beyond = 1e-6;  // of a limit
    return std::ranges::any_of(in_order(grid_.cells.size()), [&](std::size_t c) {
      grid_.go_to(grid_.cells[c], grid_.nodes[c], grid_.begin(c));
      const double acceleration = mean(c) - grid_.cells[c].bend;
      return grid_.demands.largest_share(std::sqrt(x_[c]), acceleration).share > 1.0 + beyond;
    });
  }

  /// ṡ² at the end of a cell to which even s̈ within a share of the limits leads from ṡ = z at its
  /// begin; none where the lower is above the upper.
  Range reach(std::size_t c, double z, double share) {
    grid_.rows.clear();
    grid_.add_rows(grid_.cells[c].left, share, z, [](const PathDemand& d) {
      return SpeedRow{d.a, d.b, d.c, 0.0};
    });
    const LargestSpeed found = largest_speed(grid_.rows, z);
    if (found.z < z) return {1.0, 0.0};
    const double x = z * z, twice = 2.0 * grid_.cells[c].h;
    return {x + twice * found.least, x + twice * found.largest};
  }

  /// Ranges of ṡ at each node from which the end is reached.
  std::vector<std::vector<Range>> ways_to_end(double share) {
    constexpr int places = 200;
    constexpr double above = 1.01;  // the profile, which no motion crosses
    std::vector<std::vector<Range>> ways(grid_.nodes.size());
    ways.back() = {{0.0, 0.0}};
    for (std::size_t c = grid_.cells.size(); c-- > 0;) {
      grid_.go_to(grid_.cells[c], grid_.cells[c].s, grid_.begin(c));
      const auto leads_on = [&](double z) {
        const Range y = reach(c, z, share);
        return y.lower <= y.upper && std::ranges::any_of(ways[c + 1], [&](const Range& next) {
                 return y.lower <= next.upper * next.upper && y.upper >= next.lower * next.lower;
               });
      };
      const auto edge = [&](double leads, double fails) {
        for (int n = 0; n < 50; ++n) {
          const double middle = std::midpoint(leads, fails);
          (leads_on(middle) ? leads : fails) = middle;
        }
        return leads;
      };
      const double step = above * std::sqrt(x_[c]) / places;
      bool led = false;
      for (int n = 0; n <= (step > 0.0 ? places : 0); ++n) {
        const double z = step * n;
        const bool leads = leads_on(z);
        if (leads && !led) ways[c].push_back({n > 0 ? edge(z, z - step) : z, z});
        if (led) ways[c].back().upper = leads ? z : edge(z - step, z);
        led = leads;
      }
    }
    return ways;
  }

  /// Lowers tops into the gaps above the fastest motion among the ways to the end. Returns false
  /// where there is none.
  bool go_round_islands(double share) {
    constexpr double within = 1.0 - 1e-12;
    const std::vector<std::vector<Range>> ways = ways_to_end(share);
    double z = 0.0;
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      grid_.go_to(grid_.cells[c], grid_.cells[c].s, grid_.begin(c));
      const Range y = reach(c, z, share);
      double next = -1.0, gap = boundless;
      for (const Range& way : ways[c + 1]) {
        const double upper = std::min(std::sqrt(std::max(0.0, y.upper)), way.upper);
        if (upper >= within * way.lower && upper * upper >= within * y.lower) {
          next = upper;
          gap = boundless;
        } else if (std::isinf(gap)) {
          gap = std::midpoint(next, way.lower);
        }
      }
      if (next < 0.0) return false;
      top_[c + 1] = std::min(top_[c + 1], gap * gap);
      z = next;
    }
    return true;
  }

  [[nodiscard]] double mean(std::size_t c) const {
    return (x_[c + 1] - x_[c]) / (2 * grid_.cells[c].h);
  }

  /// Estimates the change of s̈ over each cell by those beside it, not across its jumps.
  void bend() {
    const auto per_way = [&](std::size_t c) {
      return 2.0 * (mean(c + 1) - mean(c)) / (grid_.cells[c].h + grid_.cells[c + 1].h);
    };
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      const bool has_before = c > 0 && !grid_.is_stop[c];
      const bool has_after = c + 1 < grid_.cells.size() && !grid_.is_stop[c + 1];
      const double before = has_before ? per_way(c - 1) : has_after ? per_way(c) : 0.0;
      const double after = has_after ? per_way(c) : before;
      const double flatter = std::abs(before) < std::abs(after) ? before : after;
      grid_.cells[c].bend = before * after > 0.0 ? 0.5 * grid_.cells[c].h * flatter : 0.0;
    }
  }

  [[nodiscard]] TimeLaw times() {
    TimeLaw law;
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      const double v0 = std::sqrt(x_[c]), v1 = std::sqrt(x_[c + 1]), half = 0.5 * (v0 + v1);
      const double h = grid_.cells[c].h;
      double bend = grid_.cells[c].bend;
      double root = half * half - 2.0 / 3.0 * bend * h;  // h = half T − bend T²/6
      if (!(root > 0.25 * half * half)) {
        bend = 0.0;
        root = half * half;
      }
      const double time = 2.0 * h / (half + std::sqrt(root));
      if (!std::isfinite(time)) grid_.give_up(grid_.nodes[c]);
      law.stretches.push_back({law.end, grid_.nodes[c], v0, (v1 - v0) / time - bend,
                               2.0 * bend / time, grid_.cells[c].piece});
      law.end += time;
    }
    law.stretches.push_back({law.end, grid_.nodes.back(), 0.0, 0.0, 0.0, grid_.cells.back().piece});
    return law;
  }

  /// Times of the stops and of jumps of s̈, these apart from others.
  [[nodiscard]] std::vector<double> jumps(const TimeLaw& law) const {
    constexpr double least_jump = 0.02;
    constexpr double apart = 1e-3;  // of the time
    const std::vector<double> all = jumps_of(law, least_jump);
    std::vector<double> times{0.0};
    for (std::size_t c = 1; c < grid_.cells.size(); ++c) {
      const double t = law.stretches[c].t;
      const bool is_apart = t - times.back() > apart * law.end && law.end - t > apart * law.end;
      if (grid_.is_stop[c] || (is_apart && std::ranges::binary_search(all, t))) times.push_back(t);
    }
    times.push_back(law.end);
    return times;
  }

  /// Lowers the limits at the ends of a cell where they are exceeded at one of five places, or beyond
  /// by a part `bent` of their largest second difference.
  void keep_between(const TimeLaw& law, double bent) {
    constexpr double least = 0.9;
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      const TimeStretch& n = law.stretches[c];
      std::array<double, 5> shares{};
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const double part = 0.25 * static_cast<double>(k);
        const TimeStretch at = advanced(n, part * (law.stretches[c + 1].t - n.t));
        grid_.go_to(grid_.cells[c], at.s);
        shares[k] = grid_.demands.largest_share(at.sd, at.sdd).share;
      }
      double most = std::ranges::max(shares), bend = 0.0;
      for (std::size_t k = 1; k + 1 < shares.size(); ++k) {
        bend = std::max(bend, std::abs(shares[k - 1] - 2.0 * shares[k] + shares[k + 1]));
      }
      most += bent * bend;
      if (most > 1.0) grid_.cells[c].keeps = std::max(least, grid_.cells[c].keeps / most);
    }
  }

  /// Finds the limit with the largest share in each cell, at a factor of the law's speed.
  std::vector<LimitShare> bindings(const TimeLaw& law, double factor) {
    std::vector<LimitShare> found;
    for (std::size_t c = 0; c < grid_.cells.size(); ++c) {
      const double x = std::midpoint(x_[c], x_[c + 1]) * factor * factor, speed = std::sqrt(x);
      const double acceleration = mean(c) * factor * factor;
      grid_.go_to(grid_.cells[c], grid_.cells[c].s + grid_.cells[c].h / 2);
      LimitShare here = grid_.demands.largest_share(speed, acceleration);
      here.t = law.stretches[c].t / factor;
      if (found.empty() || found.back().limit != here.limit) found.push_back(here);
      found.back().share = std::max(found.back().share, here.share);
    }
    return found;
  }

  PathCells grid_;
  /// ṡ² at the nodes: a bound, and this motion's.
  std::vector<double> top_, x_;
};

}  // namespace

TimeOptimalMotion time_optimal(const JointPath& path, PathDemands& demands, std::size_t cells) {
  return PathSolver(path, demands, cells).motion();
}

namespace {

/// Form of a number within a range, all over a cell.
LinearForm within(const Range& range) {
  return {0.5 * (range.lower + range.upper), 0.0, 0.5 * (range.upper - range.lower)};
}

/// A limit on a cell: |A s̈ + B ṡ² + C ṡ + D| ≤ most, forms over the cell.
struct CellLimit {
  LinearForm A, B, C, D;
  double most = 0.0;
};

struct BoundCell {
  double h = 0.0;
  std::vector<CellLimit> limits{};
  double least_time = 0.0;  ///< by limits of velocity alone: ∫ |C| ds over them
};

class LeastDuration {
 public:
  LeastDuration(const JointPath& path, PathDemands& demands)
      : path_(path),
        demands_(demands),
        arm_(demands.arm()),
        gravity_removed_(gravity_removed(arm_)),
        rotors_(rotor_inertias(arm_)) {}

  double find(std::size_t count) {
    nodes_ = path_nodes(path_, demands_, count);
    std::vector<double> top(nodes_.size(), boundless);
    cells_.clear();
    for (std::size_t c = 0; c + 1 < nodes_.size(); ++c) {
      cells_.push_back(cell(c));
      for (const std::size_t end : {c, c + 1}) top[end] = std::min(top[end], top_at(c, end));
    }
    for (const std::size_t node : stops_among(nodes_, path_)) top[node] = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      top[c + 1] = std::min(top[c + 1], step(c, top[c], true));
    }
    for (std::size_t c = cells_.size(); c-- > 0;) {
      top[c] = std::min(top[c], step(c, top[c + 1], false));
    }
    double time = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (top[c] == 0.0 && top[c + 1] == 0.0) blocked_ = nodes_[c];
      if (blocked_) return boundless;
      time += std::max(cells_[c].least_time, least_time(cells_[c].h, top[c], step(c, top[c], true),
                                                        top[c + 1], step(c, top[c + 1], false)));
    }
    constexpr double rounding = 1e-12;  // of a sum of positive numbers
    return time * (1.0 - rounding);
  }

  /// Place that no motion within the limits passes, if one was found.
  [[nodiscard]] std::optional<double> blocked() const { return blocked_; }

 private:
  /// Least time over a cell with ṡ² below the straight lines from x0 to x0_end and from x1_begin to
  /// x1.
  static double least_time(double h, double x0, double x0_end, double x1, double x1_begin) {
    const auto straight = [](double way, double a, double b) {
      const double sum = std::sqrt(a) + std::sqrt(b);
      return sum > 0.0 && std::isfinite(sum) ? 2.0 * way / sum : 0.0;
    };
    if (!std::isfinite(x0_end) && !std::isfinite(x1_begin)) return 0.0;
    if (!std::isfinite(x0_end) || x0 >= x1_begin) return straight(h, x1_begin, x1);
    if (!std::isfinite(x1_begin) || x1 >= x0_end) return straight(h, x0, x0_end);
    const double up = x0_end - x0, down = x1_begin - x1;  // x0 + up σ = x1 + down (1 − σ)
    const double share = std::clamp((x1 + down - x0) / (up + down), 0.0, 1.0);
    const double peak = std::max(x0 + up * share, x1 + down * (1.0 - share));
    return straight(share * h, x0, peak) + straight((1.0 - share) * h, peak, x1);
  }

  /// Forms of q, q', q'' of a joint over a cell of half-width e about s (Taylor polynomials).
  static std::array<LinearForm, 3> over(const JointPath& path, std::size_t piece, std::size_t i,
                                        double s, double e) {
    const PathSample at = path.at(piece, i, s);
    const double first = path.at(piece, i, s - e).d3, last = path.at(piece, i, s + e).d3;
    const double inner = 2.0 * at.d3 - 0.5 * (first + last);  // Bernstein's form of q'''
    const double third = std::max({std::abs(first), std::abs(inner), std::abs(last)});
    const double fourth = std::max(std::abs(inner - first), std::abs(last - inner)) / e;
    const double second = std::abs(at.d2) + e * third;
    const double half = 0.5 * e * e;
    constexpr double digits = 1e-14;
    const auto form = [](double value, double slope, double rest) {
      return LinearForm{value, slope, rest + digits * (std::abs(value) + std::abs(slope))};
    };
    return {form(at.q, at.d1 * e, half * second), form(at.d1, at.d2 * e, half * third),
            form(at.d2, at.d3 * e, half * fourth)};
  }

  BoundCell cell(std::size_t c) {
    const std::size_t n = arm_.dof(), piece = path_.piece_at(nodes_[c]);
    const double s = std::midpoint(nodes_[c], nodes_[c + 1]), h = nodes_[c + 1] - nodes_[c];
    std::vector<LinearForm> q, slope, curvature;
    for (std::size_t i = 0; i < n; ++i) {
      const auto [at, first, second] = over(path_, piece, i, s, 0.5 * h);
      q.push_back(at);
      slope.push_back(first);
      curvature.push_back(second);
    }
    const std::vector<LinearForm> zero(n);
    std::vector<LinearForm> first = links_torque<LinearForm>(gravity_removed_, q, zero, slope);
    auto second = links_torque<LinearForm>(gravity_removed_, q, slope, curvature);
    std::vector<LinearForm> level = links_torque<LinearForm>(arm_, q, zero, zero);
    std::vector<LinearForm> viscous(n);
    const auto add_rotors = [&](std::vector<LinearForm>& tau,
                                const std::vector<LinearForm>& rates) {
      for (std::size_t i = 0; i < n; ++i) tau[i] = tau[i] + rotors_.diagonal[i] * rates[i];
      for (const auto& [i, j, inertia] : rotors_.beside) {
        tau[i] = tau[i] + inertia * rates[j];
        tau[j] = tau[j] + inertia * rates[i];
      }
    };
    add_rotors(first, slope);
    add_rotors(second, curvature);
    add_friction(piece, nodes_[c], nodes_[c + 1], q, slope, level, viscous);
    BoundCell found{h};
    for (const RowLimit& limit : demands_.limits()) {
      const auto sum = [&](const std::vector<LinearForm>& x) {
        LinearForm total;
        for (std::size_t i = 0; i < n; ++i) {
          if (limit.of_joints[i] != 0.0) total = total + limit.of_joints[i] * x[i];
        }
        return total;
      };
      if (limit.kind == RowLimit::Kind::torque) {
        found.limits.push_back({sum(first), sum(second), sum(viscous), sum(level), limit.most});
      } else if (limit.kind == RowLimit::Kind::velocity) {
        const LinearForm C = sum(slope);
        found.limits.push_back({{}, {}, C, {}, limit.most});
        found.least_time =
            std::max(found.least_time, h * (std::abs(C.middle) - C.rest) / limit.most);
      } else {
        found.limits.push_back({sum(slope), sum(curvature), {}, {}, limit.most});
      }
    }
    return found;
  }

  /// Direction of a contact over a part of a piece: 1, −1, or 0 where it is unknown.
  [[nodiscard]] int way(std::size_t piece, std::size_t contact, double from, double to) const {
    const std::vector<double> weights = demands_.contacts()[contact].weights(arm_.dof());
    const auto [least, largest] = std::ranges::minmax(path_.slopes(piece, weights, from, to));
    const double nothing = path_.rounding(piece, weights, from, to);
    if (least >= -nothing && largest > nothing) return 1;
    return largest <= nothing && least < -nothing ? -1 : 0;
  }

  /// Adds friction of joints and motors over a cell: viscous friction, and all values of the rest at
  /// any speed.
  void add_friction(std::size_t piece, double from, double to, const std::vector<LinearForm>& q,
                    const std::vector<LinearForm>& slope, std::vector<LinearForm>& level,
                    std::vector<LinearForm>& viscous) const {
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = way(piece, i, from, to);
      const double G = std::abs(motor.gear_ratio);
      level[i] =
          level[i] + ripple_factor(friction.ripple, q[i]) * within(dry_range(friction, direction)) +
          G * within(dry_range(motor, direction)) + within(smooth_range(friction, direction));
      viscous[i] = viscous[i] + (friction.viscous + G * G * motor.viscous) * slope[i];
    }
    for (const auto& [row, drive, motor_of] : arm_.row_drives) {
      const int direction = motor_of ? way(piece, *motor_of, from, to) : 0;
      act_by_row<LinearForm>(row, within(dry_range(drive.motor, direction)), adding_to(level));
      act_by_row<LinearForm>(row, viscous_friction(drive) * row_rate<LinearForm>(row, slope),
                             adding_to(viscous));
    }
  }

  /// Largest ṡ² at an end of a cell for which some s̈ keeps all limits.
  double top_at(std::size_t c, std::size_t node) {
    demands_.go_to(path_, path_.piece_at(nodes_[c]), nodes_[node], std::vector<int>(arm_.dof()));
    std::vector<SpeedRow> rows;
    const double end = node == c ? -1.0 : 1.0;
    for (std::size_t k = 0; k < cells_[c].limits.size(); ++k) {
      const PathDemand& at = demands_.demands()[k];
      const auto& [A, B, C, D, most] = cells_[c].limits[k];
      const double level = D.middle + end * D.slope;
      rows.push_back({at.a, at.b, at.c, level - D.rest - most});
      rows.push_back({-at.a, -at.b, -at.c, -level - D.rest - most});
    }
    constexpr double rounding = 1e-9;
    constexpr double fastest = 1e9;
    const double z = largest_speed(rows, fastest).z * (1.0 + rounding);
    return z < 0.0 ? 0.0 : z < fastest ? z * z : boundless;
  }

  /// Bound of ṡ² at one end of a cell if it is at most x0 at the other: the least straight line over
  /// the cell on which some limit forbids to rise faster (eq. 10.45).
  [[nodiscard]] double step(std::size_t c, double x0, bool forwards) const {
    double best = boundless;
    if (std::isinf(x0)) return best;
    const double h = cells_[c].h;
    for (const CellLimit& limit : cells_[c].limits) {
      for (const double side : {1.0, -1.0}) {
        const auto seen = [&](const LinearForm& x) {
          const LinearForm of_side = side > 0.0 ? x : -x;
          return forwards ? of_side : of_side.mirrored();
        };
        const LinearForm A = forwards ? seen(limit.A) : -seen(limit.A);
        if (A.least() <= 0.0) continue;
        const LinearForm B = seen(limit.B), C = seen(limit.C), D = seen(limit.D);
        double u = rise(A, B, C, D, limit.most, x0, x0);
        for (int n = 0; n < 10; ++n) {
          const double x1 = std::max(0.0, x0 + 2.0 * h * u);
          const double needed = rise(A, B, C, D, limit.most, x0, x1);
          constexpr double rounding = 1e-13;
          if (needed <= (x1 - x0) / (2.0 * h)) {
            best = std::min(best, x1 * (1.0 + rounding));
            break;
          }
          u = needed + rounding * (std::abs(needed) + n * x0 / h) +
              0.1 * std::max(0.0, needed - u) * n;
        }
      }
    }
    return best;
  }

  /// Least s̈ that a limit forbids to exceed all over a cell, on the straight line from x0 to x1.
  static double rise(const LinearForm& A, const LinearForm& B, const LinearForm& C,
                     const LinearForm& D, double most, double x0, double x1) {
    const LinearForm x{0.5 * (x0 + x1), 0.5 * (x1 - x0), 0.0};
    const double r0 = std::sqrt(x0), r1 = std::sqrt(x1), middle = std::sqrt(x.middle);
    const LinearForm chord{0.5 * (r0 + r1), 0.5 * (r1 - r0), 0.0};
    const LinearForm tangent{middle, middle > 0.0 ? 0.5 * x.slope / middle : 0.0, 0.0};
    LinearForm root = C.least() >= 0.0 ? chord : tangent;
    if (C.least() < 0.0 && C.largest() > 0.0) {
      root.rest = std::abs(tangent.middle - chord.middle) + std::abs(tangent.slope - chord.slope);
    }
    const LinearForm K = B * x + C * root + D - LinearForm(most);
    double needed = -boundless;
    for (const double end : {-1.0, 1.0}) {
      const double level = K.middle + end * K.slope - K.rest, a = A.middle + end * A.slope;
      needed = std::max(needed, -level / (level < 0.0 ? a - A.rest : a + A.rest));
    }
    return needed;
  }

  const JointPath& path_;
  PathDemands& demands_;
  Arm arm_, gravity_removed_;
  RotorInertias rotors_;
  std::vector<double> nodes_;
  std::vector<BoundCell> cells_;
  std::optional<double> blocked_;
};

}  // namespace

double least_duration(const JointPath& path, PathDemands& demands, double duration) {
  constexpr double close = 1e-3;
  constexpr std::size_t fewest = 512, most = 8192;
  LeastDuration bound(path, demands);
  double best = 0.0;
  for (std::size_t cells = fewest; cells <= most; cells *= 2) {
    best = std::max(best, bound.find(cells));
    if (duration - best <= close * duration) break;
  }
  return best;
}

std::optional<double> impassable_place(const JointPath& path, PathDemands& demands) {
  LeastDuration bound(path, demands);
  for (std::size_t cells = 512; cells <= 8192 && !bound.blocked(); cells *= 4)
    (void)bound.find(cells);
  return bound.blocked();
}

}  // namespace armdyn
