#include "dynamics/torque_derivatives.hpp"

#include <armdyn/equations.hpp>

#include "dynamics/friction.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/dual.hpp"
#include "math/ltdl.hpp"
#include "math/require.hpp"

namespace armdyn {

struct DynamicsDerivatives::Workspace {
  explicit Workspace(const Arm& given)
      : arm(given),
        packed(PackedArm::of(given)),
        driven(driven_joints(given)),
        rotors(rotor_inertias(given)),
        speeds(given.dof()),
        M(given.dof() * given.dof()),
        pivots(given.dof()),
        bounds(given.dof()) {
    if (packed) return;
    links.resize(arm.dof());
    joints.resize(arm.dof());
  }

  void links_torque(const MotionState& x, const Wrench* hand, const DerivativeRows& out) {
    if (packed) {
      return packed->derivatives({as_packed(x.q), as_packed(x.qd), as_packed(x.qdd)}, hand, out);
    }
    if (!arm.is_serial()) return mechanism_torque(x, hand, out);
    joint_terms<double>(arm, {x.q, x.qd, x.qdd}, hand, links, joints);
    pair_derivatives<double>(
        joints, [&, n = arm.dof()](std::size_t i, std::size_t j, const PairDerivatives<double>& d) {
          out.dq[i * n + j] = d.dq;
          out.dqd[i * n + j] = d.dqd;
          out.dqdd[i * n + j] = d.dqdd;
        });
  }

  /// By Duals, one joint at a time.
  void mechanism_torque(const MotionState& x, const Wrench* hand, const DerivativeRows& out) {
    const std::size_t n = arm.dof();
    std::vector<Dual> q(x.q.begin(), x.q.end()), qd(x.qd.begin(), x.qd.end()),
        qdd(x.qdd.begin(), x.qdd.end());
    const auto at_tool = hand == nullptr ? ForceAndMoment<Dual>{} : constant<Dual>(*hand);
    for (const auto& [values, rows] :
         {std::pair(&q, out.dq), std::pair(&qd, out.dqd), std::pair(&qdd, out.dqdd)}) {
      for (std::size_t j = 0; j < n; ++j) {
        (*values)[j].slope = 1.0;
        const std::vector<Dual> tau = armdyn::links_torque<Dual>(arm, q, qd, qdd, &at_tool);
        for (std::size_t i = 0; i < n; ++i) rows[i * n + j] = tau[i].slope;
        (*values)[j].slope = 0.0;
      }
    }
  }

  /// Adds those of friction, by its formulas of Duals (9.25), and the rotors' inertias.
  void add_drives(const MotionState& x, const DerivativeRows& out) {
    const std::size_t n = arm.dof();
    for (const std::size_t i : driven) {
      const auto slope = [&](const Dual& q, const Dual& qd) {
        return drive_torque(arm.drives[i], q, qd, Dual(x.qdd[i]), direction_of(qd)).slope;
      };
      out.dq[i * n + i] += slope({x.q[i], 1.0}, x.qd[i]);
      out.dqd[i * n + i] += slope(x.q[i], {x.qd[i], 1.0});
    }
    if (!arm.coupled_motors.empty()) std::ranges::copy(x.qd, speeds.begin());
    for (const CoupledMotors& motors : arm.coupled_motors) {
      for (const std::size_t j : motors.joints) {
        speeds[j].slope = 1.0;
        coupled_motor_torques<Dual>(
            std::span(&motors, 1), speeds, AtRest{}, by_speed,
            [&](std::size_t i, const Dual& torque) { out.dqd[i * n + j] += torque.slope; });
        speeds[j].slope = 0.0;
      }
    }
    for (std::size_t i = 0; i < n; ++i) out.dqdd[i * n + i] += rotors.diagonal[i];
    for (const auto& [i, j, value] : rotors.coupled) {
      out.dqdd[i * n + j] += value;
      out.dqdd[j * n + i] += value;
    }
  }

  void torque(const MotionState& x, const Wrench& hand, const DerivativeRows& out) {
    require_one_per_joint(arm, x);
    require(out.dq.size() == M.size() && out.dqd.size() == M.size() && out.dqdd.size() == M.size(),
            "derivatives need one row and one column per joint");
    links_torque(x, present(hand), out);
    add_drives(x, out);
  }

  /// Factors M.
  void factor(std::span<const double> q) {
    const std::size_t n = arm.dof();
    packed ? PackedArm::factor(n, as_packed(std::span(M))) : factor_ltdl<double>(n, M);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = M[i * n + i];
    bound_inertias_at(q, arm, rotors.diagonal, bounds);
    require_positive(arm, q, rotors, pivots, bounds);
  }

  /// Puts M⁻¹ X in place of X.
  void solve(std::span<double> X) {
    const std::size_t n = arm.dof();
    if (packed) return PackedArm::solve(n, as_packed(std::span<const double>(M)), X);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) pivots[i] = X[i * n + j];
      solve_ltdl<double>(n, M, pivots);
      for (std::size_t i = 0; i < n; ++i) X[i * n + j] = pivots[i];
    }
  }

  Arm arm;
  std::optional<PackedArm> packed;
  std::vector<std::size_t> driven;
  RotorInertias rotors;
  std::vector<Dual> speeds;
  std::vector<double> M;  ///< or its factors
  std::vector<double> pivots, bounds;
  std::vector<LinkRates<double>> links;  ///< without AVX2, and the next
  std::vector<JointTerms<double>> joints;
};

DynamicsDerivatives::DynamicsDerivatives(const Arm& arm) : workspace_(std::in_place, arm) {}

void DynamicsDerivatives::torque(const MotionState& state, const Wrench& hand,
                                 const DerivativeRows& out) {
  workspace_->torque(state, hand, out);
}

void DynamicsDerivatives::acceleration(const MotionState& state, const Wrench& hand,
                                       const AccelerationRows& out) {
  Workspace& w = *workspace_;
  w.torque(state, hand, {out.dq, out.dqd, w.M});
  require(out.dtau.size() == w.M.size(), "derivatives need one row and one column per joint");
  w.factor(state.q);
  std::ranges::fill(out.dtau, 0.0);
  for (std::size_t i = 0; i < w.arm.dof(); ++i) out.dtau[i * w.arm.dof() + i] = -1.0;
  for (const std::span<double> X : {out.dq, out.dqd, out.dtau}) {
    for (double& x : X) x = -x;
    w.solve(X);
  }
}

TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state, const Wrench& hand) {
  const std::size_t n = arm.dof();
  std::vector<double> dq(n * n), dqd(n * n), dqdd(n * n);
  DynamicsDerivatives(arm).torque(state, hand, {dq, dqd, dqdd});
  return {{n, n, std::move(dq)}, {n, n, std::move(dqd)}, {n, n, std::move(dqdd)}};
}

}  // namespace armdyn
