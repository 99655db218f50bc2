#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "math/sin_cos.hpp"

// A number of 50 decimal digits, for a reference that doubles are compared with.
//
// An algorithm run on doubles rounds every result to 16 digits, and nobody can see from the
// outside which digits are lost. Run on Digits50, the same algorithm with the same input leaves
// about 34 digits to spare:
//
//     double:     0.1 + 0.2 − 0.3     = 5.551115123125783e-17
//     Digits50:   0.1 + 0.2 − 0.3     = 2.7755575615628914e-17
//
// The second is no rounding: 0.1, 0.2 and 0.3 are the doubles of that name, none of them a
// decimal fraction, and what remains is what they really leave. An arm's constants and a state are
// such doubles, taken as they are; nothing is read again from text.

namespace armdyn {

class Digits50 {
 public:
  using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                               boost::multiprecision::et_off>;

  Digits50() = default;
  explicit Digits50(double exact) : number_(exact) {}
  explicit Digits50(Number number) : number_(std::move(number)) {}

  [[nodiscard]] const Number& number() const { return number_; }

  friend Digits50 operator-(const Digits50& a) { return Digits50(Number(-a.number_)); }
  friend Digits50 operator+(const Digits50& a, const Digits50& b) {
    return Digits50(Number(a.number_ + b.number_));
  }
  friend Digits50 operator-(const Digits50& a, const Digits50& b) {
    return Digits50(Number(a.number_ - b.number_));
  }
  friend Digits50 operator*(const Digits50& a, const Digits50& b) {
    return Digits50(Number(a.number_ * b.number_));
  }
  friend Digits50 operator/(const Digits50& a, const Digits50& b) {
    return Digits50(Number(a.number_ / b.number_));
  }
  friend Digits50 operator+(double a, const Digits50& b) { return Digits50(a) + b; }
  friend Digits50 operator*(double a, const Digits50& b) { return Digits50(a) * b; }
  friend Digits50 operator*(const Digits50& a, double b) { return a * Digits50(b); }
  friend bool operator==(const Digits50& a, double b) { return a.number_ == b; }

 private:
  Number number_;
};

inline Digits50 root(const Digits50& x) {
  return Digits50(Digits50::Number(sqrt(x.number())));
}

inline SinCosOf<Digits50> sin_cos(const Digits50& angle) {
  return {Digits50(Digits50::Number(sin(angle.number()))),
          Digits50(Digits50::Number(cos(angle.number())))};
}

inline double value_of(const Digits50& x) {
  return x.number().convert_to<double>();
}

}  // namespace armdyn
