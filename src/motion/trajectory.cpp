#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/law.hpp"

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

}  // namespace armdyn
