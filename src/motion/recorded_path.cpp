#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "motion/joint_path.hpp"
#include "motion/time_optimal.hpp"

namespace armdyn {

namespace {

/// A motion at one time.
struct RecordedPlace {
  std::vector<double> q, qd, qdd;
  double speed = 0.0;  ///< |q̇|
  bool rests = false;
};

double length_of(const std::vector<double>& x) {
  double length = 0.0;
  for (const double value : x) length = std::hypot(length, value);
  return length;
}

}  // namespace

JointPath recorded_path(const Trajectory& motion) {
  constexpr double at_rest = 1e-9, nearly = 1e-3;  // of the largest speed
  const std::vector<double>& knots = motion.knots();
  const std::size_t parts = std::max<std::size_t>(2, 512 / knots.size());
  std::vector<RecordedPlace> places;
  const auto place_at = [&](double t) {
    std::vector<double> q(motion.dof()), qd(q), qdd(q);
    motion.at(t, q, qd, qdd);
    const double speed = length_of(qd);
    return RecordedPlace{std::move(q), std::move(qd), std::move(qdd), speed};
  };
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    for (std::size_t n = 0; n < parts; ++n) {
      places.push_back(place_at(
          std::lerp(knots[k], knots[k + 1], static_cast<double>(n) / static_cast<double>(parts))));
    }
  }
  places.push_back(place_at(motion.end()));
  double fastest = 0.0;
  for (const RecordedPlace& place : places) fastest = std::max(fastest, place.speed);
  std::vector<RecordedPlace> kept;
  for (std::size_t k = 0; k < places.size(); ++k) {
    RecordedPlace& place = places[k];
    const bool is_end = k == 0 || k + 1 == places.size();
    place.rests = is_end || place.speed <= at_rest * fastest;
    if (place.rests && !kept.empty() && kept.back().rests && kept.back().q == place.q) continue;
    if (place.rests || place.speed > nearly * fastest) kept.push_back(place);
  }
  if (kept.size() < 2) throw InputError("no joint moves");

  std::vector<double> s{0.0}, chords;
  std::vector<bool> stops{true};
  for (std::size_t k = 1; k < kept.size(); ++k) {
    std::vector<double> way(motion.dof());
    for (std::size_t i = 0; i < way.size(); ++i) way[i] = kept[k].q[i] - kept[k - 1].q[i];
    chords.push_back(length_of(way));
    if (!(chords.back() > 0.0)) throw InputError("it moves and comes back between two rows");
    s.push_back(s.back() + chords.back());
    stops.push_back(kept[k].rests);
  }
  const auto knot = [&](std::size_t k, std::size_t other) {
    const RecordedPlace &here = kept[k], &next = kept[other];
    PathKnot found;
    double along = 0.0;
    for (std::size_t i = 0; i < here.q.size(); ++i) along += here.qd[i] * here.qdd[i];
    for (std::size_t i = 0; i < here.q.size(); ++i) {
      const double v = here.speed;
      if (!here.rests || v > nearly * fastest) {
        found.push_back(
            {here.q[i], here.qd[i] / v, (here.qdd[i] - here.qd[i] / v * along / v) / v / v});
      } else {  // towards the neighbour, by the parabola that has its direction there
        const double chord = (next.q[i] - here.q[i]) / (s[other] - s[k]);
        const double beyond = next.rests ? chord : next.qd[i] / next.speed;
        found.push_back({here.q[i], 2.0 * chord - beyond, 0.0});
      }
    }
    return found;
  };
  std::vector<PathKnot> left, right;
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
    left.push_back(knot(k, k + 1));
    right.push_back(knot(k + 1, k));
  }
  return {std::move(s), left, right, std::move(stops)};
}

}  // namespace armdyn
