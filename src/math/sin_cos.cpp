// Method, for x = +-a with a >= 0 (the sign is put back at the end):
//
//   1. Reduction: a = n * pi/2 + r with |r| <= pi/4 (a hair more through rounding), r held as the
//      unevaluated sum head + tail. Below 2^18 this is Cody-Waite reduction, without branches;
//      above, Payne-Hanek reduction in integers.
//   2. Minimax polynomials for sin(r) and cos(r), with a first-order correction for the tail.
//   3. Quadrant: n mod 4 says which of the two is the sine and what the signs are.
//
// Each result is a large term plus a correction about a tenth as large, added last, so that the
// rounding of that addition (half an ulp) is most of the error.
//
// Steps 2 and 3 and the Cody-Waite reduction are straight-line, with masks in place of branches,
// so that they carry over to SIMD lanes as they stand.
//
// The build must not fuse or reassociate operations (-ffp-contract=off, no -ffast-math): the
// error-free sums below would be wrong, and the bits would depend on the compiler. For the same
// reason the FPU must be in its default mode: round to nearest, denormals kept.
//
// The constants were computed with 1600-bit arithmetic (Python's mpmath) and do not come from
// another library.

#include "math/sin_cos.hpp"

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#if defined(__FAST_MATH__)
#error "sin_cos.cpp needs strict IEEE arithmetic: compile it without -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "sin_cos.cpp needs plain double arithmetic (SSE2, not x87)");

namespace armdyn {
namespace {

__extension__ typedef unsigned __int128 Uint128;  // __extension__: not ISO C++, hushes -Wpedantic

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// An angle in [0, inf) reduced to quadrant * pi/2 + head + tail, with |head + tail| <= pi/4 and
// |tail| tiny; only quadrant mod 4 matters.
struct ReducedAngle {
  double head;
  double tail;
  std::uint64_t quadrant;
};

// ---- Cody-Waite reduction ----------------------------------------------------------------------

// For angles below this, n = round(angle * 2/pi) is below 2^18.
constexpr double cody_waite_limit = 0x1p18;

constexpr double two_over_pi = 0x1.45f306dc9c883p-1;  // 2/pi, rounded to nearest

// pi/2 in three parts: its first 35 bits, the next 35 (some trailing ones zero in both), and the
// rest rounded to nearest, which leaves 2^-130.4. As n has 18 bits, n * pio2_1 and n * pio2_2 are
// exact. The error of the reduced angle is below 2^-57 of it even where it is smallest.
constexpr double pio2_1 = 0x1.921fb5444p+0;
constexpr double pio2_2 = 0x1.68c234c4cp-39;
constexpr double pio2_3 = 0x1.98a2e03707345p-77;

// Adding this to a number in [0, 2^51) rounds it to an integer, which then stands in the low
// mantissa bits.
constexpr double round_to_integer = 0x1.8p52;

inline ReducedAngle reduce_moderate(double angle) {
  const double shifted = angle * two_over_pi + round_to_integer;
  const double n = shifted - round_to_integer;
  // Exact: for n > 0 both are multiples of 2^-53 and their difference is below 1.
  const double first = angle - n * pio2_1;
  // Knuth's error-free sum: head + lost == first - second exactly, whichever is the larger.
  const double second = n * pio2_2;
  const double head = first - second;
  const double second_seen = first - head;
  const double first_seen = head + second_seen;
  const double lost = (first - first_seen) - (second - second_seen);
  return {head, lost - n * pio2_3, std::bit_cast<std::uint64_t>(shifted)};
}

// ---- Payne-Hanek reduction ---------------------------------------------------------------------

// The binary expansion of 2/pi: floor(2/pi * 2^1216), after one word for its (zero) integer part.
// The largest double needs bits up to 2^-1161.
constexpr std::uint64_t two_over_pi_bits[20] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

constexpr std::uint64_t pio2_times_2_63 = 0xc90fdaa22168c235;  // pi/2 * 2^63, rounded to nearest

constexpr Uint128 join(std::uint64_t high, std::uint64_t low) {
  return Uint128{high} << 64 | low;
}
constexpr std::uint64_t high_word(Uint128 value) {
  return static_cast<std::uint64_t>(value >> 64);
}
constexpr std::uint64_t low_word(Uint128 value) {
  return static_cast<std::uint64_t>(value);
}

// For finite angles from cody_waite_limit up. Out of line, to keep sin_cos() small.
[[gnu::noinline]] ReducedAngle reduce_large(double angle) {
  // angle = mantissa * 2^exponent, exponent in [-34, 971].
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(angle);
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);

  // A bit of 2/pi of weight 2^-j contributes mantissa * 2^(exponent - j) quadrants, which is a
  // multiple of 4, hence of no interest, for j <= exponent - 2. Take the 192 bits from
  // j = exponent - 1 on; the table starts at j = -63. The bits after them are worth less than
  // 2^-137 quadrants.
  const unsigned start = static_cast<unsigned>(exponent + 62);
  const std::uint64_t* const word = two_over_pi_bits + start / 64;
  const unsigned down = 64 - start % 64;
  const std::uint64_t window_high = low_word(join(word[0], word[1]) >> down);
  const std::uint64_t window_mid = low_word(join(word[1], word[2]) >> down);
  const std::uint64_t window_low = low_word(join(word[2], word[3]) >> down);

  // mantissa * window mod 2^192 = (angle * 2/pi mod 4) * 2^190.
  const Uint128 product_low = Uint128{mantissa} * window_low;
  const Uint128 product_mid = Uint128{mantissa} * window_mid + high_word(product_low);
  const std::uint64_t product_high = mantissa * window_high + high_word(product_mid);

  // The top two bits are the quadrant, the next 128 its fraction, rounded to nearest: a fraction
  // of half and more belongs to the next quadrant, with fraction - 1.
  const std::uint64_t whole = product_high >> 62;
  const Uint128 fraction =
      join(product_high, low_word(product_mid)) << 2 | low_word(product_low) >> 62;
  const bool negative = (fraction >> 127) != 0;
  const Uint128 distance = negative ? -fraction : fraction;

  // No double is within 2^-62 quadrants of a multiple of pi/2 (6381956970095103 * 2^797 comes
  // closest), so the top word is not zero here and 64 bits of the distance are good to the last.
  const int shift = std::countl_zero(high_word(distance));
  const std::uint64_t significant = high_word(distance << shift);
  const std::uint64_t radians = high_word(Uint128{significant} * pio2_times_2_63);

  // radians * 2^-(63 + shift), as the sum of a rounded double and what the rounding left.
  const std::uint64_t last_bits = radians & 0xfff;
  const double leading = static_cast<double>(radians - last_bits);
  const double trailing = static_cast<double>(last_bits);
  const double head = leading + trailing;
  const double tail = (leading - head) + trailing;
  const double unit = std::bit_cast<double>((static_cast<std::uint64_t>(1023 - 63 - shift) << 52) |
                                            (negative ? sign_bit : 0));
  return {head * unit, tail * unit, whole + (negative ? 1 : 0)};
}

// ---- Polynomials and quadrant ------------------------------------------------------------------

// Minimax (Remez) on |r| <= 0.7854, each coefficient rounded to double before the next ones were
// fitted again. sin(r) = r + r^3 * S(r^2) with relative error below 2^-57.8;
// cos(r) = 1 - r^2/2 + r^4 * C(r^2) with relative error below 2^-63.9.
constexpr double s0 = -0x1.5555555555548p-3;
constexpr double s1 = 0x1.111111110f730p-7;
constexpr double s2 = -0x1.a01a019be9218p-13;
constexpr double s3 = 0x1.71de35552b6b6p-19;
constexpr double s4 = -0x1.ae5e4b83fbdecp-26;
constexpr double s5 = 0x1.5d8b559b7d006p-33;
constexpr double c0 = 0x1.555555555554bp-5;
constexpr double c1 = -0x1.6c16c16c15015p-10;
constexpr double c2 = 0x1.a01a019c8f254p-16;
constexpr double c3 = -0x1.27e4f7f19148bp-22;
constexpr double c4 = 0x1.1ee9dbcefba2bp-29;
constexpr double c5 = -0x1.8fa68486d011bp-37;

inline SinCos evaluate(const ReducedAngle& angle, std::uint64_t sign_of_x) {
  const double r = angle.head;
  const double z = r * r;
  const double z2 = z * z;
  const double sin_rest = z * s1 + z2 * ((s2 + z * s3) + z2 * (s4 + z * s5));
  const double cos_poly = (c0 + z * c1) + z2 * ((c2 + z * c3) + z2 * (c4 + z * c5));
  const double cube = r * z;
  const double cubic_term = cube * s0;  // apart, since its rounding is the one that counts
  // 1 - z/2, and what its rounding lost.
  const double half_z = 0.5 * z;
  const double one_less = 1.0 - half_z;
  const double lost = (1.0 - one_less) - half_z;
  // sin(r + tail) = sin(r) + tail * cos(r) and cos(r + tail) = cos(r) - tail * sin(r), where two
  // terms are enough for the factors of the tail.
  const double sin_r = r + (cubic_term + (cube * sin_rest + angle.tail * one_less));
  const double cos_r = one_less + (lost + (z2 * cos_poly - angle.tail * (r + cubic_term)));

  // Odd quadrants swap the two; sine is negative in quadrants 2 and 3, cosine in 1 and 2.
  const std::uint64_t sin_bits = std::bit_cast<std::uint64_t>(sin_r);
  const std::uint64_t cos_bits = std::bit_cast<std::uint64_t>(cos_r);
  const std::uint64_t swap = (sin_bits ^ cos_bits) & (0 - (angle.quadrant & 1));
  const std::uint64_t sin_sign = ((angle.quadrant << 62) & sign_bit) ^ sign_of_x;
  const std::uint64_t cos_sign = ((angle.quadrant + 1) << 62) & sign_bit;
  return {std::bit_cast<double>(sin_bits ^ swap ^ sin_sign),
          std::bit_cast<double>(cos_bits ^ swap ^ cos_sign)};
}

}  // namespace

SinCos sin_cos(double x) noexcept {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t sign_of_x = bits & sign_bit;
  const double angle = std::bit_cast<double>(bits ^ sign_of_x);
  if (angle < cody_waite_limit) [[likely]] {
    return evaluate(reduce_moderate(angle), sign_of_x);
  }
  if (!(angle <= std::numeric_limits<double>::max())) {  // infinite or NaN
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  return evaluate(reduce_large(angle), sign_of_x);
}

}  // namespace armdyn
