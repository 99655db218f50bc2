#pragma once

#include <armdyn/vector.hpp>

#include <span>
#include <vector>

#include "simulation/joint_mode.hpp"
#include "simulation/plant.hpp"

namespace armdyn {

/// What acts on the joints at one moment, and their state.
struct LoadedState {
  std::span<const double> q, qd, tau;
  Wrench hand;
};

/// Dry friction that holds joints at rest (docs/derivation.md, section 8.2).
class StickSlip {
 public:
  explicit StickSlip(Plant& plant);

  /// q̈ with every joint in its mode (eq. 8.4, 8.5). `margin` receives how much more torque a
  /// sticking joint could hold: negative where it must break away.
  void accelerations(const LoadedState& state, std::span<const JointMode> modes,
                     std::span<double> qdd, std::span<double> margin);

  /// The same where M, by rows, and h = V + G + Jᵀ·hand are known.
  void accelerations(const LoadedState& state, std::span<const JointMode> modes,
                     std::span<const double> M, std::span<const double> h, std::span<double> qdd,
                     std::span<double> margin);

  /// Finds the modes of all joints at rest together, from where they are: the boxed complementarity
  /// problem (8.6). Joints that move keep theirs.
  void settle(const LoadedState& state, std::span<JointMode> modes);

 private:
  void load(const LoadedState& state);
  void load_forces(const LoadedState& state, std::span<const JointMode> modes);
  void solve_stuck(const LoadedState& state, std::span<const JointMode> modes,
                   std::span<double> qdd, std::span<double> margin);
  void solve(const LoadedState& state, std::span<const JointMode> modes, std::span<double> qdd);
  [[nodiscard]] double margin_of(std::size_t i, const TwoSided& levels) const;
  [[nodiscard]] TwoSided sliding_levels(std::size_t i, double q) const;
  [[nodiscard]] JointMode corrected(std::size_t i, JointMode mode) const;
  bool settle_once(const LoadedState& state, std::span<JointMode> modes);

  Plant& plant_;
  std::vector<double> M_, h_, block_, force_, solution_, qdd_;
  std::vector<double> holding_, weights_;  ///< what a sticking joint holds, and of how large terms
  std::vector<TwoSided> levels_;  ///< of joints at rest: what holds them, and what brakes them
  std::vector<bool> at_rest_;
  std::vector<std::size_t> free_;  ///< joints that do not stick
};

}  // namespace armdyn
