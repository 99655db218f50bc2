#include "text/decimal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {
namespace {

using Random = std::mt19937_64;

std::string by_the_standard(double number) {
  std::array<char, 400> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

bool prints_alike(double number) {
  std::array<char, room_for_decimal> own{}, standard{};
  const std::string_view text(own.data(), print_decimal(own.data(), number));
  const char* const end =
      std::to_chars(standard.data(), standard.data() + standard.size(), number).ptr;
  return text == std::string_view(standard.data(), end);
}

/// Reads alike what a file may go on behind, and what it ends with.
bool reads_alike(std::string& text, char next) {
  const std::size_t size = text.size();
  text.append(80, next);
  bool is_alike = true;
  for (const std::size_t count : {text.size(), size}) {
    const std::vector<char> alone(text.data(), text.data() + count);  // nothing readable behind it
    const char *const begin = alone.data(), *const end = begin + count;
    double own = 1.5, standard = 1.5;
    const auto found = read_decimal(begin, end, own);
    const auto expected = std::from_chars(begin, end, standard);
    is_alike = is_alike && found.ptr == expected.ptr && found.ec == expected.ec &&
               std::bit_cast<std::uint64_t>(own) == std::bit_cast<std::uint64_t>(standard);
  }
  text.resize(size);
  return is_alike;
}

/// Any bits, bits with an exponent between 2^-130 and 2^54, a few digits by a power of ten, a few
/// bits by one of two.
double any_double(Random& random, long kind) {
  const std::uint64_t bits = random();
  constexpr std::uint64_t without_exponent = 0x800FFFFFFFFFFFFF;
  switch (kind % 4) {
    case 0:
      return std::bit_cast<double>(bits);
    case 1:
      return std::bit_cast<double>((bits & without_exponent) | (893 + random() % 184) << 52U);
    case 2:
      return static_cast<double>(static_cast<std::int64_t>(bits) >> (20 + bits % 40)) /
             std::pow(10.0, static_cast<double>(random() % 19));
    default:
      return std::ldexp(static_cast<double>(bits >> (11 + bits % 50)),
                        -static_cast<int>(random() % 120));
  }
}

TEST(Decimal, TenMillionNumbersArePrintedAndReadAsByTheStandardLibrary) {
  Random random(20261125);
  std::string text;
  for (long i = 0; i < 10'000'000; ++i) {
    const double number = any_double(random, i);
    ASSERT_TRUE(prints_alike(number)) << by_the_standard(number);
    text = by_the_standard(number);
    const bool is_longer = std::isfinite(number) && i % 3 == 0 && text.size() < 30;
    if (is_longer && text.find_first_of("e.") == text.npos) text += '.';
    if (is_longer && text.find('e') == text.npos) text += std::to_string(random() % 1000);
    ASSERT_TRUE(reads_alike(text, ",;\n e"[i % 5])) << text;
  }
}

TEST(Decimal, NeighborsOfPowersArePrintedAndReadAsByTheStandardLibrary) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (int k = -1080; k <= 1030; ++k) {
    for (const double power : {std::ldexp(1.0, k), std::pow(10.0, k / 3.0), std::pow(10.0, k)}) {
      for (const double number : {power, std::nextafter(power, 0.0),
                                  std::nextafter(power, infinity), -power, 3.0 * power}) {
        EXPECT_TRUE(prints_alike(number)) << by_the_standard(number);
        std::string text = by_the_standard(number);
        EXPECT_TRUE(reads_alike(text, ',')) << text;
      }
    }
  }
}

// Between doubles from 2^(53-k) on there is 2^-k; the middles have k + 1 decimals.
TEST(Decimal, MiddlesBetweenDoublesAreReadAsByTheStandardLibrary) {
  Random random(7);
  for (long i = 0; i < 200'000; ++i) {
    const unsigned k = static_cast<unsigned>(i % 4);
    std::uint64_t middle = (std::uint64_t{1} << 53U) | (random() >> 11U) | 1U;
    for (unsigned j = 0; j < k; ++j) middle *= 5;
    for (const std::uint64_t digits : {middle - 1, middle, middle + 1}) {
      std::string text = std::to_string(digits);
      text.insert(text.size() - k, ".");
      EXPECT_TRUE(reads_alike(text, ',')) << text;
      text += "e-" + std::to_string(k);
      EXPECT_TRUE(reads_alike(text, ',')) << text;
    }
  }
}

TEST(Decimal, ZerosBehindTheNumberAreNoneOfItsDigits) {
  for (const char next : {'0', '.'}) {
    for (const std::size_t zeros : {18U, 19U, 20U, 24U, 31U, 40U}) {
      std::string text = "0." + std::string(zeros, '0') + ".";
      EXPECT_TRUE(reads_alike(text, next)) << text;
      text.pop_back();  // zeros to the end of all, behind which the sanitizer sees what is read
      EXPECT_TRUE(reads_alike(text, next)) << text;
    }
  }
}

TEST(Decimal, AnyTextIsReadAsByTheStandardLibrary) {
  Random random(11);
  for (long i = 0; i < 500'000; ++i) {
    std::string text;
    const auto append = [&](std::string_view of, std::uint64_t count) {
      for (; count > 0; --count) text += of[random() % of.size()];
    };
    if (i % 3 == 0) {
      append("0123456789.eE+-infa x,", random() % 14);
    } else {
      constexpr std::string_view digits = "012345678900000";
      append("-", random() % 2);
      append(digits, random() % (i % 1000 == 1 ? 800 : 24));
      append(".", random() % 2);
      append(digits, random() % (i % 1000 == 2 ? 800 : 36));
      if (i % 3 == 1) append("eE", 1);
      if (i % 3 == 1) append("+-", random() % 2);
      if (i % 3 == 1) append(digits, random() % 5);
    }
    EXPECT_TRUE(reads_alike(text, ",;\n ex5.-"[i % 9])) << text;
  }
}

}  // namespace
}  // namespace armdyn
