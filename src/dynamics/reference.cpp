#include "dynamics/reference.hpp"

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "math/digits50.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

using S = Digits50;

std::vector<S> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TwoDoubles two_doubles(const S& value) {
  const double head = value.number().convert_to<double>();
  return {head, (value - S(head)).number().convert_to<double>()};
}

}  // namespace

void reference_torque(const Arm& arm, const MotionState& state, const Wrench& hand,
                      std::span<TwoDoubles> tau) {
  const std::vector<S> q = exact(state.q), qd = exact(state.qd), qdd = exact(state.qdd);
  const ForceAndMoment<S> outer = constant<S>(hand);
  std::vector<LinkState<S>> links(arm.dof());
  std::vector<S> torque(arm.dof());
  newton_euler<S>(arm, q, qd, qdd, &outer, links, torque);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = two_doubles(torque[i]);
}

std::vector<double> gross_loads(const Arm& arm, std::span<const LinkState<double>> links,
                                const Wrench& hand) {
  std::vector<double> loads(arm.dof());
  double force = length(hand.force);
  double moment = length(hand.moment);
  double arm_of_force = length(arm.tool.p);
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const LinkState<double>& x = links[i];
    const auto& [mass, com, inertia] = arm.links[i].body;
    const double turning = length(x.omega_dot) + length(x.omega) * length(x.omega);
    moment += arm_of_force * force + length(com) * length(x.F) +
              largest_magnitude(entries(inertia)) * turning;
    force += length(x.F);
    arm_of_force = length(x.frame.p);
    loads[i] = arm.links[i].joint == JointType::revolute ? moment : force;
  }
  return loads;
}

namespace {

/// Of a symmetric, positive definite matrix.
MatrixOf<S> inverse(const MatrixOf<S>& A) {
  const std::size_t n = A.rows();
  std::vector<S> factors(A.entries().begin(), A.entries().end());
  factor_ltdl<S>(n, factors);
  MatrixOf<S> result(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<S> column(n);
    column[j] = S(1.0);
    solve_ltdl<S>(n, factors, column);
    for (std::size_t i = 0; i < n; ++i) result(i, j) = column[i];
  }
  return result;
}

std::vector<double> nearest(const MatrixOf<S>& A) {
  return each(A.entries(), [](const S& entry) { return entry.number().convert_to<double>(); });
}

/// M with rotors by strobing; `torque(qdd)` is that of the links at rest without gravity.
MatrixOf<S> mass_matrix(const Arm& arm, const auto& torque) {  // (9.20), (9.5)
  const std::size_t n = arm.dof();
  const RotorInertias rotors = rotor_inertias(arm);
  MatrixOf<S> M(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<S> unit(n);
    unit[j] = S(1.0);
    const std::vector<S> inertias = torque(unit);
    for (std::size_t i = 0; i < n; ++i) M(i, j) = inertias[i];
    M(j, j) = rotors.diagonal[j] + M(j, j);
  }
  for (const auto& [i, j, value] : rotors.coupled) {
    M(i, j) = value + M(i, j);
    M(j, i) = value + M(j, i);
  }
  return M;
}

}  // namespace

CartesianReference reference_cartesian(const Arm& arm, std::span<const double> positions,
                                       std::span<const double> velocities,
                                       std::span<const TaskRow> rows) {
  const std::vector<S> q = exact(positions), qd = exact(velocities), zero(arm.dof());
  const Arm links = weightless(arm);
  const auto torque = [&](const Arm& of, const std::vector<S>& rates,
                          const std::vector<S>& accelerations) {
    std::vector<LinkState<S>> states(arm.dof());
    std::vector<S> tau(arm.dof());
    newton_euler<S>(of, q, rates, accelerations, nullptr, states, tau);
    return tau;
  };
  const MatrixOf<S> J = rows_of(tool_jacobian<S>(arm, q), rows), Jt = transposed(J);
  const MatrixOf<S> M =
      mass_matrix(arm, [&](const std::vector<S>& qdd) { return torque(links, zero, qdd); });
  MatrixOf<S> Mx, to_task;
  if (J.rows() == J.columns()) {
    to_task = J * inverse(Jt * J);  // J⁻ᵀ
    Mx = to_task * M * transposed(to_task);
  } else {
    const MatrixOf<S> accelerations = inverse(M) * Jt;  // M⁻¹ Jᵀ
    Mx = inverse(J * accelerations);
    to_task = Mx * transposed(accelerations);
  }
  MatrixOf<S> V = to_task * column(torque(links, qd, zero));
  const MatrixOf<S> drift = Mx * (rows_of(tool_jacobian_rate<S>(arm, q, qd), rows) * column(qd));
  for (std::size_t i = 0; i < rows.size(); ++i) V(i, 0) = V(i, 0) - drift(i, 0);
  return {{Mx.rows(), Mx.columns(), nearest(Mx)},
          nearest(V),
          nearest(to_task * column(torque(arm, zero, zero)))};
}

}  // namespace armdyn
