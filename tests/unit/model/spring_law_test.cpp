// Laws of springs: their closed values, and the scalars that hold them.

#include "model/spring_law.hpp"
#include "math/dual.hpp"
#include "math/enclosed.hpp"
#include "math/linear_form.hpp"

#include <gtest/gtest.h>

#include <random>

namespace armdyn::testing {
namespace {

using Points = std::vector<SpringPoint>;

/// A spring between two points.
Spring spring_of(double free_length, double preload, double stiffness, const Points& piecewise = {},
                 const Points& table = {}) {
  Spring spring;
  spring.free_length = free_length;
  spring.preload = preload;
  spring.stiffness = stiffness;
  spring.piecewise = piecewise;
  spring.table = table;
  return spring;
}

template <class S>
SpringOf<S> as(const Spring& spring) {
  SpringOf<S> result;
  result.free_length = S(spring.free_length);
  result.preload = S(spring.preload);
  result.stiffness = S(spring.stiffness);
  for (const auto& [at, value] : spring.piecewise) result.piecewise.push_back({S(at), S(value)});
  for (const auto& [at, value] : spring.table) result.table.push_back({S(at), S(value)});
  return result;
}

void expect(const Spring& spring, double x, double load, double energy) {
  const SpringLoad<double> found = spring_load(spring_pieces(spring), x);
  EXPECT_NEAR(found.load, load, 1e-12) << x;
  EXPECT_NEAR(found.energy, energy, 1e-12) << x;
}

TEST(SpringLaw, IsALineFromItsPreloadOn) {
  const Spring spring = spring_of(0.2, 30.0, 800.0);
  expect(spring, 0.2, 30.0, 0.0);
  expect(spring, 0.25, 70.0, 2.5);    // (30 + 70)/2 · 0.05
  expect(spring, 0.15, -10.0, -0.5);  // below its rest, too: the sum of both
}

TEST(SpringLaw, ChangesItsStiffnessWhereItSays) {
  const Spring spring = spring_of(1.0, 2.0, 0.0, {{-1.0, 10.0}, {0.5, 100.0}});
  expect(spring, 1.0, 2.0, 0.0);
  expect(spring, 1.5, 7.0, 2.25);
  expect(spring, 1.7, 27.0, 2.25 + 3.4);
  expect(spring, -1.0, -18.0, 16.0);  // the first goes on before its begin
  // Beginning beyond the rest: the first holds there as well.
  expect(spring_of(1.0, 2.0, 0.0, {{0.5, 10.0}, {0.6, 0.0}}), 2.0, 8.0,
         2.0 * 0.6 + 1.8 + 8.0 * 0.4);
}

TEST(SpringLaw, IntegratesItsTable) {
  // A gas spring pushes: 500 N extended, 700 N compressed.
  const Spring spring = spring_of(0.0, 0.0, 0.0, {}, {{0.2, -700.0}, {0.3, -600.0}, {0.5, -500.0}});
  expect(spring, 0.2, -700.0, 0.0);
  expect(spring, 0.25, -650.0, -33.75);
  expect(spring, 0.3, -600.0, -65.0);
  expect(spring, 0.5, -500.0, -175.0);
  expect(spring, 0.6, -450.0, -222.5);  // on the line of the last piece
}

TEST(SpringLaw, HasItsLoadAsSlopeOfItsEnergy) {
  std::mt19937_64 random(3);
  for (const Spring& spring :
       {spring_of(0.2, 3.0, 80.0), spring_of(0.3, -2.0, 0.0, {{-0.2, 10.0}, {0.1, 90.0}}),
        spring_of(0.0, 0.0, 0.0, {}, {{0.2, 4.0}, {0.4, -3.0}, {0.5, 9.0}})}) {
    const auto pieces = spring_pieces(spring);
    const auto exact = spring_pieces(as<Digits50>(spring));
    for (int k = 0; k < 200; ++k) {
      const Vec3 r{std::uniform_real_distribution(-0.6, 0.6)(random),
                   std::uniform_real_distribution(-0.6, 0.6)(random), 0.1};
      const Vec<Dual> moved{{r.x, 1.0}, r.y, r.z};
      const Dual energy = spring_energy(pieces, moved);
      EXPECT_NEAR(energy.slope, spring_force(pieces, r).x, 1e-12);
      const Vec<Digits50> r50{Digits50(r.x), Digits50(r.y), Digits50(r.z)};
      EXPECT_NEAR(value_of(spring_energy(exact, r50)), energy.value, 1e-13);
      EXPECT_NEAR(value_of(spring_force(exact, r50).y), spring_force(pieces, r).y, 1e-12);
    }
  }
}

/// A number about the middle, and its values at −1 ≤ ε ≤ 1.
Enclosed between(double middle, double reach, Enclosed*) {
  return Enclosed::measured(Digits50(middle), reach, 0);
}
LinearForm between(double middle, double reach, LinearForm*) {
  return {middle, reach, 0.0};
}
constexpr double rounding = 1e-13;  // of values in doubles
bool has(const Enclosed& x, double value) {
  return std::abs(value - x.near()) <= uncertainty(x) + rounding;
}
bool has(const LinearForm& x, double value) {
  return x.least() <= value + rounding && value - rounding <= x.largest();
}

template <class S>
class SpringLawWithin : public ::testing::Test {};
using Bounds = ::testing::Types<Enclosed, LinearForm>;
TYPED_TEST_SUITE(SpringLawWithin, Bounds);

TYPED_TEST(SpringLawWithin, HoldsOverItsBends) {
  std::mt19937_64 random(4);
  const auto number = [&random](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  for (const Spring& spring :
       {spring_of(0.2, 3.0, 80.0),
        spring_of(0.3, -2.0, 0.0, {{-0.2, 10.0}, {0.1, 90.0}, {0.15, 0.0}}),
        spring_of(0.0, 0.0, 0.0, {}, {{0.2, 4.0}, {0.4, -3.0}, {0.5, 9.0}})}) {
    const auto pieces = spring_pieces(spring);
    for (int k = 0; k < 300; ++k) {
      const double x = number(0.3, 0.6), y = number(-0.3, 0.3), reach = number(0.0, 0.2);
      const Vec<TypeParam> r{between(x, reach, static_cast<TypeParam*>(nullptr)), TypeParam(y),
                             TypeParam(0.1)};
      const Vec<TypeParam> force = spring_force(pieces, r);
      const TypeParam energy = spring_energy(pieces, r);
      for (const double e : {-1.0, -0.4, 0.0, 0.7, 1.0}) {
        const Vec3 at{x + e * reach, y, 0.1};
        EXPECT_TRUE(has(force.x, spring_force(pieces, at).x)) << x << " " << reach << " " << e;
        EXPECT_TRUE(has(force.y, spring_force(pieces, at).y)) << x << " " << reach << " " << e;
        EXPECT_TRUE(has(energy, spring_energy(pieces, at))) << x << " " << reach << " " << e;
      }
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
