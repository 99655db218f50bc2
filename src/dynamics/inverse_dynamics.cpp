#include <armdyn/inverse_dynamics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/joint_reaction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/not_finite.hpp"
#include "dynamics/sizes.hpp"
#include "dynamics/strobe.hpp"
#include "math/coordinates.hpp"
#include "math/finite.hpp"

namespace armdyn {

namespace {

bool is_finite(const Wrench& wrench) {
  return all_finite(stacked(wrench));
}

}  // namespace

struct InverseDynamics::Workspace {
  using IsFiniteBy = std::function<bool(Workspace&, const MotionState&, const Wrench&)>;

  Workspace(const Arm& with_gravity, Method chosen)
      : arm(with_gravity),
        weightless(armdyn::weightless(with_gravity)),
        method(chosen),
        links_torque(formulation(with_gravity, chosen)),
        zero(with_gravity.dof()),
        tau(with_gravity.dof()),
        links(with_gravity.dof()) {}

  void torque(const MotionState& state, const Wrench& hand, std::span<double> out) {
    links_torque(arm, {state.q, state.qd, state.qdd}, present(hand), out);
    for (std::size_t i = 0; i < out.size(); ++i) {
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
    for (std::size_t i = 0; i < zero.size(); ++i) {
      const Drive& drive = arm.drives[i];
      out.friction[i] = loss_torque(drive, state.q[i], state.qd[i], direction_of(state.qd[i]));
      out.rotor[i] = rotor_torque(drive.motor, state.qdd[i]);
    }
    coupled_motor_torques<double>(arm.coupled_motors, state.qd, AtRest{}, by_speed,
                                  adding_to(out.friction));
    coupled_motor_torques<double>(arm.coupled_motors, AtRest{}, state.qdd, by_speed,
                                  adding_to(out.rotor));
  }

  void reactions(const MotionState& state, const Wrench& hand, std::span<Wrench> out) {
    newton_euler<double>(arm, state.q, state.qd, state.qdd, &hand, links, tau);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = joint_reaction(arm, i, state.q[i], links[i]);
    }
  }

  /// Refuses a result, found at a joint, by what the same computation makes of other inputs.
  [[noreturn]] void refuse(const char* what, std::size_t joint, const MotionState& state,
                           const Wrench& hand, const IsFiniteBy& is_finite) const {
    refuse_not_finite(fmt::format("{} of {}", what, joint_name(arm, joint)),
                      inputs_of(arm, state, hand), [&](const Inputs& in) {
                        Workspace w(in.arm, method);
                        return is_finite(w, {in.q, in.qd, in.qdd}, in.hand);
                      });
  }

  Arm arm;
  Arm weightless;
  Method method;
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
  w.torque(state, hand, tau);
  if (all_finite(tau)) return;
  w.refuse("the torque", first_not_finite(tau), state, hand,
           [](Workspace& other, const MotionState& at, const Wrench& with) {
             other.torque(at, with, other.tau);
             return all_finite(other.tau);
           });
}

void InverseDynamics::terms(const MotionState& state, const Wrench& hand, const TorqueTerms& out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out.inertia, out.velocity, out.gravity, out.friction, out.rotor,
                        out.wrench);
  w.terms(state, hand, out);
  const auto first = [](const TorqueTerms& terms) {
    std::size_t joint = terms.inertia.size();
    for (const std::span<const double> part : {terms.inertia, terms.velocity, terms.gravity,
                                               terms.friction, terms.rotor, terms.wrench}) {
      joint = std::min(joint, first_not_finite(part));
    }
    return joint;
  };
  const std::size_t joint = first(out);
  if (joint == w.arm.dof()) return;
  w.refuse("a part of the torque", joint, state, hand,
           [&](Workspace& other, const MotionState& at, const Wrench& with) {
             std::vector<double> parts(6 * other.arm.dof());
             const auto part = [&](std::size_t k) {
               return std::span(parts).subspan(k * other.arm.dof(), other.arm.dof());
             };
             other.terms(at, with, {part(0), part(1), part(2), part(3), part(4), part(5)});
             return all_finite(parts);
           });
}

void InverseDynamics::reactions(const MotionState& state, const Wrench& hand,
                                std::span<Wrench> out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out);
  w.reactions(state, hand, out);
  const auto at_fault = std::ranges::find_if_not(out, is_finite);
  if (at_fault == out.end()) return;
  w.refuse("the reaction", static_cast<std::size_t>(at_fault - out.begin()), state, hand,
           [](Workspace& other, const MotionState& at, const Wrench& with) {
             std::vector<Wrench> found(other.arm.dof());
             other.reactions(at, with, found);
             return std::ranges::all_of(found, is_finite);
           });
}

std::vector<double> torque(const Arm& arm, const MotionState& state, const Wrench& hand) {
  std::vector<double> tau(arm.dof());
  InverseDynamics(arm).torque(state, hand, tau);
  return tau;
}

}  // namespace armdyn
