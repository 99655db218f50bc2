#pragma once

#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/vector.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"

namespace armdyn {

/// Loads on the joints at one moment, and their state.
struct LoadedState {
  std::span<const double> q, qd, tau;
  Wrench wrench;
  std::span<const double> M;  ///< by rows
  std::span<const double> h;  ///< V + G + Jᵀ·wrench
};

/// Dry friction that holds the plant's contacts at rest (docs/derivation.md, sections 8.2 and 31).
class StickSlip {
 public:
  explicit StickSlip(Plant& plant)
      : plant_(plant),
        block_(plant.dof() * plant.dof()),
        directions_(plant.dof()),
        levels_(plant.dof()),
        at_rest_(plant.dof()) {
    for (auto* const of_joints :
         {&force_, &solution_, &qdd_, &driving_, &losses_, &holding_, &weights_}) {
      of_joints->resize(plant.dof());
    }
    free_.reserve(plant.dof());
  }

  /// Computes q̈ with every joint in its mode (eq. 8.4, 8.5), under these losses. `margin` receives
  /// the further torque that a sticking joint could hold, negative where it must break away.
  void accelerations(const LoadedState& state, std::span<const JointMode> modes,
                     std::span<const double> losses, std::span<double> qdd,
                     std::span<double> margin) {
    const LoadedState contacts = by_contacts(state, losses);
    force_ = driving_;
    solve(contacts, modes, qdd);
    for (std::size_t i = 0; i < plant_.dof(); ++i) {
      if (modes[i] != JointMode::sticking) continue;
      margin[i] = margin_of(i, plant_.breakaway(i, state.q[i]));
    }
    to_joints(qdd);
  }

  /// Tests whether joint i is held: all contacts that move it stick.
  [[nodiscard]] bool is_held(std::size_t i, std::span<const JointMode> modes) const {
    constexpr double rounding = 1e-12;  // of an inverse's entries
    const Eigen::MatrixXd& B = plant_.joints_by_contacts();
    if (B.size() == 0) return modes[i] == JointMode::sticking;
    const Eigen::VectorXd moved_by = B.row(index(i)).cwiseAbs();
    for (std::size_t c = 0; c < modes.size(); ++c) {
      const bool counts = moved_by[index(c)] > rounding * moved_by.maxCoeff();
      if (counts && modes[c] != JointMode::sticking) return false;
    }
    return true;
  }

  /// Tests whether some contact is at rest that dry friction may hold.
  [[nodiscard]] bool is_any_at_rest(std::span<const double> qd,
                                    std::span<const JointMode> modes) const {
    for (std::size_t i = 0; i < qd.size(); ++i) {
      if (is_at_rest(i, qd, modes[i])) return true;
    }
    return false;
  }

  /// Finds the modes of all joints at rest together, from their present ones: the boxed
  /// complementarity problem (8.6). Joints that move keep theirs.
  void settle(const LoadedState& state, std::span<JointMode> modes) {
    const std::size_t n = plant_.dof();
    for (std::size_t i = 0; i < n; ++i) {
      at_rest_[i] = is_at_rest(i, state.qd, modes[i]);
      directions_[i] = at_rest_[i] ? 0 : direction(modes[i]);
      if (!at_rest_[i]) continue;
      levels_[i] = modes[i] == JointMode::sticking ? plant_.breakaway(i, state.q[i])
                                                   : plant_.sliding_levels(i, state.q[i]);
    }
    loss_torques(plant_.arm(), state.q, state.qd, directions_, losses_);
    const LoadedState contacts = by_contacts(state, losses_);
    force_ = driving_;
    // A joint that breaks away is then braked by its sliding level, which may be lower, and set
    // others free.
    for (bool lower = true; lower;) {
      if (!settle_once(contacts, modes)) {
        throw SingularMassMatrix(
            "which joints stick could not be decided: the mass matrix is all but singular");
      }
      lower = false;
      for (std::size_t i = 0; i < n; ++i) {
        if (!at_rest_[i] || modes[i] == JointMode::sticking) continue;
        const TwoSided sliding = plant_.sliding_levels(i, state.q[i]);
        if (sliding.positive < levels_[i].positive || sliding.negative < levels_[i].negative) {
          levels_[i] = sliding;
          lower = true;
        }
      }
    }
  }

 private:
  // Share of torques that breaking away takes above holding, far above rounding and far below
  // visible effects: a joint that breaks away then certainly moves (eq. 8.7).
  static constexpr double hysteresis = 1e-12;

  /// Computes q̈ of the free joints by their block of M, and the loads of the sticking ones (8.5).
  /// `force_` is τ − losses of the free joints.
  void solve(const LoadedState& state, std::span<const JointMode> modes, std::span<double> qdd) {
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
      plant_.dynamics().lossless_acceleration(state.q, state.qd, force_, state.wrench,
                                              qdd);  // throws with the fault of M
      throw SingularMassMatrix("the mass matrix is not positive definite");
    }
    solve_ltdl<double>(m, std::span(block_).first(m * m), x);
    for (std::size_t a = 0; a < m; ++a) qdd[free_[a]] = x[a];

    for (std::size_t i = 0; i < n; ++i) {
      holding_[i] = driving_[i] - state.h[i];
      weights_[i] = std::abs(state.tau[i]) + std::abs(state.h[i]);
      for (std::size_t j = 0; j < n; ++j) {
        const double coupled = state.M[i * n + j] * qdd[j];
        holding_[i] -= coupled;
        weights_[i] += std::abs(coupled);
      }
    }
  }

  /// Torque that contact i can hold beyond its load, in that direction (8.7).
  [[nodiscard]] double margin_of(std::size_t i, const TwoSided& levels) const {
    const auto [forward, backward] = levels;
    return std::min(forward - holding_[i], backward + holding_[i]) +
           hysteresis * (weights_[i] + std::max(forward, backward));
  }

  [[nodiscard]] bool is_at_rest(std::size_t i, std::span<const double> qd, JointMode mode) const {
    return plant_.can_stick(i) &&
           (mode == JointMode::sticking || plant_.contact_rate(i, qd) == 0.0);
  }

  /// Loads by the plant's contacts; `driving_` becomes their τ − losses. With joint rates B times
  /// theirs, torques are Bᵀ times the joints' and M is Bᵀ M B (31.5).
  LoadedState by_contacts(const LoadedState& state, std::span<const double> losses) {
    const std::size_t n = plant_.dof();
    for (std::size_t i = 0; i < n; ++i) driving_[i] = state.tau[i] - losses[i];  // (8.4)
    const Eigen::MatrixXd& B = plant_.joints_by_contacts();
    if (B.size() == 0) return state;
    M_.assign(state.M.begin(), state.M.end());
    h_.assign(state.h.begin(), state.h.end());
    tau_.assign(state.tau.begin(), state.tau.end());
    for (std::vector<double>* const torque : {&driving_, &tau_, &h_}) {
      in_place(*torque) = B.transpose() * eigen(*torque);
    }
    Eigen::Map<RowMajorMatrix> M(M_.data(), index(n), index(n));
    M = B.transpose() * M * B;
    return {state.q, state.qd, tau_, state.wrench, M_, h_};
  }

  void to_joints(std::span<double> qdd) const {
    const Eigen::MatrixXd& B = plant_.joints_by_contacts();
    if (B.size() > 0) in_place(qdd) = B * in_place(qdd);
  }

  /// Mode by joint i's conditions: its own, if they hold (8.6).
  [[nodiscard]] JointMode corrected(std::size_t i, JointMode mode) const {
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

  /// Settles by principal pivoting, always at the first joint whose conditions fail: finite, since
  /// M⁻¹ is positive definite. False where rounding prevents its end.
  bool settle_once(const LoadedState& state, std::span<JointMode> modes) {
    const std::size_t n = plant_.dof();
    for (std::size_t pass = 0; pass < 1000 * n; ++pass) {
      for (std::size_t i = 0; i < n; ++i) {
        if (!at_rest_[i]) continue;
        force_[i] = driving_[i] - (modes[i] == JointMode::forward    ? levels_[i].positive
                                   : modes[i] == JointMode::backward ? -levels_[i].negative
                                                                     : 0.0);
      }
      solve(state, modes, qdd_);
      // Where a number overflows, nothing is decided, and accelerations() reports it.
      if (!all_finite(qdd_)) return true;
      std::size_t i = 0;
      while (i < n && (!at_rest_[i] || corrected(i, modes[i]) == modes[i])) ++i;
      if (i == n) return true;
      modes[i] = corrected(i, modes[i]);
    }
    return false;
  }

  Plant& plant_;
  std::vector<double> block_, force_, solution_, qdd_;
  std::vector<double> driving_;      ///< τ − losses
  std::vector<double> M_, h_, tau_;  ///< by contacts, where not all are joints
  std::vector<double> losses_;
  std::vector<int> directions_;
  std::vector<double> holding_, weights_;  ///< load of a sticking joint, and its terms' magnitudes
  std::vector<TwoSided> levels_;           ///< of joints at rest, that hold or brake them
  std::vector<bool> at_rest_;
  std::vector<std::size_t> free_;  ///< joints that do not stick
};

/// Contacts of an arm in motion: which of them stick or slip, and how often joints have stopped.
class Contacts {
 public:
  Contacts(Plant& plant, std::span<const double> qd)
      : plant_(plant),
        stick_slip_(plant),
        modes_(plant.dof(), JointMode::smooth),
        stuck_(plant.dof()),
        M_(plant.dof() * plant.dof()),
        bias_(plant.dof()),
        history_(plant.dof()) {
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      if (!plant_.can_stick(i)) continue;
      const double speed = plant_.contact_rate(i, qd);
      modes_[i] = speed > 0.0   ? JointMode::forward
                  : speed < 0.0 ? JointMode::backward
                                : JointMode::sticking;
    }
  }

  [[nodiscard]] const std::vector<JointMode>& modes() const { return modes_; }
  [[nodiscard]] bool any_sticks() const { return any_sticks_; }
  [[nodiscard]] const std::vector<JointHistory>& history() const { return history_; }

  void visit_state(auto&& number) {
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      bool stuck = stuck_[i];
      number(stuck);
      stuck_[i] = stuck;
      number(modes_[i]);
      number(history_[i].stops);
      number(history_[i].at_rest);
      number(history_[i].at_rest_since);
    }
    number(any_sticks_);
  }

  /// Stops contact i, exactly.
  void stop(std::size_t i, Moment& now) {
    plant_.stop_contact(i, now.qd());
    modes_[i] = JointMode::sticking;
  }

  /// Settles the modes of the joints at rest anew, by the torques of this moment.
  void settle(Moment& now) {
    for (std::size_t i = 0; i < modes_.size(); ++i) {  // removes the rounding of motors
      if (modes_[i] == JointMode::sticking) plant_.stop_contact(i, now.qd());
    }
    const std::span<const double> q = now.q(), qd = now.qd();
    if (stick_slip_.is_any_at_rest(qd, modes_)) {
      plant_.dynamics().bias(q, qd, now.at.wrench, bias_);
      plant_.dynamics().mass_matrix(q, M_);
      stick_slip_.settle({q, qd, now.at.tau, now.at.wrench, M_, bias_}, modes_);
    }
    any_sticks_ = std::find(modes_.begin(), modes_.end(), JointMode::sticking) != modes_.end();
  }

  /// Notes which joints are held from t on, and as stops those that were not before.
  void note(double t, bool counts_stops) {
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      const bool rests = stick_slip_.is_held(i, modes_);
      if (rests && !history_[i].at_rest) history_[i].at_rest_since = t;
      history_[i].at_rest = rests;
      const bool sticks = modes_[i] == JointMode::sticking;
      if (counts_stops && sticks && !stuck_[i]) ++history_[i].stops;
      stuck_[i] = sticks;
    }
  }

 private:
  Plant& plant_;
  StickSlip stick_slip_;
  std::vector<JointMode> modes_;
  std::vector<bool> stuck_;  ///< as noted last
  bool any_sticks_ = false;
  std::vector<double> M_, bias_;
  std::vector<JointHistory> history_;
};

}  // namespace armdyn
