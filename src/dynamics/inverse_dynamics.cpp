#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <iterator>

#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"

namespace armdyn {

static_assert(std::equal(std::begin(all_methods), std::end(all_methods),
                         formulations<double>.begin(), formulations<double>.end(),
                         [](Method method, const FormulationRow<double>& row) {
                           return row.method == method;
                         }),
              "each method has its row in the table of formulations");

std::string_view name(Method method) {
  return row_of<double>(method).name;
}

Formulation<double> formulation(const Arm& arm, Method method) {
  return row_of<double>(method).read(arm);
}

namespace {

bool is_finite(const Wrench& wrench) {
  return all_finite(stacked(wrench));
}

}  // namespace

struct InverseDynamics::Workspace {
  Workspace(const Arm& with_gravity, Method chosen)
      : arm(with_gravity),
        weightless(armdyn::weightless(with_gravity)),
        driven(driven_joints(with_gravity)),
        method(chosen),
        links_torque(formulation(with_gravity, chosen)),
        zero(with_gravity.dof()),
        tau(with_gravity.dof()),
        links(with_gravity.dof()) {}

  void torque(const MotionState& state, const Wrench& hand, std::span<double> out) {
    links_torque(arm, {state.q, state.qd, state.qdd}, present(hand), out);
    for (double& tau_i : out) tau_i += 0.0;  // no negative zero, as with a drive
    for (const std::size_t i : driven) {
      out[i] += drive_torque<double>(arm.drives[i], state.q[i], state.qd[i], state.qdd[i],
                                     direction_of(state.qd[i]));
    }
    coupled_motor_torques<double>(arm.coupled_motors, state.qd, state.qdd, by_speed,
                                  adding_to(out));
  }

  void terms(const MotionState& state, const Wrench& hand, const TorqueTerms& out) {
    links_torque(weightless, {state.q, zero, state.qdd}, nullptr, out.inertia);
    links_torque(weightless, {state.q, state.qd, zero}, nullptr, out.velocity);
    links_torque(arm, {state.q, zero, zero}, nullptr, out.gravity);
    links_torque(weightless, {state.q, zero, zero}, present(hand), out.wrench);
    const auto part = [](std::span<double> values) {
      return [values](std::size_t i) -> double& { return values[i]; };
    };
    drive_terms(arm, state.q, state.qd, state.qdd, part(out.friction), part(out.rotor));
  }

  void reactions(const MotionState& state, const Wrench& hand, std::span<Wrench> out) {
    newton_euler<double>(arm, state.q, state.qd, state.qdd, &hand, links, tau);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = joint_reaction(arm, i, state.q[i], links[i]);
    }
  }

  Arm arm;
  Arm weightless;
  std::vector<std::size_t> driven;
  Method method;
  Formulation<double> links_torque;
  std::vector<double> zero;
  std::vector<double> tau;
  std::vector<LinkState<double>> links;
};

InverseDynamics::InverseDynamics(const Arm& arm, Method method)
    : workspace_(std::in_place, arm, method) {}

void InverseDynamics::torque(const MotionState& state, const Wrench& hand, std::span<double> tau) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, tau);
  w.torque(state, hand, tau);
  if (!all_finite(tau))
    refuse_not_finite("the torque of " + joint_name(w.arm, first_not_finite(tau)));
}

void InverseDynamics::terms(const MotionState& state, const Wrench& hand, const TorqueTerms& out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out.inertia, out.velocity, out.gravity, out.friction, out.rotor,
                        out.wrench);
  w.terms(state, hand, out);
  for (const std::span<const double> part :
       {out.inertia, out.velocity, out.gravity, out.friction, out.rotor, out.wrench}) {
    if (all_finite(part)) continue;
    refuse_not_finite("a part of the torque of " + joint_name(w.arm, first_not_finite(part)));
  }
}

void InverseDynamics::reactions(const MotionState& state, const Wrench& hand,
                                std::span<Wrench> out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out);
  w.reactions(state, hand, out);
  const auto at_fault = std::ranges::find_if_not(out, is_finite);
  if (at_fault == out.end()) return;
  const auto joint = static_cast<std::size_t>(at_fault - out.begin());
  refuse_not_finite("the reaction of " + joint_name(w.arm, joint));
}

std::vector<double> torque(const Arm& arm, const MotionState& state, const Wrench& hand) {
  std::vector<double> tau(arm.dof());
  InverseDynamics(arm).torque(state, hand, tau);
  return tau;
}

}  // namespace armdyn
