#include "dynamics/packed_arm.hpp"

#include "math/rigid.hpp"
#include "program/program.hpp"

namespace armdyn {

std::optional<PackedArm> PackedArm::of(const Arm& arm) {
  if (chosen_instruction_set() == InstructionSet::baseline) return std::nullopt;
  return PackedArm(arm);  // a machine with AVX-512 has AVX2
}

PackedArm::PackedArm(const Arm& arm)
    : arm_{{}, arm.v_dot_0, arm.tool},
      composite_{},
      articulated_{},
      offsets_((arm.dof() + 3) / 4),
      states_(arm.dof()),
      joints_(arm.dof()) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [joint, a, c, s, d, cos_theta, sin_theta, body] = arm.links[i];
    const double along = joint == JointType::revolute ? d : 1.0;
    arm_.links.push_back({joint,
                          sin_theta,
                          cos_theta,
                          d,
                          d,
                          {1.0, c, s},
                          {0.0, -s, c},
                          {a, -s * along, c * along},
                          {body.mass, constant<Packed>(body.com), constant<Packed>(body.inertia)}});
    composite_.links.push_back({joint, {composite<Packed>(composite<double>(body))}});
    const auto [J, B, A] = articulated<double>(body);
    articulated_.links.push_back(
        {joint,
         {{constant<Packed>(J),
           {constant<Packed>(B.row_x), constant<Packed>(B.row_y), constant<Packed>(B.row_z)},
           constant<Packed>(A)}}});
    offsets_[i / 4].sin_theta[i % 4] = sin_theta;
    offsets_[i / 4].cos_theta[i % 4] = cos_theta;
  }
}

}  // namespace armdyn
