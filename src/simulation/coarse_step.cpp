#include "simulation/coarse_step.hpp"

#include <algorithm>
#include <cmath>

#include "math/ltdl.hpp"

namespace armdyn {

namespace {

// A step of RK4 is wrong by (rate·h)⁵/120 of what happens in it, and unstable above rate·h = 2.8.
constexpr double longest = 0.25;

// Half a step apart, RK4 samples friction: as good as exact for exp(−(q̇/v_s)²) while q̇ changes by
// v_s in a step, by 6 % of its integral wrong where it changes by 2 v_s.
constexpr double longest_through_stribeck = 1.0;

// Steps of Euler are wrong by rate·h/2 of what happens, all together.
constexpr double longest_of_euler = 0.02;

/// The smallest |q̇| on the way from one to the other.
double slowest_between(double a, double b) {
  return a * b <= 0.0 ? 0.0 : std::min(std::abs(a), std::abs(b));
}

}  // namespace

StepCheck::StepCheck(Plant& plant, Integrator integrator)
    : plant_(plant),
      longest_(integrator == Integrator::euler ? longest_of_euler : longest),
      longest_through_stribeck_(integrator == Integrator::euler ? longest_of_euler
                                                                : longest_through_stribeck),
      M_(plant.dof() * plant.dof()),
      column_(plant.dof()),
      stiffest_(plant.dof()),
      q_(plant.dof()),
      zero_(plant.dof()),
      above_(plant.dof()),
      below_(plant.dof()) {}

/// |∂G_i/∂q_i| by a difference, N·m/rad or N/m.
double StepCheck::stiffness(std::size_t i, std::span<const double> q) {
  constexpr double apart = 1e-4;  // rad, m
  std::copy(q.begin(), q.end(), q_.begin());
  q_[i] = q[i] + apart;
  plant_.bias(q_, zero_, {}, above_);
  q_[i] = q[i] - apart;
  plant_.bias(q_, zero_, {}, below_);
  return std::abs(above_[i] - below_[i]) / (2.0 * apart);
}

std::optional<CoarseStep> StepCheck::operator()(std::span<const double> q,
                                                std::span<const double> qd, double step) {
  using Process = CoarseStep::Process;
  const std::size_t n = plant_.dof();
  std::optional<CoarseStep> worst;
  const auto is_coarse = [&](double rate) { return rate * step > longest_; };
  const auto consider = [&](std::size_t joint, Process process, double rate) {
    if (!is_coarse(rate) || (worst && rate <= worst->rate)) return;
    worst = {
        .joint = joint, .process = process, .rate = rate, .step = step, .advised = longest_ / rate};
  };

  plant_.mass_matrix(q, M_);
  factor_ltdl<double>(n, M_);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(M_[i * n + i] > 0.0)) return worst;  // nothing to say where M is singular
  }
  plant_.bound_stiffness(q, stiffest_);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(column_.begin(), column_.end(), 0.0);
    column_[i] = 1.0;
    solve_ltdl<double>(n, M_, column_);
    const double mobility = column_[i];  // (M⁻¹)_ii

    consider(i, Process::damping, plant_.damping(i, qd[i]) * mobility);  // (8.10)
    if (is_coarse(std::sqrt(stiffest_[i] * mobility))) {
      consider(i, Process::swing, std::sqrt(stiffness(i, q) * mobility));  // (8.11)
    }
    consider(i, Process::turning, plant_.turning(i, qd[i]));  // (8.12)
    consider(i, Process::ripple, plant_.rippling(i, qd[i]));
  }
  return worst;
}

std::optional<CoarseStep> StepCheck::passage(std::span<const double> qd_before,
                                             std::span<const double> qd, double step) const {
  std::optional<CoarseStep> worst;
  for (std::size_t i = 0; plant_.has_stribeck_curve() && i < qd.size(); ++i) {
    const std::optional<double>& v_s = plant_.stribeck_velocity(i);
    if (!v_s || slowest_between(qd_before[i], qd[i]) > 3.0 * *v_s) continue;
    const double rate = std::abs(qd[i] - qd_before[i]) / (*v_s * step);  // (8.13)
    if (rate * step <= longest_through_stribeck_ || (worst && rate <= worst->rate)) continue;
    worst = {.joint = i,
             .process = CoarseStep::Process::stribeck,
             .rate = rate,
             .step = step,
             .advised = longest_through_stribeck_ / rate};
  }
  return worst;
}

}  // namespace armdyn
