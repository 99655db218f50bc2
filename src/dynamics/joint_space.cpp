#include "dynamics/examination.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "math/statistics.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

using std::numbers::pi;
// For up to 8 joints; fewer for longer chains, each of whose values takes longer.
constexpr std::size_t right_angle_count = 1024;
constexpr std::size_t random_count = 512;
constexpr std::size_t start_count = 48;
constexpr std::size_t finalist_count = 8;  // the starts with the best values after first_sweeps
constexpr std::size_t first_sweeps = 2;
constexpr std::size_t last_sweeps = 200;

std::size_t affordable(std::size_t count, std::size_t least, std::size_t dof) {
  return dof <= 8 ? count : std::clamp<std::size_t>(count * 64 / (dof * dof), least, count);
}

/// Where a joint is examined: within its limits, but not more than a turn.
Range range_of(const Joint& joint) {
  const Range limits = position_range(joint), turn = unlimited_range(JointType::revolute);
  const bool more_than_a_turn =
      joint.type == JointType::revolute && limits.lower <= turn.lower && limits.upper >= turn.upper;
  return more_than_a_turn ? turn : limits;
}

/// Positions of one joint where its axis lines up with others; ends and middle of a slide.
std::vector<double> landmarks(JointType type, const Range& range) {
  const double middle = range.lower + (range.upper - range.lower) / 2;
  if (type == JointType::prismatic) return {range.lower, middle, range.upper};
  std::vector<double> angles;
  for (const double angle : {0.0, pi / 2, -pi / 2, pi}) {
    if (range.lower <= angle && angle <= range.upper) angles.push_back(angle);
  }
  if (angles.empty()) angles.push_back(middle);
  return angles;
}

/// By more than rounding, so that plain positions stay.
bool is_lower(double value, double than) {
  return value < than - 2e-15 * std::abs(than);
}

/// a1 cos x + b1 sin x + a2 cos 2x + b2 sin 2x: eq. 9.29 but for its constant.
class Wave {
 public:
  /// From the values at x = 0, 2π/5, … 8π/5.
  explicit Wave(const std::array<double, 5>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double x = 2.0 * pi * static_cast<double>(k) / 5.0, share = 0.4 * values[k];
      a1_ += share * std::cos(x);
      b1_ += share * std::sin(x);
      a2_ += share * std::cos(2.0 * x);
      b2_ += share * std::sin(2.0 * x);
    }
  }

  [[nodiscard]] double at(double x) const {
    const double c = std::cos(x), s = std::sin(x);
    return a1_ * c + b1_ * s + a2_ * (c * c - s * s) + b2_ * 2.0 * s * c;
  }

  /// Where it is lower than on either side, −π to π, once or twice.
  [[nodiscard]] std::vector<double> minima() const {
    constexpr std::size_t count = 16;
    std::array<double, count> values{};
    const auto place = [](std::size_t k) { return 2.0 * pi * static_cast<double>(k) / count - pi; };
    for (std::size_t k = 0; k < count; ++k) values[k] = at(place(k));
    std::vector<double> found;
    for (std::size_t k = 0; k < count; ++k) {
      if (values[k] > values[(k + 1) % count] || values[k] > values[(k + count - 1) % count]) {
        continue;
      }
      found.push_back(minimum_near(place(k), 2.0 * pi / count));
    }
    return found;
  }

 private:
  /// Newton's method, downhill, no step longer than `longest`.
  [[nodiscard]] double minimum_near(double x, double longest) const {
    for (int step = 0; step < 20; ++step) {
      const double c = std::cos(x), s = std::sin(x), c2 = c * c - s * s, s2 = 2.0 * s * c;
      const double slope = -a1_ * s + b1_ * c + 2.0 * (-a2_ * s2 + b2_ * c2);
      const double curvature = std::abs(a1_ * c + b1_ * s + 4.0 * (a2_ * c2 + b2_ * s2));
      const double move =
          curvature == 0.0 ? 0.0 : std::clamp(-slope / curvature, -longest, longest);
      x += move;
      if (std::abs(move) < 1e-15) break;
    }
    return x;
  }

  double a1_ = 0.0, b1_ = 0.0, a2_ = 0.0, b2_ = 0.0;
};

}  // namespace

/// On the way down from a start.
class JointSpace::Descent {
 public:
  Descent(const JointSpace& space, const Function& function, const Guide& guide, double enough)
      : axes_(space.axes_), function_(function), guide_(guide), enough_(enough) {}

  /// Every joint by itself to its minimum, and all of them on in the direction in which that went;
  /// so often, or until it does not help.
  void sweep(AtPosition& best, std::size_t times) const {
    for (std::size_t k = 0; k < times && best.value > enough_; ++k) {
      const AtPosition before = best;
      for (std::size_t i = 0; i < axes_.size(); ++i) to_minimum(best, i);
      go_on(best, before);
      if (best.value == before.value) break;
    }
  }

 private:
  void to_minimum(AtPosition& best, std::size_t i) const {
    const auto& [type, range] = axes_[i];
    if (range.lower == range.upper) return;
    std::vector<double> q = best.q;
    const Function guide = guide_ ? guide_(q) : function_;
    const auto at = [&](double q_i) {
      q[i] = q_i;
      return guide(q);
    };
    q[i] = type == JointType::revolute ? angle_of_minimum(at, best.q[i], range)
                                       : place_of_minimum(at, range);
    take_if_better(best, q);
  }

  template <class At>
  static double angle_of_minimum(const At& at, double here, const Range& range) {
    std::array<double, 5> values{};
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = at(here + 2.0 * pi * static_cast<double>(k) / 5.0);
    }
    const Wave wave(values);
    double best = here, lowest = wave.at(0.0);
    const auto try_angle = [&](double angle) {
      const double value = wave.at(angle - here);
      if (!(value < lowest)) return;
      best = angle;
      lowest = value;
    };
    try_angle(range.lower);
    try_angle(range.upper);
    for (const double minimum : wave.minima()) {
      const double turns = std::ceil((range.lower - here - minimum) / (2.0 * pi));
      const double angle = here + minimum + 2.0 * pi * turns;
      if (angle <= range.upper) try_angle(std::max(angle, range.lower));
    }
    return best;
  }

  /// Of the parabola through the ends and the middle.
  template <class At>
  static double place_of_minimum(const At& at, const Range& range) {
    const double half = (range.upper - range.lower) / 2.0, middle = range.lower + half;
    const double lower = at(range.lower), value = at(middle), upper = at(range.upper);
    const double bend = lower - 2.0 * value + upper;
    if (bend > 0.0) {
      const double place = middle + half * (lower - upper) / (2.0 * bend);
      if (place > range.lower && place < range.upper) return place;
    }
    return lower < upper ? range.lower : range.upper;
  }

  void go_on(AtPosition& best, const AtPosition& before) const {
    std::vector<double> way(best.q.size());
    for (std::size_t i = 0; i < way.size(); ++i) way[i] = best.q[i] - before.q[i];
    for (double share = 1.0; share < 1e3; share *= 2.0) {
      std::vector<double> q = best.q;
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] = std::clamp(q[i] + share * way[i], axes_[i].range.lower, axes_[i].range.upper);
      }
      if (!take_if_better(best, q)) return;
    }
  }

  bool take_if_better(AtPosition& best, const std::vector<double>& q) const {
    const double value = function_(q);
    if (!is_lower(value, best.value)) return false;
    best = {value, q};
    return true;
  }

  const std::vector<Axis>& axes_;
  const Function& function_;
  const Guide& guide_;
  double enough_;
};

JointSpace::JointSpace(const Robot& robot) {
  axes_.reserve(robot.dof());
  for (const Joint& joint : robot.joints) axes_.push_back({joint.type, range_of(joint)});
  add_named_positions(robot);
  add_right_angles();
  add_random_positions();
}

bool JointSpace::contains(std::span<const double> q) const {
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] < axes_[i].range.lower || q[i] > axes_[i].range.upper) return false;
  }
  return true;
}

void JointSpace::add_named_positions(const Robot& robot) {
  const std::vector<double> zero(axes_.size(), 0.0);
  if (contains(zero)) samples_.push_back(zero);
  for (const NamedPose& pose : robot.poses) {
    if (contains(pose.q)) samples_.push_back(pose.q);
  }
}

/// All combinations of right angles, or that many of them.
void JointSpace::add_right_angles() {
  std::vector<std::vector<double>> choices;
  double combinations = 1.0;
  choices.reserve(axes_.size());
  for (const auto& [type, range] : axes_) {
    choices.push_back(landmarks(type, range));
    combinations *= static_cast<double>(choices.back().size());
  }
  const std::size_t most = affordable(right_angle_count, 16, axes_.size());
  const bool all = combinations <= static_cast<double>(most);
  const std::size_t count = all ? static_cast<std::size_t>(combinations) : most;
  std::mt19937_64 random(1);
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k;
    std::vector<double> q;
    for (const std::vector<double>& angles : choices) {
      q.push_back(angles[(all ? rest : random()) % angles.size()]);
      rest /= angles.size();
    }
    samples_.push_back(q);
  }
}

void JointSpace::add_random_positions() {
  std::mt19937_64 random(2);
  for (std::size_t k = 0; k < affordable(random_count, 16, axes_.size()); ++k) {
    std::vector<double> q;
    for (const Axis& axis : axes_) {
      q.push_back(uniform(random, axis.range.lower, axis.range.upper));
    }
    samples_.push_back(q);
  }
}

AtPosition JointSpace::smallest(const Function& function, const Guide& guide, double enough) const {
  std::vector<AtPosition> tried;
  tried.reserve(samples_.size());
  for (const std::vector<double>& q : samples_) {
    tried.push_back({function(q), q});
    if (tried.back().value <= enough) return tried.back();
  }
  std::ranges::stable_sort(tried, {}, &AtPosition::value);

  // The best, and others from all over the ranking: the way to the top may start low.
  const std::size_t dof = axes_.size();
  const std::size_t finalists = affordable(finalist_count, 1, dof);
  const std::size_t apart =
      std::max<std::size_t>(1, tried.size() / affordable(start_count, 1, dof));
  std::vector<AtPosition> starts;
  for (std::size_t k = 0; k < tried.size(); k += k < finalists ? 1 : apart) {
    starts.push_back(tried[k]);
  }

  const Descent descent(*this, function, guide, enough);
  for (AtPosition& start : starts) descent.sweep(start, first_sweeps);
  std::ranges::stable_sort(starts, {}, &AtPosition::value);
  if (starts.size() > finalists) starts.resize(finalists);
  for (AtPosition& finalist : starts) descent.sweep(finalist, affordable(last_sweeps, 2, dof));
  const AtPosition& lowest = *std::ranges::min_element(starts, {}, &AtPosition::value);
  return is_lower(lowest.value, tried.front().value) ? lowest : tried.front();
}

AtPosition JointSpace::smallest(const Function& function) const {
  return smallest(function, {}, -std::numeric_limits<double>::infinity());
}

AtPosition JointSpace::largest(const Function& function) const {
  AtPosition found = smallest([&function](std::span<const double> q) { return -function(q); });
  found.value = -found.value;
  return found;
}

}  // namespace armdyn
