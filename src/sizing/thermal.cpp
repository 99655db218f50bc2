#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sizing/sizing.hpp"

namespace armdyn {

namespace {

/// Degrees of winding and housing above the ambient, and 1.
using Warmth = Eigen::Vector3d;
/// Δ of x′ = x + Δx, with c in its last column.
using Warming = Eigen::Matrix3d;

const Warmth at_ambient = Warmth::UnitZ();

/// One after the other.
Warming joined(const Warming& first, const Warming& next) {
  return next + first + next * first;
}

/// The step of that length under constant losses.
Warming step_of(const MotorThermal& thermal, double losses, double length) {
  const double cw = *thermal.winding_capacity, ch = *thermal.housing_capacity;
  const double across = 1.0 / *thermal.winding_to_housing;
  const double out = 1.0 / *thermal.housing_to_ambient, rise = thermal.temperature_coefficient;
  Warming B = Warming::Zero();  // (35.6)
  B << (rise * losses - across) / cw, across / cw,
      losses * (1.0 + rise * (thermal.ambient - thermal.resistance_temperature)) / cw,  //
      across / ch, -(across + out) / ch, 0.0,                                           //
      0.0, 0.0, 0.0;
  const Eigen::Matrix2d bodies = B.topLeftCorner<2, 2>();
  const double mean = bodies.trace() / 2.0;
  const double apart = std::hypot((B(0, 0) - B(1, 1)) / 2.0, across / std::sqrt(cw * ch));
  const auto f = [length](double rate) {
    return rate == 0.0 ? length : std::expm1(rate * length) / rate;
  };
  const double slow = f(mean + apart), fast = f(mean - apart);
  const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
  const Eigen::Matrix2d phi =
      fast * one + (slow - fast) / (2.0 * apart) * (bodies - (mean - apart) * one);  // (35.7)
  B.topRows<2>() = phi * B.topRows<2>();                                             // (35.8)
  return B;
}

/// The motor through one cycle.
class ThermalCycle {
 public:
  ThermalCycle(const MotorThermal& thermal, std::span<const double> losses,
               std::span<const double> t, std::span<const double> lengths)
      : ambient_(thermal.ambient), t_(t), lengths_(lengths) {
    for (std::size_t row = 1; row < t.size(); ++row) {
      const double mean = (losses[row - 1] + losses[row]) / 2.0;
      steps_.push_back(step_of(thermal, mean, lengths[row]));
      whole_ = joined(whole_, steps_.back());
      duration_ += lengths[row];
    }
  }

  [[nodiscard]] std::optional<SteadyTemperatures> steady() const {
    const double determinant = whole_.topLeftCorner<2, 2>().determinant();
    if (!(whole_(0, 0) < 0.0 && whole_(1, 1) < 0.0 && determinant > 0.0)) return std::nullopt;
    const Warmth from((whole_(0, 1) * whole_(1, 2) - whole_(1, 1) * whole_(0, 2)) / determinant,
                      (whole_(1, 0) * whole_(0, 2) - whole_(0, 0) * whole_(1, 2)) / determinant,
                      1.0);
    const double first = from[0] + ambient_;
    SteadyTemperatures found{{first, t_[0]}, first, ambient_, 0.0, {first}};
    go(from, [&](std::size_t row, const Warmth& before, const Warmth& x) {
      const double winding = found.winding.emplace_back(ambient_ + x[0]);
      if (winding > found.hottest.value) found.hottest = {winding, t_[row]};
      found.coolest = std::min(found.coolest, winding);
      found.housing = std::max(found.housing, ambient_ + x[1]);
      found.mean += lengths_[row] / duration_ * (before[0] + x[0]) / 2.0;
    });
    return found;
  }

  /// Time from the ambient until the winding is so many degrees above it, which it will be.
  [[nodiscard]] double time_to(double limit) const {
    constexpr std::size_t most = 60;  // doublings
    std::vector<Warming> doubled{whole_};
    while (doubled.size() < most && peak(at_ambient + doubled.back() * at_ambient) < limit) {
      doubled.push_back(joined(doubled.back(), doubled.back()));
    }
    Warmth from = at_ambient;
    double time = 0.0;
    // The last cycle that does not reach it, and the one after.
    for (std::size_t k = doubled.size(); k-- > 0;) {
      const Warmth later = from + doubled[k] * from;
      if (peak(later) >= limit) continue;
      from = later;
      time += std::ldexp(duration_, static_cast<int>(k));
    }
    if (peak(from) < limit) {
      from += whole_ * from;
      time += duration_;
    }
    bool is_reached = from[0] >= limit;
    go(from, [&](std::size_t row, const Warmth& before, const Warmth& x) {
      if (is_reached) return;
      is_reached = x[0] >= limit;
      time += lengths_[row] * (is_reached ? (limit - before[0]) / (x[0] - before[0]) : 1.0);
    });
    return time;
  }

 private:
  /// `look(row, before, after)` for each step, from that state on.
  void go(Warmth x, const auto& look) const {
    for (std::size_t row = 1; row < t_.size(); ++row) {
      const Warmth before = x;
      x += steps_[row - 1] * before;
      look(row, before, x);
    }
  }
  [[nodiscard]] double peak(const Warmth& from) const {
    double peak = from[0];
    go(from, [&](std::size_t, const Warmth&, const Warmth& x) { peak = std::max(peak, x[0]); });
    return peak;
  }

  double ambient_, duration_ = 0.0;
  std::span<const double> t_, lengths_;
  std::vector<Warming> steps_;
  Warming whole_ = Warming::Zero();
};

}  // namespace

bool is_complete(const MotorThermal& thermal) {
  return thermal.winding_to_housing && thermal.housing_to_ambient && thermal.winding_capacity &&
         thermal.housing_capacity;
}

ThermalNeed thermal_need(const MotorThermal& thermal, std::span<const double> losses,
                         std::span<const double> t, std::span<const double> steps) {
  const ThermalCycle cycle(thermal, losses, t, steps);
  ThermalNeed need{cycle.steady(), {}};
  if (!thermal.max_winding) return need;
  if (!need.steady || need.steady->hottest.value > *thermal.max_winding) {
    need.time_to_limit = cycle.time_to(*thermal.max_winding - thermal.ambient);
  }
  return need;
}

}  // namespace armdyn
