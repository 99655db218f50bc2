#include "motion/excitation.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "math/require.hpp"

namespace armdyn {

namespace {

Trajectory series_motion(double period, const std::vector<FourierSeries>& joints) {
  const std::size_t count = joints.front().A.size();
  const auto at = [period, joints, count](double t, const InstantRoom& room) {
    const double omega = 2 * std::numbers::pi / period;
    const double phase = omega * (t > period / 2 ? t - period : t);  // both ends are at phase 0
    const auto shared = harmonics(count, phase);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      room.set(i, evaluate(joints[i], omega, shared));
    }
  };
  return TrajectoryLaw::motion({{0.0, period}, joints.size(), at, 32 * count});
}

/// Next number of splitmix64 from that state on, evenly distributed between −1 and 1: the same on
/// every machine and by every compiler.
double random_number(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z ^= z >> 31U;
  return static_cast<double>(z >> 11U) * 0x1p-52 - 1.0;
}

/// Makes Σ w_k x_k zero.
void make_orthogonal(std::vector<double>& x, const std::vector<double>& w) {
  const double share = std::inner_product(w.begin(), w.end(), x.begin(), 0.0) /
                       std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= share * w[k];
}

/// Series with velocity amplitudes of like size for all harmonics, at rest and without acceleration
/// at phase 0.
FourierSeries random_series(std::uint64_t& random, int harmonics) {
  FourierSeries series;
  for (int i = 1; i <= harmonics; ++i) {
    series.A.push_back(random_number(random) / i);
    series.B.push_back(random_number(random) / i);
  }
  rest_at_the_ends(series);
  return series;
}

std::string joint_text(const Excitation& wanted, std::size_t joint) {
  return wanted.names.empty() ? fmt::format("joint {}", joint + 1) : wanted.names[joint];
}

void require_sound(const Excitation& wanted) {
  const std::size_t n = wanted.center.size();
  const auto is_for_all = [n](std::size_t size) { return size == 0 || size == n; };
  require(is_for_all(wanted.names.size()) && is_for_all(wanted.units.size()),
          "an excitation needs names and units of all joints or none");
  require(n > 0 && wanted.position.size() == n && wanted.limits.size() == n,
          "an excitation needs one center, range and limit per joint");
  require(wanted.period > 0.0 && std::isfinite(wanted.period), "the period must be positive");
  require(wanted.harmonics >= 3, "rest without acceleration at the ends takes three harmonics");
}

}  // namespace

void rest_at_the_ends(FourierSeries& series) {
  std::vector<double> k, k_squared;
  for (std::size_t i = 1; i <= series.A.size(); ++i) {
    k.push_back(static_cast<double>(i));
    k_squared.push_back(static_cast<double>(i * i));
  }
  make_orthogonal(series.A, k);
  make_orthogonal(series.B, k_squared);
}

FourierSeries scaled(FourierSeries series, double factor) {
  for (double& A : series.A) A *= factor;
  for (double& B : series.B) B *= factor;
  return series;
}

double largest_factor(FourierSeries series, const Excitation& wanted, std::size_t joint) {
  series.center = 0.0;
  const JointExtremes reach = extremes(series_motion(wanted.period, {std::move(series)})).front();
  const RateLimit& limit = wanted.limits[joint];
  const double center = wanted.center[joint];
  return std::min({limit.velocity / reach.velocity.value,
                   limit.acceleration / reach.acceleration.value,
                   (wanted.position[joint].upper - center) / reach.highest.value,
                   (wanted.position[joint].lower - center) / reach.lowest.value});
}

std::vector<FourierSeries> series_by_chance(const Excitation& wanted) {
  require_sound(wanted);
  std::uint64_t random = wanted.seed;
  std::vector<FourierSeries> joints;
  for (std::size_t i = 0; i < wanted.center.size(); ++i) {
    const FourierSeries series = random_series(random, wanted.harmonics);
    const double factor = largest_factor(series, wanted, i);
    if (std::isinf(factor)) {
      throw InputError(
          fmt::format("{} has no limit of position, velocity or acceleration, so its range is "
                      "unknown; give --limits",
                      joint_text(wanted, i)));
    }
    if (!(factor > 0.0)) {
      const std::string unit = wanted.units.empty() ? "" : " " + wanted.units[i];
      throw InputError(
          fmt::format("the center of {}, {:.6g}{}, is not within its limits {:.6g} to {:.6g}{}",
                      joint_text(wanted, i), wanted.center[i], unit, wanted.position[i].lower,
                      wanted.position[i].upper, unit));
    }
    joints.push_back(scaled(series, factor));
    joints.back().center = wanted.center[i];
  }
  return joints;
}

Trajectory fourier_motion(const Excitation& wanted, const std::vector<FourierSeries>& joints) {
  return kept_within(series_motion(wanted.period, joints), wanted.limits, wanted.position);
}

Trajectory excite(const Excitation& wanted) {
  return fourier_motion(wanted, series_by_chance(wanted));
}

}  // namespace armdyn
