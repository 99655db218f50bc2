#include "motion/extremes.hpp"

#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

// A value that is larger by less than this share came no later.
constexpr double same_share = 1e-12;

/// Times close enough to see all that happens between two knots.
struct Stretch {
  std::vector<double> times;
  double end = 0.0;  ///< the knot just after the last of them, where another piece begins

  /// What to call a time: that just before a knot is the knot's.
  [[nodiscard]] double called(double t) const { return t == times.back() ? end : t; }
};

/// Calls visit(stretch) for one after the other.
template <class Visit>
void for_each_stretch(const Trajectory& trajectory, const Visit& visit) {
  const std::vector<double>& knots = trajectory.knots();
  const int probes = TrajectoryLaw::of(trajectory).probes;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    Stretch stretch{{}, knots[k + 1]};
    for (int i = 0; i < probes; ++i) {
      stretch.times.push_back(knots[k] + (stretch.end - knots[k]) * i / probes);
    }
    stretch.times.push_back(std::nextafter(stretch.end, knots[k]));
    visit(stretch);
  }
}

void raise(TimedValue& most, double value, double t) {
  if (value > most.value + same_share * std::abs(most.value)) most.t = t;
  most.value = std::max(most.value, value);
}

void lower(TimedValue& least, double value, double t) {
  TimedValue depth{-least.value, least.t};
  raise(depth, -value, t);
  least = {-depth.value, depth.t};
}

/// Calls found(value, t) for what f has at the crests of its `samples`, those that are clearly
/// lower than the highest left out.
template <class F, class Found>
void at_crests(const Stretch& stretch, const std::vector<double>& samples, const F& f,
               const Found& found) {
  const auto [lowest, highest] = std::minmax_element(samples.begin(), samples.end());
  const double low = *highest - 0.1 * (*highest - *lowest);
  const std::size_t last = samples.size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const std::size_t before = k > 0 ? k - 1 : 0, after = std::min(k + 1, last);
    const bool crest = samples[k] >= samples[before] && samples[k] >= samples[after];
    const bool level = samples[k] == samples[before] && samples[k] == samples[after];
    if (!crest || level || samples[k] < low) continue;
    const Maximum top = largest_between(stretch.times[before], stretch.times[after], f);
    found(top.value, top.at);
  }
}

/// Raises the extremes of one joint by those of a stretch, where it has these samples (eq. 10.14).
void raise_extremes(JointExtremes& most, const Trajectory& motion, std::size_t joint,
                    const Stretch& stretch, const std::vector<JointSample<double>>& samples) {
  const auto joint_at = [&](double t) { return instant(motion, t).joint(joint); };
  const auto take = [&](const JointSample<double>& sample, double t) {
    raise(most.highest, sample.q, t);
    lower(most.lowest, sample.q, t);
    raise(most.velocity, std::abs(sample.qd), t);
    raise(most.acceleration, std::abs(sample.qdd), t);
  };
  std::vector<double> accelerations;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    take(samples[k], stretch.called(stretch.times[k]));
    accelerations.push_back(std::abs(samples[k].qdd));
  }
  for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
    for (const auto derivative : {&JointSample<double>::qd, &JointSample<double>::qdd}) {
      if (!(samples[k].*derivative * samples[k + 1].*derivative < 0.0)) continue;
      const double t = zero_between(stretch.times[k], stretch.times[k + 1],
                                    [&](double at) { return joint_at(at).*derivative; });
      take(joint_at(t), t);
    }
  }
  at_crests(
      stretch, accelerations, [&](double t) { return std::abs(joint_at(t).qdd); },
      [&](double, double t) { take(joint_at(t), t); });
}

}  // namespace

std::vector<JointExtremes> extremes(const Trajectory& trajectory) {
  const std::size_t dof = trajectory.dof();
  std::vector<JointExtremes> most;
  for (const double q : instant(trajectory, trajectory.begin()).q) {
    const TimedValue first{q, trajectory.begin()};
    most.push_back({first, first, {0.0, first.t}, {0.0, first.t}});
  }
  for_each_stretch(trajectory, [&](const Stretch& stretch) {
    std::vector<std::vector<JointSample<double>>> samples(dof);
    for (const double t : stretch.times) {
      const Instant now = instant(trajectory, t);
      for (std::size_t i = 0; i < dof; ++i) samples[i].push_back(now.joint(i));
    }
    for (std::size_t i = 0; i < dof; ++i) {
      raise_extremes(most[i], trajectory, i, stretch, samples[i]);
    }
  });
  return most;
}

std::vector<RateLimit> peak_rates(const Trajectory& trajectory) {
  std::vector<RateLimit> peaks;
  for (const JointExtremes& joint : extremes(trajectory)) {
    peaks.push_back({joint.velocity.value, joint.acceleration.value, 0.0});  // no jerk: it jumps
  }
  return peaks;
}

TimedValue largest_on(const Trajectory& trajectory, const PostureValue& value) {
  const auto at = [&](double t) { return value(instant(trajectory, t).q); };
  TimedValue most{at(trajectory.begin()), trajectory.begin()};
  for_each_stretch(trajectory, [&](const Stretch& stretch) {
    std::vector<double> samples;
    for (const double t : stretch.times) {
      samples.push_back(at(t));
      raise(most, samples.back(), stretch.called(t));
    }
    at_crests(stretch, samples, at, [&](double top, double t) { raise(most, top, t); });
  });
  return most;
}

}  // namespace armdyn
