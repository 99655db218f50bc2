#include "motion/kept_within.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/law.hpp"

namespace armdyn {

namespace {

constexpr double rounding = 1e-9;

double kept(double value, double lower, double upper, double noise) {
  if (value > upper && value <= upper + noise) return upper;
  if (value < lower && value >= lower - noise) return lower;
  return value;
}

class LimitedLaw final : public TrajectoryLaw {
 public:
  LimitedLaw(const Trajectory& motion, std::vector<RateLimit> limits, std::vector<Range> positions)
      : TrajectoryLaw(motion.knots()),
        motion_(motion),
        limits_(std::move(limits)),
        positions_(std::move(positions)) {
    probes = of(motion).probes;
  }

  [[nodiscard]] std::size_t dof() const override { return motion_.dof(); }
  [[nodiscard]] const TrajectoryLaw& unlimited() const override { return of(motion_).unlimited(); }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    motion_.at(t, q, qd, qdd);
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const double v = limits_[i].velocity, a = limits_[i].acceleration;
      qd[i] = kept(qd[i], -v, v, rounding * v);
      qdd[i] = kept(qdd[i], -a, a, rounding * a);
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      q[i] = kept(q[i], positions_[i].lower, positions_[i].upper, rounding);
    }
  }

 private:
  Trajectory motion_;
  std::vector<RateLimit> limits_;
  std::vector<Range> positions_;
};

}  // namespace

Trajectory kept_within(const Trajectory& motion, std::vector<RateLimit> limits,
                       std::vector<Range> positions) {
  if (limits.empty() && positions.empty()) return motion;
  return TrajectoryLaw::make<LimitedLaw>(motion, std::move(limits), std::move(positions));
}

}  // namespace armdyn
