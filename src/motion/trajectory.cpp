#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/golden_section.hpp"
#include "motion/law.hpp"

namespace armdyn {

namespace {

/// A trajectory with room for one row.
class Reader {
 public:
  explicit Reader(const Trajectory& trajectory)
      : trajectory_(trajectory),
        q_(trajectory.dof()),
        qd_(trajectory.dof()),
        qdd_(trajectory.dof()) {}

  /// |q̇| and |q̈| of all joints.
  [[nodiscard]] std::vector<RateLimit> rates(double t) {
    trajectory_.at(t, q_, qd_, qdd_);
    std::vector<RateLimit> result;
    for (std::size_t i = 0; i < qd_.size(); ++i) {
      result.push_back({std::abs(qd_[i]), std::abs(qdd_[i])});
    }
    return result;
  }

 private:
  const Trajectory& trajectory_;
  std::vector<double> q_, qd_, qdd_;
};

/// Raises `peak` to what one joint's rate, sampled as `values` at `times`, reaches between them.
template <class Rate>
void raise_to_peak(Reader& reader, std::size_t joint, const std::vector<double>& times,
                   const std::vector<std::vector<RateLimit>>& samples, Rate rate, double& peak) {
  const auto value = [&](std::size_t k) { return samples[k][joint].*rate; };
  for (std::size_t k = 0; k < times.size(); ++k) {
    peak = std::max(peak, value(k));
    const bool crest = k > 0 && k + 1 < times.size() && value(k) >= value(k - 1) &&
                       value(k) >= value(k + 1) && value(k) > 0.0;
    if (!crest) continue;
    peak = std::max(peak, largest_between(times[k - 1], times[k + 1], [&](double t) {
                            return reader.rates(t)[joint].*rate;
                          }).value);
  }
}

}  // namespace

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

std::vector<RateLimit> peak_rates(const Trajectory& trajectory) {
  Reader reader(trajectory);
  const int probes = trajectory.law().probes;
  std::vector<RateLimit> peaks(trajectory.dof(), {0.0, 0.0});
  const std::vector<double>& knots = trajectory.knots();
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    // Inside the stretch alone: at its end another piece begins.
    const double before_end = std::nextafter(knots[k + 1], knots[k]);
    std::vector<double> times;
    std::vector<std::vector<RateLimit>> samples;
    for (int i = 0; i <= probes; ++i) {
      times.push_back(knots[k] + (before_end - knots[k]) * i / probes);
      samples.push_back(reader.rates(times.back()));
    }
    for (std::size_t joint = 0; joint < peaks.size(); ++joint) {
      raise_to_peak(reader, joint, times, samples, &RateLimit::velocity, peaks[joint].velocity);
      raise_to_peak(reader, joint, times, samples, &RateLimit::acceleration,
                    peaks[joint].acceleration);
    }
  }
  return peaks;
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
