#include "dynamics/packed_arm.hpp"

#include "math/rigid.hpp"
#include "program/program.hpp"

namespace armdyn {

namespace {

// What `constant` does. Files that are compiled for AVX2 return a Vec<Packed> in a register, others
// in memory: no function that returns one may be shared with packed_texts.cpp.

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
