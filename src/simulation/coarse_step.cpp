#include "simulation/coarse_step.hpp"

#include <algorithm>
#include <cmath>

#include "math/ltdl.hpp"

namespace armdyn {

namespace {

// A step of RK4 is wrong by (rate·h)⁵/120 of what happens in it, and unstable above rate·h = 2.8.
constexpr double longest = 0.25;

}  // namespace

StepCheck::StepCheck(Plant& plant)
    : plant_(plant),
      q_(plant.dof()),
      zero_(plant.dof()),
      M_(plant.dof() * plant.dof()),
      column_(plant.dof()),
      above_(plant.dof()),
      below_(plant.dof()) {}

std::optional<CoarseStep> StepCheck::operator()(std::span<const double> q,
                                                std::span<const double> qd, double step) {
  using Process = CoarseStep::Process;
  const std::size_t n = plant_.dof();
  std::optional<CoarseStep> worst;
  const auto consider = [&](std::size_t joint, Process process, double rate) {
    if (rate * step <= longest || (worst && rate <= worst->rate)) return;
    worst = {
        .joint = joint, .process = process, .rate = rate, .step = step, .advised = longest / rate};
  };

  plant_.mass_matrix(q, M_);
  factor_ltdl<double>(n, M_);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(M_[i * n + i] > 0.0)) return worst;  // nothing to say where M is singular
  }
  std::copy(q.begin(), q.end(), q_.begin());
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(column_.begin(), column_.end(), 0.0);
    column_[i] = 1.0;
    solve_ltdl<double>(n, M_, column_);
    const double mobility = column_[i];  // (M⁻¹)_ii

    constexpr double apart = 1e-4;  // rad, m
    q_[i] = q[i] + apart;
    plant_.bias(q_, zero_, {}, above_);
    q_[i] = q[i] - apart;
    plant_.bias(q_, zero_, {}, below_);
    q_[i] = q[i];
    const double stiffness = std::abs(above_[i] - below_[i]) / (2.0 * apart);

    consider(i, Process::damping, plant_.damping(i, qd[i]) * mobility);     // (8.10)
    consider(i, Process::swing, std::sqrt(stiffness * mobility));           // (8.11)
    consider(i, Process::turning, 1.0 / plant_.time_scale(i, qd[i], 0.0));  // (8.12)
  }
  return worst;
}

}  // namespace armdyn
