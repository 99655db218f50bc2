#include "symbolic/closed_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <armdyn/error.hpp>

#include "dynamics/lagrange.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/regressor_columns.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

using S = SymbolicNumber;

/// What stands before a product of velocities or accelerations, and no other.
SymbolicNumber coefficient(const SymbolicNumber& of, const std::vector<Symbol>& rates) {
  Monomial wanted;
  for (const Symbol rate : rates) wanted = wanted * Monomial{{rate, 1}};
  std::vector<Term> found;
  for (const auto& [monomial, k] : of.terms()) {
    Monomial rest, own;
    for (const Factor& factor : monomial) (is_rate(factor.symbol) ? own : rest).push_back(factor);
    if (own == wanted) found.push_back({rest, k});
  }
  return SymbolicNumber(std::move(found));
}

/// 2 Γ_ijk, the coefficient of q̇_j q̇_k, or of j = k Γ_ijj.
SymbolicNumber velocity_coefficient(const SymbolicArm& arm, const SymbolicNumber& tau,
                                    std::size_t j, std::size_t k) {
  return coefficient(tau, {arm.qd_symbols[j], arm.qd_symbols[k]});
}

std::string index(const SymbolicArm& arm, std::size_t i, std::size_t j) {
  return fmt::format("{}{}{}", i + 1, arm.q.size() > 9 ? "," : "", j + 1);
}

/// Aᵀ τ_m of coupled motors, whose torque is such a number times their rate (31.2), (31.3).
void add_coupled_motors(const SymbolicArm& arm, S MotorOf<S>::*number, std::span<const S> rates,
                        std::vector<S>& tau) {
  for (const CoupledMotorsOf<S>& coupled : arm.constants.coupled_motors) {
    for (std::size_t m = 0; m < coupled.motors.size(); ++m) {
      const S torque = coupled.motors[m].*number * motor_rate<S>(coupled, m, rates);
      for (std::size_t j = 0; j < coupled.joints.size(); ++j) {
        S& sum = tau[coupled.joints[j]];
        sum = sum + coupled.ratio(m, j) * torque;
      }
    }
  }
}

/// (9.5)
void add_rotors(const SymbolicArm& arm, std::span<const S> qdd, std::vector<S>& tau) {
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = tau[i] + arm.rotors[i] * qdd[i];
  add_coupled_motors(arm, &MotorOf<S>::rotor_inertia, qdd, tau);
}

// The parts of τ, as section 2 defines them: what is zero takes no time.

std::vector<S> newton_euler_of(const SymbolicArm& arm, bool moves, bool accelerates, bool weighs) {
  ArmOf<S> links = arm.constants;
  if (!weighs) links.v_dot_0 = {};
  const std::vector<S> zero(arm.q.size());
  const std::vector<S>& qdd = accelerates ? arm.qdd : zero;
  std::vector<LinkState<S>> states(arm.q.size());
  std::vector<S> tau(arm.q.size());
  newton_euler<S>(links, arm.q, moves ? arm.qd : zero, qdd, nullptr, states, tau);
  add_rotors(arm, qdd, tau);
  return tau;
}
std::vector<S> inertia_part(const SymbolicArm& arm) {
  return newton_euler_of(arm, false, true, false);
}
std::vector<S> velocity_part(const SymbolicArm& arm) {
  return newton_euler_of(arm, true, false, false);
}
std::vector<S> gravity_part(const SymbolicArm& arm) {
  return newton_euler_of(arm, false, false, true);
}

/// Of joints and motors (4.1), (4.2).
void add_viscous_friction(const SymbolicArm& arm, std::vector<S>& tau) {
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const auto& [friction, motor] = arm.constants.drives[i];
    const S viscous = friction.viscous + motor.gear_ratio * motor.gear_ratio * motor.viscous;
    tau[i] = tau[i] + viscous * arm.qd[i];
  }
  add_coupled_motors(arm, &MotorOf<S>::viscous, arm.qd, tau);
}

std::vector<ClosedForm> numbered(const std::string& symbol, std::vector<SymbolicNumber> values) {
  std::vector<ClosedForm> forms;
  forms.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    forms.push_back({symbol, std::to_string(i + 1), std::move(values[i])});
  }
  return forms;
}

// --- Small matrices of polynomials

using Rows = MatrixOf<SymbolicNumber>;

/// Without a row and a column.
Rows minor(const Rows& A, std::size_t row, std::size_t column) {
  Rows rest(A.rows() - 1, A.columns() - 1);
  for (std::size_t i = 0; i < rest.rows(); ++i) {
    for (std::size_t j = 0; j < rest.columns(); ++j) {
      rest(i, j) = A(i < row ? i : i + 1, j < column ? j : j + 1);
    }
  }
  return rest;
}

SymbolicNumber determinant(const Rows& A) {
  if (A.rows() == 0) return 1.0;
  SymbolicNumber sum;
  for (std::size_t j = 0; j < A.rows(); ++j) {
    if (is_zero(A(0, j))) continue;
    const SymbolicNumber part = A(0, j) * determinant(minor(A, 0, j));
    sum = j % 2 == 0 ? sum + part : sum - part;
  }
  return sum;
}

Rows inverse(const Rows& A) {
  const SymbolicNumber one_over_det = SymbolicNumber(1.0) / determinant(A);
  Rows result(A.rows(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.rows(); ++j) {
      const SymbolicNumber cofactor = determinant(minor(A, i, j)) * one_over_det;
      result(j, i) = (i + j) % 2 == 0 ? cofactor : -cofactor;
    }
  }
  return result;
}

// --- The Jacobian

constexpr std::array<const char*, 6> row_names{"vx", "vy", "vz", "ωx", "ωy", "ωz"};

/// The first rows of which the determinant is not zero, as many as columns.
std::vector<std::size_t> independent_rows(const Rows& J) {
  std::vector<bool> is_taken(6);
  std::fill_n(is_taken.begin(), J.columns(), true);
  do {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 6; ++i) {
      if (is_taken[i]) rows.push_back(i);
    }
    if (!is_zero(determinant(rows_of(J, rows)))) return rows;
  } while (std::prev_permutation(is_taken.begin(), is_taken.end()));
  return {};
}

std::vector<ClosedForm> mass_matrix_forms(const SymbolicArm& arm) {
  const std::vector<SymbolicNumber> tau = inertia_part(arm);
  std::vector<ClosedForm> forms;
  for (std::size_t i = 0; i < tau.size(); ++i) {
    for (std::size_t j = i; j < tau.size(); ++j) {
      forms.push_back({"M", index(arm, i, j), coefficient(tau[i], {arm.qdd_symbols[j]})});
    }
  }
  return forms;
}

std::vector<ClosedForm> christoffel_forms(const SymbolicArm& arm) {
  const std::vector<SymbolicNumber> tau = velocity_part(arm);
  const std::size_t n = tau.size();
  std::vector<ClosedForm> forms;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      SymbolicNumber C;
      for (std::size_t k = 0; k < n; ++k) {
        const SymbolicNumber gamma = velocity_coefficient(arm, tau[i], j, k);
        C = C + (j == k ? gamma : 0.5 * gamma) * arm.qd[k];  // (9.10)
      }
      forms.push_back({"C", index(arm, i, j), std::move(C)});
    }
  }
  return forms;
}

/// The matrices that multiply products and squares of velocities in each of these torques (9.11).
void add_craig_forms(const SymbolicArm& arm, std::span<const SymbolicNumber> tau,
                     const std::string& suffix, std::vector<ClosedForm>& forms) {
  const std::size_t n = arm.q.size();
  for (std::size_t i = 0; i < tau.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        forms.push_back({"B" + suffix, fmt::format("{},{}", i + 1, index(arm, j, k)),
                         velocity_coefficient(arm, tau[i], j, k)});
      }
    }
  }
  for (std::size_t i = 0; i < tau.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      forms.push_back({"C" + suffix, index(arm, i, j), velocity_coefficient(arm, tau[i], j, j)});
    }
  }
}

std::vector<ClosedForm> craig_forms(const SymbolicArm& arm) {
  std::vector<ClosedForm> forms;
  add_craig_forms(arm, velocity_part(arm), "", forms);
  return forms;
}

std::vector<ClosedForm> jacobian_forms(const SymbolicArm& arm) {
  const Rows J = tool_jacobian<S>(arm.constants, arm.q);
  std::vector<ClosedForm> forms;
  for (std::size_t i = 0; i < 6; ++i) {
    if (std::ranges::all_of(J.row(i), is_zero)) continue;
    for (std::size_t j = 0; j < J.columns(); ++j) {
      forms.push_back({"J", fmt::format("{},{}", row_names[i], j + 1), J(i, j)});
    }
  }
  return forms;
}

std::vector<ClosedForm> kinetic_forms(const SymbolicArm& arm) {
  const std::size_t n = arm.q.size();
  std::vector<Frame<S>> frames(n);
  std::vector<Twist<S>> links(n);
  link_frames<S>(arm.constants, arm.q, frames);
  link_velocities<S>(arm.constants, frames, arm.qd, links);
  std::vector<S> k;
  k.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [mass, com, inertia] = arm.constants.links[i].body;
    const Vec<S> v = moved_by(frames[i].R * com, links[i]).v;
    const Vec<S> omega = transposed_times(frames[i].R, links[i].omega);
    k.push_back(0.5 * mass * dot(v, v) + 0.5 * dot(omega, inertia * omega));
  }
  std::vector<ClosedForm> forms = numbered("k", std::move(k));
  const std::vector<S> momentum = inertia_part(arm);  // M q̈
  S twice;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      twice = twice + coefficient(momentum[i], {arm.qdd_symbols[j]}) * arm.qd[i] * arm.qd[j];
    }
  }
  forms.push_back({"K", "", 0.5 * twice});  // (9.6)
  return forms;
}

std::vector<ClosedForm> potential_forms(const SymbolicArm& arm) {
  const std::size_t n = arm.q.size();
  std::vector<Frame<S>> frames(n);
  link_frames<S>(arm.constants, arm.q, frames);
  std::vector<S> u;
  u.reserve(n);
  for (std::size_t i = 0; i < n; ++i) u.push_back(potential_energy<S>(arm.constants, i, frames));
  std::vector<ClosedForm> forms = numbered("u", std::move(u));
  forms.push_back({"U", "", potential_energy<S>(arm.constants, frames)});
  return forms;
}

std::vector<ClosedForm> regressor_forms(const SymbolicArm& arm) {
  const std::size_t n = arm.q.size();
  std::vector<ModifiedLinkState<S>> links(n);
  const std::vector<S> columns = link_columns<S, S>(arm.constants, arm.has_payload,
                                                    {arm.q, arm.qd, arm.qdd}, links);  // (27.2)
  std::vector<ClosedForm> forms;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < columns.size() / n; ++k) {
      const S& entry = columns[k * n + i];
      if (is_zero(entry)) continue;
      const std::size_t body = k / body_parameters;
      const DynamicParameter parameter{static_cast<ParameterKind>(k % body_parameters), body,
                                       body == n};
      forms.push_back({"Y", fmt::format("{},{}", i + 1, name(parameter)), entry});
    }
  }
  return forms;
}

std::vector<ClosedForm> cartesian_forms(const SymbolicArm& arm) {
  const std::size_t n = arm.q.size();
  const Rows all = tool_jacobian<S>(arm.constants, arm.q);
  const std::vector<std::size_t> rows = n <= 3 ? independent_rows(all) : std::vector<std::size_t>();
  if (rows.empty()) {
    throw Error(n > 3 ? "Cartesian forms are for arms of up to three joints; inspect has values"
                      : "no rows of the Jacobian are independent: there is no Cartesian form");
  }
  const Rows J = rows_of(all, rows);
  const Rows J_dot = rows_of(tool_jacobian_rate<S>(arm.constants, arm.q, arm.qd), rows);
  const std::vector<SymbolicNumber> inertia = inertia_part(arm);
  Rows M(n, n), V = column(velocity_part(arm));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) M(i, j) = coefficient(inertia[i], {arm.qdd_symbols[j]});
  }
  const Rows J_inverse = inverse(J), J_transposed_inverse = transposed(J_inverse);
  const Rows M_x = J_transposed_inverse * (M * J_inverse);  // (9.13)
  const Rows bias = M * (J_inverse * (J_dot * column(arm.qd)));
  for (std::size_t i = 0; i < n; ++i) V(i, 0) = V(i, 0) - bias(i, 0);
  const Rows V_x = J_transposed_inverse * V;                          // (9.14)
  const Rows G_x = J_transposed_inverse * column(gravity_part(arm));  // (9.15)

  std::vector<ClosedForm> forms;
  const auto name = [&](std::size_t i) { return std::string(row_names[rows[i]]); };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) forms.push_back({"Mx", name(i) + "," + name(j), M_x(i, j)});
  }
  for (std::size_t i = 0; i < n; ++i) forms.push_back({"Vx", name(i), V_x(i, 0)});
  for (std::size_t i = 0; i < n; ++i) forms.push_back({"Gx", name(i), G_x(i, 0)});
  // Jᵀ V_x = V − M J⁻¹ J̇ q̇ (9.16)
  add_craig_forms(arm, V.entries(), "x", forms);
  return forms;
}

}  // namespace

std::vector<SymbolicNumber> torque_by_newton_euler(const SymbolicArm& arm) {
  return newton_euler_of(arm, true, true, true);
}

std::vector<SymbolicNumber> torque_by_lagrange(const SymbolicArm& arm) {
  LagrangeMatrices<S, S> matrices(arm.constants);
  std::vector<S> tau(arm.q.size());
  lagrange<S>(arm.constants, matrices, arm.q, arm.qd, arm.qdd, nullptr, tau);
  add_rotors(arm, arm.qdd, tau);
  return tau;
}

std::vector<ClosedForm> closed_forms(const SymbolicArm& arm, ClosedEquation what) {
  switch (what) {
    case ClosedEquation::torque: {
      std::vector<SymbolicNumber> tau = torque_by_newton_euler(arm);
      add_viscous_friction(arm, tau);
      return numbered("τ", std::move(tau));
    }
    case ClosedEquation::mass_matrix:
      return mass_matrix_forms(arm);
    case ClosedEquation::velocity:
      return numbered("V", velocity_part(arm));
    case ClosedEquation::gravity:
      return numbered("G", gravity_part(arm));
    case ClosedEquation::christoffel:
      return christoffel_forms(arm);
    case ClosedEquation::craig:
      return craig_forms(arm);
    case ClosedEquation::cartesian:
      return cartesian_forms(arm);
    case ClosedEquation::jacobian:
      return jacobian_forms(arm);
    case ClosedEquation::regressor:
      return regressor_forms(arm);
    case ClosedEquation::kinetic:
      return kinetic_forms(arm);
    case ClosedEquation::potential:
      return potential_forms(arm);
  }
  return {};
}

Equivalence newton_euler_less_lagrange(const SymbolicArm& arm) {
  const std::vector<SymbolicNumber> a = torque_by_newton_euler(arm), b = torque_by_lagrange(arm);
  Equivalence result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.terms.push_back(a[i].terms().size());
    result.left += (a[i] - b[i]).terms().size();
  }
  return result;
}

}  // namespace armdyn
