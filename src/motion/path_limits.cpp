#include "motion/path_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/newton_euler.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "motion/extremes.hpp"
#include "motion/joint_path.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

double weighted(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Arm with_plain_friction(Arm arm) {
  for (Drive& drive : arm.drives) drive = with_plain_friction(drive);
  return arm;
}

}  // namespace

std::vector<RowLimit> path_limits(const Robot& robot, double torque_share) {
  std::vector<RowLimit> limits;
  const auto add = [&](RowLimit::Kind kind, std::size_t i, const std::optional<double>& most) {
    if (!most) return;
    limits.push_back({kind, i, false, std::vector<double>(robot.dof()), *most});
    limits.back().of_joints[i] = 1.0;
  };
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& own = robot.joints[i].limits;
    add(RowLimit::Kind::torque, i, own.torque);
    add(RowLimit::Kind::velocity, i, own.velocity);
    add(RowLimit::Kind::acceleration, i, own.acceleration);
  }
  append(limits, row_limits(robot));
  std::erase_if(limits,
                [](const RowLimit& limit) { return limit.kind == RowLimit::Kind::position; });
  for (RowLimit& limit : limits) {
    if (limit.kind == RowLimit::Kind::torque) limit.most *= torque_share;
  }
  return limits;
}

PathDemands::PathDemands(const Robot& robot, std::vector<RowLimit> limits)
    : limits_(std::move(limits)),
      arm_(normalize(robot)),
      plain_(with_plain_friction(arm_)),
      contacts_(friction_contacts(arm_)),
      is_plain_(std::ranges::all_of(arm_.drives, has_plain_friction)),
      moving_(gravity_removed(without_friction(robot))),
      resting_(without_friction(robot)),
      demands_(limits_.size()),
      no_directions_(robot.dof()),
      zero_(robot.dof()),
      first_(zero_),
      second_(zero_),
      load_(zero_),
      dry_(zero_),
      viscous_(zero_) {}

void PathDemands::go_to(const PathState& point, const Wrench& wrench,
                        std::span<const int> directions, double resolution, On on) {
  q_.assign(point.q.begin(), point.q.end());
  slope_.assign(point.slope.begin(), point.slope.end());
  directions_.assign(directions.begin(), directions.end());
  moving_.torque({point.q, zero_, point.slope}, {}, first_);
  moving_.torque({point.q, point.slope, point.curvature}, {}, second_);
  resting_.torque({point.q, zero_, zero_}, wrench, load_);
  const auto of_contacts = [this](std::span<const double> joints, std::vector<double>& room) {
    if (arm_.row_drives.empty()) return joints;
    room = contact_rates(arm_, joints);
    return std::span<const double>(room);
  };
  std::vector<double> of_slope, of_curvature;
  const std::span<const double> rates = of_contacts(point.slope, of_slope),
                                accelerations = of_contacts(point.curvature, of_curvature);
  std::vector<std::pair<std::size_t, int>> at_rest;  // contacts, and where they go
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const bool moves = std::abs(rates[i]) > resolution * std::abs(accelerations[i]);
    if (moves && on != On::start) continue;
    if (on == On::rest && directions_[i] != 0) continue;  // it slips until it rests
    at_rest.emplace_back(i, std::exchange(directions_[i], 0));
  }
  loss_torques(plain_, q_, zero_, directions_, dry_);
  loss_torques(plain_, q_, slope_, no_directions_, viscous_);
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const std::vector<double>& weights = limits_[k].of_joints;
    switch (limits_[k].kind) {
      case RowLimit::Kind::torque:
        demands_[k] = {weighted(weights, first_), weighted(weights, second_),
                       weighted(weights, viscous_), weighted(weights, load_),
                       weighted(weights, dry_)};
        break;
      case RowLimit::Kind::velocity:
        demands_[k] = {.c = weighted(weights, point.slope)};
        break;
      case RowLimit::Kind::acceleration:
        demands_[k] = {.a = weighted(weights, point.slope),
                       .b = weighted(weights, point.curvature)};
        break;
      case RowLimit::Kind::position:  // not among them
        break;
    }
  }
  for (const auto& [contact, direction] : at_rest) add_rest(contact, direction);
}

/// Adds static friction of a contact at rest: in the direction in which it sets out, or where it
/// stays, both levels.
void PathDemands::add_rest(std::size_t contact, int direction) {
  const TwoSided level = breakaway_torque(contacts_[contact].drive, q_[contact]);
  const std::vector<double> of_joints = contacts_[contact].weights(arm_.dof());
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    if (limits_[k].kind != RowLimit::Kind::torque) continue;
    PathDemand& demand = demands_[k];
    const double weight = weighted(limits_[k].of_joints, of_joints);
    demand.friction += weight * signed_level(level, direction);
    if (direction != 0) continue;
    demand.above += std::abs(weight) * (weight > 0.0 ? level.positive : level.negative);
    demand.below += std::abs(weight) * (weight > 0.0 ? level.negative : level.positive);
  }
}

void PathDemands::go_to(const JointPath& path, std::size_t piece, double s,
                        std::span<const int> directions, On on) {
  std::vector<double> q, slope, curvature;
  for (std::size_t i = 0; i < path.dof(); ++i) {
    const PathSample at = path.at(piece, i, s);
    q.push_back(at.q);
    slope.push_back(at.d1);
    curvature.push_back(at.d2);
  }
  go_to({q, slope, curvature}, {}, directions, 0.0, on);
}

LimitShare PathDemands::largest_share(double speed, double acceleration) const {
  LimitShare most;
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const PathDemand& demand = demands_[k];
    const double value = demand.a * acceleration + demand.at(speed) + other_friction(k, speed);
    const double share = std::max(value - demand.below, -value - demand.above) / limits_[k].most;
    if (share > most.share) most = {k, share};
  }
  return most;
}

double PathDemands::other_friction(std::size_t limit, double speed) const {
  if (is_plain_ || limits_[limit].kind != RowLimit::Kind::torque) return 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double weight = limits_[limit].of_joints[i];
    if (weight == 0.0 || has_plain_friction(arm_.drives[i]) || slope_[i] == 0.0) continue;
    const double rate = slope_[i] * speed;
    sum += weight * (loss_torque(arm_.drives[i], q_[i], rate, directions_[i]) -
                     loss_torque(plain_.drives[i], q_[i], rate, directions_[i]));
  }
  return sum;
}

namespace {

constexpr double margin = 1e-12;        // of a limit, which rounding must not exceed
constexpr double planned_share = 1e-9;  // a motion planned for a limit is beyond by no more

/// Dense times of a part of a motion on which no contact changes its direction.
struct Piece {
  std::vector<double> times;
  std::vector<int> directions;      ///< of contacts
  std::vector<double> shares = {};  ///< largest of limits at these times

  [[nodiscard]] double begin() const { return times.front(); }
};

std::vector<Range> intersection(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::vector<Range> common;
  for (const Range& x : a) {
    for (const Range& y : b) {
      const Range both{std::max(x.lower, y.lower), std::min(x.upper, y.upper)};
      if (both.lower <= both.upper && both.upper > 0.0) common.push_back(both);
    }
  }
  return common;
}

class Slowing {
 public:
  Slowing(PathDemands& demands, const Trajectory& motion, const WrenchOverTime& wrench)
      : demands_(demands),
        motion_(motion),
        wrench_(wrench),
        now_{std::vector<double>(motion.dof()), std::vector<double>(motion.dof()),
             std::vector<double>(motion.dof())} {
    found_.has_wrench = static_cast<bool>(wrench);
  }

  SlowDown find() {
    found_.feasible = {{0.0, 1.0}};
    const bool keeps_all =
        largest_share(1.0, [this](double t) { restrict(t); }).share <= 1.0 + planned_share;
    if (keeps_all) {
      constexpr double touching = 1e-6;
      if (found_.feasible.back().upper < 1.0 - touching) found_.feasible.push_back({1.0, 1.0});
      found_.feasible.back().upper = found_.factor = 1.0;
      found_.binding.reset();
      found_.obstacle.reset();
      return found_;
    }
    while (!found_.obstacle) {
      found_.factor = found_.feasible.back().upper;
      const LimitShare worst = largest_share(found_.factor);
      if (worst.share <= 1.0) return found_;
      go_to(worst.t, worst_begin_, worst_directions_);
      restrict(worst.t);
      double& upper = found_.feasible.back().upper;
      if (upper >= found_.factor) upper *= 1.0 - margin;
    }
    found_.factor = 0.0;
    found_.feasible.clear();
    return found_;
  }

  /// Finds the largest share over the motion, at a factor of its speed. Calls visit(t) at each of the
  /// dense times.
  template <class Visit>
  LimitShare largest_share(double factor, const Visit& visit) {
    LimitShare worst;
    if (pieces_.empty()) find_pieces();
    const auto share = [&](const Piece& piece, double t) {
      go_to(t, piece.begin(), piece.directions);
      LimitShare here = demands_.largest_share(factor, 0.0);
      here.t = t;
      if (here.share > worst.share) {
        worst = here;
        worst_begin_ = piece.begin();
        worst_directions_ = piece.directions;
      }
      return here.share;
    };
    for (Piece& piece : pieces_) {
      piece.shares.clear();
      for (const double t : piece.times) {
        piece.shares.push_back(share(piece, t));
        visit(t);
      }
    }
    // Between them only where more than the largest of all may be.
    for (const Piece& piece : pieces_) {
      const std::vector<double>& shares = piece.shares;
      const std::size_t last = shares.size() - 1;
      for (std::size_t k = 0; k <= last; ++k) {
        const std::size_t before = k > 0 ? k - 1 : 0, after = std::min(k + 1, last);
        if (shares[k] < std::max(shares[before], shares[after])) continue;
        const std::size_t first = k > 1 ? k - 2 : 0, count = std::min(k + 2, last) - first + 1;
        const double least = std::ranges::min(std::span(shares).subspan(first, count));
        if (shares[k] + 2.0 * (shares[k] - least) <= worst.share) continue;
        largest_between(piece.times[before], piece.times[after],
                        [&](double t) { return share(piece, t); });
      }
    }
    return worst;
  }
  LimitShare largest_share(double factor) {
    return largest_share(factor, [](double /*t*/) {});
  }

 private:
  /// The motion at t, until the next call.
  const Instant& at(double t) {
    motion_.at(t, now_.q, now_.qd, now_.qdd);
    return now_;
  }

  void go_to(double t, double begin, std::span<const int> directions) {
    const auto& [q, qd, qdd] = at(t);
    constexpr double digits = 1e-15;
    demands_.go_to({q, qd, qdd}, wrench_ ? wrench_(t) : Wrench{}, directions,
                   digits * std::max(std::abs(motion_.begin()), std::abs(motion_.end())),
                   t == begin ? PathDemands::On::begin : PathDemands::On::rest);
  }

  /// Factors at which a limit holds at the current place (eq. 10.41).
  [[nodiscard]] std::vector<Range> allowed(std::size_t k) const {
    const PathDemand& demand = demands_.demands()[k];
    const double most = (1.0 - margin) * demands_.limits()[k].most;
    const auto value = [&](double x) { return demands_.value(k, x); };
    const double level = demand.load + demand.friction;
    std::vector<double> ends;
    if (demands_.is_plain() || demands_.limits()[k].kind != RowLimit::Kind::torque) {
      for (const double rest : {level - demand.below - most, level + demand.above + most}) {
        for_each_root(rest, demand.c, demand.b, [&ends](double x) {
          if (x > 0.0 && x < 1.0) ends.push_back(x);
        });
      }
    } else {
      append_crossings([&](double x) { return value(x) - demand.below - most; }, ends);
      append_crossings([&](double x) { return value(x) + demand.above + most; }, ends);
    }
    ends.push_back(1.0);
    std::ranges::sort(ends);
    std::vector<Range> found;
    double from = 0.0;
    for (const double to : ends) {
      const double middle = value(std::midpoint(from, to));
      if (middle - demand.below <= most && middle + demand.above >= -most) {
        if (!found.empty() && found.back().upper == from) {
          found.back().upper = to;
        } else {
          found.push_back({from, to});
        }
      }
      from = to;
    }
    return found;
  }

  /// Appends the sign changes of a function that a grid shows; the grid is denser toward 0,
  /// where friction falls off with speed.
  template <class F>
  static void append_crossings(const F& f, std::vector<double>& crossings) {
    constexpr int places = 96;
    double before = 1e-6, f_before = f(before);
    for (int i = 1; i <= places; ++i) {
      const double x = std::pow(1e-6, 1.0 - static_cast<double>(i) / places);
      const double f_x = f(x);
      if (f_before * f_x < 0.0) crossings.push_back(zero_between(before, x, f));
      before = x;
      f_before = f_x;
    }
  }

  /// Keeps only factors at which all limits hold at the current place.
  void restrict(double t) {
    for (std::size_t k = 0; k < demands_.limits().size(); ++k) {
      const std::vector<Range> alone = allowed(k);
      if (alone.size() == 1 && alone.front().lower == 0.0 && alone.front().upper == 1.0) continue;
      const std::vector<Range> left = intersection(found_.feasible, alone);
      if (left.empty()) {
        explain({{k, 0.0, t}, demands_.demands()[k], alone, found_.feasible});
        continue;
      }
      if (left.back().upper < found_.feasible.back().upper) found_.binding = {k, 0.0, t};
      found_.feasible = left;
    }
  }

  /// Keeps the strongest obstacle: first limits that no speed keeps, by their shares.
  void explain(SlowDown::Obstacle obstacle) {
    const auto weight = [&](const SlowDown::Obstacle& o) {
      const double at_rest = std::abs(o.demand.load + o.demand.friction);
      return o.allowed.empty() ? at_rest / demands_.limits()[o.place.limit].most : 0.0;
    };
    if (!found_.obstacle || weight(obstacle) > weight(*found_.obstacle)) {
      found_.obstacle = std::move(obstacle);
    }
  }

  /// Splits the motion at knots and where a contact turns.
  void find_pieces() {
    const std::vector<double>& knots = motion_.knots();
    const auto rates = [&](double t) { return contact_rates(demands_.arm(), at(t).qd); };
    const std::size_t probes = std::clamp<std::size_t>(8192 / knots.size(), 4, 256);
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
      std::vector<double> times = probe_times(motion_, knots[k], knots[k + 1], probes), ends;
      append(times, beside_jumps(motion_, knots[k], knots[k + 1]));
      std::ranges::sort(times);
      std::vector<double> before = rates(times[0]);
      for (std::size_t i = 1; i < times.size(); ++i) {
        // Just before a row at rest rates are nothing but rounding.
        const std::vector<double> here = rates(i + 1 < times.size() ? times[i] : knots[k + 1]);
        for (std::size_t j = 0; j < here.size(); ++j) {
          const auto rate = [&](double t) { return rates(t)[j]; };
          if (before[j] * here[j] < 0.0) {
            ends.push_back(zero_between(times[i - 1], times[i], rate));
          } else if ((here[j] == 0.0) != (before[j] == 0.0)) {
            ends.push_back(here[j] == 0.0 ? times[i] : times[i - 1]);
          }
        }
        before = here;
      }
      ends.push_back(times.back());
      std::ranges::sort(ends);
      double from = times.front();
      for (const double to : ends) {
        if (to <= from && ends.size() > 1) continue;
        Piece piece{{from}, {}};
        for (const double t : times) {
          if (t > from && t < to) piece.times.push_back(t);
        }
        piece.times.push_back(to);
        piece.directions = directions(demands_.arm(), at(std::midpoint(from, to)).qd);
        pieces_.push_back(std::move(piece));
        from = to;
      }
    }
  }

  PathDemands& demands_;
  const Trajectory& motion_;
  const WrenchOverTime& wrench_;
  Instant now_;
  std::vector<Piece> pieces_;
  double worst_begin_ = 0.0;  ///< of the piece
  std::vector<int> worst_directions_;
  SlowDown found_;
};

}  // namespace

WrenchOverTime wrench_between(std::vector<double> t, std::vector<double> wrench) {
  return [t = std::move(t), wrench = std::move(wrench)](double at) {
    const std::size_t row = last_up_to(std::span(t).first(t.size() - 1), at);
    const double share = std::clamp((at - t[row]) / (t[row + 1] - t[row]), 0.0, 1.0);
    std::array<double, 6> now{};
    for (std::size_t k = 0; k < now.size(); ++k) {
      now[k] = std::lerp(wrench[6 * row + k], wrench[6 * row + 6 + k], share);
    }
    return wrench_of(now);
  };
}

SlowDown slow_down(PathDemands& demands, const Trajectory& motion, const WrenchOverTime& wrench) {
  return Slowing(demands, motion, wrench).find();
}

LimitShare largest_share(PathDemands& demands, const Trajectory& motion,
                         const WrenchOverTime& wrench) {
  return Slowing(demands, motion, wrench).largest_share(1.0);
}

}  // namespace armdyn
