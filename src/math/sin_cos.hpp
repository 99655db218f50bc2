// Sine and cosine with the same bits on every x86 machine and compiler.
//
// Why not std::sin and std::cos: glibc picks an implementation by CPU at run time, and the ones
// with and without FMA differ in the last bit of some results. A simulation that must repeat
// exactly elsewhere therefore needs a sine and cosine of its own, made only of IEEE additions,
// subtractions, multiplications and bit operations. The method is described in sin_cos.cpp.
//
// Accuracy: the largest error found is 0.766 ulp, for sine and cosine alike, among 2 * 10^8 angles,
// most of them where the polynomials are at their worst. The tests allow 0.8 ulp.
#pragma once

namespace armdyn {

template <class S>
struct SinCosOf {
  S sin, cos;
};
using SinCos = SinCosOf<double>;

/// Sine and cosine of `x` radians, for every finite double; NaN for NaN and the infinities.
/// sin is exactly odd and cos exactly even: in particular sin(-0.0) is -0.0.
[[nodiscard]] SinCos sin_cos(double x) noexcept;

}  // namespace armdyn
