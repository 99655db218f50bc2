#include <armdyn/dynamics.hpp>

#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/joint_reaction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"
#include "dynamics/weightless.hpp"

namespace armdyn {

struct InverseDynamics::Workspace {
  Workspace(const Arm& with_gravity, Method method)
      : arm(with_gravity),
        weightless(armdyn::weightless(with_gravity)),
        links_torque(formulation(with_gravity, method)),
        zero(with_gravity.dof()),
        tau(with_gravity.dof()),
        links(with_gravity.dof()) {}

  Arm arm;
  Arm weightless;
  Formulation<double> links_torque;
  std::vector<double> zero;
  std::vector<double> tau;
  std::vector<LinkState<double>> links;
};

InverseDynamics::InverseDynamics(const Arm& arm, Method method)
    : workspace_(std::make_unique<Workspace>(arm, method)) {}
InverseDynamics::~InverseDynamics() = default;
InverseDynamics::InverseDynamics(InverseDynamics&&) noexcept = default;
InverseDynamics& InverseDynamics::operator=(InverseDynamics&&) noexcept = default;

void InverseDynamics::torque(const MotionState& state, const Wrench& hand, std::span<double> tau) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, tau);
  w.links_torque(w.arm, {state.q, state.qd, state.qdd}, present(hand), tau);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    tau[i] += drive_torque<double>(w.arm.drives[i], state.q[i], state.qd[i], state.qdd[i],
                                   direction_of(state.qd[i]));
  }
}

void InverseDynamics::terms(const MotionState& state, const Wrench& hand, const TorqueTerms& out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out.inertia, out.velocity, out.gravity, out.friction, out.rotor,
                        out.wrench);
  w.links_torque(w.weightless, {state.q, w.zero, state.qdd}, nullptr, out.inertia);
  w.links_torque(w.weightless, {state.q, state.qd, w.zero}, nullptr, out.velocity);
  w.links_torque(w.arm, {state.q, w.zero, w.zero}, nullptr, out.gravity);
  w.links_torque(w.weightless, {state.q, w.zero, w.zero}, present(hand), out.wrench);
  for (std::size_t i = 0; i < w.zero.size(); ++i) {
    const Drive& drive = w.arm.drives[i];
    out.friction[i] = loss_torque(drive, state.q[i], state.qd[i], direction_of(state.qd[i]));
    out.rotor[i] = rotor_torque(drive.motor, state.qdd[i]);
  }
}

void InverseDynamics::reactions(const MotionState& state, const Wrench& hand,
                                std::span<Wrench> out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out);
  newton_euler<double>(w.arm, state.q, state.qd, state.qdd, &hand, w.links, w.tau);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = joint_reaction(w.arm, i, state.q[i], w.links[i]);
  }
}

std::vector<double> torque(const Arm& arm, const MotionState& state, const Wrench& hand) {
  std::vector<double> tau(arm.dof());
  InverseDynamics(arm).torque(state, hand, tau);
  return tau;
}

}  // namespace armdyn
