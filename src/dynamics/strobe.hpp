#pragma once

#include <armdyn/arm.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "dynamics/newton_euler.hpp"

namespace armdyn {

/// The same arm without gravity.
[[nodiscard]] inline Arm weightless(Arm arm) {
  arm.v_dot_0 = {};
  return arm;
}

/// The links without gravity, asked for their torques at unit motions: paper 001, end of section 3
/// (docs/derivation.md, 9.5). Spans have one entry per joint.
class Strobe {
 public:
  explicit Strobe(const Arm& arm)
      : arm_(weightless(arm)),
        zero_(arm.dof()),
        unit_(arm.dof()),
        torque_(arm.dof()),
        links_(arm.dof()) {}

  /// Column j of M without rotors, kg·m², kg or kg·m; valid until the next question (eq. 9.20).
  std::span<const double> inertias(std::span<const double> q, std::size_t j) {
    unit_[j] = 1.0;
    ask(q, zero_, unit_);
    unit_[j] = 0.0;
    return torque_;
  }

  /// The velocity torques where joints j and k move by 1, and no other; j and k may be the same.
  std::span<const double> velocity_torques(std::span<const double> q, std::size_t j,
                                           std::size_t k) {
    unit_[j] = unit_[k] = 1.0;
    ask(q, unit_, zero_);
    unit_[j] = unit_[k] = 0.0;
    return torque_;
  }

  /// The lower triangle of M without rotors, n×n by rows (eq. 7.20).
  void mass_matrix(std::span<const double> q, std::span<double> M) {
    const std::size_t n = arm_.dof();
    for (std::size_t j = 0; j < n; ++j) {
      const std::span<const double> column = inertias(q, j);
      for (std::size_t i = j; i < n; ++i) M[i * n + j] = column[i];
    }
  }

 private:
  void ask(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd) {
    newton_euler<double>(arm_, q, qd, qdd, nullptr, links_, torque_);
  }

  Arm arm_;
  std::vector<double> zero_, unit_, torque_;
  std::vector<LinkState<double>> links_;
};

}  // namespace armdyn
