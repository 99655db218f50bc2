#include "math/number192.hpp"

#include <bit>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <limits>
#include <tuple>

namespace armdyn {

namespace {

__extension__ typedef unsigned __int128 Wide;  // __extension__: not ISO C++, hushes -Wpedantic

constexpr int limb = 64;

std::uint64_t high(Wide x) {
  return static_cast<std::uint64_t>(x >> limb);
}
std::uint64_t low(Wide x) {
  return static_cast<std::uint64_t>(x);
}

/// x 2^n.
double scaled_by_power(double x, std::int64_t n) {
  if (std::abs(n) < 900) {
    return x * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52U);
  }
  return std::scalbln(x, static_cast<long>(n));
}

}  // namespace

Number192 Number192::not_a_number() {
  Number192 x;
  x.limbs_.back() = std::uint64_t{1} << 63U;
  x.exponent_ = not_finite;
  return x;
}

Number192::Number192(double x) {
  if (x == 0.0) return;
  if (!std::isfinite(x)) {
    *this = not_a_number();
    return;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  limbs_.back() = static_cast<std::uint64_t>(fraction * 0x1p53) << 11U;
  exponent_ = exponent;
  is_negative_ = x < 0.0;
}

Number192::Number192(const Digits50& x) {
  Digits50 left = x;
  for (int part = 0; part < 4; ++part) {  // of 53 bits each; there are 168
    const auto head = left.number().convert_to<double>();
    *this = *this + Number192(head);
    if (!is_finite()) return;
    left = left - Digits50(head);
  }
}

double Number192::nearest() const {
  if (!is_finite()) return std::numeric_limits<double>::quiet_NaN();
  const bool has_more = (limbs_[0] | limbs_[1]) != 0;  // which decides where the rest is a tie
  const auto head = static_cast<double>(limbs_[2] | static_cast<std::uint64_t>(has_more));
  return scaled_by_power(is_negative_ ? -head : head, exponent_ - limb);
}

Digits50 Number192::digits50() const {
  if (!is_finite()) return Digits50(nearest());
  Digits50::Number sum = 0;
  for (int i = 3; i-- > 0;) {
    const auto part = static_cast<std::size_t>(i);
    sum += ldexp(Digits50::Number(limbs_[part]), static_cast<int>(exponent_) - limb * (3 - i));
  }
  return Digits50(is_negative_ ? Digits50::Number(-sum) : sum);
}

Number192 operator*(const Number192& a, const Number192& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (!a.is_finite() || !b.is_finite()) return Number192::not_a_number();
  const auto product = [&](std::size_t i, std::size_t j) {
    return Wide{a.limbs_[i]} * b.limbs_[j];
  };
  // Limbs 2 to 5 of six, without what those below would carry into the second.
  const Wide p01 = product(0, 1), p10 = product(1, 0), p11 = product(1, 1), p02 = product(0, 2),
             p20 = product(2, 0), p12 = product(1, 2), p21 = product(2, 1), p22 = product(2, 2);
  const Wide second = Wide{high(p01)} + high(p10) + low(p11) + low(p02) + low(p20);
  const Wide third = Wide{high(second)} + high(p11) + high(p02) + high(p20) + low(p12) + low(p21);
  const Wide fourth = Wide{high(third)} + high(p12) + high(p21) + low(p22);
  const std::uint64_t fifth = high(fourth) + high(p22);

  Number192 x;
  x.is_negative_ = a.is_negative_ != b.is_negative_;
  x.exponent_ = a.exponent_ + b.exponent_;
  if (fifth >> 63U != 0) {
    x.limbs_ = {low(third), low(fourth), fifth};
  } else {
    x.limbs_ = {low(third) << 1U | low(second) >> 63U, low(fourth) << 1U | low(third) >> 63U,
                fifth << 1U | low(fourth) >> 63U};
    --x.exponent_;
  }
  return x;
}

Number192 operator+(const Number192& first, const Number192& second) {
  if (!first.is_finite() || !second.is_finite()) return Number192::not_a_number();
  if (first.is_zero()) return second;
  if (second.is_zero()) return first;
  const bool is_swapped =
      std::tie(first.exponent_, first.limbs_[2], first.limbs_[1], first.limbs_[0]) <
      std::tie(second.exponent_, second.limbs_[2], second.limbs_[1], second.limbs_[0]);
  const Number192 &a = is_swapped ? second : first, &b = is_swapped ? first : second;
  const auto shift = static_cast<std::uint64_t>(a.exponent_ - b.exponent_);
  if (shift > 192) return a;

  // With one more limb below, which holds all that is shifted where much may cancel.
  using Four = std::array<std::uint64_t, 4>;
  const Four large{0, a.limbs_[0], a.limbs_[1], a.limbs_[2]};
  const Four unshifted{0, b.limbs_[0], b.limbs_[1], b.limbs_[2]};
  Four small{};
  const std::size_t limbs = shift / limb, bits = shift % limb;
  for (std::size_t i = 0; i + limbs < 4; ++i) {
    small[i] = unshifted[i + limbs] >> bits;
    if (bits != 0 && i + limbs + 1 < 4) small[i] |= unshifted[i + limbs + 1] << (limb - bits);
  }

  Four sum{};
  const bool adds = a.is_negative_ == b.is_negative_;
  std::uint64_t carry = adds ? 0 : 1;  // −x is ~x + 1
  for (std::size_t i = 0; i < 4; ++i) {
    const Wide total = Wide{large[i]} + (adds ? small[i] : ~small[i]) + carry;
    sum[i] = low(total);
    carry = high(total);
  }

  Number192 x;
  x.is_negative_ = a.is_negative_;
  x.exponent_ = a.exponent_;
  if (adds && carry != 0) {
    ++x.exponent_;
    x.limbs_ = {sum[1] >> 1U | sum[2] << 63U, sum[2] >> 1U | sum[3] << 63U,
                sum[3] >> 1U | std::uint64_t{1} << 63U};
    return x;
  }
  std::size_t zeros = 0;  // limbs
  while (zeros < 4 && sum[3 - zeros] == 0) ++zeros;
  if (zeros == 4) return {};
  const auto left = static_cast<std::size_t>(std::countl_zero(sum[3 - zeros]));
  x.exponent_ -= static_cast<std::int64_t>(limb * zeros + left);
  const auto at = [&](std::size_t below) { return below < 4 ? sum[3 - below] : 0; };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t below = zeros + 2 - i;  // limbs below the highest
    x.limbs_[i] = at(below) << left;
    if (left != 0) x.limbs_[i] |= at(below + 1) >> (limb - left);
  }
  return x;
}

namespace {

/// π/2, and 1/k! up to 1/42!, beyond which the series of sine and cosine have nothing that counts.
struct Constants {
  Number192 half_pi;
  std::array<Number192, 43> inverse_factorials;

  Constants() : half_pi(Digits50(boost::math::constants::half_pi<Digits50::Number>())) {
    Digits50::Number factorial = 1;
    for (unsigned k = 0; k < inverse_factorials.size(); ++k) {
      if (k > 0) factorial *= k;
      inverse_factorials[k] = Number192(Digits50(Digits50::Number(1 / factorial)));
    }
  }
};

/// Σ (−z)^i / (first + 2 i)!.
Number192 series(const Constants& constants, std::size_t first, const Number192& z) {
  std::size_t k = first + 40;
  Number192 sum = constants.inverse_factorials[k];
  while (k > first) {
    k -= 2;
    sum = constants.inverse_factorials[k] - z * sum;
  }
  return sum;
}

}  // namespace

SinCosOf<Number192> sin_cos(const Number192& angle) {
  constexpr double two_over_pi = 0.6366197723675814;
  static const Constants constants;
  const double quadrant = std::nearbyint(angle.nearest() * two_over_pi);
  if (!(std::abs(quadrant) < 0x1p52)) {
    const auto [s, c] = sin_cos(angle.digits50());
    return {Number192(s), Number192(c)};
  }
  const Number192 r = angle - Number192(quadrant) * constants.half_pi, z = r * r;
  const Number192 s = r * series(constants, 1, z), c = series(constants, 0, z);
  switch (static_cast<std::int64_t>(quadrant) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

}  // namespace armdyn
