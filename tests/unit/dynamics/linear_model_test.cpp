#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>

#include <cmath>
#include <stdexcept>

#include "support/near.hpp"

namespace armdyn::testing {
namespace {

constexpr double mass = 2.0, length = 0.5, g = 9.81, viscous = 0.3;
constexpr double inertia = mass * length * length;

/// A point mass on a rod in the vertical plane, q = 0 pointing to the side.
Arm pendulum() {
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -g, 0.0};
  robot.joints.resize(1);
  robot.joints[0].body = {mass, {length, 0.0, 0.0}, {}};
  robot.joints[0].friction.viscous = viscous;
  return normalize(robot);
}

const std::vector<double> hanging{-1.5707963267948966}, rest{0.0};

TEST(LinearModel, OfTheHangingPendulumIsTheTextbooks) {
  const LinearModel found = linearize(pendulum(), {hanging, rest, rest});
  expect_near(found.A, matrix({{0, 1}, {-g / length, -viscous / inertia}}), 1e-15, "A");
  expect_near(found.B, matrix({{0}, {1 / inertia}}), 1e-15, "B");
}

TEST(SampledModel, OfTheDampedPendulumIsTheClosedForm) {
  const LinearModel continuous = linearize(pendulum(), {hanging, rest, rest});
  for (const double h : {1e-3, 0.01, 0.3, 2.0}) {
    // δ̈ + 2s δ̇ + ω² δ = u/I, with the input held.
    const double s = viscous / inertia / 2, omega2 = g / length, w = std::sqrt(omega2 - s * s);
    const double e = std::exp(-s * h), sine = std::sin(w * h) / w, cosine = std::cos(w * h);
    const LinearModel found = sampled(continuous, h);
    const Matrix A = matrix(
        {{e * (cosine + s * sine), e * sine}, {-e * omega2 * sine, e * (cosine - s * sine)}});
    expect_near(found.A, A, 1e-14 * std::max(1.0, h * omega2), "Ad");
    expect_near(found.B, matrix({{(1 - A(0, 0)) / omega2 / inertia}, {A(0, 1) / inertia}}),
                1e-13 * std::max(1.0, h * omega2), "Bd");
  }
}

TEST(SampledModel, NeedsAPositiveSampleTime) {
  const LinearModel continuous = linearize(pendulum(), {hanging, rest, rest});
  EXPECT_THROW((void)sampled(continuous, 0.0), std::invalid_argument);
  EXPECT_THROW((void)sampled(continuous, -1.0), std::invalid_argument);
}

TEST(LinearModel, RefusesMatricesThatDoNotFitEachOther) {
  EXPECT_THROW((void)linearize(TorqueDerivatives{}), std::invalid_argument);
  EXPECT_THROW((void)linearize({Matrix(1, 1), Matrix(2, 2), Matrix(2, 2)}), std::invalid_argument);
  EXPECT_THROW((void)linearize({Matrix(2, 2), Matrix(2, 1), Matrix(2, 2)}), std::invalid_argument);
  EXPECT_THROW((void)linearize({Matrix(2, 2), Matrix(2, 2), Matrix(2, 3)}), std::invalid_argument);
  EXPECT_THROW((void)sampled({Matrix(2, 2), Matrix(3, 1)}, 0.1), std::invalid_argument);
  EXPECT_THROW((void)sampled({Matrix(2, 3), Matrix(2, 1)}, 0.1), std::invalid_argument);
  EXPECT_THROW((void)sampled({Matrix(2, 2), Matrix(2, 0)}, 0.1), std::invalid_argument);
}

TEST(LinearModel, OfAnArmWithSingularMassMatrixIsRefused) {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[0].body = {1.0, {0.1, 0.0, 0.0}, {}};
  const std::vector<double> q(2), still(2);  // joint 2 moves nothing
  try {
    (void)linearize(normalize(robot), {q, still, still});
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    EXPECT_STREQ(error.what(),
                 "the mass matrix is singular at this position, so accelerations do not follow "
                 "from torques");
  }
}

}  // namespace
}  // namespace armdyn::testing
