#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "dynamics/examination.hpp"
#include "math/each.hpp"
#include "math/statistics.hpp"
#include "math/taylor_model.hpp"

// The largest number that holds at every position, by branch and bound over boxes of positions
// (docs/derivation.md, 39.6 to 39.8).

namespace armdyn {

/// A condition on x at a position or in a box: constant + factor x ≤ most.
template <class S>
struct Condition {
  S constant, factor;
  double most = 0.0;
  std::size_t index = 0;  ///< of what sets the limit
  const S* outside =
      nullptr;  ///< greater than 0 where positions are not in question; null: nowhere
};

/// A number that is proven for all positions, and the best bound of it that a search found.
struct ProvenLimit {
  double guaranteed = 0.0;
  double found = 0.0;
  std::vector<double> q{};                                  ///< of `found`
  std::size_t index = 0;                                    ///< of the condition that sets it
  std::size_t boxes = 0;                                    ///< that the proof took
  [[nodiscard]] bool exists() const { return !q.empty(); }  ///< false: no position was found
};

/// When the search ends: at this gap, or after so many boxes.
struct SearchEffort {
  double gap = 0.02;
  std::size_t boxes = 40000;
  std::function<void()> at_each_box = [] {};                ///< may throw
  double least = -std::numeric_limits<double>::infinity();  ///< nothing below is of interest
};

/// Largest x from which the condition is met, going down; infinite where it sets no limit.
inline double largest(const Condition<double>& condition) {
  const auto& [constant, factor, most, index, outside] = condition;
  if (factor > 0.0) return (most - constant) / factor;
  return constant > most ? 0.0 : std::numeric_limits<double>::infinity();
}

/// Largest x, not above `from`, at which constant + factor x ≤ most is known to hold in the whole box:
/// from there down by Newton's steps, which the growth of the upper bound makes shorter or longer.
inline double largest(const TaylorModel& constant, const TaylorModel& factor, double most,
                      double from) {
  const auto excess = [&](double x) { return sum(constant, x, factor).upper() - most; };
  double x = from, over = excess(x);
  double growth = std::max(factor.middle(), factor.upper());
  for (int step = 0; step < 40 && over > 0.0; ++step) {
    if (!(growth > 0.0) || !std::isfinite(over)) return -std::numeric_limits<double>::infinity();
    const double next = x - (over / growth * (1.0 + 1e-6) + 1e-12 * std::abs(x));
    const double over_next = excess(next);
    growth = std::min(growth, (over - over_next) / (x - next));
    x = next;
    over = over_next;
  }
  // Met at both ends it is met between, being linear in x at each position.
  const bool holds = over <= 0.0 && (x <= 0.0 || factor.lower() >= 0.0 || excess(0.0) <= 0.0);
  return holds ? x : -std::numeric_limits<double>::infinity();
}
inline double largest(const Condition<TaylorModel>& condition, double from) {
  return largest(condition.constant, condition.factor, condition.most, from);
}

/// The condition that holds in the whole box where the given one holds inside, with as much of what is
/// outside as turns its slopes away from there (39.8).
inline Condition<TaylorModel> extended(Condition<TaylorModel> condition, double x) {
  auto& [constant, factor, most, index, outside] = condition;
  double along = 0.0, square = 0.0;  // of the slopes' directions
  for (std::size_t k = 0; k < TaylorModel::most_epsilons; ++k) {
    const double slope = outside->slope(k);
    along += slope * (constant.slope(k) + x * factor.slope(k));
    square += slope * slope;
  }
  if (along > 0.0) constant = sum(constant, -along / square, *outside);
  outside = nullptr;
  return condition;
}

/// Takes the conditions of a position or a box. Of each index it keeps the one that sets its limit: what
/// holds in a box holds in its parts, so that these begin with the bounds of the whole.
template <class S>
class Tightest {
 public:
  /// `known` has a bound of each index that holds already, or is empty.
  explicit Tightest(double most, std::vector<double> known = {})
      : most_(most), known_(std::move(known)) {}

  /// Tests whether conditions of this index may set the limit.
  [[nodiscard]] bool is_open(std::size_t index) const {
    return index >= known_.size() || known_[index] < most_;
  }
  /// Tests whether a condition, or one that is no stronger, lowers the limit of its index.
  [[nodiscard]] bool is_lowered_by(const Condition<S>& condition) {
    return at(condition) < limit_of(condition.index);
  }
  void add(Condition<S> condition) {
    if (!is_open(condition.index)) return;
    double& limit = limit_of(condition.index);
    double x = at(condition);
    if (!(x < limit)) return;
    if constexpr (!std::is_same_v<S, double>) {
      if (condition.outside != nullptr) {
        const Condition<S> whole = extended(condition, limit);
        if (const double further = at(whole); further > x) {
          x = further;
          condition = whole;
        }
      }
      if (!(x < limit)) return;
    }
    limit = x;
    decides_[condition.index] = std::move(condition);
  }

  /// Bounds of each index.
  [[nodiscard]] const std::vector<double>& bounds() {
    known_.resize(std::max(known_.size(), limits_.size()),
                  -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < limits_.size(); ++i) known_[i] = std::max(known_[i], limits_[i]);
    return known_;
  }
  /// What sets the limit; nothing sets one below `most`.
  [[nodiscard]] const Condition<S>* decides() {
    const auto least = std::ranges::min_element(bounds());
    if (least == known_.end() || !(*least < most_)) return nullptr;
    return &*decides_[static_cast<std::size_t>(least - known_.begin())];
  }

 private:
  double& limit_of(std::size_t index) {
    if (index >= limits_.size()) {
      limits_.resize(index + 1, most_);
      decides_.resize(index + 1);
    }
    return limits_[index];
  }
  [[nodiscard]] double at(const Condition<S>& condition) {
    if constexpr (std::is_same_v<S, double>) {
      return largest(condition);
    } else {
      return largest(condition, limit_of(condition.index));
    }
  }

  double most_;
  std::vector<double> known_, limits_;
  std::vector<std::optional<Condition<S>>> decides_;
};

/// Finds the limit within the ranges of the joints. `conditions(q, tightest)` adds those of a position,
/// or of a box, and returns false where no position is in question; it is called for both scalars.
template <class Conditions>
class LimitSearch {
 public:
  /// `all_matter`: conditions may cancel at each position, and not in a box; all joints are divided.
  LimitSearch(std::vector<Range> ranges, const Conditions& conditions, const SearchEffort& effort,
              bool all_matter)
      : ranges_(std::move(ranges)),
        conditions_(conditions),
        effort_(effort),
        all_matter_(all_matter) {}

  ProvenLimit run() {
    search_positions();
    if (!limit_.exists()) return limit_;
    open_.push(bounded({ranges_, {}, -infinity, no_joint}));
    for (; limit_.boxes < effort_.boxes && !open_.empty(); limit_.boxes += 2) {
      if (limit_.found <= effort_.least) break;
      effort_.at_each_box();
      const Box box = open_.top();
      if (limit_.found - box.bound <= effort_.gap * std::abs(limit_.found)) break;
      open_.pop();
      if (box.split == no_joint) continue;
      for (int half = 0; half < 2; ++half) {
        Box part = box;
        auto& [lower, upper] = part.ranges[box.split];
        (half == 0 ? upper : lower) = lower + 0.5 * (upper - lower);
        part = bounded(part);
        if (part.bound < limit_.found) {
          try_position(middle_of(part.ranges));
          open_.push(std::move(part));
        }
      }
    }
    descend(limit_.q);
    limit_.guaranteed = open_.empty() ? limit_.found : std::min(open_.top().bound, limit_.found);
    return limit_;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr std::size_t no_joint = SIZE_MAX;

  struct Box {
    std::vector<Range> ranges;
    std::vector<double> bounds;  ///< of the limit, by conditions' index
    double bound;                ///< the least of these
    std::size_t split;           ///< joint that is divided next
    bool operator<(const Box& other) const { return bound > other.bound; }
  };

  static std::vector<double> middle_of(const std::vector<Range>& ranges) {
    return each(ranges, [](const Range& r) { return r.lower + 0.5 * (r.upper - r.lower); });
  }

  double limit_at(std::span<const double> q, std::size_t* index = nullptr) const {
    Tightest<double> tightest(infinity);
    if (!conditions_(q, tightest)) return infinity;
    const auto* const decides = tightest.decides();
    if (decides == nullptr) return infinity;
    if (index != nullptr) *index = decides->index;
    return tightest.bounds()[decides->index];
  }

  bool try_position(const std::vector<double>& q) {
    std::size_t index = 0;
    const double x = limit_at(q, &index);
    if (limit_.exists() && !(x < limit_.found)) return false;
    if (x == infinity) return false;
    limit_ = {x, x, q, index, limit_.boxes};
    return true;
  }

  /// Bounds the limit within a box, and chooses the joint to divide: the one with the largest part in
  /// what decides the bound, where rests count by the squares of widths.
  Box bounded(Box box) {
    std::vector<TaylorModel> q;
    double squares = 0.0;
    for (std::size_t k = 0; k < box.ranges.size(); ++k) {
      const auto [lower, upper] = box.ranges[k];
      const double radius = 0.5 * (upper - lower) * (1.0 + 1e-12);
      q.emplace_back(lower + 0.5 * (upper - lower), radius, k);
      if (matters(k)) squares += radius * radius;
    }
    Tightest<TaylorModel> tightest(limit_.found, std::move(box.bounds));
    box.split = no_joint;
    box.bound = infinity;
    if (!conditions_(std::span<const TaylorModel>(q), tightest)) return box;
    const auto* const decides = tightest.decides();
    if (decides == nullptr) return box;
    box.bounds = tightest.bounds();
    box.bound = box.bounds[decides->index];
    const TaylorModel at_bound = std::isfinite(box.bound)
                                     ? sum(decides->constant, box.bound, decides->factor)
                                     : decides->constant;
    double largest_part = -1.0;
    for (std::size_t k = 0; k < box.ranges.size(); ++k) {
      const double radius = 0.5 * (box.ranges[k].upper - box.ranges[k].lower);
      if (radius == 0.0 || !matters(k)) continue;
      double part = std::abs(at_bound.slope(k)) + at_bound.rest() * radius * radius / squares;
      for (std::size_t j = 0; j < box.ranges.size(); ++j) {
        part += std::abs(at_bound.bend(std::min(j, k), std::max(j, k)));
      }
      if (!std::isfinite(part)) part = radius;
      if (part <= largest_part) continue;
      largest_part = part;
      box.split = k;
    }
    return box;
  }

  [[nodiscard]] bool matters(std::size_t k) const {
    return all_matter_ || matters_.empty() || matters_[k];
  }

  /// Tries random positions, goes on from the best, and notes which joints matter at all.
  void search_positions() {
    constexpr std::size_t tries = 4000, starts = 6;
    std::mt19937_64 random(66);
    std::vector<AtPosition> tried;
    for (std::size_t k = 0; k < tries; ++k) {
      std::vector<double> q =
          each(ranges_, [&](const Range& r) { return uniform(random, r.lower, r.upper); });
      const double x = limit_at(q);
      if (x < infinity) tried.push_back({x, std::move(q)});
    }
    std::ranges::stable_sort(tried, {}, &AtPosition::value);
    for (std::size_t k = 0; k < std::min(starts, tried.size()); ++k) descend(tried[k].q);
    matters_.assign(ranges_.size(), false);
    for (std::size_t k = 0; k < std::min<std::size_t>(20, tried.size()); ++k) {
      const std::vector<double>& at = tried[k * (tried.size() / 20)].q;
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (matters_[i]) continue;
        std::vector<double> moved = at;
        moved[i] = ranges_[i].lower + 0.37 * (ranges_[i].upper - ranges_[i].lower);
        const double x = limit_at(moved), here = tried[k * (tried.size() / 20)].value;
        matters_[i] = !(std::abs(x - here) <= 1e-9 * std::abs(here));
      }
    }
  }

  /// Moves one joint at a time by a step that shrinks, as long as the limit falls.
  void descend(std::vector<double> q) {
    if (q.empty()) return;
    try_position(q);
    double value = limit_at(q);
    for (double step = 0.1; step > 1e-7; step *= 0.5) {
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t k = 0; k < q.size(); ++k) {
          const auto& [lower, upper] = ranges_[k];
          for (const double way : {-step, step}) {
            std::vector<double> next = q;
            next[k] = std::clamp(q[k] + way * std::min(1.0, upper - lower), lower, upper);
            const double x = limit_at(next);
            if (!(x < value - 1e-12 * std::abs(value))) continue;
            value = x;
            q = next;
            moved = true;
          }
        }
      }
    }
    try_position(q);
  }

  std::vector<Range> ranges_;
  const Conditions& conditions_;
  SearchEffort effort_;
  bool all_matter_;
  std::vector<bool> matters_;
  ProvenLimit limit_{};
  std::priority_queue<Box> open_;
};

}  // namespace armdyn
