#pragma once

#include <cmath>
#include <numeric>

namespace armdyn {

/// Maximum of a function that has one in [a, b].
struct Maximum {
  double at = 0.0;
  double value = 0.0;
};

/// Finds it by golden sections, which leave (0.618…)⁶⁰ = 3e-13 of the interval.
template <class F>
Maximum largest_between(double a, double b, const F& f) {
  constexpr double golden = 0.6180339887498949;
  double left = b - golden * (b - a), right = a + golden * (b - a);
  double f_left = f(left), f_right = f(right);
  for (int i = 0; i < 60; ++i) {
    if (f_left < f_right) {
      a = left;
      left = right;
      f_left = f_right;
      right = a + golden * (b - a);
      f_right = f(right);
    } else {
      b = right;
      right = left;
      f_right = f_left;
      left = b - golden * (b - a);
      f_left = f(left);
    }
  }
  return f_left < f_right ? Maximum{right, f_right} : Maximum{left, f_left};
}

/// Finds a sign change of f between a and b, to the last digit.
template <class F>
double zero_between(double a, double b, const F& f) {
  const bool rises = f(a) < 0.0;
  for (;;) {
    const double middle = std::midpoint(a, b);
    if (middle == a || middle == b) return middle;
    ((f(middle) < 0.0) == rises ? a : b) = middle;
  }
}

/// Calls `call` for each real root of c x² + b x + a, computed without cancellation.
template <class Call>
void for_each_root(double a, double b, double c, const Call& call) {
  const double discriminant = b * b - 4.0 * a * c;
  if (discriminant < 0.0) return;
  const double larger = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  if (c != 0.0) call(larger / c);
  if (larger != 0.0) call(a / larger);
}

}  // namespace armdyn
