#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/law.hpp"

namespace armdyn {

namespace {

std::vector<double> apart(std::vector<double> knots, double factor) {
  for (double& knot : knots) knot = knots.front() + factor * (knot - knots.front());
  return knots;
}

class SlowedLaw final : public TrajectoryLaw {
 public:
  SlowedLaw(const Trajectory& motion, double factor)
      : TrajectoryLaw(apart(motion.knots(), factor)), motion_(motion), factor_(factor) {
    probes = of(motion).probes;
  }

  [[nodiscard]] std::size_t dof() const override { return motion_.dof(); }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    // At a knot, exactly: there accelerations jump.
    const auto knot = std::ranges::lower_bound(knots, t);
    const bool is_knot = knot != knots.end() && *knot == t;
    motion_.at(is_knot ? motion_.knots()[static_cast<std::size_t>(knot - knots.begin())]
                       : motion_.begin() + (t - knots.front()) / factor_,
               q, qd, qdd);
    for (double& rate : qd) rate /= factor_;
    for (double& rate : qdd) rate /= factor_ * factor_;
  }

 private:
  Trajectory motion_;
  double factor_;
};

}  // namespace

Trajectory slowed(const Trajectory& motion, double factor) {
  if (!(factor > 0.0) || !std::isfinite(factor)) {
    throw std::invalid_argument("a motion is slowed by a factor above 0");
  }
  return TrajectoryLaw::make<SlowedLaw>(motion, factor);
}

}  // namespace armdyn
