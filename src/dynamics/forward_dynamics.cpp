#include <armdyn/forward_dynamics.hpp>

#include <armdyn/eigen.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"

namespace armdyn {

struct ForwardDynamics::Workspace {
  Workspace(const Arm& given, ForwardMethod chosen)
      : arm(given),
        gravity_removed(armdyn::gravity_removed(given)),
        packed(PackedArm::of(given)),
        strobe(given),
        driven(driven_joints(given)),
        method(serving_method(given, chosen)),
        slides(!given.is_serial() || !std::ranges::all_of(given.links, is_turning, &Link::joint)),
        rotors(rotor_inertias(given)),
        zero(dof()),
        driving(dof()),
        residual(dof()),
        M(dof() * dof()),
        pivots(dof()),
        bounds(dof()),
        links(dof()),
        frames(dof()),
        joints(dof()) {
    bound_inertias_at(zero, arm, rotors.diagonal, bounds);
  }

  [[nodiscard]] std::size_t dof() const { return arm.dof(); }

  /// Torques of the links; leaves the joints' frames in `packed`, or in `frames`.
  void inverse(const Arm& which, std::span<const double> q, std::span<const double> qd,
               std::span<const double> qdd, const Wrench& wrench, std::span<double> out) {
    if (packed)
      return packed->torque(which.v_dot_0, {as_packed(q), as_packed(qd), as_packed(qdd)},
                            present(wrench), as_packed(out));
    if (!arm.is_serial()) return mechanism_torque(which, {q, qd, qdd}, present(wrench), out);
    newton_euler<double>(which, q, qd, qdd, present(wrench), links, out);
    for (std::size_t i = 0; i < dof(); ++i) frames[i] = links[i].frame;
  }

  void place(std::span<const double> q) {
    if (packed) return packed->place(as_packed(q));
    if (!arm.is_serial()) return;
    for (std::size_t i = 0; i < dof(); ++i) frames[i] = joint_frame(arm.links[i], q[i]);
  }

  /// Lower triangle of M_links; the frames are those of q.
  void lower_mass_matrix(std::span<const double> q, std::span<double> lower) {
    if (method == ForwardMethod::strobe) {
      strobe.mass_matrix(q, lower);
    } else if (packed) {
      packed->mass_matrix(as_packed(lower));
    } else if (!arm.is_serial()) {
      lower_mechanism_mass_matrix(arm, q, lower);
    } else {
      composite_body<double>(arm, frames, lower);
    }
  }

  /// Computes it from q alone, after a look at the sizes.
  void lower_mass_matrix_at(std::span<const double> q, std::span<double> lower) {
    require_one_per_joint(arm, q);
    require(lower.size() == dof() * dof(), "a mass matrix needs one row and one column per joint");
    place(q);
    lower_mass_matrix(q, lower);
  }

  /// M as product of factors, by the method chosen; the frames are those of q.
  void factor(std::span<const double> q) {
    if (method == ForwardMethod::articulated) {
      packed ? packed->articulate(rotors.diagonal, frames, joints)
             : articulate<double>(arm, frames, rotors.diagonal, joints);
      for (std::size_t i = 0; i < dof(); ++i) pivots[i] = joints[i].pivot;
    } else {
      lower_mass_matrix(q, M);
      add_rotors<double>(rotors, M);
      factor_ltdl<double>(dof(), M);
      for (std::size_t i = 0; i < dof(); ++i) pivots[i] = M[i * dof() + i];
    }
    require_positive_pivots(q);
  }

  void require_positive_pivots(std::span<const double> q) {
    if (slides) bound_inertias_at(q, arm, rotors.diagonal, bounds);
    require_positive(arm, q, rotors, pivots, bounds);
  }

  void solve(std::span<double> x) {
    method == ForwardMethod::articulated ? solve_articulated<double>(arm, frames, joints, x, x)
                                         : solve_ltdl<double>(dof(), M, x);
  }

  /// Tests whether the solution needs refining (eq. 7.22). `residual` holds the bias.
  [[nodiscard]] bool rounding_shows(std::span<const double> force,
                                    std::span<const double> qdd) const {
    double torque = 0.0, inertial = 0.0;
    for (std::size_t i = 0; i < dof(); ++i) {
      torque = std::max({torque, std::abs(force[i]), std::abs(residual[i])});
      inertial = std::max(inertial, bounds[i] * std::abs(qdd[i]));
    }
    return armdyn::rounding_shows(inertial, torque);
  }

  void acceleration(std::span<const double> q, std::span<const double> qd,
                    std::span<const double> tau, const Wrench& wrench, std::span<double> qdd) {
    std::ranges::copy(tau, driving.begin());
    for (const std::size_t i : driven) {
      driving[i] = torque_after_friction(tau[i], arm.drives[i], q[i], qd[i]);
    }
    row_drive_torques<double>(
        arm.row_drives, qd, AtRest{}, by_speed,
        [this](std::size_t joint, double torque) { driving[joint] -= torque; });
    lossless_acceleration(q, qd, driving, wrench, qdd);
  }

  /// (7.0)
  void lossless_acceleration(std::span<const double> q, std::span<const double> qd,
                             std::span<const double> force, const Wrench& wrench,
                             std::span<double> qdd) {
    const bool at_once = packed && method == ForwardMethod::articulated;
    if (at_once) {
      const std::span<const double> at_rest = zero;
      packed->accelerate(arm.v_dot_0, {as_packed(q), as_packed(qd), as_packed(at_rest)},
                         present(wrench), rotors.diagonal, as_packed(force),
                         as_packed(std::span(residual)), pivots, qdd);
      require_positive_pivots(q);
    } else {
      inverse(arm, q, qd, zero, wrench, residual);
      factor(q);
      for (std::size_t i = 0; i < dof(); ++i) qdd[i] = force[i] - residual[i];
      solve(qdd);
    }
    if (rounding_shows(force, qdd)) {
      if (at_once) factor(q);
      for (int pass = 0; pass < 2; ++pass) refine(q, qd, force, wrench, qdd);
    }
  }

  void require_finite(std::span<const double> qdd) const {
    if (all_finite(qdd)) return;
    refuse_not_finite("the acceleration of " + joint_name(arm, first_not_finite(qdd)));
  }

  /// One step of iterative refinement: the inverse dynamics is the residual (eq. 7.23).
  void refine(std::span<const double> q, std::span<const double> qd, std::span<const double> force,
              const Wrench& wrench, std::span<double> qdd) {
    inverse(arm, q, qd, qdd, wrench, residual);
    for (std::size_t i = 0; i < dof(); ++i) {
      residual[i] = force[i] - residual[i] - rotors.diagonal[i] * qdd[i];
    }
    for (const auto& [i, j, value] : rotors.beside) {
      residual[i] -= value * qdd[j];
      residual[j] -= value * qdd[i];
    }
    solve(residual);
    for (std::size_t i = 0; i < dof(); ++i) qdd[i] += residual[i];
  }

  Arm arm;
  Arm gravity_removed;
  std::optional<PackedArm> packed;
  Strobe strobe;
  std::vector<std::size_t> driven;
  ForwardMethod method;
  bool slides;  ///< whether `bounds` depend on q
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

ForwardDynamics::ForwardDynamics(const Arm& arm)
    : ForwardDynamics(arm, fastest_method(arm.dof())) {}
ForwardDynamics::ForwardDynamics(const Arm& arm, ForwardMethod method)
    : workspace_(std::in_place, arm, method) {}

void ForwardDynamics::acceleration(std::span<const double> q, std::span<const double> qd,
                                   std::span<const double> tau, const Wrench& wrench,
                                   std::span<double> qdd) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, tau, qdd);
  w.acceleration(q, qd, tau, wrench, qdd);
  w.require_finite(qdd);
}

void ForwardDynamics::lossless_acceleration(std::span<const double> q, std::span<const double> qd,
                                            std::span<const double> force, const Wrench& wrench,
                                            std::span<double> qdd) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, force, qdd);
  w.lossless_acceleration(q, qd, force, wrench, qdd);
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
                           const Wrench& wrench, std::span<double> h) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, qd, h);
  w.inverse(w.arm, q, qd, w.zero, wrench, h);
}

std::vector<ArticulatedInertia> articulated_inertias(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  require_serial(arm, "articulated bodies");
  require(arm.row_drives.empty(),
          "articulated bodies have no place for rotors that turn with several joints");
  const std::size_t n = arm.dof();
  std::vector<ArticulatedBody<double>> bodies(n);
  std::vector<ArticulatedJoint<double>> joints(n);
  std::vector<double> bounds(n);
  const std::vector<Transform> frames = joint_frames<double>(arm, q);
  const RotorInertias rotors = rotor_inertias(arm);
  articulate<double>(arm, frames, rotors.diagonal, joints, bodies);
  const auto pivots = each(joints, &ArticulatedJoint<double>::pivot);
  bound_inertias_at(q, arm, rotors.diagonal, bounds);
  require_positive(arm, q, rotors, pivots, bounds);

  return each(in_order(n), [&](std::size_t i) -> ArticulatedInertia {
    const Mat3 to_user = transposed(arm.user_frame[i].R);
    const Transform proximal{to_user, -(to_user * arm.user_frame[i].p)};
    const ArticulatedBody<double> body = carried(proximal, bodies[i]);
    const Vec3 force = to_user * joints[i].force;
    const auto U = stacked(to_user * joints[i].moment + cross(proximal.p, force), force);
    Eigen::Matrix<double, 6, 6> inertia;
    inertia << eigen(body.J), eigen(body.B), eigen(transposed(body.B)), eigen(body.A);
    return {matrix(inertia), {U.begin(), U.end()}, joints[i].pivot};
  });
}

void ForwardDynamics::wrench_torque(std::span<const double> q, const Wrench& wrench,
                                    std::span<double> torque) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, q, torque);
  w.inverse(w.gravity_removed, q, w.zero, w.zero, wrench, torque);
}

}  // namespace armdyn
