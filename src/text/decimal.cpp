#include "text/decimal.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "math/characters.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace armdyn {
namespace {

static_assert(std::endian::native == std::endian::little, "the first digit is the lowest byte");

__extension__ typedef unsigned __int128 Wide;  // __extension__: not ISO C++, hushes -Wpedantic

/// Eight characters, or the digits that they are, one per byte.
using Eight = std::uint64_t;

constexpr Eight each_byte(Eight byte) {
  return byte * 0x0101010101010101U;
}

Eight eight_at(const char* at) {
  Eight characters = 0;
  std::memcpy(&characters, at, sizeof characters);
  return characters;
}

/// A bit of each character that is no digit; those behind the first of them may have it as well.
Eight others_in(Eight characters) {
  const Eight above_nine = characters + each_byte(0x80 - '9' - 1);
  return (above_nine | (characters - each_byte('0'))) & each_byte(0x80);
}

/// Counts the characters that are digits, before the first that is none.
std::size_t leading_digits(Eight characters) {
  return static_cast<std::size_t>(std::countr_zero(others_in(characters))) / 8;
}

/// The number that eight digits are, two, four and then eight of them at a time.
std::uint64_t number_of(Eight digits) {
  digits = digits * 10 + (digits >> 8U);
  constexpr Eight of_pairs = 0x000000FF000000FFU;
  constexpr Eight low = 100 + (1'000'000ULL << 32U), high = 1 + (10'000ULL << 32U);
  return ((digits & of_pairs) * low + ((digits >> 16U) & of_pairs) * high) >> 32U;
}

/// 2^s / 5^n, rounded up to 128 bits, the first of them one.
struct Reciprocal {
  std::uint64_t high = 0, low = 0;
  int exponent = 0;  ///< 129 - s - n
};

/// The most n with 5^n < 2^73 (see `divided`).
constexpr std::size_t most_decimals = 31;

constexpr std::array<Reciprocal, most_decimals + 1> reciprocals = [] {
  std::array<Reciprocal, most_decimals + 1> table{};
  Wide power = 1;
  for (std::size_t n = 0; n < table.size(); ++n, power *= 5) {
    Wide quotient = 0, rest = 1;  // of 2^s / 5^n
    int s = 0;
    for (;; ++s, rest *= 2) {
      quotient = 2 * quotient + (rest >= power ? 1 : 0);
      if (rest >= power) rest -= power;
      if (quotient >> 127U != 0) break;
    }
    if (rest > 0) ++quotient;
    table[n] = {static_cast<std::uint64_t>(quotient >> 64U), static_cast<std::uint64_t>(quotient),
                129 - s - static_cast<int>(n)};
  }
  return table;
}();

/// w / 10^n, rounded to the nearest double, of two the even one; w > 0.
///
/// With w < 2^64 and R = ⌈2^s/5^n⌉, the 192 bits w·R exceed X = w·2^s/5^n by less than 2^64. A
/// double or the middle of two, where rounding changes, is a multiple of 2^137 there, as the first
/// bit is bit 190 or 191. If X is none, it is at least 2^137/5^n > 2^64 away from the next: w·R lies
/// between the same two multiples, and its bits from 64 to 137 are not all zero. If X is one, they
/// are. So rounding w·R, less its last 64 bits, rounds X.
double divided(std::uint64_t w, std::size_t n) {
  const Reciprocal& by = reciprocals[n];
  const int zeros = std::countl_zero(w);
  w <<= static_cast<unsigned>(zeros);
  const auto product = static_cast<Wide>(w) * by.high + ((static_cast<Wide>(w) * by.low) >> 64U);
  const auto high = static_cast<std::uint64_t>(product >> 64U);
  const bool is_more = static_cast<std::uint64_t>(product) != 0;
  // The last bit of 63 stands for all behind it, and the conversion rounds.
  const auto bits = static_cast<std::int64_t>(high >> 1U | (high & 1U) | std::uint64_t{is_more});
  // Times a power of two: more in the bits of the exponent.
  const auto exponent = static_cast<std::uint64_t>(by.exponent - zeros) << 52U;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(static_cast<double>(bits)) + exponent);
}

/// Characters that may be looked at, more than those of the number.
constexpr std::ptrdiff_t room_to_read = 64;
constexpr std::array<std::uint64_t, 8> powers_of_ten{1,      10,      100,       1000,
                                                     10'000, 100'000, 1'000'000, 10'000'000};
/// Digits that 64 bits hold.
constexpr std::ptrdiff_t most_digits = 19;

/// Reads the exponent, if there is one, and makes the number of digits, so many of them decimals;
/// null as read_common.
[[gnu::always_inline]] inline const char* read_exponent(const char* at, std::uint64_t digits,
                                                        std::ptrdiff_t decimals, bool is_negative,
                                                        double& number) {
  if (*at == 'e' || *at == 'E') {
    ++at;
    const bool is_below = *at == '-';
    if (is_below || *at == '+') ++at;
    const std::size_t found = leading_digits(eight_at(at));
    if (found == 0 || found > 3) return nullptr;
    int exponent = 0;
    for (std::size_t i = 0; i < found; ++i) exponent = 10 * exponent + (*at++ - '0');
    decimals += is_below ? exponent : -exponent;
  }
  const auto n = static_cast<std::size_t>(decimals);  // far too many where it is negative
  if (n > most_decimals) return nullptr;
  const auto magnitude = std::bit_cast<std::uint64_t>(digits == 0 ? 0.0 : divided(digits, n));
  number = std::bit_cast<double>(magnitude | std::uint64_t{is_negative} << 63U);
  return at;
}

#ifdef __SSE2__

/// 16 bytes that are kept before 16 that are not.
constexpr std::array<unsigned char, 32> first_kept = [] {
  std::array<unsigned char, 32> bytes{};
  std::fill_n(bytes.begin(), 16, 0xFF);
  return bytes;
}();

/// read_common for numbers below 1000 with a point, which most are.
///
/// Branches, not sums, find where the number ends, so that the next is read before this is known.
const char* read_small(const char* at, double& number) {
  const bool is_negative = *at == '-';
  if (is_negative) [[unlikely]]
    ++at;
  const char* const begin = at;
  std::uint64_t digits = 0;
  for (; is_digit(*at); ++at) {
    if (at - begin == 3) return nullptr;
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  }
  if (at == begin || *at++ != '.') return nullptr;

  // 16 decimals: zeros stand for those that are not there.
  const auto load = [](const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i ones = _mm_sub_epi8(load(at), _mm_set1_epi8('0'));
  const __m128i are_digits = _mm_cmpeq_epi8(_mm_min_epu8(ones, _mm_set1_epi8(9)), ones);
  const int found = std::countr_one(static_cast<unsigned>(_mm_movemask_epi8(are_digits)));
  const __m128i kept = _mm_and_si128(ones, load(first_kept.data() + 16 - found));
  const __m128i tens =
      _mm_mullo_epi16(_mm_and_si128(kept, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
  const __m128i twos = _mm_add_epi16(tens, _mm_srli_epi16(kept, 8));
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(100 + (1 << 16)));
  const __m128i eights =
      _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10'000 + (1 << 16)));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  digits = digits * 10'000'000'000'000'000 + (both & 0xFFFFFFFFU) * 100'000'000 + (both >> 32U);

  std::ptrdiff_t decimals = 16;
  if (found < 16) return read_exponent(at + found, digits, decimals, is_negative, number);
  for (at += 16; is_digit(*at); ++at, ++decimals) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 10 - 1;
    if (digits > most || decimals == std::ssize(reciprocals) - 1) return nullptr;
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  }
  return read_exponent(at, digits, decimals, is_negative, number);
}

#endif

/// The end of the number, or null where it is left to the standard library.
[[gnu::noinline]] const char* read_common(const char* at, double& number) {
  const bool is_negative = *at == '-';
  if (is_negative) ++at;
  const char* const begin = at;
  std::uint64_t digits = 0;
  for (; is_digit(*at); ++at) {
    if (at - begin == most_digits) return nullptr;
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  }
  std::ptrdiff_t count = at - begin, decimals = 0;
  if (*at == '.') {
    const char* const fraction = ++at;
    Eight characters = eight_at(at);
    for (int eights = 0; others_in(characters) == 0; ++eights) {
      if (eights == 3) return nullptr;
      digits = digits * 100'000'000 + number_of(characters - each_byte('0'));
      characters = eight_at(at += 8);
    }
    const std::size_t found = leading_digits(characters);
    const Eight last = (characters - each_byte('0')) << (8 * (7 - found)) << 8U;
    digits = digits * powers_of_ten[found] + number_of(last);
    at += found;
    decimals = at - fraction;
    count += decimals;
  }
  if (count == 0) return nullptr;
  if (count > most_digits) {
    for (const char* zero = begin; zero != at && (*zero == '0' || *zero == '.'); ++zero) {
      count -= *zero == '0';
    }
    if (count > most_digits) return nullptr;
  }
  return read_exponent(at, digits, decimals, is_negative, number);
}

}  // namespace

std::from_chars_result read_decimal(const char* begin, const char* end, double& number) {
  if (end - begin >= room_to_read) {
#ifdef __SSE2__
    if (const char* const stop = read_small(begin, number)) return {stop, std::errc()};
#endif
    if (const char* const stop = read_common(begin, number)) return {stop, std::errc()};
  }
  return std::from_chars(begin, end, number);
}

namespace {

/// The digits of a number below 10^8, the first in the lowest byte.
Eight digits_of(std::uint32_t number) {
  // In halves of 32 bits, quarters of 16, eighths: the quotient below, the remainder above.
  const std::uint64_t fours =
      (std::uint64_t{number} << 32U) - number / 10'000 * ((10'000ULL << 32U) - 1);
  const std::uint64_t hundreds = ((fours * 10'486) >> 20U) & 0x0000007F0000007FU;
  const std::uint64_t twos = (fours << 16U) - hundreds * ((100ULL << 16U) - 1);
  const std::uint64_t tens = ((twos * 103) >> 10U) & 0x000F000F000F000FU;
  return (twos << 8U) - tens * ((10ULL << 8U) - 1);
}

/// 5^n, its first bit the first of 128.
struct PowerOfFive {
  std::uint64_t high = 0, low = 0;
};

/// All that 128 bits hold.
constexpr std::size_t most_fives = 55;

constexpr std::array<PowerOfFive, most_fives + 1> powers_of_five = [] {
  std::array<PowerOfFive, most_fives + 1> table{};
  Wide power = 1;
  for (PowerOfFive& of : table) {
    Wide first = power;
    while (first >> 127U == 0) first *= 2;
    of = {static_cast<std::uint64_t>(first >> 64U), static_cast<std::uint64_t>(first)};
    power *= 5;
  }
  return table;
}();

/// 17 digits, where zeros at the end may be left out: digits · 10^exponent.
struct Digits {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// The shortest decimal that is nearer to c · 2^q than to any other double, and the nearest of
/// these, for doubles with neighbors 2^q on either side, q from -182 to 0; after Giulietti, The
/// Schubfach way to render doubles, 2020. Nothing where two numbers that are compared are as good
/// as equal, which is rare.
std::optional<Digits> shortest(std::uint64_t c, int q) {
  const int n = -((q * 1'262'611) >> 22U);         // -floor(log10(2^q))
  const int h = q + ((n * 1'741'647) >> 19U) + 1;  // q + floor(log2(10^n)) + 1, from 1 to 4
  const PowerOfFive& power = powers_of_five[static_cast<std::size_t>(n)];
  // Four times the number times 10^n, of 16 or 17 digits before the point, with 64 bits behind it.
  const std::uint64_t x = 4 * c << static_cast<unsigned>(h);
  const Wide v = static_cast<Wide>(x) * power.high + ((static_cast<Wide>(x) * power.low) >> 64U);
  const auto whole = static_cast<std::uint64_t>(v >> 64U);
  const std::uint64_t tens = whole / 40;
  // What tens leave, and the distance of the middles between neighbors, in units of 2^-58, cut.
  constexpr std::uint64_t unit = std::uint64_t{1} << 58U, next = 40 * unit;
  const std::uint64_t rest = (whole - 40 * tens) * unit + (static_cast<std::uint64_t>(v) >> 6U);
  const std::uint64_t reach = power.high >> static_cast<unsigned>(5 - h), beyond = rest + reach;
  const std::uint64_t rounded = rest + 2 * unit;
  if (rest == reach || beyond + 1 - next <= 1 || rounded % (4 * unit) == 0) return std::nullopt;
  const bool has_tens = rest < reach, has_next_tens = beyond >= next;
  const std::uint64_t one = has_next_tens ? 10 : 0;
  const std::uint64_t found = 10 * tens + (has_tens != has_next_tens ? one : rounded / (4 * unit));
  constexpr std::uint64_t seventeen_digits = 10'000'000'000'000'000;
  return found < seventeen_digits ? Digits{10 * found, -n - 1} : Digits{found, -n};
}

}  // namespace

char* print_decimal(char* to, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  constexpr std::uint64_t first_bit = std::uint64_t{1} << 52U;
  const std::uint64_t fraction = bits & (first_bit - 1);
  const int q = static_cast<int>(bits >> 52U & 0x7FFU) - 1075;
  // A power of two has nearer neighbors below, and above 2^53 all digits of integers are printed.
  const bool is_common = fraction != 0 && q >= -182 && q <= 0;
  const std::optional<Digits> found = is_common ? shortest(first_bit | fraction, q) : std::nullopt;
  if (!found) return std::to_chars(to, to + room_for_decimal, number).ptr;
  const auto [digits, exponent] = *found;
  *to = '-';
  to += bits >> 63U;

  constexpr std::uint64_t eight_digits = 100'000'000;
  const std::uint64_t upper = digits / eight_digits, first = upper / eight_digits;
  const Eight middle = digits_of(static_cast<std::uint32_t>(upper - first * eight_digits));
  const Eight last = digits_of(static_cast<std::uint32_t>(digits - upper * eight_digits));
  const int zeros = last != 0 ? std::countl_zero(last) / 8 : 8 + std::countl_zero(middle) / 8;
  const auto put_digits = [&](char* at) {
    *at = static_cast<char>('0' + first);
    const Eight texts[] = {middle + each_byte('0'), last + each_byte('0')};
    std::memcpy(at + 1, texts, sizeof texts);
  };

  // A fixed point where that is no longer than an exponent.
  const int count = 17 - zeros, before_point = 17 + exponent;
  const int of_last = exponent + zeros, of_one = count == 1 ? 1 : 0;
  const bool is_fixed = of_last >= -(count + 3 - of_one) && of_last <= 5 - of_one;
  if (is_fixed && before_point <= 0) {
    std::memcpy(to, "0.000000", 8);
    to += 2 - before_point;
    put_digits(to);
    return to + count;
  }
  if (is_fixed && of_last >= 0) {
    put_digits(to);
    return to + before_point;
  }
  put_digits(to + 1);
  const int whole = is_fixed ? before_point : 1;
  for (int i = 0; i < whole; ++i) to[i] = to[i + 1];
  to[whole] = '.';
  if (is_fixed) return to + count + 1;
  to += count == 1 ? 1 : count + 1;
  *to++ = 'e';
  const int power = before_point - 1, size = power < 0 ? -power : power;
  *to++ = power < 0 ? '-' : '+';
  *to++ = static_cast<char>('0' + size / 10);
  *to++ = static_cast<char>('0' + size % 10);
  return to;
}

}  // namespace armdyn
