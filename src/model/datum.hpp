#pragma once

#include <armdyn/robot.hpp>

#include "math/rigid.hpp"

// The numbers of a robot, as a scalar takes them: as the doubles that they are, unless the scalar
// knows more about where they come from. Numbers go by reference: those at one place are one number.

namespace armdyn {

template <class S>
struct Data {
  static S number(const double& x) { return S(x); }
  static S angle(const double& radians) { return S(radians); }
  static SymMat<S> inertia(const MassProperties& body) { return constant<S>(body.inertia); }
};

template <class S>
Vec<S> datum(const Vec3& v) {
  return {Data<S>::number(v.x), Data<S>::number(v.y), Data<S>::number(v.z)};
}

}  // namespace armdyn
