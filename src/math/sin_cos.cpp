// Method, for x = +-a with a >= 0 (the sign is put back at the end):
//
//   1. Reduction: a = n * pi/2 + r with |r| <= pi/4 (a hair more through rounding), r held as the
//      unevaluated sum head + tail. Below 2^18 this is Cody-Waite reduction, without branches;
//      above, Payne-Hanek reduction in integers.
//   2. Minimax polynomials for sin(r) and cos(r), with a first-order correction for the tail.
//   3. Quadrant: n mod 4 selects which of the two is the sine and what the signs are.
//
// Each result is a large term plus a correction about a tenth as large, added last, so that the
// rounding of that addition (half an ulp) is most of the error.
//
// Steps 2 and 3 and the Cody-Waite reduction are straight-line, with masks in place of branches:
// sin_cos_formula.hpp, which the block evaluators (src/program) compile for SIMD lanes too.
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

using Number = double;
using Bits = std::uint64_t;
Bits bits_of(Number number) {
  return std::bit_cast<Bits>(number);
}
Number number_of(Bits bits) {
  return std::bit_cast<Number>(bits);
}

#include "math/sin_cos_formula.hpp"

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

}  // namespace

SinCos sin_cos(double x) noexcept {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t sign_of_x = bits & sign_bit;
  const double angle = std::bit_cast<double>(bits ^ sign_of_x);
  if (angle < cody_waite_limit) [[likely]] {
    const auto [sin, cos] = evaluate(reduce_moderate(angle), sign_of_x);
    return {sin, cos};
  }
  if (!(angle <= std::numeric_limits<double>::max())) {  // infinite or NaN
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const auto [sin, cos] = evaluate(reduce_large(angle), sign_of_x);
  return {sin, cos};
}

}  // namespace armdyn
