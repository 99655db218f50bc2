#pragma once

#include <armdyn/block_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/stick_slip.hpp"

namespace armdyn {

/// Motions of one arm side by side, in which nothing happens but motion: no joint begins to stick
/// or to slip, no hand is touched. All take a step of RK4 at once, each its own, with the roundings
/// of Motion; where something else happens in a step, that one is to be taken by a Motion.
class Lanes {
 public:
  /// Whether in each of the motions some joint sticks, or in none.
  enum class Joints { free, stuck };
  /// Of at most `capacity` motions; `dynamics` is copied, and shares its programs.
  Lanes(const Arm& arm, Plant& plant, const BlockForwardDynamics& dynamics, Joints joints,
        bool stop_at_limits, std::size_t capacity);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// A further lane, the last, goes on from where the motion is. `input` is what evaluates its
  /// torques; null where they stay as they are.
  void enter(const Motion& motion, TorqueInput* input);
  /// The last lane takes this one's place.
  void leave(std::size_t lane);

  /// Tries a step of each lane to its target. Throws NumericsError where M is singular in one.
  void step(std::span<const double> targets);
  /// What the step has met. Nothing: its end is good. Something: whether that really happens is for
  /// a Motion to say. Divergence: a position, speed or acceleration left all bounds.
  enum class Met { nothing, something, divergence };
  [[nodiscard]] Met met(std::size_t lane) const { return met_[lane]; }
  /// All lanes are at the ends of their steps.
  void accept();

  /// Puts the torques of a stretch that has begun where the lane is. False where a Motion is to do
  /// that, since they jump and a joint may come to rest, or the hand is touched.
  [[nodiscard]] bool enter_stretch(std::size_t lane);

  [[nodiscard]] double t(std::size_t lane) const { return t_[lane]; }
  /// Length of the last step.
  [[nodiscard]] double step_of(std::size_t lane) const { return h_[lane]; }
  /// As Motion::state: after a step, and before it is accepted, that from which it was tried.
  void state(std::size_t lane, OdeState& y) const;
  /// As Motion has them, at t().
  void read(std::size_t lane, std::span<double> q, std::span<double> qd, std::span<double> qdd,
            std::span<double> tau);

 private:
  /// One array per quantity, with one value per lane.
  struct Columns {
    Columns(std::size_t columns, std::size_t lanes) : values(columns * lanes) {
      for (std::size_t i = 0; i < columns; ++i) at.push_back(values.data() + i * lanes);
    }
    Columns(const Columns&) = delete;
    Columns& operator=(const Columns&) = delete;

    std::vector<double> values;
    std::vector<ResultColumn> at;
  };
  void evaluate(std::span<const ResultColumn> y, std::span<const double> t,
                std::span<const ResultColumn> rates, Columns& margins);
  void accelerate_stuck(const ForwardBlock& motion, std::span<const ResultColumn> qdd,
                        Columns& margins);
  void keep_within_bounds(std::span<const ResultColumn> y);
  void look_at_accelerations(std::span<const ResultColumn> qdd);
  void read_torques(std::span<const ResultColumn> y, std::span<const double> t);
  bool read_torque(std::size_t lane, std::span<const ResultColumn> y, double t);
  void move(const Columns& rates, std::span<const double> by);
  void look_for_events();
  void look_for_stops(std::size_t joint);
  void look_for_limits(std::size_t joint);
  void look_for_breaks();
  void refresh();

  Arm arm_;
  Plant& plant_;
  BlockForwardDynamics dynamics_;
  std::size_t n_, size_ = 0;
  bool is_stuck_;
  bool stop_at_limits_;
  StickSlip stick_slip_;
  bool is_stale_ = false;    ///< torques have changed since `rates_` was evaluated
  std::vector<bool> loses_;  ///< whether a joint loses anything

  std::vector<double> t_, target_, h_, half_h_, time_;
  std::vector<double> fastest_;  ///< as Motion::fastest
  std::vector<TorqueInput*> inputs_;
  std::vector<Met> met_;
  std::vector<std::vector<int>> directions_;   ///< of each joint
  std::vector<std::vector<JointMode>> modes_;  ///< of each lane
  Columns y_, rates_, next_, next_rates_, sum_, tau_, force_, loss_;
  Columns margins_, next_margins_, middle_margins_, middle_rates_, middle_tau_, mass_,
      bias_;                                                            ///< of stuck ones
  std::vector<double> q_, qd_, qdd_, torque_, margin_, M_, h_of_lane_;  ///< of one lane
};

}  // namespace armdyn
