#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/law.hpp"

namespace armdyn {

namespace {

std::vector<double> with(std::vector<double> knots, double another) {
  knots.push_back(another);
  return knots;
}

class HeldLaw final : public TrajectoryLaw {
 public:
  HeldLaw(const Trajectory& motion, double seconds)
      : TrajectoryLaw(with(motion.knots(), motion.end() + seconds)), motion_(motion) {
    probes = of(motion).probes;
  }

  [[nodiscard]] std::size_t dof() const override { return motion_.dof(); }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    motion_.at(t, q, qd, qdd);
    if (t < motion_.end()) return;
    std::ranges::fill(qd, 0.0);
    std::ranges::fill(qdd, 0.0);
  }

 private:
  Trajectory motion_;
};

}  // namespace

Trajectory held(const Trajectory& motion, double seconds) {
  if (!(seconds > 0.0) || !std::isfinite(seconds)) {
    throw std::invalid_argument("a motion is held for a time above 0");
  }
  return TrajectoryLaw::make<HeldLaw>(motion, seconds);
}

}  // namespace armdyn
