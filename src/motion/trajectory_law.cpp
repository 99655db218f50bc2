#include "motion/trajectory_law.hpp"

#include <cmath>
#include <numeric>

#include "math/each.hpp"
#include "math/require.hpp"
#include "motion/extremes.hpp"
#include "motion/spline.hpp"

namespace armdyn {

std::size_t Trajectory::dof() const {
  return law_->dof;
}
double Trajectory::begin() const {
  return law_->knots.front();
}
double Trajectory::end() const {
  return law_->knots.back();
}
const std::vector<double>& Trajectory::knots() const {
  return law_->knots;
}

namespace {

constexpr double rounding = 1e-9;

void keep(double& value, double lower, double upper, double noise) {
  if (value > upper && value <= upper + noise) value = upper;
  if (value < lower && value >= lower - noise) value = lower;
}

}  // namespace

void Trajectory::at(double t, std::span<double> q, std::span<double> qd,
                    std::span<double> qdd) const {
  require(q.size() == dof() && qd.size() == dof() && qdd.size() == dof() && !std::isnan(t),
          "a trajectory needs a time, and room for one entry per joint");
  law_->at(std::clamp(t, begin(), end()), {q, qd, qdd});
  for (std::size_t i = 0; i < law_->limits.size(); ++i) {
    const double v = law_->limits[i].velocity, a = law_->limits[i].acceleration;
    keep(qd[i], -v, v, rounding * v);
    keep(qdd[i], -a, a, rounding * a);
  }
  for (std::size_t i = 0; i < law_->positions.size(); ++i) {
    keep(q[i], law_->positions[i].lower, law_->positions[i].upper, rounding);
  }
}

Trajectory kept_within(const Trajectory& motion, const std::vector<RateLimit>& limits,
                       const std::vector<Range>& positions) {
  TrajectoryLaw law = TrajectoryLaw::of(motion);
  law.limits.resize(std::max(law.limits.size(), limits.size()));
  for (std::size_t i = 0; i < limits.size(); ++i) {
    law.limits[i].velocity = std::min(law.limits[i].velocity, limits[i].velocity);
    law.limits[i].acceleration = std::min(law.limits[i].acceleration, limits[i].acceleration);
  }
  if (!positions.empty()) law.positions = positions;
  return TrajectoryLaw::motion(std::move(law));
}

Instant instant(const Trajectory& motion, double t) {
  const std::vector<double> room(motion.dof());
  Instant found{room, room, room};
  motion.at(t, found.q, found.qd, found.qdd);
  return found;
}

std::vector<double> probe_times(const Trajectory& motion, double knot, double next,
                                std::size_t even) {
  std::vector<double> times = each(in_order(even), [&](std::size_t i) {
    return knot + (next - knot) * static_cast<double>(i) / static_cast<double>(even);
  });
  times.push_back(std::nextafter(next, knot));
  const std::vector<double>& steps = TrajectoryLaw::of(motion).steps;
  times.insert(times.end(), std::ranges::upper_bound(steps, knot),
               std::ranges::lower_bound(steps, next));
  std::ranges::sort(times);
  return times;
}

std::vector<double> beside_jumps(const Trajectory& motion, double from, double to) {
  constexpr double beside = 1e-12;  // of the time, more than its rounding
  const std::vector<double>& jumps = TrajectoryLaw::of(motion).jumps;
  std::vector<double> times;
  for (auto jump = std::ranges::upper_bound(jumps, from); jump != jumps.end() && *jump < to;
       ++jump) {
    times.insert(times.end(), {*jump * (1.0 - beside), *jump, *jump * (1.0 + beside)});
  }
  return times;
}

std::vector<double> sample_times(const Trajectory& trajectory, double rate) {
  require(rate > 0.0 && std::isfinite(rate), "the rate must be positive");
  const double same = 1e-6 / rate;  // closer than that, a grid time is the knot
  std::vector<double> times;
  std::size_t row = 0;
  const auto grid = [&] { return trajectory.begin() + static_cast<double>(row) / rate; };
  for (const double knot : trajectory.knots()) {
    for (; grid() < knot - same; ++row) times.push_back(grid());
    if (grid() <= knot + same) ++row;
    times.push_back(knot);
  }
  return times;
}

Trajectory held(const Trajectory& motion, double seconds) {
  require(seconds > 0.0 && std::isfinite(seconds), "a motion is held for a time above 0");
  std::vector<double> knots = motion.knots();
  knots.push_back(motion.end() + seconds);
  const auto at = [motion](double t, const InstantRoom& room) {
    motion.at(t, room.q, room.qd, room.qdd);
    if (t < motion.end()) return;
    std::ranges::fill(room.qd, 0.0);
    std::ranges::fill(room.qdd, 0.0);
  };
  const TrajectoryLaw& law = TrajectoryLaw::of(motion);
  return TrajectoryLaw::motion(
      {std::move(knots), motion.dof(), at, law.probes, law.jumps, law.steps});
}

Trajectory combined(const Trajectory& motion, std::vector<double> weights) {
  const auto at = [motion, weights = std::move(weights)](double t, const InstantRoom& room) {
    const auto sum = [&weights](const std::vector<double>& x) {
      return std::inner_product(x.begin(), x.end(), weights.begin(), 0.0);
    };
    const Instant all = instant(motion, t);
    room.set(0, {sum(all.q), sum(all.qd), sum(all.qdd)});
  };
  const TrajectoryLaw& law = TrajectoryLaw::of(motion);
  return TrajectoryLaw::motion({motion.knots(), 1, at, law.probes, law.jumps, law.steps});
}

Trajectory joined(std::vector<Trajectory> parts, double begin, double end) {
  std::vector<double> begins, knots, jumps, steps;
  for (const Trajectory& part : parts) {
    begins.push_back(begin);
    const auto later = [&](double t) { return begin + (t - part.begin()); };
    for (const double knot : part.knots()) knots.push_back(later(knot));
    for (const double jump : TrajectoryLaw::of(part).jumps) jumps.push_back(later(jump));
    for (const double step : TrajectoryLaw::of(part).steps) steps.push_back(later(step));
    knots.pop_back();
    begin += part.end() - part.begin();
  }
  knots.push_back(end);
  const std::size_t dof = parts.front().dof();
  const auto at = [parts = std::move(parts), begins = std::move(begins), end](
                      double t, const InstantRoom& room) {
    const std::size_t n = last_up_to(begins, t);
    const Trajectory& part = parts[n];
    part.at(t >= end ? part.end() : part.begin() + (t - begins[n]), room.q, room.qd, room.qdd);
  };
  return TrajectoryLaw::motion({std::move(knots), dof, at, 64, std::move(jumps), std::move(steps)});
}

Trajectory recorded(RecordedRows rows) {
  const std::size_t count = rows.t.size();
  require(count >= 2, "a motion needs two rows");
  require(!rows.q.empty() && rows.q.size() % count == 0 && rows.qd.size() == rows.q.size() &&
              rows.qdd.size() == rows.q.size(),
          "each row needs q, qd and qdd of all joints");
  for (std::size_t k = 1; k < count; ++k) {
    require(rows.t[k] > rows.t[k - 1], "the times of rows must increase");
  }
  require(std::isfinite(rows.t.back() - rows.t.front()), "the times of rows must be finite");
  std::vector<double> knots = rows.t;
  const std::size_t dof = rows.q.size() / count;
  const auto at = [rows = std::move(rows), dof](double t, const InstantRoom& room) {
    const std::size_t row = last_up_to(rows.t, t);
    const double since = t - rows.t[row];
    for (std::size_t i = 0; i < dof; ++i) {
      const auto state = [&](std::size_t k) {
        return std::array{rows.q[k * dof + i], rows.qd[k * dof + i], rows.qdd[k * dof + i]};
      };
      const auto [q, qd, qdd] = state(row);
      JointSample<double> here{q, qd, qdd};
      if (since != 0.0) {
        here = evaluate(hermite(rows.t[row + 1] - rows.t[row], state(row), state(row + 1)), since);
      }
      room.set(i, here);
    }
  };
  return TrajectoryLaw::motion({std::move(knots), dof, at});
}

Trajectory slowed(const Trajectory& motion, double factor) {
  require(factor > 0.0 && std::isfinite(factor), "the slow-down of a motion is a factor above 0");
  const TrajectoryLaw& law = TrajectoryLaw::of(motion);
  const auto later = [&](double t) { return motion.begin() + factor * (t - motion.begin()); };
  const std::vector<double> knots = each(motion.knots(), later);
  const auto at = [motion, knots, factor](double t, const InstantRoom& room) {
    // Knots are met exactly: there accelerations jump.
    const auto knot = std::ranges::lower_bound(knots, t);
    const bool is_knot = knot != knots.end() && *knot == t;
    motion.at(is_knot ? motion.knots()[static_cast<std::size_t>(knot - knots.begin())]
                      : motion.begin() + (t - knots.front()) / factor,
              room.q, room.qd, room.qdd);
    for (double& rate : room.qd) rate /= factor;
    for (double& rate : room.qdd) rate /= factor * factor;
  };
  return TrajectoryLaw::motion(
      {knots, motion.dof(), at, law.probes, each(law.jumps, later), each(law.steps, later)});
}

namespace {

// Share below which a larger value counts as the same as an earlier one.
constexpr double same_share = 1e-12;

/// Times between two knots, close enough to see every peak.
struct Stretch {
  std::vector<double> times;
  double end = 0.0;  ///< the knot just after the last of them

  /// The time, or for that just before the knot the knot's.
  [[nodiscard]] double called(double t) const { return t == times.back() ? end : t; }
};

/// Calls visit(stretch) for each stretch in order.
template <class Visit>
void for_each_stretch(const Trajectory& trajectory, const Visit& visit) {
  const std::vector<double>& knots = trajectory.knots();
  const std::size_t probes = TrajectoryLaw::of(trajectory).probes;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    visit(Stretch{probe_times(trajectory, knots[k], knots[k + 1], probes), knots[k + 1]});
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

/// Calls found(value, t) for the maxima of f at the crests of its `samples`, without those clearly
/// lower than the highest.
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

void take(JointExtremes& most, const JointSample<double>& sample, double t) {
  raise(most.highest, sample.q, t);
  lower(most.lowest, sample.q, t);
  raise(most.velocity, std::abs(sample.qd), t);
  raise(most.acceleration, std::abs(sample.qdd), t);
}

/// Raises the extremes of a joint by those of a stretch, on which it has these samples (eq. 10.14).
void raise_extremes(JointExtremes& most, const Trajectory& motion, std::size_t joint,
                    const Stretch& stretch, const std::vector<JointSample<double>>& samples) {
  const auto joint_at = [&](double t) { return instant(motion, t).joint(joint); };
  std::vector<double> accelerations;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    take(most, samples[k], stretch.called(stretch.times[k]));
    accelerations.push_back(std::abs(samples[k].qdd));
  }
  for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
    for (const auto derivative : {&JointSample<double>::qd, &JointSample<double>::qdd}) {
      if (!(samples[k].*derivative * samples[k + 1].*derivative < 0.0)) continue;
      const double t = zero_between(stretch.times[k], stretch.times[k + 1],
                                    [&](double at) { return joint_at(at).*derivative; });
      take(most, joint_at(t), t);
    }
  }
  at_crests(
      stretch, accelerations, [&](double t) { return std::abs(joint_at(t).qdd); },
      [&](double, double t) { take(most, joint_at(t), t); });
}

}  // namespace

std::vector<JointExtremes> extremes(const Trajectory& trajectory) {
  const std::size_t dof = trajectory.dof();
  std::vector<JointExtremes> most = each(instant(trajectory, trajectory.begin()).q, [&](double q) {
    const TimedValue first{q, trajectory.begin()};
    return JointExtremes{first, first, {0.0, first.t}, {0.0, first.t}};
  });
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
  for (const double t : beside_jumps(trajectory, trajectory.begin(), trajectory.end())) {
    const Instant now = instant(trajectory, t);
    for (std::size_t i = 0; i < dof; ++i) take(most[i], now.joint(i), t);
  }
  return most;
}

std::vector<RateLimit> peak_rates(const Trajectory& trajectory) {
  return each(extremes(trajectory), [](const JointExtremes& joint) {  // no jerk: it jumps
    return RateLimit{joint.velocity.value, joint.acceleration.value, 0.0};
  });
}

AccelerationJumps acceleration_jumps(const Trajectory& motion,
                                     const std::vector<JointExtremes>& reached) {
  constexpr double noticed = 0.01, rounding_of_time = 4e-15;
  const TrajectoryLaw& law = TrajectoryLaw::of(motion);
  const double begin = motion.begin(), end = motion.end();
  const double beside = rounding_of_time * std::max(std::abs(begin), std::abs(end));
  const auto accelerations = [&](double t) {
    auto [q, qd, qdd] = instant(motion, t);
    for (std::size_t i = 0; i < qdd.size(); ++i) {
      if ((t < begin || t > end) && std::abs(qd[i]) <= rounding) qdd[i] = 0.0;
    }
    return qdd;
  };
  const auto is_knot = [&](double t) {
    const auto near = std::ranges::lower_bound(law.knots, t - 2 * beside);
    return near != law.knots.end() && *near <= t + 2 * beside;
  };
  std::vector<double> times = law.knots;
  append(times, law.jumps);
  std::ranges::sort(times);
  AccelerationJumps found;
  std::vector<double> jump(motion.dof());
  double first = begin, last = begin - 3 * beside;
  bool may_go_on = false;  // at the other end of a cell; there are several cells between knots
  for (const double t : times) {
    if (t - last <= 2 * beside) continue;
    bool jumps = false, goes_on = may_go_on && !(is_knot(last) && is_knot(t));
    last = t;
    const std::vector<double> before = accelerations(t - beside), after = accelerations(t + beside);
    const auto step = each(in_order(jump.size()), [&](std::size_t i) {
      const double change = after[i] - before[i];
      const bool counts =
          std::abs(change) > std::max(rounding, noticed * reached[i].acceleration.value);
      jumps = jumps || counts;
      goes_on = goes_on && !(counts && change * jump[i] < 0.0);
      return change;
    });
    may_go_on = jumps && !goes_on;
    if (!jumps) continue;
    if (!goes_on) {
      ++found.count;
      first = t;
      std::ranges::fill(jump, 0.0);
    }
    for (std::size_t i = 0; i < jump.size(); ++i) {
      jump[i] += step[i];
      if (std::abs(jump[i]) <= found.largest.value * (1.0 + same_share)) continue;
      found.largest = {std::abs(jump[i]), first};
      found.joint = i;
    }
  }
  return found;
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
