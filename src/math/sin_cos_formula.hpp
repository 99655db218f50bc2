// The straight-line part of sin_cos.cpp, for one number or for the lanes of a vector: reduction of
// moderate angles, polynomials, quadrant. It is not compiled by itself. Who includes it does so
// inside an unnamed namespace (so that code for one instruction set stays in its translation unit),
// where it finds
//
//   Number              a double, or a vector of doubles
//   Bits                std::uint64_t, or a vector of as many
//   bits_of, number_of  the one seen as the other
//
// There is no include guard and no #include: a translation unit may need it in several namespaces.

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// An angle in [0, inf) reduced to quadrant * pi/2 + head + tail, with |head + tail| <= pi/4 and
// |tail| tiny; only quadrant mod 4 matters.
struct ReducedAngle {
  Number head;
  Number tail;
  Bits quadrant;
};

struct SineAndCosine {
  Number sin;
  Number cos;
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

inline ReducedAngle reduce_moderate(Number angle) {
  const Number shifted = angle * two_over_pi + round_to_integer;
  const Number n = shifted - round_to_integer;
  // Exact: for n > 0 both are multiples of 2^-53 and their difference is below 1.
  const Number first = angle - n * pio2_1;
  // Knuth's error-free sum: head + lost == first - second exactly, whichever is the larger.
  const Number second = n * pio2_2;
  const Number head = first - second;
  const Number second_seen = first - head;
  const Number first_seen = head + second_seen;
  const Number lost = (first - first_seen) - (second - second_seen);
  return {head, lost - n * pio2_3, bits_of(shifted)};
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

constexpr std::uint64_t one = 1;

inline SineAndCosine evaluate(const ReducedAngle& angle, Bits sign_of_x) {
  const Number r = angle.head;
  const Number z = r * r;
  const Number z2 = z * z;
  const Number sin_rest = z * s1 + z2 * ((s2 + z * s3) + z2 * (s4 + z * s5));
  const Number cos_poly = (c0 + z * c1) + z2 * ((c2 + z * c3) + z2 * (c4 + z * c5));
  const Number cube = r * z;
  const Number cubic_term = cube * s0;  // apart, since its rounding is the one that counts
  // 1 - z/2, and what its rounding lost.
  const Number half_z = 0.5 * z;
  const Number one_less = 1.0 - half_z;
  const Number lost = (1.0 - one_less) - half_z;
  // sin(r + tail) = sin(r) + tail * cos(r) and cos(r + tail) = cos(r) - tail * sin(r), where two
  // terms are enough for the factors of the tail.
  const Number sin_r = r + (cubic_term + (cube * sin_rest + angle.tail * one_less));
  const Number cos_r = one_less + (lost + (z2 * cos_poly - angle.tail * (r + cubic_term)));

  // Odd quadrants swap the two; sine is negative in quadrants 2 and 3, cosine in 1 and 2.
  const Bits sin_bits = bits_of(sin_r);
  const Bits cos_bits = bits_of(cos_r);
  const Bits swap = (sin_bits ^ cos_bits) & -(angle.quadrant & one);
  const Bits sin_sign = ((angle.quadrant << 62) & sign_bit) ^ sign_of_x;
  const Bits cos_sign = ((angle.quadrant + one) << 62) & sign_bit;
  return {number_of(sin_bits ^ swap ^ sin_sign), number_of(cos_bits ^ swap ^ cos_sign)};
}
