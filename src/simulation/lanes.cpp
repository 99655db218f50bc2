#include "simulation/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/friction.hpp"
#include "simulation/hermite.hpp"

namespace armdyn {

namespace {

bool loses_anything(const Drive& drive) {
  Drive rotor;
  rotor.motor.rotor_inertia = drive.motor.rotor_inertia;
  rotor.motor.gear_ratio = drive.motor.gear_ratio;
  rotor.motor.efficiency = drive.motor.efficiency;
  return !(drive == rotor);
}

}  // namespace

Lanes::Lanes(const Arm& arm, Plant& plant, const BlockForwardDynamics& dynamics, Joints joints,
             bool stop_at_limits, std::size_t capacity)
    : arm_(arm),
      plant_(plant),
      dynamics_(dynamics),
      n_(arm.dof()),
      is_stuck_(joints == Joints::stuck),
      stop_at_limits_(stop_at_limits),
      stick_slip_(plant),
      t_(capacity),
      target_(capacity),
      h_(capacity),
      half_h_(capacity),
      time_(capacity),
      fastest_(capacity),
      inputs_(capacity),
      met_(capacity),
      directions_(n_, std::vector<int>(capacity)),
      modes_(capacity),
      y_(2 * n_ + 3, capacity),
      rates_(2 * n_ + 3, capacity),
      next_(2 * n_ + 3, capacity),
      next_rates_(2 * n_ + 3, capacity),
      sum_(2 * n_ + 3, capacity),
      tau_(n_, capacity),
      force_(n_, capacity),
      loss_(n_, capacity),
      margins_(n_, capacity),
      next_margins_(n_, capacity),
      middle_margins_(n_, capacity),
      middle_rates_(2 * n_ + 3, capacity),
      middle_tau_(n_, capacity),
      mass_(n_ * (n_ + 1) / 2, capacity),
      bias_(n_, capacity),
      q_(n_),
      qd_(n_),
      qdd_(n_),
      torque_(n_),
      margin_(n_),
      M_(n_ * n_),
      h_of_lane_(n_) {
  for (const Drive& drive : arm.drives) loses_.push_back(loses_anything(drive));
}

void Lanes::enter(const Motion& motion, TorqueInput* input) {
  const std::size_t lane = size_++;
  t_[lane] = motion.t();
  inputs_[lane] = input;
  fastest_[lane] = motion.fastest();
  for (std::size_t i = 0; i < y_.at.size(); ++i) {
    y_.at[i][lane] = motion.state()[i];
    rates_.at[i][lane] = motion.rates()[i];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    tau_.at[i][lane] = motion.tau()[i];
    directions_[i][lane] = direction(motion.modes()[i]);
    margins_.at[i][lane] = motion.margins()[i];
  }
  modes_[lane] = motion.modes();
}

void Lanes::leave(std::size_t lane) {
  const std::size_t last = --size_;
  if (lane == last) return;
  t_[lane] = t_[last];
  h_[lane] = h_[last];
  inputs_[lane] = inputs_[last];
  fastest_[lane] = fastest_[last];
  met_[lane] = met_[last];
  std::swap(modes_[lane], modes_[last]);
  for (const Columns* columns : {&y_, &rates_, &tau_, &margins_}) {
    for (double* const column : columns->at) column[lane] = column[last];
  }
  for (std::vector<int>& column : directions_) column[lane] = column[last];
}

void Lanes::state(std::size_t lane, OdeState& y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = y_.at[i][lane];
}

void Lanes::read(std::size_t lane, std::span<double> q, std::span<double> qd, std::span<double> qdd,
                 std::span<double> tau) {
  refresh();
  for (std::size_t i = 0; i < n_; ++i) {
    q[i] = y_.at[i][lane];
    qd[i] = y_.at[n_ + i][lane];
    qdd[i] = rates_.at[n_ + i][lane];
    tau[i] = tau_.at[i][lane];
  }
}

/// RK4 as the stepper does it (8.2), with h1 + 2·h2 + 2·h3 + h4 summed up on the way.
void Lanes::step(std::span<const double> targets) {
  refresh();
  for (std::size_t lane = 0; lane < size_; ++lane) {
    target_[lane] = targets[lane];
    h_[lane] = targets[lane] - t_[lane];
    half_h_[lane] = h_[lane] / 2;
    met_[lane] = Met::nothing;
  }
  const auto add = [&](const Columns& rates, double weight) {
    for (std::size_t i = 0; i < sum_.at.size(); ++i) {
      double* const sum = sum_.at[i];
      const double* const rate = rates.at[i];
      for (std::size_t lane = 0; lane < size_; ++lane) sum[lane] = sum[lane] + weight * rate[lane];
    }
  };
  const auto after = [&](const std::vector<double>& by) {
    for (std::size_t lane = 0; lane < size_; ++lane) time_[lane] = t_[lane] + by[lane];
  };

  for (std::size_t i = 0; i < sum_.at.size(); ++i) {
    std::copy_n(rates_.at[i], size_, sum_.at[i]);
  }
  move(rates_, half_h_);
  after(half_h_);
  evaluate(next_.at, time_, next_rates_.at, next_margins_);
  add(next_rates_, 2.0);
  move(next_rates_, half_h_);
  evaluate(next_.at, time_, next_rates_.at, next_margins_);
  add(next_rates_, 2.0);
  move(next_rates_, h_);
  after(h_);
  evaluate(next_.at, time_, next_rates_.at, next_margins_);
  add(next_rates_, 1.0);
  for (std::size_t i = 0; i < sum_.at.size(); ++i) {
    const double *const y = y_.at[i], *const sum = sum_.at[i], *const h = h_.data();
    double* const next = next_.at[i];
    for (std::size_t lane = 0; lane < size_; ++lane) next[lane] = y[lane] + h[lane] / 6 * sum[lane];
  }
  evaluate(next_.at, target_, next_rates_.at, next_margins_);
  look_for_events();
}

/// Positions and velocities of a stage.
void Lanes::move(const Columns& rates, std::span<const double> by) {
  for (std::size_t i = 0; i < 2 * n_; ++i) {
    const double *const y = y_.at[i], *const rate = rates.at[i], *const h = by.data();
    double* const next = next_.at[i];
    for (std::size_t lane = 0; lane < size_; ++lane) next[lane] = y[lane] + h[lane] * rate[lane];
  }
}

void Lanes::accept() {
  std::swap(y_.values, next_.values);
  std::swap(y_.at, next_.at);
  std::swap(rates_.values, next_rates_.values);
  std::swap(rates_.at, next_rates_.at);
  std::swap(margins_.values, next_margins_.values);
  std::swap(margins_.at, next_margins_.at);
  std::swap(t_, target_);
}

/// As Motion::evaluate. `y` may be changed where a lane has diverged.
void Lanes::evaluate(std::span<const ResultColumn> y, std::span<const double> t,
                     std::span<const ResultColumn> rates, Columns& margins) {
  keep_within_bounds(y);
  read_torques(y, t);
  const std::span<const ResultColumn> power(rates.subspan(2 * n_, 3));
  for (double* const column : power) std::fill_n(column, size_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    const double *const qd = y[n_ + i], *const tau = tau_.at[i];
    double *const force = force_.at[i], *const work = power[0];
    std::copy_n(qd, size_, rates[i]);
    for (std::size_t lane = 0; lane < size_; ++lane) work[lane] += tau[lane] * qd[lane];
    if (!loses_[i]) {
      std::copy_n(tau, size_, force);
      continue;
    }
    double *const loss = loss_.at[i], *const lost = power[2];
    loss_torques(arm_.drives[i], {{y[i], size_}, {qd, size_}, {}}, directions_[i], {loss, size_});
    for (std::size_t lane = 0; lane < size_; ++lane) {
      force[lane] = tau[lane] - loss[lane];
      lost[lane] += loss[lane] * qd[lane];
    }
  }
  const std::vector<Column> in(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(2 * n_));
  const std::vector<Column> force(force_.at.begin(), force_.at.end());
  const std::span<const Column> states(in);
  const ForwardBlock motion{size_, states.first(n_), states.last(n_), force, {}};
  if (is_stuck_) {
    accelerate_stuck(motion, rates.subspan(n_, n_), margins);
  } else {
    dynamics_.lossless_accelerations(motion, rates.subspan(n_, n_));
  }
  look_at_accelerations(rates.subspan(n_, n_));
}

void Lanes::look_at_accelerations(std::span<const ResultColumn> qdd) {
  for (const double* const column : qdd) {
    for (std::size_t lane = 0; lane < size_; ++lane) {
      if (!std::isfinite(column[lane])) met_[lane] = Met::divergence;
    }
  }
}

/// M and h over lanes, the rest as each lane's joints stick.
void Lanes::accelerate_stuck(const ForwardBlock& motion, std::span<const ResultColumn> qdd,
                             Columns& margins) {
  dynamics_.mass_matrix(motion, mass_.at);
  dynamics_.bias(motion, bias_.at);
  for (std::size_t lane = 0; lane < size_; ++lane) {
    auto column = mass_.at.begin();
    for (std::size_t i = 0; i < n_; ++i) {
      q_[i] = motion.q[i][lane];
      qd_[i] = motion.qd[i][lane];
      torque_[i] = tau_.at[i][lane];
      h_of_lane_[i] = bias_.at[i][lane];
      for (std::size_t j = 0; j <= i; ++j) M_[i * n_ + j] = M_[j * n_ + i] = (*column++)[lane];
    }
    stick_slip_.accelerations({q_, qd_, torque_, {}}, modes_[lane], M_, h_of_lane_, qdd_, margin_);
    for (std::size_t i = 0; i < n_; ++i) {
      qdd[i][lane] = qdd_[i];
      margins.at[i][lane] = margin_[i];
    }
  }
}

/// Lanes that have diverged, on whose account nobody else is to suffer, get a state again that was
/// in bounds.
void Lanes::keep_within_bounds(std::span<const ResultColumn> y) {
  for (std::size_t i = 0; i < n_; ++i) {
    const double *const q = y[i], *const qd = y[n_ + i];
    for (std::size_t lane = 0; lane < size_; ++lane) {
      if (diverges(q[lane], qd[lane], fastest_[lane])) met_[lane] = Met::divergence;
    }
  }
  for (std::size_t lane = 0; lane < size_; ++lane) {
    if (met_[lane] != Met::divergence) continue;
    for (std::size_t i = 0; i < 2 * n_; ++i) y[i][lane] = y_.at[i][lane];
  }
}

void Lanes::read_torques(std::span<const ResultColumn> y, std::span<const double> t) {
  for (std::size_t lane = 0; lane < size_; ++lane) {
    if (inputs_[lane] == nullptr || read_torque(lane, y, t[lane])) continue;
    if (met_[lane] == Met::nothing) met_[lane] = Met::something;
  }
}

/// False where there is a hand wrench.
bool Lanes::read_torque(std::size_t lane, std::span<const ResultColumn> y, double t) {
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = y[i][lane];
    qd_[i] = y[n_ + i][lane];
  }
  Wrench hand;
  inputs_[lane]->evaluate(t, q_, qd_, torque_, hand);
  for (std::size_t i = 0; i < n_; ++i) tau_.at[i][lane] = torque_[i];
  return is_free(hand);
}

bool Lanes::enter_stretch(std::size_t lane) {
  bool may_stick = is_stuck_;
  for (std::size_t i = 0; i < n_; ++i) {
    torque_[i] = tau_.at[i][lane];
    may_stick = may_stick || (directions_[i][lane] != 0 && y_.at[n_ + i][lane] == 0.0);
  }
  const std::vector<double> before = torque_;
  if (!read_torque(lane, y_.at, t_[lane])) return false;
  const bool changes = torque_ != before;
  is_stale_ = is_stale_ || changes;
  return !changes || !may_stick;
}

/// Rates of all lanes where torques of some have jumped: those of the others stay as they are.
void Lanes::refresh() {
  if (!is_stale_) return;
  is_stale_ = false;
  evaluate(y_.at, t_, rates_.at, margins_);
}

void Lanes::look_for_events() {
  for (std::size_t i = 0; i < n_; ++i) {
    if (plant_.can_stick(i)) look_for_stops(i);
    if (stop_at_limits_ && plant_.limit(i)) look_for_limits(i);
  }
  if (is_stuck_) look_for_breaks();
}

/// What Motion looks for in a step, by the same Hermite cubics (8.8).
void Lanes::look_for_stops(std::size_t joint) {
  const double *const qd = y_.at[n_ + joint], *const qdd = rates_.at[n_ + joint];
  const double *const qd_next = next_.at[n_ + joint], *const qdd_next = next_rates_.at[n_ + joint];
  for (std::size_t lane = 0; lane < size_; ++lane) {
    const double d = directions_[joint][lane], h = h_[lane];
    const Hermite speed{d * qd[lane], d * h * qdd[lane], d * qd_next[lane], d * h * qdd_next[lane]};
    if (met_[lane] == Met::nothing && below_zero(speed)) met_[lane] = Met::something;
  }
}

void Lanes::look_for_limits(std::size_t joint) {
  const auto [lower, upper] = *plant_.limit(joint);
  const double *const q = y_.at[joint], *const qd = y_.at[n_ + joint];
  const double *const q_next = next_.at[joint], *const qd_next = next_.at[n_ + joint];
  for (std::size_t lane = 0; lane < size_; ++lane) {
    const double h = h_[lane];
    const Hermite above{upper - q[lane], -h * qd[lane], upper - q_next[lane], -h * qd_next[lane]};
    const Hermite below{q[lane] - lower, h * qd[lane], q_next[lane] - lower, h * qd_next[lane]};
    if (met_[lane] == Met::nothing && (below_zero(above) || below_zero(below))) {
      met_[lane] = Met::something;
    }
  }
}

/// By the margins in the middle too, where the cubics of q and q̇ say that the lane is then.
void Lanes::look_for_breaks() {
  for (std::size_t i = 0; i < 2 * n_; ++i) {
    const double *const y = y_.at[i], *const rate = rates_.at[i];
    const double *const y_next = next_.at[i], *const rate_next = next_rates_.at[i];
    double* const middle = sum_.at[i];
    for (std::size_t lane = 0; lane < size_; ++lane) {
      const double h = h_[lane];
      middle[lane] = Hermite{y[lane], h * rate[lane], y_next[lane], h * rate_next[lane]}.at(0.5);
    }
  }
  for (std::size_t lane = 0; lane < size_; ++lane) time_[lane] = t_[lane] + 0.5 * h_[lane];
  // The torques at the ends of the steps stay the present ones.
  middle_tau_.values = tau_.values;
  evaluate(sum_.at, time_, middle_rates_.at, middle_margins_);
  tau_.values.swap(middle_tau_.values);
  tau_.at.swap(middle_tau_.at);
  for (std::size_t lane = 0; lane < size_; ++lane) {
    for (std::size_t i = 0; i < n_ && met_[lane] == Met::nothing; ++i) {
      if (modes_[lane][i] == JointMode::sticking &&
          below_zero(margins_.at[i][lane], middle_margins_.at[i][lane],
                     next_margins_.at[i][lane])) {
        met_[lane] = Met::something;
      }
    }
  }
}

}  // namespace armdyn
