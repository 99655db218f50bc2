#include "motion/trajectory_law.hpp"

#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "motion/spline.hpp"

namespace armdyn {

std::size_t Trajectory::dof() const {
  return law_->dof();
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

void Trajectory::at(double t, std::span<double> q, std::span<double> qd,
                    std::span<double> qdd) const {
  if (q.size() != dof() || qd.size() != dof() || qdd.size() != dof() || std::isnan(t)) {
    throw std::invalid_argument("a trajectory needs a time, and room for one entry per joint");
  }
  law_->at(std::clamp(t, begin(), end()), q, qd, qdd);
}

std::vector<double> sample_times(const Trajectory& trajectory, double rate) {
  if (!(rate > 0.0) || !std::isfinite(rate))
    throw std::invalid_argument("the rate must be positive");
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

namespace {

/// Rows that were measured or made elsewhere; what lies between them follows from both neighbours.
class RecordedLaw final : public TrajectoryLaw {
 public:
  explicit RecordedLaw(RecordedRows rows)
      : TrajectoryLaw(std::move(rows.t)),
        dof_(rows.q.size() / knots.size()),
        q_(std::move(rows.q)),
        qd_(std::move(rows.qd)),
        qdd_(std::move(rows.qdd)) {}

  [[nodiscard]] std::size_t dof() const override { return dof_; }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    const auto after = std::upper_bound(knots.begin() + 1, knots.end(), t);
    const auto row = static_cast<std::size_t>(after - knots.begin()) - 1;
    const double since = t - knots[row];
    for (std::size_t i = 0; i < dof_; ++i) {
      const std::array<double, 3> here = row_at(row, i);
      const JointSample<double> sample =
          since == 0.0
              ? JointSample<double>{here[0], here[1], here[2]}
              : evaluate(hermite(knots[row + 1] - knots[row], here, row_at(row + 1, i)), since);
      q[i] = sample.q;
      qd[i] = sample.qd;
      qdd[i] = sample.qdd;
    }
  }

 private:
  [[nodiscard]] std::array<double, 3> row_at(std::size_t row, std::size_t joint) const {
    const std::size_t at = row * dof_ + joint;
    return {q_[at], qd_[at], qdd_[at]};
  }

  std::size_t dof_;
  std::vector<double> q_, qd_, qdd_;
};

}  // namespace

Trajectory recorded(RecordedRows rows) {
  const std::size_t count = rows.t.size();
  if (count < 2) throw std::invalid_argument("a motion needs two rows");
  if (rows.q.empty() || rows.q.size() % count != 0 || rows.qd.size() != rows.q.size() ||
      rows.qdd.size() != rows.q.size()) {
    throw std::invalid_argument("each row needs q, qd and qdd of all joints");
  }
  for (std::size_t k = 1; k < count; ++k) {
    if (!(rows.t[k] > rows.t[k - 1]))
      throw std::invalid_argument("the times of rows must increase");
  }
  if (!std::isfinite(rows.t.back() - rows.t.front())) {
    throw std::invalid_argument("the times of rows must be finite");
  }
  return TrajectoryLaw::make<RecordedLaw>(std::move(rows));
}

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
