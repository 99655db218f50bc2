#pragma once

#include <armdyn/vector.hpp>

#include <span>
#include <vector>

#include "simulation/plant.hpp"
#include "simulation/step.hpp"

namespace armdyn {

/// What acts on the joints at one moment, and their state.
struct LoadedState {
  std::span<const double> q, qd, tau;
  Wrench hand;
  std::span<const double> M;  ///< by rows
  std::span<const double> h;  ///< V + G + Jᵀ·hand
};

/// Dry friction that holds joints at rest, or coupled motors: the plant's contacts
/// (docs/derivation.md, sections 8.2 and 31).
class StickSlip {
 public:
  explicit StickSlip(Plant& plant);

  /// q̈ with every joint in its mode (eq. 8.4, 8.5), under these losses. `margin` receives how much
  /// more torque a sticking joint could hold: negative where it must break away.
  void accelerations(const LoadedState& state, std::span<const JointMode> modes,
                     std::span<const double> losses, std::span<double> qdd,
                     std::span<double> margin);

  /// Whether joint i is held: all contacts that move it stick.
  [[nodiscard]] bool is_held(std::size_t i, std::span<const JointMode> modes) const;
  /// Whether some contact is at rest that dry friction may hold.
  [[nodiscard]] bool is_any_at_rest(std::span<const double> qd,
                                    std::span<const JointMode> modes) const;

  /// Finds the modes of all joints at rest together, from where they are: the boxed complementarity
  /// problem (8.6). Joints that move keep theirs.
  void settle(const LoadedState& state, std::span<JointMode> modes);

 private:
  void solve(const LoadedState& state, std::span<const JointMode> modes, std::span<double> qdd);
  [[nodiscard]] double margin_of(std::size_t i, const TwoSided& levels) const;
  [[nodiscard]] bool is_at_rest(std::size_t i, std::span<const double> qd, JointMode mode) const;
  LoadedState by_contacts(const LoadedState& state, std::span<const double> losses);
  void to_joints(std::span<double> qdd) const;
  [[nodiscard]] JointMode corrected(std::size_t i, JointMode mode) const;
  bool settle_once(const LoadedState& state, std::span<JointMode> modes);

  Plant& plant_;
  std::vector<double> block_, force_, solution_, qdd_;
  std::vector<double> driving_;      ///< τ − losses
  std::vector<double> M_, h_, tau_;  ///< by contacts, where some are coupled motors
  std::vector<double> losses_;
  std::vector<int> directions_;
  std::vector<double> holding_, weights_;  ///< what a sticking joint holds, and of how large terms
  std::vector<TwoSided> levels_;  ///< of joints at rest: what holds them, and what brakes them
  std::vector<bool> at_rest_;
  std::vector<std::size_t> free_;  ///< joints that do not stick
};

}  // namespace armdyn
