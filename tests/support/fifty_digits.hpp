#pragma once

#include "math/digits50.hpp"

// The program's texts read with 50 digits, and derivatives taken with them.

namespace armdyn::testing {

/// Digits50 with all of arithmetic, for tests that divide and compare.
using Fifty = Digits50::Number;

struct FiftySinCos {
  Fifty sin, cos;
};

/// Derivative of f at t by central differences; good to 25 digits where f is smooth.
template <class F>
Fifty derivative(const F& f, const Fifty& t) {
  const Fifty h("1e-15");
  return (f(t + h) - f(t - h)) / (2 * h);
}

}  // namespace armdyn::testing

namespace boost::multiprecision {  // where the texts look for it

inline armdyn::testing::FiftySinCos sin_cos(const armdyn::testing::Fifty& x) {
  return {sin(x), cos(x)};
}

}  // namespace boost::multiprecision
