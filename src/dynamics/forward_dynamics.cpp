#include <armdyn/forward_dynamics.hpp>

#include <armdyn/arm.hpp>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/articulated_body.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

/// How long each link is at most.
auto length_by(std::span<const Transform> frames) {
  return [frames](std::size_t i) {
    const Vec3& p = frames[i].p;
    return std::abs(p.x) + std::abs(p.y) + std::abs(p.z);
  };
}

/// q̇ with 1 at joint k and none further in that has no kinetic energy: the outer joints yield.
std::vector<double> idle_motion(const Arm& arm, std::span<const Transform> frames,
                                const RotorInertias& rotors, std::size_t k) {
  const std::size_t n = arm.dof();
  std::vector<double> M(n * n);
  lower_mass_matrix<double>(arm, frames, rotors, M);

  const std::size_t outer = n - k - 1;
  std::vector<double> block(outer * outer), motion(n), yields(outer);
  for (std::size_t i = 0; i < outer; ++i) {
    yields[i] = -M[(k + 1 + i) * n + k];
    for (std::size_t j = 0; j <= i; ++j) block[i * outer + j] = M[(k + 1 + i) * n + k + 1 + j];
  }
  factor_ltdl<double>(outer, block);
  solve_ltdl<double>(outer, block, yields);
  motion[k] = 1.0;
  for (std::size_t i = 0; i < outer; ++i) {
    if (std::abs(yields[i]) > 1e-9) motion[k + 1 + i] = yields[i];
  }
  return motion;
}

std::string number_list(std::span<const double> values) {
  return fmt::format("{:.6g}", fmt::join(values, ", "));
}

/// Links from the k-th on whose inertia no body has.
std::string impossible_links(const Arm& arm, std::size_t k) {
  std::string list;
  for (std::size_t i = k; i < arm.dof(); ++i) {
    const Vec3 moments = principal_moments(arm.links[i].body.inertia);
    if (moments.x < -1e-12 * std::abs(moments.z)) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", i + 1);
    }
  }
  return list;
}

/// Why joint k's pivot is zero: what in the model would have to have mass.
std::string joints_without_mass(const Arm& arm, std::span<const double> motion, std::size_t k) {
  const auto moving =
      arm.dof() - static_cast<std::size_t>(std::count(motion.begin(), motion.end(), 0.0));
  if (moving > 1) {
    return fmt::format(
        "the joints can move by qd = {} without moving any mass; give a link between them more "
        "inertia, or a motor its rotor_inertia",
        number_list(motion));
  }
  const std::size_t n = arm.dof();
  return fmt::format(
      "{} can move without moving any mass; give {} {}, or its motor a rotor_inertia",
      joint_name(arm, k),
      k + 1 == n ? fmt::format("link {}", n) : fmt::format("links {} to {}", k + 1, n),
      by_kind(arm.links[k].joint, "inertia about its axis", "mass"));
}

/// Whether the masses and M are.
bool is_finite(const Arm& arm, std::span<const Transform> frames, const RotorInertias& rotors) {
  std::vector<double> M(arm.dof() * arm.dof()), bounds(arm.dof());
  lower_mass_matrix<double>(arm, frames, rotors, M);
  bound_inertias(arm, rotors.diagonal, length_by(frames), bounds);
  return all_finite(M) && all_finite(bounds);
}

[[noreturn]] void refuse(const Arm& arm, std::span<const double> q,
                         std::span<const Transform> frames, const RotorInertias& rotors,
                         std::size_t k, bool negative) {
  const std::string at = "at q = " + number_list(q);
  if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
    throw NumericsError("no mass matrix " + at);
  }
  if (!is_finite(arm, frames, rotors)) {
    refuse_not_finite("the inertia that " + joint_name(arm, k) + " moves");
  }
  const std::string impossible = impossible_links(arm, k);
  if (negative && !impossible.empty()) {
    throw SingularMassMatrix(fmt::format(
        "the mass matrix is not positive definite {}: {} feels a negative inertia, since the "
        "inertia tensor of link {} has a negative principal moment; correct it",
        at, joint_name(arm, k), impossible));
  }
  throw SingularMassMatrix(
      fmt::format("the mass matrix is singular {}: {}", at,
                  joints_without_mass(arm, idle_motion(arm, frames, rotors, k), k)));
}

/// Throws SingularMassMatrix unless every pivot (docs/derivation.md eq. 7.8) is larger than the
/// rounding of what it is left over from (eq. 7.21). The message names the first joint from the
/// hand that fails, the state and what the model lacks. `bounds` receives upper bounds of the
/// diagonal of M.
void require_positive(const Arm& arm, std::span<const double> q, std::span<const Transform> frames,
                      const RotorInertias& rotors, std::span<const double> pivots,
                      std::span<double> bounds) {
  bound_inertias(arm, rotors.diagonal, length_by(frames), bounds);
  const double rounding = pivot_rounding(arm.dof());
  for (std::size_t i = arm.dof(); i-- > 0;) {
    if (!(pivots[i] > rounding * bounds[i])) {
      refuse(arm, q, frames, rotors, i, pivots[i] < -rounding * bounds[i]);
    }
  }
}

}  // namespace

struct ForwardDynamics::Workspace {
  Workspace(const Arm& given, ForwardMethod chosen)
      : arm(given),
        weightless(armdyn::weightless(given)),
        strobe(given),
        driven(driven_joints(given)),
        method(serving_method(given, chosen)),
        rotors(rotor_inertias(given)),
        zero(dof()),
        driving(dof()),
        residual(dof()),
        M(dof() * dof()),
        pivots(dof()),
        bounds(dof()),
        links(dof()),
        frames(dof()),
        joints(dof()) {}

  [[nodiscard]] std::size_t dof() const { return arm.dof(); }

  /// Torques of the links; leaves the joints' frames in `frames`.
  void inverse(const Arm& which, std::span<const double> q, std::span<const double> qd,
               std::span<const double> qdd, const Wrench& hand, std::span<double> out) {
    newton_euler<double>(which, q, qd, qdd, present(hand), links, out);
    for (std::size_t i = 0; i < dof(); ++i) frames[i] = links[i].frame;
  }

  void place(std::span<const double> q) {
    for (std::size_t i = 0; i < dof(); ++i) frames[i] = joint_frame(arm.links[i], q[i]);
  }

  /// Lower triangle of M_links; `frames` are those of q.
  void lower_mass_matrix(std::span<const double> q, std::span<double> lower) {
    if (method == ForwardMethod::strobe) {
      strobe.mass_matrix(q, lower);
    } else {
      composite_body<double>(arm, frames, lower);
    }
  }

  /// The same from q alone, after a look at the sizes.
  void lower_mass_matrix_at(std::span<const double> q, std::span<double> lower) {
    require_one_per_joint(arm, q);
    if (lower.size() != dof() * dof()) {
      throw std::invalid_argument("a mass matrix needs one row and one column per joint");
    }
    place(q);
    lower_mass_matrix(q, lower);
  }

  /// M as product of factors, by the method chosen; `frames` are those of q.
  void factor(std::span<const double> q) {
    if (method == ForwardMethod::articulated) {
      articulate<double>(arm, frames, rotors.diagonal, joints);
      for (std::size_t i = 0; i < dof(); ++i) pivots[i] = joints[i].pivot;
    } else {
      lower_mass_matrix(q, M);
      add_rotors<double>(rotors, M);
      factor_ltdl<double>(dof(), M);
      for (std::size_t i = 0; i < dof(); ++i) pivots[i] = M[i * dof() + i];
    }
    require_positive(arm, q, frames, rotors, pivots, bounds);
  }

  void solve(std::span<double> x) {
    if (method == ForwardMethod::articulated) {
      solve_articulated<double>(arm, frames, joints, x, x);
    } else {
      solve_ltdl<double>(dof(), M, x);
    }
  }

  /// Whether the solution needs refining (eq. 7.22). `residual` holds the bias.
  [[nodiscard]] bool rounding_shows(std::span<const double> force,
                                    std::span<const double> qdd) const {
    double torque = 0.0, inertial = 0.0;
    for (std::size_t i = 0; i < dof(); ++i) {
      torque = std::max({torque, std::abs(force[i]), std::abs(residual[i])});
      inertial = std::max(inertial, bounds[i] * std::abs(qdd[i]));
    }
    return armdyn::rounding_shows(inertial, torque);
  }

  void accelerations(std::span<const double> q, std::span<const double> qd,
                     std::span<const double> tau, const Wrench& hand, std::span<double> qdd) {
    std::ranges::copy(tau, driving.begin());
    for (const std::size_t i : driven) {
      driving[i] = torque_after_friction(tau[i], arm.drives[i], q[i], qd[i]);
    }
    coupled_motor_torques<double>(
        arm.coupled_motors, qd, AtRest{}, by_speed,
        [this](std::size_t joint, double torque) { driving[joint] -= torque; });
    lossless_accelerations(q, qd, driving, hand, qdd);
  }

  /// (7.0)
  void lossless_accelerations(std::span<const double> q, std::span<const double> qd,
                              std::span<const double> force, const Wrench& hand,
                              std::span<double> qdd) {
    inverse(arm, q, qd, zero, hand, residual);
    factor(q);
    for (std::size_t i = 0; i < dof(); ++i) qdd[i] = force[i] - residual[i];
    solve(qdd);
    if (rounding_shows(force, qdd)) {
      for (int pass = 0; pass < 2; ++pass) refine(q, qd, force, hand, qdd);
    }
  }

  void require_finite(std::span<const double> qdd) const {
    if (all_finite(qdd)) return;
    refuse_not_finite("the acceleration of " + joint_name(arm, first_not_finite(qdd)));
  }

  /// One step of iterative refinement: the inverse dynamics is the residual (eq. 7.23).
  void refine(std::span<const double> q, std::span<const double> qd, std::span<const double> force,
              const Wrench& hand, std::span<double> qdd) {
    inverse(arm, q, qd, qdd, hand, residual);
    for (std::size_t i = 0; i < dof(); ++i) {
      residual[i] = force[i] - residual[i] - rotors.diagonal[i] * qdd[i];
    }
    for (const auto& [i, j, value] : rotors.coupled) {
      residual[i] -= value * qdd[j];
      residual[j] -= value * qdd[i];
    }
    solve(residual);
    for (std::size_t i = 0; i < dof(); ++i) qdd[i] += residual[i];
  }

  Arm arm;
  Arm weightless;
  Strobe strobe;
  std::vector<std::size_t> driven;
  ForwardMethod method;
  RotorInertias rotors;
  std::vector<double> zero, driving, residual;
  std::vector<double> M;  ///< or its factors
  std::vector<double> pivots, bounds;
  std::vector<LinkState<double>> links;
  std::vector<Transform> frames;
  std::vector<ArticulatedJoint<double>> joints;
};

// Measured by tests/bench/forward_dynamics.cpp: composite bodies cost n² in time, articulated ones
// n, and they meet here.
ForwardMethod fastest_method(std::size_t dof) {
  return dof <= 14 ? ForwardMethod::composite : ForwardMethod::articulated;
}

ForwardMethod serving_method(const Arm& arm, ForwardMethod method) {
  const bool is_diagonal = arm.coupled_motors.empty();
  return is_diagonal || method != ForwardMethod::articulated ? method : ForwardMethod::composite;
}

ForwardDynamics::ForwardDynamics(const Arm& arm)
    : ForwardDynamics(arm, fastest_method(arm.dof())) {}
ForwardDynamics::ForwardDynamics(const Arm& arm, ForwardMethod method)
    : workspace_(std::make_unique<Workspace>(arm, method)) {}
ForwardDynamics::~ForwardDynamics() = default;
ForwardDynamics::ForwardDynamics(ForwardDynamics&&) noexcept = default;
ForwardDynamics& ForwardDynamics::operator=(ForwardDynamics&&) noexcept = default;

void ForwardDynamics::accelerations(std::span<const double> q, std::span<const double> qd,
                                    std::span<const double> tau, const Wrench& hand,
                                    std::span<double> qdd) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, tau, qdd);
  w.accelerations(q, qd, tau, hand, qdd);
  w.require_finite(qdd);
}

void ForwardDynamics::lossless_accelerations(std::span<const double> q, std::span<const double> qd,
                                             std::span<const double> force, const Wrench& hand,
                                             std::span<double> qdd) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, force, qdd);
  w.lossless_accelerations(q, qd, force, hand, qdd);
  w.require_finite(qdd);
}

void ForwardDynamics::mass_matrix(std::span<const double> q, std::span<double> M) {
  Workspace& w = *workspace_;
  w.lower_mass_matrix_at(q, M);
  add_rotors<double>(w.rotors, M);
  mirror_lower<double>(w.dof(), M);
}

void ForwardDynamics::links_mass_matrix(std::span<const double> q, std::span<double> M) {
  workspace_->lower_mass_matrix_at(q, M);
  mirror_lower<double>(workspace_->dof(), M);
}

void ForwardDynamics::bias(std::span<const double> q, std::span<const double> qd,
                           const Wrench& hand, std::span<double> h) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, h);
  w.inverse(w.arm, q, qd, w.zero, hand, h);
}

void ForwardDynamics::hand_torque(std::span<const double> q, const Wrench& hand,
                                  std::span<double> torque) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, torque);
  w.inverse(w.weightless, q, w.zero, w.zero, hand, torque);
}

}  // namespace armdyn
