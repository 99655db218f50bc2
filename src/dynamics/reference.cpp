#include "dynamics/reference.hpp"

#include <vector>

#include "dynamics/newton_euler.hpp"
#include "math/digits50.hpp"

namespace armdyn {

namespace {

using S = Digits50;

std::vector<S> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TwoDoubles two_doubles(const S& value) {
  const double head = value.number().convert_to<double>();
  return {head, (value - S(head)).number().convert_to<double>()};
}

}  // namespace

void reference_torque(const Arm& arm, const MotionState& state, const Wrench& hand,
                      std::span<TwoDoubles> tau) {
  const std::vector<S> q = exact(state.q), qd = exact(state.qd), qdd = exact(state.qdd);
  const ForceAndMoment<S> outer = constant<S>(hand);
  std::vector<LinkState<S>> links(arm.dof());
  std::vector<S> torque(arm.dof());
  newton_euler<S>(arm, q, qd, qdd, &outer, links, torque);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = two_doubles(torque[i]);
}

}  // namespace armdyn
