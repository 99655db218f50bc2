#pragma once

#include <armdyn/simulation.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "math/require.hpp"

namespace armdyn {

/// State of a joint's dry friction.
enum class JointMode {
  smooth,    ///< there is none
  sticking,  ///< at rest, held by it
  forward,   ///< slips in the positive direction, or is about to
  backward,  ///< slips in the negative direction, or is about to
};

[[nodiscard]] constexpr int direction(JointMode mode) {
  return mode == JointMode::forward ? 1 : mode == JointMode::backward ? -1 : 0;
}

/// q, q̇, work, work at the TCP, losses (docs/derivation.md eq. 8.1).
using OdeState = std::vector<double>;

/// Evaluation of a state at its time.
struct Evaluation {
  OdeState dydt;
  std::vector<double> tau;
  Wrench wrench;
  std::vector<double> margin;  ///< of sticking joints (8.7)
};

/// A moment of a motion: its state, and that evaluated.
struct Moment {
  double t = 0.0;
  OdeState y;
  Evaluation at;

  [[nodiscard]] std::size_t dof() const { return at.tau.size(); }
  [[nodiscard]] std::span<const double> q() const { return std::span(y).first(dof()); }
  [[nodiscard]] std::span<const double> qd() const { return std::span(y).subspan(dof(), dof()); }
  [[nodiscard]] std::span<double> qd() { return std::span(y).subspan(dof(), dof()); }
  [[nodiscard]] std::span<const double> qdd() const {
    return std::span(at.dydt).subspan(dof(), dof());
  }
};

/// A joint that left all bounds.
struct Divergence {
  std::size_t joint;
  std::optional<double> qd;  ///< its speed; absent: its acceleration is not finite
};

/// Tests whether nothing touches the TCP.
[[nodiscard]] inline bool is_free(const Wrench& wrench) {
  return wrench.force == Vec3{} && wrench.moment == Vec3{};
}

/// A step of a motion, from (t, y) with the evaluation `now`, by h; and its results.
struct MotionStep {
  /// Extent of the results: the state at its end, that evaluated, and margins in its middle.
  enum class Until { end, rates, middle };

  TorqueInput* input = nullptr;
  Integrator integrator = Integrator::rk4;  ///< one with a fixed step
  bool varies = true;                       ///< torques vary with time or state
  double fastest = 0.0;                     ///< beyond it a joint diverges: rad/s, m/s
  std::span<const JointMode> modes;

  Until until = Until::end;
  double t = 0.0, h = 0.0;
  double t_end = 0.0;  ///< t + h, but for rounding
  const OdeState* y = nullptr;
  const Evaluation* now = nullptr;

  OdeState* y_end = nullptr;
  Evaluation* end = nullptr;
  std::vector<double>* middle_margin = nullptr;
  std::optional<Divergence> divergence;  ///< the first
  bool is_touched = false;               ///< with a contact wrench
};

/// Cubic on [0, 1] with these values and slopes at its ends (docs/derivation.md eq. 8.8).
struct Hermite {
  double start, slope_at_start, end, slope_at_end;

  [[nodiscard]] double at(double s) const {
    return start + s * (slope_at_start + s * (square() + s * cube()));
  }

  /// Place of its minimum in [0, 1].
  [[nodiscard]] double lowest() const {
    double best = end < start ? 1.0 : 0.0;
    // Zeros of slope_at_start + 2 square s + 3 cube s².
    const double discriminant = square() * square() - 3.0 * cube() * slope_at_start;
    if (discriminant < 0.0) return best;
    const double k = -(square() + std::copysign(std::sqrt(discriminant), square()));
    for (const double s : {k / (3.0 * cube()), slope_at_start / k}) {
      if (s > 0.0 && s < 1.0 && at(s) < at(best)) best = s;
    }
    return best;
  }

 private:
  [[nodiscard]] double square() const {
    return 3.0 * (end - start) - 2.0 * slope_at_start - slope_at_end;
  }
  [[nodiscard]] double cube() const { return slope_at_start + slope_at_end - 2.0 * (end - start); }
};

/// Place in [0, 1] at which a value that is positive at 0 is negative: the end, or its minimum if it
/// has come back.
inline std::optional<double> below_zero(const Hermite& value) {
  if (value.end < 0.0) return 1.0;
  if (value.slope_at_start < 0.0 && value.slope_at_end > 0.0) {
    const double s = value.lowest();
    if (value.at(s) < 0.0) return s;
  }
  return {};
}

/// Likewise of the parabola through values at the start, in the middle and at the end.
inline std::optional<double> below_zero(double start, double middle, double end) {
  if (end < 0.0) return 1.0;
  const double curvature = 2.0 * (start - 2.0 * middle + end);
  const double slope = 4.0 * middle - 3.0 * start - end;
  if (slope >= 0.0 || curvature <= 0.0 || slope + 2.0 * curvature <= 0.0) return {};
  const double s = -slope / (2.0 * curvature);
  if (start + s * (slope + s * curvature) < 0.0) return s;
  return {};
}

/// Bracket of the time in (0, end] at which a gauge, positive before, becomes negative, narrowed until
/// it is `resolution` wide. gauge(0) = `at_zero` ≥ 0, gauge(end) = `at_end` < 0. Illinois method, with
/// bisections in between that keep it from stalling.
class Bracket {
 public:
  Bracket(double at_zero, double end, double at_end, double resolution)
      : high_(end), g_low_(at_zero), g_high_(at_end), resolution_(resolution) {}

  [[nodiscard]] bool is_open() const { return high_ - low_ > resolution_; }

  /// Place of the next reading of the gauge.
  [[nodiscard]] double middle() const {
    const bool bisect = (low_ == 0.0 && g_low_ <= 0.0) || pass_ % 4 == 0;
    const double guess = low_ + (high_ - low_) * (bisect ? 0.5 : g_low_ / (g_low_ - g_high_));
    return std::clamp(guess, low_ + 0.5 * resolution_, high_ - 0.5 * resolution_);
  }
  /// Narrows the bracket by the reading `g` at `at`.
  void narrow(double at, double g) {
    ++pass_;
    if (g < 0.0) {
      high_ = at;
      g_high_ = g;
      kept_ = std::max(kept_, 0) + 1;
      if (kept_ > 1) g_low_ *= 0.5;
    } else {
      low_ = at;
      g_low_ = g;
      kept_ = std::min(kept_, 0) - 1;
      if (kept_ < -1) g_high_ *= 0.5;
    }
  }

  /// Upper end, at which the gauge is negative.
  [[nodiscard]] double end() const { return high_; }

 private:
  double low_ = 0.0, high_;
  double g_low_, g_high_;
  double resolution_;
  int pass_ = 1;
  int kept_ = 0;  ///< times in a row that the same end has stayed: 1, 2.. lower, -1, -2.. upper
};

inline constexpr double forever = std::numeric_limits<double>::infinity();
/// Relative rounding of a time: times that differ by less are one.
inline constexpr double time_rounding = 4.0 * std::numeric_limits<double>::epsilon();

/// Tests whether to check the step: often at the beginning, then regularly.
inline bool is_check_due(std::size_t steps) {
  return std::has_single_bit(steps) || steps % 250 == 0;
}

/// Throws std::invalid_argument for options of no simulation.
inline void require_sound(const SimulationOptions& options) {
  require(options.step > 0.0 && std::isfinite(options.step), "the step must be positive");
  require(options.duration.value_or(0.0) >= 0.0 && std::isfinite(options.duration.value_or(0.0)),
          "the duration must not be negative");
  require(options.tolerance > 0.0, "the tolerance must be positive");
  require(options.every > 0, "rows need a positive number of steps between them");
}

/// Times start + k·step: 0.3, not 3·0.1, which is a little more.
class TimeGrid {
 public:
  TimeGrid(double start, double step)
      : start_(start), step_(step), steps_per_second_(whole_rate(step)) {}

  /// The time of the grid that is nearest to t; t itself where they have no number.
  [[nodiscard]] double nearest(double t) const {
    const double k = std::round((t - start_) / step_);
    return k >= 0.0 && k < 1e15 ? (*this)(static_cast<std::uint64_t>(k)) : t;
  }

  [[nodiscard]] double operator()(std::uint64_t index) const {
    const auto k = static_cast<double>(index);
    return start_ + (steps_per_second_ ? k / *steps_per_second_ : k * step_);
  }

 private:
  static std::optional<double> whole_rate(double step) {
    const double rate = std::round(1.0 / step);
    if (rate >= 1.0 && 1.0 / rate == step) return rate;
    return {};
  }

  double start_, step_;
  std::optional<double> steps_per_second_;  ///< where it is a whole number
};

/// Ends of steps: on the grid start + k·step, at the ends of stretches, and at the end of time.
class StepEnds {
 public:
  explicit StepEnds(const SimulationOptions& options)
      : grid_(options.start, options.step),
        step_(options.step),
        end_(options.start + options.duration.value_or(forever)) {}

  [[nodiscard]] double end() const { return end_; }

  /// Next end after t, if the stretch ends at `stretch_end`. Ends that nearly coincide are one.
  double next(double t, double stretch_end) {
    while (grid_(index_) <= t + close(t)) ++index_;
    double next = grid_(index_);
    if (stretch_end < next + close(t)) next = stretch_end;
    if (end_ < next + close(t)) next = end_;
    return next;
  }
  /// The end on the grid that nearly coincides with t, else t.
  [[nodiscard]] double on_grid(double t) const {
    const double nearest = grid_.nearest(t);
    return std::abs(nearest - t) <= close(t) ? nearest : t;
  }
  void visit_state(auto&& number) { number(index_); }

 private:
  [[nodiscard]] double close(double t) const {
    return std::max(1e-6 * step_, time_rounding * std::abs(t));
  }

  TimeGrid grid_;
  double step_, end_;
  std::uint64_t index_ = 1;
};

}  // namespace armdyn
