#pragma once

#include <armdyn/arm.hpp>

#include <vector>

#include "dynamics/composite_body.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

/// As Link, but for the body, of which there is what the torques are linear in.
template <class T>
struct MomentLink {
  JointType joint;
  T a, cos_alpha, sin_alpha, d, cos_theta, sin_theta;
  CompositeBody<T, T> body;
};

/// As Arm. T is a number, or an Expression where the arm's numbers are inputs.
template <class T>
struct MomentArm {
  std::vector<MomentLink<T>> links;
  Vec<T> v_dot_0;

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

/// The arm, an Arm or its ArmConstants, with bodies that have nothing.
template <class T, class A>
MomentArm<T> without_bodies(const A& arm) {
  MomentArm<T> result{{}, arm.v_dot_0};
  result.links.reserve(arm.dof());
  for (const auto& link : arm.links) {
    result.links.push_back({link.joint,
                            link.a,
                            link.cos_alpha,
                            link.sin_alpha,
                            link.d,
                            link.cos_theta,
                            link.sin_theta,
                            {T(0.0), {}, {}}});
  }
  return result;
}

[[nodiscard]] MomentArm<double> moment_arm(const Arm& arm);

/// The same torques with fewer numbers: what of a link moves as a part of the link before is taken
/// to that one, or to the base and away (docs/derivation.md eq. 22.2, 22.3).
[[nodiscard]] MomentArm<double> regrouped(MomentArm<double> arm);

}  // namespace armdyn
