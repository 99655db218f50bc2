#pragma once

#include <armdyn/arm.hpp>

#include "math/rigid.hpp"
#include "math/sin_cos.hpp"

namespace armdyn {

/// Where {i} stands in {i−1}: Rx(α) Tx(a) Rz(θ) Tz(d) at joint position q (eq. 1.3-1.4). A revolute
/// joint turns the constant angle by q through the addition theorem, so that right-angle offsets
/// stay exact. The link is a Link, or its constants as another scalar.
template <class S, class L>
Frame<S> joint_frame(const L& link, const S& q) {
  const auto rotation = [&](const S& s, const S& c) {
    return Mat<S>{{c, -s, S(0.0)},
                  {link.cos_alpha * s, link.cos_alpha * c, S(-link.sin_alpha)},
                  {link.sin_alpha * s, link.sin_alpha * c, S(link.cos_alpha)}};
  };
  if (link.joint == JointType::revolute) {
    const auto [s, c] = sin_cos(q);
    return {
        rotation(link.sin_theta * c + link.cos_theta * s, link.cos_theta * c - link.sin_theta * s),
        {S(link.a), S(-link.sin_alpha * link.d), S(link.cos_alpha * link.d)}};
  }
  const S d = link.d + q;
  return {rotation(S(link.sin_theta), S(link.cos_theta)),
          {S(link.a), -link.sin_alpha * d, link.cos_alpha * d}};
}

}  // namespace armdyn
