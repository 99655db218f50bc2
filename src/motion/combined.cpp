#include "motion/combined.hpp"

#include <numeric>
#include <utility>

#include "motion/law.hpp"

namespace armdyn {

namespace {

class CombinedLaw final : public TrajectoryLaw {
 public:
  CombinedLaw(const Trajectory& motion, std::vector<double> weights)
      : TrajectoryLaw(motion.knots()), motion_(motion), weights_(std::move(weights)) {
    probes = of(motion).probes;
  }

  [[nodiscard]] std::size_t dof() const override { return 1; }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    const std::size_t n = weights_.size();
    std::vector<double> q_all(n), qd_all(n), qdd_all(n);
    motion_.at(t, q_all, qd_all, qdd_all);
    const auto sum = [this](const std::vector<double>& x) {
      return std::inner_product(x.begin(), x.end(), weights_.begin(), 0.0);
    };
    q[0] = sum(q_all);
    qd[0] = sum(qd_all);
    qdd[0] = sum(qdd_all);
  }

 private:
  Trajectory motion_;
  std::vector<double> weights_;
};

}  // namespace

Trajectory combined(const Trajectory& motion, std::vector<double> weights) {
  return TrajectoryLaw::make<CombinedLaw>(motion, std::move(weights));
}

}  // namespace armdyn
