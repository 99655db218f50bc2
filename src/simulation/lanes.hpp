#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <limits>

#include "dynamics/friction.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stick_slip.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// Columns of quantities, with one value per lane; `extent` lanes as in std::span.
template <std::size_t extent>
class LaneColumns : boost::noncopyable {
 public:
  LaneColumns(std::size_t columns, std::size_t lanes) : values_(columns * lanes), lanes_(lanes) {
    for (std::size_t i = 0; i < columns; ++i) at.push_back((*this)[i]);
    in.assign(at.begin(), at.end());
  }

  double* operator[](std::size_t i) { return values_.data() + i * lanes(); }
  const double* operator[](std::size_t i) const { return values_.data() + i * lanes(); }

  /// Puts values into a lane, and gets them from it.
  void put(std::size_t lane, std::span<const double> values) {
    const std::size_t stride = lanes();
    double* const column = values_.data() + lane;
    for (std::size_t i = 0; i < values.size(); ++i) column[i * stride] = values[i];
  }
  void get(std::size_t lane, std::span<double> values) const {
    const std::size_t stride = lanes();
    const double* const column = values_.data() + lane;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = column[i * stride];
  }

  std::vector<ResultColumn> at;  ///< all columns
  std::vector<Column> in;        ///< the same, constant

 private:
  [[nodiscard]] std::size_t lanes() const {
    return extent == std::dynamic_extent ? lanes_ : extent;
  }

  std::vector<double> values_;
  std::size_t lanes_;
};

/// Dynamics of an arm in one lane, one state at a time.
class OneLane {
 public:
  explicit OneLane(Plant& plant) : plant_(plant), M_(plant.dof() * plant.dof()) {}

  static constexpr std::size_t extent = 1;
  static constexpr bool takes_wrenches = true;
  [[nodiscard]] static std::size_t capacity() { return 1; }

  /// q̈ = M⁻¹ (force − h); `block.tau` is the force. NaN where one is not finite.
  void accelerations(const ForwardBlock& block, const Wrench& wrench,
                     std::span<const ResultColumn> qdd) {
    try {
      plant_.dynamics().lossless_acceleration(vector(block.q), vector(block.qd), vector(block.tau),
                                              wrench, vector(qdd));
    } catch (const NotFinite&) {  // Lanes finds out whose divergence it is
      std::ranges::fill(vector(qdd), std::numeric_limits<double>::quiet_NaN());
    }
  }
  /// M, its lower triangle by rows, and h.
  void mass_and_bias(const ForwardBlock& block, const Wrench& wrench,
                     std::span<const ResultColumn> lower, std::span<const ResultColumn> h) {
    plant_.dynamics().bias(vector(block.q), vector(block.qd), wrench, vector(h));
    plant_.dynamics().mass_matrix(vector(block.q), M_);
    auto column = lower.begin();
    for (std::size_t i = 0; i < h.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) *(*column++) = M_[i * h.size() + j];
    }
  }

 private:
  /// Columns of one row that lie one after the other.
  template <class Number>
  static std::span<Number> vector(std::span<Number* const> columns) {
    return {columns.front(), columns.size()};
  }

  Plant& plant_;
  std::vector<double> M_;
};

/// Dynamics of an arm in as many lanes as a block of samples has.
class ManyLanes {
 public:
  explicit ManyLanes(BlockForwardDynamics& dynamics)
      : dynamics_(dynamics), capacity_(rows_at_a_time()) {}

  static constexpr std::size_t extent = std::dynamic_extent;
  static constexpr bool takes_wrenches = false;
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  void accelerations(const ForwardBlock& block, const Wrench& /*wrench*/,
                     std::span<const ResultColumn> qdd) {
    dynamics_.lossless_acceleration(block, qdd);
  }
  void mass_and_bias(const ForwardBlock& block, const Wrench& /*wrench*/,
                     std::span<const ResultColumn> lower, std::span<const ResultColumn> h) {
    dynamics_.bias(block, h);
    dynamics_.mass_matrix(block, lower);
  }

 private:
  BlockForwardDynamics& dynamics_;
  std::size_t capacity_;
};

/// Rates (docs/derivation.md eq. 8.1) of states of one arm in lanes.
template <class Dynamics>
class LaneRates {
 public:
  using Columns = LaneColumns<Dynamics::extent>;

  LaneRates(Plant& plant, Dynamics dynamics)
      : k(2 * plant.dof() + 3, dynamics.capacity()),
        plant_(plant),
        dynamics_(dynamics),
        stick_slip_(plant),
        n_(plant.dof()),
        fastest_(capacity()),
        wrenches_(capacity()),
        directions_(n_, std::vector<int>(capacity())),
        tau_(n_, capacity()),
        loss_(n_, capacity()),
        force_(n_, capacity()),
        margin_(n_, capacity()),
        lower_(n_ * (n_ + 1) / 2, capacity()),
        bias_(n_, capacity()),
        M_(n_ * n_) {
    for (auto* const of_joints : {&q_, &qd_, &qdd_, &torque_, &losses_, &margins_, &h_of_lane_}) {
      of_joints->resize(n_);
    }
  }

  [[nodiscard]] std::size_t capacity() const { return dynamics_.capacity(); }

  /// Makes lanes of steps: of their modes, torques and wrenches at the starts.
  void enter(std::span<MotionStep* const> steps) {
    steps_ = steps;
    const std::span<const JointMode> modes = steps.front()->modes;
    any_sticks_ = std::find(modes.begin(), modes.end(), JointMode::sticking) != modes.end();
    any_varies_ = any_diverges_ = false;
    for (std::size_t lane = 0; lane < size(); ++lane) {
      MotionStep& step = *steps[lane];
      step.divergence.reset();
      step.is_touched = !is_free(step.now->wrench);
      any_varies_ = any_varies_ || step.varies;
      fastest_[lane] = step.fastest;
      wrenches_[lane] = step.now->wrench;
      tau_.put(lane, step.now->tau);
      for (std::size_t i = 0; i < n_; ++i) directions_[i][lane] = direction(step.modes[i]);
    }
  }

  [[nodiscard]] std::size_t size() const { return Dynamics::extent == 1 ? 1 : steps_.size(); }
  [[nodiscard]] MotionStep& step(std::size_t lane) const { return *steps_[lane]; }

  /// Evaluates rates into `k`, torques and margins; `phase` has the steps that it counts for.
  void operator()(Columns& y, const std::vector<double>& t, MotionStep::Until phase) {
    phase_ = phase;
    keep_within_bounds(y);
    read_torques(y, t);
    lose(y);
    accelerate(y);
    add_powers(y);
  }

  /// Shows a lane's evaluation.
  void show(std::size_t lane, Evaluation& at) const {
    k.get(lane, at.dydt);
    tau_.get(lane, at.tau);
    if (any_sticks_) get_margin(lane, at.margin);
    at.wrench = wrenches_[lane];
  }
  void get_margin(std::size_t lane, std::vector<double>& margin) const {
    margin_.get(lane, margin);
  }

  Columns k;

 private:
  /// Gives lanes that have diverged a state within bounds again, for the sake of the others.
  void keep_within_bounds(Columns& y) {
    const auto is_out = [this](double q, double qd, std::size_t lane) {
      return !(std::abs(qd) < fastest_[lane]) || !std::isfinite(q);
    };
    for (std::size_t i = 0; i < n_; ++i) {
      const double *const q = y[i], *const qd = y[n_ + i];
      std::size_t out = 0;
      for (std::size_t lane = 0; lane < size(); ++lane) out += is_out(q[lane], qd[lane], lane);
      for (std::size_t lane = 0; out > 0 && lane < size(); ++lane) {
        if (is_out(q[lane], qd[lane], lane)) note(lane, {i, qd[lane]});
      }
    }
    for (std::size_t lane = 0; any_diverges_ && lane < size(); ++lane) {
      if (!steps_[lane]->divergence) continue;
      for (std::size_t i = 0; i < 2 * n_; ++i) y[i][lane] = (*steps_[lane]->y)[i];
    }
  }

  void read_torques(Columns& y, const std::vector<double>& t) {
    for (std::size_t lane = 0; any_varies_ && lane < size(); ++lane) {
      MotionStep& step = *steps_[lane];
      if (!step.varies || step.until < phase_ || step.divergence) continue;
      for (std::size_t i = 0; i < n_; ++i) {
        q_[i] = y[i][lane];
        qd_[i] = y[n_ + i][lane];
      }
      try {
        step.input->evaluate(t[lane], q_, qd_, torque_, wrenches_[lane]);
      } catch (const NotFinite&) {  // the acceleration will not be, either
        torque_.assign(n_, std::numeric_limits<double>::quiet_NaN());
      }
      for (std::size_t i = 0; i < n_; ++i) tau_[i][lane] = torque_[i];
      step.is_touched = step.is_touched || !is_free(wrenches_[lane]);
    }
  }

  void lose(Columns& y) {
    for (std::size_t i = 0; i < n_; ++i) {
      double* const loss = loss_[i];
      if (!plant_.loses(i)) {
        std::copy_n(tau_[i], size(), force_[i]);
        continue;
      }
      loss_torques(plant_.drive(i), y[i], y[n_ + i], directions_[i], {loss, size()});
    }
    for (std::size_t lane = 0; !plant_.arm().row_drives.empty() && lane < size(); ++lane) {
      row_drive_torques<double>(
          plant_.arm().row_drives, InRow{std::span<const Column>(y.in).subspan(n_, n_), lane},
          AtRest{}, [&](std::size_t motor, double /*speed*/) { return directions_[motor][lane]; },
          adding_to_row(loss_.at, lane));
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (!plant_.loses(i)) continue;
      for (std::size_t lane = 0; lane < size(); ++lane) {
        force_[i][lane] = tau_[i][lane] - loss_[i][lane];  // (8.4)
      }
    }
  }

  void accelerate(Columns& y) {
    const std::span<const Column> state(y.in);
    const ForwardBlock block{size(), state.first(n_), state.subspan(n_, n_), force_.in, {}};
    const std::span<const ResultColumn> qdd = std::span(k.at).subspan(n_, n_);
    any_sticks_ ? accelerate_stuck(block) : dynamics_.accelerations(block, wrenches_.front(), qdd);
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t out = 0;
      for (std::size_t lane = 0; lane < size(); ++lane) out += !std::isfinite(qdd[i][lane]);
      for (std::size_t lane = 0; out > 0 && lane < size(); ++lane) {
        if (!std::isfinite(qdd[i][lane])) note(lane, {i, {}});
      }
    }
  }

  /// Accelerations with sticking joints: M and h over lanes, the rest lane by lane.
  void accelerate_stuck(const ForwardBlock& block) {
    dynamics_.mass_and_bias(block, wrenches_.front(), lower_.at, bias_.at);
    for (std::size_t lane = 0; lane < size(); ++lane) {
      auto column = lower_.at.begin();
      for (std::size_t i = 0; i < n_; ++i) {
        q_[i] = block.q[i][lane];
        qd_[i] = block.qd[i][lane];
        torque_[i] = tau_[i][lane];
        losses_[i] = loss_[i][lane];
        h_of_lane_[i] = bias_[i][lane];
        for (std::size_t j = 0; j <= i; ++j) M_[i * n_ + j] = M_[j * n_ + i] = (*column++)[lane];
      }
      stick_slip_.accelerations({q_, qd_, torque_, wrenches_[lane], M_, h_of_lane_},
                                steps_[lane]->modes, losses_, qdd_, margins_);
      for (std::size_t i = 0; i < n_; ++i) {
        k[n_ + i][lane] = qdd_[i];
        margin_[i][lane] = margins_[i];
      }
    }
  }

  void add_powers(Columns& y) {
    double *const power = k[2 * n_], *const wrench_power = k[2 * n_ + 1];
    double* const loss_power = k[2 * n_ + 2];
    for (double* const column : {power, wrench_power, loss_power}) std::fill_n(column, size(), 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      const double *const qd = y[n_ + i], *const tau = tau_[i], *const loss = loss_[i];
      std::copy_n(qd, size(), k[i]);
      for (std::size_t lane = 0; lane < size(); ++lane) power[lane] += tau[lane] * qd[lane];
      if (!plant_.loses(i)) continue;
      for (std::size_t lane = 0; lane < size(); ++lane) loss_power[lane] += loss[lane] * qd[lane];
    }
    for (std::size_t lane = 0; Dynamics::takes_wrenches && lane < size(); ++lane) {
      if (is_free(wrenches_[lane])) continue;
      for (std::size_t i = 0; i < n_; ++i) q_[i] = y[i][lane];
      plant_.dynamics().wrench_torque(q_, wrenches_[lane], torque_);
      for (std::size_t i = 0; i < n_; ++i) wrench_power[lane] += torque_[i] * y[n_ + i][lane];
    }
  }

  void note(std::size_t lane, const Divergence& divergence) {
    std::optional<Divergence>& first = steps_[lane]->divergence;
    if (!first && steps_[lane]->until >= phase_) first = divergence;
    any_diverges_ = true;
  }

  Plant& plant_;
  Dynamics dynamics_;
  StickSlip stick_slip_;
  std::size_t n_;
  std::span<MotionStep* const> steps_;
  MotionStep::Until phase_ = MotionStep::Until::end;
  bool any_sticks_ = false, any_varies_ = false, any_diverges_ = false;

  std::vector<double> fastest_;
  std::vector<Wrench> wrenches_;
  std::vector<std::vector<int>> directions_;  ///< of each joint
  Columns tau_, loss_, force_, margin_, lower_, bias_;
  std::vector<double> q_, qd_, qdd_, torque_, losses_, margins_, M_, h_of_lane_;  ///< of one lane
};

/// Steps of RK4 or Euler, of motions of one arm side by side, each in a lane of its own: of a single
/// simulation in one lane, of a batch in many. Both run the same algorithm (docs/derivation.md,
/// section 8.1), and round alike.
template <class Dynamics>
class Lanes {
 public:
  Lanes(Plant& plant, Dynamics dynamics)
      : f_(plant, dynamics),
        n_(plant.dof()),
        y_(2 * n_ + 3, capacity()),
        rates_(2 * n_ + 3, capacity()),
        y_end_(2 * n_ + 3, capacity()),
        stage_(2 * n_, capacity()),
        sum_(2 * n_ + 3, capacity()) {
    for (auto* const of_lanes :
         {&h_, &half_h_, &start_time_, &middle_time_, &last_time_, &end_time_}) {
      of_lanes->resize(capacity());
    }
  }

  [[nodiscard]] std::size_t capacity() const { return f_.capacity(); }

  /// Takes steps, at most capacity() of them, all with sticking joints or all without, and all of
  /// one integrator. Results with a wrench, where Dynamics takes none, are meaningless. Throws
  /// NumericsError where M is singular in one.
  void take(std::span<MotionStep* const> steps) {
    enter(steps);
    if (steps.front()->integrator == Integrator::euler) {
      advance(rates_, 1.0);  // (8.2a)
    } else {
      runge_kutta();
    }
    for (std::size_t lane = 0; lane < size(); ++lane) y_end_.get(lane, *steps[lane]->y_end);
    look_beyond_the_end();
  }

  /// Finishes steps whose states at the ends are known.
  void finish(std::span<MotionStep* const> steps) {
    enter(steps);
    for (std::size_t lane = 0; lane < size(); ++lane) y_end_.put(lane, *steps[lane]->y_end);
    look_beyond_the_end();
  }

  void finish(MotionStep& step) { finish(std::array{&step}); }
  /// Evaluates the states at the starts into `end`.
  void evaluate(std::span<MotionStep* const> steps) {
    enter(steps);
    f_(y_, start_time_, Until::end);
    for (std::size_t lane = 0; lane < size(); ++lane) f_.show(lane, *steps[lane]->end);
  }

  void evaluate(MotionStep& step) { evaluate(std::array{&step}); }

 private:
  using Columns = LaneColumns<Dynamics::extent>;
  using Until = MotionStep::Until;

  [[nodiscard]] std::size_t size() const { return f_.size(); }
  void enter(std::span<MotionStep* const> steps) {
    f_.enter(steps);
    for (std::size_t lane = 0; lane < size(); ++lane) {
      const MotionStep& step = *steps[lane];
      h_[lane] = step.h;
      half_h_[lane] = step.h / 2;
      start_time_[lane] = step.t;
      middle_time_[lane] = step.t + half_h_[lane];
      last_time_[lane] = step.t + step.h;
      end_time_[lane] = step.t_end;
      y_.put(lane, *step.y);
      rates_.put(lane, step.now->dydt);
    }
  }

  /// Steps by the classical Runge-Kutta method (8.2; paper 001 §7), with k1 + 2·k2 + 2·k3 + k4 summed
  /// up on the way.
  void runge_kutta() {
    for (std::size_t i = 0; i < sum_.at.size(); ++i) std::copy_n(rates_[i], size(), sum_[i]);
    move(rates_, half_h_);
    f_(stage_, middle_time_, Until::end);
    add(2.0);
    move(f_.k, half_h_);
    f_(stage_, middle_time_, Until::end);
    add(2.0);
    move(f_.k, h_);
    f_(stage_, last_time_, Until::end);
    add(1.0);
    advance(sum_, 6.0);
  }

  /// Sets the state at the end: y + h/weight · rates.
  void advance(const Columns& rates, double weight) {
    for (std::size_t i = 0; i < rates.at.size(); ++i) {
      const double *const y = y_[i], *const rate = rates[i], *const h = h_.data();
      double* const end = y_end_[i];
      for (std::size_t lane = 0; lane < size(); ++lane) {
        end[lane] = y[lane] + h[lane] / weight * rate[lane];
      }
    }
  }

  /// Evaluates the end, and then the middle by the cubics of q and q̇ (8.8), if the steps want
  /// it.
  void look_beyond_the_end() {
    Until until = Until::end;
    for (std::size_t lane = 0; lane < size(); ++lane) until = std::max(until, f_.step(lane).until);
    if (until == Until::end) return;
    f_(y_end_, end_time_, Until::rates);
    for (std::size_t lane = 0; lane < size(); ++lane) {
      if (f_.step(lane).until >= Until::rates) f_.show(lane, *f_.step(lane).end);
    }
    if (until == Until::rates) return;
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      for (std::size_t lane = 0; lane < size(); ++lane) {
        const double h = h_[lane];
        const Hermite x{y_[i][lane], h * rates_[i][lane], y_end_[i][lane], h * f_.k[i][lane]};
        stage_[i][lane] = x.at(0.5);
      }
    }
    f_(stage_, middle_time_, Until::middle);
    for (std::size_t lane = 0; lane < size(); ++lane) {
      if (f_.step(lane).until == Until::middle) f_.get_margin(lane, *f_.step(lane).middle_margin);
    }
  }

  /// Sets positions and velocities of a stage.
  void move(const Columns& rates, const std::vector<double>& by) {
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const double *const y = y_[i], *const rate = rates[i], *const h = by.data();
      double* const stage = stage_[i];
      for (std::size_t lane = 0; lane < size(); ++lane) {
        stage[lane] = y[lane] + h[lane] * rate[lane];
      }
    }
  }

  /// Adds a stage's rates to the sum of (8.2).
  void add(double weight) {
    for (std::size_t i = 0; i < sum_.at.size(); ++i) {
      double* const sum = sum_[i];
      const double* const k = f_.k[i];
      for (std::size_t lane = 0; lane < size(); ++lane) sum[lane] = sum[lane] + weight * k[lane];
    }
  }

  LaneRates<Dynamics> f_;  ///< ẏ = f(y, t)
  std::size_t n_;
  std::vector<double> h_, half_h_, start_time_, middle_time_, last_time_, end_time_;
  Columns y_, rates_, y_end_, stage_, sum_;
};

/// Answers requests of one kind.
template <class Dynamics>
void answer(Lanes<Dynamics>& lanes, StepRequest::Of of, std::span<MotionStep* const> steps) {
  of == StepRequest::Of::rates ? lanes.evaluate(steps) : lanes.take(steps);
}
/// Answers the request of a simulation, and resumes it.
inline void answer(Lanes<OneLane>& alone, StepRequester& requester) {
  std::exception_ptr failure;
  try {
    answer(alone, requester.pending().of, std::array{requester.pending().step});
  } catch (const NumericsError&) {
    failure = std::current_exception();
  }
  requester.resume(std::move(failure));
}

}  // namespace armdyn
