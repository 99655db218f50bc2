#include "dynamics/torque_derivatives.hpp"

#include <armdyn/equations.hpp>

#include <utility>

#include "dynamics/friction.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/dual.hpp"
#include "math/ltdl.hpp"
#include "math/require.hpp"

namespace armdyn {

namespace {

/// What friction and rotors add to the derivatives of the links.
struct DriveDerivatives {
  explicit DriveDerivatives(const Arm& arm)
      : drives(arm.drives),
        row_drives(arm.row_drives),
        driven(driven_joints(arm)),
        rotors(rotor_inertias(arm)),
        speeds(arm.dof()) {}

  /// Adds those of friction, by its formulas of Duals (9.25), and the rotors' inertias.
  void add(const MotionState& x, const DerivativeRows& out) {
    const std::size_t n = x.q.size();
    for (const std::size_t i : driven) {
      const auto slope = [&](const Dual& q, const Dual& qd) {
        return drive_torque(drives[i], q, qd, Dual(x.qdd[i]), direction_of(qd)).slope;
      };
      out.dq[i * n + i] += slope({x.q[i], 1.0}, x.qd[i]);
      out.dqd[i * n + i] += slope(x.q[i], {x.qd[i], 1.0});
    }
    for (const RowDrive& drive : row_drives) {
      for (const std::size_t i : drive.row.joints) speeds[i] = x.qd[i];
      for (const std::size_t j : drive.row.joints) {
        speeds[j].slope = 1.0;
        row_drive_torques<Dual>(
            std::span(&drive, 1), speeds, AtRest{}, by_speed,
            [&](std::size_t i, const Dual& torque) { out.dqd[i * n + j] += torque.slope; });
        speeds[j].slope = 0.0;
      }
    }
    for (std::size_t i = 0; i < rotors.diagonal.size(); ++i) {
      out.dqdd[i * n + i] += rotors.diagonal[i];
    }
    for (const auto& [i, j, value] : rotors.beside) {
      out.dqdd[i * n + j] += value;
      out.dqdd[j * n + i] += value;
    }
  }

  std::vector<Drive> drives;
  std::vector<RowDrive> row_drives;
  std::vector<std::size_t> driven;
  RotorInertias rotors;
  std::vector<Dual> speeds;
};

}  // namespace

struct DynamicsDerivatives::Workspace {
  explicit Workspace(const Arm& given)
      : arm(given),
        packed(PackedArm::of(given)),
        drives(given),
        M(given.dof() * given.dof()),
        pivots(given.dof()),
        bounds(given.dof()) {
    if (packed) return;
    links.resize(arm.dof());
    joints.resize(arm.dof());
  }

  void links_torque(const MotionState& x, const Wrench* wrench, const DerivativeRows& out) {
    if (packed) {
      return packed->derivatives({as_packed(x.q), as_packed(x.qd), as_packed(x.qdd)}, wrench, out);
    }
    if (!arm.is_serial()) return mechanism_torque(x, wrench, out);
    joint_terms<double>(arm, {x.q, x.qd, x.qdd}, wrench, links, joints);
    pair_derivatives<double>(
        joints, [&, n = arm.dof()](std::size_t i, std::size_t j, const PairDerivatives<double>& d) {
          out.dq[i * n + j] = d.dq;
          out.dqd[i * n + j] = d.dqd;
          out.dqdd[i * n + j] = d.dqdd;
        });
  }

  /// By Duals, one joint at a time.
  void mechanism_torque(const MotionState& x, const Wrench* wrench, const DerivativeRows& out) {
    const std::size_t n = arm.dof();
    std::vector<Dual> q(x.q.begin(), x.q.end()), qd(x.qd.begin(), x.qd.end()),
        qdd(x.qdd.begin(), x.qdd.end());
    const auto at_tool = wrench == nullptr ? ForceAndMoment<Dual>{} : constant<Dual>(*wrench);
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

  void torque(const MotionState& x, const Wrench& wrench, const DerivativeRows& out) {
    require_one_per_joint(arm, x);
    require(out.dq.size() == M.size() && out.dqd.size() == M.size() && out.dqdd.size() == M.size(),
            "derivatives need one row and one column per joint");
    links_torque(x, present(wrench), out);
    drives.add(x, out);
  }

  /// Factors M.
  void factor(std::span<const double> q) {
    const std::size_t n = arm.dof();
    packed ? PackedArm::factor(n, M) : factor_ltdl<double>(n, M);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = M[i * n + i];
    bound_inertias_at(q, arm, drives.rotors.diagonal, bounds);
    require_positive(arm, q, drives.rotors, pivots, bounds);
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

  /// Computes M⁻¹.
  void invert(std::span<double> inverse) {
    const std::size_t n = arm.dof();
    packed ? PackedArm::invert(n, as_packed(std::span<const double>(M)), inverse)
           : invert_ltdl<double>(n, M, inverse, pivots);
  }

  Arm arm;
  std::optional<PackedArm> packed;
  DriveDerivatives drives;
  std::vector<double> M;  ///< or its factors
  std::vector<double> pivots, bounds;
  std::vector<LinkRates<double>> links;  ///< without AVX2, and the next
  std::vector<JointTerms<double>> joints;
};

DynamicsDerivatives::DynamicsDerivatives(const Arm& arm) : workspace_(std::in_place, arm) {}

void DynamicsDerivatives::torque(const MotionState& state, const Wrench& wrench,
                                 const DerivativeRows& out) {
  workspace_->torque(state, wrench, out);
}

void DynamicsDerivatives::acceleration(const MotionState& state, const Wrench& wrench,
                                       const AccelerationRows& out) {
  Workspace& w = *workspace_;
  w.torque(state, wrench, {out.dq, out.dqd, w.M});
  require(out.dtau.size() == w.M.size(), "derivatives need one row and one column per joint");
  w.factor(state.q);
  for (const std::span<double> X : {out.dq, out.dqd}) {
    for (double& x : X) x = -x;
    w.solve(X);
  }
  w.invert(out.dtau);
}

TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state,
                                     const Wrench& wrench) {
  const std::size_t n = arm.dof();
  std::vector<double> dq(n * n), dqd(n * n), dqdd(n * n);
  DynamicsDerivatives(arm).torque(state, wrench, {dq, dqd, dqdd});
  return {{n, n, std::move(dq)}, {n, n, std::move(dqd)}, {n, n, std::move(dqdd)}};
}

}  // namespace armdyn
