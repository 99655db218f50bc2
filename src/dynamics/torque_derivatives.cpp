#include "dynamics/torque_derivatives.hpp"

#include <armdyn/equations.hpp>

#include <stdexcept>
#include <utility>

#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/columns.hpp"
#include "math/dual.hpp"
#include "math/each.hpp"
#include "math/ltdl.hpp"
#include "math/require.hpp"

namespace armdyn {

namespace {

/// What friction and rotors add to the derivatives of the links.
struct DriveDerivatives {
  explicit DriveDerivatives(const Arm& arm)
      : drives(arm.drives),
        coupled_motors(arm.coupled_motors),
        driven(driven_joints(arm)),
        rotors(rotor_inertias(arm)),
        speeds(arm.dof()) {}

  /// Adds those of friction, by its formulas of Duals (9.25), and the rotors' inertias to
  /// `dq(i, j)`, `dqd(i, j)`, `dqdd(i, j)`.
  template <class V, class Entry>
  void add(const V& q, const V& qd, const V& qdd, const Entry& dq, const Entry& dqd,
           const Entry& dqdd) {
    for (const std::size_t i : driven) {
      const auto slope = [&](const Dual& at_q, const Dual& at_qd) {
        return drive_torque(drives[i], at_q, at_qd, Dual(qdd[i]), direction_of(at_qd)).slope;
      };
      dq(i, i) += slope({q[i], 1.0}, qd[i]);
      dqd(i, i) += slope(q[i], {qd[i], 1.0});
    }
    for (const CoupledMotors& motors : coupled_motors) {
      for (const std::size_t i : motors.joints) speeds[i] = qd[i];
      for (const std::size_t j : motors.joints) {
        speeds[j].slope = 1.0;
        coupled_motor_torques<Dual>(
            std::span(&motors, 1), speeds, AtRest{}, by_speed,
            [&](std::size_t i, const Dual& torque) { dqd(i, j) += torque.slope; });
        speeds[j].slope = 0.0;
      }
    }
    for (std::size_t i = 0; i < rotors.diagonal.size(); ++i) dqdd(i, i) += rotors.diagonal[i];
    for (const auto& [i, j, value] : rotors.coupled) {
      dqdd(i, j) += value;
      dqdd(j, i) += value;
    }
  }

  std::vector<Drive> drives;
  std::vector<CoupledMotors> coupled_motors;
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
    const auto rows = [n = arm.dof()](std::span<double> values) {
      return [values, n](std::size_t i, std::size_t j) -> double& { return values[i * n + j]; };
    };
    drives.add(x.q, x.qd, x.qdd, rows(out.dq), rows(out.dqd), rows(out.dqdd));
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

struct BlockDynamicsDerivatives::Workspace {
  explicit Workspace(const Arm& given)
      : arm(std::make_shared<const Arm>(given)),
        drives(given),
        torques([a = arm](WrenchInput wrench) {
          if (!a->is_serial()) throw std::length_error("a mechanism has no such program");
          return derivatives_program(*a, wrench);
        }),
        accelerations(
            [n = given.dof()](WrenchInput) { return acceleration_derivatives_program(n); }) {}

  /// Leaves these samples to `single(derivatives, state, wrench, values)`.
  template <class Single>
  void compute(const MotionBlock& motion, std::span<const std::size_t> rows,
               std::span<const ResultColumn> results, const Single& single) const {
    if (rows.empty()) return;
    DynamicsDerivatives derivatives(*arm);
    compute_rows({motion.q, motion.qd, motion.qdd}, motion.wrench, rows, results,
                 [&](const MotionState& state, const Wrench& wrench, std::span<double> values) {
                   const auto part = [&](std::size_t k) {
                     return values.subspan(k * values.size() / 3, values.size() / 3);
                   };
                   single(derivatives, state, wrench, part);
                 });
  }

  void torque(const MotionBlock& motion, std::span<const ResultColumn> results) {
    const std::size_t n = arm->dof();
    if (!torques.run(motion.rows, {motion.q, motion.qd, motion.qdd}, motion.wrench, results)) {
      compute(motion, in_order(motion.rows), results,
              [](DynamicsDerivatives& derivatives, const MotionState& x, const Wrench& wrench,
                 const auto& part) {
                derivatives.torque(x, wrench, {part(0), part(1), part(2)});
              });
      return;
    }
    for (std::size_t row = 0; row < motion.rows; ++row) {
      const auto columns = [&, row](std::size_t k) {
        return [of = results.subspan(k * n * n, n * n), n, row](
                   std::size_t i, std::size_t j) -> double& { return of[i * n + j][row]; };
      };
      drives.add(InRow{motion.q, row}, InRow{motion.qd, row}, InRow{motion.qdd, row}, columns(0),
                 columns(1), columns(2));
    }
  }

  void acceleration(const MotionBlock& motion, std::span<const ResultColumn> results) {
    const std::size_t n = arm->dof();
    resize(of_torque, 3 * n * n, motion.rows);
    torque(motion, places(of_torque));
    resize(pivots, n, motion.rows);
    std::vector<ResultColumn> all(results.begin(), results.end());
    append(all, places(pivots));
    std::vector<std::size_t> left;
    if (accelerations.run(motion.rows, {places(std::as_const(of_torque))}, {}, all)) {
      left = where(motion.rows, [&](std::size_t row) { return is_doubtful(motion, row); });
    } else {
      left = in_order(motion.rows);
    }
    compute(motion, left, results,
            [](DynamicsDerivatives& derivatives, const MotionState& x, const Wrench& wrench,
               const auto& part) {
              derivatives.acceleration(x, wrench, {part(0), part(1), part(2)});
            });
  }

  /// Tests whether a pivot may be rounding, which the single call decides.
  bool is_doubtful(const MotionBlock& motion, std::size_t row) {
    const std::size_t n = arm->dof();
    q.resize(n);
    bounds.resize(n);
    for (std::size_t i = 0; i < n; ++i) q[i] = motion.q[i][row];
    bound_inertias_at(q, *arm, drives.rotors.diagonal, bounds);
    for (std::size_t i = 0; i < n; ++i) {
      if (!(pivots[i][row] > 2.0 * pivot_rounding(n) * bounds[i])) return true;
    }
    return false;
  }

  std::shared_ptr<const Arm> arm;
  DriveDerivatives drives;
  ProgramRunner torques, accelerations;
  Columns of_torque, pivots;
  std::vector<double> q, bounds;
};

BlockDynamicsDerivatives::BlockDynamicsDerivatives(const Arm& arm)
    : workspace_(std::in_place, arm) {}

namespace {

std::vector<ResultColumn> three(const Arm& arm, const MotionBlock& motion,
                                std::span<const ResultColumn> first,
                                std::span<const ResultColumn> second,
                                std::span<const ResultColumn> third) {
  require_columns(arm.dof(), {motion.q, motion.qd, motion.qdd}, motion.wrench);
  std::vector<ResultColumn> all;
  for (const std::span<const ResultColumn>& columns : {first, second, third}) {
    require(columns.size() == arm.dof() * arm.dof(),
            "derivatives need one column for each row and column of theirs");
    append(all, columns);
  }
  return all;
}

}  // namespace

void BlockDynamicsDerivatives::torque(const MotionBlock& motion, std::span<const ResultColumn> dq,
                                      std::span<const ResultColumn> dqd,
                                      std::span<const ResultColumn> dqdd) {
  workspace_->torque(motion, three(*workspace_->arm, motion, dq, dqd, dqdd));
}

void BlockDynamicsDerivatives::acceleration(const MotionBlock& motion,
                                            std::span<const ResultColumn> dq,
                                            std::span<const ResultColumn> dqd,
                                            std::span<const ResultColumn> dtau) {
  workspace_->acceleration(motion, three(*workspace_->arm, motion, dq, dqd, dtau));
}

TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state,
                                     const Wrench& wrench) {
  const std::size_t n = arm.dof();
  std::vector<double> dq(n * n), dqd(n * n), dqdd(n * n);
  DynamicsDerivatives(arm).torque(state, wrench, {dq, dqd, dqdd});
  return {{n, n, std::move(dq)}, {n, n, std::move(dqd)}, {n, n, std::move(dqdd)}};
}

}  // namespace armdyn
