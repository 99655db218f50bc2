#pragma once

#include <boost/multiprecision/cpp_dec_float.hpp>

// The program's texts read with 50 digits, and derivatives taken with them.

namespace boost::multiprecision {

using Fifty = number<cpp_dec_float<50>, et_off>;

struct FiftySinCos {
  Fifty sin, cos;
};

inline FiftySinCos sin_cos(const Fifty& x) {
  return {sin(x), cos(x)};
}

}  // namespace boost::multiprecision

namespace armdyn::testing {

using boost::multiprecision::Fifty;

/// Derivative of f at t by central differences; good to 25 digits where f is smooth.
template <class F>
Fifty derivative(const F& f, const Fifty& t) {
  const Fifty h("1e-15");
  return (f(t + h) - f(t - h)) / (2 * h);
}

}  // namespace armdyn::testing
