#include "simulation/stick_slip.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>

#include "math/ltdl.hpp"

namespace armdyn {

namespace {

// Breaking away takes a little more than holding, far above rounding and far below what shows: a
// joint that breaks away then certainly moves (eq. 8.7).
constexpr double hysteresis = 1e-12;

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

StickSlip::StickSlip(Plant& plant)
    : plant_(plant),
      block_(plant.dof() * plant.dof()),
      force_(plant.dof()),
      solution_(plant.dof()),
      qdd_(plant.dof()),
      holding_(plant.dof()),
      weights_(plant.dof()),
      levels_(plant.dof()),
      at_rest_(plant.dof()) {
  free_.reserve(plant.dof());
}

/// q̈ of the free joints from their block of M, and what the sticking ones have to hold (8.5).
/// `force_` is τ − losses of the free joints.
void StickSlip::solve(const LoadedState& state, std::span<const JointMode> modes,
                      std::span<double> qdd) {
  const std::size_t n = plant_.dof();
  free_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    qdd[i] = 0.0;
    if (modes[i] != JointMode::sticking) free_.push_back(i);
  }
  const std::size_t m = free_.size();
  const std::span<double> x = std::span(solution_).first(m);
  for (std::size_t a = 0; a < m; ++a) {
    x[a] = force_[free_[a]] - state.h[free_[a]];
    for (std::size_t b = 0; b <= a; ++b) block_[a * m + b] = state.M[free_[a] * n + free_[b]];
  }
  factor_ltdl<double>(m, std::span(block_).first(m * m));
  for (std::size_t a = 0; a < m; ++a) {
    if (block_[a * m + a] > 0.0) continue;
    plant_.accelerations(state.q, state.qd, force_, state.hand, qdd);  // says what is wrong with M
    throw SingularMassMatrix("the mass matrix is not positive definite");
  }
  solve_ltdl<double>(m, std::span(block_).first(m * m), x);
  for (std::size_t a = 0; a < m; ++a) qdd[free_[a]] = x[a];

  for (std::size_t i = 0; i < n; ++i) {
    holding_[i] = state.tau[i] - state.h[i];
    weights_[i] = std::abs(state.tau[i]) + std::abs(state.h[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const double coupled = state.M[i * n + j] * qdd[j];
      holding_[i] -= coupled;
      weights_[i] += std::abs(coupled);
    }
  }
}

void StickSlip::accelerations(const LoadedState& state, std::span<const JointMode> modes,
                              std::span<const double> losses, std::span<double> qdd,
                              std::span<double> margin) {
  for (std::size_t i = 0; i < plant_.dof(); ++i) force_[i] = state.tau[i] - losses[i];  // (8.4)
  solve(state, modes, qdd);
  for (std::size_t i = 0; i < plant_.dof(); ++i) {
    if (modes[i] == JointMode::sticking) margin[i] = margin_of(i, plant_.breakaway(i, state.q[i]));
  }
}

bool StickSlip::is_any_at_rest(std::span<const double> qd) const {
  for (std::size_t i = 0; i < qd.size(); ++i) {
    if (plant_.can_stick(i) && qd[i] == 0.0) return true;
  }
  return false;
}

/// How much more joint i can hold in the direction in which it is loaded (8.7).
double StickSlip::margin_of(std::size_t i, const TwoSided& levels) const {
  const auto [forward, backward] = levels;
  return std::min(forward - holding_[i], backward + holding_[i]) +
         hysteresis * (weights_[i] + std::max(forward, backward));
}

/// The mode that joint i's conditions ask for: its own, if they hold (8.6).
JointMode StickSlip::corrected(std::size_t i, JointMode mode) const {
  switch (mode) {
    case JointMode::sticking:
      if (margin_of(i, levels_[i]) >= 0.0) return mode;
      return holding_[i] > 0.0 ? JointMode::forward : JointMode::backward;
    case JointMode::forward:
      return qdd_[i] < 0.0 ? JointMode::sticking : mode;
    case JointMode::backward:
      return qdd_[i] > 0.0 ? JointMode::sticking : mode;
    default:
      return mode;
  }
}

/// Principal pivoting, always at the first joint whose conditions fail: finite, since M⁻¹ is
/// positive definite. False where rounding keeps it from ending.
bool StickSlip::settle_once(const LoadedState& state, std::span<JointMode> modes) {
  const std::size_t n = plant_.dof();
  for (std::size_t pass = 0; pass < 1000 * n; ++pass) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!at_rest_[i]) continue;
      force_[i] = state.tau[i] - (modes[i] == JointMode::forward    ? levels_[i].positive
                                  : modes[i] == JointMode::backward ? -levels_[i].negative
                                                                    : 0.0);
    }
    solve(state, modes, qdd_);
    // Where a number overflows nothing can be decided, and accelerations() shows it.
    if (!all_finite(qdd_)) return true;
    std::size_t i = 0;
    while (i < n && (!at_rest_[i] || corrected(i, modes[i]) == modes[i])) ++i;
    if (i == n) return true;
    modes[i] = corrected(i, modes[i]);
  }
  return false;
}

/// What brakes joint i just after it broke away.
TwoSided StickSlip::sliding_levels(std::size_t i, double q) const {
  return {plant_.loss(i, q, 0.0, 1), -plant_.loss(i, q, 0.0, -1)};
}

void StickSlip::settle(const LoadedState& state, std::span<JointMode> modes) {
  const std::size_t n = plant_.dof();
  for (std::size_t i = 0; i < n; ++i) {
    at_rest_[i] = plant_.can_stick(i) && state.qd[i] == 0.0;
    if (at_rest_[i]) {
      levels_[i] = modes[i] == JointMode::sticking ? plant_.breakaway(i, state.q[i])
                                                   : sliding_levels(i, state.q[i]);
    } else {
      force_[i] = state.tau[i] - plant_.loss(i, state.q[i], state.qd[i], direction(modes[i]));
    }
  }
  // A joint that breaks away is from then on braked by its sliding level, which may be lower, and
  // may set others free.
  for (bool lower = true; lower;) {
    if (!settle_once(state, modes)) {
      throw SingularMassMatrix(
          "which joints stick could not be decided: the mass matrix is all but singular");
    }
    lower = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!at_rest_[i] || modes[i] == JointMode::sticking) continue;
      const TwoSided sliding = sliding_levels(i, state.q[i]);
      if (sliding.positive < levels_[i].positive || sliding.negative < levels_[i].negative) {
        levels_[i] = sliding;
        lower = true;
      }
    }
  }
}

}  // namespace armdyn
