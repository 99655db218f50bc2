#pragma once

#include <armdyn/arm.hpp>

#include "dynamics/newton_euler.hpp"

namespace armdyn {

/// Force and moment of joint i as shown to a user (docs/derivation.md eq. 3.1): in the axes of the
/// user's {i}, the moment about the point where the joint acts. A standard table's {i−1} lies d
/// behind the link's frame.
template <class S>
ForceAndMoment<S> joint_reaction(const Arm& arm, std::size_t i, const S& q, const LinkState<S>& x) {
  Vec<S> moment = x.moment;
  if (arm.convention == Convention::standard) {
    const Link& link = arm.links[i];
    const S d = link.joint == JointType::prismatic ? link.d + q : S(link.d);
    moment = moment + cross(Vec<S>{S(0.0), S(0.0), d}, x.force);
  }
  const Mat<S> user = constant<S>(arm.user_frame[i].R);
  return {transposed_times(user, x.force), transposed_times(user, moment)};
}

}  // namespace armdyn
