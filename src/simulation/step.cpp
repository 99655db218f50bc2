#include "simulation/step.hpp"

#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

namespace armdyn {

namespace {

std::optional<double> whole_rate(double step) {
  const double rate = std::round(1.0 / step);
  if (rate >= 1.0 && 1.0 / rate == step) return rate;
  return {};
}

}  // namespace

void require_sound(const SimulationOptions& options) {
  require(options.step > 0.0 && std::isfinite(options.step), "the step must be positive");
  require(options.duration.value_or(0.0) >= 0.0 && std::isfinite(options.duration.value_or(0.0)),
          "the duration must not be negative");
  require(options.tolerance > 0.0, "the tolerance must be positive");
  require(options.every > 0, "rows need a positive number of steps between them");
}

StepEnds::StepEnds(const SimulationOptions& options)
    : start_(options.start),
      step_(options.step),
      end_(options.start + options.duration.value_or(forever)),
      steps_per_second_(whole_rate(options.step)) {}

double StepEnds::next(double t, double stretch_end) {
  const double close = std::max(1e-6 * step_, time_rounding * std::abs(t));
  while (grid(index_) <= t + close) ++index_;
  double next = grid(index_);
  if (stretch_end < next + close) next = stretch_end;
  if (end_ < next + close) next = end_;
  return next;
}

/// 0.3 rather than 3·0.1, which is a little more.
double StepEnds::grid(std::uint64_t index) const {
  const auto k = static_cast<double>(index);
  return start_ + (steps_per_second_ ? k / *steps_per_second_ : k * step_);
}

namespace {

namespace odeint = boost::numeric::odeint;

double eighth_root(double x) {
  return std::sqrt(std::sqrt(std::sqrt(x)));
}

/// An embedded pair of Odeint's under our own step control, which takes roots by square roots alone
/// so that steps are the same on every machine.
class ControlledPair : public EmbeddedPair {
 public:
  ControlledPair(std::size_t size, std::size_t judged, double tolerance)
      : y_error_(size), judged_(judged), tolerance_(tolerance) {}

  [[nodiscard]] double next_step(double h, double error) const override {
    if (!std::isfinite(error)) return h / 10;
    if (error == 0.0) return 5 * h;
    return h * std::clamp(0.9 / root(error), 0.2, 5.0);
  }

 protected:
  /// About the power 1/order of an error.
  [[nodiscard]] virtual double root(double error) const = 0;

  [[nodiscard]] double error_over_tolerance(const OdeState& y, const OdeState& y_next) const {
    double worst = 0.0;
    for (std::size_t i = 0; i < judged_; ++i) {
      const double scale = 1.0 + std::max(std::abs(y[i]), std::abs(y_next[i]));
      const double error = std::abs(y_error_[i]) / (tolerance_ * scale);  // (8.3)
      if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, error);
    }
    return worst;
  }

  OdeState y_error_;

 private:
  std::size_t judged_;
  double tolerance_;
};

class DormandPrince5 final : public ControlledPair {
 public:
  DormandPrince5(std::size_t size, std::size_t judged, double tolerance)
      : ControlledPair(size, judged, tolerance), dydt_next_(size) {}

  double step(const OdeSystem& f, double t, const OdeState& y, const OdeState& dydt, double h,
              OdeState& y_next) override {
    pair_.do_step(std::cref(f), y, dydt, t, y_next, dydt_next_, h, y_error_);
    return error_over_tolerance(y, y_next);
  }

 private:
  [[nodiscard]] double root(double error) const override {
    const double eighth = eighth_root(error);
    return eighth * std::sqrt(eighth);  // to the power 3/16
  }

  odeint::runge_kutta_dopri5<OdeState> pair_;
  OdeState dydt_next_;
};

/// Its error estimate compares accelerations at the two ends of the step alone, and finds nothing
/// where they change with time rather than with the state. A step of one radian of an oscillation
/// is wrong by about 1e-8, so the tolerance says how long one may be whatever the estimate.
class Fehlberg78 final : public ControlledPair {
 public:
  Fehlberg78(std::size_t size, std::size_t judged, double tolerance)
      : ControlledPair(size, judged, tolerance),
        longest_(std::min(1.0, eighth_root(1e8 * tolerance))) {}

  [[nodiscard]] double longest_step() const override { return longest_; }

  double step(const OdeSystem& f, double t, const OdeState& y, const OdeState& dydt, double h,
              OdeState& y_next) override {
    pair_.do_step(std::cref(f), y, dydt, t, y_next, h, y_error_);
    return error_over_tolerance(y, y_next);
  }

 private:
  [[nodiscard]] double root(double error) const override { return eighth_root(error); }

  odeint::runge_kutta_fehlberg78<OdeState> pair_;
  double longest_;
};

}  // namespace

std::unique_ptr<EmbeddedPair> make_embedded_pair(Integrator integrator, std::size_t size,
                                                 std::size_t judged, double tolerance) {
  switch (integrator) {
    case Integrator::dopri5:
      return std::make_unique<DormandPrince5>(size, judged, tolerance);
    case Integrator::rkf78:
      return std::make_unique<Fehlberg78>(size, judged, tolerance);
    case Integrator::rk4:
    case Integrator::euler:
      break;
  }
  return nullptr;
}

}  // namespace armdyn
