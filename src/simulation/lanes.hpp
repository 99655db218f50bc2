#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "dynamics/friction.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/stick_slip.hpp"

namespace armdyn {

/// One array per quantity, with one value per lane; `extent` lanes as in std::span.
template <std::size_t extent>
class LaneColumns {
 public:
  LaneColumns(std::size_t columns, std::size_t lanes) : values_(columns * lanes), lanes_(lanes) {
    for (std::size_t i = 0; i < columns; ++i) at.push_back((*this)[i]);
    in.assign(at.begin(), at.end());
  }
  LaneColumns(const LaneColumns&) = delete;
  LaneColumns& operator=(const LaneColumns&) = delete;

  double* operator[](std::size_t i) { return values_.data() + i * lanes(); }
  const double* operator[](std::size_t i) const { return values_.data() + i * lanes(); }

  /// Into a lane, and out of it.
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
  std::vector<Column> in;        ///< the same, to be read

 private:
  [[nodiscard]] std::size_t lanes() const {
    return extent == std::dynamic_extent ? lanes_ : extent;
  }

  std::vector<double> values_;
  std::size_t lanes_;
};

/// The dynamics of an arm in one lane, one state at a time.
class OneLane {
 public:
  explicit OneLane(Plant& plant) : plant_(plant), M_(plant.dof() * plant.dof()) {}

  static constexpr std::size_t extent = 1;
  static constexpr bool takes_hands = true;
  [[nodiscard]] static std::size_t capacity() { return 1; }

  /// q̈ = M⁻¹ (force − h); `block.torque` is the force. NaN where one is not finite.
  void accelerations(const ForwardBlock& block, const Wrench& hand,
                     std::span<const ResultColumn> qdd) {
    try {
      plant_.accelerations(vector(block.q), vector(block.qd), vector(block.torque), hand,
                           vector(qdd));
    } catch (const NotFinite&) {  // Lanes looks at it, and knows whose divergence it is
      std::ranges::fill(vector(qdd), std::numeric_limits<double>::quiet_NaN());
    }
  }
  /// M, its lower triangle by rows, and h.
  void mass_and_bias(const ForwardBlock& block, const Wrench& hand,
                     std::span<const ResultColumn> lower, std::span<const ResultColumn> h) {
    plant_.bias(vector(block.q), vector(block.qd), hand, vector(h));
    plant_.mass_matrix(vector(block.q), M_);
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

/// The same in as many lanes as a block of samples has.
class ManyLanes {
 public:
  explicit ManyLanes(BlockForwardDynamics& dynamics)
      : dynamics_(dynamics), capacity_(rows_at_a_time()) {}

  static constexpr std::size_t extent = std::dynamic_extent;
  static constexpr bool takes_hands = false;
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  void accelerations(const ForwardBlock& block, const Wrench& /*hand*/,
                     std::span<const ResultColumn> qdd) {
    dynamics_.lossless_accelerations(block, qdd);
  }
  void mass_and_bias(const ForwardBlock& block, const Wrench& /*hand*/,
                     std::span<const ResultColumn> lower, std::span<const ResultColumn> h) {
    dynamics_.bias(block, h);
    dynamics_.mass_matrix(block, lower);
  }

 private:
  BlockForwardDynamics& dynamics_;
  std::size_t capacity_;
};

/// Steps of RK4 or Euler, of motions of one arm side by side, each in a lane of its own: of a single
/// simulation in one lane, of a batch in many. The text of a step is this one (docs/derivation.md,
/// section 8.1), so both round alike.
template <class Dynamics>
class Lanes {
 public:
  Lanes(Plant& plant, Dynamics dynamics);

  [[nodiscard]] std::size_t capacity() const { return dynamics_.capacity(); }

  /// Takes steps, at most capacity() of them, all with sticking joints or all without, and all of
  /// one integrator. Those that are touched by a hand wrench, where Dynamics takes none, have no
  /// meaning. Throws NumericsError where M is singular in one.
  void take(std::span<MotionStep* const> steps);
  void take(MotionStep& step) { take(std::array{&step}); }
  /// The same where the states at the ends are known.
  void finish(std::span<MotionStep* const> steps);
  void finish(MotionStep& step) { finish(std::array{&step}); }
  /// What follows from the states at the starts, to `end`.
  void evaluate(std::span<MotionStep* const> steps);
  void evaluate(MotionStep& step) { evaluate(std::array{&step}); }

 private:
  using Columns = LaneColumns<Dynamics::extent>;

  [[nodiscard]] std::size_t size() const { return Dynamics::extent == 1 ? 1 : steps_.size(); }
  void enter(std::span<MotionStep* const> steps);
  void runge_kutta();
  void advance(const Columns& rates, double weight);
  void look_beyond_the_end();
  void evaluate(Columns& y, const std::vector<double>& t);
  void keep_within_bounds(Columns& y);
  void read_torques(Columns& y, const std::vector<double>& t);
  void lose(Columns& y);
  void accelerate(Columns& y);
  void accelerate_stuck(const ForwardBlock& block);
  void add_powers(Columns& y);
  void move(const Columns& rates, const std::vector<double>& by);
  void add(double weight);
  void note(std::size_t lane, const Divergence& divergence);
  void show(std::size_t lane, Evaluation& at) const;

  Plant& plant_;
  Dynamics dynamics_;
  StickSlip stick_slip_;
  std::size_t n_;
  std::span<MotionStep* const> steps_;
  MotionStep::Until phase_ = MotionStep::Until::end;
  bool any_sticks_ = false, any_varies_ = false, any_diverges_ = false;

  std::vector<double> fastest_, h_, half_h_, start_time_, middle_time_, last_time_, end_time_;
  std::vector<Wrench> hands_;
  std::vector<std::vector<int>> directions_;  ///< of each joint
  Columns y_, rates_, y_end_, stage_, k_, sum_;
  Columns tau_, loss_, force_, margin_, lower_, bias_;
  std::vector<double> q_, qd_, qdd_, torque_, losses_, margins_, M_, h_of_lane_;  ///< of one lane
};

extern template class Lanes<OneLane>;
extern template class Lanes<ManyLanes>;

}  // namespace armdyn
