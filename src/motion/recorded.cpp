#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "motion/spline.hpp"

namespace armdyn {

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

}  // namespace armdyn
