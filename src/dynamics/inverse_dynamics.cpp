#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <iterator>

#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/states.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"
#include "program/program.hpp"

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
  return read_formulation(row_of<double>(method), arm);
}

namespace {

Formulation<double> fastest_of_chain(const Arm& arm, Method method) {
  auto packed = method == Method::newton_euler ? PackedArm::of(arm) : std::nullopt;
  if (!packed) return formulation(arm, method);
  return [links = std::move(*packed)](const Arm& a, const MotionOf<double>& x, const Wrench* wrench,
                                      std::span<double> tau) mutable {
    links.torque(a.v_dot_0, {as_packed(x.q), as_packed(x.qd), as_packed(x.qdd)}, wrench,
                 as_packed(tau));
  };
}

}  // namespace

Formulation<double> fastest_formulation(const Arm& arm, Method method) {
  return in_chains<double>(arm,
                           [method](const Arm& chain) { return fastest_of_chain(chain, method); });
}

struct InverseDynamics::Workspace {
  Workspace(const Arm& with_gravity, Method chosen)
      : arm(with_gravity),
        gravity_removed(armdyn::gravity_removed(with_gravity)),
        driven(driven_joints(with_gravity)),
        links_torque(fastest_formulation(with_gravity, chosen)),
        zero(with_gravity.dof()),
        tau(with_gravity.dof()),
        links(with_gravity.dof()) {}

  Arm arm;
  Arm gravity_removed;
  std::vector<std::size_t> driven;
  Formulation<double> links_torque;
  std::vector<double> zero;
  std::vector<double> tau;
  std::vector<LinkState<double>> links;
};

InverseDynamics::InverseDynamics(const Arm& arm, Method method)
    : workspace_(std::in_place, arm, method) {}

void InverseDynamics::torque(const MotionState& state, const Wrench& wrench,
                             std::span<double> tau) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, tau);
  w.links_torque(w.arm, {state.q, state.qd, state.qdd}, present(wrench), tau);
  for (double& tau_i : tau) tau_i += 0.0;  // no negative zero, as with a drive
  for (const std::size_t i : w.driven) {
    tau[i] += drive_torque<double>(w.arm.drives[i], state.q[i], state.qd[i], state.qdd[i],
                                   direction_of(state.qd[i]));
  }
  row_drive_torques<double>(w.arm.row_drives, state.qd, state.qdd, by_speed, adding_to(tau));
  if (!all_finite(tau))
    refuse_not_finite("the torque of " + joint_name(w.arm, first_not_finite(tau)));
}

void InverseDynamics::terms(const MotionState& state, const Wrench& wrench,
                            const TorqueTerms& out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out.inertia, out.velocity, out.gravity, out.friction, out.rotor,
                        out.wrench);
  w.links_torque(w.gravity_removed, {state.q, w.zero, state.qdd}, nullptr, out.inertia);
  w.links_torque(w.gravity_removed, {state.q, state.qd, w.zero}, nullptr, out.velocity);
  w.links_torque(w.arm, {state.q, w.zero, w.zero}, nullptr, out.gravity);
  w.links_torque(w.gravity_removed, {state.q, w.zero, w.zero}, present(wrench), out.wrench);
  const auto part = [](std::span<double> values) {
    return [values](std::size_t i) -> double& { return values[i]; };
  };
  drive_terms(w.arm, state.q, state.qd, state.qdd, part(out.friction), part(out.rotor));
  for (const std::span<const double> values :
       {out.inertia, out.velocity, out.gravity, out.friction, out.rotor, out.wrench}) {
    if (all_finite(values)) continue;
    refuse_not_finite("a part of the torque of " + joint_name(w.arm, first_not_finite(values)));
  }
}

void InverseDynamics::reactions(const MotionState& state, const Wrench& wrench,
                                std::span<Wrench> out) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  require_one_per_joint(w.arm, out);
  require_reactions(w.arm);
  if (w.arm.is_serial()) {
    newton_euler<double>(w.arm, state.q, state.qd, state.qdd, &wrench, w.links, w.tau);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = joint_reaction(w.arm, i, state.q[i], w.links[i]);
    }
  } else {
    std::ranges::copy(
        joint_reactions<double>(w.arm, {state.q, state.qd, state.qdd}, present(wrench)),
        out.begin());
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!all_finite(stacked(out[i]))) {
      refuse_not_finite("the reaction of " + joint_name(w.arm, i));
    }
  }
}

std::vector<double> torque(const Arm& arm, const MotionState& state, const Wrench& wrench) {
  std::vector<double> tau(arm.dof());
  InverseDynamics(arm).torque(state, wrench, tau);
  return tau;
}

namespace {

// The set-up of packed_arm.cpp, for any machine. Files that are compiled for AVX2 return a Vec<Packed>
// in a register, others in memory: no function that returns one may be shared with that file.

Vec<Packed> packed(const Vec3& v) {
  return {v.x, v.y, v.z};
}
PackedRows packed(const Mat3& A) {
  return {packed(A.row_x), packed(A.row_y), packed(A.row_z)};
}
SymMat<Packed> packed(const SymMat<double>& A) {
  return {A.xx, A.yy, A.zz, A.xy, A.yz, A.xz};
}

}  // namespace

std::optional<PackedArm> PackedArm::of(const Arm& arm) {
  if (!arm.is_serial()) return std::nullopt;
  if (chosen_instruction_set() == InstructionSet::baseline) return std::nullopt;
  return PackedArm(arm);  // a machine with AVX-512 has AVX2
}

PackedArm::PackedArm(const Arm& arm)
    : arm_{{}, arm.v_dot_0, arm.tool},
      composite_{},
      articulated_{},
      offsets_((arm.dof() + 3) / 4),
      states_(arm.dof()),
      joints_(arm.dof()),
      unit_loads_(arm.dof()) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [joint, a, c, s, d, cos_theta, sin_theta, body] = arm.links[i];
    const double along = by_kind(joint, d, 1.0);
    arm_.links.push_back({joint,
                          sin_theta,
                          cos_theta,
                          d,
                          d,
                          {1.0, c, s},
                          {0.0, -s, c},
                          {a, -s * along, c * along},
                          {body.mass, packed(body.com), packed(body.inertia)}});
    const auto [mass, moment, inertia] = composite<double>(body);
    composite_.links.push_back({joint, {{mass, packed(moment), packed(inertia)}}});
    const auto [J, B, A] = articulated<double>(body);
    articulated_.links.push_back({joint, {{packed(J), packed(B), packed(A)}}});
    offsets_[i / 4].sin_theta[i % 4] = sin_theta;
    offsets_[i / 4].cos_theta[i % 4] = cos_theta;
  }
}

}  // namespace armdyn
