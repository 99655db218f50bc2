#include "motion/slow_down.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dynamics/friction.hpp"
#include "motion/extremes.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

constexpr double margin = 1e-12;        // of a limit, which rounding must not exceed
constexpr double planned_share = 1e-9;  // a motion planned for a limit is beyond by no more

/// Times between which nothing changes its direction, dense enough to see what happens.
struct Piece {
  std::vector<double> times;
  std::vector<int> directions;  ///< of contacts
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
  Slowing(PathDemands& demands, const Trajectory& motion, const HandWrench& hand)
      : demands_(demands), motion_(motion), hand_(hand) {
    found_.has_hand = static_cast<bool>(hand);
  }

  SlowDown find() {
    const bool keeps_all = largest_share(1.0).share <= 1.0 + planned_share;
    found_.feasible = {{0.0, 1.0}};
    for_each_piece([&](const Piece& piece) {
      for (const double t : piece.times) {
        go_to(t, piece.directions);
        restrict(t);
      }
    });
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
      go_to(worst.place.t, worst_directions_);
      restrict(worst.place.t);
      double& upper = found_.feasible.back().upper;
      if (upper >= found_.factor) upper *= 1.0 - margin;
    }
    found_.factor = 0.0;
    found_.feasible.clear();
    return found_;
  }

  /// Over the motion, at a factor of its speed.
  LimitShare largest_share(double factor) {
    LimitShare worst;
    for_each_piece([&](const Piece& piece) {
      const auto raise = [&](double t) {
        go_to(t, piece.directions);
        const auto [limit, share] = demands_.largest_share(factor, 0.0);
        if (share > worst.share) {
          worst = {{limit, t}, share};
          worst_directions_ = piece.directions;
        }
        return share;
      };
      std::vector<double> shares;
      for (const double t : piece.times) shares.push_back(raise(t));
      const std::size_t last = shares.size() - 1;
      for (std::size_t k = 0; k <= last; ++k) {
        const std::size_t before = k > 0 ? k - 1 : 0, after = std::min(k + 1, last);
        const double left = shares[k] - shares[before], right = shares[k] - shares[after];
        if (left < 0.0 || right < 0.0 || shares[k] + left + right <= worst.share) continue;
        largest_between(piece.times[before], piece.times[after], raise);
      }
    });
    return worst;
  }

 private:
  void go_to(double t, std::span<const int> directions) {
    const Instant now = instant(motion_, t);
    constexpr double digits = 1e-15;
    demands_.go_to({now.q, now.qd, now.qdd}, hand_ ? hand_(t) : Wrench{}, directions,
                   digits * std::max(std::abs(motion_.begin()), std::abs(motion_.end())));
  }

  /// The factors at which a limit holds where the demands stand (eq. 10.41).
  [[nodiscard]] std::vector<Range> allowed(std::size_t k) const {
    const PathDemand& demand = demands_.demands()[k];
    const double most = (1.0 - margin) * demands_.limits()[k].most;
    const auto value = [&](double x) { return demands_.value(k, x); };
    const double level = demand.load + demand.friction;
    std::vector<double> ends;
    if (demands_.is_plain() || demands_.limits()[k].of != PathLimit::Of::torque) {
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

  /// Appends where a function changes its sign, as far as a grid shows that is close at 0, where
  /// friction falls off with speed.
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

  /// Leaves the factors at which all limits hold where the demands stand.
  void restrict(double t) {
    for (std::size_t k = 0; k < demands_.limits().size(); ++k) {
      const std::vector<Range> alone = allowed(k);
      if (alone.size() == 1 && alone.front().lower == 0.0 && alone.front().upper == 1.0) continue;
      const std::vector<Range> left = intersection(found_.feasible, alone);
      if (left.empty()) {
        explain({{k, t}, demands_.demands()[k], alone, found_.feasible});
        continue;
      }
      if (left.back().upper < found_.feasible.back().upper) found_.binding = {k, t};
      found_.feasible = left;
    }
  }

  /// Keeps what tells most: a limit that no speed keeps, by the largest share.
  void explain(SlowDown::Obstacle obstacle) {
    const auto weight = [&](const SlowDown::Obstacle& o) {
      const double at_rest = std::abs(o.demand.load + o.demand.friction);
      return o.allowed.empty() ? at_rest / demands_.limits()[o.place.limit].most : 0.0;
    };
    if (!found_.obstacle || weight(obstacle) > weight(*found_.obstacle)) {
      found_.obstacle = std::move(obstacle);
    }
  }

  /// Calls visit(piece) for one after the other, split at knots and where a contact turns.
  template <class Visit>
  void for_each_piece(const Visit& visit) {
    const std::vector<double>& knots = motion_.knots();
    const auto rates = [&](double t) { return demands_.contact_rates(instant(motion_, t).qd); };
    const std::size_t probes = std::clamp<std::size_t>(8192 / knots.size(), 4, 256);
    for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
      std::vector<double> times, ends;
      for (std::size_t i = 0; i < probes; ++i) {
        times.push_back(std::lerp(knots[k], knots[k + 1],
                                  static_cast<double>(i) / static_cast<double>(probes)));
      }
      times.push_back(std::nextafter(knots[k + 1], knots[k]));
      std::vector<double> before = rates(times[0]);
      for (std::size_t i = 1; i < times.size(); ++i) {
        const std::vector<double> here = rates(times[i]);
        for (std::size_t j = 0; j < here.size(); ++j) {
          const auto rate = [&](double t) { return rates(t)[j]; };
          if (before[j] * here[j] < 0.0) {
            ends.push_back(zero_between(times[i - 1], times[i], rate));
          } else if (here[j] == 0.0 && before[j] != 0.0 && i + 1 < times.size()) {
            ends.push_back(times[i]);
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
        for (const double rate : rates(std::midpoint(from, to))) {
          piece.directions.push_back(direction_of(rate));
        }
        visit(piece);
        from = to;
      }
    }
  }

  PathDemands& demands_;
  const Trajectory& motion_;
  const HandWrench& hand_;
  std::vector<int> worst_directions_;
  SlowDown found_;
};

}  // namespace

HandWrench hand_between(std::vector<double> t, std::vector<double> hand) {
  return [t = std::move(t), hand = std::move(hand)](double at) {
    const auto after = std::upper_bound(t.begin() + 1, t.end() - 1, at);
    const auto row = static_cast<std::size_t>(after - t.begin()) - 1;
    const double share = std::clamp((at - t[row]) / (t[row + 1] - t[row]), 0.0, 1.0);
    const auto value = [&](std::size_t k) {
      return std::lerp(hand[6 * row + k], hand[6 * row + 6 + k], share);
    };
    return Wrench{{value(0), value(1), value(2)}, {value(3), value(4), value(5)}};
  };
}

SlowDown slow_down(PathDemands& demands, const Trajectory& motion, const HandWrench& hand) {
  return Slowing(demands, motion, hand).find();
}

LimitShare largest_share(PathDemands& demands, const Trajectory& motion, const HandWrench& hand) {
  return Slowing(demands, motion, hand).largest_share(1.0);
}

}  // namespace armdyn
