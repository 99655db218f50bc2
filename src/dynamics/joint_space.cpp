#include "dynamics/joint_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace armdyn {

namespace {

constexpr double pi = std::numbers::pi;
// For up to 8 joints; fewer for longer chains, each of whose values takes longer.
constexpr std::size_t right_angle_count = 1024;
constexpr std::size_t random_count = 512;
constexpr std::size_t effort = 1000;  // function values on the way down from one start

constexpr std::size_t start_count = 4;

std::size_t affordable(std::size_t count, std::size_t dof) {
  return dof <= 8 ? count : std::max<std::size_t>(16, count * 64 / (dof * dof));
}

/// Where a joint is examined: within its limits, but not more than a turn.
Range range_of(const Joint& joint) {
  const Range widest = joint.type == JointType::revolute ? Range{-pi, pi} : Range{-1.0, 1.0};
  if (!joint.limits.position) return widest;
  const Range& limits = *joint.limits.position;
  const bool more_than_a_turn = joint.type == JointType::revolute && limits.lower <= widest.lower &&
                                limits.upper >= widest.upper;
  return more_than_a_turn ? widest : limits;
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

/// The same in every standard library, unlike std::uniform_real_distribution.
double uniform(std::mt19937_64& random, const Range& range) {
  const double share = static_cast<double>(random() >> 11U) * 0x1p-53;
  return range.lower + share * (range.upper - range.lower);
}

}  // namespace

JointSpace::JointSpace(const Robot& robot) {
  for (const Joint& joint : robot.joints) ranges_.push_back(range_of(joint));
  add_named_positions(robot);
  add_right_angles(robot);
  add_random_positions();
}

bool JointSpace::contains(std::span<const double> q) const {
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] < ranges_[i].lower || q[i] > ranges_[i].upper) return false;
  }
  return true;
}

void JointSpace::add_named_positions(const Robot& robot) {
  const std::vector<double> zero(ranges_.size(), 0.0);
  if (contains(zero)) samples_.push_back(zero);
  for (const NamedPose& pose : robot.poses) {
    if (contains(pose.q)) samples_.push_back(pose.q);
  }
}

/// All combinations of right angles, or that many of them.
void JointSpace::add_right_angles(const Robot& robot) {
  std::vector<std::vector<double>> choices;
  double combinations = 1.0;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    choices.push_back(landmarks(robot.joints[i].type, ranges_[i]));
    combinations *= static_cast<double>(choices.back().size());
  }
  const std::size_t most = affordable(right_angle_count, ranges_.size());
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
  for (std::size_t k = 0; k < affordable(random_count, ranges_.size()); ++k) {
    std::vector<double> q;
    for (const Range& range : ranges_) q.push_back(uniform(random, range));
    samples_.push_back(q);
  }
}

AtPosition JointSpace::smallest(const Function& function, double enough) const {
  std::vector<AtPosition> best;
  for (const std::vector<double>& q : samples_) {
    const double value = function(q);
    if (value <= enough) return {value, q};
    const auto place =
        std::upper_bound(best.begin(), best.end(), value,
                         [](double v, const AtPosition& other) { return v < other.value; });
    best.insert(place, {value, q});
    if (best.size() > start_count) best.pop_back();
  }
  AtPosition smallest = best.front();
  for (const AtPosition& start : best) {
    const AtPosition end = descend(function, start, enough);
    if (end.value < smallest.value) smallest = end;
  }
  return smallest;
}

AtPosition JointSpace::smallest(const Function& function) const {
  return smallest(function, -std::numeric_limits<double>::infinity());
}

AtPosition JointSpace::largest(const Function& function) const {
  AtPosition found = smallest([&function](std::span<const double> q) { return -function(q); });
  found.value = -found.value;
  return found;
}

AtPosition JointSpace::descend(const Function& function, AtPosition start, double enough) const {
  AtPosition best = std::move(start);
  std::size_t left = affordable(effort, ranges_.size());
  for (double step = 1.0 / 16; step > 1e-9; step /= 2) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < 2 * ranges_.size(); ++i) {
        if (best.value <= enough || left-- == 0) return best;
        const Range& range = ranges_[i / 2];
        std::vector<double> q = best.q;
        q[i / 2] += (i % 2 == 0 ? step : -step) * (range.upper - range.lower);
        q[i / 2] = std::clamp(q[i / 2], range.lower, range.upper);
        const double value = function(q);
        if (!(value < best.value)) continue;
        best = {value, std::move(q)};
        moved = true;
      }
    }
  }
  return best;
}

}  // namespace armdyn
