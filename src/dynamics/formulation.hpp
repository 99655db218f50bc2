#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <stdexcept>

#include "dynamics/lagrange.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"

// The formulations of the inverse dynamics. A new one is its algorithm and a row here.

namespace armdyn {

/// The torque of the links, without friction and rotors, by one formulation that owns its
/// workspace. `wrench` may be null. The arm may differ in gravity from the one that it was made for.
template <class S>
using Formulation = std::function<void(const Arm&, const MotionOf<S>&,
                                       const ForceAndMoment<S>* wrench, std::span<S> tau)>;

/// A formulation on the scalar S.
template <class S>
struct FormulationRow {
  Method method;
  std::string_view name;
  Formulation<S> (*read)(const Arm&);  ///< of a serial arm; read_formulation: of any
  /// Forms a joint's frame as the formulation does, for what that alone costs.
  void (*form_frame)(const Link&, const S& q);
};

/// A recursion that needs nothing but its state of each link.
template <class S, class Link, auto algorithm>
Formulation<S> read_recursion(const Arm& arm) {
  return [links = std::vector<Link>(arm.dof())](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* wrench,
             std::span<S> tau) mutable { algorithm(a, x.q, x.qd, x.qdd, wrench, links, tau); };
}

template <class S>
Formulation<S> read_modified_newton_euler(const Arm& arm) {
  return [K = mass_spreads(arm), links = std::vector<ModifiedLinkState<S>>(arm.dof())](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* wrench,
             std::span<S> tau) mutable {
    modified_newton_euler<S>(a, K, x.q, x.qd, x.qdd, wrench, links, tau);
  };
}

template <class S>
Formulation<S> read_lagrange(const Arm& arm) {
  return [matrices = LagrangeMatrices<S>(arm)](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* wrench,
             std::span<S> tau) mutable { lagrange<S>(a, matrices, x.q, x.qd, x.qdd, wrench, tau); };
}

template <class S>
inline constexpr std::array formulations{
    FormulationRow<S>{Method::newton_euler, "newton-euler",
                      read_recursion<S, LinkState<S>, newton_euler<S, Arm>>,
                      [](const Link& link, const S& q) { joint_frame(link, q); }},
    FormulationRow<S>{Method::modified_newton_euler, "modified-newton-euler",
                      read_modified_newton_euler<S>,
                      [](const Link& link, const S& q) { joint_frame(link, q); }},
    FormulationRow<S>{Method::lagrange, "lagrange", read_lagrange<S>,
                      [](const Link& link, const S& q) { joint_transform(link, q); }},
    FormulationRow<S>{Method::newton_euler_in_base, "newton-euler-in-base",
                      read_recursion<S, BaseLinkState<S>, newton_euler_in_base<S>>,
                      [](const Link& link, const S& q) { joint_frame(link, q); }},
};

/// The formulation that `read` makes of a serial arm, for any arm: of a mechanism in its chains.
template <class S>
Formulation<S> in_chains(const Arm& arm, const auto& read) {
  if (arm.is_serial()) return read(arm);
  auto of_chains = each(arm.chains, [&read](const Chain& chain) { return read(chain.arm); });
  return [of_chains = std::move(of_chains)](const Arm& a, const MotionOf<S>& motion,
                                            const ForceAndMoment<S>* wrench,
                                            std::span<S> tau) mutable {
    chains_torque<S>(
        a, motion, wrench, tau,
        [&](std::size_t k, const MotionOf<S>& x, const ForceAndMoment<S>* at_tool,
            std::span<S> of_chain) { of_chains[k](a.chains[k].arm, x, at_tool, of_chain); });
  };
}
template <class S>
Formulation<S> read_formulation(const FormulationRow<S>& row, const Arm& arm) {
  return in_chains<S>(arm, row.read);
}

/// Throws std::invalid_argument for what is no method.
template <class S>
const FormulationRow<S>& row_of(Method method) {
  for (const FormulationRow<S>& row : formulations<S>) {
    if (row.method == method) return row;
  }
  throw std::invalid_argument("no such formulation");
}

/// The formulation in doubles. Throws std::invalid_argument for what is no method.
[[nodiscard]] Formulation<double> formulation(const Arm& arm, Method method);
/// Likewise, of Newton and Euler by vectors in one register each where the machine has them.
[[nodiscard]] Formulation<double> fastest_formulation(const Arm& arm, Method method);

}  // namespace armdyn
