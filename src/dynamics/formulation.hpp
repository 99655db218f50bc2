#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <stdexcept>

#include "dynamics/lagrange.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"

// The formulations of the inverse dynamics. A new one is its algorithm and a row here.

namespace armdyn {

/// The torque of the links, without friction and rotors, by one formulation that owns its
/// workspace. `hand` may be null. The arm may differ in gravity from the one that it was made for.
template <class S>
using Formulation = std::function<void(const Arm&, const MotionOf<S>&,
                                       const ForceAndMoment<S>* hand, std::span<S> tau)>;

/// A formulation on the scalar S.
template <class S>
struct FormulationRow {
  Method method;
  std::string_view name;
  Formulation<S> (*read)(const Arm&);
  /// Forms a joint's frame as the formulation does, for what that alone costs.
  void (*form_frame)(const Link&, const S& q);
};

/// A recursion that needs nothing but what it knows of each link.
template <class S, class Link, auto algorithm>
Formulation<S> read_recursion(const Arm& arm) {
  return [links = std::vector<Link>(arm.dof())](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* hand,
             std::span<S> tau) mutable { algorithm(a, x.q, x.qd, x.qdd, hand, links, tau); };
}

template <class S>
Formulation<S> read_modified_newton_euler(const Arm& arm) {
  return [K = mass_spreads(arm), links = std::vector<ModifiedLinkState<S>>(arm.dof())](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* hand,
             std::span<S> tau) mutable {
    modified_newton_euler<S>(a, K, x.q, x.qd, x.qdd, hand, links, tau);
  };
}

template <class S>
Formulation<S> read_lagrange(const Arm& arm) {
  return [matrices = LagrangeMatrices<S>(arm)](
             const Arm& a, const MotionOf<S>& x, const ForceAndMoment<S>* hand,
             std::span<S> tau) mutable { lagrange<S>(a, matrices, x.q, x.qd, x.qdd, hand, tau); };
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

}  // namespace armdyn
