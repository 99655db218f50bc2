// What a scalar must be able to do for a text to read it: +, −, ·, a change of sign, to be made
// from a double, and sin_cos, found where the scalar lives.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>

#include "dynamics/lagrange.hpp"
#include "dynamics/newton_euler.hpp"
#include "support/random_arm.hpp"

namespace elsewhere {

class Minimal {
 public:
  Minimal() = default;
  explicit Minimal(double value) : value_(value) {}
  [[nodiscard]] double value() const { return value_; }

  friend Minimal operator-(Minimal a) { return Minimal(-a.value_); }
  friend Minimal operator+(Minimal a, Minimal b) { return Minimal(a.value_ + b.value_); }
  friend Minimal operator-(Minimal a, Minimal b) { return Minimal(a.value_ - b.value_); }
  friend Minimal operator*(Minimal a, Minimal b) { return Minimal(a.value_ * b.value_); }
  friend Minimal operator+(double a, Minimal b) { return Minimal(a) + b; }
  friend Minimal operator*(double a, Minimal b) { return Minimal(a) * b; }
  friend Minimal operator*(Minimal a, double b) { return a * Minimal(b); }

 private:
  double value_ = 0.0;
};

struct MinimalSinCos {
  Minimal sin, cos;
};
MinimalSinCos sin_cos(Minimal angle) {
  const armdyn::SinCos found = armdyn::sin_cos(angle.value());
  return {Minimal(found.sin), Minimal(found.cos)};
}

}  // namespace elsewhere

namespace armdyn::testing {
namespace {

using S = elsewhere::Minimal;

std::vector<S> scalars(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

TEST(Formulations, AreReadableByAMinimalScalar) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::size_t n = 5;
    RandomArm random(seed);
    const Arm arm = random.arm(n);
    const auto q = random.numbers(n, 3.0), qd = random.numbers(n, 1.0),
               qdd = random.numbers(n, 1.0);
    const Wrench wrench = random.wrench();
    const std::vector<S> sq = scalars(q), sqd = scalars(qd), sqdd = scalars(qdd);
    const ForceAndMoment<S> as_read = constant<S>(wrench);

    std::vector<S> found(n);
    const auto expect_as_in_doubles = [&](Method method) {
      std::vector<double> tau(n);
      InverseDynamics(arm, method).torque({q, qd, qdd}, wrench, tau);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(found[i].value(), tau[i]) << name(method);
    };

    std::vector<LinkState<S>> links(n);
    newton_euler<S>(arm, sq, sqd, sqdd, &as_read, links, found);
    expect_as_in_doubles(Method::newton_euler);

    const std::vector<SymMat3> K = mass_spreads(arm);
    std::vector<ModifiedLinkState<S>> modified_links(n);
    modified_newton_euler<S>(arm, K, sq, sqd, sqdd, &as_read, modified_links, found);
    expect_as_in_doubles(Method::modified_newton_euler);

    LagrangeMatrices<S> matrices(arm);
    lagrange<S>(arm, matrices, sq, sqd, sqdd, &as_read, found);
    expect_as_in_doubles(Method::lagrange);

    std::vector<BaseLinkState<S>> base_links(n);
    newton_euler_in_base<S>(arm, sq, sqd, sqdd, &as_read, base_links, found);
    expect_as_in_doubles(Method::newton_euler_in_base);
  }
}

}  // namespace
}  // namespace armdyn::testing
