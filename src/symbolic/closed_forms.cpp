#include "symbolic/closed_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include <armdyn/error.hpp>

#include "dynamics/lagrange.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/regressor_columns.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

using S = SymbolicNumber;

/// Coefficient of exactly this product of velocities or accelerations.
SymbolicNumber coefficient(const SymbolicNumber& of, const std::vector<Symbol>& rates) {
  Monomial wanted;
  for (const Symbol rate : rates) wanted = wanted * Monomial{{rate, 1}};
  std::vector<Term> found;
  for (const auto& [monomial, k] : of.terms()) {
    const Monomial own = only(monomial, is_rate);
    if (own == wanted) found.push_back({monomial * inverse(own), k});
  }
  return SymbolicNumber(found);
}

/// Coefficient of q̇_j q̇_k in τ_i: 2 Γ_ijk, and Γ_ijj for j = k.
SymbolicNumber velocity_coefficient(const SymbolicArm& arm, const SymbolicNumber& tau,
                                    std::size_t j, std::size_t k) {
  return coefficient(tau, {arm.qd_symbols[j], arm.qd_symbols[k]});
}

std::string index(const SymbolicArm& arm, std::size_t i, std::size_t j) {
  return fmt::format("{}{}{}", i + 1, arm.q.size() > 9 ? "," : "", j + 1);
}

S rotor_inertia(const DriveOf<S>& drive) {
  return drive.motor.rotor_inertia;
}

/// Adds the torques of drives on rows, that number times their rates (31.2), (31.3).
void add_row_drives(const SymbolicArm& arm, S (*number)(const DriveOf<S>&),
                    std::span<const S> rates, std::vector<S>& tau) {
  for (const RowDriveOf<S>& one : arm.constants.row_drives) {
    const S torque = number(one.drive) * row_rate<S>(one.row, rates);
    act_by_row<S>(one.row, torque, adding_to(tau));
  }
}

/// Adds the torques of the rotors (9.5).
void add_rotors(const SymbolicArm& arm, std::span<const S> qdd, std::vector<S>& tau) {
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = tau[i] + arm.rotors[i] * qdd[i];
  add_row_drives(arm, rotor_inertia, qdd, tau);
}

// Parts of τ as section 2 defines them, with zeros in place of the other parts' inputs.

std::vector<S> newton_euler_of(const SymbolicArm& arm, bool moves, bool accelerates, bool weighs) {
  const std::vector<S> zero(arm.q.size());
  const std::vector<S>& qdd = accelerates ? arm.qdd : zero;
  std::vector<S> tau = links_torque<S>(weighs ? arm.constants : gravity_removed(arm.constants),
                                       arm.q, moves ? arm.qd : zero, qdd);
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

/// Adds viscous friction of joints and motors (4.1), (4.2).
std::vector<S> with_viscous_friction(const SymbolicArm& arm, std::vector<S> tau) {
  for (std::size_t i = 0; i < tau.size(); ++i) {
    tau[i] = tau[i] + viscous_friction(arm.constants.drives[i]) * arm.qd[i];
  }
  add_row_drives(arm, viscous_friction<S>, arm.qd, tau);
  return tau;
}

std::vector<ClosedForm> numbered(const std::string& symbol, std::vector<SymbolicNumber> values) {
  return each(in_order(values.size()), [&](std::size_t i) -> ClosedForm {
    return {symbol, std::to_string(i + 1), std::move(values[i])};
  });
}

// --- Small matrices of polynomials

using Rows = MatrixOf<SymbolicNumber>;

/// The matrix without a row and a column.
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

/// Factors of a determinant: sines and cosines of sums of joints, entries of the matrix, and what
/// remains (20.8).
std::vector<S> factors_of(const SymbolicArm& arm, const Rows& A) {
  std::vector<S> candidates, factors;
  for (const ParallelJoints& group : arm.parallel) {
    for (std::size_t i = 0; i < group.joints.size(); ++i) {
      S angle;
      for (std::size_t j = i; j < group.joints.size(); ++j) {
        angle = angle + static_cast<double>(group.sign(i, j)) * arm.q[group.joints[j]];
        const auto [s, c] = sin_cos(angle);
        candidates.insert(candidates.end(), {s, c});
      }
    }
  }
  for (const S& entry : A.entries()) {
    if (entry.terms().size() < 2) continue;
    candidates.push_back(entry.terms()[0].coefficient < 0 ? -entry : entry);
  }
  S det = determinant(A);
  for (const S& one : candidates) {
    for (auto rest = exact_quotient(det, one); rest; rest = exact_quotient(det, one)) {
      det = *std::move(rest);
      factors.push_back(one);
    }
  }
  factors.push_back(std::move(det));
  return factors;
}

/// The matrix, each entry over the lowest powers of its divisors.
Rows reduced(const Rows& A) {
  return {A.rows(), A.columns(), each(A.entries(), [](const S& entry) {
            const auto [above, below] = reduced(entry);
            return above * S({Term{below, 1}});
          })};
}

Rows inverse(const SymbolicArm& arm, const Rows& A) {
  SymbolicNumber one_over_det = 1.0;
  for (const S& one : factors_of(arm, A)) one_over_det = one_over_det / one;
  Rows result(A.rows(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.rows(); ++j) {
      const SymbolicNumber cofactor = determinant(minor(A, i, j)) * one_over_det;
      result(j, i) = (i + j) % 2 == 0 ? cofactor : -cofactor;
    }
  }
  return reduced(result);
}

// --- The Jacobian

constexpr std::array<const char*, 6> row_names{"vx", "vy", "vz", "ωx", "ωy", "ωz"};

/// The first choice of as many rows as columns whose determinant is not zero; empty if there is none.
std::vector<std::size_t> independent_rows(const Rows& J) {
  std::vector<bool> is_taken(6);
  std::fill_n(is_taken.begin(), J.columns(), true);
  do {
    auto rows = where(6, [&](std::size_t i) { return is_taken[i]; });
    if (!is_zero(determinant(rows_of(J, rows)))) return rows;
  } while (std::prev_permutation(is_taken.begin(), is_taken.end()));
  return {};
}

Rows mass_matrix_of(const SymbolicArm& arm) {
  const std::vector<SymbolicNumber> tau = inertia_part(arm);
  Rows M(tau.size(), tau.size());
  for (std::size_t i = 0; i < tau.size(); ++i) {
    for (std::size_t j = 0; j < tau.size(); ++j) {
      M(i, j) = coefficient(tau[i], {arm.qdd_symbols[j]});
    }
  }
  return M;
}

/// M q̇ (9.9).
Rows momentum_of(const SymbolicArm& arm) {
  return mass_matrix_of(arm) * column(arm.qd);
}

/// C by Christoffel symbols (9.10).
Rows christoffel_of(const SymbolicArm& arm) {
  const std::vector<SymbolicNumber> tau = velocity_part(arm);
  const std::size_t n = tau.size();
  Rows C(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        const SymbolicNumber gamma = velocity_coefficient(arm, tau[i], j, k);
        C(i, j) = C(i, j) + (j == k ? gamma : 0.5 * gamma) * arm.qd[k];
      }
    }
  }
  return C;
}

/// Entries of a square matrix, of a symmetric one its upper half.
std::vector<ClosedForm> entries_of(const SymbolicArm& arm, const char* symbol, const Rows& A,
                                   bool is_symmetric) {
  std::vector<ClosedForm> forms;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = is_symmetric ? i : 0; j < A.rows(); ++j) {
      forms.push_back({symbol, index(arm, i, j), A(i, j)});
      forms.back().place = {{"", i, j, A.rows(), A.rows()}};
    }
  }
  return forms;
}

/// Matrices that multiply products and squares of velocities in each of these torques (9.11).
std::vector<ClosedForm> craig_forms(const SymbolicArm& arm, std::span<const SymbolicNumber> tau,
                                    const std::string& suffix) {
  std::vector<ClosedForm> forms;
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
      forms.back().place = {{"", i, j, n, n}};
    }
  }
  return forms;
}

TaskAxes axes_of(const JacobianView& view) {
  return view.axes.value_or(TaskAxes::base);
}

/// Adds the rows of a Jacobian, of a link that of its number.
void add_jacobian(const std::string& link, const Rows& J, std::vector<ClosedForm>& forms) {
  const std::string of = link.empty() ? "" : link + ",";
  for (std::size_t i = 0; i < 6; ++i) {
    const bool is_left_out = std::ranges::all_of(J.row(i), is_zero);
    for (std::size_t j = 0; j < J.columns(); ++j) {
      forms.push_back({"J",
                       fmt::format("{}{},{}", of, row_names[i], j + 1),
                       J(i, j),
                       {},
                       is_left_out,
                       {{link, i, j, 6, J.columns()}}});
    }
  }
}

std::vector<ClosedForm> jacobian_forms(const SymbolicArm& arm, const JacobianView& view) {
  std::vector<ClosedForm> forms;
  add_jacobian("", tool_jacobian<S>(arm.constants, arm.q, axes_of(view)), forms);
  return forms;
}

std::vector<ClosedForm> link_jacobian_forms(const SymbolicArm& arm, const JacobianView& view) {
  std::vector<ClosedForm> forms;
  for (std::size_t link = 0;
       const Rows& J : link_jacobians<S>(arm.constants, arm.q, view.point, axes_of(view))) {
    add_jacobian(std::to_string(++link), J, forms);
  }
  return forms;
}

std::vector<ClosedForm> recursion_forms(const SymbolicArm& arm, const JacobianView& view) {
  if (!arm.constants.is_serial()) {
    throw Error(
        "the recursion is written for one chain; a mechanism has one for each of its chains");
  }
  const auto links_moving = worked_recursion<S>(arm.constants, arm.q, arm.qd, arm.qdd).links;
  const std::vector<Frame<S>> frames = link_frames<S>(arm.constants, arm.q);
  const std::vector<Frame<S>> own = table_frames<S>(arm.constants, frames);
  const auto axes = view.axes.value_or(TaskAxes::link);
  std::vector<ClosedForm> forms;
  const auto add = [&](const char* symbol, const char* latex, std::size_t i, const Vec<S>& v) {
    const std::array entries = coordinates(
        axes == TaskAxes::link
            ? v
            : transposed_times(axes_of<S>(arm.constants, frames, i, axes), own[i].R * v));
    for (std::size_t k = 0; k < 3; ++k) {
      forms.push_back({symbol, fmt::format("{},{}", i + 1, "xyz"[k]), entries[k], latex});
    }
  };
  const std::size_t n = arm.q.size();
  const std::vector<LinkVectors<S>> links = each(in_order(n), [&](std::size_t i) {
    return shown_vectors(arm.constants, i, arm.q[i], links_moving[i]);
  });
  for (std::size_t i = 0; i < n; ++i) {
    const LinkVectors<S>& x = links[i];
    add("ω", "\\omega_{{{}}}", i, x.omega);
    add("ω̇", "\\dot{{\\omega}}_{{{}}}", i, x.omega_dot);
    add("v̇", "\\dot{{v}}_{{{}}}", i, x.v_dot);
    add("v̇C", "\\dot{{v}}_{{C{}}}", i, x.v_dot_com);
    add("F", "F_{{{}}}", i, x.F);
    add("N", "N_{{{}}}", i, x.N);
  }
  for (std::size_t i = n; i-- > 0;) {
    add("f", "f_{{{}}}", i, links[i].force);
    add("n", "n_{{{}}}", i, links[i].moment);
  }
  append(forms, numbered("τ", with_viscous_friction(arm, torque_by_newton_euler(arm))));
  return forms;
}

std::vector<ClosedForm> frame_entries(const std::string& joint, const Frame<S>& T) {
  const std::string of = joint.empty() ? "" : joint + ",";
  const Matrix4<S> A = homogeneous<S>(T);
  std::vector<ClosedForm> forms;
  std::size_t k = 0;
  for (const Row4<S>& row : {A.x, A.y, A.z}) {
    for (const S& entry : {row.x, row.y, row.z, row.w}) {
      forms.push_back({"T", fmt::format("{}{}{}", of, k / 4 + 1, k % 4 + 1), entry});
      forms.back().place = {{joint, k / 4, k % 4, 4, 4}};
      ++k;
    }
  }
  return forms;
}

std::vector<ClosedForm> frame_forms(const SymbolicArm& arm) {
  std::vector<ClosedForm> forms;
  const std::vector<Frame<S>> frames = table_joint_frames<S>(arm.constants, arm.q);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    append(forms, frame_entries(std::to_string(i + 1), frames[i]));
  }
  return forms;
}

/// Kinetic energies of the links, of a mechanism's followers behind the others.
std::vector<S> kinetic_energies(const ArmOf<S>& arm, std::span<const S> q, std::span<const S> qd) {
  if (!arm.is_serial()) {
    const auto of_chains = each(arm.chains, [&](const auto& chain) {
      return kinetic_energies(chain.arm, joint_positions<S>(chain.rows, q),
                              joint_rates<S>(chain.rows, qd));
    });
    return each(in_order(number_of_bodies(arm)), [&](std::size_t k) {
      const auto [c, link] = chain_link(arm, k);
      return of_chains[c][link];
    });
  }
  const std::vector<Frame<S>> frames = link_frames<S>(arm, q);
  const std::vector<Twist<S>> links = link_velocities<S>(arm, frames, qd);
  return each(in_order(arm.dof()), [&](std::size_t i) -> S {
    const auto& [mass, com, inertia] = arm.links[i].body;
    const Vec<S> v = moved_by(frames[i].R * com, links[i]).v;
    const Vec<S> omega = transposed_times(frames[i].R, links[i].omega);
    return 0.5 * mass * dot(v, v) + 0.5 * dot(omega, inertia * omega);
  });
}

std::vector<ClosedForm> kinetic_forms(const SymbolicArm& arm) {
  std::vector<ClosedForm> forms = numbered("k", kinetic_energies(arm.constants, arm.q, arm.qd));
  const Rows momentum = momentum_of(arm);
  S twice;
  for (std::size_t i = 0; i < arm.q.size(); ++i) twice = twice + momentum(i, 0) * arm.qd[i];
  forms.push_back({"K", "", 0.5 * twice});  // (9.6)
  return forms;
}

std::vector<ClosedForm> potential_forms(const SymbolicArm& arm) {
  std::vector<ClosedForm> forms = numbered(
      "u", each(in_order(number_of_bodies(arm.constants)),
                [&](std::size_t k) { return link_potential_energy<S>(arm.constants, k, arm.q); }));
  forms.push_back({"U", "", potential_energy_at<S>(arm.constants, arm.q)});
  return forms;
}

/// Energies and the slopes of (20.5).
std::vector<ClosedForm> lagrangian_forms(const SymbolicArm& arm) {
  std::vector<ClosedForm> forms = kinetic_forms(arm);
  append(forms, potential_forms(arm));
  const Rows momentum = momentum_of(arm);
  const Rows dK = transposed(christoffel_of(arm)) * column(arm.qd);
  const std::vector<S> inertia = inertia_part(arm), V = velocity_part(arm), G = gravity_part(arm);
  const std::vector<S> friction = with_viscous_friction(arm, std::vector<S>(G.size()));
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    const S rate = inertia[i] + V[i] + dK(i, 0), dL = dK(i, 0) - G[i];
    const auto add = [&](const char* symbol, const char* latex, const S& value) {
      forms.push_back({symbol, std::to_string(i + 1), value, latex});
    };
    add("∂L/∂q̇", "\\frac{{\\partial L}}{{\\partial \\dot{{q}}_{{{}}}}}", momentum(i, 0));
    add("d/dt ∂L/∂q̇", "\\frac{{d}}{{dt}}\\frac{{\\partial L}}{{\\partial \\dot{{q}}_{{{}}}}}",
        rate);
    add("∂L/∂q", "\\frac{{\\partial L}}{{\\partial q_{{{}}}}}", dL);
    add("τ", "\\tau_{{{}}}", rate - dL + friction[i]);
  }
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
      const std::size_t body = k / body_parameters;
      const DynamicParameter parameter{static_cast<ParameterKind>(k % body_parameters), body,
                                       body == number_of_bodies(arm.constants)};
      forms.push_back(
          {"Y", fmt::format("{},{}", i + 1, name(parameter)), entry, {}, is_zero(entry)});
    }
  }
  return forms;
}

/// A column of Y, and the arm's value of what it multiplies.
struct ParameterColumn {
  std::vector<S> torques;
  S value;
};

/// Ten parameters of the body of a link, in axes {i}.
std::array<S, body_parameters> body_values(const ArmOf<S>& arm, std::size_t k) {
  if (!arm.is_serial()) {
    const auto [c, link] = chain_link(arm, k);
    return body_values(arm.chains[c].arm, link);
  }
  const auto& [mass, com, inertia] = arm.links[k].body;
  const SymMat<S> about = inertia + point_inertia(mass, com);
  return {mass,     mass * com.x, mass * com.y, mass * com.z, about.xx,
          about.yy, about.zz,     about.xy,     about.yz,     about.xz};
}

/// The arm with its table's frames in the links' axes {i}.
ArmOf<S> with_frames_on_axes(ArmOf<S> arm) {
  std::ranges::fill(arm.user_frame, Frame<S>{constant<S>(Mat3{}), {}});
  for (ChainOf<S>& chain : arm.chains) chain.arm = with_frames_on_axes(std::move(chain.arm));
  return arm;
}

/// Columns of the bodies on axes {i}, of rotors, viscous friction and springs, without those that
/// vanish.
std::vector<ParameterColumn> parameter_columns(const SymbolicArm& arm) {
  const std::size_t n = arm.q.size();
  std::vector<ModifiedLinkState<S>> links(n);
  const std::vector<S> bodies = link_columns<S, S>(with_frames_on_axes(arm.constants), false,
                                                   {arm.q, arm.qd, arm.qdd}, links);
  std::vector<ParameterColumn> columns;
  for (std::size_t k = 0; k < number_of_bodies(arm.constants) * body_parameters; ++k) {
    const auto begin = bodies.begin() + static_cast<std::ptrdiff_t>(k * n);
    columns.push_back({{begin, begin + static_cast<std::ptrdiff_t>(n)},
                       body_values(arm.constants, k / body_parameters).at(k % body_parameters)});
  }
  for (const ArmSpringOf<S>& spring : arm.constants.springs) {
    const auto add_spring = [&](const SpringPieceOf<S>& unit, const S& value) {
      ArmOf<S> sprung = arm.constants;
      sprung.springs = {spring};
      sprung.springs.front().pieces = {unit};
      columns.push_back({std::vector<S>(n), value});
      springs_torque<S>(sprung, arm.q, columns.back().torques);
    };
    const SpringPieceOf<S>& piece = spring.pieces.front();
    add_spring({piece.from, S(0.0), S(1.0), S(0.0)}, piece.stiffness);
    if (!spring.row.joints.empty()) add_spring({piece.from, S(1.0), S(0.0), S(0.0)}, piece.load);
  }
  const auto add = [&](std::size_t joint, const S& rate, const S& value) {
    columns.push_back({std::vector<S>(n), value});
    columns.back().torques[joint] = rate;
  };
  for (std::size_t i = 0; i < n; ++i) {
    add(i, arm.qdd[i], arm.rotors[i]);
    add(i, arm.qd[i], viscous_friction(arm.constants.drives[i]));
  }
  for (const auto& [number, rates] :
       {std::pair{&rotor_inertia, &arm.qdd}, std::pair{&viscous_friction<S>, &arm.qd}}) {
    for (const RowDriveOf<S>& one : arm.constants.row_drives) {
      columns.push_back({std::vector<S>(n), number(one.drive)});
      act_by_row<S>(one.row, row_rate<S>(one.row, *rates), adding_to(columns.back().torques));
    }
  }
  std::erase_if(columns, [](const ParameterColumn& one) {
    return std::ranges::all_of(one.torques, is_zero);
  });
  return columns;
}

/// Coefficients of the products of state variables in these columns, a row for each product and
/// joint; rows that are alike once.
std::vector<std::vector<S>> coefficients_of_states(const SymbolicArm& arm,
                                                   const std::vector<ParameterColumn>& columns) {
  std::map<std::pair<std::size_t, Monomial>, std::vector<std::vector<Term>>> found;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      for (const auto& [monomial, coefficient] : columns[k].torques[i].terms()) {
        Monomial state = monomial, rest = monomial;
        std::erase_if(state, [&](const Factor& f) { return !is_of_state(arm, f.symbol); });
        std::erase_if(rest, [&](const Factor& f) { return is_of_state(arm, f.symbol); });
        auto& row = found[{i, state}];
        row.resize(columns.size());
        row[k].push_back({rest, coefficient});
      }
    }
  }
  std::vector<std::vector<S>> rows;
  for (auto& [state, terms] : found) {
    std::vector<S> row = each(terms, [](const std::vector<Term>& of) { return S(of); });
    const auto first = std::ranges::find_if_not(row, is_zero);
    const S scale = first->terms().size() == 1 ? *first : S(1.0);
    for (S& entry : row) entry = entry / scale;
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
  }
  return rows;
}

/// Base parameters: a parameter whose column is a combination of columns before it is added to
/// theirs (20.7). Those that are zero on this arm are left out.
std::vector<ClosedForm> base_parameter_forms(const SymbolicArm& arm) {
  std::vector<ParameterColumn> columns = parameter_columns(arm);
  std::vector<std::vector<S>> rows = coefficients_of_states(arm, columns);
  std::vector<std::pair<std::size_t, std::size_t>> bases;  // row, column
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::size_t pivot = rows.size();
    for (std::size_t r = bases.size(); r < rows.size(); ++r) {
      const std::size_t terms = rows[r][k].terms().size();
      if (terms > 0 && (pivot == rows.size() || terms < rows[pivot][k].terms().size())) pivot = r;
    }
    if (pivot == rows.size()) {
      for (const auto& [row, base] : bases) {
        columns[base].value = columns[base].value + rows[row][k] * columns[k].value;
      }
      continue;
    }
    std::swap(rows[bases.size()], rows[pivot]);
    const std::size_t row = bases.size();
    const S first = rows[row][k];
    for (S& entry : rows[row]) entry = entry / first;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const S factor = rows[r][k];
      if (r == row || is_zero(factor)) continue;
      for (std::size_t j = k; j < columns.size(); ++j) {
        const S rest = rows[r][j] - factor * rows[row][j];
        rows[r][j] = is_zero(numerator_of(rest)) ? S() : rest;
      }
    }
    bases.emplace_back(row, k);
  }
  std::erase_if(bases, [&](const auto& one) { return is_zero(columns[one.second].value); });
  const bool is_taken = std::ranges::any_of(arm.values, [&](const auto& one) {
    const std::string name = arm.table->name(one.first);
    return name.size() > 1 && name[0] == 'a' && is_digit(name[1]);  // a length a1
  });
  std::vector<ClosedForm> forms =
      numbered(is_taken ? "β" : "a",
               each(bases, [&](const auto& one) { return columns[one.second].value; }));
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    for (std::size_t k = 0; k < bases.size(); ++k) {
      const S& entry = columns[bases[k].second].torques[i];
      forms.push_back({"Y", fmt::format("{},{}", i + 1, k + 1), entry, {}, is_zero(entry)});
    }
  }
  return forms;
}

std::vector<ClosedForm> torque_forms(const SymbolicArm& arm) {
  return numbered("τ", with_viscous_friction(arm, torque_by_newton_euler(arm)));
}

std::vector<ClosedForm> cartesian_forms(const SymbolicArm& arm, const JacobianView& view) {
  const std::size_t n = arm.q.size();
  const Rows all = tool_jacobian<S>(arm.constants, arm.q, axes_of(view));
  const std::vector<std::size_t> rows = n <= 3 ? independent_rows(all) : std::vector<std::size_t>();
  if (rows.empty()) {
    throw Error(n > 3 ? "Cartesian forms are for arms of up to three joints; inspect has values"
                      : "no rows of the Jacobian are independent: there is no Cartesian form");
  }
  const Rows J = rows_of(all, rows);
  const Rows J_dot =
      rows_of(tool_jacobian_rate<S>(arm.constants, arm.q, arm.qd, axes_of(view)), rows);
  const Rows M = mass_matrix_of(arm);
  Rows V = column(velocity_part(arm));
  const Rows J_inverse = inverse(arm, J), J_transposed_inverse = transposed(J_inverse);
  const Rows M_x = J_transposed_inverse * reduced(M * J_inverse);  // (9.13)
  const Rows bias = M * reduced(J_inverse * (J_dot * column(arm.qd)));
  for (std::size_t i = 0; i < n; ++i) V(i, 0) = V(i, 0) - bias(i, 0);
  V = reduced(V);
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
  append(forms, craig_forms(arm, V.entries(), "x"));
  return forms;
}

/// Forms that are the same in every view.
template <auto forms>
std::vector<ClosedForm> of_all(const SymbolicArm& arm, const JacobianView& /*view*/) {
  return forms(arm);
}

}  // namespace

std::vector<SymbolicNumber> torque_by_newton_euler(const SymbolicArm& arm) {
  return newton_euler_of(arm, true, true, true);
}

std::vector<SymbolicNumber> torque_by_lagrange(const SymbolicArm& arm) {
  std::vector<S> tau(arm.q.size());
  const auto of_chain = [](const ArmOf<S>& chain, const MotionOf<S>& x, std::span<S> torques) {
    LagrangeMatrices<S, S> matrices(chain);
    lagrange<S>(chain, matrices, x.q, x.qd, x.qdd, nullptr, torques);
  };
  const MotionOf<S> motion{arm.q, arm.qd, arm.qdd};
  if (arm.constants.is_serial()) {
    of_chain(arm.constants, motion, tau);
  } else {
    chains_torque<S>(
        arm.constants, motion, nullptr, tau,
        [&](std::size_t k, const MotionOf<S>& x, const ForceAndMoment<S>*, std::span<S> torques) {
          of_chain(arm.constants.chains[k].arm, x, torques);
        });
  }
  add_rotors(arm, arm.qdd, tau);
  return tau;
}

std::vector<ClosedForm> closed_forms(const SymbolicArm& arm, ClosedEquation what,
                                     const JacobianView& view) {
  static constexpr std::vector<ClosedForm> (*forms[])(const SymbolicArm&, const JacobianView&){
      // in the order of ClosedEquation
      of_all<torque_forms>,
      [](const SymbolicArm& of, const auto&) {
        return entries_of(of, "M", mass_matrix_of(of), true);
      },
      [](const SymbolicArm& of, const auto&) { return numbered("V", velocity_part(of)); },
      [](const SymbolicArm& of, const auto&) { return numbered("G", gravity_part(of)); },
      [](const SymbolicArm& of, const auto&) {
        return entries_of(of, "C", christoffel_of(of), false);
      },
      [](const SymbolicArm& of, const auto&) { return craig_forms(of, velocity_part(of), ""); },
      cartesian_forms,
      jacobian_forms,
      of_all<regressor_forms>,
      of_all<kinetic_forms>,
      of_all<potential_forms>,
      recursion_forms,
      of_all<frame_forms>,
      [](const SymbolicArm& of, const auto&) {
        return frame_entries("", tool_frame_at<S>(of.constants, of.q));
      },
      of_all<lagrangian_forms>,
      link_jacobian_forms,
      of_all<base_parameter_forms>};
  return forms[static_cast<std::size_t>(what)](arm, view);
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
