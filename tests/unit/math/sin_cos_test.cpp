// sin_cos() against multiprecision arithmetic, and its exact bits against recorded ones.

#include "math/sin_cos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace armdyn {
namespace {

namespace mp = boost::multiprecision;

using Real = mp::number<mp::cpp_bin_float_50::backend_type, mp::et_off>;
// Reducing the largest double takes 1024 bits for the quadrants and 62 for cancellation.
using WideReal = mp::number<mp::cpp_bin_float<1300, mp::digit_base_2>, mp::et_off>;

constexpr double max_ulps = 0.8;            // the header reports what was measured
constexpr double fast_path_limit = 0x1p18;  // cody_waite_limit in sin_cos.cpp

// ---- Reference ---------------------------------------------------------------------------------

struct Reference {
  Real sin;
  Real cos;
};

template <class Number>
Number half_pi() {
  static const Number value = boost::math::constants::half_pi<Number>();
  return value;
}

// x = quadrant * pi/2 + angle, but for whole turns, with |angle| <= pi/4.
struct ReducedReference {
  Real angle;
  int quadrant;
};

template <class Number>
ReducedReference reduce(double x) {
  static const Number two_over_pi = 1 / half_pi<Number>();
  const Number quadrants = Number(x) * two_over_pi;
  const Number nearest = floor(quadrants + 0.5);
  const Number turns = floor(nearest / 4);
  return {Real((quadrants - nearest) * half_pi<Number>()), static_cast<int>(nearest - 4 * turns)};
}

Reference reference(double x) {
  // The 168 bits of Real leave 88 after losing 20 to the quadrants and 60 to cancellation.
  const ReducedReference reduced = std::fabs(x) < 0x1p20 ? reduce<Real>(x) : reduce<WideReal>(x);
  const Real s = sin(reduced.angle);
  const Real c = cos(reduced.angle);
  switch (reduced.quadrant) {
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

// The distance between `value` and `exact`, in units in the last place of `exact`.
double error_in_ulps(double value, const Real& exact) {
  if (!std::isfinite(value)) {
    return std::numeric_limits<double>::infinity();
  }
  if (exact == 0) {
    return value == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  const int last_place = std::max(static_cast<int>(ilogb(exact)) - 52, -1074);
  return static_cast<double>(ldexp(abs(Real(value) - exact), -last_place));
}

void expect_accurate(const std::vector<double>& arguments) {
  double worst_sin = 0;
  double worst_cos = 0;
  double sin_argument = 0;
  double cos_argument = 0;
  for (const double x : arguments) {
    const SinCos computed = sin_cos(x);
    const Reference exact = reference(x);
    const double sin_error = error_in_ulps(computed.sin, exact.sin);
    const double cos_error = error_in_ulps(computed.cos, exact.cos);
    if (sin_error > worst_sin) {
      worst_sin = sin_error;
      sin_argument = x;
    }
    if (cos_error > worst_cos) {
      worst_cos = cos_error;
      cos_argument = x;
    }
  }
  EXPECT_LE(worst_sin, max_ulps) << "sin(" << std::hexfloat << sin_argument << ")";
  EXPECT_LE(worst_cos, max_ulps) << "cos(" << std::hexfloat << cos_argument << ")";
}

// ---- Arguments ---------------------------------------------------------------------------------

// Not std::uniform_real_distribution, whose results depend on the standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

  // Every sign, exponent and mantissa of the finite doubles is equally likely.
  double any_finite() {
    double value = 0;
    do {
      value = std::bit_cast<double>(engine_());
    } while (!std::isfinite(value));
    return value;
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<double> uniform_arguments(std::uint64_t seed, double bound, std::size_t count) {
  Random random(seed);
  std::vector<double> arguments(count);
  for (double& x : arguments) {
    x = random.uniform(-bound, bound);
  }
  return arguments;
}

// x and the doubles on either side.
void add_with_neighbors(double x, std::vector<double>& arguments) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  arguments.insert(arguments.end(), {std::nextafter(x, -infinity), x, std::nextafter(x, infinity)});
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// ---- Accuracy ----------------------------------------------------------------------------------

TEST(SinCosAccuracy, OneTurn) {
  expect_accurate(uniform_arguments(1, 6.283185307179586, 60000));
}

TEST(SinCosAccuracy, UpToAThousand) {
  expect_accurate(uniform_arguments(2, 1e3, 60000));
}

TEST(SinCosAccuracy, UpToAMillion) {
  expect_accurate(uniform_arguments(3, 1e6, 40000));
}

TEST(SinCosAccuracy, AllExponents) {
  Random random(4);
  std::vector<double> arguments(30000);
  for (double& x : arguments) {
    x = random.any_finite();
  }
  expect_accurate(arguments);
}

// The magnitudes from "x is its own sine" to two radians, which AllExponents hardly meets.
TEST(SinCosAccuracy, SmallAngles) {
  Random random(5);
  std::vector<double> arguments;
  for (int i = 0; i < 30000; ++i) {
    const int exponent = -static_cast<int>(random.bits() % 32);
    arguments.push_back(std::ldexp(random.uniform(1, 2), exponent));
  }
  expect_accurate(arguments);
}

TEST(SinCosAccuracy, NearMultiplesOfHalfPi) {
  Random random(6);
  std::vector<double> arguments;
  for (int i = 1; i <= 5000; ++i) {
    const unsigned shift = 13 + static_cast<unsigned>(random.bits() % 50);
    const auto any = static_cast<double>(random.bits() >> shift);
    for (const double multiple : {static_cast<double>(i), any}) {
      add_with_neighbors(static_cast<double>(half_pi<Real>() * multiple), arguments);
    }
  }
  expect_accurate(arguments);
}

// Where r is near pi/4, the two neighboring quadrants meet and the polynomials are at their worst.
TEST(SinCosAccuracy, NearOddMultiplesOfQuarterPi) {
  Random random(7);
  std::vector<double> arguments;
  for (int i = 0; i < 10000; ++i) {
    const auto multiple = static_cast<double>(random.bits() % 166000) + 0.5;
    add_with_neighbors(static_cast<double>(half_pi<Real>() * multiple), arguments);
    arguments.push_back(arguments.back() + random.uniform(-0.05, 0.05));
  }
  expect_accurate(arguments);
}

// The doubles closest to a multiple of pi/2: among all, and among those that take the fast path.
TEST(SinCosAccuracy, ClosestToAMultipleOfHalfPi) {
  std::vector<double> arguments;
  add_with_neighbors(std::ldexp(6381956970095103.0, 797), arguments);
  add_with_neighbors(static_cast<double>(half_pi<Real>() * 29), arguments);
  expect_accurate(arguments);
}

TEST(SinCosAccuracy, LimitOfTheFastPath) {
  std::vector<double> arguments;
  double below = fast_path_limit;
  double above = fast_path_limit;
  for (int i = 0; i < 2000; ++i) {
    below = std::nextafter(below, 0.0);
    arguments.insert(arguments.end(), {below, above, -below, -above});
    above = std::nextafter(above, 2 * above);
  }
  expect_accurate(arguments);
}

// ---- Special values ----------------------------------------------------------------------------

TEST(SinCosSpecial, Zeros) {
  EXPECT_TRUE(same_bits(sin_cos(0.0).sin, 0.0));
  EXPECT_TRUE(same_bits(sin_cos(-0.0).sin, -0.0));
  EXPECT_EQ(sin_cos(0.0).cos, 1.0);
  EXPECT_EQ(sin_cos(-0.0).cos, 1.0);
}

TEST(SinCosSpecial, TinyAnglesAreTheirOwnSine) {
  for (const double x : {0x1p-1074, 0x1.8p-1073, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1p-500,
                         0x1.23456789abcdep-100, 0x1p-28}) {
    EXPECT_TRUE(same_bits(sin_cos(x).sin, x)) << std::hexfloat << x;
    EXPECT_TRUE(same_bits(sin_cos(-x).sin, -x)) << std::hexfloat << x;
    EXPECT_EQ(sin_cos(x).cos, 1.0) << std::hexfloat << x;
  }
}

TEST(SinCosSpecial, NotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {infinity, -infinity, nan, -nan}) {
    EXPECT_TRUE(std::isnan(sin_cos(x).sin)) << x;
    EXPECT_TRUE(std::isnan(sin_cos(x).cos)) << x;
  }
}

TEST(SinCosSpecial, SineIsOddAndCosineEven) {
  Random random(8);
  for (int i = 0; i < 100000; ++i) {
    const double x = i % 2 == 0 ? random.any_finite() : random.uniform(0, 2 * fast_path_limit);
    const SinCos plus = sin_cos(x);
    const SinCos minus = sin_cos(-x);
    ASSERT_TRUE(same_bits(minus.sin, -plus.sin)) << std::hexfloat << x;
    ASSERT_TRUE(same_bits(minus.cos, plus.cos)) << std::hexfloat << x;
  }
}

// ---- Exact bits --------------------------------------------------------------------------------

// Recorded results. A build that fuses multiplications and additions fails here: most of these
// arguments were picked because fusing changes their last bit.
TEST(SinCosBits, Golden) {
  struct Golden {
    double x, sin, cos;
  };
  constexpr Golden golden[] = {
      {0x1p+0, 0x1.aed548f090ceep-1, 0x1.14a280fb5068cp-1},
      {0x1.921fb54442d18p-1, 0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1},
      {0x1.921fb54442d18p+0, 0x1p+0, 0x1.1a62633145c07p-54},
      {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1p+0},
      {0x1.6c6cbc45dc8dep+5, 0x1p+0, -0x1.6d61b58c99c43p-61},
      {0x1.5440597ef5d8p-7, 0x1.543ec8ca2a0bdp-7, 0x1.fff8ef183191cp-1},
      {0x1.68f5da519090ep-1, 0x1.4bcb292963deap-1, 0x1.85f1e3a0abf35p-1},
      {0x1.4c5452a0893eap-1, 0x1.357b0c91d3424p-1, 0x1.97e129a9657e2p-1},
      {0x1.746910f533a1p+0, 0x1.fc8e1a189ae56p-1, 0x1.da592f9a1c692p-4},
      {0x1.23e0653184894p+1, 0x1.8473a36c178dp-1, -0x1.4d8a5e67dc043p-1},
      {0x1.20c2e7c9c357p+2, -0x1.f5be6f936d008p-1, -0x1.97dd33d53741bp-3},
      {-0x1.29ae0ada92b4p-3, -0x1.28a1fda6bd88cp-3, 0x1.fa99da6d49262p-1},
      {0x1.4b209012944ep+4, 0x1.ecbf84f271fc3p-1, -0x1.16290951deafep-2},
      {-0x1.bbd7947bc0cep+7, -0x1.cf800af9f65f9p-1, -0x1.b3064a678a07p-2},
      {-0x1.640923a26fd48p+6, -0x1.baab555676873p-1, 0x1.014526d55894ap-1},
      {0x1.26d2f2a9c4602p+17, 0x1.e190b794d8c59p-2, -0x1.c3d9664dda2bbp-1},
      {0x1.e89e23c069f02p+17, 0x1.a73dfbff1ed9p-1, 0x1.201d5f7d5d82ep-1},
      {0x1.79048c5cf7f73p+27, -0x1.5a5505a2e0226p-1, -0x1.7917723564f15p-1},
      {0x1.f0f087e390cafp+28, 0x1.e3f8fed63ec9dp-1, -0x1.4e270ee5135b4p-2},
      {0x1.bffde15269198p+888, 0x1.f8b6d0df6da45p-1, 0x1.58455853a372dp-3},
      {0x1.fffffffffffffp+17, -0x1.58809c5ae56bcp-4, -0x1.fe2f9378c8f29p-1},
      {0x1p+18, -0x1.58809c5ce39b6p-4, -0x1.fe2f9378c3909p-1},
      {0x1p-1074, 0x1p-1074, 0x1p+0},
      {0x1.6ac5b262ca1ffp+849, 0x1p+0, -0x1.14ae72e6ba22fp-61},
      {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
  };
  for (const Golden& expected : golden) {
    const SinCos computed = sin_cos(expected.x);
    EXPECT_TRUE(same_bits(computed.sin, expected.sin))
        << std::hexfloat << "sin(" << expected.x << ") is " << computed.sin;
    EXPECT_TRUE(same_bits(computed.cos, expected.cos))
        << std::hexfloat << "cos(" << expected.x << ") is " << computed.cos;
  }
}

// One number for the bits of many results (FNV-1a, by 64-bit words).
TEST(SinCosBits, Checksum) {
  Random random(9);
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
  };
  for (int i = 0; i < 300000; ++i) {
    const double x = i % 3 == 0   ? random.uniform(-7, 7)
                     : i % 3 == 1 ? random.uniform(-2 * fast_path_limit, 2 * fast_path_limit)
                                  : random.any_finite();
    const SinCos computed = sin_cos(x);
    add(computed.sin);
    add(computed.cos);
  }
  EXPECT_EQ(hash, 0x0ff3e46c21a32df8u) << std::hex << hash;
}

}  // namespace
}  // namespace armdyn
