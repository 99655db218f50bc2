#include "math/digits50.hpp"

#include <gtest/gtest.h>

namespace armdyn {
namespace {

double rounded(const Digits50& x) {
  return x.number().convert_to<double>();
}

TEST(Digits50, TeachesWithAnExampleThatIsTrue) {
  EXPECT_EQ(rounded(Digits50(0.1) + Digits50(0.2) - Digits50(0.3)), 2.7755575615628914e-17);
  EXPECT_EQ(0.1 + 0.2 - 0.3, 5.551115123125783e-17);
}

TEST(Digits50, TakesPlainDoublesAsTheNumbersTheyAre) {
  EXPECT_EQ(rounded(0.1 * Digits50(10.0) + -1.0 * Digits50(1.0)), 5.551115123125783e-17);
  EXPECT_EQ(rounded(Digits50(10.0) * 0.1 - Digits50(1.0)), 5.551115123125783e-17);
}

TEST(Digits50, KnowsSinesFarBeyondADouble) {
  const auto [s, c] = sin_cos(Digits50(1.0));
  // sin 1 and cos 1 to 40 digits, in two parts.
  EXPECT_EQ(rounded(s - Digits50(0.8414709848078965)), 1.776845092935536e-18);
  const Digits50 unit = s * s + c * c - Digits50(1.0);
  EXPECT_LT(std::abs(rounded(unit)), 1e-49);
}

}  // namespace
}  // namespace armdyn
